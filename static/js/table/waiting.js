// @ts-check
/** Before the match: who sits where, the link for friends, and the host's buttons. */
import { t } from "../i18n.js";
import { attr, h, sync, write } from "./dom.js";
import { makePortrait } from "./seats.js";
import { figure } from "./text.js";

/** @typedef {import("./types.js").SeatInfo} SeatInfo */
/** @typedef {import("./types.js").TableInfo} TableInfo */
/** @typedef {import("./store.js").You} You */
/** @typedef {(button: string, fields?: Record<string, string | number>) => void} Press */

export class SeatList {
  /** @param {Press} press */
  constructor(press) {
    this.press = press;
    this.root = h("ul", { class: "seat-list", role: "list" });
  }

  /** @param {TableInfo} table @param {You} you */
  draw(table, you) {
    sync(this.root, table.seats, (seat) => `${seat.seat} ${seat.kind}`, (seat) => this.make(seat, table), (node, seat) => this.update(node, seat, table, you));
  }

  /** @param {SeatInfo} info @param {TableInfo} table */
  make(info, table) {
    const kinds = h(
      "select",
      { "aria-label": t("Who takes seat {n}", { n: info.seat + 1 }), onchange: () => void this.press("seat", { seat: info.seat, kind: kinds.value }) },
      h("option", { value: "open" }, t("Open")),
      ...table.bots.map((bot) => h("option", { value: bot.name }, t("{kind} · bot", { kind: bot.title }))),
    );
    return h(
      "li",
      { "data-kind": info.kind },
      h("span", { class: "seat-face" }),
      h("span", { class: "seat-words" }, h("b", {}), h("small", {})),
      kinds,
      h("button", { class: "button button-small", type: "button", onclick: () => this.press("sit", { seat: info.seat }) }, t("Sit here")),
      h("button", { class: "button button-small", type: "button", onclick: () => this.press("stand") }, t("Stand up")),
    );
  }

  /** @param {HTMLElement} node @param {SeatInfo} info @param {TableInfo} table @param {You} you */
  update(node, info, table, you) {
    const [face, words, kinds, sit, stand] = /** @type {HTMLElement[]} */ ([...node.children]);
    const who = `${info.name} ${info.bot}`;
    if (face.dataset.who !== who) {
      face.dataset.who = who;
      face.replaceChildren(...(info.kind === "open" ? [] : [makePortrait(info)]));
    }
    write(/** @type {Element} */ (words.firstChild), info.kind === "open" ? t("Open seat") : info.name);
    const bot = table.bots.find((one) => one.name === info.bot);
    const facts = [
      info.seat === you.seat ? t("you") : "",
      info.kind === "bot" ? t("{kind} · bot", { kind: bot?.title ?? info.bot }) : "",
      info.host ? t("host") : "",
      info.kind === "person" && !info.here ? t("not here") : "",
      table.number && info.kind !== "open" ? t("won {n}", { n: figure(info.wins) }) : "",
    ];
    write(/** @type {Element} */ (words.lastChild), facts.filter(Boolean).join(" · "));
    const yours = info.seat === you.seat;
    kinds.hidden = !you.host || info.kind === "person";
    /** @type {HTMLSelectElement} */ (kinds).value = info.kind === "open" ? "open" : info.bot;
    sit.hidden = info.kind !== "open" || you.seat !== null;
    stand.hidden = !yours;
    attr(node, "data-you", yours);
  }
}

export class WaitingPanel {
  /**
   * @param {HTMLElement} parent
   * @param {string} invite the address for friends
   * @param {Press} press
   */
  constructor(parent, invite, press) {
    this.seats = new SeatList(press);
    this.facts = h("p", { class: "facts" });
    this.copy = h("button", { class: "button button-small", type: "button", onclick: () => this.copyLink() }, t("Copy the link"));
    this.link = h("input", { type: "text", readonly: true, value: invite, "aria-label": t("Link to this table"), onfocus: () => void this.link.select() });
    this.title = h("h2", {});
    this.root = h(
      "section",
      { class: "parchment waiting", "aria-label": t("Before the match"), hidden: true },
      this.title,
      this.facts,
      this.seats.root,
      h("div", { class: "invite" }, h("p", {}, t("Friends come by this link:")), h("div", { class: "invite-row" }, this.link, this.copy)),
    );
    parent.append(this.root);
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(this.link.value);
      write(this.copy, t("Copied"));
    } catch {
      this.link.select();
      write(this.copy, t("Press Ctrl+C"));
    }
    setTimeout(() => write(this.copy, t("Copy the link")), 2500);
  }

  /** @param {TableInfo | null} table @param {You} you */
  draw(table, you) {
    this.root.hidden = table?.status !== "open";
    if (!table || this.root.hidden) return;
    write(this.title, table.title);
    const facts = [
      table.public ? t("public table") : t("by link only"),
      table.sealed ? t("sealed deal") : "",
      t("{n} seconds a decision", { n: table.seconds }),
      ...table.options.map((option) => `${t(option.label)}: ${option.shown}`),
    ];
    write(this.facts, facts.filter(Boolean).join(" · "));
    this.seats.draw(table, you);
  }
}
