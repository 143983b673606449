// @ts-check
/**
 * The page of a circle. Updates its parts (people, tables, chat, members, invitation link, settings) every few seconds
 * while visible, and sends the date of the next evening in UTC. Without this file the page does not update and the date
 * is entered in UTC.
 */

import { keepCurrent } from "./live_part.js";

/** Send the date of a form as UTC: the field has it in the visitor's time zone. @param {HTMLFormElement} form */
function sendUtc(form) {
  const local = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=when]"));
  const utc = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=utc]"));
  const utcLabel = /** @type {HTMLElement | null} */ (form.querySelector("[data-without-script]"));
  if (!local || !utc) return;
  if (utcLabel) utcLabel.hidden = true;
  form.addEventListener("submit", () => {
    const when = new Date(local.value);
    utc.value = Number.isNaN(when.valueOf()) ? "" : when.toISOString();
  });
}

const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-circle-now]"));
if (part?.dataset.circleNow) keepCurrent(part.dataset.circleNow);
const plan = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-plan]"));
if (plan) sendUtc(plan);
