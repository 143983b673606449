// @ts-check
/** A page of rules: draws the pieces in it. */
import { install } from "../art/cards.js";
import { keepPictures } from "../art/symbols.js";
import { loadTranslations } from "./i18n.js";
import { drawRulePieces } from "./table/pieces.js";

const piece = document.querySelector(".rule-piece");
if (piece) {
  await loadTranslations();
  install(document);
  keepPictures(JSON.parse(document.getElementById("pictures")?.textContent ?? "{}"));
  await drawRulePieces(document.body);
}
