// @ts-check
/** Whom one does not want to hear, kept in this browser. */

import { load, save } from "./storage.js";

const KEY = "muted";
const MOST = 200; // the latest: nobody comes to know more people than that

/** @type {Map<number, string>} the person's number, and what they were called */
const muted = new Map(stored());

/** @returns {[number, string][]} */
function stored() {
  try {
    return JSON.parse(load(KEY) ?? "[]");
  } catch {
    return []; // it holds something else
  }
}

/** @param {number} person */
export const isMuted = (person) => muted.has(person);

/** @param {number} person @param {string} name @param {boolean} on */
export function mute(person, name, on) {
  if (on) muted.set(person, name);
  else muted.delete(person);
  save(KEY, JSON.stringify([...muted].slice(-MOST)));
}
