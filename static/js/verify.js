// @ts-check
/** Verifies a sealed deal: hashes the seed and repeats every shuffle in the visitor's browser. */
import { again, commitment } from "./chance.js";
import { loadTranslations, t } from "./i18n.js";
import { h } from "./table/dom.js";
import { cardTag, cardWords } from "./table/text.js";

/** @typedef {{sealed: boolean, over: boolean, commitment: string, seed: string, draws: import("./chance.js").Draw[], refused: string}} Boot */

/** @param {boolean} good @param {string} text @param {...Node} more */
function verdict(good, text, ...more) {
  return h(
    "div",
    { class: "verdict-line", "data-good": good ? "yes" : "no" },
    h("span", { class: "verdict-mark", "aria-hidden": "true" }, good ? "✓" : "✗"),
    h("p", {}, text),
    ...more,
  );
}

/** Whether the seed has the hash that was published. @param {boolean} kept @param {string} hash */
function sealLine(kept, hash) {
  return verdict(
    kept,
    kept
      ? t("The seed has the hash that was published before the first card.")
      : t("The seed does not have the hash that was published: it gives {hash}.", { hash }),
  );
}

/** @param {string[]} faces */
function cards(faces) {
  return h(
    "ol",
    { class: "deal-cards", role: "list", "aria-label": faces.map(cardWords).join(", ") },
    ...faces.map((face) => h("li", {}, cardTag(face))),
  );
}

/** @param {HTMLElement} root @param {Boot} boot */
async function prove(root, boot) {
  const say = (/** @type {string} */ text) => root.replaceChildren(h("p", { class: "panel" }, text));
  if (!boot.sealed) return say(t("This table was not sealed, so there is nothing to verify."));
  if (!boot.over)
    return say(
      t(
        "The match is not over. The seed is published after the last card: come back then. Until then, keep the hash above.",
      ),
    );

  const hash = await commitment(boot.seed);
  const kept = hash === boot.commitment;
  if (boot.refused) {
    // The page says why the shuffles cannot be repeated: only the seed is checked.
    root.replaceChildren(
      h(
        "section",
        { class: "panel proof", role: "status" },
        h("h2", {}, kept ? t("The seed is the one that was promised") : t("This is not the seed that was promised")),
        sealLine(kept, hash),
      ),
    );
    return;
  }
  const made = await again(boot.seed, boot.draws);
  const bad = made.filter((one) => !one.good).length;
  const shuffles = made.filter((one) => !one.draw.n).length;
  root.replaceChildren(
    h(
      "section",
      { class: "panel proof", role: "status" },
      h(
        "h2",
        {},
        kept && !bad ? t("The deal is the one that was promised") : t("The deal is not the one that was promised"),
      ),
      sealLine(kept, hash),
      verdict(
        !bad,
        bad
          ? t("{bad} of {all} draws do not match the seed.", { bad, all: made.length })
          : t("All {all} draws, including {shuffles} shuffles, match the seed.", { all: made.length, shuffles }),
      ),
    ),
    h(
      "section",
      { class: "section" },
      h("h2", {}, t("Draw by draw")),
      h(
        "ol",
        { class: "draws" },
        ...made.map(({ draw, good, after, value }) =>
          h(
            "li",
            { "data-good": good ? "yes" : "no" },
            draw.n
              ? h(
                  "p",
                  {},
                  t("A number from 0 to {most}: {value}", { most: draw.n - 1, value }),
                  good ? null : h("strong", {}, ` ${t("The site says {value}.", { value: draw.value })}`),
                )
              : h(
                  "div",
                  {},
                  h("p", {}, t("A shuffle of {n} cards; the last one is the top of the deck:", { n: after.length })),
                  cards(after),
                  good ? null : h("p", {}, h("strong", {}, t("The site says:")), cards(draw.after)),
                ),
          ),
        ),
      ),
    ),
  );
}

await loadTranslations();
await prove(
  /** @type {HTMLElement} */ (document.getElementById("proof")),
  JSON.parse(document.getElementById("boot")?.textContent ?? "{}"),
);
