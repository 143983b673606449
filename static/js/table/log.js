// @ts-check
/** The log: one sentence for each entry, and one for several that say the same in a row, with their number. */
import { h } from "./dom.js";
import { rich } from "./text.js";

/** @typedef {import("./types.js").LogEntry} LogEntry */

export class Log {
  /** @param {HTMLElement} list an ordered list that scrolls */
  constructor(list) {
    this.list = list;
    /** @type {LogEntry[]} */
    this.shown = [];
  }

  /**
   * Show the log. New entries are added; if others were inserted or removed, all are drawn again.
   * @param {LogEntry[][]} log by ply @param {(ply: number) => import("./text.js").Names} namesAt the players' names then
   * @param {number | null} [reader] the reader's seat: entries for another seat only are marked with its name
   */
  draw(log, namesAt, reader = null) {
    const entries = log.flat();
    if (this.shown.some((entry, place) => entry !== entries[place])) this.clear();
    let first = 0; // of the ply
    log.forEach((ofPly, ply) => {
      const added = ofPly.slice(Math.max(0, this.shown.length - first));
      first += ofPly.length;
      const names = added.length ? namesAt(ply) : String;
      for (const entry of added) this.add(this.item(entry, names, reader));
    });
    this.shown = entries;
  }

  /** @param {HTMLElement} item */
  add(item) {
    const last = /** @type {HTMLElement | null} */ (this.list.lastElementChild);
    const times = last?.querySelector(".log-times");
    if (
      last &&
      last.dataset.kind === item.dataset.kind &&
      last.textContent === `${item.textContent}${times?.textContent ?? ""}`
    ) {
      const now = Number(times?.textContent?.slice(2) ?? 1) + 1;
      times?.remove();
      last.append(h("span", { class: "log-times" }, ` ×${now}`));
    } else this.list.append(item);
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
    this.shown = [];
  }
}
