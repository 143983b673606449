// @ts-check
/** Announcements for screen readers: new log entries and, at once, that it is your turn. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { spoken } from "./text.js";

export class Announcer {
  constructor() {
    this.polite = h("div", {
      class: "visually-hidden",
      "aria-live": "polite",
      role: "log",
      "aria-label": t("Announcements"),
    });
    this.urgent = h("div", { class: "visually-hidden", "aria-live": "assertive", role: "alert" });
    document.body.append(this.polite, this.urgent);
    this.asked = "";
  }

  /** @param {import("./types.js").LogEntry[]} entries @param {import("./text.js").Names} names */
  announce(entries, names) {
    for (const entry of entries) this.polite.append(h("p", {}, spoken(entry.text, names)));
    while (this.polite.childElementCount > 30) this.polite.firstElementChild?.remove();
  }

  /** Announce each decision once. @param {string} decision @param {import("./types.js").Sentence} prompt @param {import("./text.js").Names} names @returns {boolean} whether it was announced now */
  ask(decision, prompt, names) {
    if (decision === this.asked) return false;
    this.asked = decision;
    this.urgent.textContent = decision ? `${t("Your turn.")} ${spoken(prompt, names)}` : "";
    return !!decision;
  }
}
