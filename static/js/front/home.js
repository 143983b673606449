// @ts-check
/** The parts of the front page that are updated: the list of tables, and the preview of the best table to watch. */
import { loadTranslations } from "../i18n.js";
import { Tables } from "./tables.js";

await loadTranslations();
const script = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[data-tables]"));
if (script?.dataset.tables) new Tables(script.dataset.tables);
const featured = /** @type {HTMLElement | null} */ (document.querySelector("[data-featured]"));
if (featured) {
  // Fetched only when it is scrolled into view.
  const seen = new IntersectionObserver(async ([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    /** A bundle of its own: most visitors of the front page never scroll here. @type {typeof import("./featured.js")} */
    const { Featured } = await import(featured.dataset.script ?? "./featured.js");
    void new Featured(featured).open();
  });
  seen.observe(featured);
}
