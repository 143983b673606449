// @ts-check
/** The prompt: what the visitor can do, what a choice still needs, and the state of the connection. */
import { listed, t } from "../i18n.js";
import { locale } from "../locale.js";
import { possible } from "./choose.js";
import { isSlow } from "./clock.js";
import { pieceArg, targetArg } from "./pieces.js";
import { missing } from "./several.js";
import { short } from "./text.js";

/** @typedef {import("./types.js").Arg} Arg */
/** @typedef {import("./types.js").Sentence} Sentence */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./choose.js").Choice} Choice */
/** @typedef {import("./text.js").Names} Names */

/** @param {string} text @returns {Sentence} */
const plain = (text) => ({ text, args: {} });

/** What was decided about the visitor, and what they may do; "" for nothing. @param {import("./store.js").You} you */
export function standingText(you) {
  const { seat, standing, by_administrator, reason } = you;
  if (seat !== null) return "";
  if (standing === "removed")
    return because(
      by_administrator
        ? t("An administrator has removed you from your seat. You may watch, or ask for a seat.")
        : t("The host has removed you from your seat. You may watch, or ask for a seat."),
      reason,
    );
  if (standing === "refused") return t("The host has not given you a seat. You may watch, or ask again later.");
  return standing === "blocked" ? restrictionText(you) : "";
}

/** Why the visitor may not chat, "" if they may. @param {import("./store.js").You} you */
export function restrictionText({ standing, reason, until, muted }) {
  if (muted && standing !== "muted") return t("An administrator has muted you: you may play, but not chat.");
  if ((standing !== "muted" && standing !== "blocked") || (until && until < Date.now())) return "";
  const words =
    standing === "blocked"
      ? t("An administrator has blocked you: you may watch, but not sit down or chat.")
      : t("An administrator has muted you: you may play, but not chat.");
  if (!until) return because(words, reason);
  const end = new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" }).format(until);
  return because(`${words} ${t("This ends on {time}.", { time: end })}`, reason);
}

/** Whether the visitor may not sit down. @param {import("./store.js").You} you */
export const isBlocked = (you) => you.standing === "blocked" && restrictionText(you) !== "";

/**
 * The notice for a visitor who may no longer chat, or may again; "" for none.
 * @param {import("./store.js").You} before @param {import("./store.js").You} now
 */
export function restrictionNews(before, now) {
  const [old, words] = [restrictionText(before), restrictionText(now)];
  if (words) return words === old || isBlocked(now) ? "" : words; // a block is shown where the buttons are
  if (!old) return "";
  return isBlocked(before) ? t("You may sit down and chat again.") : t("You may chat again.");
}

/** @param {string} words @param {string} reason */
const because = (words, reason) => (reason ? `${words} ${t("The reason: {reason}", { reason })}` : words);

/**
 * The prompt before, between, after and during matches.
 * @param {import("./store.js").Store} store @param {boolean} closed the table no longer exists
 * @param {boolean} removed the host has removed the visitor @returns {Sentence | null}
 */
export function promptOf({ view, table, you }, closed, removed) {
  if (removed)
    return plain(
      "The host has removed you from this table. You can play or watch at another table, or create your own.",
    );
  if (table?.closed_because)
    return { text: "An administrator has closed this table: {reason}", args: { reason: table.closed_because } };
  if (table?.tournament && (closed || table.status === "closed"))
    return plain("This table is closed. The tournament goes on at other tables, or is over.");
  if (closed || table?.status === "closed")
    return plain("This table no longer exists: it was closed, or nobody came for a long time.");
  if (!table) return plain("Connecting …");
  if (table.notice) return plain(table.notice);
  if (table.status === "over") return nextMatch(table, you) ?? view?.prompt ?? null;
  if (table.status !== "open") return view?.prompt ?? null;
  const open = table.seats.some((seat) => seat.kind === "open");
  if (table.seek && you.seat !== null) return seekPrompt(table.seek, isSlow(table.seconds));
  if (table.tournament) return plain("The match starts by itself when everybody is here, or within a minute.");
  if (you.host)
    return open
      ? plain("You are the host. Wait for friends, or start: bots take the open seats.")
      : plain("Everybody is here. Start when you are ready.");
  if (you.seat !== null) return plain("You are early. The host starts the match.");
  return open
    ? plain("You are early, and there is a seat for you.")
    : plain("All seats are taken. You can watch: the match starts soon.");
}

/** When a match starts by itself. @param {import("./types.js").SeekInfo} seek @param {boolean} slow @returns {Sentence} */
function seekPrompt(seek, slow) {
  if (!seek.starts)
    return {
      text: "Waiting for players: with {n} people the match starts by itself.",
      args: { n: String(seek.people) },
    };
  if (!slow) return plain("Enough people are here: the match starts in a moment, or as soon as every seat is taken.");
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(seek.starts);
  return { text: "Enough people are here: the match starts at {time}.", args: { time } };
}

/** The people who are ready for the next match, and those who are not. @param {import("./types.js").TableInfo} table @param {import("./store.js").You} you @returns {Sentence | null} */
function nextMatch(table, you) {
  const people = table.seats.filter((seat) => seat.kind === "person" && seat.seat !== you.seat);
  const names = (/** @type {boolean} */ ready) =>
    listed(people.filter((seat) => seat.ready === ready).map((seat) => seat.name));
  const others = { ready: names(true), waited: names(false) };
  const ready = you.seat !== null && table.seats[you.seat].ready;
  if (ready && others.waited) return { text: "You are ready. Waiting for {names}.", args: { names: others.waited } };
  if (ready) return plain("You are ready. One seat is free: the host decides when to start.");
  if (you.seat !== null && others.ready)
    return { text: "Ready for the next match: {names}. Are you?", args: { names: others.ready } };
  return null;
}

/** What a choice still needs. @param {View} view @param {Choice} choice one that has begun @param {Names} names @returns {Sentence} */
export function choicePrompt(view, choice, names) {
  const { picked, aimed } = choice;
  const what = pieces(view, picked, names);
  if (aimed !== null) {
    const where = targetArg(view, aimed, names);
    return picked.length
      ? { text: "{what} → {where}: choose one", args: { what, where } }
      : { text: "{where}: choose one", args: { where } };
  }
  const left = possible(view.moves, choice);
  if (left.some((move) => move.target && move.pieces.length === picked.length))
    return { text: "{what}: choose where it goes", args: { what } };
  if (left.some((move) => move.pieces.length > picked.length))
    return { text: "{what}: choose what goes with it", args: { what } };
  return { text: "{what}: choose one", args: { what } };
}

/**
 * What is selected, and how many cards are still to be chosen.
 * @param {View} view @param {import("./several.js").Several} several @param {readonly string[]} picked at least one @param {Names} names
 * @returns {Sentence}
 */
export function selectionPrompt(view, several, picked, names) {
  const what = pieces(view, picked, names);
  if (picked.length === several.most) return { text: "{what}: confirm, or put a card back", args: { what } };
  const { text, args } = missing(several, picked.length);
  const more = short({ text, args }, names);
  return { text: "{what}: {more}", args: { what, more: more.charAt(0).toLocaleLowerCase() + more.slice(1) } };
}

/** @param {View} view @param {readonly string[]} picked @param {Names} names @returns {Arg} */
function pieces(view, picked, names) {
  const args = picked.map((id) => pieceArg(view, id, names));
  if (args.length === 1 && typeof args[0] !== "string") return args[0];
  const words = args.map((what) => short({ text: "{what}", args: { what } }, names)).join(", ");
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** @typedef {import("./socket.js").ConnectionState} ConnectionState */

const LATE = 9_000; // milliseconds after which a lost connection is explained at more length

/** The state of the connection in words, "" while it works. @param {ConnectionState} state @param {number} cut milliseconds since it was cut */
export function connectionText(state, cut) {
  const late = cut > LATE;
  switch (state) {
    case "lost":
      return late
        ? t("Still no connection. Your seat is kept, and the house plays for you until you are back.")
        : t("Connection lost. Reconnecting …");
    case "restarting":
      return late
        ? t("The server is slow to answer. The match is waiting where it was.")
        : t("The server is restarting. The match will continue where it was …");
    case "crowded":
      return t("You sent too many messages. Reconnecting in a few seconds …");
    case "full":
      return t(
        "Too many tables are open on your network or under your name. Close one, and this one reconnects by itself.",
      );
    default:
      return "";
  }
}
