// @ts-check
/** One piece: a playing card from the sprite, a face-down card, or a labelled tile for anything else; and what it is called. */
import { hasFace, BACKS } from "../../art/cards.js";
import { t } from "../i18n.js";
import { boards } from "./boards.js";
import { attr, h, picture, write } from "./dom.js";
import { cardWords, short, spoken } from "./text.js";

/** @typedef {import("./types.js").Arg} Arg */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./text.js").Names} Names */

/** A piece in words. @param {Piece} piece @param {Names} names */
export function pieceWords(piece, names) {
  const what = piece.label ? spoken(piece.label, names) : piece.face ? cardWords(piece.face) : t("face-down card");
  return piece.badge ? `${what}, ${piece.badge}` : what;
}

/** The piece with that id, wherever it lies. @param {View} view @param {string} id */
export function pieceOf(view, id) {
  return places(view).flatMap((place) => place.pieces).find((piece) => piece.id === id);
}

/** Where pieces may lie. @param {View} view */
function places(view) {
  return [...view.zones, ...(view.tracks ?? []).flatMap((track) => track.spaces), ...(view.grids ?? []).flatMap((grid) => grid.cells)];
}

/** A piece in a sentence. @param {View | null} view @param {string} id @param {Names} names @returns {Arg} */
export function pieceArg(view, id, names) {
  const piece = view ? pieceOf(view, id) : undefined;
  if (piece?.label) return short(piece.label, names);
  if (piece?.face && hasFace(piece.face)) return { card: piece.face };
  return piece ? pieceWords(piece, names) : id;
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

/** The symbol of a face or of a back. @param {Piece} piece @returns {string} "" for pieces that are no cards */
function symbol(piece) {
  if (piece.face && hasFace(piece.face)) return `#card-${piece.face}`;
  if (piece.face) return "";
  return `#back-${BACKS.includes(piece.back ?? "") ? piece.back : "plain"}`;
}

/** @param {Piece} piece @returns {HTMLElement} */
export function makePiece(piece) {
  return h("div", { class: "piece", "data-piece": piece.id, role: "img" });
}

/** @param {HTMLElement} node @param {Piece} piece @param {Names} names @param {string[]} [more] what else is to be said of it */
export function updatePiece(node, piece, names, more = []) {
  const art = symbol(piece);
  const words = pieceWords(piece, names);
  const figure = piece.face && boards?.hasFigure(piece.face) ? boards.figureOf(piece.face) : null;
  const shows = `${art || words}|${piece.badge ?? ""}|${figure?.href ?? ""}`;
  attr(node, "aria-label", [words, ...more].join(", "));
  attr(node, "title", figure && [words, ...more].join(" · "));
  if (node.dataset.shows === shows) return;
  node.dataset.shows = shows;
  node.dataset.up = piece.face ? "yes" : "no";
  attr(node, "data-figure", figure && boards?.kindOf(piece.face ?? ""));
  if (figure) node.replaceChildren(picture(figure.href, "piece-art", figure.box), h("span", { class: "caption", "aria-hidden": "true" }, piece.label ? spoken(piece.label, names) : ""));
  else node.replaceChildren(art ? picture(art, "piece-art") : tile(piece, names));
  if (piece.badge) {
    const badge = h("span", { class: "badge", "data-sign": piece.badge.startsWith("+") ? "up" : /^[-−]/.test(piece.badge) ? "down" : null });
    write(badge, piece.badge.replace("-", "−"));
    node.append(badge);
  }
}

/** What is no playing card: its words, as large as the longest of them lets them be. @param {Piece} piece @param {Names} names */
function tile(piece, names) {
  const words = piece.label ? short(piece.label, names) : (piece.face ?? "");
  const hue = [...(piece.face ?? "")].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const node = h("span", { class: "tile" }, words);
  node.style.setProperty("--hue", String(hue));
  node.style.setProperty("--longest", String(Math.max(...words.split(/\s+/).map((word) => [...word].length))));
  return node;
}
