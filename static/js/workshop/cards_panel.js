// @ts-check
/** How the cards are drawn: a view of [faces], [backs] and [pictures] in the table file, whose text it changes. */
import { keepPictures } from "../../art/symbols.js";
import { t } from "../i18n.js";
import { attr, h, sync, write } from "../table/dom.js";
import { fetchFigures, figures } from "../table/figures.js";
import { makePiece, updatePiece } from "../table/pieces.js";
import { ENOUGH, clearest } from "./contrast.js";
import { canChange, inToml, withLine } from "./faces_text.js";
import { beforeErrors } from "./preview.js";
import { ask } from "./requests.js";
import { chooseSymbol } from "./symbol_dialog.js";

/** @typedef {import("../table/types.js").Piece} Piece */
/** @typedef {import("../table/types.js").OwnPicture} OwnPicture */
/** @typedef {import("./faces_text.js").Said} Said */
/** @typedef {{name: string, word?: string, said: Said, kind?: "deck" | "tokens" | "die", piece: Piece}} Line a value, or a deck from behind */
/** @typedef {{attributes: {key: string, values: Line[], more: number}[], backs: Line[], own: Record<string, string>, pictures: Record<string, OwnPicture>, words: boolean}} Pack */

export const COLOURS = "red blue green yellow purple orange teal pink brown black white grey".split(" "); // Colour, in games/core/view.py
const MOST_SYMBOLS = 10;
const LONGEST_CORNER = 3;
const NO_NAMES = String; // no player has a name here

export class CardsPanel {
  /**
   * @param {string} url where a picture is checked @param {import("./symbol_dialog.js").Limits} limits
   * @param {() => string} text the table file @param {(text: string) => void} change puts another one in its place
   */
  constructor(url, limits, text, change) {
    this.url = url;
    this.limits = limits;
    this.text = text;
    this.change = change;
    /** @type {Pack} */
    this.pack = { attributes: [], backs: [], own: {}, pictures: {}, words: false };
    this.note = h("p", { class: "soft", role: "status" }, t("The cards appear as soon as the text has no errors."));
    this.groups = h("div", { class: "pack-groups" });
    this.root = h(
      "div",
      { class: "pack" },
      beforeErrors(),
      h(
        "p",
        { class: "soft" },
        t("How each value of the cards is drawn. What you change here is written into the words for the table."),
        " ",
        t("The usual drawing follows from the names of the values."),
      ),
      this.note,
      this.groups,
    );
  }

  /** @param {Pack} pack */
  draw(pack) {
    this.pack = pack;
    keepPictures(pack.pictures);
    this.say(
      pack.words
        ? t("Some cards show their words: they have nothing that can be drawn, or two would look the same.")
        : "",
    );
    const groups = [
      ...pack.attributes.map(({ key, values, more }) => ({ key, section: "faces", lines: values, more })),
      { key: t("Backs"), section: "backs", lines: pack.backs, more: 0 },
    ].filter(({ lines }) => lines.length);
    sync(
      this.groups,
      groups,
      ({ key, section }) => `${section} ${key}`,
      () => h("section", { class: "pack-group" }, h("h2", {}), h("div", {}), h("p", { class: "soft" })),
      (node, { key, section, lines, more }) => {
        const [head, list, rest] = /** @type {HTMLElement[]} */ ([...node.children]);
        write(head, key);
        write(rest, more ? t("and {n} more values", { n: more }) : "");
        sync(
          list,
          lines,
          ({ name }) => name,
          (line) => this.make(section, line.name),
          (row, line) => this.update(row, section, line),
        );
      },
    );
    const solid = pack.attributes.some(({ values }) => values.some(({ kind }) => kind !== "deck"));
    if (solid && !figures())
      void fetchFigures().then(
        () => this.draw(this.pack),
        () => {}, // without a connection, the next drawing tries again
      );
  }

  /** @param {string} words */
  say(words) {
    write(this.note, words);
    this.note.hidden = !words;
  }

  /** The line of that name as it is now. @param {string} section @param {string} name @returns {Line | undefined} */
  line(section, name) {
    const lines = section === "backs" ? this.pack.backs : this.pack.attributes.flatMap(({ values }) => values);
    return lines.find((line) => line.name === name);
  }

  /** @param {string} section @param {string} name */
  make(section, name) {
    const change = (/** @type {Said} */ more) => this.write(section, name, more);
    const labelled = (/** @type {string} */ words, /** @type {HTMLElement} */ control, more = "") =>
      h("label", { class: `pack-field ${more}` }, h("span", {}, words), control);
    const options = (/** @type {string[]} */ values, /** @type {string} */ first) =>
      ["", ...values].map((value) => h("option", { value }, value || first));
    const value = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).value.trim();
    const colour = h(
      "select",
      {
        class: "field-input",
        "data-field": "colour",
        onchange: (/** @type {Event} */ event) => change({ colour: value(event) }),
      },
      ...options(COLOURS, t("usual")),
    );
    const numbers = Array.from({ length: MOST_SYMBOLS }, (_, one) => String(one + 1));
    const number = h(
      "select",
      {
        class: "field-input",
        "data-field": "number",
        onchange: (/** @type {Event} */ event) => change({ number: Number(value(event)) }),
      },
      ...options(numbers, t("usual")),
    );
    const corner = h("input", {
      class: "field-input",
      type: "text",
      maxlength: LONGEST_CORNER,
      autocomplete: "off",
      "data-field": "corner",
      onchange: (/** @type {Event} */ event) => change({ corner: value(event) }),
    });
    return h(
      "div",
      { class: "pack-line", role: "group" },
      h("div", { class: "pack-piece" }),
      h("div", { class: "pack-name" }),
      h(
        "div",
        { class: "pack-fields" },
        h("button", {
          class: "button button-small pack-symbol",
          type: "button",
          onclick: () => void this.choose(section, name),
        }),
        labelled(t("Colour"), colour),
        section === "faces" ? labelled(t("Corner"), corner, "pack-short") : null,
        section === "faces" ? labelled(t("Number"), number, "pack-short") : null,
      ),
      h("p", { class: "pack-warning" }),
    );
  }

  /** @param {HTMLElement} row @param {string} section @param {Line} line */
  update(row, section, { name, word, said, piece }) {
    const called = word && word.toLowerCase() !== name.toLowerCase() ? `${name} (${word})` : name;
    attr(row, "aria-label", called);
    const [place, label, fields, warning] = /** @type {HTMLElement[]} */ ([...row.children]);
    const shown = place.querySelector(".piece") ?? place.appendChild(makePiece(piece));
    updatePiece(/** @type {HTMLElement} */ (shown), piece, NO_NAMES);
    label.replaceChildren(h("code", {}, name), called === name ? "" : ` ${word}`);
    const symbol = /** @type {HTMLElement} */ (fields.querySelector(".pack-symbol"));
    write(symbol, t("Symbol: {symbol}", { symbol: said.symbol ?? t("usual") }));
    for (const control of /** @type {NodeListOf<HTMLInputElement>} */ (fields.querySelectorAll("[data-field]"))) {
      const value = String(said[/** @type {keyof Said} */ (control.dataset.field)] ?? "");
      if (document.activeElement !== control || control.tagName === "SELECT") control.value = value;
    }
    const picture = this.pack.pictures[piece.symbol ?? ""];
    const ratio = picture ? clearest(picture, piece.colour ?? "", section === "backs") : ENOUGH;
    write(
      warning,
      ratio < ENOUGH
        ? t("This picture is hardly seen on this colour: its contrast is {n}, and {least} is needed.", {
            n: (Math.floor(ratio * 10) / 10).toFixed(1),
            least: ENOUGH,
          })
        : "",
    );
    warning.hidden = ratio >= ENOUGH;
  }

  /** Change what the table file says of a value or a deck. @param {string} section @param {string} name @param {Said} more @param {string} [picture] SVG of a new symbol */
  write(section, name, more, picture = "") {
    const text = this.text();
    if (!canChange(text, section) || (picture && !canChange(text, "pictures")))
      return this.say(t("The words for the table say this in another way. Change them in the text."));
    const line = this.line(section, name);
    const said = { ...line?.said, ...more };
    if (line) line.said = said; // for a change before the server has answered this one
    const value = Object.values(said).some(Boolean) ? inToml(said) : "";
    const drawn = picture && said.symbol ? withLine(text, "pictures", said.symbol, `'${picture}'`) : text;
    this.change(withLine(drawn, section, name, value));
  }

  /** Let the symbol of a value or a deck be chosen. @param {string} section @param {string} name */
  async choose(section, name) {
    const found = await chooseSymbol({
      title: t("The symbol of {name}", { name }),
      chosen: this.line(section, name)?.said.symbol ?? "",
      own: this.pack.own,
      limits: this.limits,
      check: (markup) => ask(this.url, { markup }),
    });
    if (found) this.write(section, name, { symbol: found.symbol }, found.markup);
  }
}
