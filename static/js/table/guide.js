// @ts-check
/** When help is wanted at the table: tips in a first match, a pointer that rests on something, a tap that does nothing. */
import { Help } from "./help.js";
import { load } from "./storage.js";
import { Store } from "./store.js";

/** @typedef {import("./help.js").Hooks} Hooks */

const DWELL = 450; // milliseconds that a mouse rests on something, or a finger
const TOLERANCE = 10; // pixels that a resting finger may move

/**
 * Where nothing is played, as in a replay, explanations work all the same.
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
    this.asked = false; // somebody who only watches wants tips, too
    /** @type {Help | null} */
    this.help = null;
    this.listen();
    room.dataset.guided = ""; // from here on all answers
  }

  /** Help, made when it is first wanted: it fetches a style sheet. */
  open() {
    this.help ??= new Help(this.room, this.hooks);
    return this.help;
  }

  /** The table has changed. */
  draw() {
    const { store } = this.hooks;
    const playing = store.table?.status === "playing" && !store.table.notice && !!store.view && !store.view.over;
    const wanted = playing && load("tips") !== "no" && (this.asked || store.you.seat !== null);
    if (this.help) this.help.draw(wanted);
    else if (wanted) this.open().draw(true);
  }

  /** All tips again, from the first one. */
  tips() {
    this.asked = true;
    this.open().again();
    this.draw();
  }

  legend() {
    return this.open().legend();
  }

  rules() {
    return this.open().rules();
  }

  /** The game has answered why something cannot be used. @param {number} id @param {import("./types.js").Text | null} text @returns {boolean} whether that was asked */
  answered(id, text) {
    return !!this.help?.answered(id, text);
  }

  /** Something was touched that answers nothing. @param {Element} at @param {import("./why_not.js").Chosen} input */
  refuse(at, input) {
    return this.open().refuse(at, input);
  }

  /** @param {Element} at @returns {Promise<boolean>} whether it means anything */
  explain(at) {
    return this.open().explain(at);
  }

  /** Close the explanation that is open. @returns {boolean} whether there was anything */
  dismiss() {
    return !!this.help?.dismiss();
  }

  /** A mouse or a finger that rests on something asks what it means; so does the focus. */
  listen() {
    const { room } = this;
    let timer = 0;
    let [x, y] = [0, 0];
    let held = false; // a finger has rested: lifting it touches nothing
    const stop = () => clearTimeout(timer);
    const wait = (/** @type {Element} */ at, /** @type {boolean} */ finger) => {
      stop();
      if (at.closest(".felt, .room-chips, .room-names"))
        timer = setTimeout(() => {
          held = finger; // until we know that there is no explanation
          void this.explain(at).then((shown) => (held &&= shown));
        }, DWELL);
    };
    room.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) wait(/** @type {Element} */ (event.target), false);
    });
    room.addEventListener("pointerdown", (event) => {
      held = false;
      stop();
      [x, y] = [event.clientX, event.clientY];
      if (event.pointerType !== "mouse") wait(/** @type {Element} */ (event.target), true);
    });
    const over = [...room.querySelectorAll(":hover")].at(-1); // the mouse may have been there before
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
    // A tap on a name that is cut off shows all of it.
    for (const names of room.querySelectorAll(".room-names"))
      names.addEventListener("click", () => void this.explain(names));
  }
}
