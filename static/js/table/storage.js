// @ts-check
/** Settings of this browser: in local storage or, if that is blocked, until the page is left. */

/** @type {Map<string, string>} */
const inMemory = new Map();

/** @param {string} key @returns {string | null} */
export function load(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return inMemory.get(key) ?? null; // storage is blocked
  }
}

/** @param {string} key @param {string} value */
export function save(key, value) {
  inMemory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is kept until the page is left.
  }
}
