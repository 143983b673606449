// @ts-check
/**
 * Keeps the place of those who play by keyboard. What they have pressed is gone after a move, and with it the focus: it
 * goes to the first thing that they may do now, or waits on the controls until there is something. A focus that is
 * anywhere else, as in the chat or in a dialog, stays; so does that of people who use a mouse or a finger.
 */

const ON_FELT = ["[data-legal]", "[data-path=next]", ".aim"].flatMap((one) => [`.own ${one}`, one]);
const BUTTONS = [".moves:not(.extra) > .move:enabled", ".extra > [data-kind=first]", ".extra > [data-key=on]"];

export class Focus {
  /** @param {HTMLElement} felt @param {HTMLElement} controls */
  constructor(felt, controls) {
    this.felt = felt;
    this.controls = controls;
    controls.tabIndex = -1;
    this.keyboard = true; // how the last thing was done
    this.used = false; // something has had the focus
    this.onFelt = false; // and the last one was on the felt
    /** @type {Element | null} what has the focus because it was moved there, not because the player went there */
    this.placed = null;
    document.addEventListener("keydown", () => (this.keyboard = true), true);
    document.addEventListener("pointerdown", () => (this.keyboard = false), true);
    document.addEventListener("focusin", ({ target }) => {
      this.used = true;
      if (target !== this.placed) this.placed = null;
      if (target !== controls) this.onFelt = felt.contains(/** @type {Node} */ (target));
    });
  }

  /** Something has been drawn: if the focus is lost, move it. */
  keep() {
    if (!this.keyboard || !this.used || document.querySelector("dialog:modal")) return;
    const now = /** @type {HTMLElement | null} */ (document.activeElement);
    if (now && now !== document.body && now !== this.controls && isUsable(now)) return;
    const felt = this.onFelt ? first(this.felt, ON_FELT) : null;
    const next = felt ?? first(this.controls, BUTTONS) ?? this.controls;
    if (next === now) return;
    this.placed = next;
    next.focus({ preventScroll: true });
  }

  /** Whether the player has gone to this element: not if it is the page itself, or what the focus was moved to. @param {EventTarget | null} target */
  isChosen(target) {
    return target !== document.body && target !== this.placed;
  }
}

/** @param {HTMLElement} node */
const isUsable = (node) => !node.matches(":disabled") && node.checkVisibility({ visibilityProperty: true });

/** The first element that the first of these selectors finds which finds one. @param {HTMLElement} root @param {string[]} selectors */
function first(root, selectors) {
  for (const selector of selectors) {
    const found = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]).find(isUsable);
    if (found) return found;
  }
  return null;
}
