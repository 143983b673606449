// @ts-check
/** Where to put a bubble: near its subject, and never over something that must be seen or touched. No access to the page. */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

const STEP = 8; // pixels between two positions that are tried
const APART = 4; // pixels between a bubble and what it must not cover
const OWN = 400; // the cost, in pixels of distance, of covering all of its subject
const OTHER = 400; // that of lying on another one with all of the bubble

/** How much of a box another one covers. @param {Box} a @param {Box} b */
export const shared = (a, b) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** @param {Box} box */
const area = (box) => Math.max(1, (box.right - box.left) * (box.bottom - box.top));

/** How far two boxes are from each other. @param {Box} a @param {Box} b */
export const apart = (a, b) =>
  Math.hypot(Math.max(0, b.left - a.right, a.left - b.right), Math.max(0, b.top - a.bottom, a.top - b.bottom));

/**
 * @param {{width: number, height: number}} size of the bubble
 * @param {Box} at what it is about
 * @param {Box} field where it may be
 * @param {Box[]} free what has to stay free
 * @param {Box[]} [spared] what it had better not cover
 * @param {Box[]} [others] what it would seem to be about if it lay there
 * @returns {{left: number, top: number} | null} null if there is no room
 */
export function place({ width, height }, at, field, free, spared = [], others = []) {
  const near = free.map((box) => ({
    left: box.left - APART,
    top: box.top - APART,
    right: box.right + APART,
    bottom: box.bottom + APART,
  }));
  let best = null;
  let least = Infinity;
  for (let top = field.top; top + height <= field.bottom; top += STEP)
    for (let left = field.left; left + width <= field.right; left += STEP) {
      const box = { left, top, right: left + width, bottom: top + height };
      const way = apart(box, at);
      if (way >= least || near.some((other) => shared(box, other) > 0)) continue;
      const cost =
        way +
        (OWN * shared(box, at)) / area(at) +
        others.reduce((sum, other) => sum + (OTHER * shared(box, other)) / area(box), 0) +
        spared.reduce((sum, other) => sum + (60 * shared(box, other)) / area(other), 0);
      if (cost < least) [best, least] = [{ left, top }, cost];
    }
  return best;
}
