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
const SCROLLS = 4; // the level of a list that scrolls
const COLUMNS = 3; // from this level on the buttons are in columns
const SCROLLING = WAYS.filter(([level]) => level >= COLUMNS).map(
  ([, chip]) => /** @type {[number, number]} */ ([SCROLLS, chip]),
);
const SMALL = 5; // columns narrower than this, in ems, have smaller letters
const SHARE = 0.36; // the largest share of the height for controls under the felt
const LEAST = 11; // minimum height in ems
const HIGH = 44; // pixels; words that are higher, of more than three lines, get a wider button

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
    attr(controls, "data-small-print", false);
    let taken = this.taken();
    const fits = (/** @type {number} */ room) =>
      // Under the felt few rows leave it more room; beside it there is nothing to save.
      this.closer(Math.max(room, 2.9 * em), beside ? room : 6.2 * em);
    if (!list.children.length) attr(controls, "data-fit", "0");
    else if (!fits(most - taken) && beside) {
      // A shorter question leaves room for one more row.
      attr(controls, "data-small-print", true);
      taken = this.taken();
      fits(most - taken);
    }
    controls.style.minHeight = "";
    // The largest height so far is kept, so that the felt does not change with every question.
    if (!beside) {
      const needed = Math.min(most, taken + (list.children.length ? list.offsetHeight : 0)) - tip;
      this.need = Math.max(this.need, needed);
      controls.style.setProperty("--controls-h", `${Math.ceil(this.need + tip)}px`);
    }
  }

  /** The height of all that the controls have besides the buttons. */
  taken() {
    const { controls, list } = this;
    const style = getComputedStyle(controls);
    const gap = parseFloat(style.rowGap) || 0;
    const parts = /** @type {HTMLElement[]} */ ([...controls.children]).filter(
      (part) => part.offsetHeight && !part.contains(list),
    );
    return (
      parseFloat(style.paddingTop) +
      parseFloat(style.paddingBottom) +
      parseFloat(style.borderTopWidth) +
      parts.reduce((sum, part) => sum + part.offsetHeight + gap, 0)
    );
  }

  /**
   * Use the first way that needs few rows, or the one that needs the fewest.
   * @param {number} room the height there is @param {number} few the height that is low enough
   * @returns {boolean} whether all buttons are in sight
   */
  closer(room, few) {
    const { controls, list } = this;
    const use = (/** @type {number} */ level, /** @type {number} */ chip) => {
      attr(controls, "data-fit", level);
      controls.style.setProperty("--chip", `${chip}rem`);
      attr(controls, "data-small", chip > 0 && chip < SMALL);
      this.widen(level >= COLUMNS);
    };
    /** The first way that is low enough, or the lowest. @param {[number, number][]} ways */
    const lowest = (ways) => {
      /** @type {{way: [number, number], height: number} | null} */
      let best = null;
      for (const way of ways) {
        use(...way);
        const height = list.scrollHeight;
        if (![...list.children].some(isCut) && (!best || height < best.height - 2)) best = { way, height };
        if (best && best.height <= few) break;
      }
      return best;
    };
    controls.style.setProperty("--moves-h", `${Math.floor(room)}px`);
    attr(controls, "data-broken", false);
    let best = lowest(WAYS);
    // If nothing fits, the list scrolls: a scroll bar may make its columns narrower.
    const fits = !!best && best.height <= room + 1;
    if (!fits) best = lowest(SCROLLING);
    attr(controls, "data-broken", !best);
    use(...(best?.way ?? SCROLLING[0]));
    return fits;
  }

  /**
   * Give each button as many columns as its words need, so that one long word does not make all columns wide.
   * @param {boolean} columns whether the buttons are in columns
   */
  widen(columns) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const spans = buttons.map(() => 1);
    const apply = () => {
      for (const [i, one] of buttons.entries()) one.style.setProperty("--span", String(spans[i]));
    };
    apply();
    if (!columns) return;
    const { gridTemplateColumns, columnGap } = getComputedStyle(this.list);
    const widths = gridTemplateColumns.split(" ").map(parseFloat);
    for (let tries = 0; tries < widths.length; tries++) {
      const missing = buttons.map((one) =>
        isCut(one)
          ? one.scrollWidth - one.clientWidth
          : Number(/** @type {HTMLElement} */ (one.lastElementChild).offsetHeight > HIGH),
      );
      const wider = missing.map((pixels, i) =>
        Math.min(widths.length, spans[i] + Math.ceil(pixels / (widths[0] + parseFloat(columnGap)))),
      );
      if (wider.every((span, i) => span === spans[i])) return;
      spans.splice(0, spans.length, ...wider);
      apply();
    }
  }
}

/** Whether words of a button are cut. @param {Element} button */
const isCut = (button) => button.scrollWidth > button.clientWidth + 1;
