// @ts-check
/** Pieces in a page of rules, as they lie at a table: `<span data-face="4C">`, by the same hand. */
import { hasFace } from "../../art/cards.js";
import { fetchBoards } from "./boards.js";
import { makePiece, updatePiece } from "./pieces.js";

/** @param {Element} page @param {import("./text.js").Names} [names] */
export async function drawRulePieces(page, names = String) {
  const told = [.../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".told-piece[data-face]"))];
  if (told.some(({ dataset }) => !hasFace(dataset.face ?? ""))) await fetchBoards();
  for (const node of told) {
    const face = node.dataset.face ?? "";
    const piece = { id: face, face, ...(hasFace(face) ? {} : { label: { text: node.textContent ?? face, args: {} } }) };
    const drawn = makePiece(piece);
    updatePiece(drawn, piece, names);
    drawn.removeAttribute("data-piece"); // it is no piece of the table
    node.replaceChildren(drawn);
  }
}
