// @ts-check
/** Whether a picture of an author is seen on its card, in light and in dark mode. */

/** @typedef {import("../table/types.js").OwnPicture} OwnPicture */

export const ENOUGH = 3; // WCAG 2.2, 1.4.11: of what has to be seen to be understood

/** @param {number[]} channels from 0 to 255 */
function luminance(channels) {
  const [red, green, blue] = channels
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. @param {number[]} one @param {number[]} other */
export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * The contrast of a picture's clearest shape with what it lies on, in the mode where that is worse; of one without
 * colours of its own it is always enough, because that has a dark outline.
 * @param {OwnPicture} picture @param {string} colour of the card @param {boolean} back
 */
export function clearest({ shapes, plain }, colour, back) {
  if (plain) return ENOUGH;
  const card = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  card.setAttribute("class", back ? "drawn drawn-back" : "drawn");
  if (colour) card.setAttribute("data-colour", colour);
  const probe = document.createElement("span");
  document.body.append(card, probe);
  const of = (/** @type {string} */ name) => getComputedStyle(card).getPropertyValue(name).trim();
  const [ground, own] = back ? [of("--hue-full"), of("--tint")] : [of("--tint"), of("--hue-full")];
  const ratios = ["light", "dark"].map((scheme) => {
    probe.style.colorScheme = scheme;
    const rgb = (/** @type {string} */ value) => {
      probe.style.color = value === "currentColor" ? own : value;
      return (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    };
    const paints = shapes.flatMap(({ attributes: { fill = own, stroke = "none" } }) => [fill, stroke]);
    const behind = rgb(ground);
    return Math.max(1, ...paints.filter((paint) => paint !== "none").map((paint) => contrast(rgb(paint), behind)));
  });
  card.remove();
  probe.remove();
  return Math.min(...ratios);
}
