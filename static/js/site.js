// @ts-check
/**
 * For every page: the colour theme, copy buttons, times in words.
 * Everything works without this file.
 */
import { copy } from "./copy.js";
import { writeTimes } from "./times.js";
import { showFirstTurns } from "./turns.js";

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

/** Store the offline page, in the language of this page. */
function installOfflinePage() {
  addEventListener("load", () => navigator.serviceWorker?.register(`/service-worker.js?${root.lang}`).catch(() => {}));
}

switchThemes();
offerCopies();
writeTimes();
showFirstTurns();
installOfflinePage();
