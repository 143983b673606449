// @ts-check
/** Opens the page of a table. */
import { install } from "../../art/cards.js";
import { speak } from "../i18n.js";
import { TablePage } from "./page.js";

await speak(document.documentElement.lang);
install(document);
new TablePage(/** @type {HTMLElement} */ (document.getElementById("room")), JSON.parse(document.getElementById("boot")?.textContent ?? "{}"));
