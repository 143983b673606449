// @ts-check
/**
 * The service worker: shows an offline page when the server cannot be reached, and shows push notifications. It caches
 * that page and its few files, which are the same for everybody, and nothing that a visitor looked at or played.
 *
 * The server puts the list of these files in front of this script, with an edition that changes when a file does. Then
 * the browser installs a new worker, and the cache of the old one is removed.
 */
/** @type {{edition: string, page: string, files: string[]}} */
const OFFLINE = /** @type {any} */ (self).OFFLINE;
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  const files = [OFFLINE.page, ...OFFLINE.files].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(OFFLINE.edition).then((cache) => cache.addAll(files)));
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
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (OFFLINE.files.includes(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => cached(request.url)));
});

/**
 * Return a page from the network, or the offline page if the server cannot be reached.
 * @param {any} event @returns {Promise<Response | undefined>}
 */
async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return cached(OFFLINE.page);
  }
}

// Vary is ignored: the cached copy is already in this browser's language, and a request may have other headers.
/** @param {string} file */
const cached = (file) => caches.match(file, { ignoreVary: true });

// A push notification. It is shown even if no page of the site is open, but not if its own page is visible.
worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, path, language } = event.data.json();
  event.waitUntil(
    worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ pages) => {
      const seen = pages.some((one) => one.visibilityState === "visible" && new URL(one.url).pathname === path);
      if (seen) return;
      const options = { body, tag: path, lang: language, icon: "/static/art/icon-192.png", renotify: true };
      return worker.registration.showNotification(title, options);
    }),
  );
});

// Clicking a notification focuses the window that shows its page, or opens one. The tag is the path of that page.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(
    worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ pages) => {
      const there = pages.find((one) => new URL(one.url).pathname === event.notification.tag);
      return there ? there.focus() : worker.clients.openWindow(event.notification.tag);
    }),
  );
});
