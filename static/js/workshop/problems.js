// @ts-check
/** What is wrong with the text, in a list under it. */
import { t } from "../i18n.js";
import { attr, h, write } from "../table/dom.js";

/** @typedef {import("./editor.js").Problem} Problem */

export class Problems {
  /** @param {(problem: Problem) => void} go */
  constructor(go) {
    this.go = go;
    this.head = h("p", { class: "problems-head", role: "status" });
    this.list = h("ol", { class: "problems-list", role: "list" });
    this.root = h("section", { class: "problems", "aria-label": t("Problems") }, this.head, this.list);
    this.say(t("Checking …"));
  }

  /** A word instead of a list: the house is asked, or cannot be. @param {string} words @param {string} [state] */
  say(words, state = "") {
    write(this.head, words);
    attr(this.root, "data-state", state || null);
  }

  /** @param {Problem[]} problems @param {string} table what is wrong with the table's words */
  draw(problems, table) {
    const errors = problems.filter((one) => one.severity === "error").length + (table ? 1 : 0);
    const warnings = problems.length - (errors - (table ? 1 : 0));
    const parts = [
      errors === 1 ? t("1 error") : errors ? t("{n} errors", { n: errors }) : "",
      warnings === 1 ? t("1 warning") : warnings ? t("{n} warnings", { n: warnings }) : "",
    ].filter(Boolean);
    this.say(
      parts.length ? parts.join(", ") : t("No problems found. The game can be played."),
      errors ? "error" : warnings ? "warning" : "good",
    );
    const items = problems.map((one) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "problem", type: "button", "data-severity": one.severity, onclick: () => this.go(one) },
          h("span", { class: "problem-line" }, t("Line {n}", { n: one.line })),
          h("span", {}, one.text, one.hint ? h("span", { class: "problem-hint" }, ` ${one.hint}`) : null),
        ),
      ),
    );
    if (table) items.unshift(h("li", { class: "problem", "data-severity": "error" }, table));
    this.list.replaceChildren(...items);
  }
}
