// @ts-check
/** Asks before something is done that others feel: what it means, and a way back. */
import { t } from "../i18n.js";
import { h } from "./dom.js";

/**
 * @param {string} question @param {string} words what it means @param {string} action what the button says
 * @returns {Promise<boolean>} whether it is to be done
 */
export function confirmAction(question, words, action) {
  return new Promise((done) => {
    const no = h("button", { type: "submit", class: "button", value: "" }, t("Cancel"));
    const yes = h("button", { type: "submit", class: "button button-primary", value: "yes" }, action);
    const dialog = h(
      "dialog",
      { class: "parchment introduce", "aria-labelledby": "sure-question" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "sure-question" }, question),
        h("p", {}, words),
        h("div", { class: "introduce-buttons" }, no, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
