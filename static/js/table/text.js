// @ts-check
/** Sentences of the game: `{name}` in a template is a player, a card, a number or a word. */
import { inFigures, noop, t } from "../i18n.js";
import { addressed } from "./person.js";

/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {(seat: number) => string} Names */

/** @type {Record<string, string>} */
const SUIT_SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
/** @type {Record<string, string>} */
const SUIT_WORDS = { C: noop("clubs"), D: noop("diamonds"), H: noop("hearts"), S: noop("spades") };
/** @type {Record<string, string>} */
const RANK_WORDS = { A: noop("ace"), J: noop("jack"), Q: noop("queen"), K: noop("king") };

/** The symbol of a suit: "♣". @param {string} suit */
export const suitSign = (suit) => SUIT_SIGNS[suit] ?? suit;

/** The rank and suit of a playing card, null of any other face, such as the word RED. @param {string} face */
function playingCard(face) {
  const parts = /^([2-9AJQK]|10)([CDHS])$/.exec(face);
  return parts && { rank: parts[1], suit: parts[2] };
}

/** A card in symbols: "4♣". @param {string} face */
export function cardSign(face) {
  if (face === "JOKER") return t("joker");
  const card = playingCard(face);
  return card ? card.rank + SUIT_SIGNS[card.suit] : face;
}

/** A card in words: "4 of clubs". @param {string} face */
export function cardWords(face) {
  if (face === "JOKER") return t("joker");
  const card = playingCard(face);
  if (!card) return face;
  return t("{rank} of {suit}", { rank: t(RANK_WORDS[card.rank] ?? card.rank), suit: t(SUIT_WORDS[card.suit]) });
}

/** @type {number | null} the seat of the person who reads: sentences about it are in the second person */
let reader = null;

/** Say who reads. @param {number | null} seat null: nobody at the table, so that everybody is named */
export const setReader = (seat) => {
  reader = seat;
};

/** Whether that is the seat of the person who reads. @param {number | undefined} seat */
export const isReader = (seat) => reader !== null && seat === reader;

/** A translated template, about the reader in the second person. @param {Sentence} text */
function templateOf({ text, args }) {
  const mine = Object.keys(args).filter((name) => {
    const arg = args[name];
    return typeof arg === "object" && "seat" in arg && arg.seat === reader;
  });
  const words = t(text);
  return mine.length ? addressed(words, mine, document.documentElement.lang) : words;
}

/** A gap of a template. With a form, as in `{place:to}`, it is for what the catalogue calls "to" and the word. */
const GAP = /\{(\w+)(?::(\w+))?\}/;
const GAPS = new RegExp(GAP, "g");

/** A word in the form that a gap asks for. @param {string} word @param {string} [form] */
function inForm(word, form) {
  const key = `${form} ${word}`;
  return form && t(key) !== key ? t(key) : t(word);
}

/** @param {Sentence} text @param {Names} names @param {(face: string) => string} card */
function fill(text, names, card) {
  return templateOf(text).replace(GAPS, (placeholder, name, form) => {
    const arg = text.args[name];
    if (arg === undefined) return placeholder;
    if (typeof arg !== "object") return typeof arg === "string" ? inForm(arg, form) : figure(arg);
    return "seat" in arg ? names(arg.seat) : card(arg.card);
  });
}

/** A sentence as plain text, for screen readers: cards in words. @param {Sentence} text @param {Names} names */
export const spoken = (text, names) => fill(text, names, cardWords);

/** A sentence as plain text for titles and labels: cards as symbols. @param {Sentence} text @param {Names} names */
export const short = (text, names) => fill(text, names, cardSign);

/**
 * The name of the visitor's own place: "Your stock" for "Stock of Anna". A catalogue may have an entry for the template and
 * "(yours)"; otherwise English grammar is used. @param {Sentence} text @param {number} seat whose it is @param {Names} names
 */
export function ofOneself(text, seat, names) {
  const whose = Object.entries(text.args).find(
    ([, arg]) => typeof arg === "object" && "seat" in arg && arg.seat === seat,
  )?.[0];
  if (!whose) return spoken(text, names);
  const key = `${text.text} (yours)`;
  if (t(key) !== key) return spoken({ ...text, text: key }, names);
  const thing = text.text.endsWith(` of {${whose}}`) ? text.text.slice(0, -` of {${whose}}`.length) : "";
  if (thing) return spoken({ ...text, text: `Your ${thing.charAt(0).toLowerCase()}${thing.slice(1)}` }, names);
  return spoken({ ...text, args: { ...text.args, [whose]: t("you") } }, names);
}

/**
 * A sentence as HTML: players in bold, cards as small cards with words for screen readers.
 * @param {Sentence} text @param {Names} names @returns {Node[]}
 */
export function rich(text, names) {
  return templateOf(text)
    .split(/(\{\w+(?::\w+)?\})/)
    .filter(Boolean)
    .map((part) => {
      const [, name = "", form] = GAP.exec(part) ?? [];
      const arg = text.args[name];
      if (arg === undefined) return document.createTextNode(part);
      if (typeof arg === "number") return document.createTextNode(figure(arg));
      if (typeof arg === "string") return document.createTextNode(inForm(arg, form));
      return "seat" in arg ? nameTag(names(arg.seat)) : cardTag(arg.card);
    });
}

/** @param {string} name */
function nameTag(name) {
  const node = document.createElement("b");
  node.className = "player-name";
  node.textContent = name;
  return node;
}

/** A card in running text. @param {string} face */
export function cardTag(face) {
  const node = document.createElement("span");
  node.className = "card-word";
  node.dataset.suit = playingCard(face)?.suit ?? "";
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", cardWords(face));
  node.textContent = cardSign(face);
  return node;
}

/** Shares of a win. @type {[number, string][]} */
const FRACTIONS = [
  [1 / 2, "½"],
  [1 / 3, "⅓"],
  [2 / 3, "⅔"],
  [1 / 4, "¼"],
  [3 / 4, "¾"],
];

/** A difference as people write it: with its sign, "" for none. @param {number} value */
export const signed = (value) => (value > 0 ? `+${figure(value)}` : value ? figure(value) : "");

/** A number as people write it: with a minus sign, and "½". @param {number} value */
export function figure(value) {
  const size = Math.abs(value);
  const whole = Math.floor(size + 0.01);
  const rest = size - whole;
  const fraction = FRACTIONS.find(([part]) => Math.abs(rest - part) < 0.01)?.[1];
  const digits = Math.abs(rest) < 0.01 ? String(whole) : fraction ? `${whole || ""}${fraction}` : inFigures(size);
  return value < 0 && digits !== "0" ? `−${digits}` : digits;
}
