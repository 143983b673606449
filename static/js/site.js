// @ts-check
/**
 * Small comforts on every page: the light, copying, times in words, one submit a click.
 * Everything works without this file.
 */

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
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const before = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.querySelector(button.dataset.copy ?? "");
      if (!source) return;
      const text = source instanceof HTMLInputElement ? source.value : (source.textContent ?? "");
      await navigator.clipboard.writeText(text.trim());
      button.textContent = button.dataset.copied ?? before;
      setTimeout(() => (button.textContent = before), 2000);
    });
  }
}

const UNITS = /** @type {const} */ ([
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
]);

/** <time datetime="...">: "3 minutes ago", with the visitor's own date and clock on hover. */
function sayTimes() {
  const words = new Intl.RelativeTimeFormat(root.lang || "en", { numeric: "auto" });
  const clock = new Intl.DateTimeFormat(root.lang || "en", { dateStyle: "full", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const seconds = (then.valueOf() - Date.now()) / 1000;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
    time.textContent = words.format(Math.round(seconds / length), unit);
    time.title = clock.format(then);
  }
}

/** A form answers its first click; a second one, from an impatient paw, is let go. */
function submitOnce() {
  const sent = new Set();
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "post" || event.defaultPrevented) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  addEventListener("pageshow", () => sent.clear());
}

lightTheLamp();
offerCopies();
sayTimes();
submitOnce();
