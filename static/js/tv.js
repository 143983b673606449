// @ts-check
/**
 * The TV: a live table on a large screen, with what just happened and who is ahead. It changes to another table between
 * deals and matches only. After a match it shows the result, and the best moment once more.
 */
import { t } from "./i18n.js";
import { poll } from "./poll.js";
import { delayWords } from "./table/clock.js";
import { h, sync, write } from "./table/dom.js";
import { addressOf } from "./table/game_loader.js";
import { LiveTable } from "./table/live_table.js";
import { makePortrait } from "./table/seats.js";
import { bestFirst, faceOf, standing } from "./table/standings.js";
import { figure, rich, short } from "./table/text.js";
import { keepAwake } from "./table/wake_lock.js";
import { BestMoment } from "./tv/best_moment.js";

/** @typedef {import("./table/types.js").View} View */
/** @typedef {{tables: string[], nothing: string, evening: {name: string, points: number}[]}} Now the tables to show, the best first */
/** @typedef {{now: string, words: string, table: string, qr: string}} Boot */

const EVERY = 5_000; // milliseconds between two questions what to show
const RESULT = 9_000; // how long a result is shown before the best moment
const BEFORE = 2_500; // how long the table is shown as it was before the best moment
const AFTER = 6_000; // and after it
const READ = 4_000; // how long a scoring is shown at least
const QUIET = 120_000; // a table where nothing has happened for so long may be left
const POINTER = 3_000; // the pointer disappears when it has not moved for so long

class Tv {
  /** @param {HTMLElement} root @param {Boot} boot */
  constructor(root, boot) {
    this.root = root;
    this.boot = boot;
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(`.tv-${name}`));
    this.parts = {
      title: part("title"),
      phase: part("phase"),
      state: part("state"),
      delay: part("delay"),
      over: part("over"),
      nothing: part("nothing"),
      last: part("last"),
      standings: part("standings"),
      join: /** @type {HTMLAnchorElement} */ (part("join")),
      code: /** @type {HTMLImageElement} */ (root.querySelector(".tv-join img")),
      full: part("full"),
    };
    this.live = new LiveTable(/** @type {HTMLElement} */ (root.querySelector(".felt")), boot.words, {
      changed: (change) => this.changed(change),
      drawn: () => this.draw(),
      state: (state) => this.connectionChanged(state),
      reveals: true,
    });
    /** @type {Now} */
    this.now = { tables: [], nothing: "", evening: [] };
    this.gone = false; // the table is closed, or nobody may watch it
    this.moved = 0; // when something has happened last
    this.best = new BestMoment();
    /** @type {View | null} */
    this.view = null; // the last one
    this.match = 0; // whose views these are
    this.ended = 0; // the match whose end is shown
    this.scoring = ""; // the scoring that is shown
    this.scored = 0; // since when
    this.timer = 0; // of the end of a match
    this.showing = false; // the end of a match, or its best moment
  }

  async open() {
    await this.live.load();
    keepAwake();
    this.parts.full.addEventListener("click", () => this.fullScreen());
    this.parts.full.hidden = !document.fullscreenEnabled;
    addEventListener("keydown", (event) => {
      if (event.key === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) this.fullScreen();
    });
    let still = 0;
    const moved = () => {
      clearTimeout(still);
      delete this.root.dataset.still;
      still = setTimeout(() => (this.root.dataset.still = ""), POINTER);
    };
    addEventListener("pointermove", moved);
    moved(); // a screen on the wall may have no pointer
    poll(this.boot.now, EVERY, (/** @type {Now} */ now) => {
      this.now = now;
      this.choose();
    })();
    setInterval(() => this.choose(), EVERY);
  }

  fullScreen() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void document.documentElement.requestFullscreen().catch(() => {}); // a browser may refuse
  }

  // -- which table

  /** Show the best table, if the one that is shown may be left. */
  choose() {
    const { live } = this;
    const [best = ""] = this.now.tables.filter((code) => code !== live.code || !this.idle);
    if (best && best !== live.code && this.mayLeave()) {
      this.gone = false;
      this.moved = Date.now();
      live.show(best);
      this.parts.join.href = addressOf(this.boot.table, best);
      this.parts.code.src = addressOf(this.boot.qr, best);
    }
    this.drawNothing();
  }

  /** Whether nothing has happened at this table for a long time. */
  get idle() {
    return !!this.live.code && Date.now() > this.moved + QUIET;
  }

  /** Whether this table may be left now: never in the middle of a deal, unless nothing happens there. */
  mayLeave() {
    const { live } = this;
    const { table, view } = live.store;
    if (!live.code || this.gone || this.idle) return true;
    if (!table || !view || this.showing) return false;
    return table.status !== "playing" || view.over || (!!view.scoring && Date.now() > this.scored + READ);
  }

  /** @param {import("./table/socket.js").ConnectionState} state */
  connectionChanged(state) {
    this.gone = state === "closed" || state === "removed";
    write(
      this.parts.state,
      state === "open" || this.gone
        ? ""
        : state === "full" || state === "crowded"
          ? t("The site is busy. Trying again …")
          : t("No connection. Trying again …"),
    );
    this.choose();
  }

  // -- what happens

  /** @param {import("./table/store.js").Change} change */
  changed(change) {
    const { store } = this.live;
    if (change.live) this.moved = Date.now();
    if (store.match !== this.match) {
      this.match = store.match;
      this.view = null;
      this.best = new BestMoment();
      this.stopShowing();
    }
    if (!store.view) this.draw(); // nothing is drawn on the felt before a table's first match
    const before = this.view;
    const { latest } = store;
    if (!latest || latest === before) return;
    this.view = latest;
    if (before) this.best.note({ before, after: latest, news: store.entries.at(-1) ?? [] });
    const scoring = latest.scoring?.id ?? "";
    if (scoring !== this.scoring) {
      this.scoring = scoring;
      this.scored = Date.now();
    }
  }

  draw() {
    const { store, names, moment } = this.live;
    const { table, view } = store;
    if (!table) return;
    if (view?.over && this.ended !== store.match && !store.revealing) this.showEnd();
    write(this.parts.title, table.title);
    write(this.parts.delay, delayWords(table, null));
    const phase = view ? short(view.phase, names) : t("Before the match");
    write(this.parts.phase, moment ? t("The best moment of this match") : phase);
    const last = view?.over && view.result ? view.result.text : (store.lastAction() ?? this.lastPublic());
    const sentence = moment ? this.sentenceOf() : last;
    const words = sentence ? short(sentence, names) : "";
    if (this.parts.last.dataset.words !== words) {
      this.parts.last.dataset.words = words;
      this.parts.last.replaceChildren(...(sentence ? rich(sentence, names) : []));
    }
    this.drawStandings(moment ?? view);
    this.drawNothing();
  }

  /** @param {View | null} view null before a table's first match: then who sits there */
  drawStandings(view) {
    const { table } = this.live.store;
    if (!table) return;
    const known = view && standing(view);
    const taken = table.seats.filter(({ kind }) => kind !== "open");
    const order = known ? bestFirst(known) : taken.map(({ seat }) => seat);
    sync(
      this.parts.standings,
      order.slice(0, table.seats.length),
      (seat) => `${seat} ${faceKey(faceOf(table, seat))}`,
      (seat) => makeRow(faceOf(table, seat)),
      (row, seat) => {
        fillRow(row, this.live.names(seat), known?.scores[seat] ?? null, !!known?.winners.includes(seat), view);
      },
    );
  }

  /** The last sentence of the log that everybody may read: who arrives in the middle of a match reads it. */
  lastPublic() {
    const isPublic = (/** @type {import("./table/types.js").LogEntry} */ { only }) => only === undefined;
    return this.live.store.log.findLast((ply) => ply.some(isPublic))?.findLast(isPublic)?.text;
  }

  /** What the best moment was: what somebody won or lost there, or the move. */
  sentenceOf() {
    const lines = (this.best.moment?.news ?? []).filter(({ only }) => only === undefined);
    const last = (/** @type {string[]} */ ...kinds) => lines.findLast(({ kind }) => kinds.includes(kind));
    return (last("win", "loss") ?? last("move") ?? lines.at(-1))?.text;
  }

  /** Say that there is nothing to show, if that is so. */
  drawNothing() {
    const { live, now, parts } = this;
    const shown = live.code && !this.gone;
    const nothing = !shown ? now.nothing : live.store.table && !live.store.view ? this.waiting() : "";
    write(parts.nothing, nothing);
    parts.nothing.hidden = !nothing;
    parts.join.hidden = !shown;
    this.root.toggleAttribute("data-nothing", !!nothing);
  }

  /** What a table waits for before its match. */
  waiting() {
    const free = this.live.store.table?.seats.filter(({ kind }) => kind === "open").length ?? 0;
    if (!free) return t("The match begins soon.");
    return free === 1 ? t("1 seat is free.") : t("{n} seats are free.", { n: free });
  }

  // -- the end of a match

  /** Show the result, then the best moment, then the result again. */
  showEnd() {
    this.ended = this.live.store.match;
    this.showing = true;
    this.showResult();
    const { moment } = this.best;
    if (!moment) return this.later(RESULT, () => this.stopShowing(false));
    this.later(RESULT, () => {
      this.parts.over.hidden = true;
      this.live.look(moment.before);
      this.later(BEFORE, () => {
        this.live.look(moment.after, moment.news);
        this.later(AFTER, () => {
          this.live.look(null);
          this.showResult();
          this.stopShowing(false);
        });
      });
    });
  }

  /** @param {number} wait @param {() => void} then */
  later(wait, then) {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, wait);
  }

  /** The end was shown, or another match has begun. @param {boolean} [away] whether the result disappears */
  stopShowing(away = true) {
    clearTimeout(this.timer);
    this.showing = false;
    if (!away) return;
    this.live.moment = null;
    this.parts.over.hidden = true;
  }

  showResult() {
    const { store, names } = this.live;
    const { table, latest } = store;
    const result = latest?.result;
    if (!table || !result) return;
    const rows = bestFirst(result).map((seat) => {
      const row = makeRow(faceOf(table, seat));
      fillRow(row, names(seat), result.scores[seat] ?? null, result.winners.includes(seat), latest);
      return row;
    });
    this.parts.over.replaceChildren(
      h("h2", {}, ...rich(result.text, names)),
      h("ol", { class: "tv-rows", role: "list" }, ...rows),
      ...this.evening(),
    );
    this.parts.over.hidden = false;
  }

  /** The score of a circle's evening. */
  evening() {
    const { evening } = this.now;
    if (!evening.length) return [];
    const rows = evening.map(({ name, points }) =>
      h("li", {}, h("span", { class: "tv-name" }, name), h("span", { class: "tv-score" }, figure(points))),
    );
    return [h("h3", {}, t("This evening")), h("ol", { class: "tv-rows", role: "list" }, ...rows)];
  }
}

/** @param {import("./table/types.js").SeatInfo} face */
const faceKey = ({ kind, person, bot }) => `${kind} ${person} ${bot}`;

/** A player's row: portrait, name and score. @param {import("./table/types.js").SeatInfo} face */
function makeRow(face) {
  return h(
    "li",
    {},
    h("span", { class: "tv-face" }, makePortrait(face)),
    h("span", { class: "tv-name" }),
    h("span", { class: "tv-score" }),
  );
}

/** @param {HTMLElement} row @param {string} name @param {number | null} score @param {boolean} first @param {View | null} view */
function fillRow(row, name, score, first, view) {
  write(row.children[1], name);
  write(row.children[2], score === null ? "" : figure(score));
  row.toggleAttribute("data-first", first);
  row.title = first ? (view?.over ? t("won") : t("in the lead")) : "";
}

const root = document.getElementById("tv");
if (root) {
  const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
  void new Tv(root, boot).open();
}
