// @ts-check
/**
 * The page of a circle: who is here, the tables, the chat and the members, fetched every few seconds while the page is
 * visible; and the date of the next evening. Everything but the updates works without this file.
 */

import { keepCurrent } from "./live_part.js";

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
if (part?.dataset.circleNow) keepCurrent(part.dataset.circleNow);
const plan = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-plan]"));
if (plan) sendUtc(plan);
