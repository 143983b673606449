// @ts-check
/** Help at the table: tips in a first match, meanings, rules, and why something cannot be done. */
import { fetchStyle } from "../assets.js";
import { t } from "../i18n.js";
import { Drawer } from "./drawer.js";
import { Hint, showLegend } from "./meanings.js";
import { askedAt, termOf, wordsFor } from "./signs.js";
import { rich } from "./text.js";
import { Tips, forgetTips, setTipsOff } from "./tips.js";
import { reasonWhy } from "./why_not.js";

/** @typedef {import("./tips.js").Tip} Tip */
/** @typedef {{tips: Tip[], about: Record<string, import("./types.js").Sentence>}} Teaching tips and explanations of a game */

const PATIENCE = 1500; // milliseconds to wait for the game's answer
const SETTLE = 700; // milliseconds until the first tip: until then the deal is animated
const REST = 400; // milliseconds before a tip can be tapped: an earlier tap is meant for the table

/**
 * @typedef {object} Hooks
 * @property {import("./store.js").Store} store
 * @property {import("./text.js").Names} names
 * @property {(page: "rules" | "drawer" | "teaching") => string} address of a page about the game
 * @property {(words: string) => void} announce to people who cannot see it
 * @property {() => import("./socket.js").Connection | null} connection null where nothing is played
 * @property {boolean} pauses whether people are given time
 */

export class Help {
  /** @param {HTMLElement} room @param {Hooks} hooks */
  constructor(room, hooks) {
    this.room = room;
    this.hooks = hooks;
    this.style = fetchStyle("css/table/guide.css");
    this.game = "";
    /** @type {Promise<Teaching> | null} */
    this.teaching = null;
    /** @type {Tips | null} */
    this.tips = null;
    /** @type {Hint | null} */
    this.hint = null;
    /** @type {Drawer | null} */
    this.drawer = null;
    this.wanted = false;
    this.settled = false;
    this.waiting = 0;
    /** Questions that the game has not answered yet, by number. @type {Map<number, (text: import("./types.js").Sentence | null) => void>} */
    this.asked = new Map();
  }

  /** Tips and meanings of this game, fetched once; empty without a connection. @returns {Promise<Teaching>} */
  teach() {
    const game = this.hooks.store.table?.game ?? "";
    if (game !== this.game) this.teaching = null;
    this.game = game;
    this.teaching ??= fetch(this.hooks.address("teaching"))
      .then((answer) => (answer.ok ? answer.json() : { tips: [], about: {} }))
      .catch(() => {
        this.teaching = null; // it is fetched again when next needed
        return { tips: [], about: {} };
      });
    return this.teaching;
  }

  // -- tips

  /** The view has changed. @param {boolean} wanted whether this visitor is shown tips now */
  draw(wanted) {
    this.wanted = wanted;
    if (!wanted) this.tips?.draw(null, 0, []);
    else if (this.settled) void this.drawTips();
    else if (!this.waiting) {
      this.waiting = setTimeout(
        () => {
          this.settled = true;
          void this.drawTips();
        },
        this.hooks.pauses ? SETTLE : 0,
      );
      void this.teach(); // while the cards are animated
    }
  }

  async drawTips() {
    const [{ tips }] = await Promise.all([this.teach(), this.style]);
    const { announce, pauses, store } = this.hooks;
    const off = () => {
      setTipsOff(true);
      this.draw(false);
    };
    this.tips ??= new Tips(this.room, { announce, off, rest: pauses ? REST : 0 });
    this.tips.draw(this.wanted ? store.view : null, store.you.person, tips);
  }

  /** Show all tips again, from the first one. */
  again() {
    const { table, you } = this.hooks.store;
    setTipsOff(false);
    if (table) forgetTips(you.person, table.game);
  }

  /** Close the explanation that is open. @returns {boolean} whether there was anything */
  dismiss() {
    return !!this.hint?.hide() || !!this.drawer?.close() || !!this.tips?.dismiss();
  }

  // -- meanings and reasons

  /** Show the meaning of something, beside it. @param {Element} at @returns {Promise<boolean>} whether it means anything */
  async explain(at) {
    const node = askedAt(at);
    if (!node) return false;
    const { about } = await this.teach();
    const words = wordsFor(node, about, this.hooks.names);
    if (words) await this.say(node, termOf(node), words);
    return !!words;
  }

  /** Show a list of everything that has a meaning. */
  async legend() {
    const [{ about }] = await Promise.all([this.teach(), this.style]);
    showLegend(this.room, about, this.hooks.names);
  }

  /**
   * Something was tapped that cannot be used: explain why, or what it means if it is a number or a sign.
   * @param {Element} touched @param {import("./why_not.js").Chosen} chosen
   */
  async refuse(touched, chosen) {
    const at = /** @type {HTMLElement | null} */ (touched.closest("[data-piece], .board .space, .plate, .zone"));
    if (!at) return;
    const { words, game } = reasonWhy(at, this.hooks, chosen);
    if (!touched.closest(".piece") && (await this.explain(touched))) return;
    const reply = game ? await this.ask(game) : null;
    if (reply || words) await this.say(at, "", ...(reply ? rich(reply, this.hooks.names) : [words]));
  }

  /** Ask the game why something cannot be used. @param {string} touched @returns {Promise<import("./types.js").Sentence | null>} null if it gives no reason */
  ask(touched) {
    const { store } = this.hooks;
    const connection = this.hooks.connection();
    if (!connection) return Promise.resolve(null);
    const id = connection.id();
    return new Promise((done) => {
      this.asked.set(id, done);
      if (connection.send({ t: "why", id, match: store.match, touched }))
        setTimeout(() => this.answered(id, null), PATIENCE);
      else this.answered(id, null);
    });
  }

  /** @param {number} id of the question @param {import("./types.js").Sentence | null} text @returns {boolean} whether it was asked */
  answered(id, text) {
    this.asked.get(id)?.(text);
    return this.asked.delete(id);
  }

  /** @param {HTMLElement} at @param {string} term @param {(string | Node)[]} words */
  async say(at, term, ...words) {
    await this.style;
    this.hint ??= new Hint(this.room);
    this.hint.show(at, term, ...words);
  }

  // -- rules

  async rules() {
    await Promise.all([this.style, fetchStyle("css/rule_pieces.css")]);
    this.drawer ??= new Drawer(this.room, t("Rules of the game"));
    const { address, names } = this.hooks;
    await this.drawer.toggle(address("drawer"), address("rules"), names);
  }
}
