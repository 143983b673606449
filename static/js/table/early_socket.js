// @ts-check
/**
 * Opens the table's socket while the page's other scripts are still loading, and keeps the messages that arrive: on a
 * slow line the cards arrive before the code that draws them. `Connection` (socket.js) takes the socket over.
 */

export const PROTOCOL = 3;

/** The first message of a connection. @param {{match: number, version: number}} have what is known already @returns {import("./types.js").Inbound} */
export const hello = (have) => ({ t: "hello", protocol: PROTOCOL, ...have });

/** The key of `globalThis` under which the early socket is, and null once it has been taken over. */
export const EARLY_SOCKET = Symbol.for("early socket");

/** @param {string} path @returns {string} the address of a socket of this site */
export const addressOfSocket = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

const path = /** @type {HTMLElement | null} */ (document.querySelector("[data-socket]"))?.dataset.socket;
if (path && !(EARLY_SOCKET in globalThis)) {
  const url = addressOfSocket(path);
  const socket = new WebSocket(url);
  /** @type {string[]} */
  const received = [];
  socket.onopen = () => socket.send(JSON.stringify(hello({ match: 0, version: 0 })));
  socket.onmessage = (event) => received.push(event.data);
  Object.assign(globalThis, { [EARLY_SOCKET]: { url, socket, received } });
}
