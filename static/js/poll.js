// @ts-check
/** Data that is fetched again and again while the page is visible. */

const LONGEST = 60_000; // milliseconds between two attempts while the server does not answer

/**
 * Fetch JSON every few seconds while the page is visible, and whenever it becomes visible or has a connection again.
 * @template T
 * @param {string} url the answer has an ETag
 * @param {number} every milliseconds
 * @param {(data: T) => void} show called with each answer that is not the same as the last one
 * @param {() => void} [gone] called when the server answers 404; nothing is fetched afterwards
 * @returns {() => Promise<void>} a function that fetches it now
 */
export function poll(url, every, show, gone) {
  let etag = "";
  let wait = every;
  let timer = 0;
  let loading = false;

  async function ask() {
    if (loading) return;
    loading = true;
    clearTimeout(timer);
    try {
      const answer = await fetch(url, { headers: etag ? { "If-None-Match": etag } : {}, cache: "no-store" });
      if (answer.status === 404 && gone) return gone();
      if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
      wait = every;
      if (answer.ok) {
        etag = answer.headers.get("ETag") ?? "";
        show(await answer.json());
      }
    } catch {
      wait = Math.min(LONGEST, wait * 2); // no connection, or a busy server
    }
    loading = false;
    if (document.visibilityState === "visible") timer = setTimeout(() => void ask(), wait);
  }

  const look = () => void (document.visibilityState === "visible" && ask());
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  addEventListener("pageshow", look);
  return ask;
}
