// @ts-check
/** Settings of this browser: in local storage or, if that is blocked or full, until the page is left. */

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

/** @param {string} key @param {string} value */
export function save(key, value) {
  try {
    localStorage.setItem(key, value);
    inMemory.delete(key);
  } catch {
    inMemory.set(key, value);
  }
}
