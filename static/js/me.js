// @ts-check
/**
 * Notifications on one's own page: this device's push subscription, and which notifications it gets. The server has the
 * texts; what is shown depends on data-state of the section.
 */
import { post } from "./api.js";
import { loadTranslations } from "./i18n.js";

/** @typedef {{ok: boolean, text?: string, on?: boolean, kinds?: string[], quiet_from?: string, quiet_to?: string}} Answer */

await loadTranslations();

const section = /** @type {HTMLElement | null} */ (document.querySelector("[data-push-key]"));
if (section) void start(section);

/** @param {HTMLElement} root */
async function start(root) {
  const form = /** @type {HTMLFormElement} */ (root.querySelector("form"));
  const note = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
  const url = root.dataset.pushUrl ?? "";
  const key = root.dataset.pushKey ?? "";

  const input = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.querySelector(`[name=${name}]`));
  const show = (/** @type {string} */ state) => {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-when]")))
      part.hidden = !(part.dataset.when ?? "").split(" ").includes(state);
    root.hidden = false;
  };
  if (!window.isSecureContext) return show("insecure");
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return show("unsupported");

  /** @returns {Promise<PushSubscription | null>} this browser's, if it was made with the site's present key */
  const current = async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = (await registration?.pushManager.getSubscription()) ?? null;
    const known = found?.options.applicationServerKey;
    if (!found || !known || toText(known) === key) return found;
    await found.unsubscribe();
    return null;
  };

  /** @param {string} act @param {PushSubscription | null} subscription @param {Record<string, string>} more @returns {Promise<Answer>} */
  const send = async (act, subscription, more = {}) => {
    const answer = /** @type {Answer} */ (
      await post(url, { do: act, endpoint: subscription?.endpoint ?? "", ...more })
    );
    note.textContent = answer.ok ? "" : (answer.text ?? "");
    if (!answer.ok) return answer;
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=kind]")))
      box.checked = !answer.on || (answer.kinds ?? []).includes(box.value);
    input("quiet_from").value = answer.quiet_from ?? "";
    input("quiet_to").value = answer.quiet_to ?? "";
    show(answer.on ? "on" : Notification.permission === "denied" ? "denied" : "off");
    return answer;
  };

  const switchOn = async () => {
    if ((await Notification.requestPermission()) !== "granted") return show("denied");
    const registration = await navigator.serviceWorker.ready;
    try {
      const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      const keys = made.toJSON().keys ?? {};
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const answer = await send("on", made, { key: keys.p256dh, secret: keys.auth, zone });
      if (!answer.ok) await made.unsubscribe();
    } catch {
      show("unsupported"); // the browser has no push service, as some builds of Chromium
    }
  };

  const switchOff = async () => {
    const found = await current();
    await send("off", found);
    await found?.unsubscribe();
  };

  const wishes = async () => {
    const kinds = [...new FormData(form).getAll("kind")].map(String).join(" ");
    const answer = await send("wishes", await current(), {
      kinds,
      quiet_from: input("quiet_from").value,
      quiet_to: input("quiet_to").value,
    });
    if (answer.ok) note.textContent = form.dataset.saved ?? "";
  };

  root.querySelector("[data-push=on]")?.addEventListener("click", () => void switchOn());
  root.querySelector("[data-push=off]")?.addEventListener("click", () => void switchOff());
  root.querySelector("[data-push=test]")?.addEventListener("click", async () => void send("test", await current()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void wishes();
  });
  const found = await current();
  if (found) await send("state", found);
  else show(Notification.permission === "denied" ? "denied" : "off");
}

/** @param {ArrayBuffer} raw @returns {string} base64url */
const toText = (raw) =>
  btoa(String.fromCharCode(...new Uint8Array(raw)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
