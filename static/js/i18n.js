// @ts-check
/**
 * The translation catalogue. A template in English is its own key; another language is one file, `lang/<code>.js`,
 * whose default export maps English templates to that language's, and its code in LANGUAGES.
 */

/** Languages that have a file. @type {ReadonlySet<string>} */
const LANGUAGES = new Set();

/** @type {Record<string, string>} */
let catalogue = {};

/** Load the catalogue of a language, if there is one. @param {string} language */
export async function speak(language) {
  const code = language.slice(0, 2);
  catalogue = LANGUAGES.has(code) ? (await import(`./lang/${code}.js`)).default : {};
}

/**
 * A template in the reader's language, its gaps filled.
 * @param {string} template
 * @param {Record<string, string | number>} [args]
 */
export function t(template, args = {}) {
  return (catalogue[template] ?? template).replace(/\{(\w+)\}/g, (gap, name) => (name in args ? String(args[name]) : gap));
}
