// @ts-check
/** The names of a game in its table file (TOML): where they are used, and how they are renamed. */

/** @typedef {import("./names.js").Named} Named */
/** @typedef {{section: string, key: boolean, text: string, from: number, to: number, line: {from: number, to: number}}} Entry a key with what follows it up to the next one as its ``line``, or a string */
/** @typedef {{entry: Entry, from: number, to: number, exact: boolean}} Spot a name in a key or in a string. ``exact``: its kind or owner is given there, too */
/** @typedef {{from: number, to?: number, insert: string}} Change */

const NAME = /(?<![A-Za-z])[A-Z]+(?![A-Za-z])/g;
const SIGN = /^["'][a-z]+:\S*["']$/; // zone:vloc:TRICK:* or counter:player:SCORE, not a sentence

/** Return the keys and strings of a table file. @param {any} tree its syntax tree @param {string} text @returns {Entry[]} */
export function entriesOf(tree, text) {
  /** @type {Entry[]} */
  const entries = [];
  let section = "";
  let line = { from: 0, to: 0 };
  let depth = 0; // of lists
  tree.iterate({
    enter(/** @type {any} */ { name, from, to }) {
      const part = text.slice(from, to);
      const begins = text.lastIndexOf("\n", from - 1) + 1;
      if (name === "atom" && part.startsWith("[")) section = part.replace(/[[\]\s]/g, "");
      else if (name === "bracket") depth += part === "[" ? 1 : -1;
      const key = name === "propertyName" || (name === "string" && !depth && !text.slice(begins, from).trim());
      if (key) line = { from: begins, to: begins };
      if (key || name === "string") entries.push({ section, key, text: part, from, to, line });
      if (entries.length && name !== "comment" && name !== "atom" && name !== "Document") line.to = endOfLine(text, to);
    },
  });
  return entries;
}

/** @param {string} text @param {number} at */
function endOfLine(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Whether a key or a string has names of the game, and not words for people. @param {Entry} entry */
function hasNames({ section, key, text }) {
  if (key) return section !== "tips";
  return section === "hide" || (section === "tips" && SIGN.test(text));
}

/** Whether a table file cannot name something. @param {Named} named */
export const isInTextOnly = ({ kind }) => kind === "variable" || kind === "block";

/** Return where a table file names something. @param {Entry[]} entries @param {Named} named @param {Set<string>} families words of places and stores @returns {Spot[]} */
export function spotsOf(entries, named, families) {
  if (isInTextOnly(named)) return [];
  return entries.filter(hasNames).flatMap((entry) =>
    [...entry.text.matchAll(NAME)].flatMap((match) => {
      const before = entry.text.slice(0, match.index);
      const word = /(?:^|:)([a-z]+):$/.exec(before)?.[1] ?? ""; // zone:vloc:NAME
      const ofTable = /\bgame $/.test(before); // "game NAME", because players have a place of that name too
      if (match[0] !== named.name || (families.has(word) && word !== named.kind)) return [];
      if (ofTable && named.owner !== "table") return [];
      const from = entry.from + match.index;
      return [{ entry, from, to: from + match[0].length, exact: ofTable || families.has(word) }];
    }),
  );
}

/**
 * Return how a table file changes when something is renamed. If something else keeps the old name (``shared``), lines
 * that apply to both are copied.
 * @param {string} text @param {Spot[]} spots @param {string} name the new one @param {boolean} shared @returns {Change[]}
 */
export function renamed(text, spots, name, shared) {
  const apart = new Set(spots.flatMap(({ entry, exact }) => (exact && entry.key ? [entry.section] : []))); // there the bare name means the other
  return spots.flatMap(({ entry, from, to, exact }) => {
    if (!shared || exact) return [{ from, to, insert: name }];
    if (entry.section === "hide") return [{ from: entry.to, insert: `, "${name}"` }];
    if (!entry.key || apart.has(entry.section)) return [];
    const { line } = entry;
    return [{ from: line.to, insert: `\n${text.slice(line.from, from)}${name}${text.slice(to, line.to)}` }];
  });
}
