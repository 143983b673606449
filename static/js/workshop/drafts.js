// @ts-check
/** Drafts: what is typed in the editor and not saved yet, stored in the browser's localStorage by text or lesson. */

/**
 * @typedef {object} Draft
 * @property {string} source the text of the game
 * @property {string} table its table file
 * @property {number} base the saved version that was edited, 0 for none
 * @property {number} at when the draft was stored, in milliseconds since 1970
 * @property {string} [code] the code of the saved text, if a lesson's text was saved
 * @property {boolean} [saved] whether it equals the text on the server
 */

const KEY_PREFIX = "workshop.draft.";

/**
 * Return the draft stored as `name`; null if there is none, or it cannot be read.
 *
 * @param {string} name @returns {Draft | null}
 */
export function load(name) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY_PREFIX + name) ?? "null");
    return found && typeof found.source === "string" && typeof found.table === "string" ? found : null;
  } catch {
    return null;
  }
}

/**
 * Store a draft as `name`. Return false if the browser refuses: in private windows, or if no space is left.
 *
 * @param {string} name @param {Draft} draft @returns {boolean}
 */
export function save(name, draft) {
  try {
    localStorage.setItem(KEY_PREFIX + name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/**
 * Remove the draft stored as `name`.
 *
 * @param {string} name
 */
export function remove(name) {
  try {
    localStorage.removeItem(KEY_PREFIX + name);
  } catch {
    // a browser that refuses localStorage has stored no draft
  }
}
