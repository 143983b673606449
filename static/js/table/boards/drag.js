// @ts-check
/** Drawing a path by dragging from card to card, with a finger or a mouse. */

const CORE = 0.66; // of a card that counts when one passes over it: so that a diagonal touches no third card

/**
 * @param {HTMLElement} felt
 * @param {(piece: string) => void} step a piece that is passed over
 */
export function drawByDragging(felt, step) {
  let from = "";
  let dragged = false;
  const pieceAt = (/** @type {PointerEvent} */ event) => {
    const card = /** @type {HTMLElement | null | undefined} */ (
      document.elementFromPoint(event.clientX, event.clientY)?.closest(".board-grid [data-piece]")
    );
    if (!card) return "";
    const box = card.getBoundingClientRect();
    const off = Math.max(
      Math.abs(event.clientX - box.left - box.width / 2) / box.width,
      Math.abs(event.clientY - box.top - box.height / 2) / box.height,
    );
    return off * 2 <= CORE ? (card.dataset.piece ?? "") : "";
  };
  felt.addEventListener("pointerdown", (event) => {
    dragged = false;
    const card = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest(".board-grid[data-path] [data-piece]")
    );
    from = card?.dataset.piece ?? "";
  });
  felt.addEventListener("pointermove", (event) => {
    if (!from) return;
    const piece = pieceAt(event);
    if (!piece || piece === from) return;
    if (!dragged) step(from);
    dragged = true;
    step(piece);
    from = piece;
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (from = ""));
  // Whoever has dragged did not tap.
  felt.addEventListener("click", (event) => dragged && event.stopImmediatePropagation(), true);
}
