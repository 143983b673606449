// @ts-check
/** The meanings of things on the table: a hint beside one of them, or a list of all. */
import { t } from "../i18n.js";
import { place } from "./bubble_position.js";
import { h, openDialog, write } from "./dom.js";
import { EXPLAINED, termOf, wordsFor } from "./signs.js";

const BASE_MS = 2500; // a hint is shown for so long,
const MS_PER_LETTER = 55; // and so much longer for each letter

export class Hint {
  /** @param {HTMLElement} room */
  constructor(room) {
    this.room = room;
    this.term = h("b", {});
    this.words = h("span", {});
    this.bubble = h("p", { class: "hint", id: "hint", role: "status", hidden: true }, this.term, " ", this.words);
    room.append(this.bubble);
    this.timer = 0;
    /** @type {HTMLElement | null} what it is about */
    this.at = null;
    document.addEventListener("pointerdown", () => this.hide(), true);
    for (const eventName of ["scroll", "resize"]) addEventListener(eventName, () => this.hide(), true);
  }

  /** @param {HTMLElement} at @param {string} term what it is called, "" for nothing @param {(string | Node)[]} words */
  show(at, term, ...words) {
    this.hide();
    if (!at.isConnected) return;
    const { bubble, room } = this;
    write(this.term, term);
    this.words.replaceChildren(...words);
    bubble.hidden = false;
    const origin = room.getBoundingClientRect();
    const { left, top, right, bottom } = at.getBoundingClientRect();
    const target = {
      left: left - origin.left,
      top: top - origin.top,
      right: right - origin.left,
      bottom: bottom - origin.top,
    };
    const field = {
      left: 6,
      top: 6,
      right: Math.min(origin.width, innerWidth) - 6,
      bottom: Math.min(origin.height, innerHeight - origin.top) - 6,
    };
    const size = { width: bubble.offsetWidth, height: bubble.offsetHeight };
    const spot = place(size, target, field, [target]) ??
      place(size, target, field, []) ?? { left: field.left, top: field.top };
    bubble.style.left = `${spot.left}px`;
    bubble.style.top = `${spot.top}px`;
    this.at = at;
    at.setAttribute("aria-describedby", "hint");
    this.timer = setTimeout(() => this.hide(), BASE_MS + MS_PER_LETTER * (bubble.textContent?.length ?? 0));
  }

  /** @returns {boolean} whether there was one */
  hide() {
    const shown = !this.bubble.hidden;
    clearTimeout(this.timer);
    this.bubble.hidden = true;
    this.at?.removeAttribute("aria-describedby");
    this.at = null;
    return shown;
  }
}

/** Open a dialog that lists what the things on the table mean. @param {HTMLElement} room @param {Record<string, import("./types.js").Sentence>} about @param {import("./text.js").Names} names */
export function showLegend(room, about, names) {
  /** By meaning, so that each is listed once. @type {Map<string, string>} */
  const terms = new Map();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(EXPLAINED))) {
    const words = node.checkVisibility({ visibilityProperty: true }) ? wordsFor(node, about, names) : "";
    if (words && !terms.has(words)) terms.set(words, termOf(node));
  }
  const dialog = h(
    "dialog",
    { class: "overlay legend", "aria-labelledby": "legend-title" },
    h("h2", { id: "legend-title" }, t("What things mean")),
    h("dl", {}, ...[...terms].flatMap(([words, term]) => [h("dt", {}, term), h("dd", {}, words)])),
    h(
      "p",
      { class: "facts" },
      t("You can also point at anything on the table, or press and hold it, to read what it means."),
    ),
    h(
      "form",
      { method: "dialog", class: "dialog-buttons" },
      h("button", { class: "button button-primary", type: "submit" }, t("Close")),
    ),
  );
  openDialog(dialog);
}
