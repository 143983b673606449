// @ts-check
/** The chat of the players, of the spectators, or of both together. Messages are inserted as text, never as HTML. */
import { t } from "../i18n.js";
import { askReport } from "./dialogs.js";
import { apart, place, shared } from "./bubble_position.js";
import { attr, h, placesOn, sync, write } from "./dom.js";

/** @typedef {import("./types.js").ChatLine} ChatLine */

/**
 * @typedef {object} ChatState
 * @property {ChatLine[]} lines
 * @property {boolean} watching
 * @property {boolean} together players and spectators share one room
 * @property {number} me the visitor's number
 * @property {string} refusal
 * @property {boolean} forbidden an administrator has forbidden the visitor to chat
 */

const LONGEST = 500;
const EMOJI = ["👍", "😄", "😮", "😱", "🎉", "🐹"];

export class Chat {
  /**
   * @param {import("./room.js").Room} room
   * @param {(text: string) => boolean} say sends a message; false if it could not
   * @param {(report: { messages: string, why: string }) => void} report sends a report to the administrators
   * @param {(person: number) => boolean} isMuted whether the visitor has muted a person
   * @param {(person: number, on: boolean) => void} mute mutes a person, or no longer
   */
  constructor(room, say, report, isMuted, mute) {
    this.say = say;
    this.isMuted = isMuted;
    this.mute = mute;
    this.bubbles = new Bubbles(room.root);
    /** @type {ChatState | null} */
    this.state = null;
    this.list = h("ol", { class: "chat-lines", role: "list" });
    this.box = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Chat") }, this.list);
    this.empty = h("p", { class: "quiet" });
    this.note = h("p", { class: "note", role: "alert" });
    this.field = h("input", {
      type: "text",
      maxlength: LONGEST,
      autocomplete: "off",
      enterkeyhint: "send",
      "aria-label": t("Write a message"),
      placeholder: t("Write a message"),
    });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text && this.say(text)) this.field.value = "";
    };
    const phrases = [t("Well played!"), t("Good luck!"), t("Thank you"), t("Please wait a moment")];
    const button = (/** @type {string} */ words) =>
      h(
        "button",
        { class: "quick", type: "button", onclick: () => void (this.say(words) && room.closeDrawer()) },
        words,
      );
    this.muteSelect = h("select", {
      class: "mute",
      "aria-label": t("Mute somebody (for you only)"),
      onchange: () => this.muteChosen(),
    });
    /** @type {ChatLine[]} messages of others */
    this.others = [];
    this.reportButton = h(
      "button",
      {
        class: "quick",
        type: "button",
        onclick: async () => {
          const chosen = await askReport(this.others);
          if (chosen) report(chosen);
        },
      },
      t("Report …"),
    );
    room.panels.chat.append(
      this.box,
      this.empty,
      this.note,
      h(
        "div",
        { class: "quicks", role: "group", "aria-label": t("Quick messages") },
        ...EMOJI.map(button),
        ...phrases.map(button),
        this.muteSelect,
        this.reportButton,
      ),
      h(
        "form",
        { class: "chat-form", onsubmit: submit },
        this.field,
        h("button", { class: "button button-small", type: "submit" }, t("Send")),
      ),
    );
    this.writing = [...room.panels.chat.querySelectorAll("button.quick, .chat-form *")].filter(
      (node) => node !== this.reportButton,
    );
  }

  /** @param {ChatState} state */
  draw(state) {
    this.state = state;
    const own = state.watching ? "spectators" : "players";
    const inRoom = state.lines.filter((line) => line.room === own || line.room === "all");
    const shown = inRoom.filter((line) => !this.isMuted(line.person));
    sync(
      this.list,
      shown,
      (line) => `${line.room} ${line.n}`,
      makeLine,
      () => {},
    );
    this.box.hidden = !shown.length;
    this.empty.hidden = !!shown.length;
    write(this.empty, quiet(state));
    write(this.note, state.refusal);
    for (const node of this.writing) attr(node, "disabled", state.forbidden);
    attr(this.field, "placeholder", state.together ? t("Write a message to all") : t("Write a message"));
    this.others = inRoom.filter((line) => line.person && line.person !== state.me);
    const speakers = new Map(this.others.map((line) => [line.person, line.name]));
    this.muteSelect.hidden = this.reportButton.hidden = !speakers.size;
    const options = [
      { value: "", words: t("Mute …") },
      ...[...speakers].map(([person, name]) => ({
        value: String(person),
        words: this.isMuted(person) ? t("Unmute {name}", { name }) : t("Mute {name}", { name }),
      })),
    ];
    sync(
      this.muteSelect,
      options,
      (one) => one.value,
      (one) => h("option", { value: one.value }),
      (node, one) => write(node, one.words),
    );
  }

  /** Show a new message. @param {ChatLine} line @returns {boolean} whether it is shown: its author is not muted */
  receive(line) {
    if (this.isMuted(line.person)) return false;
    if (line.seat >= 0) this.bubbles.say(line.seat, line.name, line.text);
    return true;
  }

  muteChosen() {
    const person = Number(this.muteSelect.value);
    this.muteSelect.value = "";
    if (person) this.mute(person, !this.isMuted(person));
  }

  focus() {
    this.field.focus();
  }
}

/** @param {ChatLine} line */
function makeLine(line) {
  const at = new Date(line.at);
  const words = at.toLocaleTimeString(document.documentElement.lang || "en", {
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
  const where = line.room === "all" && line.seat < 0 ? h("small", {}, ` ${t("(spectator)")}`) : null;
  return h(
    "li",
    { class: "chat-line" },
    h("time", { datetime: at.toISOString() }, words),
    " ",
    h("b", { class: "author" }, line.name),
    where,
    " ",
    h("span", {}, line.text),
  );
}

/** The text of an empty chat. @param {ChatState} state */
function quiet({ watching, together }) {
  if (together) return t("Players and spectators chat here together. No messages yet.");
  return watching
    ? t("This is the spectators' chat. No messages yet, and the players cannot read it.")
    : t("No messages yet.");
}

const STAYS = 5000; // milliseconds
const AGAIN = 300; // milliseconds after which a bubble makes room for cards that have moved
const GAP = 6; // pixels from the plate
const FAR = 60; // pixels from the plate from which on a bubble says whose it is

/** Whether the place of a bubble shows whose it is: it is beside the plate, and does not cover it. @param {import("./bubble_position.js").Box} bubble @param {DOMRect} plate */
const saysWhose = (bubble, plate) => apart(bubble, plate) <= FAR && !shared(bubble, plate);

/** The last message of a player, beside their name plate for a moment. */
class Bubbles {
  /** @param {HTMLElement} room */
  constructor(room) {
    this.room = room;
    this.layer = h("div", { class: "bubbles", "aria-hidden": "true" }); // screen readers read the list of messages
    room.append(this.layer);
  }

  /** Show none. */
  clear() {
    this.layer.replaceChildren();
  }

  /** @param {number} seat @param {string} name @param {string} words */
  say(seat, name, words) {
    this.layer.querySelector(`[data-seat="${seat}"]`)?.remove();
    const at = this.room.querySelector(`.felt .seat[data-seat="${seat}"] .plate`);
    const plate = at && placesOn(this.room)(at);
    if (!plate?.width) return;
    const bubble = h("p", { class: "bubble", "data-seat": seat, "data-by": name }, words);
    this.layer.append(bubble);
    this.put(bubble, plate);
    const moving = setInterval(() => this.covers(bubble) && this.put(bubble, plate), AGAIN);
    setTimeout(() => {
      clearInterval(moving);
      bubble.remove();
    }, STAYS);
  }

  /** Whether a bubble lies over a card or a scoring, which may have come there later. @param {HTMLElement} bubble */
  covers(bubble) {
    const box = bubble.getBoundingClientRect();
    const under = [...this.room.querySelectorAll(".felt [data-piece], .scoring")];
    return under.some((one) => shared(box, one.getBoundingClientRect()) > 0);
  }

  /** @param {HTMLElement} bubble @param {DOMRect} plate */
  put(bubble, plate) {
    attr(bubble, "data-far", false);
    let spot = this.anySpot(bubble, plate);
    if (
      spot &&
      !saysWhose({ ...spot, right: spot.left + bubble.offsetWidth, bottom: spot.top + bubble.offsetHeight }, plate)
    ) {
      attr(bubble, "data-far", true); // it names its author
      spot = this.anySpot(bubble, plate);
    }
    if (!spot) return bubble.remove(); // the screen is full of cards; the list of messages has it
    bubble.style.left = `${spot.left}px`;
    bubble.style.top = `${spot.top}px`;
  }

  /** A place near a plate that covers no card, and buttons or a scoring only if there is no other. @param {HTMLElement} bubble @param {DOMRect} plate */
  anySpot(bubble, plate) {
    return (
      this.spot(bubble, plate, false, true) ??
      this.spot(bubble, plate, true, true) ??
      this.spot(bubble, plate, true, false)
    );
  }

  /** A place near a plate that covers no card and no text. @param {HTMLElement} bubble @param {DOMRect} plate @param {boolean} wide it is wide and low @param {boolean} free buttons and a scoring have to stay free */
  spot(bubble, plate, wide, free) {
    attr(bubble, "data-wide", wide);
    const { width, height } = this.room.getBoundingClientRect();
    const boxes = (/** @type {string} */ what) => [...this.room.querySelectorAll(what)].map(placesOn(this.room));
    const field = { left: GAP, top: GAP, right: width - GAP, bottom: height - GAP };
    const used = ".controls :is(button, p), .room-bar :is(button, summary, a), .scoring";
    const read = ".tip, .room-phase";
    return place(
      { width: bubble.offsetWidth, height: bubble.offsetHeight },
      plate,
      field,
      [...boxes(".felt [data-piece]"), ...boxes(read), ...(free ? boxes(used) : [])],
      boxes(".felt .zone, .room-bar h1"),
      boxes(`.felt .seat:not([data-seat="${bubble.dataset.seat}"]) .plate`),
    );
  }
}
