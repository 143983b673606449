// @ts-check
/** The unsaved text of the editor, kept in this browser's localStorage under the name of its text or lesson. */

/**
 * @typedef {object} Draft
 * @property {string} source
 * @property {string} table
 * @property {number} base the version that it is made from, 0 for none
 * @property {number} at when it was kept, in milliseconds since 1970
 * @property {string} [code] the code of the saved text, for a lesson's text that was saved
 * @property {boolean} [saved] whether it equals what the server holds
 */

const KEY = "workshop.draft.";

/**
 * Return the draft kept under `name`, or null where there is none that can be read.
 *
 * @param {string} name @returns {Draft | null}
 */
export function load(name) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY + name) ?? "null");
    return found && typeof found.source === "string" && typeof found.table === "string" ? found : null;
  } catch {
    return null;
  }
}

/**
 * Keep the draft; false where the browser refuses (private windows, or no space left).
 *
 * @param {string} name @param {Draft} draft @returns {boolean}
 */
export function save(name, draft) {
  try {
    localStorage.setItem(KEY + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/**
 * Forget the draft kept under `name`.
 *
 * @param {string} name
 */
export function remove(name) {
  try {
    localStorage.removeItem(KEY + name);
  } catch {
    // a browser that refuses localStorage has no draft to forget
  }
}
