// @ts-check
/** The state of the table in this browser. It takes messages and returns changes, without access to the page. */
import { changesOf, namesAt, namesAtScoring, withChanges } from "./occupants.js";
import { tableNews } from "./table_news.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").LogEntry} LogEntry */
/** @typedef {{view: View, hold: number, entries: number}} Reveal a step in which a move is shown: for how long, and how many log entries are shown by then */
/** @typedef {import("./types.js").OutSnapshot} OutSnapshot */
/** @typedef {import("./types.js").OutChange} OutChange */
/** @typedef {Pick<import("./types.js").OutYou, "seat" | "name" | "host" | "person" | "standing" | "by_administrator" | "reason" | "until" | "muted" | "kept" | "mutes">} You the visitor of this browser */

/**
 * What a message changed.
 * @typedef {object} Change
 * @property {boolean} [gap] something is missing: send "hello" again
 * @property {boolean} [live] a move or a deal happened just now: pieces are animated
 * @property {LogEntry[]} [news] new log entries
 * @property {LogEntry[]} [announced] what the host has changed at the table
 * @property {number} [seat] who made the move
 * @property {import("./types.js").ChatLine} [chat] a new message
 * @property {{id: number, text: string}} [refused] a refused move, and why
 */

/** @typedef {{id: number, match: number, decision: number, move: string}} Pending */

/** @param {You} message @returns {You} */
const youOf = ({ seat, name, host, person, standing, by_administrator, reason, until, muted, kept, mutes }) => ({
  seat,
  name,
  host,
  person,
  standing,
  muted,
  kept,
  mutes,
  by_administrator,
  reason,
  until,
});

/** Whether a message is a move. @param {import("./types.js").Outbound} message @returns {message is OutChange} */
export const isMove = (message) => message.t === "change";

/** The view after a move, and its reveals. @param {View} before @param {OutChange} message */
function after(before, { change, reveals: changes = [] }) {
  let view = before;
  /** @type {Reveal[]} */
  const reveals = changes.map(({ change, hold, entries }) => {
    view = applyChange(view, change);
    return { view, hold, entries };
  });
  return { view: applyChange(view, change), reveals };
}

export class Store {
  constructor() {
    /** @type {You} */
    this.you = {
      seat: null,
      name: "",
      host: false,
      person: 0,
      standing: "",
      muted: false,
      kept: false,
      mutes: [],
      by_administrator: false,
      reason: "",
      until: 0,
    };
    /** @type {import("./types.js").TableInfo | null} */
    this.table = null;
    this.match = 0;
    this.version = -1;
    /** @type {View | null} the current view; the one shown may be an earlier reveal */
    this.latest = null;
    /** @type {Reveal[]} reveals of the last move that are still to be shown */
    this.reveals = [];
    this.skipReveals = false;
    /** @type {LogEntry[][]} log entries by ply: entries[0] is the deal */
    this.entries = [];
    /** @type {import("./types.js").OccupancyInfo[]} who was in which seat of the match */
    this.occupancies = [];
    /** @type {import("./occupants.js").Change[]} log entries about that */
    this.changes = [];
    /** @type {import("./types.js").ChatLine[]} */
    this.chat = [];
    this.spectators = 0;
    /** @type {import("./types.js").PersonInfo[]} spectators by name, if the visitor is the host */
    this.people = [];
    /** @type {import("./types.js").PersonInfo[]} whom the host has removed, if the visitor is the host */
    this.barred = [];
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

  /** The view that is shown now. @returns {View | null} */
  get view() {
    return this.reveals[0]?.view ?? this.latest;
  }

  /** The log entries that may be shown by now, by ply. @returns {LogEntry[][]} */
  get log() {
    const { entries, reveals, changes } = this;
    if (!reveals.length) return withChanges(entries, changes);
    return [...withChanges(entries.slice(0, -1), changes), entries[entries.length - 1].slice(0, reveals[0].entries)];
  }

  /** Whether a reveal is shown, and the next question waits. */
  get revealing() {
    return this.reveals.length > 0;
  }

  /** Continue with the next reveal, or with the result of the move. @returns {Change} */
  goOn() {
    const from = this.reveals[0]?.entries ?? 0;
    this.reveals.shift();
    return { live: true, news: this.entries[this.entries.length - 1]?.slice(from, this.reveals[0]?.entries) ?? [] };
  }

  /** A player's name now; in a match that is over, their last one. @param {number} seat */
  name(seat) {
    const { occupancies } = this;
    return occupancies.findLast((one) => one.seat === seat)?.name || this.table?.seats[seat]?.name || `${seat + 1}`;
  }

  /** The players' names when a move was made. @param {number} ply @returns {import("./text.js").Names} */
  namesAt(ply) {
    return namesAt(this.occupancies, ply, (seat) => this.name(seat));
  }

  /** The players' names when the last round was scored. @returns {import("./text.js").Names} */
  get scoringNames() {
    return namesAtScoring(this.occupancies, this.entries, (seat) => this.name(seat));
  }

  /** Note who is in which seat of the match that is shown. @returns {LogEntry[]} the new log entries about it */
  noteOccupants() {
    const { table, changes } = this;
    if (!table || table.match !== this.match) return []; // they are those of a match that is still to come
    this.occupancies = table.occupancies;
    this.changes = changesOf(table.occupancies).map((one, place) => changes[place] ?? one);
    return this.changes.slice(changes.length).map(({ entry }) => entry);
  }

  /** Whether it is this browser's turn. In an abandoned match it is nobody's. */
  get mine() {
    const { you, view, pending, table } = this;
    return you.seat !== null && !pending && !table?.notice && !!view && (view.moves.length > 0 || !!view.paths);
  }

  /** The sentence on the table: the last move, or the last scoring. @returns {import("./types.js").Sentence | undefined} */
  lastAction() {
    const last = this.log
      .at(-1)
      ?.findLast(({ kind, only, seat }) => kind === "move" && only === undefined && seat === this.lastSeat);
    // Show why a bid won while the next ones come in: those are visible on the table anyway.
    return this.lastBy === "clock" || this.lastBy === "away" ? last?.text : (this.view?.settled ?? last?.text);
  }

  /**
   * Store a message from the server and return what has changed.
   * @param {import("./types.js").Outbound} message
   * @param {number} [clock] our clock, milliseconds since 1970
   * @returns {Change}
   */
  receive(message, clock = Date.now()) {
    switch (message.t) {
      case "welcome": {
        // Our view was sent to another seat: the visitor's identity changed while disconnected.
        const other = this.latest !== null && message.seat !== this.you.seat;
        this.you = youOf(message);
        this.table = message.table;
        this.chat = message.chat;
        this.spectators = message.spectators;
        if (!message.table.match || other) this.clearMatch();
        this.noteOccupants();
        return other && message.table.match ? { gap: true } : {};
      }
      case "you":
        this.you = youOf(message);
        return {};
      case "table": {
        const other =
          this.table &&
          (message.table.game !== this.table.game || message.table.seats.length !== this.table.seats.length);
        const news = tableNews(this.table, message.table, this.you.host);
        this.table = message.table;
        // The table has another game or other options now: the last match does not fit it.
        if (this.match && (!message.table.match || (other && message.table.match !== this.match))) this.clearMatch();
        this.deadlines = message.deadlines;
        this.offset = message.now - clock;
        return { news: this.noteOccupants(), announced: news };
      }
      case "spectators":
        this.spectators = message.spectators;
        this.people = message.people ?? [];
        this.barred = message.barred ?? [];
        return {};
      case "chat":
        if (this.chat.some((line) => line.room === message.line.room && line.n === message.line.n)) return {};
        this.chat.push(message.line);
        return { chat: message.line };
      case "snapshot":
        return this.snapshot(message, clock);
      case "change":
        return this.move(message, clock);
      case "ack":
        if (this.pending?.id === message.id)
          this.pending = this.latest && this.version >= message.version ? null : this.pending;
        return {};
      case "refused":
        if (this.pending?.id === message.id) this.pending = null;
        return { refused: { id: message.id, text: message.text } };
      default:
        return {};
    }
  }

  /** Clear the match: there is none at this table yet. */
  clearMatch() {
    this.match = 0;
    this.version = -1;
    this.latest = null;
    this.reveals = [];
    this.entries = [];
    this.occupancies = [];
    this.changes = [];
    this.deadlines = {};
    this.commitment = this.seed = "";
    this.pending = null;
    this.lastSeat = -1;
  }

  /** @param {OutSnapshot} message @param {number} clock @returns {Change} */
  snapshot(message, clock) {
    const known = this.match === message.match ? this.entries : [];
    const fresh = this.match !== message.match && message.version === 0;
    if (this.match !== message.match) this.changes = [];
    this.match = message.match;
    this.noteOccupants();
    this.commitment = message.commitment;
    this.entries = message.log;
    this.reveals = [];
    this.lastSeat = -1;
    this.lastBy = "";
    this.settle(message, message.view, clock);
    const news = message.log.flatMap((entries, ply) => entries.slice(known[ply]?.length ?? 0));
    return { live: fresh, news: fresh || known.length ? news : [] };
  }

  /** @param {OutChange} message @param {number} clock @returns {Change} */
  move(message, clock) {
    const { latest } = this;
    // A change can only be applied to the view before it.
    if (!latest || message.match !== this.match || message.version > this.version + 1) return { gap: true };
    if (message.version <= this.version) return {};
    const { view, reveals } = after(latest, message);
    const { log = [], seat } = message;
    this.entries.push(log);
    this.reveals = this.skipReveals ? [] : reveals;
    this.lastSeat = seat;
    this.lastBy = message.by;
    this.settle(message, view, clock);
    return { live: true, news: log.slice(0, this.reveals[0]?.entries), seat };
  }

  /** @param {OutSnapshot | OutChange} message @param {View} view @param {number} clock */
  settle(message, view, clock) {
    this.version = message.version;
    this.latest = view;
    this.deadlines = message.deadlines ?? {};
    this.offset = message.now - clock;
    this.seed = message.seed ?? "";
    const { pending, latest } = this;
    if (pending && (pending.match !== this.match || (latest && latest.decision !== pending.decision)))
      this.pending = null;
  }

  /** Milliseconds a seat still has, or null where no clock runs. @param {number} seat @param {number} [clock] */
  timeLeft(seat, clock = Date.now()) {
    const deadline = this.deadlines[seat];
    return deadline === undefined ? null : Math.max(0, deadline - (clock + this.offset));
  }
}

/**
 * The view after a change. Unchanged parts are the same objects as before; the old view is not modified.
 * @template T
 * @param {T} before
 * @param {any} change
 * @returns {T}
 */
export function applyChange(before, change) {
  if (!isObject(change) || Array.isArray(change) || !isObject(before)) return change;
  /** @type {any} */
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, part] of Object.entries(change)) {
    if (part === null) delete after[key];
    else after[key] = applyChange(after[key], part); // of a list, `length` makes it shorter
  }
  return after;
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === "object" && value !== null;
