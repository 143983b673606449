// @ts-check
/** From legal moves and taps to one move. Pure: no page, no server; the picked pieces are all the state there is. */

/** @typedef {import("./types.js").Deed} Deed */

/**
 * What a tap leads to: a move to play, or other picked pieces.
 * @typedef {{play: Deed} | {picked: string[]}} Step
 */

const holds = (/** @type {string[]} */ all, /** @type {string[]} */ some) => some.every((id) => all.includes(id));

/** Moves that are still possible with these pieces picked. @param {Deed[]} deeds @param {string[]} picked */
export function possible(deeds, picked) {
  return deeds.filter((deed) => holds(deed.pieces, picked));
}

/** Possible moves that need no further piece. @param {Deed[]} deeds @param {string[]} picked */
export function complete(deeds, picked) {
  return possible(deeds, picked).filter((deed) => deed.pieces.length === picked.length);
}

/** Pieces that may be picked from the start or in addition. @param {Deed[]} deeds @param {string[]} picked @returns {Set<string>} */
export function pickable(deeds, picked) {
  return new Set([...possible(deeds, picked), ...deeds].flatMap((deed) => deed.pieces));
}

/** Where the picked pieces may go: `seat:2`, `zone:pool`, `piece:x`. @param {Deed[]} deeds @param {string[]} picked @returns {Set<string>} */
export function targets(deeds, picked) {
  return new Set(complete(deeds, picked).flatMap((deed) => (deed.target ? [deed.target] : [])));
}

/**
 * A piece is tapped. It plays at once when just one move touches it and that move wants no target.
 * @param {Deed[]} deeds @param {string[]} picked @param {string} piece @returns {Step}
 */
export function tapPiece(deeds, picked, piece) {
  const onto = tapTarget(deeds, picked, `piece:${piece}`);
  if (onto) return onto;
  if (picked.includes(piece)) return { picked: picked.filter((id) => id !== piece) };
  const more = [...picked, piece];
  const next = possible(deeds, more).length ? more : possible(deeds, [piece]).length ? [piece] : picked;
  const left = possible(deeds, next);
  if (next !== picked && left.length === 1 && left[0].pieces.length === next.length && !left[0].target) return { play: left[0] };
  return { picked: next };
}

/**
 * A target is tapped. Null when it is none.
 * @param {Deed[]} deeds @param {string[]} picked @param {string} target @returns {Step | null}
 */
export function tapTarget(deeds, picked, target) {
  const fitting = complete(deeds, picked).filter((deed) => deed.target === target);
  return fitting.length === 1 ? { play: fitting[0] } : null;
}

/**
 * A button of the action bar: a move, or (where there are many) a piece whose moves come next.
 * @typedef {{deed: Deed} | {piece: string, deeds: Deed[]}} Button
 */

const MANY = 4;

/**
 * The buttons for the moves that are left. Up to four stand as they are; more are grouped by their first piece.
 * @param {Deed[]} deeds @param {string[]} picked @returns {Button[]}
 */
export function buttons(deeds, picked) {
  const left = possible(deeds, picked);
  if (picked.length || left.length <= MANY) return left.map((deed) => ({ deed }));
  /** @type {Map<string, Deed[]>} */
  const groups = new Map();
  /** @type {Button[]} */
  const plain = [];
  for (const deed of left) {
    if (!deed.pieces.length) plain.push({ deed });
    else groups.set(deed.pieces[0], [...(groups.get(deed.pieces[0]) ?? []), deed]);
  }
  const grouped = [...groups].map(([piece, of]) => (of.length === 1 ? { deed: of[0] } : { piece, deeds: of }));
  return [...grouped, ...plain];
}
