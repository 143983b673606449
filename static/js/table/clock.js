// @ts-check
/** Clocks: the ring around a face that burns down, and the last seconds in figures. */

const SPACE = "http://www.w3.org/2000/svg";
const LENGTH = 100; // of the ring, by pathLength
const HURRY = 10_000;
const STEP = 250;

/** @returns {SVGElement} */
export function makeRing() {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "ring");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("aria-hidden", "true");
  for (const name of ["ring-bed", "ring-fire"]) {
    const circle = document.createElementNS(SPACE, "circle");
    for (const [key, value] of Object.entries({ class: name, cx: 32, cy: 32, r: 29.5, pathLength: LENGTH, transform: "rotate(-90 32 32)" }))
      circle.setAttribute(key, String(value));
    svg.append(circle);
  }
  return svg;
}

/** @type {WeakMap<Element, {end: number, run: Animation}>} */
const burning = new WeakMap();

/** Let a ring burn down. Starting it again for the same end changes nothing. @param {Element} ring @param {number} left @param {number} whole milliseconds */
export function runRing(ring, left, whole) {
  const end = performance.now() + left;
  const now = burning.get(ring);
  if (now && Math.abs(now.end - end) < 400) return;
  clearRing(ring);
  const fire = /** @type {SVGElement} */ (ring.lastElementChild);
  const share = Math.min(1, left / Math.max(whole, left, 1));
  const run = fire.animate(
    [
      { strokeDasharray: `${LENGTH * share} ${LENGTH}`, stroke: "var(--ring)" },
      { stroke: "var(--ring)", offset: Math.max(0, 1 - HURRY / Math.max(left, HURRY + 1)) },
      { strokeDasharray: `0 ${LENGTH}`, stroke: "var(--ring-hurry)" },
    ],
    // In steps: a ring that is painted anew sixty times a second would cost a phone its battery.
    { duration: Math.max(1, left), fill: "forwards", easing: `steps(${Math.max(1, Math.ceil(left / STEP))})` },
  );
  burning.set(ring, { end, run });
  ring.setAttribute("data-burning", "");
}

/** @param {Element} ring */
export function clearRing(ring) {
  burning.get(ring)?.run.cancel();
  burning.delete(ring);
  ring.removeAttribute("data-burning");
}

/** Whole seconds in figures once time is short, else "". @param {number | null} left milliseconds */
export function countdown(left) {
  return left === null || left > HURRY ? "" : String(Math.ceil(left / 1000));
}
