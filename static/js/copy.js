// @ts-check
/** Copy a text: with the clipboard API, or the older way on plain http, where that API is missing. */

/** @param {string} text @returns {Promise<boolean>} whether it is copied */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.setAttribute("readonly", "");
    field.className = "visually-hidden";
    const before = document.activeElement;
    (document.querySelector("dialog[open]") ?? document.body).append(field); // text under an open dialog cannot be selected
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}
