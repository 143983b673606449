// @ts-check
/** Dialogs: a confirmation, a name for a new visitor, the hash of a sealed deal. */
import { copy } from "../copy.js";
import { t } from "../i18n.js";
import { h, openDialog } from "./dom.js";

/**
 * @param {string} question @param {string} words what it means @param {string} action label of the button
 * @returns {Promise<boolean>} whether it is to be done
 */
export function confirmAction(question, words, action) {
  return new Promise((done) => {
    const no = h("button", { type: "submit", class: "button", value: "" }, t("Cancel"));
    const yes = h("button", { type: "submit", class: "button button-primary", value: "yes" }, action);
    const dialog = h(
      "dialog",
      { class: "overlay question", "aria-labelledby": "sure-question" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "sure-question" }, question),
        h("p", {}, words),
        h("div", { class: "dialog-buttons" }, no, yes),
      ),
    );
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"));
    openDialog(dialog);
    no.focus();
  });
}

const LONGEST = 24; // characters, as on the server

/** Ask for a name. @param {string} action label of the button @returns {Promise<string>} the name, "" if cancelled */
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
        { class: "dialog-buttons" },
        later,
        h("button", { type: "submit", class: "button button-primary" }, action),
      ),
    );
    const dialog = /** @type {HTMLDialogElement} */ (
      h("dialog", { class: "overlay question", "aria-label": t("What shall we call you?") }, form)
    );
    let chosen = "";
    name.addEventListener("input", () => name.setCustomValidity(""));
    form.addEventListener("submit", (event) => {
      chosen = name.value.trim();
      if (chosen) return;
      event.preventDefault();
      name.setCustomValidity(t("A name needs at least one letter or sign, not only spaces."));
      name.reportValidity();
    });
    dialog.addEventListener("close", () => done(chosen));
    openDialog(dialog);
    name.focus();
  });
}

const LONGEST_REASON = 200; // characters, as on the server

/**
 * Ask which messages are to be reported to the administrators, and why.
 * @param {import("./types.js").ChatLine[]} lines of others, oldest first
 * @returns {Promise<{ messages: string, why: string } | null>} their numbers, separated by commas; null: cancelled
 */
export function askReport(lines) {
  return new Promise((done) => {
    const boxes = lines.map((line) =>
      h(
        "label",
        { class: "report-line" },
        h("input", { type: "checkbox", value: line.n }),
        h("span", {}, h("b", {}, line.name), " ", line.text),
      ),
    );
    const why = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", id: "report-why", maxlength: LONGEST_REASON, required: true, autocomplete: "off" })
    );
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", { id: "report-title" }, t("Report messages")),
      h("p", {}, t("The administrators of this site read your report. Nobody at the table is notified.")),
      h("fieldset", { class: "report-lines" }, h("legend", {}, t("Which messages?")), ...boxes),
      h("label", { for: "report-why" }, t("What is wrong?")),
      why,
      h(
        "div",
        { class: "dialog-buttons" },
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("Cancel")),
        h("button", { type: "submit", class: "button button-primary" }, t("Report")),
      ),
    );
    const dialog = /** @type {HTMLDialogElement} */ (
      h("dialog", { class: "overlay question report", "aria-labelledby": "report-title" }, form)
    );
    const first = /** @type {HTMLInputElement | null} */ (form.querySelector("[type=checkbox]"));
    const chosen = () =>
      [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(":checked"))].map((box) => box.value);
    /** @type {{ messages: string, why: string } | null} */
    let report = null;
    form.addEventListener("change", () => first?.setCustomValidity(""));
    form.addEventListener("submit", (event) => {
      report = { messages: chosen().join(","), why: why.value.trim() };
      if (report.messages) return;
      event.preventDefault();
      report = null;
      first?.setCustomValidity(t("Choose at least one message."));
      first?.reportValidity();
    });
    dialog.addEventListener("close", () => done(report));
    openDialog(dialog);
    first?.focus();
  });
}

/** @param {string} commitment SHA-256 of the seed, hexadecimal @param {string} proof address of the proof, "" until the match is over */
export function showSeal(commitment, proof) {
  const button = h(
    "button",
    {
      class: "button",
      type: "button",
      onclick: async () => {
        if (await copy(commitment)) button.textContent = t("Copied");
        else getSelection()?.selectAllChildren(hash);
      },
    },
    t("Copy the hash"),
  );
  const hash = h("code", {}, commitment);
  const dialog = h(
    "dialog",
    { class: "overlay seal", "aria-labelledby": "seal-title" },
    h("h2", { id: "seal-title" }, t("A sealed deal")),
    h(
      "p",
      {},
      t(
        "Every shuffle of this match comes from a seed that was drawn before the first card. This is its SHA-256 hash. The seed itself is published after the last card. Keep the hash: then nobody can change the deal without your noticing.",
      ),
    ),
    h("p", {}, hash),
    h(
      "form",
      { method: "dialog", class: "dialog-buttons" },
      button,
      proof ? h("a", { class: "button", href: proof }, t("Verify the deal")) : null,
      h("button", { class: "button button-primary", type: "submit" }, t("Close")),
    ),
  );
  openDialog(dialog);
}
