// @ts-check
/** The places at the table: portrait, name, counters, marks and the seat's own zones. */
import { asset } from "../assets.js";
import { t } from "../i18n.js";
import { locale } from "../locale.js";
import { clearRing, makeRing, runRing } from "./clock.js";
import { attr, h, picture, sync, write } from "./dom.js";
import { figure, signed, spoken, suitSign } from "./text.js";
import { aim, drawZones } from "./zones.js";

/** @typedef {import("./types.js").SeatInfo} SeatInfo */
/** @typedef {import("./types.js").SeatView} SeatView */
/** @typedef {import("./types.js").Counter} Counter */

const PORTRAITS = asset("art/portraits.svg");
const FACES = 8;
const BOT_FACES = ["house", "random", "strong"];

/** The portrait of a player, the same on every page: one of eight hamsters for a person, a machine for a bot, their own for a character. @param {SeatInfo} info */
function portrait(info) {
  if (info.face) return info.face;
  if (info.kind === "bot") return `bot-${BOT_FACES.includes(info.bot) ? info.bot : "strong"}`;
  return `hamster-${info.person % FACES}`;
}

/** @param {SeatInfo} info @returns {SVGElement} */
export function makePortrait(info) {
  return picture(`${PORTRAITS}#${portrait(info)}`, "portrait", "0 0 64 64");
}

/** The portrait of a story's narrator. @returns {SVGElement} */
export const makeNarrator = () => picture(`${PORTRAITS}#spectator`, "portrait", "0 0 64 64");

/**
 * What a seat shows in addition to its view.
 * @typedef {object} SeatState
 * @property {SeatInfo} info
 * @property {string} kind the kind of bot in words, "" for people
 * @property {SeatView | undefined} view
 * @property {import("./types.js").Zone[]} zones
 * @property {number} handicap what it started with, more or less than usual
 * @property {string} noun what the handicap counts
 * @property {boolean} acting
 * @property {boolean} you
 * @property {boolean} moved it made the last move
 * @property {number | null} left milliseconds on its clock
 * @property {number} whole milliseconds of a whole decision
 * @property {boolean} playing
 * @property {Record<string, number>} most the most of each counter seen at this table, without handicaps, for the outlines of what is lost
 */

/** @param {number} seat */
export function makeSeat(seat) {
  return h(
    "section",
    { class: "seat", "data-seat": seat },
    h(
      "div",
      { class: "plate" },
      h(
        "div",
        { class: "face" },
        makeRing(),
        h("span", { class: "face-frame" }),
        h("span", { class: "lantern", "aria-hidden": "true" }),
      ),
      h(
        "div",
        { class: "plate-words" },
        h("div", { class: "plate-row" }, h("p", { class: "seat-name" }), h("ul", { class: "marks", role: "list" })),
        h("div", { class: "plate-row" }, h("p", { class: "seat-kind" }), h("ul", { class: "counters", role: "list" })),
      ),
    ),
    h("div", { class: "seat-zones" }),
  );
}

/** @param {HTMLElement} node @param {SeatState} state @param {import("./zones.js").Touch} touch */
export function updateSeat(node, state, touch) {
  const { info, view } = state;
  const [plate, zones] = /** @type {HTMLElement[]} */ ([...node.children]);
  const [face, words] = /** @type {HTMLElement[]} */ ([...plate.children]);
  const [ring, frame] = /** @type {HTMLElement[]} */ ([...face.children]);
  const [name, marks, kind, counters] = /** @type {HTMLElement[]} */ (
    [...words.children].flatMap((row) => [...row.children])
  );

  const picture = portrait(info);
  if (frame.dataset.portrait !== picture) {
    frame.dataset.portrait = picture;
    frame.replaceChildren(makePortrait(info));
  }
  write(name, info.name || t("Open seat"));
  attr(name, "title", info.name || null);
  drawKind(kind, condition(state), info.kind === "bot" && !info.face ? botStatus(state) : null);
  attr(node, "data-kind", info.kind);
  attr(node, "data-acting", state.acting);
  attr(node, "data-thinking", state.acting && (info.kind === "bot" || info.away));
  attr(node, "data-away", info.kind === "person" && (info.away || !info.here));
  attr(node, "data-state", view?.state ?? "in");
  attr(node, "data-moved", state.moved);
  attr(node, "data-you", state.you);
  attr(node, "aria-label", seatWords(state));
  if (state.acting && state.left !== null) runRing(ring, state.left, state.whole);
  else clearRing(ring);

  sync(
    counters,
    view?.counters ?? [],
    (counter) => counter.id,
    () => h("li", { class: "counter" }),
    (item, counter) => updateCounter(item, counter, state, touch),
  );
  const self = info.face ? [] : info.kind === "bot" ? ["bot"] : info.away || !info.here ? ["away"] : [];
  sync(
    marks,
    [...(state.handicap ? [HANDICAP] : []), ...(view?.marks ?? []), ...self],
    (mark) => mark,
    () => h("li", { class: "mark" }),
    (item, mark) => (mark === HANDICAP ? drawHandicap(item, state) : updateMark(item, mark)),
  );
  drawZones(zones, state.zones, touch, state.you);
  aim(node, `seat:${info.seat}`, info.name, touch);
}

/** In words, whether a player is out of the round or of the match; "" if neither. @param {SeatState} state */
const outcomeOf = ({ view, playing }) =>
  (playing && { in: "", won: "", aside: t("out of this round"), out: t("out") }[view?.state ?? "in"]) || "";

/** The status of a bot, without the word "bot". @param {SeatState} state */
const botStatus = (state) => outcomeOf(state) || (state.info.face ? t("in the story") : state.kind);

/** The last day before a time, as people write it: "3 Dec". @param {number} at in milliseconds since 1970 */
const lastDay = (at) => new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short" }).format(new Date(at - 1));

/** The line under the name. @param {SeatState} state */
function condition(state) {
  const { info, you, playing } = state;
  if (info.kind === "open") return "";
  if (info.face) return botStatus(state);
  if (info.kind === "bot") return botStatus(state) ? t("{kind} · bot", { kind: botStatus(state) }) : t("bot");
  if (outcomeOf(state)) return outcomeOf(state);
  if (info.away && playing) return t("away · bot plays");
  if (info.vacation_until > Date.now()) return t("on vacation until {day}", { day: lastDay(info.vacation_until) });
  if (!info.here) return t("not here");
  return you ? t("you") : "";
}

/** Write the line under the name; for a bot also the short form, for layouts in which a mark beside the name says "bot". @param {HTMLElement} node @param {string} words @param {string | null} marked */
function drawKind(node, words, marked) {
  const shows = `${words}|${marked}`;
  if (node.dataset.shows === shows) return;
  node.dataset.shows = shows;
  if (marked === null) write(node, words);
  else node.replaceChildren(h("span", { class: "unmarked" }, words), h("span", { class: "marked" }, marked));
}

/** A seat in words, for screen readers. @param {SeatState} state */
function seatWords(state) {
  const parts = [state.info.name || t("Open seat")];
  const line = condition(state);
  if (line) parts.push(line);
  if (state.acting) parts.push(t("to act"));
  return parts.join(", ");
}

/** @param {HTMLElement} item @param {Counter} counter @param {SeatState} state @param {import("./zones.js").Touch} touch */
function updateCounter(item, counter, state, touch) {
  const label = spoken(counter.label, touch.names);
  const most = Math.max(counter.value, (state.most[counter.id] ?? 0) + state.handicap);
  const shows = `${counter.icon}|${counter.value}|${most}|${label}`;
  if (item.dataset.shows === shows) return;
  const before = item.dataset.value;
  item.dataset.shows = shows;
  item.dataset.value = String(counter.value);
  const text = h("span", { class: "visually-hidden" }, `${label}: ${figure(counter.value)}`);
  if (counter.icon === "certificate" && most <= 4) {
    const papers = Array.from({ length: most }, (_, i) => {
      const paper = picture("#back-certificate", "certificate");
      attr(paper, "data-lost", i >= counter.value);
      return paper;
    });
    item.replaceChildren(text, ...papers);
  } else {
    const sign = counter.icon
      ? h("span", { class: "counter-icon", "data-icon": counter.icon, "aria-hidden": "true" })
      : h("span", { class: "counter-label", "aria-hidden": "true" }, label);
    item.replaceChildren(
      text,
      sign,
      h("span", { class: "counter-value", "aria-hidden": "true" }, figure(counter.value)),
    );
  }
  if (before !== undefined && before !== item.dataset.value && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    item.animate([{ transform: "scale(1.4)" }, { transform: "scale(1)" }], { duration: 500, easing: "ease-out" });
}

const HANDICAP = "handicap"; // the mark of a seat that has one

/** In words, what a seat starts with. @param {number} amount @param {string} what */
export const startsWith = (amount, what) => t("starts with {amount} ({what})", { amount: signed(amount), what });

/** @param {HTMLElement} item @param {SeatState} state */
function drawHandicap(item, { handicap, noun }) {
  const words = startsWith(handicap, noun);
  if (item.title === words) return;
  attr(item, "data-mark", HANDICAP);
  attr(item, "title", words);
  item.replaceChildren(
    h("span", { class: "visually-hidden" }, words),
    h("span", { "aria-hidden": "true" }, signed(handicap)),
  );
}

/** @param {HTMLElement} item @param {string} mark */
function updateMark(item, mark) {
  /** @type {Record<string, string>} */
  const known = {
    dealer: t("Dealer"),
    first: t("First"),
    bot: t("bot"),
    away: t("away"),
    kept: t("kept"),
    traded: t("traded"),
    passed: t("passed"),
  };
  // A suit that a player is known to have no cards of.
  const words = mark.startsWith("void-")
    ? t("no {suit}", { suit: suitSign(mark.slice("void-".length)) })
    : (known[mark] ?? t(mark)); // that of a text is in the catalogue of its game
  attr(item, "data-mark", mark);
  if (mark === "dealer") {
    if (!item.firstChild)
      item.append(h("span", { "aria-hidden": "true" }, "D"), h("span", { class: "visually-hidden" }, words));
  } else write(item, words);
}

/**
 * The positions of the other seats, clockwise from the visitor's left: some at the left, most at the top, some at the right.
 * @param {number} others @returns {("left" | "top" | "right")[]}
 */
export function places(others) {
  if (others <= 2) return Array(others).fill("top");
  return Array.from({ length: others }, (_, i) => (i === 0 ? "left" : i === others - 1 ? "right" : "top"));
}
