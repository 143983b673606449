// @ts-check
/** After the match: who won, with what score, and the standings of the series. */
import { noop, t } from "../i18n.js";
import { dayOf } from "../locale.js";
import { h } from "./dom.js";
import { Ending } from "./ending.js";
import { Opinion } from "./opinion.js";
import { tableOf } from "./scoring_panel.js";
import { resultNames, whoDecided } from "./occupants.js";
import { makePortrait, makeNarrator, startsWith } from "./seats.js";
import { bestFirst, better, faceOf } from "./standings.js";
import { figure, rich, short, signed } from "./text.js";
import { HostTools, SeatList } from "./waiting_room.js";

/** @typedef {import("./types.js").TableInfo} TableInfo */

const PLACES = [
  noop("first"),
  noop("second"),
  noop("third"),
  noop("fourth"),
  noop("fifth"),
  noop("sixth"),
  noop("seventh"),
  noop("eighth"),
];

/** What the result means for this visitor. @param {import("./types.js").MatchResult} result @param {number} seat @returns {string} */
function ownLine({ scores, winners }, seat) {
  if (winners.includes(seat)) {
    if (scores.length === 1) return t("You did it!");
    if (!scores.length) return t("You win.");
    return winners.length > 1 ? t("You share the win. Well played!") : t("You win. Well played!");
  }
  if (!scores.length) return t("Not this time. The next one may be yours.");
  const place = scores.filter((_, other) => better({ scores, winners }, other, seat)).length;
  if (scores.length === 1 || !PLACES[place] || place === 0) return t("Not this time. The next one may be yours.");
  if (place === scores.length - 1 && scores.length > 2) return t("You came last this time. The cards owe you one.");
  return t("You came {place} of {n}. The next one may be yours.", { place: t(PLACES[place]), n: scores.length });
}

/** Its first sentence, and the others, which low screens leave out. @param {string} words */
function inTwo(words) {
  const end = words.indexOf(". ") + 1;
  return end ? h("span", {}, words.slice(0, end), h("span", { class: "long" }, words.slice(end))) : words;
}

/** What the scores count: the label of the counter that shows them, if one does. @param {import("./types.js").View} view @param {number[]} scores @returns {import("./types.js").Sentence} */
function unitOf({ seats }, scores) {
  const is = (/** @type {string} */ id) =>
    seats.every(({ seat, counters }) => counters.find((one) => one.id === id)?.value === scores[seat]);
  return seats[0]?.counters.find(({ id }) => is(id))?.label ?? { text: noop("Score"), args: {} };
}

/** @param {import("./types.js").DailyInfo} daily @returns {string} */
function dailyLine({ day, counts }) {
  return counts
    ? t("That was your try at the deal of {day}.", { day: dayOf(day) })
    : t("You have already used your try at the deal of {day}: this match does not count.", { day: dayOf(day) });
}

/** @param {import("./types.js").StoryInfo} story @param {import("./text.js").Names} names @returns {string} */
function storyLine({ done, over, favourite, wins, won }, names) {
  const name = names(favourite);
  if (done) return t("You did it: {name} has won the evening.", { name });
  if (over) return t("{name} has not won the evening.", { name });
  return t("The first to win {wins} matches wins the evening. {name} has won {won}.", {
    name,
    wins,
    won: won[favourite],
  });
}

/** The lines of a story's characters after a match, and what the person may choose. @param {TableInfo} table @param {import("./types.js").StoryInfo} story @param {import("./text.js").Names} names @param {((choice: string) => void) | null} choose */
function scene(table, story, names, choose) {
  const lines = story.lines.map(({ seat, name, text }) =>
    h(
      "li",
      {},
      h("span", { class: "result-face" }, seat < 0 ? makeNarrator() : makePortrait(table.seats[seat])),
      h("div", {}, h("b", {}, seat < 0 ? name : names(seat)), h("p", {}, ...rich(text, names))),
    ),
  );
  const choices = story.choices.map(({ key, text }) =>
    h(
      "button",
      { class: "button button-small", type: "button", onclick: () => choose?.(key) },
      h("span", {}, ...rich(text, names)),
    ),
  );
  return [
    h("ul", { class: "scene", role: "list", tabindex: -1 }, ...lines),
    choose && choices.length ? h("div", { class: "button-row" }, ...choices) : "",
  ];
}

export class ResultPanel {
  /**
   * @param {HTMLElement} parent
   * @param {{change: string, opinion: (match: number) => string}} addresses of the page that changes the game, and of what a visitor thinks of a match
   * @param {import("./waiting_room.js").Press} press
   */
  constructor(parent, { change, opinion }, press) {
    /** @param {string} choice */
    this.choose = (choice) => press("choose", { choice });
    this.seats = new SeatList(press);
    this.tools = new HostTools(press, change);
    this.body = h("div", {});
    this.opinion = new Opinion(opinion);
    this.nextSeats = h(
      "details",
      { class: "fold" },
      h("summary", {}, t("Seats for the next match")),
      this.seats.root,
      this.tools.root,
    );
    const close = h(
      "button",
      { class: "close", type: "button", "aria-label": t("Close the result"), onclick: () => this.dismiss() },
      "×",
    );
    this.root = h(
      "section",
      { class: "overlay result", "aria-label": t("Result") },
      close,
      this.body,
      this.opinion.root,
      this.nextSeats,
    );
    this.ending = new Ending();
    /** The result, and how it came about beside or below it. */
    this.finale = h("div", { class: "finale", hidden: true }, this.root, this.ending.root);
    parent.append(this.finale);
    this.shown = "";
    this.match = "";
    this.dismissed = "";
  }

  /**
   * @param {import("./types.js").View | null} view @param {TableInfo | null} table @param {import("./store.js").You} you
   * @param {import("./text.js").Names} played the last names of the players in the match
   * @param {readonly import("./types.js").LogEntry[]} [last] the log of the last move
   */
  draw(view, table, you, played, last = []) {
    const result = view?.over ? view.result : undefined;
    this.match = result && table ? String(table.match) : "";
    this.finale.hidden = !this.match || this.match === this.dismissed;
    if (!view || !result || !table) return;
    const state = JSON.stringify([
      this.match,
      result.scores,
      table.seats,
      table.stacked_for,
      table.story,
      table.results,
      last,
    ]);
    if (state === this.shown) return;
    this.shown = state;
    const alone = table.seats.length === 1;
    const { results } = table;
    const names = resultNames(results, played);
    const own = results.find((one) => one.seat === view.seat);
    const order = bestFirst(result);
    const scored = result.scores.length > 0; // else a player has resigned, or was out of time
    const rows = order.map((seat) =>
      h(
        "tr",
        {
          "data-mark": result.winners.includes(seat) ? "won" : null,
          "data-own": seat === view.seat,
        },
        h(
          "th",
          { scope: "row", title: names(seat) },
          h("span", { class: "result-face" }, makePortrait(faceOf(table, seat))),
          names(seat),
          ...(seat === view.seat ? [" ", h("span", { class: "own-mark" }, t("you"))] : []),
          ...(view.handicap?.amounts[seat]
            ? [
                " ",
                h("small", { class: "handicap" }, startsWith(view.handicap.amounts[seat], t(view.handicap.noun.text))),
              ]
            : []),
        ),
        scored ? h("td", {}, figure(result.scores[seat])) : null,
        alone ? null : h("td", {}, figure(table.seats[seat]?.wins ?? 0)),
      ),
    );
    const counts = !table.practice && !table.what_if && !table.story && own?.counts;
    this.opinion.draw(table.game, table.match, !!counts);
    this.ending.draw(view, last, played);
    const focused = this.body.contains(document.activeElement);
    this.body.replaceChildren(
      h("h2", {}, ...rich(result.text, names)),
      view.seat !== null
        ? h(
            "p",
            { class: table.story || table.daily ? "story-line" : "own-line" },
            table.story
              ? storyLine(table.story, names)
              : table.daily
                ? dailyLine(table.daily)
                : own && !own.counts
                  ? t("A bot played for you in most of this match.")
                  : inTwo(ownLine(result, view.seat)),
          )
        : "",
      ...results.map((one) => whoDecided(one) && h("p", { class: "who-decided" }, whoDecided(one))),
      ...(table.story ? scene(table, table.story, names, you.host ? this.choose : null) : []),
      table.stacked_for >= 0
        ? h(
            "p",
            { class: "stacked-note" },
            t("The deck of this match was stacked for {name}.", { name: names(table.stacked_for) }),
          )
        : "",
      table.practice
        ? h("p", { class: "what-if" }, t("Practice: a move was taken back, so this result does not count."))
        : "",
      view.handicap
        ? h("p", { class: "what-if" }, t("Some started with more or less, so this match does not count on a ladder."))
        : "",
      table.what_if
        ? h("p", { class: "what-if" }, t("What if: nothing counts here. The next match starts at the same move."))
        : "",
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("Player"))),
            scored ? h("th", { scope: "col" }, ...rich(unitOf(view, result.scores), names)) : null,
            alone ? null : h("th", { scope: "col" }, t("Matches won")),
          ),
        ),
        h("tbody", {}, ...rows),
      ),
      ...lastRound(view.scoring, result.text, played, view.seat),
      roundByRound(result.rounds, order, names),
    );
    // Who has pressed a choice of a story reads, or is read, the answer. At the end of a story it is the last line.
    const answered = /** @type {HTMLElement | null} */ (focused ? this.body.querySelector(".scene") : null);
    answered?.focus();
    if (table.story?.over) answered?.lastElementChild?.scrollIntoView({ block: "nearest" });
    const open = table.seats.some((seat) => seat.kind === "open");
    this.nextSeats.hidden =
      !!table.story || table.tournament || (alone && !open) || !(you.host || you.seat !== null || open);
    if (open) this.nextSeats.open = true;
    this.seats.draw(table, you);
    this.tools.draw(table, you);
  }

  dismiss() {
    if (this.finale.hidden) return false;
    this.dismissed = this.match;
    this.finale.hidden = true;
    return true;
  }
}

/** The scoring of the last round, if it shows more than the result. @param {import("./types.js").RoundScoring | undefined} scoring @param {import("./types.js").Sentence} result @param {import("./text.js").Names} names @param {number | null} me */
function lastRound(scoring, result, names, me) {
  if (!scoring) return [];
  const verdict =
    short(scoring.verdict, names) === short(result, names)
      ? ""
      : h("p", { class: "verdict" }, ...rich(scoring.verdict, names));
  return [
    verdict,
    h(
      "details",
      { class: "fold last-round" },
      h("summary", {}, `${t("Scoring")}: `, ...rich(scoring.title, names)),
      tableOf(scoring, names, me),
    ),
  ];
}

/** The points of each player in each round. @param {import("./types.js").Round[] | undefined} rounds @param {number[]} order of seats @param {import("./text.js").Names} names */
function roundByRound(rounds, order, names) {
  if (!rounds) return "";
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("Round"))),
    ...order.map((seat) => h("th", { scope: "col", title: names(seat) }, names(seat))),
  );
  const rows = rounds
    .slice(1)
    .map(({ title, values }, i) =>
      h(
        "tr",
        {},
        h("th", { scope: "row", title: short(title, names) }, String(i + 1)),
        ...order.map((seat) => h("td", {}, signed(values[seat] - rounds[i].values[seat]))),
      ),
    );
  return h(
    "details",
    { class: "fold rounds" },
    h("summary", {}, t("Round by round")),
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)),
  );
}
