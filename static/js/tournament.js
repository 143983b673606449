// @ts-check
/**
 * The page of a tournament: the standings and the current round, fetched every few seconds while the page is visible,
 * and the seconds until the next round. When a round begins, the page is loaded again: its buttons and the earlier
 * rounds have changed, too. Everything but the updates works without this file.
 */

import { keepCurrent } from "./live_part.js";

const SECOND = 1_000; // milliseconds

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-tournament-now]"));
if (part?.dataset.tournamentNow) {
  keepCurrent(part.dataset.tournamentNow, (/** @type {{parts: Record<string, string>, state: string}} */ { state }) => {
    if (state !== part.dataset.state) location.reload();
  });
  setInterval(() => {
    const seconds = part.querySelector("[data-pause] b");
    if (seconds && Number(seconds.textContent) > 1) seconds.textContent = String(Number(seconds.textContent) - 1);
  }, SECOND);
}
