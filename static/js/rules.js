// @ts-check
/** A page of rules: draws the pieces in it. */
import { install } from "../art/cards.js";
import { loadTranslations } from "./i18n.js";
import { drawRulePieces } from "./table/pieces.js";

const piece = document.querySelector(".rule-piece");
if (piece) {
  await loadTranslations();
  install(document);
  await drawRulePieces(document.body);
}
