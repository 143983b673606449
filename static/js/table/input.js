// @ts-check
/** Turns taps, keys and paths drawn over the cards into a decision. Knows what is chosen so far and what may be tapped next. */
import { t } from "../i18n.js";
import { moveOf, nextOf, piecesOf, stepOf, tapPath } from "./path.js";
import { pieceOf } from "./pieces.js";
import { choicePrompt, selectionPrompt } from "./prompt.js";
import { severalOf, stillSelected, toggle } from "./several.js";
import { short } from "./text.js";
import { load } from "./storage.js";

import {
  aimedAtPlayers,
  back,
  isBegun,
  NOTHING,
  pickable,
  stillPossible,
  tapPiece,
  tapTarget,
  targets,
} from "./choose.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./choose.js").Choice} Choice */
/** @typedef {import("./choose.js").Tapped} Tapped */
/** @typedef {import("./path.js").Path} Path */
/** @typedef {import("./text.js").Names} Names */

/**
 * @typedef {object} Hooks
 * @property {() => View | null} view the view to decide on; null while it is not this browser's turn
 * @property {Names} names
 * @property {(move: LegalMove) => void} decide
 * @property {() => void} changed the choice has changed: draw it
 * @property {(note: string) => void} note a note for the player, "" for none
 * @property {(card: string) => boolean} ahead a card was touched while the visitor is asked nothing: whether it may be chosen ahead
 * @property {(at: Element) => void} unusable something was touched that cannot be used
 */

/** The key of the setting when a move is sent only after it is confirmed: "touch", "always"; else never. */
export const CONFIRM = "confirm";

/** Whether a move is sent only after it is confirmed. */
export function confirms() {
  const when = load(CONFIRM);
  return when === "always" || (when === "touch" && matchMedia("(pointer: coarse)").matches);
}

export class Input {
  /** @param {HTMLElement} felt @param {Hooks} hooks */
  constructor(felt, hooks) {
    this.felt = felt;
    this.hooks = hooks;
    /** @type {Choice} */
    this.choice = NOTHING;
    /** @type {readonly string[]} how far a path is drawn */
    this.words = [];
    this.decision = ""; // the decision that the choice belongs to
    /** @type {LegalMove | null} a move that is to be confirmed */
    this.waiting = null;
    felt.addEventListener("click", (event) => this.touch(/** @type {Element} */ (event.target)));
  }

  /** The view has changed. Keep the choice while the decision is the same and still allows it. @param {string} decision */
  renew(decision) {
    if (decision !== this.decision) this.clear();
    this.decision = decision;
    const { moves, several, choice } = this;
    this.choice =
      several && choice.aimed === null
        ? { picked: stillSelected(several, moves, choice.picked), aimed: null }
        : stillPossible(moves, choice);
    if (!this.path || !stepOf(this.path)) this.words = [];
    if (!moves.some(({ move }) => move === this.waiting?.move)) this.waiting = null;
  }

  /** Keep cards selected, as far as they still may be. @param {readonly string[]} cards */
  keep(cards) {
    const { several, moves } = this;
    if (several) this.choice = { picked: stillSelected(several, moves, cards), aimed: null };
  }

  clear() {
    this.choice = NOTHING;
    this.words = [];
    this.waiting = null;
  }

  /** The legal moves now. @returns {LegalMove[]} */
  get moves() {
    return aimedAtPlayers(this.hooks.view()?.moves ?? []);
  }

  /** What may be selected before it is confirmed. @returns {import("./several.js").Several | null} */
  get several() {
    const view = this.hooks.view();
    return view && severalOf(view, this.moves);
  }

  /** The path that is being drawn. @returns {Path | null} */
  get path() {
    const paths = this.hooks.view()?.paths;
    return paths ? { paths, words: this.words } : null;
  }

  /** What may be tapped, for drawing the felt. */
  touchable() {
    const { moves, choice, path } = this;
    return {
      pickable: pickable(moves),
      picked: this.waiting?.pieces ?? choice.picked,
      targets: targets(moves, choice),
      aimed: choice.aimed,
      path,
    };
  }

  /** The next part to choose, null if nothing is chosen yet. */
  prompt() {
    const view = this.hooks.view();
    const { choice, several } = this;
    if (view && this.waiting) return { text: "Confirm your move", args: {} };
    if (!view || !isBegun(choice)) return null;
    return several && choice.aimed === null
      ? selectionPrompt(view, several, choice.picked, this.hooks.names)
      : choicePrompt(view, choice, this.hooks.names);
  }

  // -- taps

  /** Handle a tap on the felt. @param {Element} at */
  touch(at) {
    if (!this.hooks.view()) {
      const own = /** @type {HTMLElement | null} */ (at.closest("[data-piece]"));
      if (!own || !this.hooks.ahead(own.dataset.piece ?? "")) this.hooks.unusable(at);
      return;
    }
    const aim = /** @type {HTMLElement | null} */ (at.closest("[data-target]"));
    const card = /** @type {HTMLElement | null} */ (at.closest("[data-piece][role=button]"));
    const seat = /** @type {HTMLElement | null} */ (at.closest(".seat[data-lit]"));
    if (aim) this.follow(tapTarget(this.moves, this.choice, aim.dataset.target ?? ""));
    else if (card) this.tap(card.dataset.piece ?? "");
    else if (seat) this.follow(tapTarget(this.moves, this.choice, `seat:${seat.dataset.seat}`));
    else {
      this.hooks.unusable(at);
      if ((isBegun(this.choice) || this.waiting) && !at.closest(".overlay")) this.takeBack();
    }
  }

  /** @param {string} piece */
  tap(piece) {
    const words = this.path && !isBegun(this.choice) && tapPath(this.path, piece);
    if (words) this.drawTo(words);
    else if (this.several?.cards.includes(piece)) this.select(piece);
    else this.follow(tapPiece(this.moves, this.choice, piece));
  }

  /** Select a card, or put it back. @param {string} card */
  select(card) {
    const { several, moves, choice } = this;
    const picked = several && toggle(several, moves, choice.picked, card);
    this.hooks.note(picked ? "" : t("You have chosen enough cards. Put one back first."));
    this.choose({ picked: picked ?? choice.picked, aimed: null });
  }

  /** @param {Tapped | null} tapped */
  follow(tapped) {
    if (!tapped) return;
    if ("decide" in tapped) this.propose(tapped.decide);
    else this.choose(tapped.choice);
  }

  /** Decide for a move; if moves are to be confirmed, when it is chosen for the second time. @param {LegalMove} move */
  propose(move) {
    if (!confirms() || this.waiting?.move === move.move) return this.hooks.decide(move);
    this.waiting = move;
    this.hooks.changed();
  }

  /** @param {Choice} choice */
  choose(choice) {
    this.waiting = null;
    this.choice = choice;
    this.hooks.changed();
  }

  /** Undo one step. @returns {boolean} whether there was anything to take back */
  takeBack() {
    const { choice, words } = this;
    if (this.waiting) {
      this.waiting = null;
      this.hooks.changed();
      return true;
    }
    if (isBegun(choice)) {
      this.choose(back(choice));
      // If the focused element was removed, move the focus to what was last tapped.
      const piece = choice.picked.at(-1);
      if (piece !== undefined && document.activeElement === document.body) this.pieceNode(piece)?.focus();
      return true;
    }
    if (!words.length) return false;
    this.drawTo(words.slice(0, -1));
    return true;
  }

  // -- paths

  /** The pointer passes over a card while a path is drawn. @param {string} piece */
  pass(piece) {
    const { path } = this;
    if (!path || isBegun(this.choice)) return;
    const words = tapPath(path, piece);
    if (words) this.drawTo(words);
    // Back at its start, the path is cleared, unless a move uses that piece.
    else if (path.words.length && !this.moves.length && !Object.values(path.paths.pieces).includes(piece))
      this.drawTo([]);
  }

  /** @param {readonly string[]} words */
  drawTo(words) {
    this.words = words;
    this.hooks.note("");
    this.hooks.changed();
  }

  /** Play the path that is drawn. */
  takePath() {
    const move = this.path && moveOf(this.path);
    if (move) this.hooks.decide({ move, label: { text: "Take this path", args: {} }, pieces: [] });
    else {
      this.hooks.note(t("You cannot stop here. Add one more card."));
      this.hooks.changed();
    }
  }

  /** The steps of a path as buttons. @returns {import("./controls.js").Button[]} */
  steps() {
    const { path } = this;
    const view = this.hooks.view();
    if (!path || !view || isBegun(this.choice)) return [];
    const { names } = this.hooks;
    /** @type {import("./controls.js").Button[]} */
    const list = [];
    const move = moveOf(path);
    if (move)
      list.push({
        key: "path",
        text: { text: "Take this path", args: {} },
        run: () => this.takePath(),
        kind: "move",
        move,
      });
    const cells = view.grids?.flatMap((grid) => grid.cells) ?? [];
    const next = [...nextOf(path)].map(([piece, step]) => ({
      step,
      label: pieceOf(view, piece)?.label ?? { text: step.word, args: {} },
      cell: cells.find((one) => one.pieces.some(({ id }) => id === piece)),
    }));
    const words = next.map(({ label }) => short(label, names));
    next.forEach(({ step, label, cell }, i) => {
      // Two torches are distinguished by their positions.
      const alike = words.filter((one) => one === words[i]).length > 1;
      const text =
        alike && cell?.label
          ? { text: "{what}, {where}", args: { what: words[i], where: short(cell.label, names) } }
          : label;
      list.push({ key: `step ${step.word}`, text, run: () => this.drawTo([...path.words, step.word]), kind: "group" });
    });
    if (path.words.length)
      list.push({
        key: "back",
        text: { text: "One step back", args: {} },
        run: () => void this.takeBack(),
        kind: "back",
      });
    return list;
  }

  // -- keys

  /** Keys for drawing a path: Enter plays it, Backspace undoes a step, an arrow key moves to the board. @param {KeyboardEvent} event */
  pathKey(event) {
    const { path } = this;
    if (!path) return false;
    const target = /** @type {HTMLElement} */ (event.target);
    const piece = target.closest("[data-piece]")?.getAttribute("data-piece");
    const last = piecesOf(path).at(-1);
    if (event.key === "Backspace") return this.takeBack();
    if (event.key === "Enter" && path.words.length && (piece === last || target === document.body)) {
      this.takePath();
      return true;
    }
    if (event.key.startsWith("Arrow") && target === document.body) {
      this.pieceNode(last ?? [...nextOf(path).keys()][0] ?? this.moves[0]?.pieces[0] ?? "")?.focus();
      return true;
    }
    return false;
  }

  /** @param {string} piece @returns {HTMLElement | null} */
  pieceNode(piece) {
    return this.felt.querySelector(`[data-piece="${CSS.escape(piece)}"]`);
  }
}

/** Mark the other pieces of a move while one of its pieces or its button is hovered, pressed or focused. @param {HTMLElement} room @param {() => LegalMove[]} moves the moves there are now */
export function highlightTaken(room, moves) {
  const look = (/** @type {Event} */ event) => {
    const at = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest("[data-piece], [data-move]")
    );
    const { piece = "", move: text } = at?.dataset ?? {};
    const touched = at
      ? moves().filter((move) => (text === undefined ? move.pieces.includes(piece) : move.move === text))
      : [];
    const taken = new Set(touched.flatMap((move) => move.takes ?? []));
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll("[data-piece]")))
      node.toggleAttribute("data-taken", taken.has(node.dataset.piece ?? ""));
  };
  room.addEventListener("pointerover", look);
  room.addEventListener("pointerleave", look);
  room.addEventListener("focusin", look);
  room.addEventListener("focusout", () => {
    for (const node of room.querySelectorAll("[data-taken]")) node.removeAttribute("data-taken");
  });
}
