// Runs before the first paint and the first click.
(() => {
  // A visitor who chose a theme never sees the other one flash by.
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "day" || theme === "lamplight") root.dataset.theme = theme;
    if (localStorage.getItem("suits") === "four") root.dataset.suits = "four";
  } catch {
    // There is no storage (private window, blocked cookies): the system's theme and two colours stay.
  }

  // A form is sent once: a second click is ignored, even while other scripts are still loading.
  const sent = new Set();
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method !== "post" || event.defaultPrevented) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  addEventListener("pageshow", (event) => event.persisted && sent.clear()); // the browser shows again, unchanged, a page that was left by sending a form
})();
