// @ts-check
/** Protects against accidental answers: a click never answers a question that has only just appeared under the finger. */

const DOUBLE = 500; // milliseconds within which a second click belongs to the first
const READING = 300; // milliseconds for which a question is visible before it can be answered
const NEAR = 24; // pixels between the two clicks of a double click, at most

export class ClickGuard {
  /**
   * @param {HTMLElement} root the element that contains all answers
   * @param {string} answers a selector of the elements that answer a question
   * @param {boolean} pauses whether a question must be visible for a moment before it can be answered
   * @param {() => void} settled called when the question can be answered
   */
  constructor(root, answers, pauses, settled) {
    this.reading = pauses ? READING : 0;
    this.double = pauses ? DOUBLE : 0;
    this.settled = settled;
    this.question = "";
    this.step = "";
    this.meant = ""; // the question when a pointer or key was pressed
    this.opens = 0; // when the question can be answered
    this.goesOn = 0; // when the buttons of its next step can be used
    this.last = { at: -Infinity, x: 0, y: 0 };
    for (const sign of ["pointerdown", "keydown"])
      document.addEventListener(sign, () => (this.meant = this.question), true);
    root.addEventListener("click", (event) => this.onClick(/** @type {MouseEvent} */ (event), answers), true);
  }

  /**
   * Set the current question.
   * @param {string} question "" for nothing @param {string} step the progress of the answer: each step has other buttons
   */
  ask(question, step) {
    const now = performance.now();
    if (question !== this.question) {
      this.opens = Math.max(now + this.reading, this.last.at + this.double);
      this.wake(this.opens - now);
    } else if (step !== this.step) {
      this.goesOn = this.last.at + this.double;
      this.wake(this.goesOn - now);
    }
    this.question = question;
    this.step = step;
  }

  /** @param {number} wait */
  wake(wait) {
    if (wait > 0) setTimeout(this.settled, wait + 5); // a timer may fire slightly too early by the finer clock
  }

  /** Whether the question can be answered. */
  get open() {
    return performance.now() >= this.opens;
  }

  /** Whether the buttons of its next step can be used: one may be where a button was just pressed. */
  get goingOn() {
    return this.open && performance.now() >= this.goesOn;
  }

  /** @param {MouseEvent} event @param {string} answers */
  onClick(event, answers) {
    const target = /** @type {Element} */ (event.target);
    const { clientX: x, clientY: y, timeStamp: now } = event; // the time of the press: a busy page handles it later
    const open = now >= (target.closest(".moves") ? Math.max(this.opens, this.goesOn) : this.opens);
    const pressed = event.isTrusted && event.detail > 0; // with a finger or a mouse, not with a key
    if (!target.closest(answers)) {
      if (pressed) this.last = { at: now, x, y };
      return;
    }
    const again = pressed && now - this.last.at < this.double && Math.hypot(x - this.last.x, y - this.last.y) < NEAR;
    if (open && !again && !(event.isTrusted && this.meant !== this.question)) {
      if (pressed) this.last = { at: now, x, y };
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}
