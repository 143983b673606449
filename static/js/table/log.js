// @ts-check
/** The log: one sentence for each entry. */
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").LogEntry} LogEntry */

export class Log {
  /** @param {HTMLElement} list an ordered list that scrolls */
  constructor(list) {
    this.list = list;
    this.shown = 0; // number of entries that are shown
  }

  /**
   * Show the log. Only new entries are added.
   * @param {LogEntry[][]} log @param {import("./text.js").Names} names
   * @param {number | null} [reader] the reader's seat: entries for another seat only are marked with its name
   */
  draw(log, names, reader = null) {
    const entries = log.flat();
    if (entries.length < this.shown) this.clear();
    if (entries.length === this.shown) return;
    for (const entry of entries.slice(this.shown)) this.list.append(this.item(entry, names, reader));
    this.shown = entries.length;
  }

  /** @param {LogEntry} entry @param {import("./text.js").Names} names @param {number | null} reader */
  item(entry, names, reader) {
    const named = Object.values(entry.text.args).some(
      (arg) => typeof arg === "object" && "seat" in arg && arg.seat === entry.only,
    );
    const prefix = entry.only !== undefined && entry.only !== reader && !named ? `${names(entry.only)}: ` : null;
    return h(
      "li",
      { class: "log-line", "data-kind": entry.kind, "data-only": entry.only !== undefined },
      prefix,
      ...rich(entry.text, names),
    );
  }

  clear() {
    this.list.replaceChildren();
    this.shown = 0;
  }
}
