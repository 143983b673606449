// @ts-check
/** Boards, pictures of what stands on them, and tables of chances are fetched when a game first wants one of them. */

/** All about boards, null until it is here. @type {typeof import("./boards/index.js") | null} */
export let boards = null;
let asked = false;

/**
 * Fetch what this view is drawn with, unless it is here or on its way.
 * @param {import("./types.js").View} view @param {() => void} ready called when it has come
 */
export function fetchFor(view, ready) {
  if (asked || !(view.tracks?.length || view.grids?.length || view.odds)) return;
  asked = true;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("../../css/boards.css", import.meta.url).pathname;
  const styled = new Promise((done) => (style.onload = style.onerror = done));
  document.head.append(style);
  void Promise.all([import("./boards/index.js"), styled]).then(([parts]) => {
    boards = parts;
    ready();
  });
}
