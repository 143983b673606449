// @ts-check
/** The screen stays on while it is your turn to think, and goes its own way else. */
import { load, save } from "./storage.js";

const KEY = "awake"; // yes or no

let wanted = false;
/** @type {WakeLockSentinel | null} */
let held = null;
let asking = false;

export const mayStayAwake = () => load(KEY) !== "no";

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

/** Ask for what is wanted now, or let go of it. A change meanwhile is applied once the browser has answered. */
async function settle() {
  const want = wanted && mayStayAwake() && !document.hidden;
  if (asking || want === !!held) return;
  if (held) {
    const lock = held;
    held = null;
    await lock.release().catch(() => {});
    return;
  }
  if (!navigator.wakeLock) return;
  asking = true;
  try {
    const lock = await navigator.wakeLock.request("screen");
    held = lock;
    lock.addEventListener("release", () => {
      if (held === lock) held = null;
    });
  } catch {
    // A browser may refuse, as with a battery that is nearly empty.
  }
  asking = false;
  if (held && !(wanted && mayStayAwake())) void settle();
}

// The browser lets go by itself of what is not looked at.
document.addEventListener("visibilitychange", () => void settle());
