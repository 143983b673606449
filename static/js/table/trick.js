// @ts-check
/** A trick: how its cards lie towards their players, and the last one that was won, which is shown on request. */
import { t } from "../i18n.js";
import { attr, h, sync, write } from "./dom.js";
import { makePiece, updatePiece } from "./pieces.js";
import { isReader, spoken } from "./text.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Zone} Zone */
/** @typedef {import("./text.js").Names} Names */

/**
 * Where the cards of a trick lie: `columns` and `rows` is how many cards there is room for, `spots` the left and upper
 * edge of each player's card in these units. The viewer is first, then the others clockwise.
 * @typedef {{columns: number, rows: number, spots: [number, number][]}} Compass
 */

const ACROSS = 6; // cards of players opposite in one row
const MOST_IN_A_ROW = 7;
const LOWER = 0.24; // in one row: how much lower the viewer's card lies

/**
 * Lay cards towards their players. In `flat` they lie in one row, those of players opposite higher; null if that is
 * too long.
 * @param {number} players @param {boolean} flat @param {number} [lower] how much lower the viewer's card lies in a row
 * @returns {Compass | null}
 */
export function compass(players, flat, lower = LOWER) {
  const others = players - 1;
  if (flat) {
    if (players > MOST_IN_A_ROW) return null;
    const before = Math.ceil(others / 2);
    const side = (/** @type {number} */ i) => others > 2 && (i === 0 || i === others - 1);
    return {
      columns: players,
      rows: 1 + lower,
      spots: [
        [before, lower],
        ...Array.from(
          { length: others },
          (_, i) => /** @type {[number, number]} */ ([i < before ? i : i + 1, side(i) ? lower / 2 : 0]),
        ),
      ],
    };
  }
  const sides = others > 2 ? 2 : 0;
  const opposite = others - sides;
  const lines = Math.ceil(opposite / ACROSS);
  const longest = Math.ceil(opposite / Math.max(1, lines));
  const columns = Math.max(sides + 1, longest);
  /** @type {[number, number][]} */
  const spots = Array.from({ length: opposite }, (_, i) => {
    const line = Math.floor(i / longest);
    const many = Math.min(longest, opposite - line * longest);
    return [(columns - many) / 2 + (i % longest), line];
  });
  // Beside a single card opposite there is room for the others to lie between it and the viewer's.
  const height = opposite === 1 ? 0.5 : lines;
  if (sides) spots.splice(0, spots.length, [0, height], ...spots, [columns - 1, height]);
  return { columns, rows: lines + 1, spots: [[(columns - 1) / 2, lines], ...spots] };
}

/** What is said about a card of a trick besides its name. @param {Piece} piece @param {number} place in the order of play, from 0 @param {Names} names */
function words({ seat = -1 }, place, names) {
  return [t("played by {name}", { name: names(seat) }), ...(place === 0 ? [t("led")] : [])];
}

/** The words for the cards of a trick. @param {Zone} zone @param {Names} names @returns {(piece: Piece) => string[]} */
export function wordsOf({ pieces }, names) {
  return (piece) => words(piece, pieces.indexOf(piece), names);
}

/** Write under each card whose it is, and its place in the order of play. @param {HTMLElement} list @param {Piece[]} pieces @param {Names} names */
export function captions(list, pieces, names) {
  for (const [place, piece] of pieces.entries()) {
    const item = /** @type {HTMLElement} */ (list.children[place]);
    attr(item, "data-seat", piece.seat);
    const caption = item.querySelector(".played-by") ?? item.appendChild(makeCaption());
    const [order, name] = /** @type {HTMLElement[]} */ ([...caption.children]);
    write(order, String(place + 1));
    write(name, isReader(piece.seat) ? t("you") : names(piece.seat ?? -1));
    attr(name, "data-you", isReader(piece.seat));
    attr(item, "data-led", place === 0);
    attr(item, "data-won", piece.mark === "won");
  }
}

function makeCaption() {
  return h(
    "span",
    { class: "played-by", "aria-hidden": "true" },
    h("span", { class: "order" }),
    h("span", { class: "name" }),
  );
}

/** Draw the cards of a trick in a list that is no place of the table. @param {HTMLElement} list @param {Zone} trick @param {Names} names */
export function drawWon(list, trick, names) {
  const said = wordsOf(trick, names);
  sync(
    list,
    trick.pieces,
    (piece) => piece.id,
    (piece) => h("li", {}, makePiece(piece)),
    (item, piece) => {
      const card = /** @type {HTMLElement} */ (item.firstElementChild);
      card.removeAttribute("data-piece"); // it lies elsewhere, or nobody sees it any more
      updatePiece(card, piece, names, said(piece));
    },
  );
  captions(list, trick.pieces, names);
}

/** The last trick that was won: a button, and its cards once that is pressed. */
export class LastTrick {
  constructor() {
    this.summary = h("summary", {});
    this.list = h("ol", { class: "last-trick-cards", role: "list" });
    this.root = h(
      "details",
      { class: "last-trick", hidden: true },
      this.summary,
      h("div", { class: "last-trick-body unfolded" }, this.list),
    );
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.root.open) return;
      event.stopPropagation();
      this.root.open = false;
      this.summary.focus();
    });
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.root.contains(relatedTarget)) this.root.open = false;
    });
  }

  /** @param {import("./types.js").View} view @param {Names} names */
  draw(view, names) {
    const trick = view.last_trick;
    this.root.hidden = !view.zones.some(({ layout }) => layout === "trick"); // its room is kept from the start
    attr(this.root, "data-none", !trick);
    if (!trick) {
      this.root.open = false;
      return;
    }
    const label = spoken(trick.label, names);
    write(this.summary, label);
    attr(this.list, "aria-label", label);
    drawWon(this.list, trick, names);
  }
}
