// @ts-check
/** Tabs, as the keyboard knows them: arrows go from one to the next. */
import { attr, h } from "../table/dom.js";

export class Tabs {
  /** @param {string} label @param {[id: string, label: string, panel: HTMLElement][]} tabs @param {(id: string) => void} chosen */
  constructor(label, tabs, chosen) {
    this.chosen = chosen;
    this.tabs = tabs.map(([id, words, panel]) => {
      const button = h(
        "button",
        {
          class: "tab",
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": `panel-${id}`,
          onclick: () => this.choose(id),
        },
        words,
      );
      attr(panel, "role", "tabpanel");
      attr(panel, "id", `panel-${id}`);
      attr(panel, "aria-labelledby", `tab-${id}`);
      return { id, button, panel };
    });
    this.root = h(
      "div",
      {
        class: "tabs editor-tabs",
        role: "tablist",
        "aria-label": label,
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      },
      ...this.tabs.map((tab) => tab.button),
    );
    this.now = "";
  }

  /** @param {string} id */
  choose(id) {
    this.now = id;
    for (const tab of this.tabs) {
      const on = tab.id === id;
      attr(tab.button, "aria-selected", on ? "true" : "false");
      attr(tab.button, "tabindex", on ? 0 : -1);
      attr(tab.panel, "data-shown", on);
    }
    this.chosen(id);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const visible = this.tabs.filter((tab) => tab.button.offsetParent);
    const at = visible.findIndex((tab) => tab.id === this.now);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = visible[(to + visible.length) % visible.length];
    this.choose(tab.id);
    tab.button.focus();
  }
}
