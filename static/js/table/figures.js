// @ts-check
/**
 * Figures (pictures of camels, dice, torches …) and the style sheet of boards. Both are loaded when a view first needs
 * them, because most games have neither.
 */
import { asset, fetchStyle } from "../assets.js";

/** @type {typeof import("../../art/figures.js") | null} */
let loaded = null;
/** @type {Promise<void> | null} */
let loading = null;

/** The module that draws figures; null until it is loaded. */
export const figures = () => loaded;

/**
 * The name of the figure of a piece: its face, or that of a face-down die or token. There may be no such figure, as for
 * cards.
 *
 * @param {import("./types.js").Piece} piece
 */
export function figureName({ face, back = "" }) {
  if (face) return face;
  return back.startsWith("die ") ? "die-hidden" : back.startsWith("tokens ") ? "token-hidden" : "";
}

/**
 * Whether a view needs figures or the style sheet, and they are not loaded yet.
 *
 * @param {import("./types.js").View} view
 */
export const needsFigures = (view) =>
  !loaded &&
  (!!(view.tracks?.length || view.grids?.length || view.odds) ||
    view.zones.some(({ pieces }) => pieces.some((piece) => /^(die|cube|token)-/.test(figureName(piece)))));

/**
 * Fetch figures and style sheet, unless that was done or is being done.
 *
 * @returns {Promise<void>} rejected when the connection fails; the next call tries again
 */
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
