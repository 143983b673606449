// @ts-check
/** The back room's page "Now": its part [data-live] is fetched again every ten seconds while somebody looks at it. */
import { writeTimes } from "./times.js";

const PERIOD = 10_000; // milliseconds

const live = document.querySelector("[data-live]");

async function update() {
  // People who use the keyboard must not lose the focus.
  if (!live || document.hidden || live.contains(document.activeElement)) return;
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok || answer.redirected) return; // logged out, or no connection: what is shown stays
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[data-live]");
  if (!fresh) return;
  live.replaceChildren(...fresh.childNodes);
  writeTimes();
}

setInterval(() => void update(), PERIOD);
