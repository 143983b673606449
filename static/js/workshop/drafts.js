// @ts-check
/** What is in the editor and not saved, kept in this browser under the address it belongs to. */

/**
 * @typedef {object} Draft
 * @property {string} source
 * @property {string} table
 * @property {number} base the version that it is made from, 0 for none
 * @property {number} at when, in milliseconds
 * @property {string} [code] of the lessons' text, once it is saved
 * @property {boolean} [saved] it is as it was saved
 */

const KEY = "workshop.draft.";

/** @param {string} name @returns {Draft | null} */
export function load(name) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY + name) ?? "null");
    return found && typeof found.source === "string" && typeof found.table === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} name @param {Draft} draft @returns {boolean} whether this browser keeps it */
export function save(name, draft) {
  try {
    localStorage.setItem(KEY + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function remove(name) {
  try {
    localStorage.removeItem(KEY + name);
  } catch {
    // it keeps nothing, then
  }
}
