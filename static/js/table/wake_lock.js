// @ts-check
/** Keep the screen on while it is the visitor's turn, or while the page is open. */
import { load, save } from "./storage.js";

const KEY = "awake"; // "yes" or "no"

let wanted = false;
let always = false; // whatever the visitor has chosen for tables
/** @type {WakeLockSentinel | null} */
let held = null;
let requesting = false;

export const mayStayAwake = () => load(KEY) !== "no";

const asked = () => wanted && (always || mayStayAwake());

/** @param {boolean} on */
export function setAwake(on) {
  save(KEY, on ? "yes" : "no");
  void settle();
}

/** @param {boolean} mine whether it is this person's turn */
export function stayAwake(mine) {
  if (wanted === mine) return;
  wanted = mine;
  void settle();
}

/** Keep the screen on while the page is visible. */
export function keepAwake() {
  wanted = always = true;
  void settle();
}

/** Request or release the lock as needed. A change during a request is applied when the browser has answered it. */
async function settle() {
  const want = asked() && !document.hidden;
  if (requesting || want === !!held) return;
  if (held) {
    const lock = held;
    held = null;
    await lock.release().catch(() => {});
    return;
  }
  if (!navigator.wakeLock) return;
  requesting = true;
  try {
    const lock = await navigator.wakeLock.request("screen");
    held = lock;
    lock.addEventListener("release", () => {
      if (held === lock) held = null;
    });
  } catch {
    // A browser may refuse, for example when the battery is low.
  }
  requesting = false;
  if (held && !asked()) void settle();
}

// The browser releases the lock of a hidden page by itself.
document.addEventListener("visibilitychange", () => void settle());
