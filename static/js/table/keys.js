// @ts-check
/** What the keys do at a table. */
import { t } from "../i18n.js";
import { h } from "./dom.js";

/** Opens the help. */
export function showKeys() {
  const rows = [
    ["1 – 9", t("press that button")],
    ["Tab", t("go to the next card or button you may use")],
    ["← →", t("move along your hand or the buttons, or over a board")],
    ["Enter", t("pick a card, or play it on the highlighted place; on a path: take it")],
    ["Esc", t("undo the last step of a choice; close a panel")],
    ["c", t("chat")],
    ["l", t("log")],
    ["r", t("rules")],
    ["w", t("names of the things on the table")],
    ["?", t("this help")],
  ];
  const dialog = h(
    "dialog",
    { class: "parchment help", "aria-label": t("Keys at the table") },
    h("h2", {}, t("Keys at the table")),
    h("dl", {}, ...rows.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("button", { class: "button", type: "submit" }, t("Close"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
