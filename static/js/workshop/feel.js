// @ts-check
/** Measurements of a text: request them, and show them as they grow. The server renders them as HTML. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { Fragment } from "./fragment.js";
import { ask } from "./requests.js";

/** @typedef {{source: string, table: string}} GameText */
/** @typedef {{label: string, key?: string, text?: () => Promise<GameText | null>}} Other what a text can be compared with: a report, or a text; null: it cannot be loaded */

export class Feel {
  /**
   * @param {string} url @param {() => GameText | Promise<GameText | null>} now the text as it stands @param {Other[]} others
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
    this.results = h("div", { class: "measured-here" });
    this.fragment = new Fragment(this.results, (shown) => {
      for (const place of shown.querySelectorAll("[data-line]")) this.link(/** @type {HTMLElement} */ (place));
    });
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
      this.results,
    );
    this.offer(others);
  }

  /** What it can be compared with, from now on. @param {Other[]} others */
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
    this.fragment.say(t("Starting …"), "");
    const other = !curve && this.against.value ? this.others?.[Number(this.against.value)] : null;
    const [mine, than] = [await this.now(), other?.text ? await other.text() : null];
    if (!mine || (other?.text && !than))
      return this.fragment.say(t("The text cannot be loaded. Try again in a moment."));
    /** @type {import("./requests.js").Answer | null} */
    const against = than ? await this.begin(than, false) : other?.key ? { ok: true, key: other.key } : null;
    const found = await this.begin(mine, curve);
    if (round !== this.round) return;
    for (const answer of [against, found]) if (answer && !answer.ok) return this.fragment.say(answer.text ?? "");
    const url = against ? `${found.url}?against=${against.key}` : found.url;
    // A measurement continues while somebody views it.
    this.fragment.follow(url, against?.url && (async () => void (await fetch(against.url))));
  }

  /** @param {GameText} text @param {boolean} curve */
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
}
