// @ts-check
/** What is what: everything that lies on the table just now and has a meaning, in a list. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { EXPLAINED, termOf, wordsFor } from "./signs.js";

/** @param {HTMLElement} room @param {Record<string, import("./types.js").Text>} about @param {import("./text.js").Names} names */
export function showLegend(room, about, names) {
  /** By what it means, so that each is told once. @type {Map<string, string>} */
  const told = new Map();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(EXPLAINED))) {
    const words = node.checkVisibility({ visibilityProperty: true }) ? wordsFor(node, about, names) : "";
    if (words && !told.has(words)) told.set(words, termOf(node));
  }
  const dialog = h(
    "dialog",
    { class: "parchment legend", "aria-labelledby": "legend-title" },
    h("h2", { id: "legend-title" }, t("What is what")),
    h("dl", {}, ...[...told].flatMap(([words, term]) => [h("dt", {}, term), h("dd", {}, words)])),
    h("p", { class: "facts" }, t("Point at a thing on the table, or hold a finger on it, to read the same.")),
    h(
      "form",
      { method: "dialog", class: "introduce-buttons" },
      h("button", { class: "button button-primary", type: "submit" }, t("Close")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
