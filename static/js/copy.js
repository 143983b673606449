// @ts-check
/** Copying a text: as browsers do it today, and on plain http, where they do not, as they did before. */

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
    (document.querySelector("dialog[open]") ?? document.body).append(field); // what is under a dialog cannot be selected
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}
