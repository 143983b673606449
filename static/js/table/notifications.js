// @ts-check
/**
 * Notifications that it is your turn, for visitors who asked for them and have another page in front. They name the
 * game but nothing that is on the table: others may see that screen.
 */
import { t } from "../i18n.js";
import { load, save } from "./storage.js";

const KEY = "nudge"; // in this browser: "yes" or "no"
const ICON = "/static/art/icon-192.png";

export const canNotify = () => "Notification" in window;
export const notifying = () => load(KEY) === "yes" && canNotify() && Notification.permission === "granted";

/** Switch notifications on or off. Only then is the browser asked for permission. @param {boolean} on @returns {Promise<boolean>} whether it is on now */
export async function setNotifications(on) {
  const granted = on && (await Notification.requestPermission()) === "granted";
  save(KEY, granted ? "yes" : "no");
  return granted;
}

/** The notification that is shown, to close it when it is out of date. @type {Notification | "by the service worker" | null} */
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
    shown = null; // some phones show them through a service worker only, and this browser has none of ours
  }
}

/** Close it: it is no longer your turn, or the page is visible. */
export async function clearNotification() {
  const was = shown;
  shown = null;
  if (was instanceof Notification) return was.close();
  const registration = was && (await navigator.serviceWorker?.getRegistration());
  if (registration) for (const one of await registration.getNotifications({ tag: location.pathname })) one.close();
}

document.addEventListener("visibilitychange", () => document.hidden || void clearNotification());
