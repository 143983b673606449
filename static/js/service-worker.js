// @ts-check
/**
 * Shows an offline page when the server cannot be reached. It stores that page and its few files, which are
 * the same for everybody, and nothing that a visitor looked at or played.
 *
 * The server puts the list of these files in front of this script, with a version that changes when a file does. Then
 * the browser installs a new worker, and what the old one stored is removed.
 */
/** @type {{edition: string, page: string, files: string[]}} */
const OFFLINE = /** @type {any} */ (self).OFFLINE;
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  const files = [OFFLINE.page, ...OFFLINE.files].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(OFFLINE.edition).then((kept) => kept.addAll(files)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    Promise.all([
      caches
        .keys()
        .then((names) =>
          Promise.all(names.filter((name) => name !== OFFLINE.edition).map((name) => caches.delete(name))),
        ),
      worker.registration.navigationPreload?.enable(),
      worker.clients.claim(),
    ]),
  );
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (OFFLINE.files.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => keptOf(request.url)));
});

/** From the network, or from the cache if there is none. @param {any} event @returns {Promise<Response | undefined>} */
async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return keptOf(OFFLINE.page);
  }
}

/** @param {string} file */
const keptOf = (file) => caches.match(file, { ignoreVary: true }); // it was requested in this browser's own language

// A notification from the server. It is shown by every browser that was sent one, also while no page of the site is open.
worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, path, language } = event.data.json();
  event.waitUntil(
    worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ pages) => {
      const seen = pages.some((one) => one.visibilityState === "visible" && new URL(one.url).pathname === path);
      if (seen) return; // they look at it
      const about = { body, tag: path, lang: language, icon: "/static/art/icon-192.png", renotify: true };
      return worker.registration.showNotification(title, about);
    }),
  );
});

// Clicking a notification opens its table.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(
    worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ pages) => {
      const there = pages.find((one) => new URL(one.url).pathname === event.notification.tag);
      return there ? there.focus() : worker.clients.openWindow(event.notification.tag);
    }),
  );
});
