// @ts-check
/**
 * Small comforts on every page: the light, copying, times in words.
 * Everything works without this file.
 */
import { copy } from "./copy.js";
import { locale } from "./locale.js";

const root = document.documentElement;

/** The lamp in the masthead: day or lamplight, kept on this machine. */
function lightTheLamp() {
  const button = document.querySelector("[data-theme-toggle]");
  const label = /** @type {HTMLElement | null} */ (document.querySelector("[data-theme-label]"));
  if (!(button instanceof HTMLButtonElement) || !label) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => root.dataset.theme ?? (dark.matches ? "lamplight" : "day");
  const other = () => (now() === "day" ? "lamplight" : "day");
  const say = () => {
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
      // Storage is closed to us: the light lasts as long as the page.
    }
    say();
  });
  dark.addEventListener("change", say);
  say();
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

const RECENT = 20 * 3600; // seconds: within them one thinks "two hours ago", later of a day

/** <time datetime="...">: "3 minutes ago" or a date, by the visitor's own clock and calendar, and all of it on hover. */
function sayTimes() {
  const times = document.querySelectorAll("time[datetime]");
  if (!times.length) return; // to know a calendar takes a slow phone a while
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

/** Where the house cannot be reached a page of ours says so; it is kept in the language of this one. */
function keepOfflinePage() {
  addEventListener("load", () => navigator.serviceWorker?.register(`/service-worker.js?${root.lang}`).catch(() => {}));
}

lightTheLamp();
offerCopies();
sayTimes();
keepOfflinePage();
