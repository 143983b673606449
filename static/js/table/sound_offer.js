// @ts-check
/** The offer to turn sound on, in the bar of a person's first table: browsers play none before somebody presses something. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { setSound, soundChosen } from "./sound.js";
import { load, save } from "./storage.js";

const OFFERED = "sound_offered"; // in this browser: the table where sound was offered

/** Whether this is the first table, and its visitor has not said whether they want sound. */
function offers() {
  return !soundChosen() && (load(OFFERED) ?? location.pathname) === location.pathname;
}

export class SoundOffer {
  /** @param {(on: boolean) => void} answered */
  constructor(answered) {
    const button = (/** @type {string} */ label, /** @type {boolean} */ on) =>
      h(
        "button",
        {
          class: "bar-button",
          type: "button",
          onclick: () => {
            setSound(on);
            this.root.hidden = true;
            answered(on);
          },
        },
        label,
      );
    this.root = h(
      "div",
      { class: "sound-offer", role: "group", "aria-label": t("Sound"), hidden: true },
      h("span", {}, t("Turn sound on?")),
      button(t("Yes"), true),
      button(t("No"), false),
    );
  }

  /** @param {boolean} seated the visitor plays here */
  draw(seated) {
    const offered = seated && offers();
    if (offered && this.root.hidden) save(OFFERED, location.pathname);
    this.root.hidden = !offered;
  }
}
