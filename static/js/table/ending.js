// @ts-check
/** How a match ended, beside or below its result: the last trick with its winner, and what the last move brought about. */
import { t } from "../i18n.js";
import { attr, h } from "./dom.js";
import { rich, short, spoken } from "./text.js";
import { drawWon } from "./trick.js";

/** @typedef {import("./types.js").LogEntry} LogEntry */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./text.js").Names} Names */

/** The trick that was won last: it may still lie on the table. @param {View} view */
const lastTrick = ({ zones, last_trick }) =>
  zones.find(({ layout, pieces }) => layout === "trick" && pieces.some(({ mark }) => mark === "won")) ?? last_trick;

/** Whether an entry says what the result says: the same sentence, or a winner with the score. @param {LogEntry} entry @param {View} view @param {Names} names */
function isResult({ kind, text, seat = -1 }, { result }, names) {
  if (!result) return false;
  const won = kind === "win" && result.winners.includes(seat) && text.args.score === result.scores[seat];
  return won || short(text, names) === `${short(result.text, names)}.`;
}

export class Ending {
  constructor() {
    this.title = h("h3", {}, t("The end of the match"));
    this.trick = h("ol", { class: "last-trick-cards", role: "list" });
    this.lines = h("ol", { class: "ending-lines", role: "list" });
    // It scrolls, so the keys reach it.
    this.root = h(
      "section",
      { class: "overlay ending", "aria-label": t("The end of the match"), tabindex: 0 },
      this.title,
      this.trick,
      this.lines,
    );
  }

  /** @param {View} view of a match that is over @param {readonly LogEntry[]} entries of its last move @param {Names} names of the players then */
  draw(view, entries, names) {
    const trick = lastTrick(view);
    this.trick.hidden = !trick;
    if (trick) {
      attr(this.trick, "aria-label", spoken(trick.label, names));
      drawWon(this.trick, trick, names);
    }
    const shown = entries.filter(
      (entry) => (entry.only === undefined || entry.only === view.seat) && !isResult(entry, view, names),
    );
    this.lines.replaceChildren(...shown.map(({ text, kind }) => h("li", { "data-kind": kind }, ...rich(text, names))));
    this.lines.hidden = !shown.length;
    this.root.hidden = !trick && !shown.length;
    this.root.scrollTop = 0;
  }
}
