// @ts-check
/** Who was in which seat of a match, and the log entries about it. Accesses no page. */
import { noop, t } from "../i18n.js";

/** @typedef {import("./types.js").OccupancyInfo} OccupancyInfo */
/** @typedef {import("./types.js").SeatResultInfo} SeatResultInfo */
/** @typedef {import("./types.js").LogEntry} LogEntry */
/** @typedef {import("./text.js").Names} Names */
/** @typedef {{ply: number, entry: LogEntry}} Change an entry that comes after those of its ply */

/** What a seat has where nobody plays now: in a replay, and in the preview of a game. */
export const PLAIN_SEAT = {
  host: false,
  here: true,
  away: false,
  ready: false,
  held_for: 0,
  wins: 0,
  face: "",
  ends: false,
  handicap: 0,
  vacation_until: 0,
};

/** The occupant of a seat when a move was made. @param {OccupancyInfo[]} all @param {number} seat @param {number} ply of the move; 0: the deal @returns {OccupancyInfo | undefined} */
export function occupantAt(all, seat, ply) {
  const own = all.filter((one) => one.seat === seat);
  return own.findLast((one) => one.ply < ply) ?? own[0];
}

/** The names that the players had when a move was made. @param {OccupancyInfo[]} all @param {number} ply @param {Names} others for seats without a record @returns {Names} */
export const namesAt = (all, ply, others) => (seat) => occupantAt(all, seat, ply)?.name || others(seat);

/** The names that the players had when the last round was scored: whoever has come since had no part in it. @param {OccupancyInfo[]} all @param {LogEntry[][]} log by ply @param {Names} others if no round was scored @returns {Names} */
export function namesAtScoring(all, log, others) {
  const ply = log.findLastIndex((entries) => entries.some(({ kind }) => kind === "round"));
  return ply < 0 ? others : namesAt(all, ply, others);
}

/** The names below a result: a bot that played for a person is called so. @param {SeatResultInfo[]} results @param {Names} others for seats without a result @returns {Names} */
export const resultNames = (results, others) => (seat) => {
  const one = results.find((result) => result.seat === seat);
  if (!one) return others(seat);
  return one.counts ? one.name : t("A bot for {name}", { name: one.name });
};

/** In words, who decided in a seat; "" if its own player made all decisions. @param {SeatResultInfo} result */
export function whoDecided({ name, person, decisions, own, counts }) {
  if (!counts)
    return t("{name} made {own} of {n} decisions, a bot the others. The result does not count for {name}.", {
      name,
      own,
      n: decisions,
    });
  return person && own < decisions
    ? t("{name} made {own} of {n} decisions, a bot the others.", { name, own, n: decisions })
    : "";
}

/** The log entries about people who arrived, left, were replaced by a bot, or changed their name. @param {OccupancyInfo[]} all @returns {Change[]} */
export function changesOf(all) {
  /** @type {Map<number, OccupancyInfo>} */
  const last = new Map();
  return all.flatMap((now) => {
    const before = last.get(now.seat);
    last.set(now.seat, now);
    const text = before && sentence(before, now);
    if (!text) return [];
    const args = { who: before.name, now: now.name };
    return [{ ply: now.ply, entry: { kind: "info", text: { text, args }, seat: now.seat } }];
  });
}

/** @param {OccupancyInfo} before @param {OccupancyInfo} now */
function sentence(before, now) {
  if (before.kind === "person" && now.kind === "bot")
    return now.removed
      ? noop("{who} was removed. The bot {now} takes the seat.")
      : noop("{who} has left. The bot {now} takes the seat.");
  if (before.kind === "bot" && now.kind === "person") return noop("{now} takes the seat of {who}.");
  if (before.person !== now.person) return noop("{now} sits down.");
  if (before.name !== now.name) return noop("{who} is now called {now}.");
  if (before.away !== now.away)
    return now.away ? noop("{now} is away: the house plays for them.") : noop("{now} is back.");
  return "";
}

/** A log with the changes in their places. @param {LogEntry[][]} log by ply @param {Change[]} changes @returns {LogEntry[][]} */
export function withChanges(log, changes) {
  if (!changes.length) return log;
  return log.map((entries, ply) => [...entries, ...changes.filter((one) => one.ply === ply).map(({ entry }) => entry)]);
}
