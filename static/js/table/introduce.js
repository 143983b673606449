// @ts-check
/** Asks somebody new for a name: before the first seat, before the first word of chat. */
import { t } from "../i18n.js";
import { h } from "./dom.js";

const LONGEST = 24; // characters, as the server has it

/** @param {string} action what the button says @returns {Promise<string>} the name, "" when it was put off */
export function askName(action) {
  return new Promise((done) => {
    const name = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", id: "new-name", maxlength: LONGEST, required: true, autocomplete: "nickname" })
    );
    const later = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("Not now"));
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", {}, t("What shall we call you?")),
      h("label", { for: "new-name" }, t("Your name")),
      name,
      h("p", {}, t("No account is needed. Everybody at the table sees it.")),
      h(
        "div",
        { class: "introduce-buttons" },
        later,
        h("button", { type: "submit", class: "button button-primary" }, action),
      ),
    );
    const dialog = /** @type {HTMLDialogElement} */ (
      h("dialog", { class: "parchment introduce", "aria-label": t("What shall we call you?") }, form)
    );
    let chosen = "";
    form.addEventListener("submit", () => (chosen = name.value.trim()));
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
    name.focus();
  });
}
