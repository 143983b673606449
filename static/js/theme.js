// Runs before the first paint, so a visitor who chose a light never sees the other one flash by.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Storage is closed to us (private window, blocked cookies): the system's choice stands.
  }
  if (theme === "day" || theme === "lamplight") document.documentElement.dataset.theme = theme;
})();
