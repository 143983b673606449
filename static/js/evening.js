// @ts-check
/** The page of an evening: its picture has the date of the visitor's time zone, and can be shared as a file. */

const NAME = "evening.png";

/** Offer to share the picture, where the browser can. @param {HTMLButtonElement} button @param {string} url */
function offerToShare(button, url) {
  const canShare = (/** @type {File} */ file) => navigator.canShare?.({ files: [file] }) ?? false;
  if (!canShare(new File([], NAME, { type: "image/png" }))) return;
  button.hidden = false;
  /** @type {File | undefined} */
  let file; // kept: a browser may refuse to share what took long to fetch, and the next press shares it at once
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if (!file) {
        const answer = await fetch(url);
        if (!answer.ok) return location.assign(url); // that page says why
        file = new File([await answer.blob()], NAME, { type: "image/png" });
      }
      await navigator.share({ files: [file] });
    } catch {
      // Cancelled, no connection, or the browser wants another press.
    } finally {
      button.disabled = false;
    }
  });
}

const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a[data-picture]"));
const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("button[data-share]"));
if (link) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) link.search = new URLSearchParams({ zone }).toString();
  if (button) offerToShare(button, link.href);
}
