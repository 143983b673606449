// @ts-check
/** RECYCLE for CodeMirror: its colours, and how far in its lines begin. */
import {
  HighlightStyle,
  StreamLanguage,
  indentService,
  syntaxHighlighting,
  tags,
  toml,
} from "../../vendor/codemirror.js";
import { opened } from "./grammar.js";

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {{key: boolean}} State whether a line of the head goes on */

const INDENT = 2;

/** @param {Grammar} grammar */
function mode({ words }) {
  const known = new Set(words.map((word) => word.name));
  return StreamLanguage.define({
    name: "recycle",
    startState: () => ({ key: false }),
    copyState: (/** @type {State} */ state) => ({ ...state }),
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
      const sign = stream.next();
      if (sign === "(" || sign === ")") return "paren";
      return ".,:<>=!/+*%^-".includes(sign) ? "operator" : "invalid";
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

/** The language, its colours, and where its lines begin. @param {Grammar} grammar */
export const recycle = (grammar) => [
  mode(grammar),
  syntaxHighlighting(STYLE),
  indentService.of((/** @type {any} */ context, /** @type {number} */ at) =>
    indentation(grammar, context.state.sliceDoc(0, at), context.textAfterPos(at)),
  ),
];

/** The colours of a table file. */
export const tableFile = [StreamLanguage.define(toml), syntaxHighlighting(STYLE)];

/** Return how far in a line begins, as the formatter does it. @param {Grammar} grammar @param {string} text before the line @param {string} after what the line begins with */
export function indentation({ bracketed }, text, after) {
  const open = opened(text);
  if (open.length === 1) return 0;
  const { from, items } = /** @type {import("./grammar.js").Group} */ (open.at(-1));
  const column = (/** @type {number} */ at) => at - text.lastIndexOf("\n", at - 1) - 1;
  const bracket = column(from);
  if (after.trimStart().startsWith(")")) return bracket + 1;
  const [head, second] = items;
  if (!head || head.items) return bracket + 1;
  const forms = bracketed.filter(({ parts }) => parts[0] === head.text);
  const onlyNames = !forms.length && !items.some((item) => item.items);
  if (onlyNames) return bracket + 1;
  return forms.some(({ breaks }) => breaks) || !second ? bracket + INDENT : column(second.from);
}
