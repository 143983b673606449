// @ts-check
/**
 * The list of tables on the front page, fetched every few seconds while the page is visible.
 * Nothing moves under a finger: a card changes in place, a new one takes the place of a removed one or is
 * appended, and a removed one stays, dimmed, until its place is needed.
 */
import { t } from "../i18n.js";

/** @typedef {{code: string, html: string, free: number, title: string}} Card */
/** @typedef {{tables: Card[], mine: Card[], watch: string}} Now */

const EVERY = 4_000; // milliseconds
const LONGEST = 60_000; // while the server does not answer

export class Tables {
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    this.etag = "";
    this.wait = EVERY;
    this.timer = 0;
    this.loading = false;
    /** @type {WeakMap<HTMLElement, string>} the HTML of each place, as last drawn */
    this.html = new WeakMap();
    const look = () => {
      if (document.visibilityState === "visible") return void this.ask();
      for (const card of document.querySelectorAll("[data-live] > [data-removed]")) card.remove(); // the page is hidden, so nobody sees anything move
    };
    document.addEventListener("visibilitychange", look);
    addEventListener("online", look);
    addEventListener("pageshow", look);
    void this.ask();
  }

  /** Fetch the tables now, and then again and again. */
  async ask() {
    if (this.loading) return;
    this.loading = true;
    clearTimeout(this.timer);
    try {
      const answer = await fetch(this.url, {
        headers: this.etag ? { "If-None-Match": this.etag } : {},
        cache: "no-store",
      });
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      this.wait = EVERY;
      if (answer.ok) {
        this.etag = answer.headers.get("ETag") ?? "";
        this.show(await answer.json());
      }
    } catch {
      this.wait = Math.min(LONGEST, this.wait * 2); // no connection, or a busy server
    }
    this.loading = false;
    if (document.visibilityState === "visible") this.timer = setTimeout(() => void this.ask(), this.wait);
  }

  /** @param {Now} now */
  show(now) {
    dispatchEvent(new CustomEvent("best-table", { detail: now.watch }));
    this.fill("mine", now.mine);
    const fresh = this.fill("tables", now.tables);
    for (const [name, hidden] of /** @type {[string, boolean][]} */ ([
      ["some", !now.tables.length],
      ["none", !!now.tables.length],
    ])) {
      const part = /** @type {HTMLElement | null} */ (document.querySelector(`[data-live=${name}]`));
      if (part && part.hidden !== hidden) part.hidden = hidden;
    }
    // Announce only free seats to screen readers: people may be waiting for one.
    const free = fresh.find((card) => card.free);
    const news = document.querySelector("[data-live=news]");
    if (free && news) news.textContent = t("A table has a free seat now: {game}", { game: free.title });
  }

  /** Update a list. @param {string} name @param {Card[]} cards @returns {Card[]} those that are new */
  fill(name, cards) {
    const list = document.querySelector(`[data-live=${name}]`);
    if (!list) return [];
    const items = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(":scope > [data-code]")]);
    const wanted = new Map(cards.map((card) => [card.code, card]));
    const there = new Set(items.map((item) => item.dataset.code));
    for (const item of items) {
      const card = wanted.get(item.dataset.code ?? "");
      item.toggleAttribute("data-removed", !card);
      if (card) this.draw(item, card);
    }
    const places = items.filter((item) => item.hasAttribute("data-removed") && !item.matches(":hover, :focus-within"));
    const fresh = cards.filter((card) => !there.has(card.code));
    for (const card of fresh) {
      // In the place of a removed one, or at the end.
      const item =
        places.shift() ??
        list.insertBefore(document.createElement("li"), list.querySelector(":scope > :not([data-code])"));
      item.dataset.code = card.code;
      item.removeAttribute("data-removed");
      this.html.set(item, "");
      this.draw(item, card);
    }
    return fresh;
  }

  /** Draw a card, unless it is the same as before. @param {HTMLElement} item @param {Card} card */
  draw(item, card) {
    const before = this.html.get(item);
    if (before === card.html) return;
    this.html.set(item, card.html);
    if (before === undefined) return; // the server rendered it a moment ago
    const focused = item.contains(document.activeElement);
    item.innerHTML = card.html;
    if (focused) item.querySelector("a")?.focus({ preventScroll: true });
  }
}
