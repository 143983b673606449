// @ts-check
/** The pieces of a space, as a list. */
import { h, sync } from "../dom.js";
import { makePiece, updatePiece } from "../pieces.js";
import { touchPiece } from "../zones.js";

/**
 * @param {HTMLElement} list @param {import("../types.js").Piece[]} pieces @param {import("../zones.js").Touch} touch
 * @param {(card: HTMLElement, piece: import("../types.js").Piece) => void} [more] what else to do with each
 */
export function drawPieces(list, pieces, touch, more) {
  sync(
    list,
    pieces,
    (piece) => piece.id,
    (piece) => h("li", {}, makePiece(piece)),
    (item, piece) => {
      const card = /** @type {HTMLElement} */ (item.firstElementChild);
      updatePiece(card, piece, touch.names);
      touchPiece(card, piece.id, touch);
      more?.(card, piece);
    },
  );
}
