// @ts-check
/** The text itself: CodeMirror with the language, its marks and its keys. */
import {
  Decoration,
  EditorState,
  EditorView,
  RangeSetBuilder,
  ViewPlugin,
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  highlightSpecialChars,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  indentOnInput,
  indentUnit,
  keymap,
  lineNumbers,
  lintGutter,
  lintKeymap,
  placeholder,
  search,
  searchKeymap,
  setDiagnostics,
} from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { atCursor, colours, meanings, offers } from "./language.js";

const HANG = 2;

/** @typedef {{severity: "error" | "warning", line: number, column: number, end_line: number, end_column: number, text: string, hint: string}} Problem */

/** What does not fit into a line goes on under its beginning, and a little further in. */
const HANGING = ViewPlugin.fromClass(
  class {
    /** @param {any} view */
    constructor(view) {
      this.decorations = hanging(view);
    }

    /** @param {any} update */
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = hanging(update.view);
    }
  },
  { decorations: (/** @type {any} */ plugin) => plugin.decorations },
);

/** @param {any} view */
function hanging(view) {
  const builder = new RangeSetBuilder();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const blanks = /^ */.exec(line.text)?.[0].length ?? 0;
      builder.add(line.from, line.from, Decoration.line({ attributes: { style: `--hang: ${blanks + HANG}ch` } }));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export class TextEditor {
  /**
   * @param {{words: import("./language.js").Word[], nonce: string, changed: () => void, tell: (name: string, means: string) => void, most: number, refused: (length: number) => void, keys: Record<string, () => void>}} how ``tell``: what the word at the cursor means; ``most``: characters that an editor takes without slowing down, and ``refused`` for more
   */
  constructor({ words, nonce, changed, tell, most, refused, keys }) {
    /** @type {import("./language.js").Name[]} */
    this.names = [];
    const names = () => this.names;
    const own = Object.entries(keys).map(([key, run]) => ({
      key,
      preventDefault: true,
      run: () => {
        run();
        return true;
      },
    }));
    this.extensions = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      EditorState.tabSize.of(2),
      indentUnit.of("  "),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: [offers(words, names)], icons: false }),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      lintGutter(),
      EditorView.lineWrapping,
      HANGING,
      colours(words),
      meanings(words, names),
      placeholder(t("(game ...")),
      keymap.of([
        ...own,
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...lintKeymap,
        { key: "Tab", run: indentMore, shift: indentLess },
      ]),
      EditorView.cspNonce.of(nonce),
      EditorState.changeFilter.of((/** @type {any} */ change) => {
        const fits = change.newDoc.length <= Math.max(most, change.startState.doc.length);
        if (!fits) refused(change.newDoc.length);
        return fits;
      }),
      EditorView.contentAttributes.of({
        "aria-label": t("The text of the game"),
        "aria-describedby": "text-keys",
        tabindex: "0",
        autocapitalize: "off",
        spellcheck: "false",
      }),
      EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && changed()),
      EditorView.updateListener.of(atCursor(words, names, tell)),
    ];
    this.view = new EditorView({ state: this.fresh("") });
    this.root = /** @type {HTMLElement} */ (this.view.dom);
  }

  /** @param {string} source */
  fresh(source) {
    return EditorState.create({ doc: source, extensions: this.extensions });
  }

  get source() {
    return /** @type {string} */ (this.view.state.doc.toString());
  }

  /** Begin with another text, of which nothing is undone. @param {string} source */
  open(source) {
    this.view.setState(this.fresh(source));
  }

  /** Put another text in its place, as a step that can be undone. @param {string} source */
  replace(source) {
    const { doc, selection } = this.view.state;
    const before = doc.toString();
    if (before === source) return;
    let from = 0;
    while (from < source.length && before[from] === source[from]) from++;
    let cut = 0;
    while (cut < Math.min(before.length, source.length) - from && before.at(-1 - cut) === source.at(-1 - cut)) cut++;
    const line = doc.lineAt(selection.main.head).number;
    this.view.dispatch({ changes: { from, to: before.length - cut, insert: source.slice(from, source.length - cut) } });
    const now = this.view.state.doc;
    this.view.dispatch({ selection: { anchor: now.line(Math.min(line, now.lines)).from }, scrollIntoView: true });
  }

  /** Columns are counted in characters, and here in halves of some. @param {number} line @param {number} column */
  offset(line, column) {
    const { doc } = this.view.state;
    if (line > doc.lines) return doc.length;
    const at = doc.line(line);
    return at.from + [...at.text].slice(0, column - 1).join("").length;
  }

  /** @param {Problem[]} problems */
  mark(problems) {
    const most = this.view.state.doc.length;
    const found = problems.map((one) => {
      const from = Math.min(this.offset(one.line, one.column), most);
      const to = Math.max(from, Math.min(this.offset(one.end_line, one.end_column), most));
      return { from, to, severity: one.severity, message: one.hint ? `${one.text} ${one.hint}` : one.text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** Go to a place and mark it. @param {Problem} problem */
  show(problem) {
    const anchor = this.offset(problem.line, problem.column);
    const head = problem.end_line === problem.line ? this.offset(problem.end_line, problem.end_column) : anchor;
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}
