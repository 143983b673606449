// @ts-check
/** What somebody at the table has just said, beside their plate for a moment. */
import { h } from "./dom.js";

const STAYS = 5000; // milliseconds
const GAP = 6; // pixels from the plate

export class Bubbles {
  /** @param {HTMLElement} room */
  constructor(room) {
    this.room = room;
    this.layer = h("div", { class: "bubbles", "aria-hidden": "true" }); // the announcer says it to who cannot see it
    room.append(this.layer);
  }

  /** @param {number} seat @param {string} words */
  say(seat, words) {
    this.layer.querySelector(`[data-seat="${seat}"]`)?.remove();
    const plate = this.room.querySelector(`.felt .seat[data-seat="${seat}"] .plate`)?.getBoundingClientRect();
    if (!plate?.width) return;
    const bubble = h("p", { class: "bubble", "data-seat": seat }, words);
    this.layer.append(bubble);
    const room = this.room.getBoundingClientRect();
    const { width, height } = bubble.getBoundingClientRect();
    const low = plate.top - room.top > room.height / 2; // one's own plate: above it, others' below
    const x = Math.max(GAP, Math.min(plate.left - room.left, room.width - width - GAP));
    bubble.style.left = `${x}px`;
    bubble.style.top = `${low ? plate.top - room.top - height - GAP : plate.bottom - room.top + GAP}px`;
    setTimeout(() => bubble.remove(), STAYS);
  }
}
