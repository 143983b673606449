// @ts-check
/** The page of reports that are being computed: updates their progress. Everything works without this file. */

const EVERY = 2000; // milliseconds
const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-status]"));

/** @typedef {{number: number, state: string, done: number, total: number}} Run */

async function look() {
  const answer = await fetch(list?.dataset.status ?? "", { headers: { Accept: "application/json" } });
  if (!answer.ok) return; // logged out, or the site is going down: the page stays as it is
  const { runs } = /** @type {{runs: Run[]}} */ (await answer.json());
  for (const run of runs) {
    const card = list?.querySelector(`[data-run="${run.number}"]`);
    if (!(card instanceof HTMLElement)) continue;
    if (card.dataset.state !== run.state) return location.replace(location.pathname + location.search);
    const bar = card.querySelector("progress");
    const output = card.querySelector("output");
    if (!bar || !output) continue;
    bar.max = run.total || 1;
    bar.value = run.done;
    output.textContent = `${run.done} / ${run.total}`;
  }
  if (runs.some((run) => run.state === "running")) wait();
}

function wait() {
  setTimeout(() => look().catch(wait), EVERY);
}

if (list?.querySelector('[data-state="running"]')) wait();
