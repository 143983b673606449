// @ts-check
/** What tracks and grids share: spaces in order, with the pieces on them. */
import { cellsOf, drawPath, updateCell } from "./grid.js";
import { updateTrackSpace } from "./track.js";
import { attr, h, sync } from "../dom.js";
import { spoken } from "../text.js";

/** @typedef {import("../types.js").Space} Space */
/** @typedef {import("../zones.js").Touch} Touch */

/**
 * @param {Element} parent @param {import("../types.js").View} view @param {Touch} touch
 * @returns {"track" | "grid" | null} the kind of board in the middle of the table
 */
export function drawBoards(parent, view, touch) {
  const tracks = view.tracks ?? [];
  const grids = view.grids ?? [];
  sync(
    parent,
    [...tracks, ...grids],
    (board) => board.id,
    makeBoard,
    (node, board) => {
      const list = /** @type {HTMLElement} */ (node.firstElementChild);
      const grid = "cells" in board;
      attr(node, "class", `board board-${grid ? "grid" : "track"}`);
      attr(list, "aria-label", spoken(board.label, touch.names));
      if (grid) node.style.setProperty("--columns", String(board.columns));
      attr(node, "data-path", grid && !!touch.path);
      sync(
        list,
        grid ? cellsOf(board, touch) : board.spaces,
        (space) => space.id,
        makeSpace,
        (item, space) => (grid ? updateCell : updateTrackSpace)(item, space, touch),
      );
      if (grid) drawPath(node, board, touch);
    },
  );
  return tracks.length ? "track" : grids.length ? "grid" : null;
}

function makeBoard() {
  return h("section", {}, h("ol", { class: "spaces", role: "list" }));
}

/** @param {Space} space */
function makeSpace(space) {
  return h(
    "li",
    { class: "space", "data-zone": space.id },
    h("span", { class: "space-label" }),
    h("ul", { class: "stack", role: "list" }),
  );
}
