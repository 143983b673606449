// @ts-check
/** The keyboard: numbers press buttons, arrows move along a hand or the buttons, Escape undoes, letters open the log and the chat. */
import { t } from "../i18n.js";
import { goOverGrid } from "./boards/grid.js";
import { h, openDialog } from "./dom.js";
import { KEYED } from "./controls.js";

/**
 * @typedef {object} Keys
 * @property {(key: string) => void} press the button with that key
 * @property {() => boolean} back whether there was anything to take back
 * @property {(card: HTMLElement) => void} tap
 * @property {() => boolean} buttons go to the first button; whether there is one
 * @property {() => void} chat
 * @property {() => void} log
 * @property {() => void} rules
 * @property {() => void} legend
 * @property {(event: KeyboardEvent) => boolean} first gets every other key before the rest; true when it was its own
 */

/** @param {Keys} keys */
export function listen(keys) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal")) return;
    const typing = target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (typing) target.blur();
      else if (keys.back()) event.preventDefault();
      return;
    }
    if (typing) return;
    if (keys.first(event)) {
      event.preventDefault();
      return;
    }
    if (KEYED.includes(event.key)) keys.press(event.key);
    else if (event.key === "c") keys.chat();
    else if (event.key === "l") keys.log();
    else if (event.key === "r") keys.rules();
    else if (event.key === "w") keys.legend();
    else if (event.key === "?") showKeys();
    else if ((event.key === "Enter" || event.key === " ") && target.matches(".piece[role=button]")) keys.tap(target);
    else if (event.key.startsWith("Arrow")) {
      if (!(target === document.body ? keys.buttons() : goOn(target, event.key))) return;
    } else return;
    event.preventDefault();
  });
}

/** Move to the next legal piece in the same zone, or to the next button. @param {HTMLElement} from @param {string} key @returns {boolean} whether there may be one */
function goOn(from, key) {
  if (goOverGrid(from, key)) return true;
  const row = from.closest(".pieces, .spaces, .moves");
  if (!row) return false;
  const stops = /** @type {HTMLElement[]} */ ([...row.querySelectorAll("[role=button], button:enabled, a[href]")]);
  const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  stops[(stops.indexOf(from) + step + stops.length) % stops.length]?.focus();
  return true;
}

/** Show a list of the keys. */
export function showKeys() {
  const rows = [
    ["1 – 9, 0, a, s, d", t("press that button")],
    ["Tab", t("go to the next card or button you may use")],
    ["← →", t("move along your hand or the buttons, or over a board")],
    ["Enter", t("pick a card, or play it on the highlighted place; on a path: take it")],
    ["Esc", t("undo the last step of a choice; close a panel")],
    ["c", t("chat")],
    ["l", t("log")],
    ["r", t("rules")],
    ["w", t("what the things on the table mean")],
    ["?", t("this help")],
  ];
  const dialog = h(
    "dialog",
    { class: "overlay help", "aria-label": t("Keys at the table") },
    h("h2", {}, t("Keys at the table")),
    h("dl", {}, ...rows.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("button", { class: "button", type: "submit" }, t("Close"))),
  );
  openDialog(dialog);
}
