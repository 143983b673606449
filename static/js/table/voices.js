// @ts-check
/** What the characters of a story say during a game. No access to the page. */

/** @typedef {import("./types.js").VoiceInfo} Voice */
/** @typedef {import("./types.js").LogEntry} LogEntry */

/** Whether something that happened is what a voice waits for. @param {Voice} voice @param {LogEntry} entry */
function matches({ kind, seat, about }, entry) {
  return (
    entry.kind === kind &&
    entry.seat === seat &&
    Object.entries(about).every(([name, wanted]) => {
      const arg = entry.text.args[name];
      if (typeof arg !== "object") return false;
      return "seat" in arg ? arg.seat === wanted : arg.card.at(-1) === wanted;
    })
  );
}

export class Voices {
  constructor() {
    /** How often there was something to say about each event. @type {Map<string, number>} */
    this.counts = new Map();
  }

  /** What is said about new entries of the log: one thing at most. @param {LogEntry[]} news @param {Voice[]} voices @returns {Voice | undefined} */
  react(news, voices) {
    /** @type {Voice | undefined} */
    let said;
    for (const entry of news) {
      const able = voices.filter((voice) => matches(voice, entry));
      if (!able.length) continue;
      const event = JSON.stringify([able[0].kind, able[0].seat, able[0].about]);
      const times = this.counts.get(event) ?? 0;
      this.counts.set(event, times + 1);
      said = able[times % able.length];
    }
    return said;
  }
}
