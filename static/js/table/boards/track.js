// @ts-check
/** A track as a loop around the middle of the table: wide and low on a desk, narrow and high on a phone. */
import { t } from "../../i18n.js";
import { attr, write } from "../dom.js";
import { spoken } from "../text.js";
import { aim, drawPieces } from "../zones.js";

/** @typedef {import("../types.js").Space} Space */

const ROWS = 4; // on a desk
const COLUMNS = 5; // on a phone

/**
 * Places clockwise around a rectangle, from the upper left: [column, row], counted from 1.
 * @param {number} columns @param {number} rows @returns {[number, number][]}
 */
export function around(columns, rows) {
  /** @type {[number, number][]} */
  const places = [];
  for (let column = 1; column <= columns; column++) places.push([column, 1]);
  for (let row = 2; row <= rows; row++) places.push([columns, row]);
  for (let column = columns - 1; column >= 1; column--) places.push([column, rows]);
  for (let row = rows - 1; row > 1; row--) places.push([1, row]);
  return places;
}

/** How long the other side must be for so many spaces. @param {number} count @param {number} side */
const other = (count, side) => Math.max(3, Math.ceil((count + 4) / 2) - side);

/** @param {HTMLElement} list @param {Space[]} spaces */
export function layTrack(list, spaces) {
  const wide = { columns: other(spaces.length, ROWS), rows: ROWS };
  const narrow = { columns: COLUMNS, rows: other(spaces.length, COLUMNS) };
  const felt = /** @type {HTMLElement} */ (list.closest(".felt"));
  for (const [name, size] of /** @type {[string, {columns: number, rows: number}][]} */ ([["wide", wide], ["narrow", narrow]])) {
    felt.style.setProperty(`--${name}-columns`, String(size.columns));
    felt.style.setProperty(`--${name}-rows`, String(size.rows));
    around(size.columns, size.rows)
      .slice(0, spaces.length)
      .forEach(([column, row], index) => /** @type {HTMLElement} */ (list.children[index]).style.setProperty(`--${name}`, `${row} / ${column}`));
  }
}

/** @param {HTMLElement} node @param {Space} space @param {import("../zones.js").Touch} touch */
export function updateTrackSpace(node, space, touch) {
  const [label, stack] = /** @type {HTMLElement[]} */ ([...node.children]);
  const words = space.label ? spoken(space.label, touch.names) : space.id;
  write(label, words);
  attr(node, "data-marks", space.marks.join(" ") || null);
  attr(stack, "aria-label", space.pieces.length > 1 ? t("Space {name}, from bottom to top", { name: words }) : t("Space {name}", { name: words }));
  attr(stack, "data-count", space.pieces.length || null);
  drawPieces(stack, space.pieces, touch);
  aim(node, `zone:${space.id}`, t("Space {name}", { name: words }), touch);
}
