// @ts-check
/** Measurements of a text: request them, and show them as they grow. The server renders them as HTML. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { ask } from "./requests.js";

const AGAIN = 3000; // milliseconds, after a look that failed

/** @typedef {{source: string, table: string}} Sentence */
/** @typedef {{label: string, key?: string, text?: () => Promise<Sentence | null>}} Other what a text may be held against: a report, or a text; null: it is not to be had */

export class Feel {
  /**
   * @param {string} url @param {() => Sentence | Promise<Sentence | null>} now the text as it stands @param {Other[]} others
   * @param {((line: number) => void) | null} show shows a line of the text, where there is an editor
   */
  constructor(url, now, others = [], show = null) {
    this.url = url;
    this.showLine = show;
    this.now = now;
    this.round = 0; // answers to earlier requests are not shown
    const number = (/** @type {string} */ name, /** @type {object} */ more) =>
      h("input", { type: "number", name, inputmode: "numeric", ...more });
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => h("label", {}, label, input);
    this.against = h("select", { name: "against" });
    this.seats = number("seats", { min: 1, max: 20, placeholder: t("default") });
    this.named = h("input", {
      name: "number",
      placeholder: "HANDSIZE",
      maxlength: 100,
      spellcheck: "false",
      autocapitalize: "characters",
    });
    this.low = number("low", { min: 0, value: 1 });
    this.high = number("high", { min: 1, value: 8 });
    this.felt = h("div", { class: "measured-here" });
    this.root = h(
      "section",
      { class: "feel", "aria-label": t("How it feels") },
      h(
        "form",
        { onsubmit: (/** @type {Event} */ event) => this.submit(event, false) },
        field(t("Players"), this.seats),
        field(t("Compared with"), this.against),
        h("button", { class: "button", type: "submit" }, t("Measure")),
      ),
      h(
        "details",
        {},
        h("summary", {}, t("What a number does")),
        h(
          "p",
          { class: "soft" },
          t("Give a number in the text a name, for example {form}, and see how it changes the game.", {
            form: "(declare 5 'HANDSIZE)",
          }),
        ),
        h(
          "form",
          { onsubmit: (/** @type {Event} */ event) => this.submit(event, true) },
          field(t("Its name"), this.named),
          field(t("from"), this.low),
          field(t("to"), this.high),
          h("button", { class: "button", type: "submit" }, t("Draw the curve")),
        ),
      ),
      this.felt,
    );
    this.offer(others);
  }

  /** What it may be held against, from now on. @param {Other[]} others */
  offer(others) {
    this.others = others;
    this.against.replaceChildren(
      h("option", { value: "" }, t("nothing")),
      ...others.map(({ label }, at) => h("option", { value: String(at) }, label)),
    );
    /** @type {HTMLElement} */ (this.against.parentElement).hidden = !others.length;
  }

  /** @param {Event} event @param {boolean} curve */
  submit(event, curve) {
    event.preventDefault();
    void this.measure(curve);
  }

  /** @param {boolean} curve whether it is the curve over a number that is asked for */
  async measure(curve) {
    const round = ++this.round;
    this.say(t("Starting …"), "");
    const other = !curve && this.against.value ? this.others?.[Number(this.against.value)] : null;
    const [mine, than] = [await this.now(), other?.text ? await other.text() : null];
    if (!mine || (other?.text && !than)) return this.say(t("The text cannot be loaded. Try again in a moment."));
    /** @type {import("./requests.js").Answer | null} */
    const against = than ? await this.begin(than, false) : other?.key ? { ok: true, key: other.key } : null;
    const found = await this.begin(mine, curve);
    if (round !== this.round) return;
    for (const answer of [against, found]) if (answer && !answer.ok) return this.say(answer.text ?? "");
    void this.look(round, found.url, against);
  }

  /** @param {Sentence} text @param {boolean} curve */
  begin(text, curve) {
    const number = curve
      ? {
          number: this.named.value.trim().replace(/^'/, "") || "?",
          low: Number(this.low.value),
          high: Number(this.high.value),
        }
      : {};
    return ask(this.url, {
      source: text.source,
      table: text.table,
      seats: Number(this.seats.value) || null,
      ...number,
    });
  }

  /** @param {number} round @param {string} mine @param {import("./requests.js").Answer | null} against */
  async look(round, mine, against) {
    let later = AGAIN;
    try {
      if (against?.url) await fetch(against.url); // a measurement continues while somebody views it
      const answer = await fetch(against ? `${mine}?against=${against.key}` : mine);
      if (round !== this.round) return;
      if (!answer.ok) return this.say(t("That did not work. Measure again."));
      later = this.show(await answer.text());
    } catch {
      if (round === this.round) this.say(t("The server cannot be reached. Trying again …"));
    }
    if (later) setTimeout(() => round === this.round && void this.look(round, mine, against), later);
  }

  /** @param {string} piece @returns {number} when to look again, 0: it is done */
  show(piece) {
    const found = new DOMParser().parseFromString(piece, "text/html").querySelector(".measured");
    if (!(found instanceof HTMLElement)) return 0;
    for (const image of found.querySelectorAll("img")) {
      const same = [...this.felt.querySelectorAll("img")].find(
        (before) => before.getAttribute("src") === image.getAttribute("src"),
      );
      if (same) image.replaceWith(same); // or it would flicker
    }
    for (const place of found.querySelectorAll("[data-line]")) this.link(/** @type {HTMLElement} */ (place));
    const scrolled = this.felt.querySelector(".lab-scroll")?.scrollLeft ?? 0;
    this.felt.replaceChildren(found);
    const scroll = this.felt.querySelector(".lab-scroll");
    if (scroll) scroll.scrollLeft = scrolled;
    return Number(found.dataset.later ?? 0);
  }

  /** Where a finding is about a line, a button shows it. @param {HTMLElement} place */
  link(place) {
    const show = this.showLine;
    const line = Number(place.dataset.line);
    if (!show || !line) return;
    const text = t("Show line {n}", { n: line });
    place.replaceChildren(
      h("button", { class: "button button-small", type: "button", onclick: () => show(line) }, text),
    );
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "message message-warning") {
    this.felt.replaceChildren(h("p", { class: kind || "soft", role: kind ? "alert" : "status" }, text));
  }
}
