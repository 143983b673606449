// @ts-check
/** A page of rules: the pieces in it are drawn. */
import { install } from "../art/cards.js";
import { speak } from "./i18n.js";
import { drawRulePieces } from "./table/pieces.js";

const told = document.querySelector(".told-piece");
if (told) {
  await speak();
  install(document);
  await drawRulePieces(document.body);
}
