// @ts-check
/** What this browser knows of the table. Messages go in, what changed comes out; nothing here touches the page. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").OutSnapshot} OutSnapshot */
/** @typedef {import("./types.js").OutPly} OutPly */
/** @typedef {Pick<import("./types.js").OutYou, "seat" | "name" | "host">} You who looks at this table */

/**
 * What a message changed.
 * @typedef {object} Change
 * @property {boolean} [gap] something is missing: say hello again
 * @property {boolean} [live] a move or a deal happened just now: things travel
 * @property {Line[]} [news] log lines nobody has read yet
 * @property {number} [seat] who made the move
 * @property {import("./types.js").ChatLine} [chat] somebody spoke
 * @property {{id: number, text: string}} [refused] what was sent changed nothing, and why
 */

/** @typedef {{id: number, match: number, decision: number, move: string}} Pending */

export class Store {
  constructor() {
    /** @type {You} */
    this.you = { seat: null, name: "", host: false };
    /** @type {import("./types.js").TableInfo | null} */
    this.table = null;
    this.match = 0;
    this.version = -1;
    /** @type {View | null} */
    this.view = null;
    /** @type {Line[][]} lines by ply: log[0] is the deal */
    this.log = [];
    /** @type {import("./types.js").ChatLine[]} */
    this.chat = [];
    this.watchers = 0;
    /** @type {Record<string, number>} */
    this.deadlines = {};
    this.offset = 0; // the server's clock minus ours
    this.commitment = "";
    this.seed = "";
    /** @type {Pending | null} a decision sent and not yet acknowledged */
    this.pending = null;
    this.lastSeat = -1;
    /** @type {import("./types.js").Decider | ""} */
    this.lastBy = "";
  }

  /** A player's name. @param {number} seat */
  name(seat) {
    return this.table?.seats[seat]?.name || `${seat + 1}`;
  }

  /** Whether it is this browser's turn. Where a match was given up, it is nobody's. */
  get mine() {
    const { you, view, pending, table } = this;
    return you.seat !== null && !pending && !table?.notice && !!view && (view.moves.length > 0 || !!view.paths);
  }

  /** What is to be read on the table: the last move, or how something was last settled. @returns {import("./types.js").Text | undefined} */
  told() {
    const last = this.log.at(-1)?.findLast((line) => line.kind === "move" && line.only === undefined && line.seat === this.lastSeat);
    // Why a bid won is to be read while the next ones come in: those lie on the table for all to see.
    return this.lastBy === "clock" ? last?.text : (this.view?.settled ?? last?.text);
  }

  /**
   * @param {import("./types.js").Outbound} message
   * @param {number} [clock] our clock, milliseconds since 1970
   * @returns {Change}
   */
  take(message, clock = Date.now()) {
    switch (message.t) {
      case "welcome":
        this.you = { seat: message.seat, name: message.name, host: message.host };
        this.table = message.table;
        this.chat = message.chat;
        this.watchers = message.watchers;
        if (!message.table.match) this.forget();
        return {};
      case "you":
        this.you = { seat: message.seat, name: message.name, host: message.host };
        return {};
      case "table":
        this.table = message.table;
        this.deadlines = message.deadlines;
        this.offset = message.now - clock;
        return {};
      case "crowd":
        this.watchers = message.watchers;
        return {};
      case "chat":
        if (this.chat.some((line) => line.room === message.line.room && line.n === message.line.n)) return {};
        this.chat.push(message.line);
        return { chat: message.line };
      case "snapshot":
        return this.snapshot(message, clock);
      case "ply":
        return this.ply(message, clock);
      case "ack":
        if (this.pending?.id === message.id) this.pending = this.view && this.version >= message.version ? null : this.pending;
        return {};
      case "refused":
        if (this.pending?.id === message.id) this.pending = null;
        return { refused: { id: message.id, text: message.text } };
      default:
        return {};
    }
  }

  /** There is no match at this table yet. */
  forget() {
    this.match = 0;
    this.version = -1;
    this.view = null;
    this.log = [];
    this.deadlines = {};
    this.commitment = this.seed = "";
    this.pending = null;
    this.lastSeat = -1;
  }

  /** @param {OutSnapshot} message @param {number} clock @returns {Change} */
  snapshot(message, clock) {
    const known = this.match === message.match ? this.log.length : 0;
    const fresh = this.match !== message.match && message.version === 0;
    this.match = message.match;
    this.commitment = message.commitment;
    this.log = message.log;
    this.lastSeat = -1;
    this.lastBy = "";
    this.settle(message, clock);
    return { live: fresh, news: fresh || known ? message.log.slice(known).flat() : [] };
  }

  /** @param {OutPly} message @param {number} clock @returns {Change} */
  ply(message, clock) {
    if (message.match !== this.match || message.version > this.version + 1) return { gap: true };
    if (message.version <= this.version) return {};
    this.log.push(message.log);
    this.lastSeat = message.seat;
    this.lastBy = message.by;
    this.settle(message, clock);
    return { live: true, news: message.log, seat: message.seat };
  }

  /** @param {OutSnapshot | OutPly} message @param {number} clock */
  settle(message, clock) {
    this.version = message.version;
    this.view = message.view;
    this.deadlines = message.deadlines;
    this.offset = message.now - clock;
    this.seed = message.seed;
    const { pending, view } = this;
    if (pending && (pending.match !== this.match || (view && view.decision !== pending.decision))) this.pending = null;
  }

  /** Milliseconds a seat still has, or null where no clock runs. @param {number} seat @param {number} [clock] */
  timeLeft(seat, clock = Date.now()) {
    const deadline = this.deadlines[seat];
    return deadline === undefined ? null : Math.max(0, deadline - (clock + this.offset));
  }
}
