// @ts-check
/** Requests to the server, in JSON: one of a kind at a time, and only the answer to the newest counts. */
import { t } from "../i18n.js";
import { proof } from "../api.js";

/** @typedef {{ok: boolean, code?: string, text?: string, [more: string]: any}} Answer */

const AGAIN = 3000; // milliseconds to wait after a refusal for too many requests, or without an answer

/** Ask once. Never rejects: what cannot be had is {ok: false, code, text}. @param {string} url @param {object} asked @returns {Promise<Answer & {status: number}>} */
export async function ask(url, asked) {
  const headers = { ...proof(), "Content-Type": "application/json", Accept: "application/json" };
  try {
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(asked) });
    if (answer.headers.get("Content-Type")?.startsWith("application/json"))
      return { ...(await answer.json()), status: answer.status };
    const text =
      answer.status === 413
        ? t("That is far too large for a game. Shorten the text.")
        : t("That did not work. Reload the page and try again.");
    return { ok: false, code: "failed", text, status: answer.status };
  } catch {
    return {
      ok: false,
      code: "offline",
      text: t("The server cannot be reached. What you write is kept in this browser."),
      status: 0,
    };
  }
}

/** A queue of requests of one kind. While one is on its way only the newest waits; answers to older ones are dropped. */
export class RequestQueue {
  /** @param {string} url @param {(answer: Answer & {status: number}, asked: any) => void} receive */
  constructor(url, receive) {
    this.url = url;
    this.receive = receive;
    /** @type {object | null} */
    this.next = null;
    this.busy = false;
  }

  /** @param {object} asked */
  ask(asked) {
    this.next = asked;
    if (!this.busy) void this.run();
  }

  async run() {
    this.busy = true;
    while (this.next) {
      const asked = this.next;
      this.next = null;
      const answer = await ask(this.url, asked);
      const wait = [0, 429, 503].includes(answer.status); // 0: it cannot be reached
      if (wait && !this.next) this.next = asked;
      if (wait || !this.next) this.receive(answer, asked);
      if (wait) await new Promise((done) => setTimeout(done, AGAIN));
    }
    this.busy = false;
  }
}
