// @ts-check
/** Buttons other than moves use HTTP: they send a form and receive {ok} or {code, text}. */
import { t } from "./i18n.js";

/** The header that proves that a form comes from our own page. */
export const proof = () => ({
  "X-CSRFToken": decodeURIComponent(document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? ""),
});

/** @param {string} url @param {Record<string, string | number>} fields @returns {Promise<{ok: boolean, code?: string, text?: string}>} */
export async function post(url, fields) {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...proof(), Accept: "application/json" },
      body: new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    });
    if (answer.headers.get("Content-Type")?.startsWith("application/json")) return await answer.json();
    return { ok: false, code: "failed", text: t("That did not work. Reload the page and try again.") };
  } catch {
    return { ok: false, code: "offline", text: t("The server cannot be reached. Try again in a moment.") };
  }
}
