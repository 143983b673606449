// @ts-check
/** Opens the page of a table. */
import { install } from "../../art/cards.js";
import { loadTranslations } from "../i18n.js";
import { addressOf } from "./game_loader.js";
import { TablePage } from "./page.js";
import { keepWith, load } from "./storage.js";

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
await loadTranslations(addressOf(boot.urls.words, boot.game));
install(document);
keepWith(boot.preferences, boot.urls.preference);
document.documentElement.dataset.suits = load("suits") ?? "two"; // early.js knew only this browser
await new Promise((go) => setTimeout(go)); // lets a slow phone handle a tap first
new TablePage(/** @type {HTMLElement} */ (document.getElementById("room")), boot);
