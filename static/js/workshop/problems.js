// @ts-check
/** The problems of the text, in a list under it. Its heading is "Checking …" until the verdict on the present text arrives. */
import { t } from "../i18n.js";
import { attr, h, write } from "../table/dom.js";

/** @typedef {import("./editor.js").Problem} Problem */

export class Problems {
  /** @param {(problem: Problem) => void} go */
  constructor(go) {
    this.go = go;
    this.verdict = h("p", { class: "problems-head", role: "status" });
    this.list = h("ol", { class: "problems-list", role: "list" });
    this.root = h("section", { class: "problems", "aria-label": t("Problems") }, this.verdict, this.list);
    this.outdate();
  }

  /** The text has changed: what is listed may no longer be true. */
  outdate() {
    this.say(t("Checking …"), "old");
    attr(this.verdict, "aria-busy", "true"); // not read out with every key
    attr(this.list, "aria-label", t("Before your last change"));
  }

  /** A sentence instead of a verdict. @param {string} words @param {string} [state] */
  say(words, state = "") {
    attr(this.verdict, "aria-busy", null);
    write(this.verdict, words);
    attr(this.root, "data-state", state || null);
  }

  /** There is nothing to check, and why. @param {string} words @param {string} [state] */
  empty(words, state = "") {
    this.list.replaceChildren();
    this.say(words, state);
  }

  /** @param {Problem[]} problems @param {string} table what is wrong with the table file */
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
    attr(this.list, "aria-label", null);
    const items = problems.map((one) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "problem", type: "button", "data-severity": one.severity, onclick: () => this.go(one) },
          mark(one.severity),
          h("span", { class: "problem-line" }, t("Line {n}", { n: one.line })),
          h("span", {}, one.text, one.hint ? h("span", { class: "problem-hint" }, ` ${one.hint}`) : null),
        ),
      ),
    );
    if (table) items.unshift(h("li", { class: "problem", "data-severity": "error" }, mark("error"), table));
    this.list.replaceChildren(...items);
  }
}

/** A sign for people who see no colours, and a word for screen readers. @param {Problem["severity"]} severity */
const mark = (severity) =>
  h(
    "span",
    { class: "problem-mark" },
    h("span", { class: "visually-hidden" }, severity === "error" ? t("Error: ") : t("Warning: ")),
  );
