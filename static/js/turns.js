// @ts-check
/** At how many tables the visitor's turn is: in the masthead, in the title, and on the icon of the installed app. */

/** @param {number} turns */
export function showTurns(turns) {
  const link = /** @type {HTMLElement | null} */ (document.querySelector("[data-turns]"));
  if (!link) return;
  // A browser that has no badge, or shows none without permission, loses nothing: the number is on the page.
  if (turns) void navigator.setAppBadge?.(turns).catch(() => {});
  else void navigator.clearAppBadge?.().catch(() => {});
  if (link.dataset.turns === String(turns)) return;
  link.dataset.turns = String(turns);
  link.hidden = !turns;
  const number = link.querySelector("[data-turns-number]");
  if (number) number.textContent = String(turns);
  document.title = (turns ? `(${turns}) ` : "") + document.title.replace(/^\(\d+\) /, "");
}

/** Show the number that the page came with. */
export function showFirstTurns() {
  const link = /** @type {HTMLElement | null} */ (document.querySelector("[data-turns]"));
  if (link) showTurns(Number(link.dataset.turns));
}
