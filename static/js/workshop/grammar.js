// @ts-check
/** What may stand at a place of a RECYCLE text, by the table of the language. */

/** @typedef {{kind: string, takes: string[], more: boolean}} Argument ``takes``: what forms give that fit; ``more``: one or more of it */
/** @typedef {string | Argument} Part a word or sign, or an argument */
/** @typedef {{shape: string, snippet: string, gives: string, parts: Part[], means: string, example: string}} Form one way to write something */
/** @typedef {{text: string, items: Item[] | null}} Item a token, or the items of a form and the token that it begins with */

const TOKEN = /;;[^\n]*|'[ \t]*[A-Z]+|[A-Z]+|[a-z]+|[0-9]+|\.\.|\/\/|[<>=!]=|[(),:<>+*%^-]/g;

/** @param {Form} form */
const inBrackets = (form) => form.shape.startsWith("(");

/** Return the forms that fit one of these parts. @param {Form[]} forms @param {Part[]} parts */
export const fitting = (forms, parts) =>
  forms.filter((form) => parts.some((part) => typeof part !== "string" && part.takes.includes(form.gives)));

/** Return the items before the end of a text, for each bracket that is open there, the outermost first. @param {string} text */
export function openBrackets(text) {
  /** @type {Item[][]} */
  const levels = [[]];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "(") levels.push([]);
    else if (token === ")" && levels.length > 1) {
      const items = levels.pop() ?? [];
      levels.at(-1)?.push({ text: items[0]?.items ? "" : (items[0]?.text ?? ""), items });
    } else if (token !== ")" && !token.startsWith(";;")) levels.at(-1)?.push({ text: token, items: null });
  }
  return levels;
}

/** Return what may stand at the end of a text whose open brackets hold ``levels``. Empty if that is not known. @param {Form[]} forms @param {Item[][]} levels @returns {Part[]} */
export function expected(forms, levels) {
  const bracketed = forms.filter(inBrackets);
  /** @type {Part[]} */
  let parts = [{ kind: "GAME", takes: ["GAME"], more: false }];
  for (const items of levels.slice(1)) {
    parts = following(forms, fitting(bracketed, parts), items);
    if (!parts.length) parts = following(forms, bracketed, items); // where it stands is wrong, what it is can be known
  }
  return parts;
}

/** Return the parts that may follow some items; undefined is among them if that may be all. @param {Form[]} all @param {Form[]} candidates @param {Item[]} items @param {boolean} [deep] whether to look into forms @returns {Set<Part | undefined>} */
function reached(all, candidates, items, deep = true) {
  /** @type {Set<Part | undefined>} */
  const found = new Set();
  for (const { parts } of candidates) {
    let places = new Set([0]);
    for (const item of items) {
      /** @type {Set<number>} */
      const next = new Set();
      for (const place of places) {
        const part = parts[place];
        if (part === undefined || !matches(all, part, item, deep)) continue;
        next.add(place + 1);
        if (typeof part !== "string" && part.more) next.add(place);
      }
      places = next;
    }
    for (const place of places) found.add(parts[place]);
  }
  return found;
}

/** Return the parts that may follow some items. @param {Form[]} all @param {Form[]} candidates @param {Item[]} items @returns {Part[]} */
const following = (all, candidates, items) => [...reached(all, candidates, items)].filter((part) => part !== undefined);

/** Return whether an item may stand for a part. @param {Form[]} all @param {Part} part @param {Item} item @param {boolean} deep @returns {boolean} */
function matches(all, part, { text, items }, deep) {
  if (typeof part === "string") return !items && part === text;
  if (items) {
    const forms = fitting(all.filter(inBrackets), [part]);
    if (deep) return reached(all, forms, items, false).has(undefined);
    return !text || forms.some(({ parts }) => matches(all, parts[0], { text, items: null }, false));
  }
  if (text.startsWith("'")) return part.kind === "VAR" || part.takes.length > 0;
  if (/^[0-9]/.test(text)) return part.takes.includes("NUMBER");
  if (/^[A-Z]/.test(text)) return part.takes.includes("NAME");
  return all.some(({ shape, gives }) => shape === text && part.takes.includes(gives));
}
