// @ts-check
/** A part of a page that is fetched as HTML every few seconds while the page is visible. */

import { poll } from "./poll.js";

const EVERY = 5_000; // milliseconds

/**
 * Keep a part of the page current. A focused link in it keeps the focus. If the server answers 404, the page is reloaded
 * and says why.
 * @template {{html: string}} T
 * @param {HTMLElement} part @param {string} url answers with the new HTML, and an ETag
 * @param {(data: T) => void} [shown] called with each new answer, once it is shown
 */
export function keepCurrent(part, url, shown) {
  const show = (/** @type {T} */ data) => {
    const focused = part.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    part.innerHTML = data.html;
    if (focused)
      /** @type {HTMLElement | null} */ (part.querySelector(`a[href="${focused}"]`))?.focus({ preventScroll: true });
    shown?.(data);
  };
  poll(url, EVERY, show, () => location.reload());
}
