// @ts-check
/** The search for the numbers of a text: choose numbers and goals, see the candidates, make one the next version. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { Fragment } from "./fragment.js";
import { ask } from "./requests.js";

/** @typedef {{tune: string, tune_numbers: string, tune_make: string}} Urls */
/** @typedef {{name: string, value: number, around: string, low: number, high: number}} Varied a number of the text */
/** @typedef {{name: string, title: string, line: string, target: number, tolerance: number}} Goal */
/** @typedef {{row: HTMLElement, name: string, chosen: HTMLInputElement, ends: HTMLInputElement[]}} Row what is chosen, and two numbers about it */

const FIRST_GOALS = 2; // chosen at first: fair, and a length

export class Tune {
  /** @param {Urls} urls @param {string} code @param {number} number the version */
  constructor(urls, code, number) {
    this.urls = urls;
    this.version = { code, number };
    /** @type {Row[]} */ this.numbers = [];
    /** @type {Row[]} */ this.goals = [];
    this.seats = h("input", { type: "number", min: 1, max: 20, inputmode: "numeric", placeholder: t("default") });
    const measured = document.querySelector("[data-seconds-each]")?.getAttribute("data-seconds-each");
    this.seconds = h("input", { type: "number", min: 1, max: 3600, value: measured, inputmode: "numeric" });
    this.form = h("form", { onsubmit: (/** @type {Event} */ event) => void this.submit(event) });
    this.found = h("div", { class: "measured-here" });
    this.fragment = new Fragment(this.found, (shown) => this.connect(shown));
    this.open = h("button", { class: "button", type: "button", onclick: () => void this.begin() }, t("Choose numbers"));
    this.measured = Boolean(measured);
    this.root = h("div", { class: "feel tune" }, this.open, this.form, this.found);
  }

  /** Ask which numbers the text has, and offer them. */
  async begin() {
    this.open.disabled = true;
    const answer = await ask(this.urls.tune_numbers, this.version);
    this.open.disabled = false;
    if (!answer.ok) return this.fragment.say(answer.text ?? "");
    if (!answer.numbers.length) {
      const form = "(declare 5 'HANDSIZE)";
      return this.fragment.say(t("This text has no number to vary. Give one a name, for example {form}.", { form }));
    }
    const declared = answer.numbers.filter((/** @type {Varied} */ each) => !each.name.includes(":")).length;
    this.numbers = answer.numbers.map((/** @type {Varied} */ each, /** @type {number} */ at) =>
      row(each.name, numberLabel(each), at < (declared || 1), each.low, each.high, [t("from"), t("to")], "1"),
    );
    this.goals = answer.goals.map((/** @type {Goal} */ each, /** @type {number} */ at) =>
      row(
        each.name,
        [each.title, h("span", { class: "lab-line" }, each.line)],
        at < FIRST_GOALS,
        each.target,
        each.tolerance,
        [t("target"), "±"],
        "any",
      ),
    );
    this.form.replaceChildren(
      h("fieldset", {}, h("legend", {}, t("Numbers to vary")), ...this.numbers.map((each) => each.row)),
      h("fieldset", {}, h("legend", {}, t("Goals")), ...this.goals.map((each) => each.row)),
      h(
        "div",
        { class: "tune-more" },
        h("label", {}, t("Players"), this.seats),
        h(
          "label",
          {},
          this.measured ? t("Seconds per decision, as measured in playtests") : t("Seconds per decision, for minutes"),
          this.seconds,
        ),
        h("button", { class: "button", type: "submit" }, t("Search")),
      ),
    );
    this.open.remove();
    this.numbers[0]?.chosen.focus();
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    this.fragment.say(t("Starting …"), "");
    const answer = await ask(this.urls.tune, {
      ...this.version,
      seats: Number(this.seats.value) || null,
      seconds: Number(this.seconds.value) || null,
      vary: chosen(this.numbers),
      goals: chosen(this.goals),
    });
    if (!answer.ok) return this.fragment.say(answer.text ?? "");
    this.fragment.follow(answer.url);
  }

  /** Connect the buttons of what is shown. @param {HTMLElement} shown */
  connect(shown) {
    for (const button of shown.querySelectorAll("button[data-values]"))
      button.addEventListener("click", () => void this.make(/** @type {HTMLButtonElement} */ (button)));
  }

  /** Make a candidate the next version. @param {HTMLButtonElement} button */
  async make(button) {
    const pairs = (button.dataset.values ?? "").split(",").map((pair) => pair.split("="));
    const values = Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
    button.disabled = true;
    const answer = await ask(this.urls.tune_make, { ...this.version, values });
    if (answer.ok) return location.assign(`${answer.url}?version=${answer.number}`);
    button.disabled = false;
    const text = answer.text ?? t("That did not work.");
    this.found.querySelector("[role=alert]")?.remove();
    button.after(h("p", { class: "message message-warning", role: "alert" }, text));
  }
}

/** @param {Varied} number @returns {(Node | string)[]} */
function numberLabel(number) {
  return [h("code", {}, number.around), ` ${t("now {n}", { n: number.value })}`];
}

/**
 * @param {string} name @param {(Node | string)[]} label @param {boolean} first whether it is chosen at first
 * @param {number} one @param {number} other @param {string[]} titles of the two numbers @param {string} step
 * @returns {Row}
 */
function row(name, label, first, one, other, titles, step) {
  const chosenBox = h("input", { type: "checkbox", checked: first });
  const ends = [one, other].map((value, at) =>
    h("input", { type: "number", min: 0, step, value, inputmode: "decimal", "aria-label": `${name}: ${titles[at]}` }),
  );
  const fields = ends.map((input, at) => h("span", {}, `${titles[at]} `, input));
  const root = h("div", { class: "tune-row" }, h("label", {}, chosenBox, " ", ...label), ...fields);
  return { row: root, name, chosen: chosenBox, ends };
}

/** @param {Row[]} rows @returns {[string, number, number][]} */
function chosen(rows) {
  return rows
    .filter((each) => each.chosen.checked)
    .map((each) => [each.name, Number(each.ends[0]?.value), Number(each.ends[1]?.value)]);
}
