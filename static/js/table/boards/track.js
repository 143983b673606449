// @ts-check
/** A track as a loop around the middle of the table: wide and low on a desk, narrow and high on a phone. */
import { t } from "../../i18n.js";
import { attr, placesOn, write } from "../dom.js";
import { spoken } from "../text.js";
import { aim, drawPieces } from "../zones.js";

/** @typedef {import("../types.js").Space} Space */

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

/** How many columns and rows a loop of so many spaces may have. @param {number} count @returns {[number, number][]} */
export function loops(count) {
  const sides = Math.ceil((count + 4) / 2);
  return Array.from({ length: Math.max(1, sides - 5) }, (_, i) => [sides - 3 - i, 3 + i]);
}

/** Whether the left side of a loop has no spaces, so that its inside reaches to the edge. @param {number} columns @param {number} rows @param {number} spaces */
export const open = (columns, rows, spaces) => 2 * (columns + rows) - 4 - spaces >= rows - 2;

/** Arrange the spaces around a loop. @param {Element} list @param {number} columns @param {number} rows */
export function layTrack(list, columns, rows) {
  const places = around(columns, rows);
  const spaces = /** @type {HTMLElement[]} */ ([...list.children]);
  for (const [i, space] of spaces.entries()) space.style.gridArea = `${places[i][1]} / ${places[i][0]}`;
}

/** @param {HTMLElement} node @param {Space} space @param {import("../zones.js").Touch} touch */
export function updateTrackSpace(node, space, touch) {
  const [label, stack] = /** @type {HTMLElement[]} */ ([...node.children]);
  const words = space.label ? spoken(space.label, touch.names) : space.id;
  write(label, words);
  attr(node, "data-marks", space.marks.join(" ") || null);
  attr(
    stack,
    "aria-label",
    space.pieces.length > 1
      ? t("Space {name}, from bottom to top", { name: words })
      : t("Space {name}", { name: words }),
  );
  stack.style.setProperty("--count", String(space.pieces.length));
  drawPieces(stack, space.pieces, touch);
  aim(node, `zone:${space.id}`, t("Space {name}", { name: words }), touch);
}

/**
 * The route of a piece: the middles of the spaces between two of the same track, through a space that moved it further.
 * @param {HTMLElement} root the felt @param {string} source @param {string} target @param {string} [via]
 * @returns {{x: number, y: number}[]} as seen from the middle of the last space; empty when there is nothing between
 */
export function route(root, source, target, via) {
  const at = (/** @type {string} */ id) => root.querySelector(`.board-track .space[data-zone="${CSS.escape(id)}"]`);
  const [from, to, by] = [at(source), at(target), via ? at(via) : null];
  if (!from || !to || from.parentElement !== to.parentElement) return [];
  const spaces = [.../** @type {Element} */ (from.parentElement).children];
  const stops = [from, ...(by ? [by] : []), to].map((space) => spaces.indexOf(space));
  /** @type {number[]} */
  const passed = [];
  for (let leg = 1; leg < stops.length; leg++) {
    const step = Math.sign(stops[leg] - stops[leg - 1]);
    for (let place = stops[leg - 1]; step && place !== stops[leg]; ) {
      place += step;
      passed.push(place);
    }
  }
  const place = placesOn(root);
  const middle = (/** @type {Element} */ space) => {
    const box = place(space);
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const end = middle(to);
  return passed.slice(0, -1).map((place) => {
    const spot = middle(spaces[place]);
    return { x: spot.x - end.x, y: spot.y - end.y };
  });
}
