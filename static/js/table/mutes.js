// @ts-check
/** Whom the visitor has muted: kept with the person; for visitors without a name in this browser, until they have one. */
import { post } from "../api.js";
import { load, save } from "./storage.js";

const MUTED = "muted"; // [number, name][], as earlier versions stored them for everybody
const MOST_MUTED = 200; // the most recent ones, as in cardsite/people/services.py

/** @returns {Set<number>} the numbers of the people who are muted in this browser */
function stored() {
  try {
    return new Set(JSON.parse(load(MUTED) ?? "[]").map((/** @type {[number, string]} */ [person]) => person));
  } catch {
    return new Set(); // not what this module stores
  }
}

/** @param {Set<number>} people */
const store = (people) => save(MUTED, JSON.stringify([...people].slice(-MOST_MUTED).map((person) => [person, ""])));

export class Mutes {
  /** @param {string} url where they are sent */
  constructor(url) {
    this.url = url;
    this.known = false; // whether the visitor has a name
    this.people = stored();
    this.sending = false;
  }

  /** Use what the server knows of the visitor. @param {{ person: number, mutes: number[] }} you */
  update({ person, mutes }) {
    if (!person) return;
    this.known = true;
    this.people = new Set(mutes);
    const left = stored();
    for (const one of left) this.people.add(one);
    if (left.size && !this.sending) void this.send(left);
  }

  /** Send the people who were muted in this browser, once. @param {Set<number>} people */
  async send(people) {
    this.sending = true;
    const { ok, code } = await post(this.url, { mute: [...people].join(" ") });
    if (ok || code === "bad_option") store(new Set()); // else they are sent with the next message about the visitor
    this.sending = false;
  }

  /** Mute a person, or no longer. @param {number} person @param {boolean} on @returns {Promise<string>} why that did not work, or "" */
  async set(person, on) {
    this.change(person, on);
    if (!this.known) {
      store(this.people);
      return "";
    }
    const { ok, text } = await post(this.url, { [on ? "mute" : "unmute"]: person });
    if (ok) return "";
    this.change(person, !on);
    return text ?? "";
  }

  /** @param {number} person @param {boolean} on */
  change(person, on) {
    if (on) this.people.add(person);
    else this.people.delete(person);
  }
}
