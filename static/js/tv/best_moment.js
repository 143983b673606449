// @ts-check
/** The best moment of a match: the move that changed the most in who is ahead, as far as this page has seen the match. */

import { lowWins } from "../table/standings.js";

/** @typedef {import("../table/types.js").View} View */
/** @typedef {import("../table/types.js").LogEntry} LogEntry */
/** @typedef {import("../table/types.js").Standings} Standings */
/** @typedef {{before: View, after: View, news: LogEntry[]}} Moment `news`: what happened, as in the log */

const NEW_LEADER = 2; // how much more a move counts after which somebody else is ahead

/**
 * How much a move has changed: the largest change of a player's distance from the best of the others, in points, and
 * twice that if others are ahead afterwards; 0 if it changed nothing, one plays alone, or the standings are hidden.
 * @param {Standings | undefined} before @param {Standings | undefined} after
 */
export function swing(before, after) {
  if (!before || !after || after.scores.length < 2) return 0;
  const low = lowWins(before.scores, before.leaders) || lowWins(after.scores, after.leaders);
  const most = Math.max(
    ...after.scores.map((_, seat) => Math.abs(margin(after.scores, seat, low) - margin(before.scores, seat, low))),
  );
  return most * (before.leaders.join() === after.leaders.join() ? 1 : NEW_LEADER);
}

/** A player's distance from the best of the others. @param {number[]} scores @param {number} seat @param {boolean} low whether the lowest score wins */
function margin(scores, seat, low) {
  const others = scores.filter((_, other) => other !== seat);
  return scores[seat] - (low ? Math.min(...others) : Math.max(...others));
}

/** The best moment among those that are noted. */
export class BestMoment {
  constructor() {
    /** @type {Moment | null} */
    this.moment = null;
    this.worth = 0;
  }

  /** @param {Moment} moment */
  note(moment) {
    const worth = swing(moment.before.standings, moment.after.standings);
    if (!worth || worth < this.worth) return; // of two that changed as much, the later one is better
    this.moment = moment;
    this.worth = worth;
  }
}
