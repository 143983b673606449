// @ts-check
/**
 * A card chosen ahead, while another player decides: the next move. The browser alone knows it. When it is the
 * visitor's turn it is played as if they had tapped it, or dropped if it cannot be played then.
 */
import { load } from "./storage.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").View} View */

/** The key of the setting: "on" or "off", as by default. */
export const AHEAD = "ahead";

/** The cards of the visitor's own hand that they see. @param {View} view @returns {string[]} */
const handOf = ({ seat, zones }) =>
  zones
    .filter((zone) => seat !== null && zone.seat === seat && zone.layout === "hand")
    .flatMap(({ pieces }) => pieces.filter(({ face }) => face).map(({ id }) => id));

export class Ahead {
  constructor() {
    this.card = ""; // "": none is chosen
    this.not = ""; // the decision that was on its way then: the card is for a later one
    this.match = 0; // the match in which the visitor was asked for single cards of their hand
  }

  /** Learn from a question whether this match is played with single cards. @param {number} match @param {View} view @param {LegalMove[]} moves */
  learn(match, view, moves) {
    const hand = new Set(handOf(view));
    const single = moves.filter(({ pieces, target }) => pieces.length === 1 && !target && hand.has(pieces[0]));
    if (!view.several && single.length && moves.every(({ pieces }) => pieces.length < 2)) this.match = match;
  }

  /** The cards that may be chosen ahead now. @param {number} match @param {View | null} view that asks the visitor nothing @returns {ReadonlySet<string>} */
  cards(match, view) {
    const may = load(AHEAD) === "on" && view && !view.over && match === this.match;
    return new Set(may ? handOf(view) : []);
  }

  /** Choose a card, or take that back if it was chosen. @param {string} card @param {string} not the decision that is on its way, "" if none is */
  toggle(card, not) {
    this.card = this.card === card ? "" : card;
    this.not = not;
  }

  /** Take the choice back. @returns {boolean} whether there was any */
  clear() {
    const chosen = this.card !== "";
    this.card = "";
    return chosen;
  }
}
