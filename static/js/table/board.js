// @ts-check
/** Tracks and grids, drawn plainly: spaces with what stands on them. */
import { h, sync, write, attr } from "./dom.js";
import { makePiece, updatePiece } from "./pieces.js";
import { spoken } from "./text.js";
import { aim, touchPiece } from "./zones.js";

/** @typedef {import("./types.js").Space} Space */
/** @typedef {import("./zones.js").Touch} Touch */

/** @param {Element} parent @param {import("./types.js").View} view @param {Touch} touch */
export function drawBoards(parent, view, touch) {
  const boards = [
    ...(view.tracks ?? []).map((track) => ({ id: track.id, label: track.label, columns: track.spaces.length, spaces: track.spaces, kind: "track" })),
    ...(view.grids ?? []).map((grid) => ({ id: grid.id, label: grid.label, columns: grid.columns, spaces: grid.cells, kind: "grid" })),
  ];
  sync(
    parent,
    boards,
    (board) => board.id,
    (board) => h("section", { class: `board board-${board.kind}` }, h("ol", { class: "spaces", role: "list" })),
    (node, board) => {
      const list = /** @type {HTMLElement} */ (node.firstElementChild);
      attr(list, "aria-label", spoken(board.label, touch.names));
      node.style.setProperty("--columns", String(board.columns));
      sync(list, board.spaces, (space) => space.id, makeSpace, (item, space) => updateSpace(item, space, touch));
    },
  );
}

/** @param {Space} space */
function makeSpace(space) {
  return h("li", { class: "space", "data-zone": space.id }, h("span", { class: "space-label" }), h("ul", { class: "stack", role: "list" }));
}

/** @param {HTMLElement} node @param {Space} space @param {Touch} touch */
function updateSpace(node, space, touch) {
  const [label, stack] = /** @type {HTMLElement[]} */ ([...node.children]);
  const words = [space.label ? spoken(space.label, touch.names) : "", ...space.marks].filter(Boolean).join(" · ");
  write(label, words);
  attr(node, "data-marks", space.marks.join(" ") || null);
  sync(
    stack,
    space.pieces,
    (piece) => piece.id,
    (piece) => h("li", {}, makePiece(piece)),
    (item, piece) => {
      const card = /** @type {HTMLElement} */ (item.firstElementChild);
      updatePiece(card, piece, touch.names);
      touchPiece(card, piece.id, touch);
    },
  );
  aim(node, `zone:${space.id}`, words || space.id, touch);
}
