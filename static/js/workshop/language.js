// @ts-check
/** RECYCLE for the editor: its colours, what is offered while one types, and what a word means where the pointer rests. */
import {
  HighlightStyle,
  StreamLanguage,
  hoverTooltip,
  snippetCompletion,
  syntaxHighlighting,
  tags,
} from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { expected, fitting, openBrackets } from "./grammar.js";

/** @typedef {import("./grammar.js").Form} Form */
/** @typedef {{name: string, forms: Form[]}} Word a word or sign with its forms; those without a word have the name "" */
/** @typedef {{open: number[], key: boolean}} State where brackets stand that are open, and whether a line of the head goes on */
/** @typedef {{name: string, kind: string}} Name an own name of the author, and what it is */

const INDENT = 2;
const MOST_MEANINGS = 4;

/** What an own name is, in words. @param {string} kind */
function kindOf(kind) {
  const kinds = {
    vloc: t("a place that everybody sees"),
    iloc: t("a place that only its owner sees"),
    hloc: t("a place that nobody sees"),
    oloc: t("a place that everybody sees except its owner"),
    mem: t("a memory of cards"),
    sto: t("a stored number"),
    str: t("a stored name"),
    points: t("a point map: what cards score"),
    variable: t("a variable"),
  };
  return kinds[/** @type {keyof typeof kinds} */ (kind)] ?? t("a name of your own");
}

/** @param {Word[]} words */
function mode(words) {
  const known = new Set(words.map((word) => word.name));
  return StreamLanguage.define({
    name: "recycle",
    startState: () => ({ open: /** @type {number[]} */ ([]), key: false }),
    copyState: (/** @type {State} */ state) => ({ ...state, open: [...state.open] }),
    token(/** @type {any} */ stream, /** @type {State} */ state) {
      if (stream.sol()) state.key = false;
      if (state.key) {
        stream.skipToEnd(); // the text after "Title:"
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(/;;+\s*[A-Z][a-z]+\s*:/)) {
        state.key = true;
        return "docComment";
      }
      if (stream.match(";;")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(/'[ \t]*[A-Z]+/)) return "variableName";
      if (stream.match(/[A-Z]+/)) return "typeName";
      if (stream.match(/[0-9]+/)) return "number";
      const word = stream.match(/[a-z]+/);
      if (word) return known.has(word[0]) ? "keyword" : "invalid";
      const column = stream.column();
      const sign = stream.next();
      if (sign === "(") state.open.push(column);
      else if (sign === ")") state.open.pop();
      if (sign === "(" || sign === ")") return "paren";
      return ".,:<>=!/+*%^-".includes(sign) ? "operator" : "invalid";
    },
    indent(/** @type {State} */ state, /** @type {string} */ after) {
      const depth = state.open.at(-1);
      return depth === undefined ? 0 : after.startsWith(")") ? depth : depth + INDENT;
    },
    languageData: { commentTokens: { line: ";;" }, closeBrackets: { brackets: ["("] } },
  });
}

const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-word)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-name)" },
  { tag: tags.variableName, color: "var(--code-variable)", fontStyle: "italic" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.operator, color: "var(--ink)" },
  { tag: tags.paren, color: "var(--ink-soft)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.docComment, color: "var(--ink-soft)", fontWeight: "600" },
  { tag: tags.invalid, color: "var(--danger)" },
]);

/** The colours of the language. @param {Word[]} words */
export const colours = (words) => [mode(words), syntaxHighlighting(STYLE)];

/** What may stand at a place of the text. @param {Word[]} words @param {() => Name[]} names */
export function offers(words, names) {
  const all = words.flatMap(({ forms }) => forms);
  const bracketed = all.filter(({ shape }) => shape.startsWith("("));
  const parts = all.flatMap((form) => form.parts.filter((part) => typeof part !== "string"));
  const values = new Set(parts.find(({ kind }) => kind === "VALUE")?.takes); // what a variable can be
  return (/** @type {any} */ context) => {
    const typed = context.matchBefore(/'?[A-Za-z]*/);
    if (!typed || (typed.from === typed.to && !context.explicit)) return null;
    const before = context.state.sliceDoc(0, typed.from);
    if (/;;[^\n]*$/.test(before)) return null;
    const levels = openBrackets(before);
    const opened = before.endsWith("(");
    const wanted = expected(all, levels);
    const around = opened ? expected(all, levels.slice(0, -1)) : wanted;
    const forms = around.length ? fitting(bracketed, around) : bracketed;
    const takes = new Set(wanted.flatMap((part) => (typeof part === "string" ? [] : part.takes)));
    const place = /([a-z]+)\s+$/.exec(before)?.[1] ?? "";
    const own = names()
      .filter(
        ({ name, kind }) =>
          name !== typed.text && (kind === "variable" ? [...takes].some((one) => values.has(one)) : takes.has("NAME")),
      )
      .map(({ name, kind }) => ({
        label: name,
        type: kind === "variable" ? "variable" : "constant",
        detail: kind === "name" ? "" : kind,
        boost: kind === place ? 40 : 0,
      }));
    const inside = forms.map(({ shape, snippet, means }) =>
      snippetCompletion(opened ? snippet : `(${snippet})`, { label: shape.slice(1, -1), type: "keyword", info: means }),
    );
    const plain = [
      ...wanted.filter(
        (part) => typeof part === "string" && (!opened || !forms.some(({ parts }) => parts[0] === part)),
      ),
      ...fitting(all, wanted).flatMap(({ shape }) => (shape.startsWith("(") ? [] : [shape])),
    ].map((label) => ({ label, type: "text", boost: 20 }));
    const options = /^'|^[A-Z]/.test(typed.text) ? own : [...plain, ...inside, ...own];
    return { from: typed.from, options, validFor: /^'?[A-Za-z]*$/ };
  };
}

/** @typedef {{from: number, to: number, forms: Form[], name: Name | undefined}} Found */

/** What there is to say of a place of the text: the forms of its word that may stand there, or an own name. @param {any} state @param {number} pos @param {Word[]} words @param {Name[]} names @returns {Found | null} */
function found(state, pos, words, names) {
  const line = state.doc.lineAt(pos);
  const comment = line.text.indexOf(";;");
  for (const match of line.text.matchAll(/'?[A-Z]+|[a-z]+|\/\/|[<>=!]=|[<>+*%^-]/g)) {
    const from = line.from + match.index;
    const to = from + match[0].length;
    if (pos < from || pos > to || (comment >= 0 && match.index > comment)) continue;
    const forms = meaningsOf(match[0], openBrackets(state.sliceDoc(0, from)), words);
    const name = names.find((one) => one.name === match[0]);
    return forms.length || name ? { from, to, forms, name } : null;
  }
  return null;
}

/** The forms of a word that may stand in these brackets; all of it if none may. @param {string} word @param {import("./grammar.js").Item[][]} levels @param {Word[]} words */
function meaningsOf(word, levels, words) {
  const all = words.flatMap(({ forms }) => forms);
  const head = levels.at(-1)?.[0]?.text;
  const of = all.filter(({ parts }) => parts.includes(word));
  const choices = [
    head === undefined ? fitting(of, expected(all, levels.slice(0, -1))).filter(({ parts }) => parts[0] === word) : [],
    fitting(
      of.filter(({ shape }) => shape === word),
      expected(all, levels),
    ),
    of.filter(({ parts }) => head !== undefined && parts[0] === head),
    words.find(({ name }) => name === word)?.forms ?? [],
    of,
  ];
  return (choices.find((forms) => forms.length) ?? []).slice(0, MOST_MEANINGS);
}

/** What a word means, where the pointer rests on it. @param {Word[]} words @param {() => Name[]} names */
export function meanings(words, names) {
  return hoverTooltip((/** @type {any} */ view, /** @type {number} */ pos) => {
    const there = found(view.state, pos, words, names());
    if (!there) return null;
    const { from, to, forms, name } = there;
    const dom = h("div", { class: "meaning" });
    for (const { shape, means, example } of forms) {
      dom.append(h("code", {}, shape), h("p", {}, means));
      if (example && example !== shape) dom.append(h("p", {}, h("code", {}, example)));
    }
    if (!forms.length && name) dom.append(h("p", {}, h("code", {}, name.name), ` ${kindOf(name.kind)}`));
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  });
}

/** Tell what the word means in which the cursor stands, for people without a pointer; "" for none. @param {Word[]} words @param {() => Name[]} names @param {(name: string, means: string) => void} tell */
export function atCursor(words, names, tell) {
  return (/** @type {any} */ update) => {
    if (!update.selectionSet && !update.docChanged) return;
    const there = found(update.state, update.state.selection.main.head, words, names());
    if (there?.forms.length) tell(there.forms[0].shape, there.forms[0].means);
    else if (there?.name) tell(there.name.name, kindOf(there.name.kind));
    else tell("", "");
  };
}
