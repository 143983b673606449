// @ts-check
/** Filter a long section of games by players, length and kind. Without this file it is a plain list. */

/** @typedef {{players: string, minutes: string, kind: string}} Wanted "" for any */

/** Whether a game matches the filter. @param {DOMStringMap} game @param {Wanted} wanted */
export function fits(game, { players, minutes, kind }) {
  const seats = Number(players);
  if (players && (seats < Number(game.least) || seats > Number(game.most))) return false;
  if (minutes && Number(game.minutes) > Number(minutes)) return false;
  return !kind || game.kind === kind;
}

/** Show a filter's form and apply it at each change. @param {HTMLFormElement} form */
function start(form) {
  const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`#${form.dataset.filter} > li`)]);
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const update = () => {
    const wanted = /** @type {Wanted} */ (Object.fromEntries(new FormData(form)));
    for (const game of games) game.hidden = !fits(game.dataset, wanted);
    const left = games.filter((game) => !game.hidden).length;
    const { none = "", one = "", many = "" } = status.dataset;
    status.textContent = left === 0 ? none : left === 1 ? one : many.replace("{n}", String(left));
  };
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  update(); // a browser that goes back keeps the choices
}

for (const form of document.querySelectorAll("[data-filter]")) if (form instanceof HTMLFormElement) start(form);
