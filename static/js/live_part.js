// @ts-check
/** Parts of a page that are fetched as HTML every few seconds while the page is visible: [data-part="NAME"]. */

import { poll } from "./poll.js";
import { writeTimes } from "./times.js";

const EVERY = 5_000; // milliseconds

/**
 * Keep the parts of the page current. What has the focus keeps it, and what was entered stays. If the server answers
 * 404, the page is reloaded and says why.
 * @template {{parts: Record<string, string>}} T
 * @param {string} url answers with the HTML of each part by its name, and an ETag
 * @param {(data: T) => void} [shown] called with each new answer, once it is shown
 */
export function keepCurrent(url, shown) {
  /** @type {Record<string, string>} */
  let before = {};
  const show = (/** @type {T} */ data) => {
    for (const [name, html] of Object.entries(data.parts)) {
      const part = /** @type {HTMLElement | null} */ (document.querySelector(`[data-part="${name}"]`));
      if (part && html !== before[name]) replace(part, html);
    }
    before = data.parts;
    shown?.(data);
  };
  poll(url, EVERY, show, () => location.reload());
}

/** What the fields of a part are found by again. */
const FIELDS = "input[id], select[id]";

/** Show the new HTML of a part. @param {HTMLElement} part @param {string} html */
function replace(part, html) {
  const focused = part.contains(document.activeElement) ? selectorOf(document.activeElement) : "";
  const entered = [.../** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (part.querySelectorAll(FIELDS))]
    .filter((field) => field instanceof HTMLSelectElement || field.value !== field.defaultValue)
    .map((field) => ({ id: field.id, value: field.value }));
  part.innerHTML = html;
  for (const { id, value } of entered) {
    const field = part.querySelector(`#${id}`);
    if (field instanceof HTMLInputElement) field.value = value;
    const options = field instanceof HTMLSelectElement ? [...field.options] : [];
    for (const option of options) if (option.value === value) option.selected = true;
  }
  writeTimes();
  if (focused) /** @type {HTMLElement | null} */ (part.querySelector(focused))?.focus({ preventScroll: true });
}

/**
 * Return a selector for what stands in the place of a link, button or field in the new HTML, "" if it has no name.
 * @param {Element | null} node
 */
function selectorOf(node) {
  if (node?.id) return `#${node.id}`;
  for (const name of ["href", "value", "formaction", "form"]) {
    const value = node?.getAttribute(name);
    if (value) return `${node?.localName}[${name}="${CSS.escape(value)}"]`;
  }
  return "";
}
