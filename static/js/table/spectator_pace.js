// @ts-check
/**
 * The pace of a spectator: moves may be shown one after the other with pauses, later than they were made. A spectator
 * who falls behind sees the missing moves quickly. Players see everything at once.
 */
import { load, save } from "./storage.js";
import { isMove } from "./store.js";

/** @typedef {import("./types.js").Outbound} Outbound */

const KEY = "pace";
const MOST = 400; // the maximum number of messages that wait; a spectator further behind skips to the present
const AGAIN = 200; // milliseconds between two checks whether a reveal is over

/** The least time between two moves, in milliseconds. @type {Record<string, number>} */
const PACES = { played: 0, faster: 400, slower: 2500, slowest: 5000 };

export class SpectatorPace {
  /**
   * @param {object} hooks
   * @param {() => boolean} hooks.watching
   * @param {() => boolean} hooks.looking whether a moment is looked at
   * @param {(message: Outbound) => void} hooks.show
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.pace = PACES[load(KEY) ?? ""] === undefined ? "played" : /** @type {string} */ (load(KEY));
    /** @type {Outbound[]} */
    this.waiting = [];
    this.shown = 0; // the time of the last move that was shown
    this.timer = 0;
  }

  /** How many moves are still to be shown. */
  get behind() {
    return this.waiting.filter(isMove).length;
  }

  /** @param {string} pace */
  choose(pace) {
    this.pace = pace;
    save(KEY, pace);
    if (pace === "played") this.catchUp();
    else if (this.timer) {
      clearTimeout(this.timer);
      this.later(); // waiting messages are shown at this pace
    }
  }

  /** Whether a message is kept for later. @param {Outbound} message */
  delays(message) {
    if (message.t === "welcome") this.clear(); // missing messages are sent again, or a snapshot
    if (!isMove(message) && message.t !== "snapshot" && message.t !== "table") return false;
    const wait = this.hooks.watching() ? PACES[this.pace] : 0;
    if (!wait) {
      this.catchUp();
      return false;
    }
    const early = isMove(message) && this.shown + wait > Date.now();
    if (!this.waiting.length && !early) {
      if (isMove(message)) this.shown = Date.now();
      return false;
    }
    this.waiting.push(message);
    if (this.waiting.length > MOST) this.catchUp();
    else if (!this.timer) this.later();
    return true;
  }

  later() {
    const [next] = this.waiting;
    const due = next && isMove(next) ? Math.max(0, this.shown + PACES[this.pace] - Date.now()) : 0;
    this.timer = next ? setTimeout(() => this.next(), due) : 0;
  }

  next() {
    if (this.hooks.looking()) {
      this.timer = setTimeout(() => this.next(), AGAIN);
      return;
    }
    const message = this.waiting.shift();
    if (message && isMove(message)) this.shown = Date.now();
    if (message) this.hooks.show(message);
    this.later();
  }

  /** Show all waiting messages. */
  catchUp() {
    clearTimeout(this.timer);
    this.timer = 0;
    for (const message of this.waiting.splice(0)) this.hooks.show(message);
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.waiting = [];
  }
}
