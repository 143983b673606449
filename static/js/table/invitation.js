// @ts-check
/** The link and the QR code with which friends come to the table. */
import { copy } from "../copy.js";
import { t } from "../i18n.js";
import { h, openDialog, write } from "./dom.js";

const DONE_SHOWN = 2500; // milliseconds for which a button says what it did

export class Invitation {
  /** @param {{invite: string, qr: string, unreachable: boolean}} addresses of the table and of the QR code; `unreachable`: other devices cannot open the site */
  constructor({ invite, qr, unreachable }) {
    this.link = invite;
    this.code = qr;
    this.unreachable = unreachable;
  }

  /** The link with its buttons. @param {() => string} title of what friends are invited to @param {boolean} [withCode] a button for the QR code, too */
  row(title, withCode = true) {
    const link = h("input", {
      type: "text",
      readonly: true,
      value: this.link,
      "aria-label": t("Link to this table"),
      onfocus: () => void link.select(),
    });
    const button = (/** @type {string} */ label, /** @type {() => void} */ run, hidden = false) =>
      h("button", { class: "button button-small", type: "button", onclick: run, hidden }, label);
    const copyLink = button(t("Copy the link"), async () => {
      const copied = await copy(this.link);
      if (!copied) link.select();
      write(copyLink, copied ? t("Copied") : t("Press Ctrl+C"));
      setTimeout(() => write(copyLink, t("Copy the link")), DONE_SHOWN);
    });
    const share = button(t("Share"), () => void this.share(title()), !navigator.share);
    const show = withCode ? button(t("QR code"), () => this.show(title)) : null;
    const row = h("div", { class: "invite-row" }, link, copyLink, share, show);
    return this.unreachable ? h("div", {}, row, this.warning()) : row;
  }

  warning() {
    return h(
      "p",
      { class: "invite-warning" },
      t(
        "Only this computer can open this address. To let friends in your network join, stop the site and start it with: make play LAN=1",
      ),
    );
  }

  /** @param {string} title */
  async share(title) {
    try {
      await navigator.share({ title, text: t("Come and play with me"), url: this.link });
    } catch {
      // Cancelled, or the system has no way to share.
    }
  }

  /** The link and its QR code, for a phone across the table. @param {() => string} title */
  show(title) {
    const dialog = h(
      "dialog",
      { class: "overlay introduce code", "aria-label": t("Invite friends") },
      h("h2", {}, t("Invite friends")),
      this.unreachable
        ? ""
        : h("img", { src: this.code, alt: t("QR code of the link to this table"), width: 290, height: 290 }),
      this.unreachable ? "" : h("p", {}, t("Point a phone camera at the code, or send the link.")),
      this.row(title, false),
      h(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "button button-primary", type: "submit" }, t("Close")),
      ),
    );
    openDialog(dialog);
  }
}
