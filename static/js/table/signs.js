// @ts-check
/**
 * The things on a table by their signs (`games/core/teaching.py`), such as `zone:hand:0`, `counter:coins` or
 * `mark:dealer`. Tips point at them, and meanings explain them. The lantern marks the seat to act; the ring is its clock.
 */
import { t } from "../i18n.js";
import { spoken } from "./text.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./text.js").Names} Names */

/** A thing on the table: its sign, and the selector of its element. @typedef {[sign: string, selector: string]} Thing */

/** @param {string} text */
const quoted = (text) => `"${CSS.escape(text)}"`;

/** The things that a view shows, the same as in `games.core.teaching.signs`. @param {View} view @returns {Generator<Thing>} */
function* things(view) {
  yield ["prompt", ".controls .prompt"];
  yield ["log", ".panel-log, .bar-button[data-opens=log]"];
  yield ["rules", ".bar-button[data-opens=rules]"];
  for (const word of Object.values(view.phase.args))
    if (typeof word === "string") yield [`phase:${word}`, ".room-phase"];
  if (view.odds) yield ["odds", ".odds"];
  if (view.scoring) yield ["scoring", ".scoring"];
  if (view.settled) yield ["settled", ".last-line"];
  if (view.paths) yield ["path", ".tally"];
  if (view.moves.length || view.paths) yield ["moves", ".scroller > .moves"];
  else if (!view.over) yield ["turn", ".seat[data-acting] .face"];
  for (const move of view.moves) {
    yield [`move:${move.move}`, ".scroller > .moves"];
    for (const part of move.move.split("; ")) yield [`does:${part.split(" ").at(-1)}`, ".scroller > .moves"];
    if (!move.pieces.length) continue;
    const piece = `.felt [data-piece=${quoted(move.pieces[0])}]`;
    yield ["pick", piece];
    if (move.target) yield ["target", piece];
  }
  for (const seat of inOrder(view)) yield* ofSeat(seat);
  for (const zone of view.zones) {
    const at = `.zone[data-zone=${quoted(zone.id)}]`;
    yield [`place:${zone.id}`, at];
    if (zone.pieces.length) yield [`zone:${zone.id}`, at];
    if (zone.total !== undefined) yield [`total:${zone.id}`, `${at} .zone-total`];
    if (zone.size !== undefined || zone.layout === "pile") yield [`size:${zone.id}`, `${at} .zone-size`];
    for (const piece of zone.pieces) yield* ofPiece(piece, zone.id);
  }
  const boards = [...(view.tracks ?? []).map((track) => track.spaces), ...(view.grids ?? []).map((grid) => grid.cells)];
  for (const space of boards.flat()) {
    for (const piece of space.pieces) yield* ofPiece(piece, `piece:${piece.face ?? ""}`);
    for (const mark of space.marks) {
      yield [`space:${mark}`, `.space[data-zone=${quoted(space.id)}] .mark-sign[data-mark=${quoted(mark)}]`];
      yield [`space:${mark}`, `.space[data-zone=${quoted(space.id)}]`]; // some marks are painted on the space and have no element
    }
  }
  if (view.tracks?.length) yield ["track", ".board-track"];
  if (view.grids?.length) yield ["grid", ".board-grid"];
}

/** Seats, the visitor's first, so that a tip about a counter points at the visitor's own. @param {View} view */
const inOrder = (view) => [...view.seats].sort((a, b) => Number(b.seat === view.seat) - Number(a.seat === view.seat));

/** @param {import("./types.js").SeatView} seat @returns {Generator<Thing>} */
function* ofSeat({ seat, state, counters, marks }) {
  const at = `.seat[data-seat="${seat}"]`;
  yield [`seat:${seat}`, `${at} .plate`];
  if (state !== "in") yield [`state:${state}`, `${at} .seat-kind`];
  for (const counter of counters) yield [`counter:${counter.id}`, `${at} .counter[data-key=${quoted(counter.id)}]`];
  for (const mark of marks) yield [`mark:${mark}`, `${at} .mark[data-mark=${quoted(mark)}]`];
}

/** @param {Piece} piece @param {string} where @returns {Generator<Thing>} */
function* ofPiece(piece, where) {
  const at = `.felt [data-piece=${quoted(piece.id)}]`;
  if (piece.face) yield [`piece:${piece.face}`, at];
  if (piece.badge) yield [piece.face ? `badge:${where}` : `known:${where}`, `${at} .badge`];
  if (piece.mark) yield [`decides:${piece.mark}`, at];
}

/** Whether a sign matches a pattern. @param {string} pattern @param {string} sign @param {number | null} [me] whose view it is */
export function matches(pattern, sign, me = null) {
  const named = pattern.replaceAll("{me}", String(me ?? 0));
  return named.endsWith("*") ? sign.startsWith(named.slice(0, -1)) : named === sign;
}

/** @param {View} view @param {string} pattern */
export function there(view, pattern) {
  for (const [sign] of things(view)) if (matches(pattern, sign, view.seat)) return true;
  return false;
}

/** The first visible element whose sign matches a pattern. @param {HTMLElement} room @param {View} view @param {string} pattern @returns {HTMLElement | null} */
export function find(room, view, pattern) {
  for (const [sign, selector] of things(view)) {
    if (!matches(pattern, sign, view.seat)) continue;
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(selector)))
      if (node.checkVisibility({ visibilityProperty: true })) return node;
  }
  return null;
}

// -- meanings

/** The elements that have meanings. */
export const EXPLAINED =
  ".counter, .mark, .mark-sign, .badge, .zone-total, .zone-size, .piece[data-mark], .seat[data-acting] .lantern, .ring[data-running], .seat[data-state]:not([data-state=in]) .seat-kind, .board-track .space[data-marks], .room-chip";

/** The table and the state of its match: on a phone they may be truncated. */
const NAMES = ".room-names";

/** The nearest element at this place that has a meaning, if any. @param {Element} at @returns {HTMLElement | null} */
export function askedAt(at) {
  const near = /** @type {HTMLElement | null} */ (at.closest(`${EXPLAINED}, ${NAMES}`));
  if (near) return near;
  // A card explains its badge, a portrait its clock and its lantern.
  return (
    at.closest(".piece")?.querySelector(".badge") ??
    at.closest(".seat[data-acting] .face")?.querySelector(".ring[data-running], .lantern") ??
    null
  );
}

/** The sign of something that can be explained. @param {HTMLElement} node */
export function signOf(node) {
  const zone = node.closest("[data-zone]")?.getAttribute("data-zone") ?? "";
  const piece = node.closest(".piece");
  if (node.matches(".counter")) return `counter:${node.dataset.key}`;
  if (node.matches(".mark")) return `mark:${node.dataset.mark}`;
  if (node.matches(".mark-sign")) return `space:${node.dataset.mark}`;
  if (node.matches(".zone-total")) return `total:${zone}`;
  if (node.matches(".zone-size")) return `size:${zone}`;
  if (node.matches(".badge"))
    return piece?.getAttribute("data-up") === "yes"
      ? `badge:${node.closest(".space") ? `piece:${piece.getAttribute("data-face") ?? ""}` : zone}`
      : `known:${zone}`;
  if (node.matches(".piece")) return `decides:${node.dataset.mark}`;
  if (node.matches(".space")) return `space:${node.dataset.marks?.split(" ")[0]}`;
  if (node.matches(".seat-kind")) return `state:${node.closest(".seat")?.getAttribute("data-state")}`;
  return node.matches(".lantern") ? "lantern" : node.matches(".ring") ? "ring" : "";
}

/** The name of something, with its number if it has one. @param {HTMLElement} node @returns {string} */
export function termOf(node) {
  const place = () => node.closest(".zone")?.querySelector(".zone-label")?.textContent ?? "";
  if (node.matches(".counter, .mark"))
    return node.querySelector(".visually-hidden")?.textContent ?? node.textContent ?? "";
  if (node.matches(".mark-sign")) return node.dataset.words ?? "";
  if (node.matches(".zone-total")) return t("{place}: total {n}", { place: place(), n: node.textContent ?? "" });
  if (node.matches(".zone-size")) return t("{place}: {n}", { place: place(), n: node.textContent ?? "" });
  if (node.matches(".badge, .piece")) return node.closest(".piece")?.getAttribute("aria-label") ?? "";
  if (node.matches(".space")) return node.querySelector(".space-label")?.textContent ?? "";
  if (node.matches(".lantern")) return t("Lantern");
  if (node.matches(NAMES)) return node.querySelector(".room-title")?.textContent ?? "";
  return node.matches(".ring") ? t("Clock") : (node.textContent ?? "");
}

/**
 * The meaning of a sign: that of its own name, else of the most specific pattern.
 * @param {Record<string, Sentence>} about @param {string} sign @returns {Sentence | null}
 */
export function meaning(about, sign) {
  const [best] = Object.keys(about)
    .filter((pattern) => matches(pattern, sign))
    .sort((a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")) || b.length - a.length);
  return best === undefined ? null : about[best];
}

/** The meaning of an element in words; "" if it has none. @param {HTMLElement} node @param {Record<string, Sentence>} about @param {Names} names */
export function wordsFor(node, about, names) {
  if (node.matches(".room-chip")) return node.dataset.about ?? "";
  if (node.matches(NAMES)) return wordsOfBar(node);
  const sign = signOf(node);
  const text = meaning(about, sign);
  // Of a number of a RECYCLE text that nobody has explained, at least its name there: "counter:player:BID".
  const [kind, owner, name] = sign.split(":");
  if (kind === "counter" && name && text === about["counter:*"])
    return owner === "team"
      ? t("A number of this team. In the text of the game it is called {name}.", { name })
      : t("A number of this player. In the text of the game it is called {name}.", { name });
  return text ? spoken(text, names) : "";
}

/** The words beside the title in the top bar (phase, badges), for screens that cannot show all of them. @param {HTMLElement} names */
function wordsOfBar(names) {
  const lines = /** @type {HTMLElement[]} */ ([...names.children]);
  const chips = [...(names.parentElement?.querySelectorAll(".room-chip") ?? [])];
  const whole = lines.every(
    (line) => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight + 1 && !line.dataset.about,
  );
  if (whole && chips.every((chip) => chip.checkVisibility())) return "";
  const [, phase] = lines;
  return [phase.lastChild?.textContent, phase.dataset.about, chips.map((chip) => chip.textContent).join(" · ")]
    .filter(Boolean)
    .join(" – ");
}
