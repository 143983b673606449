// @ts-check
import { locale } from "./locale.js";

const UNITS = /** @type {const} */ ([
  ["hour", 3600],
  ["minute", 60],
]);

const RECENT = 20 * 3600; // seconds: up to then "two hours ago", later a date

/**
 * <time datetime="...">: "3 minutes ago" or a date, in the visitor's time zone and calendar; the full time on hover.
 * With data-exact: always the date and the time of day, in short.
 */
export function writeTimes() {
  const times = document.querySelectorAll("time[datetime]");
  if (!times.length) return; // date formats take a while to load on a slow phone
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const clock = new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "short" });
  const day = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  const exact = new Intl.DateTimeFormat(locale(), {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "numeric",
    minute: "2-digit",
  });
  for (const time of times) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const seconds = (then.valueOf() - Date.now()) / 1000;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
    const recent = Math.abs(seconds) < RECENT;
    if ("exact" in time.dataset) time.textContent = exact.format(then);
    else time.textContent = recent ? words.format(Math.round(seconds / length), unit) : day.format(then);
    time.title = clock.format(then);
  }
}
