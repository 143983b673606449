// @ts-check
/** The host's dialog, open at any time: the seats, requests for a seat, and the settings of the table. */
import { t } from "../i18n.js";
import { confirmAction } from "./dialogs.js";
import { h, sync } from "./dom.js";
import { HostTools, SeatList } from "./waiting_room.js";

/** @typedef {import("./types.js").TableInfo} TableInfo */
/** @typedef {import("./types.js").SeatRequestInfo} SeatRequestInfo */

/** @typedef {Pick<import("./store.js").Store, "people" | "barred">} Spectators who watch, by name, and who was removed */

/**
 * Who asks for a seat, under the names by which the host knows the spectators: two people may have the same name.
 * @param {TableInfo} table @param {Pick<Spectators, "people">} spectators @returns {SeatRequestInfo[]}
 */
export function asking(table, { people }) {
  const names = new Map(people.map((one) => [one.person, one.name]));
  return table.seat_requests.map((one) => ({ ...one, name: names.get(one.person) ?? one.name }));
}

export class HostDialog {
  /** @param {import("./waiting_room.js").Press} press @param {string} change address of the page that changes the game */
  constructor(press, change) {
    this.press = press;
    this.seats = new SeatList(press);
    this.tools = new HostTools(press, change);
    this.nobody = h("p", { class: "facts" }, t("Nobody is asking for a seat."));
    this.requests = h("ul", { class: "seat-requests", role: "list" });
    this.watchingTitle = h("h3", {}, t("Spectators"));
    this.watching = h("ul", { class: "seat-requests", role: "list" });
    this.barredTitle = h("h3", {}, t("Removed spectators"));
    this.barred = h("ul", { class: "seat-requests", role: "list" });
    this.dialog = h(
      "dialog",
      { class: "overlay host-dialog", "aria-label": t("Seats and people") },
      h("h2", {}, t("Seats and people")),
      this.seats.root,
      this.tools.root,
      h("h3", {}, t("Seat requests")),
      this.nobody,
      this.requests,
      this.watchingTitle,
      this.watching,
      this.barredTitle,
      this.barred,
      h(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "button button-primary", type: "submit" }, t("Done")),
      ),
    );
    document.body.append(this.dialog);
  }

  /** @param {TableInfo | null} table @param {import("./store.js").You} you @param {Spectators} spectators */
  draw(table, you, { people, barred }) {
    if (!this.dialog.open || !table) return;
    if (!you.host) return this.dialog.close(); // another person is the host now
    this.seats.draw(table, you);
    this.tools.draw(table, you);
    this.nobody.hidden = table.seat_requests.length > 0;
    const places = table.seats.filter((seat) => seat.kind !== "person").map((seat) => `${seat.seat}${seat.name}`);
    const key = (/** @type {SeatRequestInfo} */ one) =>
      `${one.person} ${one.name} ${one.next} ${table.status} ${places.join()}`;
    sync(
      this.requests,
      asking(table, { people }),
      key,
      (one) => this.row(one, table),
      () => {},
    );
    this.watchingTitle.hidden = !people.length;
    sync(
      this.watching,
      people,
      (one) => `${one.person} ${one.name}`,
      (one) => this.spectator(one),
      () => {},
    );
    this.barredTitle.hidden = !barred.length;
    sync(
      this.barred,
      barred,
      (one) => `${one.person} ${one.name}`,
      (one) => this.removed(one),
      () => {},
    );
  }

  /** @param {import("./types.js").PersonInfo} one */
  spectator({ person, name }) {
    const remove = async () => {
      const words = t("They can no longer watch this table or ask for a seat.");
      const action = t("Remove from the table");
      if (await confirmAction(t("Remove {name} from the table?", { name }), words, action))
        this.press("remove_spectator", { person });
    };
    return h(
      "li",
      {},
      h("b", {}, name),
      h("button", { class: "button button-small", type: "button", onclick: remove }, t("Remove from the table")),
    );
  }

  /** @param {import("./types.js").PersonInfo} one */
  removed({ person, name }) {
    const readmit = () => void this.press("readmit_spectator", { person });
    return h(
      "li",
      {},
      h("b", {}, name),
      h("button", { class: "button button-small", type: "button", onclick: readmit }, t("Let them come back")),
    );
  }

  /** @param {SeatRequestInfo} one @param {TableInfo} table */
  row(one, table) {
    const answer = (/** @type {string} */ words, more = {}) =>
      void this.press("answer_request", { person: one.person, answer: words, ...more });
    const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { class: "button button-small", type: "button", onclick: run }, label);
    const playing = table.status === "playing";
    const places = table.seats.filter((seat) => seat.kind !== "person");
    /** @type {HTMLSelectElement} */
    const where = h(
      "select",
      {
        "aria-label": t("Seat {name} now, in place of", { name: one.name }),
        onchange: () => answer("now", { seat: where.value }),
      },
      h("option", { value: "" }, t("Seat now, in place of …")),
      ...places.map((seat) => h("option", { value: seat.seat }, t("{name} (bot)", { name: seat.name }))),
    );
    return h(
      "li",
      {},
      h("b", {}, one.name),
      playing && places.length ? where : null,
      playing ? null : button(t("Give them a seat"), () => answer("now")),
      playing && !one.next ? button(t("Next match"), () => answer("next")) : null,
      one.next ? h("small", {}, t("plays in the next match")) : null,
      button(t("No"), () => answer("no")),
    );
  }

  /** @param {TableInfo} table @param {import("./store.js").You} you @param {Spectators} spectators */
  open(table, you, spectators) {
    if (!this.dialog.open) this.dialog.showModal();
    this.draw(table, you, spectators);
  }
}
