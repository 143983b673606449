// @ts-check
/** The preview of the best table to watch, on the front page. It is connected only while it is visible. */
import { install } from "../../art/cards.js";
import { asset } from "../assets.js";
import { loadTranslations, t } from "../i18n.js";
import { h, sync, write } from "../table/dom.js";
import { GameLoader } from "../table/game_loader.js";
import { capture, travel } from "../table/motion.js";
import { Felt } from "../table/render.js";
import { makePortrait } from "../table/seats.js";
import { Connection } from "../table/socket.js";
import { Store } from "../table/store.js";
import { short } from "../table/text.js";

/** @typedef {import("../table/types.js").SeatInfo} SeatInfo */

export class Featured {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.code = root.dataset.featured ?? "";
    this.store = new Store();
    /** @type {Felt | null} */
    this.felt = null;
    this.stand = h("div", { class: "felt" });
    this.box = h("div", { class: "featured-live", inert: true, "aria-hidden": "true" }, this.stand);
    /** @type {Connection | null} */
    this.connection = null;
    this.inView = true;
    this.names = (/** @type {number} */ seat) => this.store.name(seat);
    this.frame = /** @type {HTMLElement} */ (root.querySelector(".featured-felt"));
    this.people = /** @type {HTMLElement} */ (root.querySelector(".table-card-seats"));
    this.words = Object.fromEntries(
      ["phase", "last"].map((name) => [name, /** @type {HTMLElement} */ (root.querySelector(`.featured-${name}`))]),
    );
  }

  async open() {
    const style = h("link", { rel: "stylesheet", href: asset("css/table/felt_contents.css") });
    const come = new Promise((done) => (style.onload = style.onerror = done));
    document.head.prepend(style); // the page's own styles come after it
    await Promise.all([come, loadTranslations()]);
    install(document);
    new IntersectionObserver(([entry]) => {
      this.inView = entry.isIntersecting;
      this.look();
    }).observe(this.root);
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("best-table", (event) => this.change(/** @type {CustomEvent<string>} */ (event).detail));
    this.look();
  }

  /** Connect while the preview is visible. */
  look() {
    const seen = this.inView && document.visibilityState === "visible";
    if (seen && !this.connection) this.connect();
    else if (!seen && this.connection) {
      this.connection.rest();
      this.connection = null;
    }
  }

  connect() {
    this.store = new Store();
    const { store } = this;
    const receive = (/** @type {import("../table/types.js").Outbound} */ message) =>
      this.store === store && !loader.delays(message) && this.receive(message);
    const loader = new GameLoader(this.root.dataset.words ?? "", "", receive);
    this.connection = new Connection(`/ws/table/${this.code}/?preview`, {
      have: () => ({ match: store.match, version: store.version }),
      receive,
      state: () => {},
    });
  }

  /** Another table is better to watch: switch to it, unless people play at this one. @param {string} code */
  change(code) {
    const { table } = this.store;
    const settled = table?.status === "playing" && !table.house;
    if (!code || code === this.code || settled || !this.connection) return;
    this.connection.rest();
    this.code = code;
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (this.root.querySelectorAll("a")))
      link.href = `/t/${code}/`;
    this.connect();
  }

  /** @param {import("../table/types.js").Outbound} message */
  receive(message) {
    const { store } = this;
    const { match } = store;
    const before = this.felt ? capture(this.stand) : null;
    const change = store.receive(message);
    if (change.gap) return void this.connection?.hello();
    while (store.revealing) store.goOn(); // a preview shows no reveals
    if (match !== store.match) this.felt?.clear();
    this.draw();
    if (change.live && before)
      travel(
        this.stand,
        before,
        (change.news ?? []).flatMap((line) => line.motions ?? []),
      );
  }

  draw() {
    const { view, table } = this.store;
    if (!table || !view) return;
    if (!this.felt) {
      this.frame.append(this.box);
      this.people.replaceChildren(); // rendered by the server
      this.felt = new Felt(this.stand);
      this.stand.addEventListener("figures", () => this.draw());
    }
    this.felt.draw(
      {
        view,
        seats: table.seats,
        bots: Object.fromEntries(table.bots.map((bot) => [bot.name, t(bot.title)])),
        viewer: null,
        playing: table.status === "playing",
        left: () => null,
        whole: 1,
        lastSeat: this.store.lastSeat,
      },
      { pickable: new Set(), picked: [], targets: new Set(), aimed: null, last: new Set(), names: this.names },
    );
    write(/** @type {Element} */ (this.root.querySelector("h2")), table.title);
    write(this.words.phase, short(view.phase, this.names));
    const last = view.over && view.result ? view.result.text : this.store.lastAction();
    write(this.words.last, last ? short(last, this.names) : "");
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
