// @ts-check
/** The promise of a sealed deal, for whoever wants to keep it: the hash of the seed, published before the first card. */
import { copy } from "../copy.js";
import { t } from "../i18n.js";
import { h } from "./dom.js";

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
    { class: "parchment seal", "aria-labelledby": "seal-title" },
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
      { method: "dialog", class: "introduce-buttons" },
      button,
      proof ? h("a", { class: "button", href: proof }, t("Verify the deal")) : null,
      h("button", { class: "button button-primary", type: "submit" }, t("Close")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
