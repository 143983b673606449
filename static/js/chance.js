// @ts-check
/** The sealed random stream of docs/fair-play.md, repeated in the browser: SHA-256 in counter mode, without bias. */

const DOMAIN = "hamsterdam/1";
const WORD_RANGE = 2 ** 32;
const WORDS_PER_BLOCK = 8;

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function sha256(bytes) {
  // Browsers have SHA-256 of their own only on https and on this machine.
  if (globalThis.crypto?.subtle) return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return (await import("./sha256.js")).sha256(bytes);
}

/** @param {...Uint8Array} parts */
function join(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {string} hex @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The SHA-256 of a seed, both in hexadecimal. @param {string} seed */
export async function commitment(seed) {
  return hexOf(await sha256(bytesOf(seed)));
}

export class SealedChance {
  /** @param {string} seed hexadecimal @param {string} [label] of the stream; "" is the main one */
  constructor(seed, label = "") {
    this.seed = bytesOf(seed);
    this.label = label;
    this.position = 0; // words consumed so far
    /** @type {Uint8Array | null} */
    this.key = null;
    /** @type {number[]} */
    this.words = [];
  }

  async word() {
    const offset = this.position % WORDS_PER_BLOCK;
    if (offset === 0) {
      const text = new TextEncoder();
      const zero = new Uint8Array(1);
      this.key ??= await sha256(join(text.encode(DOMAIN), zero, this.seed, zero, text.encode(this.label)));
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, BigInt(this.position / WORDS_PER_BLOCK));
      const block = new DataView((await sha256(join(this.key, new Uint8Array(counter.buffer)))).buffer);
      this.words = Array.from({ length: WORDS_PER_BLOCK }, (_, i) => block.getUint32(4 * i));
    }
    this.position++;
    return this.words[offset];
  }

  /** A whole number from 0 to n - 1, each equally likely. @param {number} n */
  async randbelow(n) {
    if (n === 1) return 0;
    const limit = WORD_RANGE - (WORD_RANGE % n);
    for (;;) {
      const word = await this.word();
      if (word < limit) return word % n;
    }
  }

  /** The items after a shuffle. @template T @param {T[]} items @returns {Promise<T[]>} */
  async shuffled(items) {
    const list = [...items];
    for (let i = list.length - 1; i > 0; i--) {
      const j = await this.randbelow(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
}

/** @typedef {{stream: string, n: number, value: number, before: string[], after: string[]}} Draw */

/**
 * Repeat every draw from the seed.
 * @param {string} seed @param {Draw[]} draws as published by the server, in order
 * @returns {Promise<{draw: Draw, good: boolean, after: string[], value: number}[]>} what the seed gives, and whether it is the same
 */
export async function again(seed, draws) {
  /** @type {Map<string, SealedChance>} */
  const streams = new Map();
  const made = [];
  for (const draw of draws) {
    const chance = streams.get(draw.stream) ?? new SealedChance(seed, draw.stream);
    streams.set(draw.stream, chance);
    const value = draw.n ? await chance.randbelow(draw.n) : 0;
    const after = draw.n ? [] : await chance.shuffled(draw.before);
    made.push({ draw, value, after, good: value === draw.value && after.join() === draw.after.join() });
  }
  return made;
}
