// @ts-check
/** Who is ahead: the order of the players by their scores, at the end of a match and while it is played. */

/** @typedef {import("./types.js").MatchResult} MatchResult */
/** @typedef {import("./types.js").Standings} Standings */
/** @typedef {import("./types.js").View} View */

/** Whether the lowest score is the best, as far as those who are first show it. @param {number[]} scores @param {number[]} first their seats */
export const lowWins = (scores, first) => first.length > 0 && scores[first[0]] < Math.max(...scores);

/** Whether one seat did better than another: in some games lower scores are better. @param {Pick<MatchResult, "scores" | "winners">} result @param {number} one @param {number} other */
export function better({ scores, winners }, one, other) {
  return lowWins(scores, winners) ? scores[one] < scores[other] : scores[one] > scores[other];
}

/** The seats, the best first. A match of two that was not played to its end has no scores. @param {Pick<MatchResult, "scores" | "winners">} result @returns {number[]} */
export function bestFirst(result) {
  const { scores, winners } = result;
  if (!scores.length) return winners[0] === 1 ? [1, 0] : [0, 1];
  return scores.map((_, seat) => seat).sort((a, b) => (better(result, a, b) ? -1 : better(result, b, a) ? 1 : a - b));
}

/**
 * How the match stands: the result, or the standings of a match under way. Null if only the rules know.
 * @param {View} view @returns {Pick<MatchResult, "scores" | "winners"> | null}
 */
export function standing({ result, standings }) {
  return result ?? (standings ? { scores: standings.scores, winners: standings.leaders } : null);
}

/** Whose portrait stands beside a result. @param {import("./types.js").TableInfo} table @param {number} seat @returns {import("./types.js").SeatInfo} */
export function faceOf({ results, occupancies, seats }, seat) {
  const { person = 0 } = results.find((one) => one.seat === seat) ?? {};
  const last = occupancies.findLast((one) => one.seat === seat && one.person === person);
  return { ...seats[Math.min(seat, seats.length - 1)], ...last };
}
