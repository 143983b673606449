// @ts-check
/** The tips of a first match: one bubble at a time, beside its subject, and never over something that is needed to play. */
import { t } from "../i18n.js";
import { attr, h, placesOn, write } from "./dom.js";
import { load, save } from "./storage.js";
import { apart, place } from "./bubble_position.js";
import { moving, whenLanded } from "./motion.js";
import { find, there } from "./signs.js";
import { spoken } from "./text.js";

/** @typedef {{id: string, text: import("./types.js").Sentence, at: string, when?: string[]}} Tip */
/** @typedef {import("./types.js").View} View */

const OFF = "tips"; // "no": this visitor wants none
const WIDTHS = [300, 420, 232, 190]; // widths in pixels, tried in this order
const FAR = 180; // maximum length of a line in pixels; further away the ring is enough
const GOAL = "goal"; // the tip that says how the game is won
const NARROW = 736; // pixels; in a narrower room that tip lies in the controls (the question and its buttons)
const HIGH = 700; // pixels; in a lower room there is none for tips in the controls
const READ = 4000; // milliseconds after which a tip counts as read when its subject disappears
// What must not be covered.
const NEEDED =
  ".ask, .note:not(:empty), .moves > .move, .felt [data-legal], .own .zone [data-piece], .centre [data-piece], .board .space, .last-line > span, .felt .aim, .felt .seat[data-lit] .plate, .felt [data-path=on], .felt [data-path=next], .over > *, .banner, .menu[open] .menu-items, .drawer[open], .rail[data-open]";
// What is not covered if there is enough room.
const WANTED = ".plate, .tally, .odds, .room-bar button, .room-bar summary, .rail button, .rail input";
const SPARED = ".felt .zone, .panel-log";

/** Whether the visitor has turned tips off. */
export const tipsOff = () => load(OFF) === "no";

/** @param {boolean} off */
export const setTipsOff = (off) => save(OFF, off ? "no" : "yes");

/** The storage key of the tips that were read. @param {number} person @param {string} game */
const keyOf = (person, game) => `${OFF} ${person} ${game}`;

/** @param {number} person @param {string} game @returns {string[]} */
const readBy = (person, game) => (load(keyOf(person, game)) ?? "").split(" ").filter(Boolean);

/** Mark all tips of a game as unread. @param {number} person @param {string} game */
export const forgetTips = (person, game) => save(keyOf(person, game), "");

/** Whether something has not moved. @param {import("./bubble_position.js").Box} a @param {import("./bubble_position.js").Box} b */
const near = (a, b) =>
  Math.max(
    Math.abs(a.left - b.left),
    Math.abs(a.top - b.top),
    Math.abs(a.right - b.right),
    Math.abs(a.bottom - b.bottom),
  ) < 3;

/** @param {import("./bubble_position.js").Box} box @param {import("./bubble_position.js").Box} field */
const fitsIn = (box, field) =>
  box.left >= field.left && box.top >= field.top && box.right <= field.right && box.bottom <= field.bottom;

export class Tips {
  /**
   * @param {HTMLElement} room
   * @param {object} hooks
   * @param {(words: string) => void} hooks.announce
   * @param {() => void} hooks.off called when the visitor switches tips off
   * @param {number} hooks.rest milliseconds before a tip can be tapped
   */
  constructor(room, { announce, off, rest }) {
    this.room = room;
    this.announce = announce;
    this.rest = rest;
    this.words = h("p", {});
    this.ok = h("button", { class: "button button-small button-primary", type: "button" }, t("Got it"));
    const none = h("button", { class: "button button-small", type: "button", onclick: off }, t("No more tips"));
    this.bubble = h(
      "section",
      { class: "tip", role: "note", "aria-label": t("Tip") },
      this.words,
      h("div", { class: "tip-buttons" }, none, this.ok),
    );
    this.bubble.addEventListener("click", (event) => /** @type {Element} */ (event.target) !== none && this.dismiss());
    this.halo = h("div", { class: "tip-halo", "aria-hidden": "true" });
    this.line = h("div", { class: "tip-line", "aria-hidden": "true" });
    this.layer = h("div", { class: "tips", hidden: true }, this.halo, this.line, this.bubble);
    room.append(this.layer);
    /** Where a tip lies that has no place on the felt: above the question. */
    this.tipPlace = /** @type {HTMLElement} */ (room.querySelector(".tip-place"));
    /** @type {Tip[]} */
    this.all = [];
    /** @type {View | null} */
    this.view = null;
    /** @type {Tip | null} the one that is shown */
    this.tip = null;
    this.since = 0;
    this.where = "";
    this.seen = false; // the tip has been visible
    this.person = 0;
    this.frame = 0;
    /** @type {(import("./bubble_position.js").Box & {width: number, height: number, target: import("./bubble_position.js").Box}) | null} where it is */
    this.lastSpot = null;
    this.inControls = false; // it lies in the controls
    const sizes = new ResizeObserver(() => this.soon());
    for (const part of [room, ...room.querySelectorAll(".felt, .controls, .ask, .moves")]) sizes.observe(part);
    for (const sign of ["transitionend", "animationend", "toggle"])
      room.addEventListener(
        sign,
        (event) => this.layer.contains(/** @type {Node} */ (event.target)) || this.soon(),
        true,
      );
    whenLanded(() => this.soon());
  }

  /** @param {View | null} view null: none are wanted now @param {number} person @param {Tip[]} all */
  draw(view, person, all) {
    Object.assign(this, { view, person, all });
    this.choose();
    this.soon(); // after the layout of everything drawn
  }

  /** At the next frame, when the layout is final. */
  soon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.tip) this.choose();
    });
  }

  /** Show the next tip if there is room for it. */
  choose() {
    const { view } = this;
    const read = view ? readBy(this.person, view.game) : [];
    const fits = (/** @type {Tip} */ tip) =>
      !!view &&
      !read.includes(tip.id) &&
      [tip.at, ...(tip.when ?? [])].every((sign) => there(view, sign)) &&
      !!find(this.room, view, tip.at);
    if (this.tip && !fits(this.tip)) {
      // Its subject has disappeared: after READ it counts as read.
      if (this.seen && performance.now() - this.since > READ) this.markRead(this.tip);
      this.tip = null;
    }
    const next = this.tip ?? this.all.find(fits) ?? null;
    if (next !== this.tip) {
      this.tip = next;
      this.seen = false;
      this.where = "";
      this.lastSpot = null;
      this.putInControls(false);
    }
    this.show();
  }

  show() {
    const { tip, view, layer } = this;
    const at = tip && view ? find(this.room, view, tip.at) : null;
    if (!tip || !at) {
      layer.hidden = true;
      this.putInControls(false);
      return;
    }
    if (moving()) {
      // What flies has no place yet. A tip that is read stays where it is.
      if (!this.seen) layer.hidden = true;
      return;
    }
    const wasHidden = layer.hidden;
    layer.hidden = false;
    write(
      this.words,
      spoken(tip.text, () => ""),
    );
    // One that lies there is asked again: a phone that was turned may have no room for it any more.
    if (this.inControls || (tip.id === GOAL && this.room.clientWidth < NARROW)) this.putInControls(true);
    if (!this.inControls && !this.spot(at)) this.putInControls(true);
    const spot = this.inControls ? this.controlsSpot(at) : this.spot(at);
    // Without room for it, it waits.
    attr(layer, "data-waiting", !spot);
    if (!spot) return;
    const where = JSON.stringify([tip.id, spot]);
    if (where === this.where && !wasHidden) return;
    this.where = where;
    this.bubble.style.width = `${spot.width}px`;
    this.bubble.style.left = `${spot.left}px`;
    this.bubble.style.top = `${spot.top}px`;
    this.point(spot);
    if (!this.seen) {
      this.seen = true;
      this.since = performance.now();
      this.announce(spoken(tip.text, () => ""));
    }
    attr(this.bubble, "data-still", false);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => attr(this.bubble, "data-still", true), this.rest);
  }

  /** Put the tip into the controls, if they are under the felt and have room: there it covers nothing. Or take it out. @param {boolean} on */
  putInControls(on) {
    const [felt, controls] = [".felt", ".controls"].map((one) =>
      /** @type {Element} */ (this.room.querySelector(one)).getBoundingClientRect(),
    );
    this.inControls = on && controls.top > felt.bottom - 2 && this.room.clientHeight >= HIGH;
    this.tipPlace.hidden = !this.inControls;
    attr(this.bubble, "data-in-controls", this.inControls);
  }

  /** Its place in the controls. @param {HTMLElement} at */
  controlsSpot(at) {
    const { tipPlace, bubble } = this;
    bubble.style.width = `${tipPlace.clientWidth}px`;
    tipPlace.style.height = `${bubble.offsetHeight}px`;
    const box = placesOn(this.room);
    const { left, top, width, height } = box(tipPlace);
    return { left, top, width, height, target: box(at) };
  }

  /** Where the tip fits beside its subject, or null: it stays where it was if that is still free. @param {HTMLElement} at */
  spot(at) {
    const { room, bubble } = this;
    const origin = room.getBoundingClientRect();
    const box = placesOn(room);
    const seen = (/** @type {string} */ what) =>
      [.../** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(what))]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }))
        .map(box);
    const target = box(at);
    const field = {
      left: 6,
      top: 6,
      right: Math.min(origin.width, innerWidth) - 6,
      bottom: Math.min(origin.height, innerHeight - origin.top) - 6,
    };
    const [needed, wanted, spared] = [seen(NEEDED), seen(WANTED), seen(SPARED)];
    const { lastSpot } = this;
    if (
      lastSpot &&
      near(lastSpot.target, target) &&
      this.seen &&
      bubble.offsetHeight === lastSpot.height &&
      fitsIn(lastSpot, field) &&
      !needed.some((other) => apart(lastSpot, other) <= 0)
    )
      return lastSpot;
    const sizes = WIDTHS.filter((width) => width <= field.right - field.left).map((width) => {
      bubble.style.width = `${width}px`;
      return { width, height: bubble.offsetHeight };
    });
    for (const [free, other] of [
      [[...needed, ...wanted], spared],
      [needed, [...wanted, ...spared]],
    ])
      for (const size of sizes) {
        const spot = place(size, target, field, free, other);
        if (!spot) continue;
        this.lastSpot = { ...spot, ...size, right: spot.left + size.width, bottom: spot.top + size.height, target };
        return this.lastSpot;
      }
    this.lastSpot = null;
    return null;
  }

  /** A ring round what the tip is about, and a line to it. @param {{left: number, top: number, width: number, height: number, target: import("./bubble_position.js").Box}} spot */
  point({ left, top, width, height, target }) {
    const { halo, line } = this;
    halo.style.left = `${target.left - 4}px`;
    halo.style.top = `${target.top - 4}px`;
    halo.style.width = `${target.right - target.left + 8}px`;
    halo.style.height = `${target.bottom - target.top + 8}px`;
    const box = { left, top, right: left + width, bottom: top + height };
    const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
      Math.max(low, Math.min(value, high));
    const middle = { x: (target.left + target.right) / 2, y: (target.top + target.bottom) / 2 };
    const from = { x: clamp(middle.x, box.left + 14, box.right - 14), y: clamp(middle.y, box.top, box.bottom) };
    const to = {
      x: clamp(from.x, target.left - 4, target.right + 4),
      y: clamp(from.y, target.top - 4, target.bottom + 4),
    };
    line.hidden = this.inControls || apart(box, target) < 8 || apart(box, target) > FAR;
    line.style.left = `${from.x}px`;
    line.style.top = `${from.y}px`;
    line.style.width = `${Math.hypot(to.x - from.x, to.y - from.y)}px`;
    line.style.transform = `rotate(${Math.atan2(to.y - from.y, to.x - from.x)}rad)`;
  }

  /** Close the tip and mark it as read. @returns {boolean} whether there was one in sight */
  dismiss() {
    const { tip, layer } = this;
    if (!tip || layer.hidden || layer.hasAttribute("data-waiting")) return false;
    const focused = layer.contains(document.activeElement);
    this.markRead(tip);
    this.tip = null;
    this.choose();
    // Keep the focus for people who use the keyboard.
    if (focused && layer.hidden)
      /** @type {HTMLElement | null} */ (this.room.querySelector(".moves > .move:enabled, .bar-button"))?.focus();
    return true;
  }

  /** @param {Tip} tip */
  markRead(tip) {
    if (!this.view) return;
    const read = readBy(this.person, this.view.game);
    if (!read.includes(tip.id)) save(keyOf(this.person, this.view.game), [...read, tip.id].join(" "));
  }

  /** Whether there is an unread tip. */
  get unread() {
    const { view } = this;
    return !!view && this.all.some((tip) => !readBy(this.person, view.game).includes(tip.id));
  }
}
