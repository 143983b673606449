// @ts-check
/**
 * The list of tables on the front page, fetched every few seconds while the page is visible.
 * Nothing moves under a finger: a card changes in place, a new one takes the place of a removed one or is
 * appended, and a removed one stays, without its button, until its place is needed.
 */
import { t } from "../i18n.js";
import { poll } from "../poll.js";
import { writeTimes } from "../times.js";
import { showTurns } from "../turns.js";

/** @typedef {{code: string, html: string, title: string, free?: number}} Card */
/** @typedef {{tables: Card[], mine: Card[], invited: Card[], watch: string, turns: number}} Now */

const EVERY = 4_000; // milliseconds

export class Tables {
  /** @param {string} url */
  constructor(url) {
    /** @type {WeakMap<HTMLElement, string>} the HTML of each place, as last drawn */
    this.html = new WeakMap();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") return;
      for (const card of document.querySelectorAll("[data-live] > [data-removed]")) card.remove(); // nobody sees anything move
    });
    void poll(url, EVERY, (/** @type {Now} */ now) => this.show(now))();
  }

  /** @param {Now} now */
  show(now) {
    dispatchEvent(new CustomEvent("best-table", { detail: now.watch }));
    showTurns(now.turns);
    this.fill("mine", now.mine);
    const [invitation] = this.fill("invited", now.invited);
    const fresh = this.fill("tables", now.tables);
    writeTimes();
    for (const [name, hidden] of /** @type {[string, boolean][]} */ ([
      ["some", !now.tables.length],
      ["none", !!now.tables.length],
      ["invitations", !now.invited.length],
    ])) {
      const part = /** @type {HTMLElement | null} */ (document.querySelector(`[data-live=${name}]`));
      if (part && part.hidden !== hidden) part.hidden = hidden;
    }
    // Announce only invitations and free seats to screen readers: people may be waiting for them.
    const free = fresh.find((card) => card.free);
    const news = document.querySelector("[data-live=news]");
    if (invitation && news) news.textContent = invitation.title;
    else if (free && news) news.textContent = t("A table has a free seat now: {game}", { game: free.title });
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
    if (focused) /** @type {HTMLElement | null} */ (item.querySelector("a, button"))?.focus({ preventScroll: true });
  }
}
