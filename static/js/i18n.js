// @ts-check
/**
 * Translations. A template in English is the key of its translation. A page that is not in English names the catalogue
 * of the scripts, and scripts know the address of a game's: JSON made of locale/LANGUAGE/scripts.po and games/NAME.po.
 */

/** @type {Record<string, string>} */
let catalogue = {};

/** Numbers of the language: 1.5 or 1,5. */
let numbers = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });

/** Lists of the language: "a, b and c". */
let lists = new Intl.ListFormat("en");

/**
 * Load the translations in the language of the page.
 * @param {string} [game] the address of a game's
 */
export async function loadTranslations(game) {
  const { lang, dataset } = document.documentElement;
  const language = lang || "en";
  numbers = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  });
  lists = new Intl.ListFormat(language);
  if (language === "en") return;
  const addresses = [dataset.words, game].filter((address) => address !== undefined);
  catalogue = Object.assign({}, ...(await Promise.all(addresses.map(fetchCatalogue))));
}

/** A catalogue. One that cannot be loaded is empty: its sentences stay English. @param {string} address */
async function fetchCatalogue(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

/** A list of cards in a template, as `say_cards` of the games writes it: "{card1}, {card2} and {card3}". */
const CARDS = /\{card1\}(?:(?:, \{card\d+\})* and \{card\d+\})?/;

/** What each of several players has, in a template of a log entry: "{seat0} {card0}, {seat1} {card1}". */
const EACH = /\{seat0.*\}/;

/** Translate a template with a list: the catalogue has one entry for any number of cards or players. @param {string} template */
function listing(template) {
  const each = EACH.exec(template)?.[0];
  if (each) return catalogue[template.replace(each, "{each}")]?.replace("{each}", each);
  const cards = CARDS.exec(template)?.[0];
  if (!cards) return "";
  const words = catalogue[template.replace(cards, "{cards}")];
  return words?.replace("{cards}", lists.format(cards.match(/\{\w+\}/g) ?? []));
}

/** Suffixes that distinguish placeholders of the same name: "({way_from} → {way_to})", "({nth})". */
const SUFFIXES = /(?: \(\{\w+\}(?: → \{\w+\})?\))+$/;

/** Translate a template that a game has joined from several ("Discard {cards}; draw {cards_1}"), part by part. @param {string} template */
function composed(template) {
  const suffixes = SUFFIXES.exec(template)?.[0] ?? "";
  const parts = template.slice(0, template.length - suffixes.length).split(/(; | · )/);
  if (!suffixes && parts.length === 1) return "";
  const semicolon = (catalogue["{before}; {after}"] ?? "; ").replace(/\{\w+\}/g, "");
  const words = parts.map((part, place) => (place % 2 ? (part === "; " ? semicolon : part) : partOf(part, place / 2)));
  return words.every(Boolean) ? words.join("") + suffixes : "";
}

/** @param {string} part @param {number} index the names of its placeholders may end with it, and its first letter is a small one */
function partOf(part, index) {
  const english = index ? part.replaceAll(`_${index}}`, "}") : part;
  const words = [english, english.charAt(0).toUpperCase() + english.slice(1)]
    .map((key) => catalogue[key] || listing(key))
    .find(Boolean);
  if (!words) return /[a-z]{2}/i.test(part.replace(/\{\w+\}/g, "")) ? "" : part;
  return words.replace(/\{(\w+)(:\w+)?\}/g, (placeholder, name, form = "") =>
    part.includes(`{${name}_${index}}`) ? `{${name}_${index}${form}}` : placeholder,
  );
}

/** Mark a sentence that `t` translates later, so that it is put into the catalogues. @param {string} words */
export const noop = (words) => words;

/**
 * Return a template in the page's language, with its placeholders filled.
 * @param {string} template
 * @param {Record<string, string | number>} [args]
 */
export function t(template, args = {}) {
  return (catalogue[template] || listing(template) || composed(template) || template).replace(
    /\{(\w+)\}/g,
    (placeholder, name) => (name in args ? String(args[name]) : placeholder),
  );
}

/** A list in the page's language: "a, b and c". @param {string[]} parts */
export const listed = (parts) => lists.format(parts);

/** A number in the page's language. @param {number} value */
export const inFigures = (value) => numbers.format(value);
