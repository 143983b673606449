// @ts-check
/** The buttons of the helm that are no moves: take a seat, start, play again, look back at the match. */
import { t } from "../i18n.js";

/** @typedef {import("./helm.js").Extra} Extra */

/**
 * @typedef {object} Doors
 * @property {string} lobby address of the lobby
 * @property {(page: "replay" | "verify") => string} look address of a page about this match
 * @property {(button: string) => void} press
 * @property {() => void} back take one's seat from the bot again
 */

/** @param {import("./store.js").Store} store @param {boolean} gone the table is no more @param {Doors} doors @returns {Extra[]} */
export function extrasOf({ table, you, view }, gone, { lobby, look, press, back }) {
  if (gone || table?.status === "closed") return [{ key: "lobby", label: t("To the other tables"), href: lobby, first: true }];
  if (!table) return [];
  const open = table.seats.some((seat) => seat.kind === "open");
  /** @type {Extra[]} */
  const list = [];
  if (table.status === "open") {
    if (you.host) list.push({ key: "start", label: t("Start the match"), run: () => press("start"), first: true });
    if (you.host && open) list.push({ key: "fill", label: t("Fill with bots"), run: () => press("fill") });
  }
  if (you.seat === null && open && table.status !== "playing") list.push({ key: "sit", label: t("Sit down"), run: () => press("sit"), first: true });
  if (you.seat !== null && table.status === "playing" && table.seats[you.seat].away) list.push({ key: "back", label: t("The house plays for you – I'm back"), run: back, first: true });
  if (view?.over || table.notice) {
    if (you.seat !== null && table.status === "over") list.push({ key: "again", label: t("Play again"), run: () => press("again"), first: true });
    list.push({ key: "replay", label: t("Step through the match"), href: look("replay") });
    if (view?.over && table.sealed) list.push({ key: "verify", label: t("Verify the deal"), href: look("verify") });
    list.push({ key: "lobby", label: t("Lobby"), href: lobby });
  }
  return list;
}
