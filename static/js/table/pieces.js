// @ts-check
/** One piece: a playing card, a face-down card, or a labelled tile for anything else; and its name. */
import { BACKS, hasFace } from "../../art/cards.js";
import { drawnBack, drawnCard, drawnSign, hasOwnBack, hasSymbol, isDrawn } from "../../art/symbols.js";
import { t } from "../i18n.js";
import { attr, h, picture, write } from "./dom.js";
import { fetchFigures, figures, figureName } from "./figures.js";
import { cardWords, ofOneself, short, spoken } from "./text.js";

/** @typedef {import("./types.js").Arg} Arg */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./text.js").Names} Names */

/** A piece in words. @param {Piece} piece @param {Names} names */
export function pieceWords(piece, names) {
  const what = piece.label ? spoken(piece.label, names) : piece.face ? cardWords(piece.face) : t("face-down card");
  const mark = piece.mark === "won" ? t("wins") : piece.mark === "lost" ? t("loses") : "";
  return [what, piece.badge, mark].filter(Boolean).join(", ");
}

/** The piece with that id, in any place. @param {View} view @param {string} id */
export function pieceOf(view, id) {
  return places(view)
    .flatMap((place) => place.pieces)
    .find((piece) => piece.id === id);
}

/** All places of pieces. @param {View} view */
function places(view) {
  return [
    ...view.zones,
    ...(view.tracks ?? []).flatMap((track) => track.spaces),
    ...(view.grids ?? []).flatMap((grid) => grid.cells),
  ];
}

/** A piece in a sentence. @param {View | null} view @param {string} id @param {Names} names @returns {Arg} */
export function pieceArg(view, id, names) {
  const piece = view ? pieceOf(view, id) : undefined;
  if (view && piece?.label)
    return `${labelOf(view, piece.label, names)}${piece.badge ? ` (${piece.badge.replace("-", "−")})` : ""}`;
  if (piece?.face && hasFace(piece.face) && !isDrawn(piece)) return { card: piece.face };
  return piece ? pieceWords(piece, names) : id;
}

/** The name of a piece for this visitor: their own is "Your oasis". @param {View} view @param {import("./types.js").Sentence} label @param {Names} names */
function labelOf({ seat }, label, names) {
  const mine =
    seat !== null &&
    Object.values(label.args).some((arg) => typeof arg === "object" && "seat" in arg && arg.seat === seat);
  return mine ? ofOneself(label, seat, names) : short(label, names);
}

/** A target in a sentence. @param {View | null} view @param {string} target `seat:2`, `zone:pool`, `piece:x` @param {Names} names @returns {Arg} */
export function targetArg(view, target, names) {
  const [kind] = target.split(":", 1);
  const id = target.slice(kind.length + 1);
  if (kind === "seat") return { seat: Number(id) };
  if (kind === "piece") return pieceArg(view, id, names);
  const label = view ? places(view).find((place) => place.id === id)?.label : undefined;
  return label ? short(label, names) : id;
}

/** The address of the picture of a face or of a back. @param {Piece} piece @returns {string} "" for other pieces than French cards */
function artOf(piece) {
  if (isDrawn(piece) || hasOwnBack(piece)) return "";
  if (piece.face && hasFace(piece.face)) return `#card-${piece.face}`;
  if (piece.face) return "";
  return `#back-${BACKS.includes(piece.back ?? "") ? piece.back : "plain"}`;
}

/** @param {Piece} piece @returns {HTMLElement} */
export function makePiece(piece) {
  return h("div", { class: "piece", "data-piece": piece.id, role: "img" });
}

/** @param {HTMLElement} node @param {Piece} piece @param {Names} names @param {string[]} [more] further words for its label */
export function updatePiece(node, piece, names, more = []) {
  const art = artOf(piece);
  const words = pieceWords(piece, names);
  const pictures = figures();
  const shown = figureName(piece);
  const figure = pictures?.hasFigure(shown) ? pictures.figureOf(shown) : null;
  const { corner = "", symbol: sign = "", colour = "", number = 1 } = piece;
  const shows = [art || words, piece.badge, figure?.href, corner, sign, colour, number].join("|");
  attr(node, "aria-label", [words, ...more].join(", "));
  attr(node, "title", figure && [words, ...more].join(" · "));
  attr(node, "data-mark", piece.mark);
  if (node.dataset.shows === shows) return;
  node.dataset.shows = shows;
  node.dataset.up = piece.face ? "yes" : "no";
  attr(node, "data-face", piece.face);
  attr(node, "data-figure", figure && pictures?.kindOf(shown));
  if (figure)
    node.replaceChildren(
      picture(figure.href, "piece-art", figure.box),
      ...(hasSymbol(sign) ? [drawnSign(sign, ...(pictures?.inksOf(shown) ?? ["", ""]))] : []),
      captionOf(piece.label ? spoken(piece.label, names) : ""),
    );
  else if (hasOwnBack(piece)) node.replaceChildren(drawnBack(piece));
  else if (isDrawn(piece)) node.replaceChildren(drawnCard(piece, written(piece, names)));
  else node.replaceChildren(art ? picture(art, "piece-art") : tile(piece, names));
  if (piece.badge) {
    const badge = h("span", {
      class: "badge",
      "data-sign": piece.badge.startsWith("+") ? "up" : /^[-−]/.test(piece.badge) ? "down" : null,
    });
    write(badge, piece.badge.replace("-", "−"));
    node.append(badge);
  }
}

/** What is written under the picture of a figure: in a small one only the number has room. @param {string} words */
function captionOf(words) {
  const [, name, number] = /^(\D+)(\d+)$/.exec(words) ?? [];
  const parts = name ? [h("span", { class: "caption-name" }, name), number] : [words];
  return h("span", { class: "caption", "aria-hidden": "true" }, ...parts);
}

/** The colours that a card may be named after. @type {Record<string, number>} */
const HUES = {
  red: 2,
  orange: 28,
  brown: 24,
  yellow: 52,
  green: 135,
  blue: 215,
  purple: 285,
  violet: 285,
  pink: 335,
  teal: 180,
  white: 45,
  black: 220,
  grey: 220,
  gray: 220,
};

/** What is written on a piece. @param {Piece} piece @param {Names} names */
const written = (piece, names) => (piece.label ? short(piece.label, names) : (piece.face ?? ""));

/** Anything but a drawn card: its words, as large as the longest one allows. @param {Piece} piece @param {Names} names */
function tile(piece, names) {
  const words = written(piece, names);
  const listed = (piece.face ?? "").toLowerCase().split(/[^a-z]+/);
  const named = piece.colour ?? listed.find((word) => word in HUES);
  const hue = named
    ? HUES[named]
    : [...(piece.face ?? "")].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const node = h("span", { class: "tile" }, words);
  node.style.setProperty("--hue", String(hue));
  attr(node, "data-colour", named);
  const each = words.split(/\s+/);
  node.style.setProperty("--longest", String(Math.max(...each.map((word) => [...word].length))));
  node.style.setProperty("--words", String(each.length));
  node.style.setProperty("--letters", String([...words].length));
  return node;
}

/** Draw the pieces in a page of rules, `<span data-face="4C">`, as at a table. @param {Element} page @param {import("./text.js").Names} [names] */
export async function drawRulePieces(page, names = String) {
  const nodes = [.../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".rule-piece[data-face]"))];
  if (nodes.some(({ dataset }) => !hasFace(dataset.face ?? "") && !isDrawn(dataset))) await fetchFigures();
  for (const node of nodes) {
    const face = node.dataset.face ?? "";
    const { corner, symbol: sign, colour } = node.dataset;
    const number = Number(node.dataset.number ?? 1);
    const drawn = isDrawn({ corner, symbol: sign });
    const label = hasFace(face) && !drawn ? undefined : { text: node.textContent ?? face, args: {} };
    const piece = /** @type {Piece} */ ({ id: face, face, corner, symbol: sign, colour, number, label });
    const made = makePiece(piece);
    updatePiece(made, piece, names);
    made.removeAttribute("data-piece"); // it is not a piece of the table
    node.replaceChildren(made);
  }
}
