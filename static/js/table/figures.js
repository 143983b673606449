// @ts-check
/** Pictures of figures (camels, dice, torches …) and the style sheet of boards, loaded when first needed: most games have neither. */
import { asset, fetchStyle } from "../assets.js";

/** @type {typeof import("../../art/figures.js") | null} */
let loaded = null;
/** @type {Promise<void> | null} */
let loading = null;

/** The pictures; null until they are loaded. */
export const figures = () => loaded;

/** Whether a view needs something that is not loaded yet. @param {import("./types.js").View} view */
export const lacking = (view) => !loaded && !!(view.tracks?.length || view.grids?.length || view.odds);

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
