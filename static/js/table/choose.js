// @ts-check
/**
 * From legal moves and taps to one move. Pure: no page, no server; what has been chosen so far is all the state there is.
 *
 * Every tap narrows: to the moves that touch the pieces picked, then to those that go where one aims. What pieces and
 * target do not tell apart is asked as labelled buttons, so every set of legal moves can be played to the last one.
 */

/** @typedef {import("./types.js").LegalMove} LegalMove */

/**
 * What is chosen of a move: pieces, in the order they were picked, and where they go (`seat:2`, `zone:pool`, `piece:x`).
 * @typedef {{picked: readonly string[], aimed: string | null}} Choice
 */

/**
 * What a tap leads to: a decision, or another choice.
 * @typedef {{decide: LegalMove} | {choice: Choice}} Tapped
 */

/** @type {Choice} */
export const NOTHING = { picked: [], aimed: null };

const PLAIN = 8; // at most so many moves that touch nothing are shown side by side

/**
 * Many moves that touch nothing and each name one player ("Ask Bob for 8") are aimed at that player: whom first, then what.
 * @param {LegalMove[]} moves @returns {LegalMove[]}
 */
export function aimedAtPlayers(moves) {
  const player = (/** @type {LegalMove} */ { label }) => {
    const seats = Object.values(label.args).flatMap((arg) =>
      typeof arg === "object" && "seat" in arg ? [arg.seat] : [],
    );
    return seats.length === 1 ? seats[0] : null;
  };
  if (moves.filter((move) => !move.pieces.length && !move.target && player(move) !== null).length <= PLAIN)
    return moves;
  return moves.map((move) => {
    const seat = move.pieces.length || move.target ? null : player(move);
    return seat === null ? move : { ...move, target: `seat:${seat}` };
  });
}

/** Whether anything is chosen. @param {Choice} choice */
export const begun = ({ picked, aimed }) => picked.length > 0 || aimed !== null;

const holds = (/** @type {readonly string[]} */ all, /** @type {readonly string[]} */ some) =>
  some.every((id) => all.includes(id));

const same = (/** @type {readonly string[]} */ all, /** @type {readonly string[]} */ some) =>
  all.length === some.length && holds(all, some);

/**
 * The pieces that may be meant by a choice: those picked, and where one aims at a piece that one as well.
 * @param {Choice} choice @returns {(readonly string[])[]}
 */
function meant({ picked, aimed }) {
  const piece = aimed?.startsWith("piece:") ? aimed.slice("piece:".length) : "";
  return piece && !picked.includes(piece) ? [[...picked, piece], picked] : [picked];
}

/** Moves that are still possible after this choice. @param {LegalMove[]} moves @param {Choice} choice */
export function possible(moves, choice) {
  const { picked, aimed } = choice;
  const [both] = meant(choice);
  if (aimed === null) return moves.filter((move) => holds(move.pieces, picked));
  return moves.filter(
    (move) => (move.target === aimed && same(move.pieces, picked)) || (both !== picked && holds(move.pieces, both)),
  );
}

/** Pieces that may be picked from the start or in addition. @param {LegalMove[]} moves @returns {Set<string>} */
export function pickable(moves) {
  return new Set(moves.flatMap((move) => move.pieces));
}

/** Where the picked pieces may go. @param {LegalMove[]} moves @param {Choice} choice @returns {Set<string>} */
export function targets(moves, choice) {
  return new Set(
    meant(choice).flatMap((picked) =>
      moves.flatMap(({ target, pieces }) => (target && same(pieces, picked) ? [target] : [])),
    ),
  );
}

/** Decide when one move is left and all of it is chosen. @param {LegalMove[]} moves @param {Choice} choice @returns {Tapped} */
function settle(moves, choice) {
  const left = possible(moves, choice);
  const chosen =
    left.length === 1 && left[0].pieces.length === choice.picked.length && (left[0].target ?? null) === choice.aimed;
  return chosen ? { decide: left[0] } : { choice };
}

/** Whether something may be put there with just these pieces. @param {LegalMove[]} moves @param {readonly string[]} picked @param {string} target */
const isMove = (moves, picked, target) => moves.some((move) => move.target === target && same(move.pieces, picked));

/**
 * A piece is tapped: something may go there, it is picked in addition, let go again, or the first of another choice.
 * It plays at once when just one move is left and that move wants no more.
 * @param {LegalMove[]} moves @param {Choice} choice @param {string} piece @returns {Tapped}
 */
export function tapPiece(moves, choice, piece) {
  const { picked, aimed } = choice;
  const target = `piece:${piece}`;
  if (aimed === target) return { choice: { picked, aimed: null } };
  for (const before of meant(choice)) {
    if (isMove(moves, before, target)) return settle(moves, { picked: before, aimed: target });
    const more = { picked: [...before, piece], aimed: null };
    if (!before.includes(piece) && possible(moves, more).length) return settle(moves, more);
  }
  if (picked.includes(piece)) return { choice: { picked: picked.filter((id) => id !== piece), aimed: null } };
  const anew = { picked: [piece], aimed: null };
  return possible(moves, anew).length ? settle(moves, anew) : { choice };
}

/**
 * A target is tapped: choose it, or undo that. Null if nothing that is picked can go there.
 * @param {LegalMove[]} moves @param {Choice} choice @param {string} target @returns {Tapped | null}
 */
export function tapTarget(moves, choice, target) {
  const { picked, aimed } = choice;
  if (aimed === target) return { choice: { picked, aimed: null } };
  const pieces = meant(choice).find((some) => isMove(moves, some, target));
  return pieces ? settle(moves, { picked: pieces, aimed: target }) : null;
}

/** The choice before the last tap. @param {Choice} choice @returns {Choice} */
export function back({ picked, aimed }) {
  return { picked: aimed === null ? picked.slice(0, -1) : picked, aimed: null };
}

/** A choice carried over to other moves: all of it if these allow it, otherwise nothing. @param {LegalMove[]} moves @param {Choice} choice @returns {Choice} */
export function stillPossible(moves, choice) {
  return possible(moves, choice).length ? choice : NOTHING;
}

/**
 * A button of the action bar: a move, or (where there are many) the choice of one more piece or of a target.
 * @typedef {{move: LegalMove} | {choice: Choice, moves: LegalMove[]}} Button
 */

const MANY = 4;

/**
 * The buttons for the moves that are left. Up to four are listed; more are grouped by the next thing to choose.
 * @param {LegalMove[]} moves @param {Choice} choice @returns {Button[]}
 */
export function buttons(moves, choice) {
  const left = possible(moves, choice);
  if (choice.aimed !== null || left.length <= MANY) return left.map((move) => ({ move }));
  /** @type {Map<string, {choice: Choice, moves: LegalMove[]}>} */
  const groups = new Map();
  /** @type {Button[]} */
  const plain = [];
  for (const move of left) {
    const next = towards(move, choice);
    const key = JSON.stringify(next);
    const group = groups.get(key);
    if (group) group.moves.push(move);
    else if (next) groups.set(key, { choice: next, moves: [move] });
    else plain.push({ move });
  }
  const [first, ...others] = groups.values();
  // All moves have that in common: ask for what comes after it.
  if (first && !others.length && !plain.length) return buttons(moves, first.choice);
  return [
    ...[...groups.values()].map((group) => (group.moves.length === 1 ? { move: group.moves[0] } : group)),
    ...plain,
  ];
}

/** One thing more that a move wants chosen: a piece, else its target; null when it has all. @param {LegalMove} move @param {Choice} choice @returns {Choice | null} */
function towards(move, { picked }) {
  const piece = move.pieces.find((id) => !picked.includes(id));
  if (piece !== undefined) return { picked: [...picked, piece], aimed: null };
  return move.target ? { picked, aimed: move.target } : null;
}
