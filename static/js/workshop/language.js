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

/** @typedef {{name: string, forms: string[], snippets: string[], means: string}} Word */
/** @typedef {{open: number[], key: boolean}} State where brackets stand that are open, and whether a line of the head goes on */
/** @typedef {{name: string, kind: string}} Name an own name of the author, and what it is */

const PLACES = new Set(["vloc", "iloc", "hloc", "oloc", "mem"]);
const INDENT = 2;

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
        stream.skipToEnd(); // what stands after "Title:"
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

/** What is offered at a place of the text. @param {Word[]} words @param {() => Name[]} names */
export function offers(words, names) {
  const inside = words.flatMap((word) =>
    word.snippets.map((snippet, place) => ({ label: word.forms[place].slice(1, -1), snippet, info: word.means })),
  );
  return (/** @type {any} */ context) => {
    const typed = context.matchBefore(/'?[A-Za-z]*/);
    if (!typed || (typed.from === typed.to && !context.explicit)) return null;
    const before = context.state.sliceDoc(Math.max(0, typed.from - 24), typed.from);
    const place = /\b([a-z]+)\s+$/.exec(before)?.[1] ?? "";
    if (/;;[^\n]*$/.test(before)) return null;
    const own = names()
      .filter((one) => one.name !== typed.text)
      .map((one) => ({
        label: one.name,
        type: one.kind === "variable" ? "variable" : "constant",
        detail: one.kind === "name" ? "" : one.kind,
        boost: one.kind === place ? 40 : 0,
      }));
    if (/^'|^[A-Z]/.test(typed.text)) return { from: typed.from, options: own, validFor: /^'?[A-Z]*$/ };
    const opened = before.endsWith("(");
    const forms = inside.map(({ label, snippet, info }) =>
      snippetCompletion(opened ? snippet : `(${snippet})`, { label, type: "keyword", info, boost: opened ? 20 : 0 }),
    );
    const plain = words
      .filter((word) => !word.snippets.length || !opened)
      .map((word) => ({ label: word.name, type: "text", info: word.means }));
    const kept = PLACES.has(place) || ["sto", "str", "points"].includes(place);
    return {
      from: typed.from,
      options: kept
        ? own
        : [...forms, ...(/^[a-z]/.test(typed.text) ? plain.filter((one) => /^[a-z]/.test(one.label)) : []), ...own],
      validFor: /^'?[A-Za-z]*$/,
    };
  };
}

/** @typedef {{from: number, to: number, word: Word | undefined, name: Name | undefined}} Found */

/** The word at a place of the text, if there is something to say of it. @param {any} state @param {number} pos @param {Map<string, Word>} known @param {Name[]} names @returns {Found | null} */
function found(state, pos, known, names) {
  const line = state.doc.lineAt(pos);
  const comment = line.text.indexOf(";;");
  for (const match of line.text.matchAll(/'?[A-Z]+|[a-z]+|\/\/|[<>=!]=|[<>+*%^-]/g)) {
    const from = line.from + match.index;
    const to = from + match[0].length;
    if (pos < from || pos > to || (comment >= 0 && match.index > comment)) continue;
    const [word, name] = [known.get(match[0]), names.find((one) => one.name === match[0])];
    return word || name ? { from, to, word, name } : null;
  }
  return null;
}

/** What a word means, where the pointer rests on it. @param {Word[]} words @param {() => Name[]} names */
export function meanings(words, names) {
  const known = new Map(words.map((word) => [word.name, word]));
  return hoverTooltip((/** @type {any} */ view, /** @type {number} */ pos) => {
    const there = found(view.state, pos, known, names());
    if (!there) return null;
    const { from, to, word, name } = there;
    const dom = h("div", { class: "meaning" });
    if (word) dom.append(...word.forms.map((form) => h("code", {}, form)), h("p", {}, word.means));
    else if (name) dom.append(h("p", {}, h("code", {}, name.name), ` ${kindOf(name.kind)}`));
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  });
}

/** Tell what the word means in which the cursor stands, for whoever has no pointer; null for none. @param {Word[]} words @param {() => Name[]} names @param {(name: string, means: string) => void} tell */
export function atCursor(words, names, tell) {
  const known = new Map(words.map((word) => [word.name, word]));
  return (/** @type {any} */ update) => {
    if (!update.selectionSet && !update.docChanged) return;
    const there = found(update.state, update.state.selection.main.head, known, names());
    if (there?.word) tell(there.word.forms[0] ?? there.word.name, there.word.means);
    else if (there?.name) tell(there.name.name, kindOf(there.name.kind));
    else tell("", "");
  };
}
