// @ts-check
/** What has changed at a table beside its match, in sentences for everybody there. Accesses no page. */
import { noop } from "../i18n.js";

/** @typedef {import("./types.js").TableInfo} TableInfo */
/** @typedef {import("./types.js").SeatInfo} SeatInfo */
/** @typedef {import("./types.js").LogEntry} LogEntry */

/** A new host, another game, other options, a bot or a person who came or went between matches. @param {TableInfo | null} before @param {TableInfo} now @param {boolean} host the visitor is the host, who seats the bots @returns {LogEntry[]} */
export function tableNews(before, now, host) {
  if (!before || now.house || now.status === "closed") return [];
  /** @type {LogEntry[]} */
  const news = [];
  const say = (/** @type {string} */ text, /** @type {Record<string, string>} */ args = {}) =>
    news.push({ kind: "info", text: { text, args } });
  const seat = hostOf(now);
  if (seat && seat.person !== hostOf(before)?.person) say(noop("{name} is the host now."), { name: seat.name });
  if (before.game !== now.game) say(noop("The host has changed the game: {game}."), { game: now.title });
  else if (settings(before) !== settings(now)) say(noop("The host has changed the options or the clock."));
  if (before.sealed !== now.sealed)
    say(
      now.sealed
        ? noop("From the next match on, the deal is sealed: it can be verified, and all hands are open afterwards.")
        : noop("From the next match on, the deal is not sealed: hands stay private."),
    );
  if (now.status === "playing" && before.status === "playing") {
    news.push(...endings(before.seats, now.seats));
    if (before.match !== now.match) say(noop("A move was taken back. The match goes on from there."));
    else if (before.take_back && !now.take_back) say(noop("No move is taken back."));
    else if (!before.take_back && now.take_back)
      say(noop("{name} would like to take back the last decision."), { name: now.seats[now.take_back.seat].name });
  }
  if (before.game === now.game && now.status !== "playing" && before.status !== "playing")
    news.push(...arrivals(before.seats, now.seats, host));
  return news;
}

/** @param {TableInfo} table */
const hostOf = ({ seats }) => seats.find((seat) => seat.host);

/** @param {TableInfo} table */
const settings = ({ options, seconds, spectator_delay, time_up }) =>
  JSON.stringify([seconds, spectator_delay, time_up, options.map(({ name, value }) => [name, value])]);

/** Who would like to end the match without a result, or that somebody would not. @param {SeatInfo[]} before @param {SeatInfo[]} now @returns {LogEntry[]} */
function endings(before, now) {
  const wish = (/** @type {SeatInfo[]} */ seats) => seats.filter((seat) => seat.ends);
  if (wish(before).length && !wish(now).length)
    return [{ kind: "info", text: { text: noop("The match goes on."), args: {} } }];
  return wish(now)
    .filter((seat) => !before.find((one) => one.seat === seat.seat)?.ends)
    .map(({ name }) => ({
      kind: "info",
      text: { text: noop("{name} would like to end this match without a result."), args: { name } },
    }));
}

/** Who came to a seat or left one between two matches. @param {SeatInfo[]} before @param {SeatInfo[]} now @param {boolean} host @returns {LogEntry[]} */
function arrivals(before, now, host) {
  /** Those of a kind who are not among the others. @type {(seats: SeatInfo[], kind: "person" | "bot", key: "person" | "name", others: SeatInfo[]) => SeatInfo[]} */
  const missing = (seats, kind, key, others) =>
    seats.filter((seat) => seat.kind === kind && !others.some((one) => one.kind === kind && one[key] === seat[key]));
  /** @type {(text: string) => (seat: SeatInfo) => LogEntry} */
  const entry = (text) => (seat) => ({ kind: "info", text: { text, args: { name: seat.name } } });
  const bots = () => [
    ...missing(before, "bot", "name", now).map(entry(noop("The bot {name} no longer plays here."))),
    ...missing(now, "bot", "name", before).map(entry(noop("The bot {name} plays here now."))),
  ];
  return [
    ...missing(before, "person", "person", now).map(entry(noop("{name} has left the table."))),
    ...missing(now, "person", "person", before).map(entry(noop("{name} sits down."))),
    ...(host ? [] : bots()),
  ];
}
