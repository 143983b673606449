// @ts-check
/** The table of chances, which anybody could compute: shown on request, and open until the visitor closes it. */
import { t } from "../../i18n.js";
import { attr, h, picture } from "../dom.js";
import { figures } from "../figures.js";
import { pieceOf } from "../pieces.js";
import { rich, short, spoken } from "../text.js";

export class OddsPanel {
  constructor() {
    this.summary = h("summary", {});
    this.body = h("div", { class: "odds-body unfolded" });
    this.root = h("details", { class: "odds", hidden: true }, this.summary, this.body);
    this.shown = "";
  }

  /** @param {import("../types.js").View} view @param {import("../text.js").Names} names */
  draw(view, names) {
    const { odds } = view;
    this.root.hidden = !odds;
    const key = JSON.stringify(odds);
    if (!odds || key === this.shown) return;
    this.shown = key;
    const title = short(odds.title, names);
    this.summary.replaceChildren(title);
    attr(this.summary, "title", title);
    // The short sign: per cent, or numbers of cards.
    attr(
      this.summary,
      "data-percent",
      odds.rows.some(({ cells }) => cells.some((cell) => cell.includes("%"))),
    );
    attr(this.body, "data-title", title);
    const pictures = figures();
    const rows = odds.rows.map((row) => {
      const piece = pieceOf(view, row.piece);
      const face = piece?.face ?? row.piece;
      const words = piece?.label ? spoken(piece.label, names) : t(row.piece);
      const { href, box } = pictures?.hasFigure(face) ? pictures.figureOf(face) : { href: "", box: "" };
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, href ? picture(href, "odds-art", box) : null, words),
        ...row.cells.map((cell) => h("td", {}, cell)),
      );
    });
    const head = h(
      "tr",
      {},
      h("td", {}),
      ...odds.columns.map((column) => h("th", { scope: "col" }, ...rich(column, names))),
    );
    this.body.replaceChildren(h("table", { "aria-label": title }, h("thead", {}, head), h("tbody", {}, ...rows)));
  }
}
