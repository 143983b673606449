// @ts-check
/** Points out, before a move is made, the other pieces that it would take along: on pressing, pointing or focusing. */

/** @typedef {import("./types.js").Deed} Deed */

/** @param {HTMLElement} room @param {() => Deed[]} deeds the moves there are now */
export function pointOut(room, deeds) {
  const look = (/** @type {Event} */ event) => {
    const at = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-piece], [data-move]"));
    const { piece = "", move } = at?.dataset ?? {};
    const touched = at ? deeds().filter((deed) => (move === undefined ? deed.pieces.includes(piece) : deed.move === move)) : [];
    const taken = new Set(touched.flatMap((deed) => deed.takes ?? []));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll("[data-piece]"))) node.toggleAttribute("data-taken", taken.has(node.dataset.piece ?? ""));
  };
  room.addEventListener("pointerover", look);
  room.addEventListener("pointerleave", look);
  room.addEventListener("focusin", look);
}
