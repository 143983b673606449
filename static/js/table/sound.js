// @ts-check
/** Sounds, off by default. They are synthesized here from noise and sine waves. */
import { load, save } from "./storage.js";

const KEY = "sound";

/** @type {AudioContext | null} */
let context = null;

export const soundOn = () => load(KEY) === "on";

/** Whether the visitor has ever said if they want sound. */
export const soundChosen = () => load(KEY) !== null;

/** @param {boolean} on */
export function setSound(on) {
  save(KEY, on ? "on" : "off");
  if (on) play("coin");
}

/** Play a sound if sounds are on. In a hidden tab only the bell. @param {"card" | "coin" | "bell"} what */
export function play(what) {
  if (!soundOn() || (document.hidden && what !== "bell")) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  ({ card, coin, bell })[what](context, context.currentTime);
}

/** A short brush of filtered noise. @param {AudioContext} audio @param {number} at */
function card(audio, at) {
  const length = 0.09;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 2600;
  source.connect(filter).connect(volume(audio, at, 0.16, length));
  source.start(at);
}

/** @param {AudioContext} audio @param {number} at */
function coin(audio, at) {
  tone(audio, at, 1760, 0.05, 0.18);
  tone(audio, at + 0.07, 2349, 0.05, 0.3);
}

/** @param {AudioContext} audio @param {number} at */
function bell(audio, at) {
  for (const [partial, loud] of [
    [1, 0.1],
    [2.01, 0.05],
    [2.76, 0.03],
  ])
    tone(audio, at, 659 * partial, loud, 1.1);
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} loud @param {number} length */
function tone(audio, at, pitch, loud, length) {
  const source = audio.createOscillator();
  source.frequency.value = pitch;
  source.connect(volume(audio, at, loud, length));
  source.start(at);
  source.stop(at + length);
}

/** @param {AudioContext} audio @param {number} at @param {number} loud @param {number} length */
function volume(audio, at, loud, length) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}
