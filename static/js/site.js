// @ts-check
/**
 * For every page: the colour theme, copy buttons, times in words.
 * Everything works without this file.
 */
import { copy } from "./copy.js";
import { locale } from "./locale.js";

const root = document.documentElement;

/** The button in the masthead that switches the colour theme, stored in this browser. */
function switchThemes() {
  const button = document.querySelector("[data-theme-toggle]");
  const label = /** @type {HTMLElement | null} */ (document.querySelector("[data-theme-label]"));
  if (!(button instanceof HTMLButtonElement) || !label) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => root.dataset.theme ?? (dark.matches ? "lamplight" : "day");
  const other = () => (now() === "day" ? "lamplight" : "day");
  const showOther = () => {
    const words = label.dataset[other()] ?? "";
    label.textContent = words;
    button.title = words;
  };
  button.addEventListener("click", () => {
    const theme = other();
    root.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // There is no storage: the choice lasts as long as the page.
    }
    showOther();
  });
  dark.addEventListener("change", showOther);
  showOther();
  button.hidden = false;
}

/** <button data-copy="#id" data-copied="Copied" hidden>: copies the text (or the value) of an element. */
function offerCopies() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const before = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.querySelector(button.dataset.copy ?? "");
      if (!source) return;
      const text = source instanceof HTMLInputElement ? source.value : (source.textContent ?? "");
      if (!(await copy(text.trim()))) return;
      button.textContent = button.dataset.copied ?? before;
      setTimeout(() => (button.textContent = before), 2000);
    });
  }
}

const UNITS = /** @type {const} */ ([
  ["hour", 3600],
  ["minute", 60],
]);

const RECENT = 20 * 3600; // seconds: up to then "two hours ago", later a date

/** <time datetime="...">: "3 minutes ago" or a date, in the visitor's time zone and calendar; the full time on hover. */
function writeTimes() {
  const times = document.querySelectorAll("time[datetime]");
  if (!times.length) return; // date formats take a while to load on a slow phone
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const clock = new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "short" });
  const day = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
  for (const time of times) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const seconds = (then.valueOf() - Date.now()) / 1000;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
    time.textContent = Math.abs(seconds) < RECENT ? words.format(Math.round(seconds / length), unit) : day.format(then);
    time.title = clock.format(then);
  }
}

/** Store the offline page, in the language of this page. */
function installOfflinePage() {
  addEventListener("load", () => navigator.serviceWorker?.register(`/service-worker.js?${root.lang}`).catch(() => {}));
}

switchThemes();
offerCopies();
writeTimes();
installOfflinePage();
