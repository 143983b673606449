// @ts-check
/** A button that opens a list of commands, each with its key. */
import { h } from "../table/dom.js";

/** @typedef {{label: string, keys?: string, run: () => void}} Command */

/** @param {string} label @param {(Command | null)[]} commands null: a line between them */
export function menu(label, commands) {
  const list = h(
    "div",
    { class: "menu-list", id: "menu-list", popover: "auto" },
    ...commands.map((command) => (command ? item(command, () => list.hidePopover()) : h("hr"))),
  );
  const button = h(
    "button",
    { class: "button button-small menu-button", type: "button", popovertarget: list.id, "aria-expanded": "false" },
    label,
  );
  list.addEventListener("toggle", (event) => {
    const open = /** @type {ToggleEvent} */ (event).newState === "open";
    button.setAttribute("aria-expanded", String(open));
    if (open) list.querySelector("button")?.focus();
  });
  list.addEventListener("beforetoggle", () => {
    const { bottom, right } = button.getBoundingClientRect();
    list.style.setProperty("--top", `${bottom}px`);
    list.style.setProperty("--right", `${innerWidth - right}px`);
  });
  list.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll("button")];
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items[(to + items.length) % items.length].focus();
  });
  return h("div", { class: "menu" }, button, list);
}

/** @param {Command} command @param {() => void} close */
function item({ label, keys, run }, close) {
  const act = () => {
    close();
    run();
  };
  return h("button", { class: "menu-item", type: "button", onclick: act }, label, keys ? h("kbd", {}, keys) : null);
}
