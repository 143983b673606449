// @ts-check
/** The totals of the path drawn so far, and how the card under the pointer would change them. */
import { t } from "../../i18n.js";
import { attr, h } from "../dom.js";
import { pieceOf, pieceWords } from "../pieces.js";
import { figure, rich, short } from "../text.js";
import { nextOf, shutOf, stepOf } from "../path.js";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../zones.js").Touch} Touch */

export class Tally {
  /** @param {HTMLElement} felt */
  constructor(felt) {
    this.root = h("section", { class: "tally", "aria-label": t("Your path"), role: "status", hidden: true });
    this.pointed = "";
    this.shown = "";
    /** @type {{view: View, touch: Touch} | null} */
    this.last = null;
    const look = (/** @type {Event} */ event) => {
      const card = /** @type {HTMLElement | null} */ (
        /** @type {Element} */ (event.target).closest(".board-grid [data-piece]")
      );
      const piece = card?.dataset.piece ?? "";
      if (piece === this.pointed) return;
      this.pointed = piece;
      if (this.last) this.draw(this.last.view, this.last.touch);
    };
    felt.addEventListener("pointerover", look);
    felt.addEventListener("focusin", look);
  }

  /** @param {View} view @param {Touch} touch */
  draw(view, touch) {
    this.last = { view, touch };
    const { path, names } = touch;
    const step = path && stepOf(path);
    this.root.hidden = !view.grids?.length;
    const next = path && nextOf(path).get(this.pointed);
    const refusal = path && shutOf(path).get(this.pointed);
    const piece = this.pointed ? pieceOf(view, this.pointed) : undefined;
    const key = JSON.stringify([path?.words, view.decision, view.grids, next?.word, refusal, piece?.id, !!path]);
    if (key === this.shown) return;
    this.shown = key;
    if (!path || !step) return this.root.replaceChildren();
    const cells = (/** @type {number[]} */ tally) => tally.map((value) => h("td", {}, figure(value)));
    const rows = [h("tr", {}, h("th", { scope: "row" }, t("Now")), ...cells(step.tally))];
    const preview =
      next && piece
        ? h(
            "tr",
            { class: "tally-next" },
            h("th", { scope: "row" }, `→ ${piece.label ? short(piece.label, names) : pieceWords(piece, names)}`),
            ...cells(next.tally),
          )
        : h(
            "tr",
            { class: "tally-next", "aria-hidden": "true" },
            h("th", {}, "\u00a0"),
            ...step.tally.map(() => h("td", {})),
          );
    rows.push(preview);
    const notes = (next ?? step).notes ?? [];
    const messages = refusal ? [refusal] : notes.map((place) => path.paths.notes[place]);
    const looks = this.pointed
      ? this.root.ownerDocument
          .querySelector(`.board-grid [data-piece="${CSS.escape(this.pointed)}"]`)
          ?.getAttribute("title")
      : "";
    const hint = path.words.length
      ? t("Press Enter to take this path, Escape to go back a step.")
      : nextOf(path).size
        ? t("Tap or drag from card to card.")
        : t("No path continues from here.");
    this.root.replaceChildren(
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            ...path.paths.columns.map((column) => h("th", { scope: "col" }, short(column, names))),
          ),
        ),
        h("tbody", {}, ...rows),
      ),
      h(
        "p",
        { class: "tally-card" },
        looks || (messages.length && step === path.paths.start && !next && !refusal ? hint : "\u00a0"),
      ),
      h(
        "ul",
        { class: "tally-notes", role: "list" },
        ...messages.map((note) => h("li", { "data-mark": note.mark }, ...rich(note.text, names))),
      ),
      ...(messages.length ? [] : [h("p", { class: "tally-hint" }, hint)]),
    );
    attr(this.root, "data-refused", !!refusal);
  }
}
