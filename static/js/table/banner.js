// @ts-check
/** What is said while the connection to the server is cut. */
import { t } from "../i18n.js";

/** @typedef {import("./socket.js").ConnectionState} ConnectionState */

const LATE = 9_000; // milliseconds after which a cut line gets a longer explanation

/** The state of the connection in words, "" while all is well. @param {ConnectionState} state @param {number} cut milliseconds since it was cut */
export function connectionText(state, cut) {
  const late = cut > LATE;
  switch (state) {
    case "lost":
      return late
        ? t("Still no connection. Your seat is kept, and the house plays for you until you are back.")
        : t("Connection lost. Reconnecting …");
    case "restarting":
      return late
        ? t("The server is slow to answer. The match is waiting where it was.")
        : t("The server is restarting. The match will continue where it was …");
    case "crowded":
      return t("You sent too many messages. Reconnecting in a few seconds …");
    case "full":
      return t(
        "Too many tables are open on your network or under your name. Close one, and this one reconnects by itself.",
      );
    default:
      return "";
  }
}
