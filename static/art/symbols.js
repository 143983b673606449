// @ts-check
/**
 * The symbols of cards that are no French playing cards, in a box from -10 to 10, and such a card, 100 x 140.
 * Shapes take their colours from the card's frame: see `.drawn` in css/table/cards.css.
 */
import { HAMSTER_FACE, PIPS, SITTING_HAMSTER, SUIT_PATHS, tileCorners } from "./cards.js";

const LINE = 'fill="none"';
/** @param {string} d */
const path = (d) => `<path d="${d}"/>`;

/** By the names in `Symbol` of games/core/view.py. @type {Record<string, string>} */
export const SYMBOLS = {
  triangle: path("M0-9 9.5 7.5H-9.5Z"),
  circle: '<circle r="8.5"/>',
  square: '<rect x="-8" y="-8" width="16" height="16" rx="1"/>',
  hexagon: path("M-9 0-4.5-8h9L9 0 4.5 8h-9Z"),
  star: path("M0-9.8 2.6-3.2 9.5-2.8 4.2 1.6 5.9 8.4 0 4.7-5.9 8.4-4.2 1.6-9.5-2.8-2.6-3.2Z"),
  moon: path("M4-8.8A9.2 9.2 0 1 0 8.8 4.4 7.4 7.4 0 0 1 4-8.8Z"),
  drop: path("M0-9.8C3-5 6.8-1.6 6.8 3A6.8 6.8 0 0 1-6.8 3C-6.8-1.6-3-5 0-9.8Z"),
  leaf: `${path("M-7.5 8.5C-9.5-3-3-9 8.5-9 9.5 2 4 9-5 6.6Z")}<path d="M-8.5 9.5C-5 3-1-1.5 4-5" ${LINE}/>`,
  flame: `${path("M1-9.8C2-5 7.5-2.5 7.5 3A7.5 7.5 0 0 1-7.5 3C-7.5-1-4.5-2.5-4-6.5-2-5.5-1-4-.8-2.5.800-4.5 1.4-7 1-9.8Z")}<path d="M0 9C-4 7-2.5 3 0 1 2.5 3 4 7 0 9Z" ${LINE}/>`,
  wave: path("M-9.8 3C-8-5-1-9.5 5.5-7.5 9-6.3 9.8-2.5 7-1.5 5.5-4 2.5-3.5 2.5-.5 2.5 2.5 6 3.5 9.8 2.5V7.5H-9.8Z"),
  sun: `${path("M0-9.8 2.3-6.3 6.5-7.3 6.3-3.1 9.8-.8 7 2.4 8 6.5 3.8 6.5 1.5 9.8-1.5 7-5.3 8.3-5.8 4.2-9.5 2.2-7.2-1.3-8.5-5.3-4.4-5.5-2.8-9.3Z")}<circle r="3.4" ${LINE}/>`,
  cross: path("M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z"),
  mountain: `${path("M-9.8 8-2.5-8 2.2 0 4.5-3.5 9.8 8Z")}<path d="M-5.3-2-3-3.5-1.5-1.5.7-2.6" ${LINE}/>`,
  bolt: path("M2.5-9.8-7 2H-1L-3 9.8 7-2.5H1Z"),
  crown: `${path("M-9-6-4.5-1.5 0-8.5 4.5-1.5 9-6 7.2 7.5H-7.2Z")}<path d="M-7 4.3H7" ${LINE}/>`,
  tree: path("M0-9.8 5-3.5H2.8L7 0H4L8.2 5H1.5V9.5H-1.5V5H-8.2L-4 0H-7L-2.8-3.5H-5Z"),
  flower: `${path("M0-3A4 4 0 1 1 3-1 4 4 0 1 1 2 3 4 4 0 1 1-2 3 4 4 0 1 1-3-1 4 4 0 1 1 0-3Z")}<circle r="2.8" cy=".5" ${LINE}/>`,
  bell: `${path("M-1.5-8.5A1.5 1.5 0 0 1 1.5-8.5C5-7.5 6-4 6-1 6 3 7 4.5 8.5 6H-8.5C-7 4.5-6 3-6-1-6-4-5-7.5-1.5-8.5Z")}${path("M-2.5 6A2.5 3 0 0 0 2.5 6Z")}`,
  shield: `${path("M-8-8.5Q0-6 8-8.5V0C8 5 4 8 0 9.8-4 8-8 5-8 0Z")}<path d="M0-6.5V8M-7-1H7" ${LINE}/>`,
  acorn: `${path("M-6-1.5C-6 4-3 7 0 9.8 3 7 6 4 6-1.5Z")}${path("M-8-1.5C-8-6-4-7.5-1-7.5L-.5-9.8H1.5L1-7.5C4-7.5 8-6 8-1.5Z")}`,
  coin: `<circle r="9"/><circle r="6" ${LINE}/><path d="M0-4 1.4-1.4 4 0 1.4 1.4 0 4-1.4 1.4-4 0-1.4-1.4Z" ${LINE}/>`,
  cup: path("M-7-9H7C7-3 5.5 1 1.5 2V5.5C4 6 5 7.5 5 9.5H-5C-5 7.5-4 6-1.5 5.5V2C-5.5 1-7-3-7-9Z"),
  sword: path("M0-9.8 2-7V3H6V5.5H1.5V9.5H-1.5V5.5H-6V3H-2V-7Z"),
  baton: `<g transform="rotate(35)">${path("M-1.6 9.8-3.6-5.8A3.6 4 0 0 1 3.6-5.8L1.6 9.8Z")}<path d="M-3-1.5-.5-3M2.2 3.5 0 5M0-9V-6.5" ${LINE}/></g>`,
  heart: path(SUIT_PATHS.H),
  diamond: path(SUIT_PATHS.D),
  club: path(SUIT_PATHS.C),
  spade: path(SUIT_PATHS.S),
};

/** @typedef {{corner?: string, symbol?: string, colour?: string, number?: number}} Picture */
/** @typedef {import("../js/table/types.js").OwnPicture} OwnPicture */

const SPACE = "http://www.w3.org/2000/svg";
// What games/recycle/svg.py lets through; nothing else is drawn, whatever a page is sent.
const TAGS = ["path", "circle", "ellipse", "rect", "line", "polyline", "polygon"];
const PLACES = "d points cx cy r rx ry x y width height x1 y1 x2 y2 transform opacity".split(" ");
const PAINTS =
  "fill fill-rule fill-opacity stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit".split(
    " ",
  );
const OUTLINE = 0.9 / 20; // of a symbol, as a share of its box

/** Symbols that authors of games drew, by what pieces have as their symbol. @type {Map<string, OwnPicture>} */
const own = new Map();

/** Get to know the symbols of a game. @param {Record<string, OwnPicture>} [pictures] */
export function keepPictures(pictures = {}) {
  for (const [name, picture] of Object.entries(pictures)) own.set(name, picture);
}

/** Whether there is a symbol of that name. @param {string} symbol */
export const hasSymbol = (symbol) => Object.hasOwn(SYMBOLS, symbol) || own.has(symbol);

/** A symbol that an author drew, in a box from -10 to 10. @param {OwnPicture} picture */
function ownSymbol({ box, shapes, plain }) {
  const svg = document.createElementNS(SPACE, "svg");
  const [, , width = 20, height = 20] = box.split(/[\s,]+/).map(Number);
  const outline = plain ? { "stroke-width": String(Math.max(width, height) * OUTLINE) } : { stroke: "none" };
  const place = { x: "-10", y: "-10", width: "20", height: "20", viewBox: box, ...outline };
  for (const [name, value] of Object.entries(place)) svg.setAttribute(name, value);
  for (const { tag, attributes } of shapes) {
    if (!TAGS.includes(tag)) continue;
    const node = svg.appendChild(document.createElementNS(SPACE, tag));
    for (const [name, value] of Object.entries(attributes)) {
      const inherits = value === "currentColor" && name === "fill";
      const safe = PLACES.includes(name) || (PAINTS.includes(name) && !value.includes("("));
      if (safe && !inherits) node.setAttribute(name, value === "currentColor" ? "var(--symbol)" : value);
    }
  }
  return svg;
}

/** Put symbols that authors drew where markup has a place for them. @param {Element} node */
function fill(node) {
  for (const place of node.querySelectorAll("[data-own]")) {
    const picture = own.get(place.getAttribute("data-own") ?? "");
    if (picture) place.append(ownSymbol(picture));
  }
}

/** Whether a card is drawn with a corner or a symbol. @param {Picture} picture */
export const isDrawn = ({ corner, symbol }) => !!corner || (!!symbol && hasSymbol(symbol));

const STRIP = 24; // the width of a corner that is seen where cards overlap
const MIDDLE = 56;

/** About the width of a letter, as a share of its height. @param {string} letter */
const breadth = (letter) =>
  /[\dIJ]/.test(letter) ? 0.52 : /[MW]/.test(letter) ? 1 : /[A-Z]/.test(letter) ? 0.78 : 0.58;

/** The height of letters that fill a width. @param {string} letters @param {number} width @param {number} most */
const height = (letters, width, most) =>
  Math.min(most, Math.floor(width / [...letters].reduce((sum, letter) => sum + breadth(letter), 0)));

const LONGEST_NAME = 10; // letters that have room in one line

/** @param {string} symbol @param {number} x @param {number} y @param {number} scale */
function shape(symbol, x, y, scale) {
  if (!symbol) return "";
  const place = `class="symbol" transform="translate(${x} ${y}) scale(${scale})"`;
  return own.has(symbol) ? `<g ${place} data-own="${symbol}"></g>` : `<g ${place}>${SYMBOLS[symbol]}</g>`;
}

/** A symbol several times, as the pips of a playing card. @param {string} symbol @param {number} number */
function pips(symbol, number) {
  const places = PIPS[number] ?? [[62.5, 70]];
  const scale = number < 4 ? 1.5 : number < 7 ? 1.25 : 0.95;
  return places.map(([x, y]) => shape(symbol, x, 70 + (y - 70) * 0.9, scale)).join("");
}

/** Markup as a picture in the page. @param {string} more attributes @param {string} body @param {string} [box] */
function drawing(more, body, box = "0 0 100 140") {
  const svg = `<svg xmlns="${SPACE}" viewBox="${box}" aria-hidden="true" ${more}>${body}</svg>`;
  const node = /** @type {SVGElement} */ (
    /** @type {unknown} */ (
      document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true)
    )
  );
  fill(node);
  return node;
}

/** The suits that have another colour where there are four, in their usual one. @type {Record<string, string>} */
const FOUR_COLOURS = { diamond: "red", club: "black" };

const PAPER = '<rect class="paper" x=".75" y=".75" width="98.5" height="138.5" rx="9"/>';

/** A drawn card. @param {Picture} picture @param {string} words its name */
export function drawnCard({ corner = "", symbol = "", colour = "", number = 1 }, words) {
  const known = hasSymbol(symbol) ? symbol : "";
  const index = corner
    ? `<text class="index" x="10" y="35" font-size="${height(corner, STRIP, 30)}"></text>${shape(known, 20.5, 50, 0.85)}`
    : shape(known, 23, 24, 1.15);
  const large = height(corner, 72, MIDDLE);
  const several = !!known && number > 1;
  const middle = several
    ? pips(known, number)
    : known
      ? shape(known, 50, 72, corner ? 2.3 : 2.8)
      : `<text class="index" x="50" y="${70 + large * 0.35}" font-size="${large}" text-anchor="middle"></text>`;
  const name = corner && words.startsWith(`${corner} `) ? words.slice(corner.length + 1) : words;
  const fits = !several && name !== corner && [...name].length <= LONGEST_NAME;
  const node = drawing(
    'class="piece-art drawn"',
    `${PAPER}<rect class="frame" x="6.5" y="6.5" width="87" height="127" rx="5"/>
    ${index}${middle}${several ? "" : `<g class="turned" transform="rotate(180 50 70)">${index}</g>`}
    ${fits ? '<text class="name" x="50" y="111" text-anchor="middle"></text>' : ""}`,
  );
  if (colour) node.setAttribute("data-colour", colour);
  if (fits) node.setAttribute("data-named", "");
  if (FOUR_COLOURS[symbol] === colour) node.setAttribute("data-suit", symbol);
  for (const text of node.querySelectorAll("text")) text.textContent = text.matches(".name") ? name : corner;
  return node;
}

/** Whether a face-down piece has a back of its own. @param {Picture & {face?: string}} piece */
export const hasOwnBack = ({ face, symbol, colour }) => !face && (!!colour || (!!symbol && hasSymbol(symbol)));

/** The back of a card: a tile in its colour, with its symbol or a hamster. @param {Picture} picture */
export function drawnBack({ symbol = "", colour = "" }) {
  const known = hasSymbol(symbol) ? symbol : "";
  const hamster = `<g class="hamster" transform="translate(0 -5)">${SITTING_HAMSTER}<g class="hamster-face">${HAMSTER_FACE}</g></g>`;
  const node = drawing(
    'class="piece-art drawn drawn-back"',
    `${PAPER}<rect class="ground" x="5.5" y="5.5" width="89" height="129" rx="5.5"/><g class="lines">${tileCorners()}
    <circle cx="50" cy="70" r="37"/></g>${known ? shape(known, 50, 70, 2.5) : hamster}`,
  );
  if (colour) node.setAttribute("data-colour", colour);
  return node;
}

/** A symbol alone, as on a die or a token. @param {string} symbol @param {string} ink @param {string} line its lines and outline */
export function drawnSign(symbol, ink, line) {
  const node = drawing('class="sign"', shape(symbol, 0, 0, 1), "-11 -11 22 22");
  node.style.setProperty("--symbol", ink);
  node.style.setProperty("--line", line);
  return node;
}
