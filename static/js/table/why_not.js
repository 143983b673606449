// @ts-check
/** Explains why something on the table cannot be used now, as far as the view shows. */
import { listed, t } from "../i18n.js";
import { isBegun } from "./choose.js";
import { shutOf } from "./path.js";
import { spoken } from "./text.js";

/** @typedef {{store: import("./store.js").Store, names: import("./text.js").Names}} Known */

/** The choice so far. @typedef {Pick<import("./input.js").Input, "choice" | "path">} Chosen */

/**
 * @param {HTMLElement} at what was touched @param {Known} known @param {Chosen} chosen
 * @returns {{words: string, game: string}} a reason, "" for none; and what to ask the game about, if it may know a better one
 */
export function reasonWhy(at, known, chosen) {
  const { seat } = known.store.you;
  const mine = seat !== null && !known.store.pending && known.store.mine;
  const asked = mine && !shutAt(at, chosen) && !isBegun(chosen.choice);
  return { words: tableWords(at, known, chosen), game: asked ? nameOf(at) : "" };
}

/** Its name in the game. @param {HTMLElement} at */
function nameOf(at) {
  const { piece, zone } = at.dataset;
  return piece ? `piece:${piece}` : zone ? `zone:${zone}` : `seat:${at.closest(".seat")?.getAttribute("data-seat")}`;
}

/** Why a path cannot continue to a piece, if that is known. @param {HTMLElement} at @param {Chosen} chosen */
const shutAt = ({ dataset }, { path }) => path && shutOf(path).get(dataset.piece ?? "");

/** @param {HTMLElement} at @param {Known} known @param {Chosen} chosen */
function tableWords(at, { store, names }, chosen) {
  const { view, table, you, pending } = store;
  if (!view || view.over || table?.status !== "playing" || table.notice || store.revealing) return "";
  if (you.seat === null) return t("You are watching. The players decide.");
  if (pending) return t("Sending your move …");
  if (!view.to_act.includes(you.seat)) return waitingFor(view.to_act.map(names));
  const shut = shutAt(at, chosen);
  if (shut) return spoken(shut.text, names);
  if (isBegun(chosen.choice))
    return t("The selected card cannot go there. Tap a highlighted place, or tap the card again to cancel.");
  return t("You cannot use this now. Tap a highlighted card or piece, or one of the buttons.");
}

/** @param {string[]} names of the players to move */
function waitingFor(names) {
  if (!names.length) return "";
  if (names.length === 1) return t("It is not your turn: {name} has to decide.", { name: names[0] });
  return t("You have decided. Waiting for {names}.", { names: listed(names) });
}
