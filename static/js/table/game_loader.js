// @ts-check
/** Holds back messages about another game until its translations and figures are loaded. */
import { loadTranslations } from "../i18n.js";
import { fetchFigures, needsFigures } from "./figures.js";

/** @typedef {import("./types.js").Outbound} Outbound */

/** The address of a page about a game or a match, with "0" in its place. @param {string} address @param {string | number | undefined} what */
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
    /** Messages received while something is fetched. @type {Outbound[] | null} */
    this.waiting = null;
    this.asked = false; // for figures, once: if that fails, drawing asks again
  }

  /** Whether a message is held back for translations or figures. Held messages are passed on later. @param {Outbound} message */
  delays(message) {
    if (!this.waiting) {
      if ((message.t === "table" || message.t === "welcome") && message.table.game !== this.game) {
        this.game = message.table.game;
        void this.wait(loadTranslations(addressOf(this.address, this.game)));
      } else if (message.t === "snapshot" && !this.asked && needsFigures(message.view)) {
        this.asked = true;
        void this.wait(fetchFigures());
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
    await coming.catch(() => {}); // without a connection, draw what can be drawn
    this.waiting = null;
    for (const one of waiting) this.receive(one);
  }
}
