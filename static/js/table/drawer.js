// @ts-check
/** The rules at the table: beside the felt if there is room, otherwise a dialog. Fetched when first opened. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { drawRulePieces } from "./pieces.js";

const BESIDE = matchMedia("(min-width: 68.01rem) and (min-height: 30.01rem)"); // on such screens the rail is a column: the same condition as in css/table/page.css

export class Drawer {
  /** @param {HTMLElement} room @param {string} title */
  constructor(room, title) {
    this.page = ""; // the address of the rules it contains
    this.body = h("div", { class: "drawer-body", tabindex: 0, role: "region", "aria-label": t("Rules of the game") });
    this.whole = h("a", { class: "text-link", target: "_blank", rel: "noopener" }, t("Open as a page"));
    const close = h(
      "button",
      { class: "close", type: "button", "aria-label": t("Close the rules"), onclick: () => this.close() },
      "×",
    );
    this.dialog = h(
      "dialog",
      { class: "drawer", "aria-label": title },
      h("header", {}, h("h2", {}, t("Rules")), this.whole, close),
      this.body,
    );
    this.body.addEventListener("click", (event) => this.goTo(event));
    this.dialog.addEventListener("close", () => this.closed());
    room.append(this.dialog);
    BESIDE.addEventListener("change", () => {
      if (!this.dialog.open) return;
      this.turning = true;
      this.dialog.close();
      this.show();
    });
    this.turning = false; // being closed only to be reopened as the other kind of dialog
    /** @type {Element | null} */
    this.from = null;
  }

  get open() {
    return this.dialog.open;
  }

  /** @param {string} url address of the rules without the rest of their page @param {string} page address of the rules as a page @param {import("./text.js").Names} names */
  async toggle(url, page, names) {
    if (this.close()) return;
    this.from = document.activeElement;
    this.whole.href = page;
    this.show();
    if (this.page === page) return;
    this.page = page;
    this.body.replaceChildren(h("p", {}, t("Loading the rules …")));
    try {
      const answer = await fetch(url);
      if (!answer.ok) throw new Error(String(answer.status));
      this.body.innerHTML = await answer.text(); // rendered by the server, which escapes what people wrote
      await drawRulePieces(this.body, names);
    } catch {
      this.page = "";
      this.body.replaceChildren(h("p", {}, t("The rules cannot be loaded. Try again in a moment.")));
    }
  }

  show() {
    if (BESIDE.matches) this.dialog.show();
    else this.dialog.showModal();
    this.body.focus({ preventScroll: true });
  }

  /** @returns {boolean} whether it was open */
  close() {
    const { open } = this.dialog;
    if (open) this.dialog.close();
    return open;
  }

  closed() {
    if (!this.turning) /** @type {HTMLElement | null} */ (this.from)?.focus?.();
    this.turning = false;
  }

  /** Scroll to a heading without changing the page's address. @param {Event} event */
  goTo(event) {
    const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const heading = /** @type {HTMLElement | null} */ (
      this.body.querySelector(`[id="${CSS.escape(link.getAttribute("href")?.slice(1) ?? "")}"]`)
    );
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }
}
