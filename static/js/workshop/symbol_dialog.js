// @ts-check
/** A dialog in which a symbol is chosen: one of those that there are, or a picture of one's own, in SVG. */
import { SYMBOLS, drawnSign } from "../../art/symbols.js";
import { t } from "../i18n.js";
import { h, openDialog } from "../table/dom.js";

/** @typedef {{symbol: string, markup?: string}} Chosen ``markup``: of a picture that is new */
/** @typedef {{longest: number, most: number}} Limits characters of a picture, and pictures of a game */
/**
 * @typedef {object} Choice
 * @property {string} title
 * @property {string} chosen "": none
 * @property {Record<string, string>} own symbols of the author's pictures, by their names
 * @property {Limits} limits
 * @property {(markup: string) => Promise<{markup?: string, text?: string}>} check asks the server what it makes of a picture
 */

const FILE = 512 * 1024; // bytes of a file that is read at all: what is too long is said of those

/** The name of a picture in a table file. @param {string} words @param {Record<string, string>} taken */
export function nameOf(words, taken) {
  const plain = words
    .toLowerCase()
    .replace(/\.svg$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 16);
  const name = plain || "picture";
  const free = (/** @type {string} */ one) => !(one in taken) && !Object.hasOwn(SYMBOLS, one);
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name}-${n}`;
    if (free(one)) return one;
  }
}

/** @param {Choice} choice @returns {Promise<Chosen | null>} null: nothing was chosen */
export function chooseSymbol({ title, chosen, own, limits, check }) {
  return new Promise((done) => {
    /** @type {Chosen | null} */
    let found = null;
    const finish = (/** @type {Chosen} */ one) => {
      found = one;
      dialog.close();
    };
    const option = (/** @type {string} */ name, /** @type {string} */ symbol) =>
      h(
        "button",
        {
          class: "symbol-choice",
          type: "button",
          title: name,
          "aria-pressed": name === chosen ? "true" : "false",
          onclick: () => finish({ symbol: name }),
        },
        drawnSign(symbol, "var(--delft)", "var(--card-ink)"),
        h("span", {}, name),
      );
    const count = Object.keys(own).length;
    const name = h("input", { type: "text", id: "picture-name", maxlength: 20, autocomplete: "off" });
    const markup = h("textarea", {
      id: "picture-markup",
      rows: 5,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: '<svg viewBox="0 0 20 20"> … </svg>',
    });
    const problem = h("p", { class: "symbol-problem", role: "alert" });
    const file = h("input", {
      type: "file",
      class: "visually-hidden",
      tabindex: -1,
      "aria-hidden": "true",
      accept: ".svg,image/svg+xml",
      onchange: async () => {
        const [one] = file.files ?? [];
        file.value = "";
        if (!one) return;
        name.value = nameOf(one.name, own);
        markup.value = one.size > FILE ? "" : await one.text();
        if (one.size > FILE) problem.textContent = t("A picture has at most {n} characters.", { n: limits.longest });
        else await add();
      },
    });
    const add = async () => {
      problem.textContent = "";
      if (!markup.value.trim()) problem.textContent = t("Choose a file, or paste a picture in SVG.");
      else if (markup.value.length > limits.longest)
        problem.textContent = t("A picture has at most {n} characters.", { n: limits.longest });
      else {
        const answer = await check(markup.value);
        if (answer.markup) finish({ symbol: nameOf(name.value, own), markup: answer.markup });
        else problem.textContent = answer.text ?? "";
      }
    };
    const dialog = h(
      "dialog",
      { class: "overlay question symbols", "aria-labelledby": "symbols-title" },
      h("h2", { id: "symbols-title" }, title),
      h(
        "div",
        { class: "symbol-choices" },
        h(
          "button",
          {
            class: "symbol-choice",
            type: "button",
            "aria-pressed": chosen ? "false" : "true",
            onclick: () => finish({ symbol: "" }),
          },
          h("span", {}, t("usual")),
        ),
        ...Object.entries(own).map(([name, symbol]) => option(name, symbol)),
        ...Object.keys(SYMBOLS).map((symbol) => option(symbol, symbol)),
      ),
      h(
        "fieldset",
        { class: "symbol-own", disabled: count >= limits.most },
        h("legend", {}, t("A picture of your own (SVG)")),
        h(
          "p",
          {},
          t("{count} of {most} pictures; each has at most {n} characters.", {
            count,
            most: limits.most,
            n: limits.longest,
          }),
          " ",
          t("Without colours of its own, a picture takes those of the card."),
        ),
        h("label", { for: "picture-name" }, t("Its name in the text")),
        name,
        h("label", { for: "picture-markup" }, t("SVG")),
        markup,
        problem,
        h(
          "div",
          { class: "dialog-buttons" },
          file,
          h("button", { class: "button", type: "button", onclick: () => file.click() }, t("Choose a file")),
          h("button", { class: "button button-primary", type: "button", onclick: () => void add() }, t("Add")),
        ),
      ),
      h(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        h("button", { class: "button", type: "submit" }, t("Cancel")),
      ),
    );
    dialog.addEventListener("close", () => done(found));
    openDialog(dialog);
    /** @type {HTMLElement | null} */ (dialog.querySelector('[aria-pressed="true"]'))?.focus();
  });
}
