// @ts-check
/** The log: what happened, a sentence a line, and who may hear it told. */
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").Line} Line */

export class Log {
  /** @param {HTMLElement} list an ordered list that scrolls */
  constructor(list) {
    this.list = list;
    this.plies = 0;
  }

  /**
   * Show the log as it is; only what is new is added.
   * @param {Line[][]} log @param {import("./text.js").Names} names
   * @param {number | null} reader who reads: what only another could read says for whom it was
   */
  draw(log, names, reader) {
    if (log.length < this.plies) this.clear();
    if (log.length === this.plies) return;
    for (const lines of log.slice(this.plies)) for (const line of lines) this.list.append(this.line(line, names, reader));
    this.plies = log.length;
  }

  /** @param {Line} line @param {import("./text.js").Names} names @param {number | null} reader */
  line(line, names, reader) {
    const told = line.only !== undefined && line.only !== reader ? `${names(line.only)}: ` : null;
    return h("li", { class: "log-line", "data-kind": line.kind, "data-only": line.only !== undefined }, told, ...rich(line.text, names));
  }

  clear() {
    this.list.replaceChildren();
    this.plies = 0;
  }
}
