// Runs before the first paint and the first click.
(() => {
  // A visitor who chose a light never sees the other one flash by.
  let theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Storage is closed to us (private window, blocked cookies): the system's choice stands.
  }
  if (theme === "day" || theme === "lamplight") document.documentElement.dataset.theme = theme;

  // A form answers its first click; a second one, from an impatient paw, is let go. Not only when all scripts are here.
  const sent = new Set();
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "post" || event.defaultPrevented) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  addEventListener("pageshow", (event) => event.persisted && sent.clear()); // back at a page that was left by a form
})();
