// @ts-check
/** The helm: what is asked of you in one line, and every move as a labelled button. */
import { t } from "../i18n.js";
import { buttons } from "./choose.js";
import { attr, h, sync, write } from "./dom.js";
import { pieceOf, pieceWords } from "./pieces.js";
import { cardSign, rich, short, spoken } from "./text.js";

/** @typedef {import("./types.js").Deed} Deed */
/** @typedef {import("./types.js").View} View */

/**
 * @typedef {object} HelmState
 * @property {View | null} view
 * @property {import("./types.js").Text | null} prompt
 * @property {Deed[]} deeds legal moves, none while one is on its way
 * @property {string[]} picked
 * @property {boolean} mine it is this browser's turn
 * @property {string} busy label of a move on its way, "" for none
 * @property {string} refusal
 * @property {import("./text.js").Names} names
 * @property {Extra[]} extra other buttons than moves
 */

/**
 * A button that is no move: take a seat, I'm back, play again. With `href` it is a link.
 * @typedef {{key: string, label: string, run?: () => void, href?: string, first?: boolean}} Extra
 */

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
    /** @type {{key: string, label: string, words: string, run: () => void, kind: string}[]} */
    const list = shown.map((button, i) => {
      if ("deed" in button) {
        const { deed } = button;
        return { key: deed.move, label: short(deed.label, names), words: spoken(deed.label, names), run: () => this.hooks.play(deed), kind: "deed" };
      }
      const piece = view ? pieceOf(view, button.piece) : undefined;
      const sign = piece?.face ? cardSign(piece.face) : `${i + 1}`;
      const label = piece?.badge ? `${sign} ${piece.badge.replace("-", "−")}` : sign;
      return {
        key: `piece ${button.piece}`,
        label: t("Play {card} …", { card: label }),
        words: t("{card}: choose where it goes", { card: piece ? pieceWords(piece, names) : label }),
        run: () => this.hooks.pick(button.piece),
        kind: "group",
      };
    });
    if (picked.length) list.push({ key: "back", label: t("Take back"), words: t("Take the choice back"), run: this.hooks.back, kind: "back" });
    if (state.busy) list.push({ key: "busy", label: state.busy, words: state.busy, run: () => {}, kind: "busy" });
    sync(
      this.deeds,
      list,
      (one) => one.key,
      () => h("button", { class: "deed", type: "button" }, h("kbd", { "aria-hidden": "true" }), h("span", {})),
      (node, one) => {
        const number = list.indexOf(one) + 1;
        const [hint, label] = [...node.children];
        write(hint, one.kind === "back" ? "Esc" : one.kind === "busy" || number > 9 ? "" : String(number));
        write(label, one.label);
        attr(node, "aria-label", one.words);
        attr(node, "data-kind", one.kind);
        attr(node, "aria-keyshortcuts", one.kind === "deed" || one.kind === "group" ? (number <= 9 ? String(number) : null) : null);
        /** @type {HTMLButtonElement} */ (node).disabled = one.kind === "busy";
        /** @type {HTMLButtonElement} */ (node).onclick = one.run;
      },
    );
    attr(this.root, "data-count", list.length > 3 ? list.length : null);
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
