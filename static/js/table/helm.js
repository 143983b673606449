// @ts-check
/** The helm: what is asked of you in one line, and every move as a labelled button. */
import { t } from "../i18n.js";
import { buttons } from "./choose.js";
import { attr, h, sync, write } from "./dom.js";
import { pieceOf } from "./pieces.js";
import { rich, short } from "./text.js";

/** @typedef {import("./types.js").Deed} Deed */
/** @typedef {import("./types.js").Text} Text */
/** @typedef {import("./types.js").View} View */

/**
 * @typedef {object} HelmState
 * @property {View | null} view
 * @property {Text | null} prompt
 * @property {Deed[]} deeds legal moves, none while one is on its way
 * @property {string[]} picked
 * @property {boolean} mine it is this browser's turn
 * @property {Text | null} busy label of a move on its way
 * @property {string} refusal
 * @property {import("./text.js").Names} names
 * @property {Button[]} ahead buttons that come before those of moves: the steps of a way that is being drawn
 * @property {Extra[]} extra other buttons than moves
 */

/** @typedef {{key: string, text: Text, run: () => void, kind: string, move?: string}} Button */

/**
 * A button that is no move: take a seat, I'm back, play again. With `href` it is a link.
 * @typedef {{key: string, label: string, run?: () => void, href?: string, first?: boolean}} Extra
 */

const BRIEF = 8; // letters of a label such as "Bid 10♠": four of them stand side by side on a phone

export class Helm {
  /**
   * @param {HTMLElement} root
   * @param {object} hooks
   * @param {(deed: Deed) => void} hooks.play
   * @param {(piece: string) => void} hooks.pick
   * @param {() => void} hooks.back
   */
  constructor(root, hooks) {
    this.hooks = hooks;
    this.root = root;
    this.prompt = h("p", { class: "prompt", id: "prompt" });
    this.clock = h("span", { class: "countdown", "aria-hidden": "true" });
    this.note = h("p", { class: "note", role: "alert" });
    this.deeds = h("div", { class: "deeds", role: "group", "aria-label": t("Your moves") });
    this.extra = h("div", { class: "deeds extra" });
    root.append(h("div", { class: "ask" }, this.prompt, this.clock), this.note, this.deeds, this.extra);
    this.shown = "";
  }

  /** @param {HelmState} state */
  draw(state) {
    const { view, prompt, picked, names } = state;
    const key = prompt ? short(prompt, names) : "";
    if (key !== this.shown) {
      this.shown = key;
      this.prompt.replaceChildren(...(prompt ? rich(prompt, names) : []));
    }
    attr(this.root, "data-mine", state.mine);
    write(this.note, state.refusal);
    const shown = buttons(state.deeds, picked);
    /** @type {Button[]} */
    const moves = shown.map((button) => {
      if ("deed" in button) return { key: button.deed.move, text: button.deed.label, run: () => this.hooks.play(button.deed), kind: "deed", move: button.deed.move };
      return { key: `piece ${button.piece}`, text: grouped(view, button.piece), run: () => this.hooks.pick(button.piece), kind: "group" };
    });
    const list = [...state.ahead, ...moves];
    if (picked.length) list.push({ key: "back", text: { text: "Take back", args: {} }, run: this.hooks.back, kind: "back" });
    if (state.busy) list.push({ key: "busy", text: state.busy, run: () => {}, kind: "busy" });
    sync(
      this.deeds,
      list,
      (one) => `${one.key} ${short(one.text, names)}`,
      (one) => h("button", { class: "deed", type: "button" }, h("kbd", { "aria-hidden": "true" }), h("span", {}, ...rich(one.text, names))),
      (node, one) => {
        const number = list.indexOf(one) + 1;
        const numbered = number <= 9 && (one.kind === "deed" || one.kind === "group");
        write(/** @type {Element} */ (node.firstElementChild), numbered ? String(number) : one.kind === "back" ? "Esc" : "");
        attr(node, "data-kind", one.kind);
        attr(node, "data-move", one.move);
        attr(node, "aria-keyshortcuts", numbered ? String(number) : null);
        /** @type {HTMLButtonElement} */ (node).disabled = one.kind === "busy";
        /** @type {HTMLButtonElement} */ (node).onclick = one.run;
      },
    );
    attr(this.root, "data-count", list.length > 2 ? Math.min(10, list.length) : null);
    attr(this.root, "data-brief", list.length > 0 && list.every((one) => short(one.text, names).length <= BRIEF));
    sync(
      this.extra,
      state.extra,
      (one) => `${one.key}${one.href ? " link" : ""}`,
      (one) => (one.href ? h("a", { class: "deed" }) : h("button", { class: "deed", type: "button" })),
      (node, one) => {
        write(node, one.label);
        attr(node, "data-kind", one.first ? "first" : "quiet");
        if (one.href) attr(node, "href", one.href);
        else node.onclick = one.run ?? null;
      },
    );
  }

  /** Press the button with that number. @param {number} number */
  press(number) {
    const button = /** @type {HTMLButtonElement | undefined} */ (this.deeds.children[number - 1]);
    if (button && !button.disabled && button.dataset.kind !== "back") button.click();
  }
}

/** The label of a button that picks a piece first. @param {View | null} view @param {string} id @returns {Text} */
function grouped(view, id) {
  const piece = view ? pieceOf(view, id) : undefined;
  if (piece?.label) return piece.label;
  const card = { card: piece?.face ?? "?" };
  return piece?.badge ? { text: "Play {card} {badge} …", args: { card, badge: piece.badge.replace("-", "−") } } : { text: "Play {card} …", args: { card } };
}
