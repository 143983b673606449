// @ts-check
/** What draws boards, pieces on them and tables of odds: fetched, with their style sheet, when a game first needs it. */
import { asset } from "../assets.js";

/** @type {typeof import("./boards/index.js") | null} */
let here = null;
/** All about boards, null until it is here. */
export const boards = () => here;
/** @type {Promise<void> | null} */
let coming = null;

/**
 * Fetch what this view is drawn with, unless it is here or on its way.
 * @param {import("./types.js").View} view @param {() => void} ready called when it has come
 */
export function fetchFor(view, ready) {
  if (coming || !lacking(view)) return;
  fetchBoards().then(ready, () => {}); // the line was cut: once more with the next drawing
}

/** Whether a view has something on it that cannot be drawn yet. @param {import("./types.js").View} view */
export const lacking = (view) => !here && !!(view.tracks?.length || view.grids?.length || view.odds);

/** Fetch all about boards, once. @returns {Promise<void>} that fails where the line is cut */
export function fetchBoards() {
  coming ??= fetchAll().catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

async function fetchAll() {
  [here] = await Promise.all([import("./boards/index.js"), fetchStyle(asset("css/table/boards.css"))]);
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/** Fetch a style sheet, once. @param {string} address @returns {Promise<void>} when it is here, or cannot be had */
export function fetchStyle(address) {
  const known = styles.get(address);
  if (known) return known;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = address;
  document.head.append(style);
  /** @type {Promise<void>} */
  const come = new Promise((done) => (style.onload = style.onerror = () => done()));
  styles.set(address, come);
  return come;
}
