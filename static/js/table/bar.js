// @ts-check
/** The bar over the felt: which table and match this is, what is special about it, and the menu. */
import { t } from "../i18n.js";
import { attr, h, sync, write } from "./dom.js";
import { setSound, soundOn } from "./sound.js";
import { short } from "./text.js";

const SUITS = "suits"; // two colours of them or four, as somebody likes it on this machine

/**
 * @typedef {object} Hooks
 * @property {import("./waiting.js").Press} press
 * @property {() => void} seal show the promise of a sealed deal
 * @property {() => void} keys show what the keys do
 */

export class Bar {
  /** @param {import("./room.js").Room} room @param {Record<string, string>} urls @param {Hooks} hooks */
  constructor(room, urls, hooks) {
    this.room = room;
    const button = (/** @type {string} */ label, /** @type {() => void} */ run) => h("button", { type: "button", onclick: run }, label);
    this.seal = button(t("The sealed deal"), hooks.seal);
    this.stand = button(t("Stand up"), () => hooks.press("stand"));
    this.close = button(t("Close the table"), () => confirm(t("Close this table for good?")) && hooks.press("close"));
    room.menu.append(
      h("a", { href: urls.rules, target: "_blank", rel: "noopener" }, t("Rules of the game")),
      this.seal,
      toggle(t("Sound"), soundOn(), setSound),
      toggle(t("Four-colour suits"), fourColours(), setFourColours),
      button(t("Keys"), hooks.keys),
      this.stand,
      this.close,
      h("a", { href: urls.lobby }, t("Leave the room")),
    );
    setFourColours(fourColours());
    for (const one of [this.seal, this.stand, this.close]) one.hidden = true;
  }

  /** @param {import("./store.js").Store} store @param {import("./text.js").Names} names */
  draw({ table, watchers, view, commitment, match, you }, names) {
    if (!table) return;
    write(this.room.title, table.title);
    const phase = view && table.status !== "open" ? short(view.phase, names) : t("Before the match");
    write(this.room.phase, table.number > 1 ? `${t("Match {n}", { n: table.number })} · ${phase}` : phase);
    const chips = [
      { key: "house", text: table.house ? t("House table") : "", title: t("The house's own table: bots play here day and night.") },
      { key: "sealed", text: table.sealed ? t("Sealed") : "", title: t("A sealed deal: it can be verified afterwards. See the menu.") },
      { key: "watchers", text: watchers === 1 ? t("1 watches") : watchers ? t("{n} watch", { n: watchers }) : "", title: t("Watchers in the gallery") },
    ].filter((chip) => chip.text);
    sync(
      this.room.chips,
      chips,
      (chip) => chip.key,
      () => h("li", { class: "room-chip" }),
      (node, chip) => {
        write(node, chip.text);
        attr(node, "title", chip.title);
        attr(node, "data-chip", chip.key);
        attr(node, "data-match", match);
      },
    );
    this.seal.hidden = !commitment;
    this.stand.hidden = you.seat === null;
    this.close.hidden = !you.host || table.status === "playing";
  }
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} set */
function toggle(label, on, set) {
  const button = h("button", { type: "button", "aria-pressed": String(on) }, label);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    attr(button, "aria-pressed", String(now));
    set(now);
  });
  return button;
}

function fourColours() {
  try {
    return localStorage.getItem(SUITS) === "four";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function setFourColours(on) {
  document.documentElement.dataset.suits = on ? "four" : "two";
  try {
    localStorage.setItem(SUITS, on ? "four" : "two");
  } catch {
    // Storage is closed to us: the choice lasts until the page is left.
  }
}
