// @ts-check
/**
 * Notifications that it is your turn, for visitors who asked for them and have another page in front. It names the
 * game and nothing that is on the table: others may see that screen.
 */
import { t } from "../i18n.js";
import { load, save } from "./storage.js";

const KEY = "nudge"; // on this machine: yes or no
const ICON = "/static/art/icon-192.png";

export const canNotify = () => "Notification" in window;
export const notifying = () => load(KEY) === "yes" && canNotify() && Notification.permission === "granted";

/** Switch it; the browser is asked then and only then. @param {boolean} on @returns {Promise<boolean>} whether it is on now */
export async function setNotifications(on) {
  const granted = on && (await Notification.requestPermission()) === "granted";
  save(KEY, granted ? "yes" : "no");
  return granted;
}

/** What is shown, in case it is over before somebody looks. @type {Notification | "by the service worker" | null} */
let shown = null;

/** @param {string} game its title */
export async function notifyTurn(game) {
  if (!document.hidden || !notifying()) return;
  const about = { body: game, icon: ICON, tag: location.pathname, lang: document.documentElement.lang };
  const registration = await navigator.serviceWorker?.getRegistration();
  try {
    if (registration) {
      shown = "by the service worker";
      await registration.showNotification(t("It is your turn"), about);
    } else {
      shown = new Notification(t("It is your turn"), about);
      shown.onclick = () => window.focus();
    }
  } catch {
    shown = null; // phones show some by a service worker only, and this browser has none of ours
  }
}

/** It is not your turn any more, or you look. */
export async function clearNotification() {
  const was = shown;
  shown = null;
  if (was instanceof Notification) return was.close();
  const registration = was && (await navigator.serviceWorker?.getRegistration());
  if (registration) for (const one of await registration.getNotifications({ tag: location.pathname })) one.close();
}

document.addEventListener("visibilitychange", () => document.hidden || void clearNotification());
