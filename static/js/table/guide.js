// @ts-check
/** Decides when help is shown at the table: tips in a first match, on hover or a long press, or after a tap that does nothing. */
import { Help } from "./help.js";
import { load } from "./storage.js";
import { Store } from "./store.js";

/** @typedef {import("./help.js").Hooks} Hooks */

const DWELL = 450; // milliseconds of hovering, or of a long press
const TOLERANCE = 10; // pixels that a finger may move during a long press

/**
 * On pages without a match in progress, such as replays, only explanations are shown.
 * @param {HTMLElement} room @param {string} teaching address of the explanations of the game @param {import("./text.js").Names} names
 */
export const explaining = (room, teaching, names) =>
  new Guide(room, {
    store: new Store(),
    names,
    address: () => teaching,
    announce: () => {},
    connection: () => null,
    pauses: false,
  });

export class Guide {
  /** @param {HTMLElement} room @param {Hooks} hooks */
  constructor(room, hooks) {
    this.room = room;
    this.hooks = hooks;
    this.asked = false; // whether a spectator has asked for tips
    /** @type {Help | null} */
    this.help = null;
    this.listen();
    room.dataset.guided = ""; // clicks are handled after the capture phase of others
  }

  /** The help, created when first needed, because it loads a style sheet. */
  open() {
    this.help ??= new Help(this.room, this.hooks);
    return this.help;
  }

  /** The view has changed. */
  draw() {
    const { store } = this.hooks;
    const playing = store.table?.status === "playing" && !store.table.notice && !!store.view && !store.view.over;
    const wanted = playing && load("tips") !== "no" && (this.asked || store.you.seat !== null);
    if (this.help) this.help.draw(wanted);
    else if (wanted) this.open().draw(true);
  }

  /** Show all tips again, from the first one. */
  tips() {
    this.asked = true;
    this.open().again();
    this.draw();
  }

  /** The game has answered why something cannot be used. @param {number} id @param {import("./types.js").Sentence | null} text @returns {boolean} whether that was asked */
  answered(id, text) {
    return !!this.help?.answered(id, text);
  }

  /** Close the explanation that is open. @returns {boolean} whether there was anything */
  dismiss() {
    return !!this.help?.dismiss();
  }

  /** Explain what is hovered, focused or long-pressed. */
  listen() {
    const { room } = this;
    let timer = 0;
    let [x, y] = [0, 0];
    let held = false; // this was a long press: releasing it is not a tap
    let press = 0; // its number: an explanation may arrive after the next one has begun
    const stop = () => clearTimeout(timer);
    const wait = (/** @type {Element} */ at, /** @type {boolean} */ finger) => {
      stop();
      if (at.closest(".felt, .room-chips, .room-names"))
        timer = setTimeout(() => {
          held = finger; // not if there turns out to be no explanation
          const mine = press;
          void this.open()
            .explain(at)
            .then((shown) => {
              if (!shown && mine === press) held = false;
            });
        }, DWELL);
    };
    room.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) wait(/** @type {Element} */ (event.target), false);
    });
    for (const end of ["pointercancel", "keydown"]) room.addEventListener(end, () => (held = false), true);
    room.addEventListener("pointerdown", (event) => {
      press++;
      held = false;
      stop();
      [x, y] = [event.clientX, event.clientY];
      if (event.pointerType !== "mouse") wait(/** @type {Element} */ (event.target), true);
    });
    const over = [...room.querySelectorAll(":hover")].at(-1); // the mouse may already have been there
    if (over) wait(over, false);
    for (const end of ["pointerup", "pointercancel", "pointerleave", "focusout"]) room.addEventListener(end, stop);
    room.addEventListener(
      "pointermove",
      (event) =>
        event.pointerType !== "mouse" && Math.hypot(event.clientX - x, event.clientY - y) > TOLERANCE && stop(),
    );
    room.addEventListener(
      "focusin",
      ({ target }) =>
        /** @type {Element} */ (target).matches(".felt .piece:focus-visible") &&
        wait(/** @type {Element} */ (target), false),
    );
    room.addEventListener("contextmenu", (event) => held && event.preventDefault());
    room.addEventListener(
      "click",
      (event) => {
        if (held) event.stopImmediatePropagation();
        held = false;
      },
      true,
    );
    // A tap on a truncated name shows all of it.
    for (const names of room.querySelectorAll(".room-names"))
      names.addEventListener("click", () => void this.open().explain(names));
  }
}
