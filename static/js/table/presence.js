// @ts-check
/** Who comes and goes while a match is played, as log lines: so that nobody takes a bot's move for a friend's. */

/** @typedef {import("./types.js").LogEntry} Line */
/** @typedef {import("./types.js").TableInfo} TableInfo */

/** @param {TableInfo | null} before @param {TableInfo} after @returns {Line[]} */
export function presenceEntries(before, after) {
  if (before?.status !== "playing" || before.match !== after.match || before.seats.length !== after.seats.length)
    return [];
  return after.seats.flatMap((seat, index) => {
    const { name, kind, person, away } = before.seats[index];
    const args = { who: name, now: seat.name };
    let text = "";
    if (kind === "person" && seat.kind === "bot") text = "{who} has left. The bot {now} takes the seat.";
    else if (kind === "bot" && seat.kind === "person") text = "{now} takes the seat of {who}.";
    else if (person !== seat.person) text = "{now} sits down.";
    else if (!away && seat.away) text = "{now} is away: the house plays for them.";
    else if (away && !seat.away) text = "{now} is back.";
    return text ? [{ kind: "info", text: { text, args }, seat: index }] : [];
  });
}
