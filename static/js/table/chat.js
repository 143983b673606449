// @ts-check
/** Chat: players talk at the table, watchers in the gallery. What people write stays text. */
import { t } from "../i18n.js";
import { h, sync, write } from "./dom.js";

/** @typedef {import("./types.js").ChatLine} ChatLine */

const LONGEST = 500;

export class Chat {
  /**
   * @param {HTMLElement} root
   * @param {(text: string) => boolean} say sends a line; false when it could not
   */
  constructor(root, say) {
    this.say = say;
    this.list = h("ol", { class: "chat-lines", role: "list" });
    this.box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Chat") }, this.list);
    this.empty = h("p", { class: "quiet" });
    this.note = h("p", { class: "note", role: "alert" });
    this.field = h("input", { type: "text", maxlength: LONGEST, autocomplete: "off", enterkeyhint: "send", "aria-label": t("Say something"), placeholder: t("Say something") });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && this.say(text)) this.field.value = "";
    };
    root.append(this.box, this.empty, this.note, h("form", { class: "chat-form", onsubmit: submit }, this.field, h("button", { class: "button button-small", type: "submit" }, t("Send"))));
  }

  /** @param {ChatLine[]} lines @param {boolean} watching @param {string} refusal */
  draw(lines, watching, refusal) {
    const room = watching ? "watchers" : "players";
    const shown = lines.filter((line) => line.room === room);
    sync(this.list, shown, (line) => `${line.room} ${line.n}`, (line) => h("li", { class: "chat-line" }, h("b", { class: "who" }, line.name), " ", h("span", {}, line.text)), () => {});
    this.box.hidden = !shown.length;
    this.empty.hidden = !!shown.length;
    write(this.empty, watching ? t("This is the gallery. Nobody has said a word yet, and the players cannot hear you.") : t("Nobody has said a word yet."));
    write(this.note, refusal);
  }

  focus() {
    this.field.focus();
  }
}
