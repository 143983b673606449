// @ts-check
/**
 * Several cards chosen together: they are selected one by one, then confirmed. No page, no server.
 *
 * There are two kinds. In one decision any so many of the cards may go together, as two for a crib. Or the next
 * decisions each take one of the cards, and the moves are sent one after the other, as three cards to pass.
 */
import { possible } from "./choose.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {import("./types.js").View} View */

/**
 * What may be selected: `cards` in the order in which they lie, from `least` to `most` of them. `label` is what a row of
 * decisions does, null where one decision takes all.
 * @typedef {{cards: readonly string[], least: number, most: number, label: Sentence | null}} Several
 */

/**
 * What may be confirmed: the moves to send, in their order, and what they do.
 * @typedef {{moves: LegalMove[], label: Sentence}} Confirmation
 */

const FEWEST = 3; // cards; with fewer there is nothing to select from

/** What may be selected, null if this is another kind of choice. @param {View} view @param {LegalMove[]} moves @returns {Several | null} */
export function severalOf(view, moves) {
  const used = new Set(moves.flatMap(({ pieces }) => pieces));
  const lying = view.zones.flatMap(({ pieces }) => pieces.map(({ id }) => id));
  const cards = lying.filter((id) => used.has(id));
  if (view.several) {
    const { count, label } = view.several;
    return { cards, least: count, most: count, label };
  }
  const sizes = moves.map(({ pieces }) => pieces.length).filter(Boolean);
  if (used.size < FEWEST || cards.length !== used.size || !isFree(moves, used.size)) return null;
  return { cards, least: Math.min(...sizes), most: Math.max(...sizes), label: null };
}

/** Whether so many pieces may be chosen freely: of each number of them that a move takes, any may go together. @param {LegalMove[]} moves @param {number} count */
function isFree(moves, count) {
  /** @type {Map<number, Set<string>>} */
  const bySize = new Map();
  for (const { pieces, target } of moves) {
    if (target) return false;
    const sets = bySize.get(pieces.length) ?? new Set();
    bySize.set(pieces.length, sets.add([...pieces].sort().join()));
  }
  bySize.delete(0);
  const whole = [...bySize].every(([size, sets]) => sets.size === ways(count, size));
  return whole && [...bySize.keys()].some((size) => size > 1 && size < count);
}

/** How many sets of `size` there are among `count` things. @param {number} count @param {number} size */
function ways(count, size) {
  let found = 1;
  for (let i = 1; i <= size; i++) found = (found * (count - size + i)) / i;
  return found;
}

/**
 * A card is tapped: select it, or put it back. Null if no more may be selected.
 * @param {Several} several @param {LegalMove[]} moves @param {readonly string[]} picked @param {string} card
 * @returns {readonly string[] | null}
 */
export function toggle(several, moves, picked, card) {
  if (picked.includes(card)) return picked.filter((id) => id !== card);
  const more = [...picked, card];
  if (several.label) return picked.length < several.most ? more : null;
  return possible(moves, { picked: more, aimed: null }).length ? more : null;
}

/** The selection as far as it is still possible. @param {Several} several @param {LegalMove[]} moves @param {readonly string[]} picked */
export function stillSelected(several, moves, picked) {
  const there = picked.filter((id) => several.cards.includes(id)).slice(0, several.most);
  return several.label || possible(moves, { picked: there, aimed: null }).length ? there : [];
}

/**
 * What may be confirmed now: nothing while cards are missing.
 * @param {Several} several @param {LegalMove[]} moves @param {readonly string[]} picked @returns {Confirmation[]}
 */
export function confirmations(several, moves, picked) {
  if (!picked.length) return [];
  const chosen = several.cards.filter((id) => picked.includes(id));
  const { label, most } = several;
  if (!label)
    return moves
      .filter(({ pieces }) => pieces.length === chosen.length && pieces.every((id) => chosen.includes(id)))
      .map((move) => ({ moves: [move], label: move.label }));
  if (chosen.length < most) return [];
  const found = chosen.map((id) => /** @type {LegalMove} */ (moves.find(({ pieces }) => pieces.includes(id))));
  const args = Object.fromEntries(found.map((move, place) => [`card${place + 1}`, move.label.args.card1]));
  return [{ moves: found, label: { ...label, args: { ...label.args, ...args } } }];
}

/** What is still missing, for the button that confirms. @param {Several} several @param {number} count selected so far @returns {Sentence} */
export function missing({ least, most }, count) {
  const more = least - count;
  if (more > 0 && least !== most) return { text: "Choose cards", args: {} };
  if (more === 1) return { text: "Choose one more card", args: {} };
  if (more > 0)
    return count
      ? { text: "Choose {count} more cards", args: { count: more } }
      : { text: "Choose {count} cards", args: { count: more } };
  return { text: "Choose another card", args: {} };
}
