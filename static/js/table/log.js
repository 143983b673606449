// @ts-check
/** The log: what happened, one sentence an entry, and for whom. */
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").LogEntry} Line */

export class Log {
  /** @param {HTMLElement} list an ordered list that scrolls */
  constructor(list) {
    this.list = list;
    this.shown = 0; // how many lines
  }

  /**
   * Show the log as it is; only what is new is added.
   * @param {Line[][]} log @param {import("./text.js").Names} names
   * @param {number | null} [reader] the reader's seat: entries for another seat only are marked with its name
   */
  draw(log, names, reader = null) {
    const lines = log.flat();
    if (lines.length < this.shown) this.clear();
    if (lines.length === this.shown) return;
    for (const line of lines.slice(this.shown)) this.list.append(this.line(line, names, reader));
    this.shown = lines.length;
  }

  /** @param {Line} line @param {import("./text.js").Names} names @param {number | null} reader */
  line(line, names, reader) {
    const named = Object.values(line.text.args).some(
      (arg) => typeof arg === "object" && "seat" in arg && arg.seat === line.only,
    );
    const prefix = line.only !== undefined && line.only !== reader && !named ? `${names(line.only)}: ` : null;
    return h(
      "li",
      { class: "log-line", "data-kind": line.kind, "data-only": line.only !== undefined },
      prefix,
      ...rich(line.text, names),
    );
  }

  clear() {
    this.list.replaceChildren();
    this.shown = 0;
  }
}
