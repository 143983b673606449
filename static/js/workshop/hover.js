// @ts-check
/** The meaning of a word or a name: in a tooltip at the pointer, and in a line under the text for the cursor. */
import { hoverTooltip } from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { h } from "../table/dom.js";

/** @typedef {import("./grammar.js").Form} Form */
/** @typedef {import("./names.js").Named} Named */
/** @typedef {import("./names.js").Names} Names */
/** @typedef {import("./names.js").Block} Block */
/** @typedef {{from: number, to: number, forms: Form[], named: Named | null, block: Block | null}} Found ``block``: that is called or defined there */

const MOST_MEANINGS = 4;
const WORD = /'?[A-Z]+|[a-z]+|\/\/|[<>=!]=|[<>+*%^-]/g;

/** Return what a name is, in words. @param {Named} named */
export function meaningOf({ kind, owner, gives }) {
  const kinds = {
    who: t("a stored player"),
    block: t("a named block"),
    vloc: t("a place that everybody sees"),
    iloc: t("a place that only its owner sees"),
    hloc: t("a place that nobody sees"),
    oloc: t("a place that everybody sees except its owner"),
    mem: t("a memory of cards"),
    sto: t("a stored number"),
    str: t("a stored name"),
    points: t("a point map: what cards score"),
    variable: t("a variable"),
    attribute: t("an attribute of cards"),
    name: t("a value, or another name of your own"),
  };
  const seen = { i: t("only its owner sees it"), h: t("nobody sees it"), o: t("everybody sees it except its owner") };
  const [first, rest] = [/** @type {keyof typeof seen} */ (kind[0]), /** @type {keyof typeof kinds} */ (kind.slice(1))];
  const secret = rest in kinds && first in seen ? `${kinds[rest]}; ${seen[first]}` : "";
  const what = kinds[/** @type {keyof typeof kinds} */ (kind)] || secret || t("a name of your own");
  return kind === "variable" && gives.length === 1
    ? `${what}: ${gives[0]}`
    : owner
      ? `${what}, ${OWNERS[owner]()}`
      : what;
}

const OWNERS = {
  table: () => t("of the table"),
  player: () => t("of each player or team"),
};

/** Return how a block is called. @param {Block} block */
const shapeOf = ({ name, parameters }) => `(${["call", name, ...parameters].join(" ")})`;

/** Return what is at a position of the text: a word with its forms that fit there, or a name. @param {any} state @param {number} at @param {Names} names @returns {Found | null} */
function found(state, at, names) {
  const line = state.doc.lineAt(at);
  const comment = line.text.indexOf(";;");
  for (const match of line.text.matchAll(WORD)) {
    const from = line.from + match.index;
    const to = from + match[0].length;
    if (at < from || at > to || (comment >= 0 && match.index > comment)) continue;
    const named = /[A-Z]/.test(match[0]) ? (names.at(from)?.named ?? null) : null;
    const block = named?.kind === "block" || match[0] === "call" ? names.blockAt(to) : null;
    const forms = named || block ? [] : formsOf(match[0], from, names);
    return forms.length || named || block ? { from, to, forms, named, block } : null;
  }
  return null;
}

/** Return the forms of a word that fit there, or all of them if none does. @param {string} word @param {number} at @param {Names} names */
function formsOf(word, at, names) {
  const { grammar } = names;
  const levels = names.levels(at);
  const head = levels.at(-1)?.[0]?.text;
  const fitting = (/** @type {import("./grammar.js").Item[][]} */ there) =>
    new Set(grammar.fitting(grammar.expected(there).map(({ part }) => part)));
  const here = fitting(levels);
  const around = fitting(levels.slice(0, -1));
  const having = grammar.forms.filter(({ parts }) => parts.includes(word));
  const choices = [
    head === undefined ? having.filter((form) => form.parts[0] === word && around.has(form)) : [],
    having.filter((form) => form.shape === word && here.has(form)),
    having.filter(({ parts }) => head !== undefined && parts[0] === head),
    grammar.words.find(({ name }) => name === word)?.forms ?? [],
    having,
  ];
  return (choices.find((forms) => forms.length) ?? []).slice(0, MOST_MEANINGS);
}

/** The tooltip at the pointer. @param {(state: any) => Names} namesOf */
export const meanings = (namesOf) =>
  hoverTooltip((/** @type {any} */ view, /** @type {number} */ at) => {
    const there = found(view.state, at, namesOf(view.state));
    if (!there) return null;
    const { from, to, forms, named, block } = there;
    const dom = h("div", { class: "meaning" });
    if (block) dom.append(h("code", { class: "meaning-form" }, shapeOf(block)), h("p", {}, block.means));
    for (const { shape, means, example } of forms) {
      const shown = example && example !== shape ? h("p", {}, t("Example:"), " ", h("code", {}, example)) : null;
      dom.append(h("div", {}, h("code", { class: "meaning-form" }, shape), h("p", {}, means), shown));
    }
    if (named && !block?.means)
      dom.append(h("p", {}, h("code", {}, view.state.sliceDoc(from, to)), ` ${meaningOf(named)}`));
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  });

/** Describe what is at a position: a word with its form and meaning, or a name. @param {any} state @param {number} at @param {Names} names @returns {[word: string, means: string]} */
export function describe(state, at, names) {
  const there = found(state, at, names);
  if (there?.forms.length) return [there.forms[0].shape, there.forms[0].means];
  if (there?.block) return [shapeOf(there.block), there.block.means || t("a named block")];
  return there?.named ? [state.sliceDoc(there.from, there.to), meaningOf(there.named)] : ["", ""];
}
