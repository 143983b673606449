// @ts-check
/** The speed at which a replay plays, stored in this browser. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { load, save } from "../table/storage.js";

const STEP = 1200; // milliseconds at the usual speed
const KEY = "replay-speed";
/** Factors of the usual speed, and their labels. @type {[number, string][]} */
const SPEEDS = [
  [0.5, "½×"],
  [1, "1×"],
  [2, "2×"],
  [4, "4×"],
];

export class Speed {
  /** @param {() => void} changed */
  constructor(changed) {
    const before = Number(load(KEY));
    /** @type {HTMLSelectElement} */
    this.root = h(
      "select",
      {
        class: "field-input replay-speed",
        "aria-label": t("Speed"),
        title: t("Speed"),
        onchange: () => {
          save(KEY, this.root.value);
          changed();
        },
      },
      ...SPEEDS.map(([times, words]) => h("option", { value: times }, words)),
    );
    this.root.value = String(SPEEDS.some(([times]) => times === before) ? before : 1);
  }

  /** Milliseconds a step. */
  get pace() {
    return STEP / Number(this.root.value);
  }

  /** The next faster or slower speed. @param {1 | -1} way */
  shift(way) {
    const place = SPEEDS.findIndex(([times]) => String(times) === this.root.value) + way;
    if (!SPEEDS[place]) return;
    this.root.value = String(SPEEDS[place][0]);
    this.root.dispatchEvent(new Event("change"));
  }
}
