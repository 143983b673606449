// @ts-check
/** Moves drawn piece by piece over a trail. Pure: the words so far are all the state there is. */

/** @typedef {import("./types.js").Trail} Trail */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {{trail: Trail, words: readonly string[]}} Way a trail, and how far one has come on it */

/** The step that a way has come to, null when it leads nowhere. @param {Way} way @returns {Step | null} */
export function stepOf({ trail, words }) {
  /** @type {Step | undefined} */
  let step = trail.start;
  for (const word of words) step = step?.then?.find((one) => one.word === word);
  return step ?? null;
}

/** The move that a way is, null when it must go on. @param {Way} way @returns {string | null} */
export function moveOf(way) {
  const step = stepOf(way);
  return way.words.length && step && !step.further ? [way.trail.verb, ...way.words].join(" ") : null;
}

/** The steps that may come next, by piece. @param {Way} way @returns {Map<string, Step>} */
export function nextOf(way) {
  return new Map((stepOf(way)?.then ?? []).map((step) => [way.trail.pieces[step.word], step]));
}

/** Why pieces nearby may not come next. @param {Way} way @returns {Map<string, import("./types.js").Note>} */
export function shutOf(way) {
  const shut = stepOf(way)?.shut ?? {};
  return new Map(Object.entries(shut).map(([word, note]) => [way.trail.pieces[word], way.trail.notes[note]]));
}

/** The cells that look otherwise now than before the way, by their place in the grid. @param {Way} way @returns {Map<number, import("./types.js").Look>} */
export function looksOf({ trail, words }) {
  const looks = new Map();
  for (let length = 1; length <= words.length; length++) {
    const step = stepOf({ trail, words: words.slice(0, length) });
    for (const [cell, look] of Object.entries(step?.looks ?? {})) looks.set(Number(cell), trail.looks[look]);
  }
  return looks;
}

/** The pieces on the way, in order. @param {Way} way @returns {string[]} */
export const piecesOf = ({ trail, words }) => words.map((word) => trail.pieces[word]);

/**
 * A piece is tapped: the way goes on to it, or back to it when it is on the way. Null when neither.
 * @param {Way} way @param {string} piece @returns {string[] | null} the words then
 */
export function tapWay(way, piece) {
  const at = piecesOf(way).indexOf(piece);
  if (at >= 0) return way.words.slice(0, at + 1);
  const next = nextOf(way).get(piece);
  return next ? [...way.words, next.word] : null;
}
