// @ts-check
/** Points out, before a move is made, the other pieces that it would take along: on pressing, pointing or focusing. */

/** @typedef {import("./types.js").LegalMove} LegalMove */

/** @param {HTMLElement} room @param {() => LegalMove[]} moves the moves there are now */
export function highlightTaken(room, moves) {
  const look = (/** @type {Event} */ event) => {
    const at = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-piece], [data-move]")
    );
    const { piece = "", move: text } = at?.dataset ?? {};
    const touched = at
      ? moves().filter((move) => (text === undefined ? move.pieces.includes(piece) : move.move === text))
      : [];
    const taken = new Set(touched.flatMap((move) => move.takes ?? []));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll("[data-piece]")))
      node.toggleAttribute("data-taken", taken.has(node.dataset.piece ?? ""));
  };
  room.addEventListener("pointerover", look);
  room.addEventListener("pointerleave", look);
  room.addEventListener("focusin", look);
}
