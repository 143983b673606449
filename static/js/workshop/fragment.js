// @ts-check
/** A piece of a page that the server renders again while a job runs. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";

const AGAIN = 3000; // milliseconds, after a look that failed

export class Fragment {
  /** @param {HTMLElement} place @param {(shown: HTMLElement) => void} connect called with each piece, before it is shown */
  constructor(place, connect) {
    this.place = place;
    this.connect = connect;
    this.round = 0; // answers to earlier requests are not shown
  }

  /** Show what an address has, again and again until the job has ended. @param {string} url @param {() => Promise<void>} [first] what else to do each time */
  follow(url, first) {
    void this.look(++this.round, url, first);
  }

  /** @param {number} round @param {string} url @param {(() => Promise<void>) | undefined} first */
  async look(round, url, first) {
    let later = AGAIN;
    try {
      await first?.();
      const answer = await fetch(url);
      if (round !== this.round) return;
      if (!answer.ok) return this.say(t("That did not work. Reload the page and try again."));
      later = this.show(await answer.text());
    } catch {
      if (round === this.round)
        this.write(t("The server cannot be reached. Trying again …"), "message message-warning");
    }
    if (later) setTimeout(() => round === this.round && void this.look(round, url, first), later);
  }

  /** @param {string} piece @returns {number} when to look again, 0: it is done */
  show(piece) {
    const found = new DOMParser().parseFromString(piece, "text/html").querySelector(".measured");
    if (!(found instanceof HTMLElement)) return 0;
    for (const image of found.querySelectorAll("img")) {
      const same = [...this.place.querySelectorAll("img")].find(
        (before) => before.getAttribute("src") === image.getAttribute("src"),
      );
      if (same) image.replaceWith(same); // or it would flicker
    }
    this.connect(found);
    const scrolled = this.place.querySelector(".lab-scroll")?.scrollLeft ?? 0;
    this.place.replaceChildren(found);
    const scroll = this.place.querySelector(".lab-scroll");
    if (scroll) scroll.scrollLeft = scrolled;
    return Number(found.dataset.later ?? 0);
  }

  /** Say something instead, and look no more. @param {string} text @param {string} [kind] */
  say(text, kind = "message message-warning") {
    ++this.round;
    this.write(text, kind);
  }

  /** @param {string} text @param {string} kind */
  write(text, kind) {
    this.place.replaceChildren(h("p", { class: kind || "soft", role: kind ? "alert" : "status" }, text));
  }
}
