// @ts-check
/** The bar over the felt: the table and the match, with what is special about them as chips, and the menu. */
import { t } from "../i18n.js";
import { dayOf } from "../locale.js";
import { AHEAD } from "./ahead.js";
import { CONFIRM } from "./input.js";
import { mayStayAwake, setAwake } from "./wake_lock.js";
import { delayWords, isSlow, timeWords } from "./clock.js";
import { attr, h, sync, write } from "./dom.js";
import { load, save } from "./storage.js";
import { canNotify, notifying, setNotifications } from "./notifications.js";
import { setSound, soundOn } from "./sound.js";
import { SoundOffer } from "./sound_offer.js";
import { short } from "./text.js";

// Stored in this browser.
const PAUSES = "pauses"; // "no": reveals are skipped
const SUITS = "suits"; // "two" or "four": the colours of the suits. early.js sets them on every page.

/**
 * @typedef {object} Hooks
 * @property {import("./waiting_room.js").Press} press
 * @property {() => void} seal show the promise of a sealed deal
 * @property {() => void} keys show what the keys do
 * @property {string} pace at which a spectator watches
 * @property {(pace: string) => void} follow watch at another pace from now on
 * @property {(on: boolean) => void} skipReveals whether to show the result of a move at once, without its reveals
 * @property {() => void} redraw it changed whether cards may be chosen ahead
 * @property {() => void} invite show the link and the QR code for friends
 * @property {() => void} host open what a host may change
 * @property {() => void} rules open the rules over the table
 * @property {() => void} legend show what everything on the table means
 * @property {() => void} tips show the tips of a first match, from the first one
 */

export class TopBar {
  /** @param {import("./room.js").Room} room @param {Record<string, string>} urls @param {Hooks} hooks */
  constructor(room, urls, hooks) {
    this.room = room;
    const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { type: "button", onclick: run }, label);
    this.seal = button(t("The sealed deal"), hooks.seal);
    this.stand = button(t("Stand up"), () => hooks.press("stand"));
    this.takeBack = button(t("Take back my last move"), () => hooks.press("take_back"));
    this.end = button(t("End the match …"), () => hooks.press("end"));
    this.resign = button(t("Resign …"), () => hooks.press("resign"));
    this.invite = button(t("Invite friends"), hooks.invite);
    this.inviteCircle = urls.circles ? [h("a", { href: urls.circles }, t("Invite a circle"))] : [];
    this.hostDialog = button(t("Seats and people"), hooks.host);
    this.shareChat = toggle(t("Chat with spectators"), false, (on) =>
      hooks.press("share_chat", { together: on ? "yes" : "no" }),
    );
    this.close = button(t("Close the table"), () => confirm(t("Close this table for good?")) && hooks.press("close"));
    const sometimes = [this.hostDialog, this.shareChat, this.takeBack, this.end, this.resign, this.stand, this.close]; // not for everybody, nor at any time
    const notify = t("Notify me when it is my turn");
    const notifications = toggle(notify, notifying(), async (on) => {
      const now = await setNotifications(on);
      attr(notifications, "aria-pressed", String(now));
      write(notifications, on && !now ? t("Your browser allows no notifications here") : notify);
    });
    notifications.hidden = !canNotify();
    /** @type {HTMLSelectElement} */
    const pace = h(
      "select",
      { onchange: () => hooks.follow(pace.value) },
      h("option", { value: "played" }, t("live")),
      h("option", { value: "faster" }, t("fast, move by move")),
      h("option", { value: "slower" }, t("slower")),
      h("option", { value: "slowest" }, t("slowest")),
    );
    pace.value = hooks.pace;
    this.pace = h("label", { class: "menu-choice" }, h("span", {}, t("Pace")), pace);
    /** @type {HTMLSelectElement} */
    const confirmed = h(
      "select",
      { onchange: () => save(CONFIRM, confirmed.value) },
      h("option", { value: "off" }, t("never")),
      h("option", { value: "touch" }, t("on touch screens")),
      h("option", { value: "always" }, t("always")),
    );
    confirmed.value = load(CONFIRM) ?? "off";
    const sound = toggle(t("Sound"), soundOn(), setSound);
    this.soundOffer = new SoundOffer((on) => attr(sound, "aria-pressed", String(on)));
    room.chips.before(this.soundOffer.root);
    room.rules.addEventListener("click", hooks.rules);
    room.menu.append(
      button(t("What things mean"), hooks.legend),
      button(t("Show tips"), hooks.tips),
      this.seal,
      sound,
      notifications,
      toggle(t("Keep the screen on during my turn"), mayStayAwake(), setAwake),
      h("label", { class: "menu-choice" }, h("span", {}, t("Confirm moves")), confirmed),
      toggle(t("Choose the next card ahead"), load(AHEAD) === "on", (on) => {
        save(AHEAD, on ? "on" : "off");
        hooks.redraw();
      }),
      toggle(t("Four-colour suits"), fourColours(), setFourColours),
      toggle(t("Without pauses"), skipsReveals(), (on) => {
        save(PAUSES, on ? "no" : "yes");
        hooks.skipReveals(on);
      }),
      this.pace,
      button(t("Keys"), hooks.keys),
      this.invite,
      ...this.inviteCircle,
      ...sometimes,
      h("a", { href: urls.tv }, t("Show on a TV")),
      ...(urls.evening ? [h("a", { href: urls.evening }, t("Score of the evening"))] : []), // for members of its circle
      ...(urls.tournament ? [h("a", { href: urls.tournament }, t("Go to the tournament"))] : []),
      ...(urls.administration ? [h("a", { href: urls.administration }, t("Administration"))] : []), // for administrators
      h("a", { href: urls.lobby }, t("Leave the table page")),
    );
    for (const one of [this.seal, ...sometimes]) one.hidden = true;
  }

  /** @param {import("./store.js").Store} store @param {import("./text.js").Names} names @param {number} behind moves that wait to be shown */
  draw({ table, spectators, view, commitment, you }, names, behind) {
    if (!table) return;
    this.soundOffer.draw(you.seat !== null);
    write(this.room.title, table.title);
    const phase = view && table.status !== "open" ? short(view.phase, names) : t("Before the match");
    const { daily, story, what_if: from } = table;
    const helped = story ? names(story.favourite) : "";
    const [caption, help] =
      story && !story.over
        ? [
            t("{name} has to win: {won} of {wins}", {
              name: helped,
              won: story.won[story.favourite],
              wins: story.wins,
            }),
            t("Help {name} to win the evening without their knowing. Your own result does not matter.", {
              name: helped,
            }),
          ]
        : daily
          ? [
              t("Deal of the day, {day}", { day: dayOf(daily.day) }),
              t("The same cards for everybody, and one try each."),
            ]
          : [table.number > 1 ? t("Match {n}", { n: table.number }) : "", ""];
    const delay = delayWords(table, you.seat);
    write(this.room.note, from ? `${t("What if")} · ` : delay ? `${delay} · ` : "");
    write(this.room.phaseText, caption ? `${caption} · ${phase}` : phase);
    attr(this.room.phase, "data-about", help || null);
    const chips = [
      {
        key: "daily",
        text: !daily ? "" : daily.counts ? t("One try counts") : t("Does not count"),
        title: t("The same cards for everybody, and one try each."),
      },
      {
        key: "what-if",
        text: from ? (from.ply ? t("What if: from move {n} on", { n: from.ply }) : t("What if: from the deal on")) : "",
        title: t(
          "This table continues a finished match from one of its moves. Nothing counts here, and the next match starts at the same move.",
        ),
        href: from?.replay,
      },
      {
        key: "behind",
        text: behind === 1 ? t("1 move behind") : behind ? t("{n} moves behind", { n: behind }) : "",
        title: t("You are watching at your own pace. See the menu."),
      },
      {
        key: "delay",
        text: delay,
        title: t("Spectators see this table later than its players, so that nobody who watches can help a player."),
      },
      {
        key: "house",
        text: table.house ? t("House table") : "",
        title: t("A house table: bots play here day and night."),
      },
      {
        key: "sealed",
        text: table.sealed ? t("Sealed") : "",
        title: t("A sealed deal: it can be verified afterwards. See the menu."),
      },
      {
        key: "clock",
        text:
          table.status !== "playing"
            ? ""
            : table.clock && isSlow(table.seconds)
              ? t("{time} per decision", { time: timeWords(table.seconds) })
              : !table.clock && you.seat !== null
                ? t("No clock")
                : "",
        title: table.clock
          ? t("Nobody needs to stay at the table: come back when it is your turn.")
          : table.seconds
            ? t("You play alone with bots: take all the time you want.")
            : t("This table waits for everybody."),
      },
      {
        key: "time-up",
        text: table.clock && table.time_up === "resign" && table.seats.length === 2 ? t("Time up: lost") : "",
        title: t("A player whose time is up loses the match."),
      },
      {
        key: "spectators",
        text: spectators === 1 ? t("1 spectator") : spectators ? t("{n} spectators", { n: spectators }) : "",
        title: t("Spectators"),
      },
    ].filter((chip) => chip.text);
    sync(
      this.room.chips,
      chips,
      (chip) => chip.key,
      () => h("li", { class: "room-chip" }),
      (node, chip) => {
        if (node.textContent !== chip.text)
          node.replaceChildren(chip.href ? h("a", { href: chip.href }, chip.text) : chip.text);
        attr(node, "data-about", chip.title);
        attr(node, "data-chip", chip.key);
      },
    );
    this.invite.hidden = table.house || table.tournament || table.status === "closed";
    for (const link of this.inviteCircle) link.hidden = table.status === "closed";
    this.pace.hidden = you.seat !== null;
    this.seal.hidden = !commitment;
    this.hostDialog.hidden = this.shareChat.hidden = !you.host;
    attr(this.shareChat, "aria-pressed", String(table.together));
    this.stand.hidden = you.seat === null;
    this.takeBack.hidden =
      you.seat === null ||
      table.status !== "playing" ||
      !!table.story ||
      table.tournament ||
      !!table.daily?.counts ||
      !!table.take_back;
    this.end.hidden =
      you.seat === null ||
      table.status !== "playing" ||
      table.tournament ||
      table.seats.filter((seat) => seat.kind === "person").length < 2 ||
      table.seats.some((seat) => seat.ends);
    this.resign.hidden =
      you.seat === null ||
      table.status !== "playing" ||
      table.seats.length !== 2 ||
      !!table.story ||
      !!table.daily?.counts;
    this.close.hidden = !you.host || table.status === "playing";
  }
}

/** Return a menu button that is on or off; ``set`` receives the new state at each click. @param {string} label @param {boolean} on @param {(on: boolean) => void} set */
function toggle(label, on, set) {
  const button = h("button", { type: "button", "aria-pressed": String(on) }, label);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    attr(button, "aria-pressed", String(now));
    set(now);
  });
  return button;
}

const fourColours = () => load(SUITS) === "four";

/** @param {boolean} on */
function setFourColours(on) {
  document.documentElement.dataset.suits = on ? "four" : "two";
  save(SUITS, on ? "four" : "two");
}

/** Whether the visitor has switched reveals off. */
export const skipsReveals = () => load(PAUSES) === "no";
