// @ts-check
/** After the match: who won, with what, and how the series stands. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { makePortrait } from "./seats.js";
import { figure, rich } from "./text.js";
import { SeatList } from "./waiting.js";

/** @typedef {import("./types.js").TableInfo} TableInfo */

export class ResultPanel {
  /** @param {HTMLElement} parent @param {import("./waiting.js").Press} press */
  constructor(parent, press) {
    this.seats = new SeatList(press);
    this.body = h("div", {});
    this.chairs = h("details", { class: "chairs" }, h("summary", {}, t("Seats for the next match")), this.seats.root);
    const close = h("button", { class: "close", type: "button", "aria-label": t("Put the result away"), onclick: () => this.dismiss() }, "×");
    this.root = h("section", { class: "parchment result", "aria-label": t("Result"), hidden: true }, close, this.body, this.chairs);
    parent.append(this.root);
    this.shown = "";
    this.dismissed = "";
  }

  /** @param {import("./types.js").View | null} view @param {TableInfo | null} table @param {import("./store.js").You} you */
  draw(view, table, you) {
    const result = view?.over ? view.result : undefined;
    const id = result && table ? String(table.match) : "";
    this.root.hidden = !id || id === this.dismissed;
    if (!result || !table) return;
    const state = id + JSON.stringify([table.seats, table.stacked_for]);
    if (state === this.shown) return;
    this.shown = state;
    const names = (/** @type {number} */ seat) => table.seats[seat].name;
    const order = result.scores.map((_, seat) => seat).sort((a, b) => result.scores[b] - result.scores[a] || a - b);
    const rows = order.map((seat) =>
      h(
        "tr",
        { "data-mark": result.winners.includes(seat) ? "won" : null },
        h("th", { scope: "row" }, h("span", { class: "result-face" }, makePortrait(table.seats[seat])), h("span", {}, names(seat))),
        h("td", {}, figure(result.scores[seat])),
        h("td", {}, figure(table.seats[seat].wins)),
      ),
    );
    this.body.replaceChildren(
      h("h2", {}, ...rich(result.text, names)),
      table.stacked_for >= 0 ? h("p", { class: "owned-up" }, t("The house owns up: the deck was stacked for {name}.", { name: names(table.stacked_for) })) : "",
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, t("Player"))), h("th", { scope: "col" }, t("Score")), h("th", { scope: "col" }, t("Matches won")))),
        h("tbody", {}, ...rows),
      ),
    );
    const open = table.seats.some((seat) => seat.kind === "open");
    this.chairs.hidden = !(you.host || you.seat !== null || open);
    if (open) this.chairs.open = true;
    this.seats.draw(table, you);
  }

  dismiss() {
    if (this.root.hidden) return false;
    this.dismissed = this.shown.slice(0, this.shown.indexOf("["));
    this.root.hidden = true;
    return true;
  }
}
