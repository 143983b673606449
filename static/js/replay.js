// @ts-check
/** A match step by step: the same felt as at the table, with a slider where the buttons were. */
import { install } from "../art/cards.js";
import { speak, t } from "./i18n.js";
import { attr, h, write } from "./table/dom.js";
import { Log } from "./table/log.js";
import { capture, travel } from "./table/motion.js";
import { ReckoningPanel } from "./table/reckoning.js";
import { Felt } from "./table/render.js";
import { rich, short } from "./table/text.js";

/** @typedef {import("./table/types.js").View} View */
/** @typedef {{version: number, seat: number | null, move: string, by: string, view: View, log: import("./table/types.js").Line[]}} Frame */
/** @typedef {{seat: number, name: string, kind: "person" | "bot", bot: string}} Player */
/** @typedef {{title: string, names: Player[], face_up: boolean, seat: number | null, number: number, over: boolean, frames: Frame[], remark: string, stacked_for: number}} Replay */

const PACE = 1200; // milliseconds a step when it plays by itself

class ReplayPage {
  /** @param {HTMLElement} root @param {{frames: string, verify: string, table: string}} boot @param {Replay} data */
  constructor(root, boot, data) {
    this.data = data;
    this.at = 0;
    this.timer = 0;
    this.names = (/** @type {number} */ seat) => data.names[seat]?.name ?? String(seat + 1);
    this.seats = data.names.map((player) => ({ ...player, person: player.seat, host: false, here: true, away: false, wins: 0 }));

    this.feltRoot = h("div", { class: "felt" });
    this.phase = h("p", { class: "room-phase" });
    this.caption = h("p", { class: "prompt", "aria-live": "polite" });
    this.slider = h("input", { type: "range", min: 0, max: data.frames.length - 1, value: 0, "aria-label": t("Move"), oninput: () => void this.go(Number(this.slider.value)) });
    this.count = h("output", { class: "replay-count" });
    this.playButton = h("button", { class: "button", type: "button", onclick: () => this.toggle() });
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) => h("button", { class: "button", type: "button", "aria-label": label, title: label, onclick: run }, sign);
    const list = h("ol", { class: "log", role: "list" });
    const helm = h(
      "section",
      { class: "helm replay-helm", "aria-label": t("Step through the match") },
      this.caption,
      h(
        "div",
        { class: "replay-controls" },
        button("|◀", t("To the deal"), () => this.go(0)),
        button("◀", t("One move back"), () => this.go(this.at - 1)),
        this.playButton,
        button("▶", t("One move on"), () => this.go(this.at + 1)),
        button("▶|", t("To the end"), () => this.go(data.frames.length - 1)),
        this.slider,
        this.count,
      ),
    );
    const notes = [
      data.face_up ? t("all hands open") : data.seat === null ? t("as watchers saw it") : t("as you saw it"),
      data.stacked_for >= 0 ? t("the deck was stacked for {name}", { name: this.names(data.stacked_for) }) : "",
    ];
    root.replaceChildren(
      h(
        "header",
        { class: "room-bar" },
        h("div", { class: "room-names" }, h("h1", { class: "room-title" }, data.title), this.phase),
        h("ul", { class: "room-chips", role: "list" }, ...notes.filter(Boolean).map((note) => h("li", { class: "room-chip" }, note))),
        boot.verify ? h("a", { class: "bar-link", href: boot.verify }, t("Verify the deal")) : null,
        h("a", { class: "bar-link", href: boot.table }, t("To the table")),
      ),
      h("div", { class: "stage" }, this.feltRoot, helm),
      h("aside", { class: "rail", "aria-label": t("Log") }, h("div", { class: "rail-title" }, t("Log")), h("div", { class: "panel-log", role: "presentation" }, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Log") }, list))),
    );
    this.felt = new Felt(this.feltRoot);
    this.reckoning = new ReckoningPanel(this.felt.over);
    this.log = new Log(list);
    this.feltRoot.addEventListener("boards", () => this.draw(new Set()));
    document.addEventListener("keydown", (event) => this.key(event));
    this.go(0);
  }

  /** @param {number} to */
  go(to) {
    const { frames } = this.data;
    const at = Math.max(0, Math.min(frames.length - 1, to));
    const step = at === this.at + 1;
    const before = step ? capture(this.feltRoot) : null;
    this.at = at;
    this.draw(new Set());
    if (before) {
      const log = frames[at].log;
      const moved = travel(this.feltRoot, before, log.flatMap((line) => line.motions ?? []));
      if (!log.some((line) => line.kind === "deal")) this.draw(moved);
    }
    if (at === frames.length - 1) this.stop();
  }

  /** @param {Set<string>} last */
  draw(last) {
    const { frames, seat, number } = this.data;
    const frame = frames[this.at];
    this.felt.draw(
      { view: frame.view, seats: this.seats, bots: {}, viewer: seat, playing: true, left: () => null, whole: 1, lastSeat: frame.seat ?? -1 },
      { pickable: new Set(), picked: [], targets: new Set(), aimed: null, last, names: this.names },
    );
    this.reckoning.draw(frame.view.reckoning, this.names);
    this.log.draw(frames.slice(0, this.at + 1).map((one) => one.log), this.names, seat);
    const told = this.told();
    const caption = told ? short(told, this.names) : "";
    if (this.caption.dataset.words !== caption) {
      this.caption.dataset.words = caption;
      this.caption.replaceChildren(...(told ? rich(told, this.names) : []));
    }
    write(this.phase, `${t("Match {n}", { n: number })} · ${short(frame.view.phase, this.names)}`);
    write(this.count, `${this.at} / ${frames.length - 1}`);
    this.slider.value = String(this.at);
    attr(this.slider, "aria-valuetext", t("Move {n} of {all}: {what}", { n: this.at, all: frames.length - 1, what: caption }));
    this.drawPlay();
  }

  /** What this step is about, in a sentence that is nobody's own: the end, what it settled, or the move. */
  told() {
    const { view, log } = this.data.frames[this.at];
    if (view.over && view.result) return view.result.text;
    const before = this.data.frames[this.at - 1]?.view.settled;
    if (view.settled && JSON.stringify(view.settled) !== JSON.stringify(before)) return view.settled;
    const open = log.filter((line) => line.only === undefined);
    return (open.find((line) => line.kind === "move") ?? open.at(-1))?.text;
  }

  drawPlay() {
    write(this.playButton, this.timer ? t("Pause") : t("Play"));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.data.frames.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), PACE);
    this.drawPlay();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.drawPlay();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target === this.slider) return;
    const end = this.data.frames.length - 1;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: end }[event.key];
    if (to !== undefined) this.go(to);
    else if (event.key === " " && !target.matches("button, a, input")) this.toggle();
    else return;
    event.preventDefault();
  }
}

await speak(document.documentElement.lang);
install(document);
const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
const root = /** @type {HTMLElement} */ (document.getElementById("room"));
try {
  const answer = await fetch(boot.frames, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const data = await answer.json();
  if (data.frames.length) new ReplayPage(root, boot, data);
  else root.replaceChildren(h("p", { class: "room-loading" }, data.remark)); // not even the deal can be made again
} catch (error) {
  root.replaceChildren(h("p", { class: "room-loading" }, t("The match could not be fetched. Reload the page to try again.")));
  throw error;
}
