// @ts-check
/** The page of a game: how a version feels, what has changed since another, and for its author a search for numbers. */
import { loadTranslations, t } from "../i18n.js";
import { Feel } from "./feel.js";
import { textOf } from "./saving.js";
import { Tune } from "./tune.js";

/** @typedef {{feel: string, tune: import("./tune.js").Urls | null, version: string, code: string, number: number, numbers: number[], reports: import("./feel.js").Other[]}} Boot */

await loadTranslations();
const boot = /** @type {Boot} */ (JSON.parse(document.getElementById("boot")?.textContent ?? "{}"));
/** How to fetch the text of a version. @param {number} number */
const fetching = (number) => () => textOf(boot, boot.code, number);
const others = boot.numbers
  .filter((number) => number !== boot.number)
  .map((number) => ({ label: t("version {n}", { n: number }), text: fetching(number) }));
document.getElementById("feel")?.append(new Feel(boot.feel, fetching(boot.number), [...others, ...boot.reports]).root);
if (boot.tune) document.getElementById("tune")?.append(new Tune(boot.tune, boot.code, boot.number).root);
