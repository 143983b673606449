// @ts-check
/** The preview of the best table to watch, on the front page. It is connected only while it is visible. */
import { asset } from "../assets.js";
import { h, sync, write } from "../table/dom.js";
import { LiveTable } from "../table/live_table.js";
import { makePortrait } from "../table/seats.js";
import { short } from "../table/text.js";

/** @typedef {import("../table/types.js").SeatInfo} SeatInfo */

const DRAWN = 640; // pixels: the width of the smallest felt on which every game has room for all players' cards

export class Featured {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.code = root.dataset.featured ?? "";
    const stand = h("div", { class: "felt" });
    this.box = h("div", { class: "featured-live", inert: true, "aria-hidden": "true" }, stand);
    this.live = new LiveTable(stand, root.dataset.words ?? "", {
      changed: () => this.appear(),
      drawn: () => this.draw(),
    });
    this.inView = true;
    this.frame = /** @type {HTMLElement} */ (root.querySelector(".featured-felt"));
    new ResizeObserver(() => this.scale()).observe(this.frame);
    this.people = /** @type {HTMLElement} */ (root.querySelector(".table-card-seats"));
    this.words = Object.fromEntries(
      ["phase", "last"].map((name) => [name, /** @type {HTMLElement} */ (root.querySelector(`.featured-${name}`))]),
    );
  }

  async open() {
    const style = h("link", { rel: "stylesheet", href: asset("css/table/felt_contents.css") });
    const come = new Promise((done) => (style.onload = style.onerror = done));
    document.head.prepend(style); // the page's own styles come after it
    await Promise.all([come, this.live.load()]);
    new IntersectionObserver(([entry]) => {
      this.inView = entry.isIntersecting;
      this.look();
    }).observe(this.root);
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("best-table", (event) => this.change(/** @type {CustomEvent<string>} */ (event).detail));
    this.look();
  }

  /** Draw the felt at least as large as on a tablet, and shrink the picture of it. */
  scale() {
    const scale = Math.min(1, this.frame.clientWidth / DRAWN);
    this.box.style.scale = `${scale}`;
    this.box.style.width = this.box.style.height = `${100 / scale}%`;
  }

  /** Connect while the preview is visible. */
  look() {
    const seen = this.inView && document.visibilityState === "visible";
    if (seen && !this.live.connection) this.live.show(this.code);
    else if (!seen && this.live.connection) this.live.end();
  }

  /** Another table is better to watch: switch to it, unless people play at this one. @param {string} code */
  change(code) {
    const { table } = this.live.store;
    const settled = table?.status === "playing" && !table.house;
    if (!code || code === this.code || settled || !this.live.connection) return;
    this.code = code;
    const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (
      this.root.querySelectorAll(".featured-felt, #featured-watch")
    );
    for (const link of links) link.href = `/t/${code}/`;
    this.live.show(code);
  }

  /** Show the felt in place of what the server has rendered, once there is something to draw. */
  appear() {
    const { table, view } = this.live.store;
    if (!table || !view || this.box.isConnected) return;
    this.frame.append(this.box);
    this.people.replaceChildren();
  }

  draw() {
    const { store, names } = this.live;
    const { table, view } = store;
    if (!table || !view) return;
    write(/** @type {Element} */ (this.root.querySelector("h2")), table.title);
    write(this.words.phase, short(view.phase, names));
    const last = view.over && view.result ? view.result.text : store.lastAction();
    write(this.words.last, last ? short(last, names) : "");
    sync(
      this.people,
      table.seats,
      (seat) => `${seat.seat} ${seat.kind} ${seat.person} ${seat.bot} ${seat.name}`,
      (seat) => h("li", {}, portrait(seat), h("bdi", {}, seat.name)),
      () => {},
    );
  }
}

/** @param {SeatInfo} seat */
function portrait(seat) {
  const drawn = makePortrait(seat);
  drawn.classList.add(`portrait-${seat.kind}`);
  return drawn;
}
