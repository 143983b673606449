// @ts-check
/**
 * Chooses one of the legal moves by taps. No page, no server: the only state is the choice so far.
 *
 * Every tap reduces the moves: to those that contain the picked pieces, then to those with the chosen target. Moves with
 * the same pieces and target are offered as labelled buttons, so every legal move can be played.
 */

/** @typedef {import("./types.js").LegalMove} LegalMove */

/**
 * The parts of a move that are chosen: pieces, in the order in which they were picked, and their target (`seat:2`, `zone:pool`, `piece:x`).
 * @typedef {{picked: readonly string[], aimed: string | null}} Choice
 */

/**
 * The result of a tap: a decision, or another choice.
 * @typedef {{decide: LegalMove} | {choice: Choice}} Tapped
 */

/** @type {Choice} */
export const NOTHING = { picked: [], aimed: null };

const MAX_WITHOUT_GROUPS = 8; // moves that each name a player; if there are more, they are grouped by player

/**
 * If many moves without pieces each name one player ("Ask Bob for 8"), make that player their target: one chooses whom, then what.
 * @param {LegalMove[]} moves @returns {LegalMove[]}
 */
export function aimedAtPlayers(moves) {
  const player = (/** @type {LegalMove} */ { label }) => {
    const seats = Object.values(label.args).flatMap((arg) =>
      typeof arg === "object" && "seat" in arg ? [arg.seat] : [],
    );
    return seats.length === 1 ? seats[0] : null;
  };
  if (moves.filter((move) => !move.pieces.length && !move.target && player(move) !== null).length <= MAX_WITHOUT_GROUPS)
    return moves;
  return moves.map((move) => {
    const seat = move.pieces.length || move.target ? null : player(move);
    return seat === null ? move : { ...move, target: `seat:${seat}` };
  });
}

/** Whether anything is chosen. @param {Choice} choice */
export const isBegun = ({ picked, aimed }) => picked.length > 0 || aimed !== null;

const includesAll = (/** @type {readonly string[]} */ all, /** @type {readonly string[]} */ some) =>
  some.every((id) => all.includes(id));

const areSame = (/** @type {readonly string[]} */ all, /** @type {readonly string[]} */ some) =>
  all.length === some.length && includesAll(all, some);

/**
 * The pieces that a choice may mean: those picked. A target that is a piece may also be meant as one more picked piece.
 * @param {Choice} choice @returns {(readonly string[])[]}
 */
function readings({ picked, aimed }) {
  const piece = aimed?.startsWith("piece:") ? aimed.slice("piece:".length) : "";
  return piece && !picked.includes(piece) ? [[...picked, piece], picked] : [picked];
}

/** Moves that are still possible after this choice. @param {LegalMove[]} moves @param {Choice} choice */
export function possible(moves, choice) {
  const { picked, aimed } = choice;
  const [both] = readings(choice);
  if (aimed === null) return moves.filter((move) => includesAll(move.pieces, picked));
  return moves.filter(
    (move) =>
      (move.target === aimed && areSame(move.pieces, picked)) || (both !== picked && includesAll(move.pieces, both)),
  );
}

/** Pieces that may be picked from the start or in addition. @param {LegalMove[]} moves @returns {Set<string>} */
export function pickable(moves) {
  return new Set(moves.flatMap((move) => move.pieces));
}

/** The targets of the picked pieces. @param {LegalMove[]} moves @param {Choice} choice @returns {Set<string>} */
export function targets(moves, choice) {
  return new Set(
    readings(choice).flatMap((picked) =>
      moves.flatMap(({ target, pieces }) => (target && areSame(pieces, picked) ? [target] : [])),
    ),
  );
}

/** The decision if one move is left and all its parts are chosen, else the choice. @param {LegalMove[]} moves @param {Choice} choice @returns {Tapped} */
function decideOrChoose(moves, choice) {
  const left = possible(moves, choice);
  const chosen =
    left.length === 1 && left[0].pieces.length === choice.picked.length && (left[0].target ?? null) === choice.aimed;
  return chosen ? { decide: left[0] } : { choice };
}

/** Whether a move with exactly these pieces has this target. @param {LegalMove[]} moves @param {readonly string[]} picked @param {string} target */
const isMove = (moves, picked, target) => moves.some((move) => move.target === target && areSame(move.pieces, picked));

/**
 * The result of a tap on a piece: it becomes the target, is picked in addition, is removed from the choice, or begins
 * another choice. If one move is left and complete, the result is that decision.
 * @param {LegalMove[]} moves @param {Choice} choice @param {string} piece @returns {Tapped}
 */
export function tapPiece(moves, choice, piece) {
  const { picked, aimed } = choice;
  const target = `piece:${piece}`;
  if (aimed === target) return { choice: { picked, aimed: null } };
  for (const before of readings(choice)) {
    if (isMove(moves, before, target)) return decideOrChoose(moves, { picked: before, aimed: target });
    const more = { picked: [...before, piece], aimed: null };
    if (!before.includes(piece) && possible(moves, more).length) return decideOrChoose(moves, more);
  }
  if (picked.includes(piece)) return { choice: { picked: picked.filter((id) => id !== piece), aimed: null } };
  const next = { picked: [piece], aimed: null };
  return possible(moves, next).length ? decideOrChoose(moves, next) : { choice };
}

/**
 * The result of a tap on a target: it is chosen, or no longer. Null if the picked pieces cannot go there.
 * @param {LegalMove[]} moves @param {Choice} choice @param {string} target @returns {Tapped | null}
 */
export function tapTarget(moves, choice, target) {
  const { picked, aimed } = choice;
  if (aimed === target) return { choice: { picked, aimed: null } };
  const pieces = readings(choice).find((some) => isMove(moves, some, target));
  return pieces ? decideOrChoose(moves, { picked: pieces, aimed: target }) : null;
}

/** The choice before the last tap. @param {Choice} choice @returns {Choice} */
export function back({ picked, aimed }) {
  return { picked: aimed === null ? picked.slice(0, -1) : picked, aimed: null };
}

/** A choice applied to other moves: unchanged if these allow it, otherwise empty. @param {LegalMove[]} moves @param {Choice} choice @returns {Choice} */
export function stillPossible(moves, choice) {
  return possible(moves, choice).length ? choice : NOTHING;
}

/**
 * A button of the action bar: a move, or (where there are many) the choice of one more piece or of a target.
 * @typedef {{move: LegalMove} | {choice: Choice, moves: LegalMove[]}} Button
 */

const MAX_LISTED = 4; // moves

/**
 * The buttons for the moves that are left. Up to `MAX_LISTED` moves have a button each; more are grouped by the next
 * thing to choose. Each card of the hand that may be picked next has a button, in the order of the hand.
 * @param {LegalMove[]} moves @param {Choice} choice @param {readonly string[]} [hand] @returns {Button[]}
 */
export function buttons(moves, choice, hand = []) {
  const left = possible(moves, choice);
  if (choice.aimed !== null || left.length <= MAX_LISTED) return left.map((move) => ({ move }));
  /** @type {Map<string, {choice: Choice, moves: LegalMove[]}>} */
  const groups = new Map();
  /** @type {Button[]} */
  const plain = [];
  for (const move of left) {
    const ways = nextChoices(move, choice, hand);
    for (const next of ways) {
      const key = JSON.stringify(next);
      const group = groups.get(key);
      if (group) group.moves.push(move);
      else groups.set(key, { choice: next, moves: [move] });
    }
    if (!ways.length) plain.push({ move });
  }
  const [first, ...others] = groups.values();
  // All moves have this part in common, so there is nothing to ask about it.
  if (first && !others.length && !plain.length) return buttons(moves, first.choice, hand);
  const placeInHand = (/** @type {{choice: Choice}} */ { choice: { picked } }) => {
    const at = hand.indexOf(picked[picked.length - 1]);
    return at < 0 ? hand.length : at;
  };
  /** @type {Set<LegalMove>} */
  const shown = new Set();
  /** @type {Button[]} */
  const list = [];
  for (const group of [...groups.values()].sort((a, b) => placeInHand(a) - placeInHand(b))) {
    const [only, ...more] = group.moves;
    if (more.length) list.push(group);
    else if (!shown.has(only)) {
      shown.add(only);
      list.push({ move: only });
    }
  }
  return [...list, ...plain];
}

/**
 * The next parts of a move to choose: its cards of the hand, else its next piece, else its target; none if all are chosen.
 * @param {LegalMove} move @param {Choice} choice @param {readonly string[]} hand @returns {Choice[]}
 */
function nextChoices(move, { picked }, hand) {
  const pieces = move.pieces.filter((id) => !picked.includes(id));
  const held = pieces.filter((id) => hand.includes(id));
  const next = held.length ? held : pieces.slice(0, 1);
  if (next.length) return next.map((piece) => ({ picked: [...picked, piece], aimed: null }));
  return move.target ? [{ picked, aimed: move.target }] : [];
}
