// @ts-check
/** How friends come to the table: the link, the QR code, and invitations of people with whom one has played. */
import { post } from "../api.js";
import { copy } from "../copy.js";
import { t } from "../i18n.js";
import { attr, h, openDialog, write } from "./dom.js";

/** @typedef {{person: number, name: string, invited: boolean}} Invitable */

const DONE_SHOWN = 2500; // milliseconds for which a button says what it did

export class Invitation {
  /** @param {{invite: string, unreachable: boolean, urls: Record<string, string>}} boot the address of the table; `unreachable`: other devices cannot open the site */
  constructor({ invite, unreachable, urls }) {
    this.link = invite;
    this.unreachable = unreachable;
    this.urls = urls;
  }

  /** The people whom one may invite, each with a button; nothing until `load` has fetched some. */
  people() {
    const list = h("ul", { role: "list" });
    const refusal = h("div", { role: "status" });
    const root = h(
      "div",
      { class: "known-people", hidden: true },
      h("p", {}, t("Invite people with whom you have played:")),
      list,
      refusal,
    );
    const load = async () => {
      const people = await this.fetchPeople();
      write(refusal, "");
      list.replaceChildren(...people.map((one) => this.person(one, refusal)));
      root.hidden = !people.length;
    };
    return { root, load };
  }

  /** @returns {Promise<Invitable[]>} */
  async fetchPeople() {
    try {
      const answer = await fetch(this.urls.people, { cache: "no-store" });
      return answer.ok ? (await answer.json()).people : [];
    } catch {
      return []; // no connection
    }
  }

  /** @param {Invitable} one @param {HTMLElement} refusal where to say why somebody was not invited */
  person({ person, name, invited }, refusal) {
    const button = h("button", { class: "button button-small", type: "button" });
    const draw = (/** @type {boolean} */ done) => {
      button.disabled = done;
      write(button, done ? t("Invited") : t("Invite"));
      attr(button, "aria-label", done ? t("{name} is invited", { name }) : t("Invite {name}", { name }));
    };
    button.addEventListener("click", async () => {
      button.disabled = true;
      const answer = await post(this.urls.invite_person, { person });
      draw(answer.ok);
      write(refusal, answer.ok ? "" : (answer.text ?? ""));
    });
    draw(invited);
    return h("li", {}, h("b", {}, name), button);
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
    const people = this.people();
    void people.load();
    const dialog = h(
      "dialog",
      { class: "overlay introduce code", "aria-label": t("Invite friends") },
      h("h2", {}, t("Invite friends")),
      this.unreachable
        ? ""
        : h("img", { src: this.urls.qr, alt: t("QR code of the link to this table"), width: 290, height: 290 }),
      this.unreachable ? "" : h("p", {}, t("Point a phone camera at the code, or send the link.")),
      this.row(title, false),
      people.root,
      h(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "button button-primary", type: "submit" }, t("Close")),
      ),
    );
    openDialog(dialog);
  }
}
