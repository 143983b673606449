// @ts-check
/** The locale for dates and numbers of this visitor. */

/**
 * The page's language with the visitor's region, because an English date may begin with the day or the month.
 * @param {string} language of the page @param {readonly string[]} own languages of the browser, the preferred one first
 */
export function localeOf(language, own) {
  const page = new Intl.Locale(language || "en");
  const known = own.map((tag) => new Intl.Locale(tag)).filter((locale) => locale.region);
  const nearest = known.find((locale) => locale.language === page.language) ?? known[0];
  const region = page.region ?? nearest?.region ?? (page.language === "en" ? "GB" : undefined); // otherwise it would be American English
  return new Intl.Locale(page.baseName, { region }).toString();
}

/** The locale of this page and this visitor. */
export const locale = () => localeOf(document.documentElement.lang, navigator.languages);

/** A day as people write it: "22 November". @param {string} day 2026-11-22 */
export function dayOf(day) {
  return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long", timeZone: "UTC" }).format(new Date(day));
}
