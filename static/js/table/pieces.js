// @ts-check
/** One piece: a playing card from the sprite, a face-down card, or a labelled tile for anything else. */
import { hasFace, BACKS } from "../../art/cards.js";
import { t } from "../i18n.js";
import { boards } from "./boards.js";
import { attr, h, picture, write } from "./dom.js";
import { cardWords, spoken } from "./text.js";

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./text.js").Names} Names */

/** A piece in words. @param {Piece} piece @param {Names} names */
export function pieceWords(piece, names) {
  const what = piece.label ? spoken(piece.label, names) : piece.face ? cardWords(piece.face) : t("face-down card");
  return piece.badge ? `${what}, ${piece.badge}` : what;
}

/** The piece with that id, wherever it lies. @param {import("./types.js").View} view @param {string} id */
export function pieceOf(view, id) {
  const boards = [...(view.tracks ?? []).flatMap((track) => track.spaces), ...(view.grids ?? []).flatMap((grid) => grid.cells)];
  return [...view.zones, ...boards].flatMap((zone) => zone.pieces).find((piece) => piece.id === id);
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
  else node.replaceChildren(art ? picture(art, "piece-art") : tile(piece, words));
  if (piece.badge) {
    const badge = h("span", { class: "badge", "data-sign": piece.badge.startsWith("+") ? "up" : /^[-−]/.test(piece.badge) ? "down" : null });
    write(badge, piece.badge.replace("-", "−"));
    node.append(badge);
  }
}

/** @param {Piece} piece @param {string} words */
function tile(piece, words) {
  const hue = [...(piece.face ?? "")].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const node = h("span", { class: "tile" }, words);
  node.style.setProperty("--hue", String(hue));
  return node;
}
