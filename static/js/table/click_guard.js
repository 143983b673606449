// @ts-check
/** A press answers the question it was meant for: never one that has only just come up, or came up under the finger. */

const DOUBLE = 500; // milliseconds within which a second click belongs to the first
const READING = 300; // milliseconds that a question is to be seen before it takes an answer
const NEAR = 24; // pixels: the second click of two is as near as that

export class ClickGuard {
  /**
   * @param {HTMLElement} root where all is that answers a question
   * @param {string} controls a selector for it
   * @param {boolean} pauses whether a question rests before it takes an answer
   * @param {() => void} settled called when what was shut takes answers again
   */
  constructor(root, controls, pauses, settled) {
    this.reading = pauses ? READING : 0;
    this.double = pauses ? DOUBLE : 0;
    this.settled = settled;
    this.question = "";
    this.step = "";
    this.meant = ""; // the question at which a finger or a key went down
    this.opens = 0; // when the question takes answers
    this.goesOn = 0; // when the buttons of its next step do
    this.last = { at: -Infinity, x: 0, y: 0 };
    for (const sign of ["pointerdown", "keydown"])
      document.addEventListener(sign, () => (this.meant = this.question), true);
    root.addEventListener("click", (event) => this.gate(/** @type {MouseEvent} */ (event), controls), true);
  }

  /**
   * What is asked now, by whomever and of whomever.
   * @param {string} question "" for nothing @param {string} step how far the answer has got: other buttons stand there then
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
    if (wait > 0) setTimeout(this.settled, wait + 5); // a timer may ring a hair too soon, by the finer clock
  }

  /** Whether the question takes an answer. */
  get open() {
    return performance.now() >= this.opens;
  }

  /** Whether its buttons do: those of the next step may be where one was just pressed. */
  get goingOn() {
    return this.open && performance.now() >= this.goesOn;
  }

  /** @param {MouseEvent} event @param {string} controls */
  gate(event, controls) {
    const target = /** @type {Element} */ (event.target);
    const { clientX: x, clientY: y, timeStamp: now } = event; // when it was pressed: a busy page handles it later
    const open = now >= (target.closest(".moves") ? Math.max(this.opens, this.goesOn) : this.opens);
    const pressed = event.isTrusted && event.detail > 0; // with a finger or a mouse, not with a key
    if (!target.closest(controls)) {
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
