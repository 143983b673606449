// @ts-check
/** Holds messages about another game back until its translations are loaded, and the code for its boards. */
import { speak } from "../i18n.js";
import { fetchBoards, lacking } from "./boards.js";

/** @typedef {import("./types.js").Outbound} Outbound */

/** The address of a page about a game or a match, which stands as "0" in it. @param {string} address @param {string | number | undefined} what */
export const addressOf = (address, what) => address.replace("/0/", `/${what}/`);

export class GameLoader {
  /**
   * @param {string} address of a game's words
   * @param {string} game whose words are there, "" for none
   * @param {(message: Outbound) => void} receive called with the messages that have waited
   */
  constructor(address, game, receive) {
    this.address = address;
    this.game = game;
    this.receive = receive;
    /** What came while something is fetched. @type {Outbound[] | null} */
    this.waiting = null;
    this.asked = false; // for boards
  }

  /** Whether a message waits for what its game needs. It is asked again of what has waited. @param {Outbound} message */
  keeps(message) {
    if (!this.waiting) {
      if ((message.t === "table" || message.t === "welcome") && message.table.game !== this.game) {
        this.game = message.table.game;
        void this.wait(speak(addressOf(this.address, this.game)));
      } else if (message.t === "snapshot" && !this.asked && lacking(message.view)) {
        this.asked = true;
        void this.wait(fetchBoards());
      }
    }
    this.waiting?.push(message);
    return !!this.waiting;
  }

  /** @param {Promise<void>} coming */
  async wait(coming) {
    /** @type {Outbound[]} */
    const waiting = [];
    this.waiting = waiting;
    await coming.catch(() => {}); // cut: what can be drawn is drawn
    this.waiting = null;
    for (const one of waiting) this.receive(one);
  }
}
