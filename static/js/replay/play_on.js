// @ts-check
/** What if: asks for the seat to play on from a step, and opens the table made for it. */
import { t } from "../i18n.js";
import { post } from "../api.js";
import { h, openDialog, write } from "../table/dom.js";

/** @param {string} url @param {number} move @param {number} seat the seat that is offered first @param {string[]} names by seat */
export function askToPlayOn(url, move, seat, names) {
  const seats = h(
    "select",
    { class: "field-input", id: "play-on-seat" },
    ...names.map((name, place) => h("option", { value: place }, name)),
  );
  seats.value = String(seat);
  const note = h("p", { class: "play-on-note", role: "alert" });
  /** @type {HTMLButtonElement} */
  const no = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("Cancel"));
  const yes = h("button", { type: "submit", class: "button button-primary" }, t("Play from here"));
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    yes.disabled = true;
    const answer = /** @type {{ok: boolean, text?: string, url?: string}} */ (
      await post(url, { move, seat: seats.value })
    );
    if (answer.ok && answer.url) return location.assign(answer.url);
    yes.disabled = false;
    write(note, answer.text ?? "");
  };
  const words = move ? t("What if: from move {n} on", { n: move }) : t("What if: from the deal on");
  const choice = names.length > 1 ? [h("label", { for: "play-on-seat" }, t("You play for")), seats] : [];
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "overlay question", "aria-labelledby": "play-on" },
    h(
      "form",
      { onsubmit: go },
      h("h2", { id: "play-on" }, words),
      h(
        "p",
        {},
        t(
          "The same cards and the same moves so far, at a private table of your own. Bots play for all other players, and nothing counts.",
        ),
      ),
      ...choice,
      note,
      h("div", { class: "dialog-buttons" }, no, yes),
    ),
  );
  openDialog(dialog);
  (names.length > 1 ? seats : yes).focus();
}
