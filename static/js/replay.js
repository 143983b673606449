// @ts-check
/** The replay of a match: the felt of the table, with a slider in place of the buttons. */
import { install } from "../art/cards.js";
import { copy } from "./copy.js";
import { loadTranslations, t } from "./i18n.js";
import { LeadPanel } from "./replay/lead.js";
import { Address } from "./replay/address.js";
import { shareOrSave, pictureOf } from "./replay/picture.js";
import { askToPlayOn } from "./replay/play_on.js";
import { Speed } from "./replay/speed.js";
import { attr, h, write } from "./table/dom.js";
import { fetchFigures, needsFigures } from "./table/figures.js";
import { explaining } from "./table/guide.js";
import { Log } from "./table/log.js";
import { capture, travel } from "./table/motion.js";
import {
  PLAIN_SEAT,
  changesOf,
  namesAt,
  namesAtScoring,
  occupantAt,
  resultNames,
  whoDecided,
  withChanges,
} from "./table/occupants.js";
import { ask, askForNote } from "./table/opinion.js";
import { ScoringPanel } from "./table/scoring_panel.js";
import { Felt } from "./table/render.js";
import { rich, short } from "./table/text.js";

/** @typedef {import("./table/types.js").View} View */
/** @typedef {{version: number, seat: number | null, move: string, by: string, view: View, log: import("./table/types.js").LogEntry[]}} Frame */
/** @typedef {{seat: number, name: string, kind: "person" | "bot", bot: string, person: number}} Player */
/** @typedef {{title: string, names: Player[], face_up: boolean, seat: number | null, number: number, over: boolean, frames: Frame[], occupancies: import("./table/types.js").OccupancyInfo[], results: import("./table/types.js").SeatResultInfo[], remark: string, stacked_for: number}} Replay */
/** @typedef {{frames: string, verify: string, table: string, record: string, lead: string, edit: string, play_on: string, opinion: string, shared: string, closed: boolean}} Boot */

const PAGE = 10; // steps of the keys PageUp and PageDown
const DONE_SHOWN = 2000; // milliseconds for which a button confirms what it did

class ReplayPage {
  /** @param {HTMLElement} root @param {Boot} boot @param {Replay} data */
  constructor(root, boot, data) {
    this.data = data;
    this.boot = boot;
    this.end = data.frames.length - 1;
    this.timer = 0;
    const names = (/** @type {number} */ seat) => data.names[seat]?.name ?? String(seat + 1);
    /** The players' names when a move was made. @param {number} ply */
    this.namesAt = (ply) => namesAt(data.occupancies, ply, names);
    this.names = (/** @type {number} */ seat) => this.namesAt(this.at)(seat);
    this.resultNames = resultNames(data.results, names);
    this.entries = withChanges(
      data.frames.map((one) => one.log),
      changesOf(data.occupancies),
    );
    this.address = new Address(boot.shared, this.end, data.names.length);
    this.at = this.address.move;
    this.home = this.address.seat ?? data.seat ?? 0; // the seat at the bottom of the felt
    this.speed = new Speed(() => this.timer && this.play());

    this.feltRoot = h("div", { class: "felt" });
    this.phase = h("p", { class: "room-phase" });
    this.caption = h("p", { class: "prompt", "aria-live": "polite" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: this.end,
      value: 0,
      "aria-label": t("Move"),
      oninput: () => void this.go(Number(this.slider.value)),
    });
    this.count = h("output", { class: "replay-count" });
    this.playButton = h("button", { class: "button replay-play", type: "button", onclick: () => this.toggle() });
    /** @type {HTMLSelectElement} */
    this.views = h(
      "select",
      {
        class: "field-input replay-seat",
        "aria-label": t("Seen from"),
        title: t("Seen from"),
        onchange: () => this.viewFrom(Number(this.views.value)),
      },
      ...data.names.map(({ seat, name }) => h("option", { value: seat }, name)),
    );
    this.views.value = String(this.home);
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { class: "button", type: "button", "aria-label": label, title: label, onclick: run }, sign);
    const list = h("ol", { class: "log", role: "list" });
    this.lead = boot.lead ? new LeadPanel(boot.lead, this.names, this.end) : null;
    /** @type {HTMLAnchorElement | null} */
    this.edit = boot.edit
      ? h("a", { class: "button button-small", href: boot.edit }, t("Change the rules from here"))
      : null;
    this.stackedNote = h(
      "p",
      { class: "stacked-note", hidden: true },
      data.stacked_for >= 0
        ? t("The deck of this match was stacked for {name}.", { name: this.names(data.stacked_for) })
        : "",
    );
    this.notesTitle = h("summary", {});
    this.notesList = h("ul", {});
    this.notes = h("details", { class: "replay-notes", hidden: true }, this.notesTitle, this.notesList);
    this.toolRow = h("div", { class: "button-row replay-tools" }, ...this.tools(), this.lead?.button, this.edit);
    const controls = h(
      "section",
      { class: "controls replay-controls", "aria-label": t("Replay the match") },
      this.caption,
      this.stackedNote,
      h(
        "div",
        { class: "replay-steps" },
        button("|◀", t("Go to the deal"), () => this.go(0)),
        button("◀", t("One move back"), () => this.go(this.at - 1)),
        this.playButton,
        button("▶", t("One move forward"), () => this.go(this.at + 1)),
        button("▶|", t("Go to the end"), () => this.go(this.end)),
        this.speed.root,
        data.names.length > 1 ? this.views : null,
        this.slider,
        this.count,
      ),
      h("div", { class: "lead" }, this.toolRow, this.notes, this.lead?.body),
    );
    const seen = data.face_up
      ? t("all hands open")
      : data.seat === null
        ? t("as spectators saw it")
        : t("as you saw it");
    root.replaceChildren(
      h(
        "header",
        { class: "room-bar" },
        h("div", { class: "room-names" }, h("h1", { class: "room-title" }, data.title), this.phase),
        h("ul", { class: "room-chips", role: "list" }, h("li", { class: "room-chip" }, seen)),
        boot.verify ? h("a", { class: "bar-link", href: boot.verify }, t("Verify the deal")) : null,
        boot.closed ? null : h("a", { class: "bar-link", href: boot.table }, t("Go to the table")),
      ),
      h("div", { class: "stage" }, this.feltRoot, controls),
      h(
        "aside",
        { class: "rail", "aria-label": t("Log") },
        h("div", { class: "rail-title" }, t("Log")),
        h(
          "div",
          { class: "panel-log", role: "presentation" },
          h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Log") }, list),
        ),
      ),
    );
    this.felt = new Felt(this.feltRoot);
    this.scoring = new ScoringPanel(this.felt.over);
    this.log = new Log(list);
    void this.offerNote();
    this.feltRoot.addEventListener("figures", () => this.draw(new Set()));
    document.addEventListener("keydown", (event) => this.key(event));
    this.draw(new Set());
  }

  /** What can be done with a step. @returns {(HTMLElement | null)[]} */
  tools() {
    const { boot } = this;
    const tool = (/** @type {string} */ label, /** @type {(button: HTMLButtonElement) => void} */ run) => {
      /** @type {HTMLButtonElement} */
      const made = h("button", { class: "button button-small", type: "button", onclick: () => run(made) }, label);
      return made;
    };
    /** @type {HTMLButtonElement | null} */
    this.playOnButton = boot.play_on ? tool(t("Play from here"), () => this.playOn()) : null;
    return [
      this.playOnButton,
      tool(t("Copy link to this step"), (made) => void this.copyLink(made)),
      tool(t("Copy as a picture"), (made) => void this.copyPicture(made)),
      boot.record
        ? h("a", { class: "button button-small", href: boot.record, download: "" }, t("Download the record"))
        : null,
    ];
  }

  /** The player of a match may write a note about a step, for a day. */
  async offerNote() {
    const { opinion } = this.boot;
    const asked = opinion ? await ask(opinion) : null;
    if (!asked?.ok) return;
    const run = () => {
      this.stop();
      askForNote(opinion, this.at, asked.answer, (answer) => (asked.answer = answer));
    };
    const made = h(
      "button",
      { class: "button button-small", type: "button", onclick: run },
      t("Note for the designer"),
    );
    this.toolRow.append(made);
  }

  /** Put another player's seat at the bottom. @param {number} seat */
  viewFrom(seat) {
    this.home = seat;
    this.draw(new Set());
  }

  /** @param {HTMLButtonElement} made */
  async copyLink(made) {
    const words = made.textContent ?? "";
    if (!(await copy(this.address.of(this.at, this.home)))) return;
    write(made, t("Link copied"));
    setTimeout(() => write(made, words), DONE_SHOWN);
  }

  /** @param {HTMLButtonElement} made */
  async copyPicture(made) {
    const words = made.textContent ?? "";
    made.disabled = true;
    try {
      const done = await shareOrSave(pictureOf(this.feltRoot), `hamsterdam-${this.at}.png`);
      write(made, done === "copied" ? t("Picture copied") : t("Saved as a file"));
    } catch {
      write(made, t("The picture could not be created"));
    }
    made.disabled = false;
    setTimeout(() => write(made, words), DONE_SHOWN);
  }

  playOn() {
    this.stop();
    askToPlayOn(
      this.boot.play_on,
      this.at,
      this.home,
      this.data.names.map(({ name }) => name),
    );
  }

  /** @param {number} to */
  go(to) {
    const { frames } = this.data;
    const at = Math.max(0, Math.min(this.end, to));
    const before = at === this.at + 1 ? capture(this.feltRoot) : null;
    this.at = at;
    this.draw(new Set());
    if (before) {
      const log = frames[at].log;
      const moved = travel(
        this.feltRoot,
        before,
        log.flatMap((line) => line.motions ?? []),
      );
      if (!log.some((line) => line.kind === "deal")) this.draw(moved);
    }
    if (at === this.end) this.stop();
  }

  /** @param {Set<string>} last */
  draw(last) {
    const { frames, seat, number } = this.data;
    const frame = frames[this.at];
    this.felt.draw(
      {
        view: frame.view,
        seats: this.seats(),
        bots: {},
        viewer: seat,
        home: this.home,
        playing: true,
        left: () => null,
        whole: 1,
        lastSeat: frame.seat ?? -1,
      },
      { pickable: new Set(), picked: [], targets: new Set(), aimed: null, last, names: this.names },
    );
    const scored = namesAtScoring(this.data.occupancies, this.entries.slice(0, this.at + 1), this.names);
    this.scoring.draw(frame.view.scoring, scored, frame.view.seat);
    this.log.draw(this.entries.slice(0, this.at + 1), this.namesAt);
    const action = this.lastAction();
    const names = frame.view.over ? this.resultNames : this.names;
    const decided = frame.view.over ? this.data.results.map(whoDecided).filter(Boolean).join(" ") : "";
    const caption = [action && short(action, names), decided].filter(Boolean).join(" · ");
    if (this.caption.dataset.words !== caption) {
      this.caption.dataset.words = caption;
      this.caption.replaceChildren(...(action ? rich(action, names) : []), decided && ` · ${decided}`);
    }
    this.stackedNote.hidden = this.data.stacked_for < 0 || (this.at > 0 && this.at < this.end);
    if (this.playOnButton) this.playOnButton.disabled = this.at === this.end;
    write(this.phase, `${t("Match {n}", { n: number })} · ${short(frame.view.phase, this.names)}`);
    write(this.count, `${this.at} / ${this.end}`);
    this.slider.value = String(this.at);
    attr(this.slider, "aria-valuetext", t("Move {n} of {all}: {what}", { n: this.at, all: this.end, what: caption }));
    this.drawNotes(frame.view);
    this.lead?.at(this.at);
    if (this.edit) {
      const there = new URL(this.edit.href);
      there.searchParams.set("ply", String(this.at));
      this.edit.href = there.href;
    }
    this.address.follow(this.at, this.home);
    attr(document.body, "data-step", this.at);
    this.drawPlay();
  }

  /** The seats as they were when the last move was made. @returns {import("./table/types.js").SeatInfo[]} */
  seats() {
    return this.data.names.map((player) => ({
      ...PLAIN_SEAT,
      ...player,
      ...occupantAt(this.data.occupancies, player.seat, this.at),
    }));
  }

  /** This step in a sentence, the same for everybody: the result, the scoring, or the move. */
  lastAction() {
    const { view, log } = this.data.frames[this.at];
    if (view.over && view.result) return view.result.text;
    const before = this.data.frames[this.at - 1]?.view.settled;
    if (view.settled && JSON.stringify(view.settled) !== JSON.stringify(before)) return view.settled;
    const open = log.filter((line) => line.only === undefined);
    return (open.find((line) => line.kind === "move") ?? open.at(-1))?.text;
  }

  /** The log and the other words beside the table. @param {View} view */
  drawNotes(view) {
    const zone = view.zones.find(({ layout }) => layout === "notes");
    this.notes.hidden = !zone;
    if (!zone) return;
    write(this.notesTitle, short(zone.label, this.names));
    this.notesList.replaceChildren(
      ...zone.pieces.map(({ label }) => h("li", {}, label ? short(label, this.names) : "")),
    );
  }

  drawPlay() {
    write(this.playButton, this.timer ? t("Pause") : t("Play"));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.end) this.go(0);
    this.play();
    this.drawPlay();
  }

  /** Play automatically at the chosen speed. */
  play() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.go(this.at + 1), this.speed.pace);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.drawPlay();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target === this.slider || target.closest("select, dialog"))
      return;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: this.at - 1,
      ArrowRight: this.at + 1,
      PageUp: this.at - PAGE,
      PageDown: this.at + PAGE,
      Home: 0,
      End: this.end,
    };
    const inLog = target.matches(".scroll") && event.key !== "ArrowLeft" && event.key !== "ArrowRight";
    const to = inLog ? undefined : steps[event.key];
    if (to !== undefined) this.go(to);
    else if (event.key === " " && !target.matches("button, a, input")) this.toggle();
    else if (event.key === "+" || event.key === "-") this.speed.shift(event.key === "+" ? 1 : -1);
    else if (event.key === "Escape") this.scoring.dismiss();
    else return;
    event.preventDefault();
  }
}

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
await loadTranslations(boot.words);
install(document);
const root = /** @type {HTMLElement} */ (document.getElementById("room"));
try {
  const answer = await fetch(boot.frames, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const data = await answer.json();
  if (data.frames.length) {
    if (needsFigures(data.frames[0].view)) await fetchFigures().catch(() => {}); // cancelled by a later step
    const { names } = new ReplayPage(root, boot, data);
    explaining(root, boot.teaching, names);
  } else root.replaceChildren(h("p", { class: "room-loading" }, data.remark)); // not even the deal can be repeated
} catch (error) {
  root.replaceChildren(
    h("p", { class: "room-loading" }, t("The match could not be loaded. Reload the page to try again.")),
  );
  throw error;
}
