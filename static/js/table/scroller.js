// @ts-check
/** A list that scrolls, with a sign at its edge while there is more to scroll to. */
import { t } from "../i18n.js";
import { attr, h, write } from "./dom.js";

const NEAR = 2; // pixels of overflow that are ignored

export class Scroller {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.sign = h("span", { class: "more-sign", "aria-hidden": "true" });
    this.root = h("div", { class: "scroller" }, list, this.sign);
    this.asked = 0; // the frame that was requested, 0 if none
    list.addEventListener("scroll", () => this.look(), { passive: true });
    new ResizeObserver(() => this.look()).observe(list);
  }

  /** The list has changed: check at the next frame whether there is more to scroll to. */
  look() {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      const { scrollTop, scrollHeight, clientHeight } = this.list;
      attr(this.root, "data-above", scrollTop > NEAR);
      const below = scrollHeight - clientHeight - scrollTop > NEAR;
      attr(this.root, "data-below", below);
      if (!below) return;
      const edge = this.list.getBoundingClientRect().bottom;
      write(
        this.sign,
        t("{n} more", {
          n: [...this.list.children].filter((one) => one.getBoundingClientRect().bottom > edge + NEAR).length,
        }),
      );
    });
  }

  /** The list has been replaced: scroll to its top. */
  restart() {
    this.list.scrollTop = 0;
    this.look();
  }
}
