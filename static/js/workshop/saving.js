// @ts-check
/** Saving a text as a version, and playing one: the server's answer, in words. */
import { t } from "../i18n.js";
import { proof } from "../api.js";
import { ask } from "./requests.js";

/** @typedef {{save: string, try: string, text: string, edit: string, version: string}} Urls */
/** @typedef {{code: string, base: number, isOwn: boolean}} Where which text it is, and from which version */
/** @typedef {{done: boolean, text: string, url?: string, code?: string, number?: number, title?: string, why?: string}} Outcome why: the word for a refusal */

const at = (/** @type {string} */ url, /** @type {string} */ code) => url.replace("CODE", code);

/** @param {Urls} urls @param {Where} where @param {string} source @param {string} table @returns {Promise<Outcome>} */
export async function save(urls, where, source, table) {
  let { code, base } = where;
  if (code && !where.isOwn) [code, base] = (await copyOf(urls, code, base)) ?? ["", 0]; // another author's text: save a copy of one's own
  const answer = await ask(urls.save, { code: code || null, source, table, base: base || null });
  if (!answer.ok) {
    return { done: false, text: answer.text ?? t("That did not work."), why: answer.code };
  }
  const args = { n: answer.number, why: answer.why };
  const text = answer.playable
    ? t("Saved as version {n}.", args)
    : t("Saved as version {n}. It cannot be played yet: {why}", args);
  return { done: true, text, url: answer.url, code: answer.code, number: answer.number, title: answer.title };
}

/** A copy that remembers of what it is one: its code, and the version that is in it. @param {Urls} urls @param {string} code @param {number} number @returns {Promise<[string, number] | null>} */
async function copyOf(urls, code, number) {
  try {
    const body = new URLSearchParams({ number: String(number) });
    const answer = await fetch(`${at(urls.text, code)}fork/`, { method: "POST", headers: proof(), body });
    const made = new RegExp(`^${at(urls.edit, "([0-9a-z]+)")}$`).exec(new URL(answer.url).pathname)?.[1];
    return answer.ok && made && made !== code ? [made, 1] : null;
  } catch {
    return null;
  }
}

/** Open a private table with bots. @param {Urls} urls @param {string} code @param {number} number @returns {Promise<Outcome>} */
export async function tryOut(urls, code, number) {
  const answer = await ask(urls.try, { code, number, seats: null });
  if (answer.ok && typeof answer.url === "string")
    return { done: true, text: t("Creating the table …"), url: answer.url };
  return { done: false, text: answer.text ?? t("That did not work.") };
}

/** @typedef {{source: string, table: string, number: number, latest: number, title: string, own: boolean}} Saved a version */

/** A version that is kept; 0: the one that is published, or else the newest. @param {{version: string}} urls @param {string} code @param {number} number @returns {Promise<Saved | {text: string}>} */
export async function fetchVersion(urls, code, number) {
  try {
    const answer = await fetch(at(urls.version, code).replace(/0\.json$/, `${number}.json`), {
      headers: { Accept: "application/json" },
    });
    if (answer.ok || answer.headers.get("Content-Type")?.startsWith("application/json")) return await answer.json();
    return { text: t("There is no such text.") };
  } catch {
    return { text: t("The server cannot be reached. Reload the page in a moment.") };
  }
}

/** The newest version of a text. @param {{version: string}} urls @param {string} code */
export async function newest(urls, code) {
  const found = await fetchVersion(urls, code, 0);
  return "source" in found && found.latest !== found.number ? fetchVersion(urls, code, found.latest) : found;
}

/** The text of a version, null if it cannot be loaded. @param {{version: string}} urls @param {string} code @param {number} number */
export async function textOf(urls, code, number) {
  const found = await fetchVersion(urls, code, number);
  return "source" in found ? found : null;
}
