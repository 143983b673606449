// @ts-check
/** Opens the page of a table. */
import { install } from "../../art/cards.js";
import { loadTranslations } from "../i18n.js";
import { addressOf } from "./game_loader.js";
import { TablePage } from "./page.js";

const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
await loadTranslations(addressOf(boot.urls.words, boot.game));
install(document);
await new Promise((go) => setTimeout(go)); // lets a slow phone handle a tap first
new TablePage(/** @type {HTMLElement} */ (document.getElementById("room")), boot);
