// @ts-check
/** Zones: hands, rows, piles and slots, and which of their pieces may be picked or targeted. */
import { hasFace } from "../../art/cards.js";
import { isDrawn } from "../../art/symbols.js";
import { t } from "../i18n.js";
import { attr, h, sync, write } from "./dom.js";
import { figures, figureName } from "./figures.js";
import { makePiece, updatePiece } from "./pieces.js";
import { figure, ofOneself, spoken } from "./text.js";
import { captions, wordsOf } from "./trick.js";

/** @typedef {import("./types.js").Zone} Zone */
/** @typedef {import("./text.js").Names} Names */

/**
 * What the renderer needs besides the view: what may be tapped now, and what moved last.
 * @typedef {object} Touch
 * @property {ReadonlySet<string>} pickable ids of pieces that may be picked
 * @property {readonly string[]} picked ids of pieces that are picked
 * @property {ReadonlySet<string>} targets `seat:2`, `zone:pool`, `piece:x`
 * @property {string | null} aimed the target that is chosen
 * @property {ReadonlySet<string>} last ids of pieces that moved last
 * @property {Names} names
 * @property {{cards: ReadonlySet<string>, card: string}} [ahead] cards that may be chosen ahead, and the one that is
 * @property {import("./path.js").Path | null} [path] the path that is being drawn over a grid, in games with such moves
 */

/**
 * What the surroundings add to a piece: more words, and its part in the drawn path.
 * @typedef {object} Setting
 * @property {string[]} words
 * @property {"on" | "next" | "shut" | null} path on the path, possible next, or not possible now
 * @property {number | null} order its position on the path, from 1
 */

/** @param {Element} parent @param {Zone[]} zones @param {Touch} touch @param {boolean} [own] they are the viewer's */
export function drawZones(parent, zones, touch, own = false) {
  const onFelt = zones.filter((zone) => zone.layout !== "notes"); // those are read in panels beside the table
  sync(
    parent,
    onFelt,
    (zone) => zone.id,
    makeZone,
    (node, zone) => updateZone(node, zone, touch, own),
  );
}

/** @param {Zone} zone */
function makeZone(zone) {
  return h(
    "section",
    { class: "zone", "data-zone": zone.id, "data-layout": zone.layout },
    h(
      "div",
      { class: "zone-body" },
      h("ul", { class: "pieces", role: "list" }),
      h("span", { class: "zone-size", hidden: true }),
    ),
    h("span", { class: "zone-total", hidden: true }),
    h("p", { class: "zone-label", "aria-hidden": "true" }),
  );
}

/** Whether a piece has to be seen whole to be known. @param {import("./types.js").Piece} piece @param {Zone["layout"]} layout */
const isWhole = (piece, layout) =>
  (figures()?.hasFigure(figureName(piece)) ?? false) ||
  (layout === "row" && !!piece.face && !hasFace(piece.face) && !isDrawn(piece));

/** @param {HTMLElement} node @param {Zone} zone @param {Touch} touch @param {boolean} own */
function updateZone(node, zone, touch, own) {
  const [body, total, label] = /** @type {HTMLElement[]} */ ([...node.children]);
  const [list, size] = /** @type {HTMLElement[]} */ ([...body.children]);
  const words =
    own && zone.seat !== undefined ? ofOneself(zone.label, zone.seat, touch.names) : spoken(zone.label, touch.names);
  write(label, words);
  attr(label, "title", words);
  const count = zone.size ?? zone.pieces.length;
  const pile = zone.layout === "pile";
  attr(node, "data-empty", count === 0);
  attr(list, "aria-label", describe(words, zone, count));
  const shown = pile ? zone.pieces.slice(-2) : zone.pieces;
  const trick = zone.layout === "trick";
  drawPieces(list, shown, touch, undefined, trick ? wordsOf(zone, touch.names) : undefined);
  if (trick) captions(list, shown, touch.names);
  // The kind of figures here; an empty place keeps the size of the last one.
  const drawn = shown.map(figureName).find((face) => figures()?.hasFigure(face));
  if (drawn) attr(node, "data-holds", figures()?.kindOf(drawn));
  else if (shown.length) attr(node, "data-holds", "card"); // for example a face-down card: taller than most figures
  // Dice, tokens and cards with words lie apart: a corner of them says nothing, except that of a card in a hand.
  if (shown.some((piece) => isWhole(piece, zone.layout))) attr(node, "data-whole", true);
  // The most pieces that were here in this match: a zone that has grown stays large, so that nothing beside it shifts.
  const most = Math.max(1, shown.length, Number(node.dataset.most ?? 1));
  attr(node, "data-most", most);
  if (count) attr(node, "data-ever", true);
  if (zone.pieces.some(({ face }) => face)) attr(node, "data-open", true);
  const badge = Math.max(Number(node.dataset.badge ?? 0), ...zone.pieces.map((piece) => piece.badge?.length ?? 0));
  attr(node, "data-badge", badge || null);
  attr(node, "data-live", livest(node.dataset.live, zone, own, touch));
  node.style.setProperty("--depth", String(pile ? Math.min(6, Math.ceil(count / 5)) : 0));
  size.hidden = count === 0 || !(pile || zone.size !== undefined);
  write(size, String(count));
  total.hidden = zone.total === undefined;
  if (zone.total !== undefined) countUp(total, zone.total);
  aim(node, `zone:${zone.id}`, words, touch);
}

/**
 * Which cards of a place could ever be tapped: none, the top one only, or any. Those of the visitor's own hand can.
 * @param {string | undefined} before @param {Zone} zone @param {boolean} own @param {Touch} touch
 */
function livest(before, { layout, pieces }, own, touch) {
  if (before === "all" || (own && layout === "hand")) return "all";
  const live = pieces.map(({ id }) => touch.pickable.has(id) || touch.targets.has(`piece:${id}`));
  if (live.slice(0, -1).some(Boolean)) return "all";
  return live.at(-1) || before === "top" ? "top" : null;
}

/**
 * The pieces of a zone or a space, as a list.
 * @param {HTMLElement} list @param {import("./types.js").Piece[]} pieces @param {Touch} touch
 * @param {(piece: import("./types.js").Piece) => Setting} [settingOf] on a grid
 * @param {(piece: import("./types.js").Piece) => string[]} [wordsOf] more words for their labels
 */
export function drawPieces(list, pieces, touch, settingOf, wordsOf) {
  sync(
    list,
    pieces,
    (piece) => piece.id,
    (piece) => h("li", {}, makePiece(piece)),
    (item, piece) => {
      const card = /** @type {HTMLElement} */ (item.firstElementChild);
      const setting = settingOf?.(piece);
      updatePiece(card, piece, touch.names, setting?.words ?? wordsOf?.(piece));
      touchPiece(card, piece.id, touch, setting);
    },
  );
}

/** @param {string} words @param {Zone} zone @param {number} count */
function describe(words, zone, count) {
  const parts = [words];
  if (count !== zone.pieces.length || zone.layout === "pile") parts.push(t("{n} cards", { n: count }));
  if (count === 0) parts.push(t("empty"));
  if (zone.total !== undefined) parts.push(t("total {n}", { n: zone.total }));
  return parts.join(", ");
}

/** A legal piece is a button; any other is a picture. @param {HTMLElement} card @param {string} id @param {Touch} touch @param {Setting} [setting] */
function touchPiece(card, id, touch, setting) {
  const lit = touch.targets.has(`piece:${id}`);
  const legal = lit || touch.pickable.has(id);
  const picked = touch.picked.includes(id);
  const aimed = touch.aimed === `piece:${id}`;
  const ahead = !!touch.ahead?.cards.has(id);
  const chosen = ahead && touch.ahead?.card === id;
  const button = legal || ahead || setting?.path === "on" || setting?.path === "next";
  attr(card, "role", button ? "button" : "img");
  attr(card, "tabindex", button ? 0 : setting ? -1 : null); // arrow keys move over all cells of a grid
  attr(card, "aria-pressed", ahead ? String(chosen) : legal && (!lit || aimed) ? String(picked || aimed) : null);
  attr(card, "data-ahead", ahead ? (chosen ? "chosen" : "open") : null);
  attr(card, "data-legal", legal);
  attr(card, "data-picked", picked);
  attr(card, "data-lit", lit);
  attr(card, "data-aimed", aimed);
  attr(card, "data-last", touch.last.has(id));
  attr(card, "data-path", setting?.path);
  attr(card, "data-order", setting?.order);
}

/**
 * Highlight a place as a target: a button over all of it, while something may go there.
 * @param {HTMLElement} node @param {string} target @param {string} words @param {Touch} touch
 */
export function aim(node, target, words, touch) {
  const lit = touch.targets.has(target);
  const button = node.querySelector(":scope > .aim");
  attr(node, "data-lit", lit);
  if (!lit) return button?.remove();
  const aim = button ?? node.appendChild(h("button", { class: "aim", type: "button", "data-target": target }));
  attr(aim, "aria-label", words);
  attr(aim, "aria-pressed", touch.aimed === target ? "true" : null);
  attr(aim, "data-aimed", touch.aimed === target);
}

/** @type {WeakMap<HTMLElement, number>} */
const counting = new WeakMap();

/** Show a value, counting up or down to it from the one shown before. @param {HTMLElement} node @param {number} value */
function countUp(node, value) {
  const from = node.dataset.value === undefined ? value : Number(node.dataset.value);
  attr(node, "data-value", value);
  attr(node, "aria-hidden", "true");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
  if (from === value && counting.has(node)) return;
  cancelAnimationFrame(counting.get(node) ?? 0);
  counting.delete(node);
  if (from === value || still) return write(node, figure(value));
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const share = Math.min(1, (now - start) / 450);
    write(node, figure(Math.round(from + (value - from) * share)));
    if (share < 1) counting.set(node, requestAnimationFrame(step));
    else counting.delete(node);
  };
  counting.set(node, requestAnimationFrame(step));
  node.animate([{ transform: "scale(1.35)" }, { transform: "scale(1)" }], { duration: 450, easing: "ease-out" });
}
