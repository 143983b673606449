// @ts-check
/** The panel with the scoring of a round. It is closed by the visitor or by the next round. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").RoundScoring} Scoring */

/**
 * The scoring as a table, a row for each player.
 * @param {Scoring} scoring @param {import("./text.js").Names} names @param {number | null} me the visitor's seat, whose row is marked
 */
export function tableOf(scoring, names, me) {
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
      { "data-mark": row.mark ?? null, "data-own": row.seat === me },
      h(
        "th",
        { scope: "row", title: names(row.seat) },
        names(row.seat),
        ...(row.seat === me ? [" ", h("span", { class: "own-mark" }, t("you"))] : []),
        row.mark ? h("span", { class: "visually-hidden" }, ` (${t(row.mark)})`) : null,
      ),
      ...row.cells.map((cell) => h("td", {}, cell)),
    ),
  );
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}

export class ScoringPanel {
  /**
   * @param {HTMLElement} over the layer over the felt
   * @param {HTMLElement} [beside] the log: the panel lies there on wide screens, and on narrow ones once there is something to decide
   */
  constructor(over, beside = over) {
    this.over = over;
    this.beside = beside;
    this.shown = "";
    this.dismissed = "";
    this.asked = ""; // the first decision of the visitor since it is there
    /** @type {HTMLElement | null} */
    this.panel = null;
  }

  /**
   * @param {Scoring | undefined} scoring @param {import("./text.js").Names} names
   * @param {number | null} me the visitor's seat
   * @param {{wide: boolean, decision: string}} [now] whether the log is beside the felt, and the decision to be made, "" if none
   */
  draw(scoring, names, me, { wide, decision } = { wide: false, decision: "" }) {
    const id = scoring?.id ?? "";
    if (id !== this.shown) {
      this.shown = id;
      this.asked = "";
      this.panel?.remove();
      this.panel = scoring && id !== this.dismissed ? this.made(scoring, names, me) : null;
    }
    if (!this.panel) return;
    this.asked ||= decision;
    const parent = wide || this.asked ? this.beside : this.over;
    if (this.panel.parentElement === parent) return;
    if (parent === this.over) parent.append(this.panel);
    else parent.prepend(this.panel);
  }

  /** Another match begins. */
  clear() {
    this.panel?.remove();
    this.panel = null;
    this.shown = this.dismissed = this.asked = "";
  }

  /** Whether the visitor's first decision since the scoring is being made: then the controls say where it is. @param {string} decision */
  offered(decision) {
    return !!this.panel && this.panel.parentElement === this.beside && this.asked === decision;
  }

  /** @param {Scoring} scoring @param {import("./text.js").Names} names @param {number | null} me */
  made(scoring, names, me) {
    const close = h(
      "button",
      { class: "close", type: "button", "aria-label": t("Close the scoring"), onclick: () => this.dismiss() },
      "×",
    );
    return h(
      "section",
      { class: "overlay scoring", "aria-label": t("Scoring") },
      close,
      h("h2", {}, ...rich(scoring.title, names)),
      tableOf(scoring, names, me),
      h("p", { class: "verdict" }, ...rich(scoring.verdict, names)),
    );
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
