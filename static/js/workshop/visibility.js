// @ts-check
/** Who sees what: each place by name, and of how many of its cards which seats can tell what they are. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";

/** @typedef {[number, number]} Share how many cards are known, and how many there are */
/** @typedef {{name: string, label: string, word: string, whose: "player" | "table", cards: number, owner: Share, others: Share, spectators: Share}} Row */

export class Visibility {
  constructor() {
    this.body = h("tbody");
    this.note = h("p", { class: "soft" });
    this.root = h(
      "div",
      { class: "visibility" },
      this.note,
      h(
        "table",
        { class: "visibility-table" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...[t("Place"), t("Cards"), t("Its owner"), t("Other players"), t("Spectators")].map((head) =>
              h("th", { scope: "col" }, head),
            ),
          ),
        ),
        this.body,
      ),
      h(
        "p",
        { class: "soft" },
        t(
          "Everybody sees how many cards each place holds, and what is stored, if it is not secret. A card that somebody has seen stays known until it is shuffled.",
        ),
      ),
    );
  }

  /** @param {Row[]} rows @param {number} ply */
  draw(rows, ply) {
    this.note.textContent = rows.length
      ? ply === 0
        ? t("After the deal, who knows which cards are where:")
        : ply === 1
          ? t("After 1 move, who knows which cards are where:")
          : t("After {n} moves, who knows which cards are where:", { n: ply })
      : t("This shows who sees what as soon as the game can be played.");
    this.body.replaceChildren(
      ...rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, row.label, " ", h("code", {}, `${row.word} ${row.name}`)),
          h("td", {}, String(row.cards)),
          ...[row.owner, row.others, row.spectators].map(([known, of]) => {
            const state = of === 0 ? "nobody" : known === of ? "all" : known === 0 ? "none" : "some";
            const words = {
              nobody: "–",
              all: t("all"),
              none: t("only how many"),
              some: t("{known} of {of}", { known, of }),
            }[state];
            return h("td", { "data-known": state }, words);
          }),
        ),
      ),
    );
    /** @type {HTMLElement} */ (this.body.parentElement).hidden = !rows.length;
  }
}
