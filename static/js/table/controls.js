// @ts-check
/** The controls: the question to the player in one line, and every move as a labelled button. */
import { noop, t } from "../i18n.js";
import { Chips } from "./chips.js";
import { isBegun, buttons } from "./choose.js";
import { attr, h, sync, write } from "./dom.js";
import { pieceArg, pieceOf, targetArg } from "./pieces.js";
import { Scroller } from "./scroller.js";
import { confirmations, missing } from "./several.js";
import { rich, short } from "./text.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./choose.js").Choice} Choice */

/**
 * @typedef {object} ControlsState
 * @property {View | null} view
 * @property {Sentence | null} prompt
 * @property {LegalMove[]} moves legal moves, none while one is on its way
 * @property {Choice} choice
 * @property {import("./several.js").Several | null} several what may be selected before it is confirmed
 * @property {LegalMove | null} waiting the move that is to be confirmed
 * @property {boolean} mine it is this browser's turn
 * @property {Sentence | null} busy label of a move on its way
 * @property {string} refusal
 * @property {import("./text.js").Names} names
 * @property {Button[]} ahead buttons that come before those of moves: the steps of a path that is being drawn
 * @property {Extra[]} extra other buttons than moves
 * @property {boolean} shut the buttons are visible but disabled
 */

/**
 * @typedef {object} Button
 * @property {string} key
 * @property {Sentence} text
 * @property {() => void} run
 * @property {"move" | "group" | "all" | "card" | "confirm" | "back" | "busy"} kind
 * @property {string} [move]
 * @property {boolean} [pressed] of a card: whether it is selected
 * @property {boolean} [missing] cards are missing, so this cannot be pressed yet
 */

/**
 * A button other than a move: take a seat, I'm back, play again. With `href` it is a link.
 * @typedef {{key: string, label: string, run?: () => void, href?: string, first?: boolean}} Extra
 */

export const KEYED = "1234567890asd"; // the keys of the buttons, in their order; others are reached with the arrow keys
const KEYS = { back: "Esc", confirm: "⏎" };
const FEW = 5; // the moves that are listed although they can be made on the board
const CHOOSE = noop("Choose {what}{badge} …");
const UNNUMBERED = ["back", "busy", "confirm"];

export class Controls {
  /**
   * @param {HTMLElement} root
   * @param {object} hooks
   * @param {(move: LegalMove) => unknown} hooks.decide
   * @param {(confirmed: import("./several.js").Confirmation) => void} hooks.confirm
   * @param {(card: string) => void} hooks.select
   * @param {(choice: Choice) => void} hooks.choose
   * @param {() => void} hooks.back
   */
  constructor(root, hooks) {
    this.hooks = hooks;
    this.root = root;
    this.prompt = h("p", { class: "prompt", id: "prompt" });
    this.clock = h("span", { class: "countdown", "aria-hidden": "true" });
    this.note = h("p", { class: "note", role: "alert" });
    this.moves = h("div", { class: "moves", role: "group", "aria-label": t("Your moves") });
    this.scroller = new Scroller(this.moves);
    this.extra = h("div", { class: "moves extra" });
    /** Room for a tip that has none on the felt. */
    const tip = h("div", { class: "tip-place", hidden: true });
    root.append(tip, h("div", { class: "ask" }, this.prompt, this.clock), this.note, this.scroller.root, this.extra);
    this.chips = new Chips(root, this.moves, this.extra, tip);
    this.shown = "";
    this.chosen = "";
    this.unfolded = ""; // the decision whose list of all moves is open
  }

  /** @param {ControlsState} state */
  draw(state) {
    const { prompt, choice, names } = state;
    const key = prompt ? short(prompt, names) : "";
    if (key !== this.shown) {
      this.shown = key;
      this.prompt.replaceChildren(...(prompt ? rich(prompt, names) : []));
    }
    attr(this.root, "data-mine", state.mine);
    for (const buttons of [this.moves, this.extra]) attr(buttons, "aria-disabled", state.shut ? "true" : null);
    write(this.note, state.refusal);
    const list = [...state.ahead, ...numbered(this.choices(state), names)];
    if (isBegun(choice) || state.waiting)
      list.push({ key: "back", text: { text: "Undo", args: {} }, run: this.hooks.back, kind: "back" });
    if (state.busy) list.push({ key: "busy", text: state.busy, run: () => {}, kind: "busy" });
    const keyed = list.filter(({ kind }) => !UNNUMBERED.includes(kind));
    sync(
      this.moves,
      list,
      (one) => `${one.key} ${short(one.text, names)}`,
      (one) =>
        h(
          "button",
          { class: "move", type: "button" },
          h("kbd", { "aria-hidden": "true" }),
          h("span", {}, ...worded(one.text, names)),
        ),
      (node, one) => {
        const key = KEYED[keyed.indexOf(one)] ?? "";
        const other = one.missing ? "" : KEYS[/** @type {keyof typeof KEYS} */ (one.kind)];
        write(/** @type {Element} */ (node.firstElementChild), key || (other ?? ""));
        attr(node, "aria-pressed", one.pressed === undefined ? null : String(one.pressed));
        attr(node, "data-kind", one.kind);
        attr(node, "data-move", one.move);
        attr(node, "aria-keyshortcuts", key || null);
        /** @type {HTMLButtonElement} */ (node).disabled = one.kind === "busy" || !!one.missing;
        node.onclick = one.run;
      },
    );
    attr(this.root, "data-verb", sameVerb(list));
    const chosen = JSON.stringify(choice);
    if (chosen !== this.chosen) this.scroller.restart();
    this.chosen = chosen;
    sync(
      this.extra,
      state.extra,
      (one) => `${one.key}${one.href ? " link" : ""}`,
      (one) => (one.href ? h("a", { class: "move" }) : h("button", { class: "move", type: "button" })),
      (node, one) => {
        write(node, one.label);
        attr(node, "data-kind", one.first ? "first" : "quiet");
        if (one.href) attr(node, "href", one.href);
        else node.onclick = one.run ?? null;
      },
    );
    this.chips.pack();
    this.scroller.look();
  }

  /** Show the remaining moves as buttons. @param {ControlsState} state @returns {Button[]} */
  choices(state) {
    const { view, moves, choice, several, waiting } = state;
    if (waiting) return [{ ...this.button(waiting), key: `confirm ${waiting.move}`, kind: "confirm" }];
    if (view && several && choice.aimed === null) return this.selection(view, several, state);
    const list = this.listed(state);
    const plain = list.filter(({ kind, text }) => kind === "move" && !Object.keys(text.args).length);
    if (!onBoard(view, moves) || isBegun(choice) || list.length <= FEW || this.unfolded === decisionOf(view))
      return list;
    return [
      ...plain,
      {
        key: "all",
        text: { text: "All moves …", args: {} },
        run: () => {
          this.unfolded = decisionOf(view);
          this.hooks.choose(choice);
        },
        kind: "all",
      },
    ];
  }

  /** The moves that are left, as buttons. @param {ControlsState} state @returns {Button[]} */
  listed({ view, moves, choice, names }) {
    return buttons(moves, choice, handOf(view)).map((button) => {
      if ("move" in button) return this.button(button.move);
      const { picked, aimed } = button.choice;
      return {
        key: `choose ${[...picked, aimed].join()}`,
        text: groupText(view, button, names),
        run: () => this.hooks.choose(button.choice),
        kind: "group",
      };
    });
  }

  /** The button of a move. @param {LegalMove} move @returns {Button} */
  button(move) {
    return { key: move.move, text: move.label, run: () => this.hooks.decide(move), kind: "move", move: move.move };
  }

  /**
   * What may be confirmed, the cards that may be selected, and moves without cards.
   * @param {View} view @param {import("./several.js").Several} several @param {ControlsState} state @returns {Button[]}
   */
  selection(view, several, { moves, choice: { picked }, names }) {
    /** @type {Button[]} */
    const confirm = confirmations(several, moves, picked).map((one) => ({
      key: `confirm ${one.moves[0].move}`,
      text: one.label,
      run: () => this.hooks.confirm(one),
      kind: "confirm",
      move: one.moves.length === 1 ? one.moves[0].move : undefined,
    }));
    if (!confirm.length)
      confirm.push({
        key: "missing",
        text: missing(several, picked.length),
        run: () => {},
        kind: "confirm",
        missing: true,
      });
    return [
      ...confirm,
      ...several.cards.map((card) => ({
        key: `select ${card}`,
        text: { text: "Choose {what}", args: { what: pieceArg(view, card, names) } },
        run: () => this.hooks.select(card),
        kind: /** @type {const} */ ("card"),
        pressed: picked.includes(card),
      })),
      ...moves.filter(({ pieces }) => !pieces.length).map((move) => this.button(move)),
    ];
  }

  /** Press the button with that key. @param {string} key */
  press(key) {
    /** @type {HTMLButtonElement | null} */ (
      this.moves.querySelector(`button[aria-keyshortcuts="${key}"]:enabled`)
    )?.click();
  }

  /** Confirm what is selected. @returns {boolean} whether it could be confirmed */
  confirm() {
    const button = /** @type {HTMLButtonElement | null} */ (this.moves.querySelector("[data-kind=confirm]:enabled"));
    button?.click();
    return !!button;
  }

  /** Go to the first button. @returns {boolean} whether there is one */
  focus() {
    const button = /** @type {HTMLButtonElement | null} */ (this.moves.querySelector("button:enabled"));
    button?.focus();
    return !!button;
  }
}

/** The decision that a view asks for. @param {View | null} view */
const decisionOf = (view) => `${view?.seat} ${view?.decision}`;

/** Whether there is a board, and every move can be made by tapping what lies on it or beside it. @param {View | null} view @param {LegalMove[]} moves */
const onBoard = (view, moves) =>
  !!view?.tracks?.length && moves.every(({ pieces, target }) => pieces.length > 0 || !!target);

/** The words before the first placeholder of a template: "Bid " of "Bid {card}". @param {Sentence} text */
const verbOf = (text) => /^([^{}]+ )\{/.exec(t(text.text))?.[1] ?? "";

/** The words after the last placeholder of a template: " tippen" of "{n} tippen", as verbs are in German and Dutch. @param {Sentence} text */
const endOf = (text) => /\}( [^{}…]*\p{L}[^{}…]*?)(?: …)?$/u.exec(t(text.text))?.[1] ?? "";

/** The words around what a button is about; of a group they may be those of its moves. @param {Sentence} text */
const verbsOf = (text) => [String(text.args.verb ?? verbOf(text)), endOf(text)];

/** The words of a button. Those around its placeholders can be hidden if all buttons share them. @param {Sentence} text @param {import("./text.js").Names} names */
function worded(text, names) {
  const parts = rich(text, names);
  const [start, end] = verbsOf(text);
  const verb = (/** @type {Node} */ part) => h("span", { class: "verb" }, part);
  if (start) parts[0] = verb(parts[0]);
  if (end) {
    const last = parts.pop()?.textContent ?? "";
    parts.push(verb(document.createTextNode(end)), document.createTextNode(last.slice(end.length)));
  }
  return parts;
}

/**
 * Whether all moves begin and end with the same words. A card that is only chosen first need not say so: the dots of its
 * button do.
 * @param {Button[]} list
 */
function sameVerb(list) {
  const moves = list.filter(({ kind }) => !UNNUMBERED.includes(kind));
  const named = moves.filter(({ kind, text }) => kind !== "group" || text.text !== CHOOSE);
  const verbs = new Set((named.length ? named : moves).map(({ text }) => verbsOf(text).join("")));
  return list.length > 2 && verbs.size === 1 && !verbs.has("");
}

/** Buttons with the same words are numbered. @param {Button[]} list @param {import("./text.js").Names} names @returns {Button[]} */
function numbered(list, names) {
  const words = list.map((one) => short(one.text, names));
  return list.map((one, i) => {
    if (words.indexOf(words[i]) === words.lastIndexOf(words[i])) return one;
    const n = words.slice(0, i + 1).filter((other) => other === words[i]).length;
    return { ...one, text: { text: "{what} ({n})", args: { what: words[i], n } } };
  });
}

/** The cards in the viewer's hand, in their order. @param {View | null} view @returns {string[]} */
function handOf(view) {
  const own = view?.zones.filter(({ layout, seat }) => layout === "hand" && seat === view.seat) ?? [];
  return own.flatMap(({ pieces }) => pieces.map(({ id }) => id));
}

/**
 * The label of a button that chooses one more part of a move. It names what happens if all its moves begin alike.
 * @param {View | null} view @param {{choice: Choice, moves: LegalMove[]}} group @param {import("./text.js").Names} names @returns {Sentence}
 */
function groupText(view, { choice: { picked, aimed }, moves }, names) {
  if (aimed !== null) return { text: "{where} …", args: { where: targetArg(view, aimed, names) } };
  const id = picked[picked.length - 1];
  const piece = view ? pieceOf(view, id) : undefined;
  const what = pieceArg(view, id, names);
  if (view && piece?.label) return { text: "{what} …", args: { what } };
  const [verb, ...others] = new Set(moves.map(({ label }) => verbOf(label)));
  const badge = piece?.badge ? ` ${piece.badge.replace("-", "−")}` : "";
  return verb && !others.length
    ? { text: "{verb}{what}{badge} …", args: { verb, what, badge } }
    : { text: CHOOSE, args: { what, badge } };
}
