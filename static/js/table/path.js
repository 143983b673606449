// @ts-check
/** Moves drawn piece by piece as paths. No access to the page: the only state is the words so far. */

/** @typedef {import("./types.js").Paths} Paths */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {{paths: Paths, words: readonly string[]}} Path the paths there are, and how far one of them is drawn */

/** The last step of a path, null if there is no such path. @param {Path} path @returns {Step | null} */
export function stepOf({ paths, words }) {
  /** @type {Step | undefined} */
  let step = paths.start;
  for (const word of words) step = step?.then?.find((one) => one.word === word);
  return step ?? null;
}

/** The move of a path, null if the path is not complete. @param {Path} path @returns {string | null} */
export function moveOf(path) {
  const step = stepOf(path);
  return path.words.length && step && !step.further ? [path.paths.verb, ...path.words].join(" ") : null;
}

/** The steps that may come next, by piece. @param {Path} path @returns {Map<string, Step>} */
export function nextOf(path) {
  return new Map((stepOf(path)?.then ?? []).map((step) => [path.paths.pieces[step.word], step]));
}

/** The reasons why pieces nearby may not come next. @param {Path} path @returns {Map<string, import("./types.js").Note>} */
export function shutOf(path) {
  const shut = stepOf(path)?.shut ?? {};
  return new Map(Object.entries(shut).map(([word, note]) => [path.paths.pieces[word], path.paths.notes[note]]));
}

/** The cells that the path changes, by their position in the grid. @param {Path} path @returns {Map<number, import("./types.js").Look>} */
export function looksOf({ paths, words }) {
  const looks = new Map();
  for (let length = 1; length <= words.length; length++) {
    const step = stepOf({ paths, words: words.slice(0, length) });
    for (const [cell, look] of Object.entries(step?.looks ?? {})) looks.set(Number(cell), paths.looks[look]);
  }
  return looks;
}

/** The pieces on the path, in order. @param {Path} path @returns {string[]} */
export const piecesOf = ({ paths, words }) => words.map((word) => paths.pieces[word]);

/**
 * A piece is tapped: continue the path to it, or shorten the path to it. Null if neither is possible.
 * @param {Path} path @param {string} piece @returns {string[] | null} the words then
 */
export function tapPath(path, piece) {
  const at = piecesOf(path).indexOf(piece);
  if (at >= 0) return path.words.slice(0, at + 1);
  const next = nextOf(path).get(piece);
  return next ? [...path.words, next.word] : null;
}
