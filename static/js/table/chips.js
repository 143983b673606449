// @ts-check
/**
 * Packs the buttons of the controls so that all are visible: first with much space, then with less, then without the words
 * that all share, then in columns. If even that does not fit, they scroll, and a sign shows how many more there are.
 */
import { attr } from "./dom.js";

/** How tight (a level of controls.css), and the width of a column in ems; 0: no columns. @type {[number, number][]} */
const WAYS = [
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 6.5],
  [3, 5.2],
  [3, 4.2],
  [3, 3.4],
  [3, 3.05],
  [3, 2.75],
];
const SMALL = 5; // columns narrower than this, in ems, have smaller letters
const SHARE = 0.36; // the largest share of the height for controls under the felt
const LEAST = 11; // minimum height in ems

export class Chips {
  /** @param {HTMLElement} controls @param {HTMLElement} list @param {HTMLElement} extra @param {HTMLElement} tip room for a tip, beyond what questions need */
  constructor(controls, list, extra, tip) {
    this.controls = controls;
    this.list = list;
    this.extra = extra;
    this.tip = tip;
    this.key = "";
    this.place = "";
    this.need = 0;
    const sizes = new ResizeObserver(() => this.pack());
    for (const part of [controls.parentElement ?? controls, tip]) sizes.observe(part);
  }

  /** Pack the buttons, unless nothing has changed. */
  pack() {
    const { controls, list, extra } = this;
    const stage = controls.parentElement;
    if (!stage?.clientHeight) return;
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const place = `${stage.clientWidth} ${stage.clientHeight} ${em}`;
    if (place !== this.place) this.need = 0;
    const tip = this.tip.offsetHeight;
    const key = `${place}|${tip}|${[...list.children, ...extra.children].map((one) => one.textContent).join("|")}|${controls.querySelector(".note")?.textContent ? "note" : ""}`;
    if (key === this.key && place === this.place) return;
    this.key = key;
    this.place = place;
    const beside = getComputedStyle(stage).gridTemplateColumns.split(" ").length > 1;
    const most = beside ? stage.clientHeight : Math.max(LEAST * em, SHARE * stage.clientHeight) + tip;
    controls.style.removeProperty("--controls-h");
    controls.style.minHeight = "0";
    const style = getComputedStyle(controls);
    const gap = parseFloat(style.rowGap) || 0;
    const parts = /** @type {HTMLElement[]} */ ([...controls.children]).filter(
      (part) => part.offsetHeight && !part.contains(list),
    );
    const taken =
      parseFloat(style.paddingTop) +
      parseFloat(style.paddingBottom) +
      parseFloat(style.borderTopWidth) +
      parts.reduce((sum, part) => sum + part.offsetHeight + gap, 0);
    const room = most - taken;
    if (list.children.length) this.closer(Math.max(room, 2.9 * em), (beside ? 6.5 : 6.2) * em);
    else attr(controls, "data-fit", "0");
    controls.style.minHeight = "";
    // The largest height so far is kept, so that the felt does not change with every question.
    if (!beside) {
      const needed = Math.min(most, taken + (list.children.length ? list.offsetHeight : 0)) - tip;
      this.need = Math.max(this.need, needed);
      controls.style.setProperty("--controls-h", `${Math.ceil(this.need + tip)}px`);
    }
  }

  /** Return the first way that needs few rows, or the one that needs the fewest. @param {number} room @param {number} few */
  closer(room, few) {
    const { controls, list } = this;
    const whole = () => ![...list.children].some((one) => one.scrollWidth > one.clientWidth + 1);
    /** @type {{level: number, chip: number, height: number} | null} */
    let best = null;
    for (const [level, chip] of WAYS) {
      attr(controls, "data-fit", level);
      controls.style.setProperty("--chip", `${chip}rem`);
      attr(controls, "data-small", chip > 0 && chip < SMALL);
      if (!whole()) continue;
      const height = list.offsetHeight;
      if (!best || height < best.height - 2) best = { level, chip, height };
      if (height <= few) break;
    }
    attr(controls, "data-fit", best && best.height <= room + 1 ? best.level : 4);
    controls.style.setProperty("--chip", `${best?.chip || 4.8}rem`);
    attr(controls, "data-small", !!best && best.chip > 0 && best.chip < SMALL);
    controls.style.setProperty("--moves-h", `${Math.floor(room)}px`);
  }
}
