// @ts-check
/** The lessons, one after the other. Each has goals, which the server checks while the author types. */
import { t } from "../i18n.js";
import { attr, h, write } from "../table/dom.js";
import { RequestQueue } from "./requests.js";

/** @typedef {{title: string, html: string, goals: string[], start: string, solution: string}} Page */
/** @typedef {{at: number, lessons: Page[]}} Course at 0: where one was last */
/** @typedef {{text: string, done: boolean}} Goal */

const KEY = "workshop.lesson";

export class Lesson {
  /** @param {Course} course @param {string} url @param {(source: string) => void} take @param {() => {source: string, saved: boolean}} now */
  constructor(course, url, take, now) {
    this.pages = course.lessons;
    this.take = take;
    this.now = now;
    this.checks = new RequestQueue(url, (answer, asked) => this.receive(answer, asked));
    this.steps = h(
      "ol",
      { class: "lesson-steps", role: "list" },
      ...this.pages.map((page, place) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "lesson-step",
              title: page.title,
              "aria-label": t("Lesson {n}: {title}", { n: place + 1, title: page.title }),
              onclick: () => this.open(place),
            },
            String(place + 1),
          ),
        ),
      ),
    );
    this.title = h("h2", { class: "lesson-title" });
    this.page = h("div", { class: "lesson-page rules" });
    this.goals = h("ul", { class: "lesson-goals", role: "list" });
    this.praise = h("p", { class: "lesson-praise", role: "status" });
    this.next = h(
      "button",
      { class: "button button-primary", type: "button", onclick: () => this.open(this.at + 1) },
      t("Next lesson"),
    );
    this.root = h(
      "div",
      { class: "lesson" },
      this.steps,
      this.title,
      this.page,
      h("h3", {}, t("Goals")),
      this.goals,
      this.praise,
      h(
        "p",
        { class: "button-row" },
        this.next,
        h(
          "button",
          { class: "button button-small", type: "button", onclick: () => this.take(this.pages[this.at].solution) },
          t("Show me"),
        ),
        h(
          "button",
          { class: "button button-small", type: "button", onclick: () => this.take(this.pages[this.at].start) },
          t("Start this lesson over"),
        ),
      ),
      h("p", { class: "soft" }, t("Both replace your text. Press Ctrl-Z to get it back.")),
    );
    this.at = 0;
    this.open(course.at ? course.at - 1 : Number(remembered()) || 0, false);
  }

  /** @param {number} at @param {boolean} [look] */
  open(at, look = true) {
    this.at = Math.max(0, Math.min(at, this.pages.length - 1));
    remember(String(this.at));
    const page = this.pages[this.at];
    write(this.title, t("{n}. {title}", { n: this.at + 1, title: page.title }));
    this.page.innerHTML = page.html; // written by us, not by a visitor
    for (const pre of this.page.querySelectorAll("pre")) attr(pre, "tabindex", 0); // it may be wider than the page
    this.next.hidden = this.at === this.pages.length - 1;
    for (const [place, item] of [...this.steps.children].entries())
      attr(/** @type {Element} */ (item.firstElementChild), "aria-current", place === this.at ? "step" : null);
    this.draw(page.goals.map((text) => ({ text, done: false })));
    this.root.parentElement?.scrollTo(0, 0);
    if (look) this.look();
  }

  /** Check the goals. */
  look() {
    const { source, saved } = this.now();
    if (source.trim()) this.checks.ask({ step: this.at + 1, source, saved });
    else this.draw(this.pages[this.at].goals.map((text) => ({ text, done: false })));
  }

  /** @param {import("./requests.js").Answer} answer @param {any} asked */
  receive(answer, asked) {
    if (answer.ok && asked.step === this.at + 1) this.draw(answer.goals);
  }

  /** @param {Goal[]} goals */
  draw(goals) {
    this.goals.replaceChildren(
      ...goals.map((goal) =>
        h(
          "li",
          { "data-done": goal.done },
          h("span", { class: "visually-hidden" }, goal.done ? t("Done: ") : t("To do: ")),
          goal.text,
        ),
      ),
    );
    const done = goals.every((goal) => goal.done);
    attr(this.root, "data-done", done);
    write(
      this.praise,
      !done
        ? ""
        : this.at === this.pages.length - 1
          ? t("That is it: you have written a card game.")
          : t("Done. Look at the table, then continue."),
    );
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string} at */
function remember(at) {
  try {
    localStorage.setItem(KEY, at);
  } catch {
    // then the first lesson is opened next time
  }
}
