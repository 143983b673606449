// @ts-check
/** The differences between the text and another version of it, or one that was saved elsewhere in the meantime. */
import { getChunks, goToNextChunk, goToPreviousChunk } from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { h, write } from "../table/dom.js";

/** @typedef {import("./editor.js").Editor} Editor */
/** @typedef {{source: string, table: string}} Both */
/** @typedef {{number: number, label: string, text: () => Promise<Both | null>}} Version ``number``: 0 if it is not saved; ``text``: null if it cannot be loaded */

/** @param {Editor} editor @returns {number} */
const differences = (editor) => (editor.compared ? (getChunks(editor.view.state)?.chunks.length ?? 0) : 0);

export class Comparing {
  /** @param {Editor} text @param {Editor} table @param {(table: boolean) => void} open brings the text or its table file to view */
  constructor(text, table, open) {
    this.editors = [text, table];
    this.open = open;
    /** @type {Version[]} */
    this.others = [];
    this.inTable = false; // the table file is in view
    this.canClose = false; // a conflict has to be settled
    this.picker = h("select", { class: "field-input", onchange: () => void this.choose(Number(this.picker.value)) });
    this.count = h("span", { class: "comparing-count", role: "status" });
    this.head = h("div", { class: "comparing-head" });
    this.buttons = h("div", { class: "comparing-buttons" });
    this.root = h(
      "section",
      {
        class: "comparing",
        "aria-label": t("Comparison"),
        hidden: true,
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.canClose && this.close(),
      },
      this.head,
      this.count,
      this.buttons,
    );
  }

  /** @param {Version[]} others what the text can be compared with */
  offer(others) {
    this.others = others;
    this.picker.replaceChildren(...others.map(({ label }, value) => h("option", { value }, label)));
  }

  /** Compare with one of those offered. @param {number} at */
  async choose(at) {
    const other = this.others[at] && (await this.others[at].text());
    if (!other) return;
    this.canClose = true;
    this.picker.value = String(at);
    const restore = (/** @type {string} */ kind, /** @type {(event: Event) => void} */ act) =>
      kind === "accept"
        ? h("span")
        : h("button", { class: "button button-small", type: "button", onclick: act }, t("Restore"));
    this.show(
      other,
      restore,
      [h("label", {}, t("Compared with"), " ", this.picker)],
      [this.button(t("Close"), () => this.close())],
    );
  }

  /** Compare with what was saved elsewhere, until the author takes one of the two. @param {Both} theirs @param {string} words @param {() => void} takeMine @param {() => void} takeTheirs */
  conflict(theirs, words, takeMine, takeTheirs) {
    this.canClose = false;
    const choice = (/** @type {string} */ kind, /** @type {(event: Event) => void} */ act) =>
      h(
        "button",
        { class: "button button-small", type: "button", onclick: act },
        kind === "accept" ? t("Take mine") : t("Take theirs"),
      );
    this.show(
      theirs,
      choice,
      [h("p", {}, words)],
      [this.button(t("Take all of mine, and save"), takeMine), this.button(t("Take all of theirs"), takeTheirs)],
    );
  }

  /** @param {Both} other @param {(kind: "accept" | "reject", act: (event: Event) => void) => HTMLElement} controls @param {Node[]} head @param {Node[]} buttons */
  show({ source, table }, controls, head, buttons) {
    const [text, words] = this.editors;
    text.compare(source, controls);
    words.compare(table, controls);
    this.head.replaceChildren(...head);
    this.buttons.replaceChildren(
      this.button("↑", () => this.go(goToPreviousChunk), t("Previous difference")),
      this.button("↓", () => this.go(goToNextChunk), t("Next difference")),
      ...buttons,
    );
    this.root.hidden = false;
    this.update();
    this.go(goToNextChunk);
  }

  close() {
    for (const editor of this.editors) editor.compare(null);
    this.root.hidden = true;
    this.editors[Number(this.inTable)].view.focus();
  }

  /** Count again, after a change. */
  update() {
    if (this.root.hidden) return;
    const [text, table] = this.editors.map(differences);
    write(
      this.count,
      text + table === 0
        ? t("No differences")
        : t("Differences: {n} in the text, {m} in the words for the table", { n: text, m: table }),
    );
  }

  /** Go to a difference: in what is in view, or else in the other. @param {(view: any) => boolean} command */
  go(command) {
    const has = this.editors.map((editor) => differences(editor) > 0);
    const table = has[Number(this.inTable)] ? this.inTable : has[1];
    if (!has[Number(table)]) return;
    this.open(table);
    const { view } = this.editors[Number(table)];
    command(view);
    view.focus();
  }

  /** @param {string} sign @param {() => void} run @param {string} [label] */
  button(sign, run, label) {
    return h(
      "button",
      { class: "button button-small", type: "button", onclick: run, "aria-label": label ?? null, title: label ?? null },
      sign,
    );
  }
}
