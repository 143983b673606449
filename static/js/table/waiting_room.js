// @ts-check
/** The waiting room before a match: the seats, the link for friends, and the host's buttons. */
import { t } from "../i18n.js";
import { delayWords, isSlow, timeWords } from "./clock.js";
import { attr, h, sync, write } from "./dom.js";
import { makePortrait, startsWith } from "./seats.js";
import { confirmAction } from "./dialogs.js";
import { figure } from "./text.js";

/** @typedef {import("./types.js").SeatInfo} SeatInfo */
/** @typedef {import("./types.js").TableInfo} TableInfo */
/** @typedef {import("./types.js").HandicapInfo} HandicapInfo */
/** @typedef {import("./store.js").You} You */
/** @typedef {import("./invitation.js").Invitation} Invitation */
/** @typedef {(button: string, fields?: Record<string, string | number>) => void} Press */

export class SeatList {
  /** @param {Press} press */
  constructor(press) {
    this.press = press;
    this.root = h("ul", { class: "seat-list", role: "list" });
  }

  /** @param {TableInfo} table @param {You} you */
  draw(table, you) {
    sync(
      this.root,
      table.seats,
      (seat) => `${seat.seat} ${seat.kind} ${seat.person}`,
      (seat) => this.make(seat, table),
      (node, seat) => this.update(node, seat, table, you),
    );
  }

  /** @param {SeatInfo} info @param {TableInfo} table */
  make(info, table) {
    const kinds = info.kind === "person" ? this.acts(info) : this.kinds(info, table);
    return h(
      "li",
      { "data-kind": info.kind },
      h("span", { class: "seat-face" }),
      h("span", { class: "seat-words" }, h("b", {}), h("small", {})),
      kinds,
      h(
        "button",
        { class: "button button-small", type: "button", onclick: () => this.press("sit", { seat: info.seat }) },
        t("Sit here"),
      ),
      h("button", { class: "button button-small", type: "button", onclick: () => this.press("stand") }, t("Stand up")),
    );
  }

  /** The host's actions for a seat without a person: choose a bot, or remove the seat. @param {SeatInfo} info @param {TableInfo} table */
  kinds(info, table) {
    const kinds = h(
      "select",
      {
        "aria-label": t("Who takes seat {n}", { n: info.seat + 1 }),
        onchange: () => {
          if (kinds.value === "take") void this.press("remove_seat", { seat: info.seat });
          else void this.press("set_seat", { seat: info.seat, kind: kinds.value });
        },
      },
      h("option", { value: "open" }, t("Open")),
      ...table.bots.map((bot) => h("option", { value: bot.name }, t("{kind} · bot", { kind: t(bot.title) }))),
      h("option", { value: "take" }, t("Remove the seat")),
    );
    return kinds;
  }

  /** The host's actions for a person in a seat. @param {SeatInfo} info */
  acts(info) {
    const acts = h(
      "select",
      {
        class: "acts",
        "aria-label": t("Actions for {name}", { name: info.name }),
        onchange: async () => {
          const act = acts.value;
          acts.value = "";
          const words = t("A bot takes the seat. The player may watch, and ask you for a seat.");
          if (
            act === "make_host" ||
            (await confirmAction(
              t("Remove {name} from the table?", { name: info.name }),
              words,
              t("Remove from the table"),
            ))
          )
            void this.press(act, { seat: info.seat });
        },
      },
      h("option", { value: "" }, "⋯"),
      h("option", { value: "make_host" }, t("Make them the host")),
      h("option", { value: "remove_person" }, t("Remove from the table")),
    );
    return acts;
  }

  /** @param {HTMLElement} node @param {SeatInfo} info @param {TableInfo} table @param {You} you */
  update(node, info, table, you) {
    const [face, words, kinds, sit, stand] = /** @type {HTMLElement[]} */ ([...node.children]);
    const occupant = `${info.name} ${info.bot}`;
    if (face.dataset.occupant !== occupant) {
      face.dataset.occupant = occupant;
      face.replaceChildren(...(info.kind === "open" ? [] : [makePortrait(info)]));
    }
    write(/** @type {Element} */ (words.firstChild), info.kind === "open" ? t("Open seat") : info.name);
    const bot = table.bots.find((one) => one.name === info.bot);
    const facts = [
      info.seat === you.seat ? t("you") : "",
      info.kind === "bot" ? t("{kind} · bot", { kind: t(bot?.title ?? info.bot) }) : "",
      info.host ? t("host") : "",
      info.kind === "person" && !info.here ? t("not here") : "",
      info.ready ? t("ready") : "",
      table.handicap && info.handicap ? startsWith(info.handicap, t(table.handicap.noun)) : "",
      table.number && info.kind !== "open" ? t("won {n}", { n: figure(info.wins) }) : "",
    ];
    write(/** @type {Element} */ (words.lastChild), facts.filter(Boolean).join(" · "));
    const yours = info.seat === you.seat;
    const select = /** @type {HTMLSelectElement} */ (kinds);
    select.hidden = !you.host || (info.kind === "person" ? yours : table.status === "playing");
    if (info.kind !== "person") {
      select.value = info.kind === "open" ? "open" : info.bot;
      select.options[select.options.length - 1].hidden = table.seats.length <= table.min_seats || !!table.what_if;
    }
    sit.hidden = info.kind !== "open" || you.seat !== null;
    stand.hidden = !yours;
    attr(node, "data-you", yours);
  }
}

/** The host's choice of what each seat starts with, folded: few need it. */
class Handicaps {
  /** @param {Press} press */
  constructor(press) {
    this.press = press;
    this.list = h("ul", { class: "handicaps", role: "list" });
    this.root = h(
      "details",
      { class: "fold", hidden: true },
      h("summary", {}, t("Handicaps")),
      h("p", {}, t("Let seats start with more or less. Everybody sees it, and the match does not count on a ladder.")),
      this.list,
    );
  }

  /** @param {TableInfo} table */
  draw({ seats, game, handicap }) {
    this.root.hidden = !handicap;
    if (!handicap) return;
    sync(
      this.list,
      seats,
      ({ seat }) => `${game} ${seat}`,
      (seat) => this.make(seat, handicap),
      (node, { seat, name, handicap }) => {
        const [label, select] = [...node.children];
        write(label, name || t("Seat {n}", { n: seat + 1 }));
        /** @type {HTMLSelectElement} */ (select).value = String(handicap);
      },
    );
  }

  /** @param {SeatInfo} info @param {HandicapInfo} handicap */
  make({ seat }, { noun, low, high }) {
    const amounts = Array.from({ length: high - low + 1 }, (_, i) => high - i);
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      {
        "aria-label": t("Handicap of seat {n}", { n: seat + 1 }),
        onchange: () => this.press("set_handicap", { seat, amount: select.value }),
      },
      ...amounts.map((amount) =>
        h("option", { value: amount }, amount ? startsWith(amount, t(noun)) : t("No handicap")),
      ),
    );
    return h("li", {}, h("b", {}), select);
  }
}

/** The host's settings of the whole table between matches. */
export class HostTools {
  /** @param {Press} press @param {string} change address of the page that changes the game */
  constructor(press, change) {
    this.add = h(
      "button",
      { class: "button button-small", type: "button", onclick: () => press("add_seat") },
      t("Add a seat"),
    );
    this.change = h("a", { class: "button button-small", href: change }, t("Game, options, clock"));
    this.handicaps = new Handicaps(press);
    this.root = h("div", { class: "host-tools", hidden: true }, this.add, this.change, this.handicaps.root);
  }

  /** @param {TableInfo} table @param {You} you */
  draw(table, you) {
    this.root.hidden = !you.host || table.status === "playing" || !!table.what_if;
    this.add.hidden = table.seats.length >= table.max_seats;
    this.handicaps.draw(table);
  }
}

export class WaitingRoom {
  /**
   * @param {HTMLElement} parent @param {{change: string, notifications: string}} urls of the page that changes the game,
   *   and of one's notifications
   * @param {Invitation} invitation @param {Press} press
   */
  constructor(parent, urls, invitation, press) {
    this.seats = new SeatList(press);
    this.tools = new HostTools(press, urls.change);
    this.notifications = h(
      "a",
      { class: "text-link", href: urls.notifications },
      t("Notify me on this device when it is my turn"),
    );
    this.facts = h("p", { class: "facts" });
    this.title = h("h2", {});
    this.people = invitation.people();
    this.seated = ""; // the people at the table when the list was fetched
    this.invite = h(
      "div",
      { class: "invite" },
      h("p", {}, t("Friends join with this link:")),
      invitation.row(() => this.title.textContent ?? ""),
      this.people.root,
    );
    this.root = h(
      "section",
      { class: "overlay waiting-room", "aria-label": t("Before the match"), hidden: true },
      this.title,
      this.facts,
      h("p", {}, this.notifications),
      this.seats.root,
      this.tools.root,
      this.invite,
    );
    parent.append(this.root);
  }

  /** @param {TableInfo | null} table @param {You} you */
  draw(table, you) {
    this.root.hidden = table?.status !== "open";
    if (!table || this.root.hidden) return;
    write(this.title, table.title);
    const facts = [
      table.public ? t("public table") : t("by link only"),
      table.sealed ? t("sealed deal") : "",
      table.seconds ? t("{time} per decision", { time: timeWords(table.seconds) }) : t("no clock"),
      delayWords(table, 0), // as its players read it
      table.seek ? t("starts by itself with {n} people", { n: figure(table.seek.people) }) : "",
      table.tournament ? t("tournament") : "",
      table.seek && !table.seek.bots ? t("without bots") : "",
      isSlow(table.seconds) ? t("nobody needs to stay at the table") : "",
      ...table.options.map((option) => `${t(option.label)}: ${option.shown}`),
    ];
    write(this.facts, facts.filter(Boolean).join(" · "));
    /** @type {HTMLElement} */ (this.notifications.parentElement).hidden = !isSlow(table.seconds) || you.seat === null;
    this.invite.hidden = table.tournament; // nobody else can sit down
    this.seats.draw(table, you);
    this.tools.draw(table, you);
    const seated = you.host || you.seat !== null ? table.seats.map((seat) => seat.person).join() : "";
    if (seated === this.seated) return;
    this.seated = seated;
    void this.people.load();
  }
}
