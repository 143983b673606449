// @ts-check
/** The connection to the server: sends "hello", keeps itself alive, and reconnects by itself. */
import { EARLY_SOCKET, addressOfSocket, hello } from "./early_socket.js";

const PING_EVERY = 20_000;
const ANSWER_WITHIN = 8_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;

/** @typedef {import("./types.js").Inbound} Inbound */
/** @typedef {import("./types.js").Outbound} Outbound */
/** @typedef {"connecting" | "open" | "lost" | "restarting" | "crowded" | "full" | "closed" | "removed"} ConnectionState */

export class Connection {
  /**
   * @param {string} path
   * @param {object} hooks
   * @param {() => {match: number, version: number}} hooks.have what we already know
   * @param {(message: Outbound) => void} hooks.receive
   * @param {(state: ConnectionState) => void} hooks.state
   */
  constructor(path, hooks) {
    this.url = addressOfSocket(path);
    this.hooks = hooks;
    this.tries = 0;
    this.lastId = 0;
    this.greeting = false; // "hello" was sent and not answered yet
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timers = { ping: 0, answer: 0, again: 0 };
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.poke(), {
      signal,
    });
    addEventListener("online", () => this.poke(), { signal });
    addEventListener("offline", () => this.socket && this.cut(this.socket, "lost"), { signal });
    this.open();
  }

  open() {
    clearTimeout(this.timers.again);
    const begun = takeEarlySocket(this.url);
    const socket = begun?.socket ?? new WebSocket(this.url);
    this.socket = socket;
    this.greeting = false;
    this.timers.answer = setTimeout(() => this.cut(socket, "lost"), ANSWER_WITHIN);
    if (!begun) socket.onopen = () => this.hello();
    const receive = (/** @type {string} */ data) => {
      if (socket !== this.socket) return;
      this.alive();
      /** @type {Outbound} */
      const message = JSON.parse(data);
      if (message.t === "welcome" || message.t === "refused") this.greeting = false;
      if (message.t === "welcome") {
        this.tries = 0;
        this.hooks.state("open");
      }
      if (message.t !== "pong") this.hooks.receive(message);
    };
    socket.onmessage = (event) => receive(event.data);
    // The caller must have this connection before it receives a message.
    if (begun) queueMicrotask(() => begun.received.forEach(receive));
    socket.onclose = (event) => {
      const state =
        event.code === 4004
          ? "closed"
          : event.code === 4007
            ? "removed"
            : event.code === 4029
              ? "crowded"
              : event.code === 4030
                ? "full"
                : event.code === 1001 || event.code === 1012
                  ? "restarting"
                  : "lost";
      this.cut(socket, state);
    };
  }

  /** Send "hello" with the version we have, once until it is answered; the server sends what is missing. */
  hello() {
    if (!this.greeting) this.greeting = this.send(hello(this.hooks.have()));
  }

  /** Any message shows that the server is reachable. */
  alive() {
    clearTimeout(this.timers.answer);
    clearTimeout(this.timers.ping);
    this.timers.answer = 0;
    this.timers.ping = setTimeout(() => this.ping(), PING_EVERY);
  }

  ping() {
    const socket = this.socket;
    if (!socket || !this.send({ t: "ping" }) || this.timers.answer) return;
    this.timers.answer = setTimeout(() => this.cut(socket, "lost"), ANSWER_WITHIN);
  }

  /** The page is visible again or the network is back: check the connection at once. */
  poke() {
    if (this.socket) this.ping();
    else if (this.timers.again) this.open();
  }

  /** Connect again: the visitor's identity has changed. */
  renew() {
    const { socket } = this;
    this.socket = null;
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
    }
    this.open();
  }

  /** Disconnect for good. */
  end() {
    this.listeners.abort();
    const { socket } = this;
    this.socket = null;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.timers = { ping: 0, answer: 0, again: 0 };
    if (!socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
  }

  /** Send, if the connection is open. @param {Inbound} message @returns {boolean} whether it went out */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** A number for a message that expects an answer. */
  id() {
    return ++this.lastId;
  }

  /** Handle a closed connection: try again later, unless the table no longer exists. @param {WebSocket} socket @param {ConnectionState} state */
  cut(socket, state) {
    if (socket !== this.socket) return;
    this.socket = null;
    clearTimeout(this.timers.ping);
    clearTimeout(this.timers.answer);
    this.timers.answer = 0;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    this.hooks.state(state);
    if (state === "closed" || state === "removed") return;
    const wait =
      Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries++) * (state === "crowded" || state === "full" ? 4 : 1);
    this.timers.again = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }
}

/**
 * The connection of `early_socket.js`, returned once, and only if it is still open; later connections are made here.
 * @param {string} url @returns {{socket: WebSocket, received: string[]} | null}
 */
function takeEarlySocket(url) {
  const holder = /** @type {any} */ (globalThis);
  const begun = holder[EARLY_SOCKET];
  holder[EARLY_SOCKET] = null;
  return begun?.url === url && begun.socket.readyState <= WebSocket.OPEN ? begun : null;
}
