// @ts-check
/** The table as it will look: a match of random moves, at any place of it, from any seat. */
import { t } from "../i18n.js";
import { attr, h, write } from "../table/dom.js";
import { PLAIN_SEAT } from "../table/occupants.js";
import { Felt } from "../table/render.js";
import { rich, short } from "../table/text.js";
import { RequestQueue } from "./requests.js";

/** @typedef {import("../table/types.js").View} View */
/** @typedef {{seats: number, min: number, max: number, seat: number | null, ply: number, mover: number, length: number, ended: "over" | "cut" | "broken", failure: string, view: View | null, lines: import("../table/types.js").LogEntry[], asked: {seat: number, count: number, labels: import("../table/types.js").Sentence[]} | null, sees: import("./visibility.js").Row[]}} Look */

const SPECTATOR = -1;
const OPEN = -2; // all hands open
const LABELS = 4;
const KEPT = 300; // looks of one text

const name = (/** @type {number} */ seat) => t("Player {n}", { n: seat + 1 });

/** A note above what is shown of the last text without errors. */
export const beforeErrors = () =>
  h("p", { class: "before-errors" }, t("The text has errors. This is how it was before them."));

export class TablePanel {
  /** @param {string} url @param {(look: Look) => void} seen @param {number} at the move after which it is shown first */
  constructor(url, seen, at = 0) {
    this.seen = seen;
    this.source = this.table = "";
    this.seat = 0;
    this.seats = 0;
    this.seed = "1";
    this.ply = at;
    /** @type {Map<string, Look>} */
    this.kept = new Map();
    this.requests = new RequestQueue(url, (answer, asked) => this.receive(answer, asked));
    this.shown = "";

    this.seatPicker = h("select", {
      class: "field-input",
      "aria-label": t("Seen by"),
      onchange: () => void this.from(Number(this.seatPicker.value)),
    });
    this.seatsPicker = h("select", {
      class: "field-input",
      "aria-label": t("Players"),
      onchange: () => void this.with(Number(this.seatsPicker.value)),
    });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": t("Moves made"),
      oninput: () => void this.go(Number(this.slider.value)),
    });
    this.count = h("output", { class: "look-count" });
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      h(
        "button",
        { class: "button button-small", type: "button", "aria-label": label, title: label, onclick: run },
        sign,
      );
    this.caption = h("p", { class: "look-caption", "aria-live": "polite" });
    this.asked = h("p", { class: "look-asked" });
    this.feltRoot = h("div", { class: "felt" });
    this.empty = h("p", { class: "look-empty" }, t("The table appears as soon as the text has no errors."));
    this.root = h(
      "div",
      { class: "look" },
      h(
        "div",
        { class: "look-controls" },
        h("label", {}, h("span", {}, t("Seen by")), this.seatPicker),
        h("label", { class: "look-seats" }, h("span", {}, t("Players")), this.seatsPicker),
        h("button", { class: "button button-small", type: "button", onclick: () => this.deal() }, t("Another deal")),
      ),
      h("div", { class: "look-table" }, this.feltRoot, this.empty),
      h(
        "div",
        { class: "look-steps" },
        button("◀", t("One move back"), () => this.go(this.ply - 1)),
        button("▶", t("One move forward"), () => this.go(this.ply + 1)),
        this.slider,
        this.count,
      ),
      h("div", { class: "look-words" }, this.caption, this.asked, beforeErrors()),
    );
    this.feltRoot.hidden = true;
    attr(this.root, "data-empty", true);
    this.felt = new Felt(this.feltRoot);
    this.feltRoot.addEventListener("figures", () => this.redraw());
  }

  /** Another text: the same place of another match. @param {string} source @param {string} table */
  open(source, table) {
    this.source = source;
    this.table = table;
    this.kept.clear();
    this.look();
  }

  /** @param {number} ply */
  go(ply) {
    this.ply = Math.max(0, Math.min(ply, Number(this.slider.max)));
    this.look();
  }

  /** See it from another seat. @param {number} seat */
  from(seat) {
    this.seat = seat;
    this.look();
  }

  /** Let more or fewer play: that is another match. @param {number} seats */
  with(seats) {
    this.seats = seats;
    this.ply = 0;
    this.look();
  }

  deal() {
    this.seed = String(Math.floor(Math.random() * 1e9));
    this.look();
  }

  key() {
    return JSON.stringify([this.seats, this.seat, this.seed, this.ply]);
  }

  look() {
    if (!this.source) return;
    const there = this.kept.get(this.key());
    if (there) return this.draw(there);
    this.requests.ask({
      source: this.source,
      table: this.table,
      seats: this.seats,
      seat: this.seat === OPEN ? SPECTATOR : this.seat,
      plies: this.ply,
      seed: this.seed,
      face_up: this.seat === OPEN,
      key: this.key(),
    });
  }

  /** @param {import("./requests.js").Answer} answer @param {any} asked */
  receive(answer, asked) {
    if (asked.source !== this.source || asked.table !== this.table) return;
    if (!answer.ok) return write(this.caption, answer.text ?? "");
    const look = /** @type {Look} */ (/** @type {unknown} */ (answer));
    if (this.kept.size > KEPT) this.kept.clear();
    this.kept.set(asked.key, look);
    if (asked.key === this.key()) this.draw(look);
  }

  redraw() {
    if (this.last) this.draw(this.last);
  }

  /** @param {Look} look */
  draw(look) {
    this.last = look;
    attr(this.root, "data-empty", null);
    this.seats = look.seats;
    this.ply = look.ply;
    if (this.seat >= look.seats) this.seat = 0;
    this.kept.set(this.key(), look);
    this.drawPickers(look);
    this.slider.max = String(look.length);
    this.slider.value = String(look.ply);
    write(this.count, `${look.ply} / ${look.length}${look.ended === "cut" ? "+" : ""}`);
    attr(this.slider, "aria-valuetext", t("{n} of {all} moves", { n: look.ply, all: look.length }));
    this.empty.hidden = look.view !== null;
    this.feltRoot.hidden = look.view === null;
    if (look.view) this.drawFelt(look, look.view);
    else write(this.empty, look.failure || t("The cards cannot be dealt. Check the setup of the game."));
    this.drawWords(look);
    this.seen(look);
  }

  /** @param {Look} look @param {View} view */
  drawFelt(look, view) {
    const what = JSON.stringify([this.source, this.table, look.seats, this.seat]);
    if (what !== this.shown) {
      // What a place holds at most is remembered by the felt: of another text nothing is.
      this.shown = what;
      const fresh = h("div", { class: "felt" });
      this.feltRoot.replaceWith(fresh);
      this.feltRoot = fresh;
      this.felt = new Felt(fresh);
      fresh.addEventListener("figures", () => this.redraw());
    }
    const seats = Array.from({ length: look.seats }, (_, seat) => ({
      seat,
      name: name(seat),
      kind: /** @type {"person"} */ ("person"),
      bot: "",
      person: seat + 1,
      ...PLAIN_SEAT,
    }));
    this.felt.draw(
      { view, seats, bots: {}, viewer: look.seat, playing: true, left: () => null, whole: 1, lastSeat: look.mover },
      { pickable: new Set(), picked: [], targets: new Set(), aimed: null, last: new Set(), names: name },
    );
  }

  /** @param {Look} look */
  drawPickers(look) {
    const seats = Array.from({ length: look.seats }, (_, seat) => /** @type {[number, string]} */ ([seat, name(seat)]));
    options(this.seatPicker, [...seats, [SPECTATOR, t("A spectator")], [OPEN, t("You, all hands open")]], this.seat);
    const counts = Array.from(
      { length: look.max - look.min + 1 },
      (_, more) => /** @type {[number, string]} */ ([look.min + more, String(look.min + more)]),
    );
    options(this.seatsPicker, counts, look.seats);
    this.seatsPicker.disabled = counts.length < 2;
  }

  /** @param {Look} look */
  drawWords(look) {
    const line = look.lines.find((one) => one.kind === "move") ?? look.lines.at(-1);
    const broken = look.ended === "broken" && look.ply === look.length;
    attr(this.root, "data-broken", broken);
    if (broken) write(this.caption, t("The match stops here. {why}", { why: look.failure }));
    else if (look.view?.over && look.view.result) this.caption.replaceChildren(...rich(look.view.result.text, name));
    else if (line) this.caption.replaceChildren(...rich(line.text, name));
    else write(this.caption, look.ply ? "" : t("The deal"));
    const { asked } = look;
    let words = "";
    if (asked) {
      const some = asked.labels.slice(0, LABELS).map((label) => short(label, name));
      const args = { who: name(asked.seat), some: some.join(", "), n: asked.count };
      words =
        asked.count > some.length ? t("{who} can: {some} … {n} options in all.", args) : t("{who} can: {some}.", args);
    } else if (look.ended === "cut" && look.ply === look.length)
      words = t("The match continues; it is analysed up to here.");
    write(this.asked, words);
  }
}

/** @param {HTMLSelectElement} select @param {[number, string][]} wanted @param {number} chosen */
function options(select, wanted, chosen) {
  const key = JSON.stringify(wanted);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...wanted.map(([value, label]) => h("option", { value }, label)));
  }
  select.value = String(chosen);
}
