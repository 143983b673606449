// @ts-check
/** The buttons of the controls other than moves: take a seat, start, play again, open the replay. */
import { listed, t } from "../i18n.js";
import { isBlocked } from "./prompt.js";

/** @typedef {import("./controls.js").Extra} Extra */

/**
 * @typedef {object} Doors
 * @property {string} lobby address of the lobby
 * @property {string} board address of the board of a day's deal, "" where none is played
 * @property {string} tournament address of the tournament that this match is part of, "" for none
 * @property {(page: "replay" | "verify") => string} look address of a page about this match
 * @property {import("./waiting_room.js").Press} press
 * @property {() => void} back take one's seat from the bot again
 * @property {() => void} goOn skip the remaining reveals
 * @property {string} next address of another table to watch
 * @property {boolean} late moves wait to be shown, because the spectator chose a slower pace
 * @property {() => void} catchUp show them all
 */

/** @param {import("./store.js").Store} store @param {boolean} closed the table no longer exists @param {Doors} doors @returns {Extra[]} */
export function extrasOf(
  { table, you, view, revealing, commitment },
  closed,
  { lobby, board, tournament, look, press, back, goOn, next, late, catchUp },
) {
  if (closed || table?.status === "closed")
    return tournament
      ? [{ key: "tournament", label: t("Go to the tournament"), href: tournament, first: true }]
      : [{ key: "lobby", label: t("Go to the other tables"), href: lobby, first: true }];
  if (!table) return [];
  const open = table.seats.some((seat) => seat.kind === "open");
  /** @type {Extra[]} */
  const list = [];
  if (revealing) list.push({ key: "on", label: t("Continue"), run: goOn });
  if (late) list.push({ key: "now", label: t("Go to the last move"), run: catchUp });
  if (table.status === "open") {
    if (you.host) list.push({ key: "start", label: t("Start the match"), run: () => press("start"), first: true });
    if (you.host && open) list.push({ key: "fill", label: t("Fill with bots"), run: () => press("fill") });
  }
  const seats = seatButtons(table, you, open, press);
  const ended = view?.over || table.notice;
  const roams = you.seat === null && table.public && table.status !== "open";
  if (!ended) list.push(...seats);
  if (you.seat === null && open && table.status !== "playing" && !isBlocked(you))
    list.push({ key: "sit", label: t("Sit down"), run: () => press("sit"), first: true });
  if (you.seat !== null && table.status === "playing" && table.seats.some((seat) => seat.ends)) {
    // Who wants to play on says so for all: then nobody's wish to end the match counts any longer.
    const names = listed(table.seats.filter((seat) => seat.ends).map((seat) => seat.name));
    const agree = t("Agree with {names}: end the match", { names });
    if (!table.seats[you.seat].ends) list.push({ key: "end", label: agree, run: () => press("end") });
    list.push({ key: "play-on", label: t("Play on"), run: () => press("end", { agree: "no" }) });
  }
  if (you.seat !== null && table.take_back) {
    const { seat, move, agreed } = table.take_back;
    const agree = t("Agree: {name} takes back the last decision", { name: table.seats[seat].name });
    if (!agreed.includes(you.seat))
      list.push({ key: "take-back", label: agree, run: () => press("take_back", { move }) });
    list.push({
      key: "keep",
      label: seat === you.seat ? t("Keep my move") : t("Keep the move"),
      run: () => press("take_back", { move, agree: "no" }),
    });
  }
  if (you.seat !== null && table.status === "playing" && table.seats[you.seat].away)
    list.push({ key: "back", label: t("The house plays for you – I'm back"), run: back, first: true });
  if (ended) {
    const storyOver = !!table.story?.over;
    if (tournament)
      list.push({ key: "tournament", label: t("Go to the tournament"), href: tournament, first: you.seat !== null });
    if (board) list.push({ key: "board", label: t("Scores of the day"), href: board, first: true });
    if (storyOver) list.push({ key: "lobby", label: t("Go to the other tables"), href: lobby, first: true });
    else if (table.status === "over" && !table.tournament) list.push(...nextMatch(table, you, press));
    list.push({ key: "replay", label: t("Replay the match"), href: look("replay") });
    // The number of rows does not grow: the menu has the sealed deal and the lobby, too.
    if (view?.over && commitment && !roams)
      list.push({ key: "verify", label: t("Verify the deal"), href: look("verify") });
    if (!storyOver && !board && !tournament && (seats.length || !roams))
      list.push(...(seats.length ? seats : [{ key: "lobby", label: t("Front page"), href: lobby }]));
  }
  if (roams) list.push({ key: "next-table", label: t("Next table"), href: next });
  return list;
}

/** The buttons to take a seat back, and to request one or withdraw the request. @param {import("./types.js").TableInfo} table @param {import("./store.js").You} you @param {boolean} open there is a free one @param {import("./waiting_room.js").Press} press @returns {Extra[]} */
function seatButtons(table, you, open, press) {
  if (you.seat !== null || isBlocked(you)) return [];
  if (you.kept)
    return [{ key: "come-back", label: t("Take your seat back"), run: () => press("come_back"), first: true }];
  const asked = table.seat_requests.find((one) => one.person === you.person);
  if (asked)
    return [
      {
        key: "withdraw-request",
        label: asked.next ? t("You play in the next match – cancel") : t("You have asked for a seat – cancel"),
        run: () => press("withdraw_request"),
      },
    ];
  const late = !table.house && !table.tournament && (table.status === "playing" || !open);
  return late && table.seats.some((seat) => seat.kind === "person")
    ? [{ key: "request-seat", label: t("Ask for a seat"), run: () => press("request_seat") }]
    : [];
}

/** @param {import("./types.js").TableInfo} table */
function again(table) {
  if (table.daily) return t("Play again (does not count)");
  return table.story ? t("Play the next match") : t("Play again");
}

/** The next match starts when all players are ready, or when the host starts it. @param {import("./types.js").TableInfo} table @param {import("./store.js").You} you @param {import("./waiting_room.js").Press} press @returns {Extra[]} */
function nextMatch(table, you, press) {
  const ready = you.seat !== null && table.seats[you.seat].ready;
  /** @type {Extra[]} */
  const list = [];
  if (ready) list.push({ key: "not-yet", label: t("Not yet"), run: () => press("ready", { ready: "no" }) });
  else if (you.seat !== null)
    list.push({ key: "ready", label: again(table), run: () => press("ready"), first: !table.daily });
  const others = table.seats.some((seat) => seat.kind === "person" && seat.seat !== you.seat && !seat.ready);
  if (you.host && (others || you.seat === null))
    list.push({ key: "start", label: t("Start without waiting"), run: () => press("start"), first: ready });
  return list;
}
