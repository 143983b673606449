// @ts-check
/**
 * Settings of this browser: in local storage or, if that is blocked or full, until the page is left. Preferences are also
 * kept with the person, so that they are the same on all their machines.
 */
import { post } from "../api.js";

const PREFERENCES = new Set(["confirm", "ahead", "sound", "suits", "tips", "pauses"]); // as in cardsite/people/models.py
let address = ""; // where preferences are sent, "" if nobody keeps them

/** What could not be stored. @type {Map<string, string>} */
const inMemory = new Map();

/** @param {string} key @returns {string | null} */
export function load(key) {
  const kept = inMemory.get(key);
  if (kept !== undefined) return kept;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Use the preferences of the person, and keep their changes from now on.
 * @param {Record<string, string>} preferences what was set on any machine @param {string} url where changes are sent
 */
export function keepWith(preferences, url) {
  address = "";
  for (const [key, value] of Object.entries(preferences)) save(key, value);
  address = url;
}

/** @param {string} key @param {string} value */
export function save(key, value) {
  if (address && PREFERENCES.has(key)) void post(address, { name: key, value });
  try {
    localStorage.setItem(key, value);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, value);
  }
}
