// @ts-check
/**
 * Opens the table's socket while the scripts of the page are still on their way, and keeps what comes: on a slow line
 * the cards are here before what draws them. `Connection` takes over,
 * or has been quicker.
 */
import { EARLY_SOCKET, addressOfSocket, hello } from "./handshake.js";

const path = /** @type {HTMLElement | null} */ (document.querySelector("[data-socket]"))?.dataset.socket;
if (path && !(EARLY_SOCKET in globalThis)) {
  const url = addressOfSocket(path);
  const socket = new WebSocket(url);
  /** @type {string[]} */
  const heard = [];
  socket.onopen = () => socket.send(JSON.stringify(hello({ match: 0, version: 0 })));
  socket.onmessage = (event) => heard.push(event.data);
  Object.assign(globalThis, { [EARLY_SOCKET]: { url, socket, heard } });
}
