// @ts-check
/** Clocks: the shrinking ring around a portrait, and the last seconds in figures. */

import { t } from "../i18n.js";
import { locale } from "../locale.js";

const SPACE = "http://www.w3.org/2000/svg";
const LENGTH = 100; // the circumference of the ring, as its pathLength
const SHORT = 1 / 3; // the share of the time from which on the ring is highlighted
const STEP = 500;

/** @returns {SVGElement} */
export function makeRing() {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "ring");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  for (const name of ["ring-track", "ring-left"]) {
    const circle = document.createElementNS(SPACE, "circle");
    for (const [key, value] of Object.entries({
      class: name,
      cx: 32,
      cy: 32,
      r: 29.5,
      pathLength: LENGTH,
      transform: "rotate(-90 32 32)",
    }))
      circle.setAttribute(key, String(value));
    svg.append(circle);
  }
  return svg;
}

/** Running rings, and how much time each has left. @type {Map<Element, {end: number, whole: number}>} */
const running = new Map();
let timer = 0;

/** Start a ring. @param {Element} ring @param {number} left @param {number} whole milliseconds */
export function runRing(ring, left, whole) {
  running.set(ring, { end: performance.now() + left, whole: Math.max(whole, left, 1) });
  paint(ring);
  // Twice a second: a ring painted with every frame would drain a phone's battery.
  if (!timer)
    timer = setInterval(() => {
      for (const one of running.keys()) one.isConnected ? paint(one) : running.delete(one);
    }, STEP);
}

/** @param {Element} ring */
function paint(ring) {
  const { end, whole } = /** @type {{end: number, whole: number}} */ (running.get(ring));
  const left = Math.max(0, end - performance.now());
  const arc = /** @type {SVGElement} */ (ring.lastElementChild);
  arc.style.strokeDasharray = `${(LENGTH * left) / whole} ${LENGTH}`;
  ring.setAttribute("data-running", isShort(left, whole) ? "short" : "long");
}

/** @param {Element} ring */
export function clearRing(ring) {
  if (running.delete(ring)) ring.removeAttribute("data-running");
}

const SLOW = 3600; // seconds for a decision: from here on nobody needs to stay at the table
const UNITS = /** @type {const} */ ([
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
]);

/** Whether time is short. @param {number} left @param {number} whole milliseconds */
const isShort = (left, whole) => left <= whole * SHORT;

/** Whether players come and go. @param {number} seconds for a decision */
export const isSlow = (seconds) => seconds >= SLOW;

/** A time in words, in its two largest units: "3 days", "2 days, 5 hours". @param {number} seconds */
export function timeWords(seconds) {
  const first = Math.max(
    0,
    UNITS.findIndex(([, size]) => seconds >= size),
  );
  const parts = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const n = Math.floor(seconds / size);
    seconds -= n * size;
    if (n || !parts.length)
      parts.push(new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(n));
  }
  return new Intl.ListFormat(locale(), { type: "unit" }).format(parts);
}

const UNTIL_DEAL_ENDS = 1_000_000_000; // instead of seconds: see docs/protocol.md

/** How much later spectators see a table, in words for who sits in `seat`, null for a spectator; "" without a delay. @param {import("./types.js").TableInfo} table @param {number | null} seat */
export function delayWords({ spectator_delay: delay }, seat) {
  if (!delay) return "";
  if (delay >= UNTIL_DEAL_ENDS)
    return seat === null ? t("Each deal is shown when it ends") : t("Spectators: each deal when it ends");
  const time = timeWords(delay);
  return seat === null ? t("Delayed by {time}", { time }) : t("Spectators: {time} later", { time });
}

/**
 * What is left of the time, and whether it is short: whole seconds in figures once it is short, else ""; where players
 * come and go, always and in words.
 * @param {number | null} left @param {number} whole milliseconds @returns {[string, boolean]}
 */
export function countdown(left, whole) {
  if (left === null) return ["", false];
  const short = isShort(left, whole);
  if (isSlow(whole / 1000)) return [timeWords(Math.max(0, Math.ceil(left / 1000))), short];
  return [short ? String(Math.ceil(left / 1000)) : "", short];
}
