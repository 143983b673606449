// @ts-check
/** The first word of a connection. */

export const PROTOCOL = 2;

/** @param {{match: number, version: number}} have what is known already @returns {import("./types.js").Inbound} */
export const hello = (have) => ({ t: "hello", protocol: PROTOCOL, ...have });

/** Where `early_socket.js` leaves what it has begun. */
export const EARLY_SOCKET = Symbol.for("early socket");

/** @param {string} path @returns {string} the address of a socket of this house */
export const addressOfSocket = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
