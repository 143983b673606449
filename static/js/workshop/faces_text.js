// @ts-check
/** Lines of a table file (TOML) that say how cards are drawn: how one is written, and how it is taken out. */

/** @typedef {{corner?: string, symbol?: string, colour?: string, number?: number}} Said */
/** @typedef {{from: number, to: number}} Span lines, the last one without its end */

const ORDER = /** @type {const} */ (["corner", "symbol", "colour", "number"]);
const HEAD = /^\s*\[\s*([A-Za-z.]+)\s*\]\s*(#.*)?$/;
const KEY = /^\s*(?:"([^"\\]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(=|\.)/;
const VALUE = /\{(?:[^"'#{}]|"(?:\\.|[^"\\])*"|'[^']*')*\}/; // an inline table

/**
 * The sections of a table file with the lines of each key, and whether some are written as tables of their own.
 * @param {string} text
 */
function read(text) {
  /** @type {Map<string, {at: number, end: number, keys: Map<string, Span>}>} */
  const sections = new Map();
  let section = "";
  let apart = "";
  let open = ""; // the quotes of a string of several lines
  let at = 0;
  /** @type {Span | null} */
  let last = null;
  for (const line of text.split("\n")) {
    const to = at + line.length;
    if (open) {
      if (last) last.to = to;
      if (line.includes(open)) open = "";
    } else {
      const head = HEAD.exec(line);
      const key = head ? null : KEY.exec(line);
      if (head) {
        section = head[1];
        last = null;
        if (section.includes(".")) apart = section.split(".")[0];
        sections.set(section, { at, end: to, keys: new Map() });
      } else if (key) {
        const name = key[1] ?? key[2] ?? key[3];
        last = { from: at, to };
        if (key[4] === ".") apart = section || name;
        else if (!section && !sections.has(name)) apart = name; // faces = {...}
        sections.get(section)?.keys.set(name, last);
        open = openedBy(line);
      } else if (last && line.trim() && !line.trim().startsWith("#")) last.to = to; // a list of several lines
    }
    const here = sections.get(section);
    if (here && line.trim()) here.end = to;
    at = to + 1;
  }
  return { sections, apart };
}

/** The quotes of a string that a line begins and does not end. @param {string} line */
function openedBy(line) {
  const found = /'''|"""/.exec(line);
  return found && line.split(found[0]).length % 2 === 0 ? found[0] : "";
}

/** Whether lines of a section can be changed here. @param {string} text @param {string} section */
export const canChange = (text, section) => read(text).apart !== section;

/** How a value is said in TOML. @param {Said} said */
export const inToml = (said) =>
  `{${ORDER.filter((kind) => said[kind])
    .map((kind) => `${kind} = ${JSON.stringify(said[kind])}`)
    .join(", ")}}`;

/**
 * Return a table file in which a line of a section says something else; "": without that line.
 * @param {string} text @param {string} section @param {string} key @param {string} value in TOML
 */
export function withLine(text, section, key, value) {
  const there = read(text).sections.get(section);
  const line = there?.keys.get(key);
  if (there && line && value) {
    const before = text.slice(line.from, line.to);
    const changed =
      VALUE.test(before) && value.startsWith("{") ? before.replace(VALUE, () => value) : `${key} = ${value}`;
    return text.slice(0, line.from) + changed + text.slice(line.to);
  }
  if (there && line) return text.slice(0, line.from) + text.slice(line.to + 1);
  if (!value) return text;
  if (there) return `${text.slice(0, there.end)}\n${key} = ${value}${text.slice(there.end)}`;
  const before = text.trimEnd();
  return `${before}${before ? "\n\n" : ""}[${section}]\n${key} = ${value}\n`;
}
