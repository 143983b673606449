// @ts-check
/** The page around the felt: the bar on top, the controls below, the rail with log and chat, and the banner for problems. */
import { t } from "../i18n.js";
import { attr, h, write } from "./dom.js";

const NEWS_STAYS = 8000; // milliseconds

export class Room {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.title = h("h1", { class: "room-title" });
    this.note = h("span", { class: "room-note" }); // shown where there is no room for badges
    this.phaseText = h("span", {});
    this.phase = h("p", { class: "room-phase" }, this.note, this.phaseText);
    this.chips = h("ul", { class: "room-chips", role: "list" });
    this.menu = h("div", { class: "menu-items" });
    const menu = h(
      "details",
      { class: "menu" },
      h("summary", { class: "bar-button", "aria-label": t("Menu") }, "⋯"),
      this.menu,
    );
    document.addEventListener("click", (event) => {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    });
    this.menu.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("a, button:not([aria-pressed])")) menu.open = false;
    });
    this.buttons = {
      log: h(
        "button",
        {
          class: "bar-button drawer-button",
          "data-opens": "log",
          type: "button",
          "aria-expanded": "false",
          onclick: () => this.drawer("log"),
        },
        t("Log"),
      ),
      chat: h(
        "button",
        {
          class: "bar-button drawer-button",
          type: "button",
          "aria-expanded": "false",
          onclick: () => this.drawer("chat"),
        },
        t("Chat"),
        h("span", { class: "unread" }),
      ),
    };
    this.rules = h(
      "button",
      {
        class: "bar-button",
        "data-opens": "rules",
        type: "button",
        "aria-label": t("Rules of the game"),
        title: t("Rules of the game"),
      },
      "?",
    );
    this.banner = h("p", { class: "banner", role: "status", hidden: true });
    this.news = h("ul", { class: "table-news", role: "status", "aria-label": t("News from the table") });
    this.caller = h("span", {});
    this.answer = h("button", { class: "button button-small", type: "button" }, t("Answer"));
    this.callers = h("div", { class: "banner callers", role: "status", hidden: true }, this.caller, this.answer);
    this.felt = h("div", { class: "felt" });
    this.controls = h("section", { class: "controls", "aria-label": t("Your move") });
    this.logList = h("ol", { class: "log", role: "list" });
    this.tabs = {
      log: h(
        "button",
        {
          class: "tab",
          type: "button",
          role: "tab",
          id: "tab-log",
          "aria-controls": "panel-log",
          onclick: () => this.show("log"),
        },
        t("Log"),
      ),
      chat: h(
        "button",
        {
          class: "tab",
          type: "button",
          role: "tab",
          id: "tab-chat",
          "aria-controls": "panel-chat",
          onclick: () => this.show("chat"),
        },
        t("Chat"),
        h("span", { class: "unread" }),
      ),
    };
    this.panels = {
      log: h(
        "div",
        { class: "panel-log", id: "panel-log", role: "tabpanel", "aria-labelledby": "tab-log" },
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Log") }, this.logList),
      ),
      chat: h("div", { class: "panel-chat", id: "panel-chat", role: "tabpanel", "aria-labelledby": "tab-chat" }),
    };
    const tablist = h(
      "div",
      {
        class: "tabs",
        role: "tablist",
        "aria-label": t("Log and chat"),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.switchTab(event),
      },
      this.tabs.log,
      this.tabs.chat,
    );
    const close = h(
      "button",
      { class: "close rail-close", type: "button", "aria-label": t("Close"), onclick: () => this.closeDrawer() },
      "×",
    );
    this.rail = h(
      "aside",
      { class: "rail", "aria-label": t("Log and chat") },
      tablist,
      close,
      this.panels.log,
      this.panels.chat,
    );
    const loading = root.querySelector(".room-loading");
    root.replaceChildren(
      h(
        "header",
        { class: "room-bar" },
        h("div", { class: "room-names" }, this.title, this.phase),
        this.chips,
        this.buttons.log,
        this.buttons.chat,
        this.rules,
        menu,
      ),
      this.banner,
      this.callers,
      this.news,
      h("div", { class: "stage" }, this.felt, this.controls),
      this.rail,
      ...(loading ? [loading] : []), // stays until something is drawn
    );
    attr(root, "data-status", "loading");
    this.unread = 0;
    this.onChatShown = () => {}; // called when the chat becomes visible
    /** @type {"log" | "chat"} */
    this.tab = "log";
    this.show("log");
  }

  /** @param {"log" | "chat"} tab */
  show(tab) {
    this.tab = tab;
    for (const name of /** @type {const} */ (["log", "chat"])) {
      attr(this.tabs[name], "aria-selected", String(name === tab));
      this.tabs[name].tabIndex = name === tab ? 0 : -1;
      this.panels[name].hidden = name !== tab;
    }
    if (tab === "chat") {
      this.read();
      this.onChatShown();
    }
  }

  /** @param {KeyboardEvent} event */
  switchTab(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    this.show(this.tab === "log" ? "chat" : "log");
    this.tabs[this.tab].focus();
    event.preventDefault();
  }

  /** On a phone, log and chat are a drawer. @param {"log" | "chat"} tab */
  drawer(tab) {
    const open = this.rail.hasAttribute("data-open") && this.tab === tab;
    attr(this.rail, "data-open", !open);
    this.expanded();
    this.show(tab);
  }

  /** Show the log or the chat, and move the focus there. @param {"log" | "chat"} tab */
  open(tab) {
    if (this.wide) this.show(tab);
    else if (!this.rail.hasAttribute("data-open") || this.tab !== tab) this.drawer(tab);
    const panel = this.panels[tab];
    /** @type {HTMLElement | null} */ (panel.querySelector("input") ?? panel.querySelector(".scroll"))?.focus();
  }

  /** Whether log and chat are beside the felt. (The button of the log may be hidden on phones, too.) */
  get wide() {
    return getComputedStyle(this.buttons.chat).display === "none";
  }

  /** @returns {boolean} whether it was open */
  closeDrawer() {
    const open = this.rail.hasAttribute("data-open");
    attr(this.rail, "data-open", false);
    this.expanded();
    return open;
  }

  expanded() {
    const open = this.rail.hasAttribute("data-open");
    for (const name of /** @type {const} */ (["log", "chat"]))
      attr(this.buttons[name], "aria-expanded", String(open && this.tab === name));
  }

  /** Whether the chat is visible. */
  get chatting() {
    return (
      this.tab === "chat" &&
      (getComputedStyle(this.rail).visibility !== "hidden" || this.rail.hasAttribute("data-open"))
    );
  }

  chatReceived() {
    if (this.chatting) return;
    this.unread++;
    this.mark();
  }

  read() {
    this.unread = 0;
    this.mark();
  }

  mark() {
    for (const node of this.root.querySelectorAll(".unread")) write(node, this.unread ? String(this.unread) : "");
  }

  /** Show the names of people who request a seat. @param {string[]} names */
  call(names) {
    write(
      this.caller,
      names.length === 1
        ? t("{name} asks for a seat.", { name: names[0] })
        : t("{n} people ask for a seat.", { n: names.length }),
    );
    this.callers.hidden = !names.length;
  }

  /** Show sentences for a while. @param {string[]} sentences */
  announce(sentences) {
    for (const words of sentences) {
      const line = h("li", {}, words);
      this.news.append(line);
      setTimeout(() => line.remove(), NEWS_STAYS);
    }
  }

  /** @param {string} text "" for none */
  warn(text) {
    write(this.banner, text);
    this.banner.hidden = !text;
  }
}
