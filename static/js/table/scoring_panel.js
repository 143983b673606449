// @ts-check
/** The panel with the scoring of a round. It is closed by the visitor or by the next round. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").RoundScoring} Scoring */

/** The scoring as a table, a row for each player. @param {Scoring} scoring @param {import("./text.js").Names} names */
export function tableOf(scoring, names) {
  const words = ["", ...scoring.columns.map(() => "")];
  const head = h(
    "tr",
    {},
    ...words.map((_, i) =>
      h(
        "th",
        { scope: "col" },
        ...(i === 0 ? [h("span", { class: "visually-hidden" }, t("Player"))] : rich(scoring.columns[i - 1], names)),
      ),
    ),
  );
  const rows = scoring.rows.map((row) =>
    h(
      "tr",
      { "data-mark": row.mark ?? null },
      h(
        "th",
        { scope: "row", title: names(row.seat) },
        names(row.seat),
        row.mark ? h("span", { class: "visually-hidden" }, ` (${t(row.mark)})`) : null,
      ),
      ...row.cells.map((cell) => h("td", {}, cell)),
    ),
  );
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}

export class ScoringPanel {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent;
    this.shown = "";
    this.dismissed = "";
    /** @type {HTMLElement | null} */
    this.panel = null;
  }

  /** @param {Scoring | undefined} scoring @param {import("./text.js").Names} names */
  draw(scoring, names) {
    const id = scoring?.id ?? "";
    if (id === this.shown) return;
    this.shown = id;
    this.panel?.remove();
    this.panel = null;
    if (!scoring || id === this.dismissed) return;
    const close = h(
      "button",
      { class: "close", type: "button", "aria-label": t("Close the scoring"), onclick: () => this.dismiss() },
      "×",
    );
    this.panel = h(
      "section",
      { class: "parchment scoring", "aria-label": t("Scoring") },
      close,
      h("h2", {}, ...rich(scoring.title, names)),
      tableOf(scoring, names),
      h("p", { class: "verdict" }, ...rich(scoring.verdict, names)),
    );
    this.parent.append(this.panel);
  }

  /** @returns {boolean} whether there was anything to put away */
  dismiss() {
    if (!this.panel) return false;
    this.dismissed = this.shown;
    this.panel.remove();
    this.panel = null;
    return true;
  }
}
