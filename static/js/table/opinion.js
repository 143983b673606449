// @ts-check
/** After a match: was it fun, was it fair, and a note for the designer. Each press of a button is stored at once. */
import { post } from "../api.js";
import { t } from "../i18n.js";
import { attr, h, openDialog, write } from "./dom.js";
import { load, save } from "./storage.js";

/** @typedef {{fun: number | null, fair: number | null, note: string, ply: number | null}} Answer */
/** @typedef {{ok: true, often: boolean, answer: Answer | null} | {ok: false}} Asked */

const ASKED = "opinions"; // in storage: "never", or the match that was asked about last, by game: "day match"
const RATES = [1, 2, 3, 4, 5];
const LONGEST = 500;

/** Ask the site whether the visitor may answer, and what they have answered. @param {string} url @returns {Promise<Asked>} */
export async function ask(url) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    return answer.ok ? await answer.json() : { ok: false };
  } catch {
    return { ok: false };
  }
}

/** The questions in the panel of a result. */
export class Opinion {
  /** @param {(match: number) => string} address of the answer to a match */
  constructor(address) {
    this.address = address;
    this.match = 0;
    this.status = h("p", { class: "opinion-status", role: "status" });
    this.rows = {
      fun: this.row("fun", t("Was it fun?")),
      fair: this.row("fair", t("Was it fair?")),
    };
    this.note = new NoteForm((note) => this.send({ note }));
    this.never = h(
      "button",
      { class: "text-link", type: "button", onclick: () => this.stopAsking() },
      t("Do not ask again"),
    );
    this.root = h(
      "details",
      { class: "fold opinion", hidden: true },
      h("summary", {}, t("What did you think of it?")),
      this.rows.fun,
      this.rows.fair,
      h("p", { class: "opinion-scale" }, t("1: not at all, 5: very")),
      h("details", { class: "fold" }, h("summary", {}, t("A note for the designer")), this.note.root),
      h("div", { class: "opinion-foot" }, this.status, this.never),
    );
  }

  /** A question and its five buttons. @param {"fun" | "fair"} name @param {string} question */
  row(name, question) {
    const label = h("span", { id: `opinion-${name}` }, question);
    const buttons = RATES.map((rate) =>
      h(
        "button",
        {
          class: "opinion-rate",
          type: "button",
          "aria-pressed": "false",
          "data-rate": rate,
          onclick: () => this.rate(name, rate),
        },
        String(rate),
      ),
    );
    const row = h("div", { class: "opinion-row", role: "group", "aria-labelledby": label.id }, label, ...buttons);
    // Elsewhere on the page these keys press the buttons of the controls.
    row.addEventListener("keydown", (event) => {
      const { key } = event;
      const rate = Number(key);
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (event.ctrlKey || event.metaKey || event.altKey || at < 0) return;
      if (RATES.includes(rate)) {
        buttons[rate - 1].focus();
        this.rate(name, rate);
      } else if (key === "ArrowLeft" || key === "ArrowRight")
        buttons[(at + (key === "ArrowRight" ? 1 : -1) + buttons.length) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return row;
  }

  /** @param {string} game @param {number} match @param {boolean} mine the visitor's own result counts */
  draw(game, match, mine) {
    if (!mine) this.match = 0;
    if (!mine || load(ASKED) === "never") this.root.hidden = true;
    else if (match !== this.match) {
      this.match = match;
      this.root.hidden = true;
      void this.begin(game, match);
    }
  }

  /** @param {string} game @param {number} match */
  async begin(game, match) {
    const asked = await ask(this.address(match));
    if (!asked.ok || match !== this.match || !(asked.often || asked.answer || isFirstToday(game, match))) return;
    for (const name of /** @type {const} */ (["fun", "fair"])) this.mark(name, asked.answer?.[name] ?? null);
    this.note.show(asked.answer?.note ?? "");
    write(this.status, "");
    this.root.hidden = false;
    this.root.open = true;
    // Folded where the panel would have to scroll: the seats for the next match are below it.
    const panel = this.root.parentElement;
    this.root.open = !!panel && panel.scrollHeight <= panel.clientHeight;
  }

  /** @param {"fun" | "fair"} name @param {number | null} rate */
  mark(name, rate) {
    for (const button of this.rows[name].querySelectorAll("button"))
      attr(button, "aria-pressed", String(Number(button.dataset.rate) === rate));
  }

  /** @param {"fun" | "fair"} name @param {number} rate */
  rate(name, rate) {
    this.mark(name, rate);
    void this.send({ [name]: rate });
  }

  /** @param {Record<string, string | number>} fields @returns {Promise<boolean>} whether it was stored */
  async send(fields) {
    const answer = await post(this.address(this.match), fields);
    write(this.status, answer.ok ? t("Stored. Thank you.") : (answer.text ?? ""));
    return answer.ok;
  }

  stopAsking() {
    save(ASKED, "never");
    this.root.hidden = true;
  }
}

/** The field for a note, and what becomes of it. */
class NoteForm {
  /** @param {(note: string) => Promise<boolean>} send @param {HTMLButtonElement} [cancel] */
  constructor(send, cancel) {
    this.field = h("textarea", {
      class: "field-input",
      rows: 2,
      maxlength: LONGEST,
      "aria-label": t("A note for the designer"),
    });
    this.root = h(
      "form",
      {
        class: "opinion-note",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void send(this.field.value);
        },
      },
      this.field,
      h("p", {}, secrecy()),
      h(
        "div",
        { class: "button-row" },
        h("button", { class: "button button-small", type: "submit" }, t("Send the note")),
        cancel,
      ),
    );
  }

  /** @param {string} note */
  show(note) {
    this.field.value = note;
  }
}

const secrecy = () =>
  t(
    "The designer of the game reads it without your name, but with a link to the replay if they may view it. A replay shows who played.",
  );

/** Whether a match is the first one of a game today that is asked about here; then it is remembered. @param {string} game @param {number} match */
function isFirstToday(game, match) {
  const today = new Date().toDateString();
  /** @type {Record<string, string>} */
  let known = {};
  try {
    known = JSON.parse(load(ASKED) ?? "{}");
  } catch {} // not what this module stores
  const asked = known[game]?.startsWith(today) ? known[game] : "";
  if (asked && asked !== `${today} ${match}`) return false;
  const fresh = Object.entries(known).filter(([, last]) => last.startsWith(today));
  save(ASKED, JSON.stringify({ ...Object.fromEntries(fresh), [game]: `${today} ${match}` }));
  return true;
}

/** In a replay: ask for a note about a step. @param {string} url @param {number} ply @param {Answer | null} answer what was answered before @param {(answer: Answer) => void} done */
export function askForNote(url, ply, answer, done) {
  const status = h("p", { role: "alert" });
  const cancel = h(
    "button",
    { class: "button button-small", type: "button", onclick: () => dialog.close() },
    t("Cancel"),
  );
  const form = new NoteForm(async (note) => {
    const stored = await post(url, { note, ply });
    if (stored.ok) {
      done({ fun: null, fair: null, ...answer, note, ply });
      dialog.close();
    } else write(status, stored.text ?? "");
    return stored.ok;
  }, cancel);
  form.show(answer?.note ?? "");
  const earlier = answer?.note
    ? answer.ply === null
      ? t("There is one note for each match. Yours is about the whole match.")
      : t("There is one note for each match. Yours is about move {n}.", { n: answer.ply })
    : "";
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "overlay question", "aria-labelledby": "note-title" },
    h("h2", { id: "note-title" }, ply ? t("A note about move {n}", { n: ply }) : t("A note about the deal")),
    earlier && h("p", {}, earlier),
    form.root,
    status,
  );
  openDialog(dialog);
  form.field.focus();
}
