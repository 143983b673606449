// @ts-check
/** A list that scrolls, with a sign at the edge beyond which there is more of it. */
import { t } from "../i18n.js";
import { attr, h } from "./dom.js";

const NEAR = 2; // pixels that do not count

export class Scroller {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.root = h("div", { class: "scroller" }, list, h("span", { class: "more-sign", "aria-hidden": "true" }, t("more")));
    this.asked = 0;
    list.addEventListener("scroll", () => this.look(), { passive: true });
    new ResizeObserver(() => this.look()).observe(list);
  }

  /** Something in the list has changed: see with the next frame whether there is more than is shown. */
  look() {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      const { scrollTop, scrollHeight, clientHeight } = this.list;
      attr(this.root, "data-above", scrollTop > NEAR);
      attr(this.root, "data-below", scrollHeight - clientHeight - scrollTop > NEAR);
    });
  }

  /** Another list stands here: it begins at its top. */
  restart() {
    this.list.scrollTop = 0;
    this.look();
  }
}
