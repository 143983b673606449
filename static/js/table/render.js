// @ts-check
/** The felt: draws a view as seats around an oval, shared zones in the middle, and the visitor's own place at the bottom. */
import { keepPictures } from "../../art/symbols.js";
import { t } from "../i18n.js";
import { drawBoards } from "./boards/board.js";
import { OddsPanel } from "./boards/odds.js";
import { Tally } from "./boards/tally.js";
import { attr, h, sync } from "./dom.js";
import { FeltLayout } from "./felt_layout.js";
import { fetchFigures, figures, needsFigures } from "./figures.js";
import { makeSeat, places, updateSeat } from "./seats.js";
import { rich, short } from "./text.js";
import { LastTrick } from "./trick.js";
import { drawZones } from "./zones.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").SeatInfo} SeatInfo */

/**
 * Everything needed to draw the felt.
 * @typedef {object} Scene
 * @property {View} view
 * @property {SeatInfo[]} seats
 * @property {Record<string, string>} bots kinds of bots in words
 * @property {number | null} viewer the seat of this visitor, null for a spectator
 * @property {number} [home] the seat that is drawn in front, if it is not the visitor's
 * @property {boolean} playing the match is going on
 * @property {(seat: number) => number | null} left milliseconds on a seat's clock
 * @property {number} whole milliseconds of a whole decision
 * @property {number} lastSeat who made the last move, -1 for nobody
 */

export class Felt {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.left = h("div", { class: "side side-left" });
    this.top = h("div", { class: "side side-top" });
    this.right = h("div", { class: "side side-right" });
    this.shared = h("div", { class: "shared" });
    this.boards = h("div", { class: "boards" });
    this.last = h("p", { class: "last-line" });
    this.sharedArea = h("div", { class: "shared-area" }, this.shared);
    this.centre = h(
      "div",
      { class: "centre", role: "group", "aria-label": t("Middle of the table") },
      this.boards,
      this.sharedArea,
      this.last,
    );
    this.own = h("div", { class: "own" });
    /** The layer over the middle: a scoring, a result, the waiting room. */
    this.over = h("div", { class: "over" });
    this.tally = new Tally(root);
    this.odds = new OddsPanel();
    this.lastTrick = new LastTrick();
    this.sharedArea.append(this.lastTrick.root);
    this.root = root;
    root.append(
      h("div", { class: "oval", "aria-hidden": "true" }),
      h("div", { class: "opponents", role: "group", "aria-label": t("Players") }, this.left, this.top, this.right),
      this.centre,
      this.own,
      this.over,
    );
    /** @type {Record<string, number>} */
    this.most = {};
    this.layout = new FeltLayout(this);
  }

  /** @param {Scene} scene @param {import("./zones.js").Touch} touch */
  draw(scene, touch) {
    const { view, seats } = scene;
    keepPictures(view.pictures);
    const count = seats.length;
    const home = scene.home ?? scene.viewer ?? 0;
    const others = Array.from({ length: count - 1 }, (_, i) => (home + 1 + i) % count);
    const where = places(others.length);
    for (const seat of view.seats)
      for (const { id, value } of seat.counters)
        this.most[id] = Math.max(this.most[id] ?? 0, value - (view.handicap?.amounts[seat.seat] ?? 0));

    const update = (/** @type {HTMLElement} */ node, /** @type {number} */ seat) =>
      updateSeat(
        node,
        {
          info: seats[seat],
          kind: scene.bots[seats[seat].bot] ?? "",
          view: view.seats.find((one) => one.seat === seat),
          zones: view.zones.filter((zone) => zone.seat === seat),
          handicap: view.handicap?.amounts[seat] ?? 0,
          noun: view.handicap ? t(view.handicap.noun.text) : "",
          acting: scene.playing && view.to_act.includes(seat),
          you: seat === scene.viewer,
          moved: scene.lastSeat === seat,
          left: scene.left(seat),
          whole: scene.whole,
          playing: scene.playing,
          most: this.most,
        },
        touch,
      );
    const fill = (/** @type {HTMLElement} */ side, /** @type {number[]} */ seats) =>
      sync(side, seats, String, makeSeat, update);
    fill(
      this.left,
      others.filter((_, i) => where[i] === "left"),
    );
    fill(
      this.top,
      others.filter((_, i) => where[i] === "top"),
    );
    fill(
      this.right,
      others.filter((_, i) => where[i] === "right"),
    );
    fill(this.own, [home]);
    attr(this.root, "data-alone", others.length === 0);
    attr(this.root, "data-watching", scene.viewer === null);
    this.drawBoards(view, touch);
    const shared = view.zones.filter((zone) => zone.seat === undefined);
    drawZones(this.shared, shared, touch);
    this.lastTrick.draw(view, touch.names);
    this.layout.lay();
  }

  /** @param {View} view @param {import("./zones.js").Touch} touch */
  drawBoards(view, touch) {
    if (needsFigures(view)) {
      const drawAgain = () => this.root.dispatchEvent(new Event("figures"));
      return void fetchFigures().then(drawAgain, () => {}); // if the connection fails, it is tried again at the next drawing
    }
    if (!figures()) return; // a card game
    if (!this.tally.root.isConnected) {
      this.boards.after(this.tally.root);
      this.sharedArea.append(this.odds.root);
    }
    attr(this.root, "data-board", drawBoards(this.boards, view, touch));
    this.tally.draw(view, touch);
    this.odds.draw(view, touch.names);
  }

  /** Show the last action under the middle. @param {import("./types.js").Sentence | undefined} text @param {string} more how it came about @param {import("./text.js").Names} names */
  drawLastAction(text, more, names) {
    const words = text ? short(text, names) + more : "";
    if (this.last.dataset.words === words) return;
    this.last.dataset.words = words;
    this.last.replaceChildren(...(text ? [h("span", {}, ...rich(text, names), more)] : []));
  }

  /** Another match: forget the highest values of counters, and the arrangement. */
  clear() {
    this.most = {};
    this.layout.clear();
    for (const side of [this.left, this.top, this.right, this.own, this.shared, this.boards]) side.replaceChildren();
    this.last.replaceChildren();
    this.last.dataset.words = "";
  }
}
