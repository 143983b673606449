// @ts-check
/**
 * The page of a circle: who is here and the tables, fetched every few seconds while the page is visible; and the date
 * of the next evening. Everything but the updates works without this file.
 */

export {}; // a module, like the others

const EVERY = 5_000; // milliseconds
const LONGEST = 60_000; // while the server does not answer

/** @param {HTMLElement} part @param {string} url */
function keepCurrent(part, url) {
  let etag = "";
  let wait = EVERY;
  let timer = 0;
  let loading = false;

  async function ask() {
    if (loading) return;
    loading = true;
    clearTimeout(timer);
    try {
      const answer = await fetch(url, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
      if (answer.status === 404) return location.reload(); // removed from the circle, or it was closed
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      wait = EVERY;
      if (answer.ok) {
        etag = answer.headers.get("ETag") ?? "";
        const focused = part.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
        part.innerHTML = (await answer.json()).html;
        if (focused)
          /** @type {HTMLElement | null} */ (part.querySelector(`a[href="${focused}"]`))?.focus({
            preventScroll: true,
          });
      }
    } catch {
      wait = Math.min(LONGEST, wait * 2); // no connection, or a busy server
    }
    loading = false;
    if (document.visibilityState === "visible") timer = setTimeout(() => void ask(), wait);
  }

  const look = () => void (document.visibilityState === "visible" && ask());
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("pageshow", look);
}

/** Send the date of a form as UTC: the field has it in the visitor's time zone. @param {HTMLFormElement} form */
function sendUtc(form) {
  const local = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=when]"));
  const utc = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=utc]"));
  const note = /** @type {HTMLElement | null} */ (form.querySelector("[data-without-script]"));
  if (!local || !utc) return;
  if (note) note.hidden = true;
  form.addEventListener("submit", () => {
    const when = new Date(local.value);
    utc.value = Number.isNaN(when.valueOf()) ? "" : when.toISOString();
  });
}

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-circle-now]"));
if (part?.dataset.circleNow) keepCurrent(part, part.dataset.circleNow);
const plan = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-plan]"));
if (plan) sendUtc(plan);
