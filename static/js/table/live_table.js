// @ts-check
/**
 * A live table that is only shown, on the front page and on the TV: its connection, its state and its felt. It does not
 * count as a spectator.
 */
import { install } from "../../art/cards.js";
import { loadTranslations, t } from "../i18n.js";
import { GameLoader } from "./game_loader.js";
import { capture, travel } from "./motion.js";
import { Felt } from "./render.js";
import { Connection } from "./socket.js";
import { Store, isMove } from "./store.js";

/** @typedef {import("./types.js").Outbound} Outbound */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./store.js").Change} Change */

const MOST_LATE = 20; // messages that wait for reveals; then the reveals are skipped

export class LiveTable {
  /**
   * @param {HTMLElement} root where the felt is drawn
   * @param {string} words the address of a game's translations, with "0" for the game
   * @param {object} hooks
   * @param {(change: Change) => void} hooks.changed after something has changed, and before it is drawn
   * @param {() => void} hooks.drawn
   * @param {(state: import("./socket.js").ConnectionState) => void} [hooks.state]
   * @param {boolean} [hooks.reveals] whether reveals are shown
   */
  constructor(root, words, hooks) {
    this.root = root;
    this.words = words;
    this.hooks = hooks;
    this.store = new Store();
    this.code = "";
    /** A view that is shown instead of the current one. @type {View | null} */
    this.moment = null;
    /** @type {Felt | null} */
    this.felt = null;
    /** @type {Connection | null} */
    this.connection = null;
    /** Messages that wait until a reveal was shown. @type {Outbound[]} */
    this.late = [];
    /** @type {import("./store.js").Reveal | undefined} */
    this.reveal = undefined;
    this.timer = 0;
    this.names = (/** @type {number} */ seat) => this.store.name(seat);
  }

  /** Load what is needed before the first table is shown. */
  async load() {
    await loadTranslations();
    install(document);
  }

  /** Show a table from now on. @param {string} code */
  show(code) {
    this.end();
    this.code = code;
    this.store = new Store();
    this.store.skipReveals = !this.hooks.reveals;
    const { store } = this;
    const receive = (/** @type {Outbound} */ message) => {
      if (this.store === store && this.connection && !loader.delays(message)) this.receive(message);
    };
    const loader = new GameLoader(this.words, "", receive);
    this.connection = new Connection(`/ws/table/${code}/?preview`, {
      have: () => ({ match: store.match, version: store.version }),
      receive,
      state: (state) => this.hooks.state?.(state),
    });
  }

  /** Disconnect. What is shown stays. */
  end() {
    this.connection?.end();
    this.connection = null;
    clearTimeout(this.timer);
    this.late = [];
    this.reveal = undefined;
    this.moment = null;
  }

  /** @param {Outbound} message */
  receive(message) {
    const { store } = this;
    if (message.t === "chat") return; // nobody reads it here
    if (store.revealing && (isMove(message) || message.t === "snapshot")) {
      this.late.push(message);
      while (this.late.length > MOST_LATE && store.revealing) this.goOn();
      return;
    }
    const { match } = store;
    const before = this.picture();
    const change = store.receive(message);
    if (change.gap) return void this.connection?.hello();
    if (match !== store.match) this.felt?.clear();
    this.changed(before, change);
  }

  /** Show the next reveal of a move, or its result. */
  goOn() {
    const before = this.picture();
    this.changed(before, this.store.goOn());
  }

  /** Where the pieces are. */
  picture() {
    return this.felt ? capture(this.root) : null;
  }

  /** @param {ReturnType<LiveTable["picture"]>} before @param {Change} change */
  changed(before, change) {
    this.hooks.changed(change);
    this.draw();
    if (change.live && before && !this.moment) this.travel(before, change.news ?? []);
    const { store } = this;
    const [reveal] = store.reveals;
    if (reveal !== this.reveal) {
      this.reveal = reveal;
      clearTimeout(this.timer);
      if (reveal) this.timer = setTimeout(() => this.goOn(), reveal.hold);
    }
    while (this.late.length && !store.revealing) this.receive(/** @type {Outbound} */ (this.late.shift()));
  }

  /** @param {NonNullable<ReturnType<LiveTable["picture"]>>} before @param {import("./types.js").LogEntry[]} news */
  travel(before, news) {
    travel(
      this.root,
      before,
      news.flatMap((line) => line.motions ?? []),
    );
  }

  /** Show a moment of the match instead of the present; null: the present again. @param {View | null} view @param {import("./types.js").LogEntry[]} [news] what has led to it, to be animated */
  look(view, news) {
    const before = this.picture();
    this.moment = view;
    this.draw();
    if (news && before) this.travel(before, news);
  }

  draw() {
    const { table } = this.store;
    const view = this.moment ?? this.store.view;
    if (!table || !view) return;
    if (!this.felt) {
      this.felt = new Felt(this.root);
      this.root.addEventListener("figures", () => this.draw());
    }
    this.felt.draw(
      {
        view,
        seats: table.seats,
        bots: Object.fromEntries(table.bots.map((bot) => [bot.name, t(bot.title)])),
        viewer: null,
        playing: table.status === "playing",
        left: () => null,
        whole: 1,
        lastSeat: this.moment ? -1 : this.store.lastSeat,
      },
      { pickable: new Set(), picked: [], targets: new Set(), aimed: null, last: new Set(), names: this.names },
    );
    this.hooks.drawn();
  }
}
