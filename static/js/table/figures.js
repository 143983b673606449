// @ts-check
/** Pictures of figures (camels, dice, torches …) and the style sheet of boards, loaded when first needed: most games have neither. */
import { asset, fetchStyle } from "../assets.js";

/** @type {typeof import("../../art/figures.js") | null} */
let loaded = null;
/** @type {Promise<void> | null} */
let loading = null;

/** The pictures; null until they are loaded. */
export const figures = () => loaded;

/**
 * The name of a piece's picture, which may not exist: its face, or the one of a face-down die or token.
 * @param {import("./types.js").Piece} piece
 */
export function pictureOf({ face, back = "" }) {
  if (face) return face;
  return back.startsWith("die ") ? "die-hidden" : back.startsWith("tokens ") ? "token-hidden" : "";
}

/** Whether a view needs something that is not loaded yet. @param {import("./types.js").View} view */
export const lacking = (view) =>
  !loaded &&
  (!!(view.tracks?.length || view.grids?.length || view.odds) ||
    view.zones.some(({ pieces }) => pieces.some((piece) => /^(die|cube|token)-/.test(pictureOf(piece)))));

/** Fetch the pictures and the styles, once. @returns {Promise<void>} rejected when the connection fails; the next call tries again */
export function fetchFigures() {
  loading ??= fetchBoth().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchBoth() {
  [loaded] = await Promise.all([import(asset("art/figures.js")), fetchStyle("css/table/boards.css")]);
}
