// @ts-check
/** The text and its table file: CodeMirror with their languages, their marks and their keys. */
import {
  Compartment,
  Decoration,
  EditorState,
  EditorView,
  RangeSetBuilder,
  ViewPlugin,
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  closeHoverTooltips,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  ensureSyntaxTree,
  forEachDiagnostic,
  hasHoverTooltips,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  highlightSpecialChars,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  indentUnit,
  keymap,
  lineNumbers,
  lintGutter,
  nextDiagnostic,
  openSearchPanel,
  placeholder,
  previousDiagnostic,
  search,
  searchKeymap,
  setDiagnostics,
  unifiedMergeView,
} from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { completion } from "./completion.js";
import { describe, meanings } from "./hover.js";
import { recycle, tableFile } from "./language.js";
import { Names } from "./names.js";
import { entriesOf, spotsOf } from "./table_file.js";

/** @typedef {import("./names.js").Named} Named */
/** @typedef {(name: string, means: string, problem: boolean) => void} Described */
/** @typedef {{severity: "error" | "warning", line: number, column: number, end_line: number, end_column: number, text: string, hint: string}} Problem */
/**
 * What every editor of the page is made with.
 * @typedef {object} Setting
 * @property {string} nonce for the styles that CodeMirror adds
 * @property {() => void} changed
 * @property {number} most characters that an editor takes without slowing down
 * @property {(length: number) => void} refused is called instead of taking more
 * @property {Record<string, () => void>} keys
 */

const HANG = 2; // characters by which continuation lines of a wrapped line are indented further
const PARSING = 1000; // milliseconds for a table file
const PAUSE = 300; // milliseconds without a key before what is at the cursor is described: longer than between two keys

/** Continuation lines of a wrapped line are indented as far as it is, and a little more. */
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

/** CodeMirror's own words. */
const phrases = () => ({
  Find: t("Find"),
  Replace: t("Replace"),
  next: t("next"),
  previous: t("previous"),
  all: t("all"),
  "match case": t("match case"),
  regexp: t("regular expression"),
  "by word": t("whole words"),
  replace: t("replace"),
  "replace all": t("replace all"),
  close: t("close"),
  "current match": t("current match"),
  "on line": t("on line"),
  "replaced match on line $": t("replaced match on line $"),
  "replaced $ matches": t("replaced $ matches"),
  "Go to line": t("Go to line"),
  go: t("go"),
  Completions: t("Completions"),
  "Control character": t("Control character"),
  "Selection deleted": t("Selection deleted"),
});

export class Editor {
  /** @param {string} label @param {Setting} setting @param {any[]} more extensions of this one @param {any[]} [bindings] of keys */
  constructor(label, { nonce, changed, most, refused, keys }, more, bindings = []) {
    this.merging = new Compartment();
    this.compared = false;
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
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.lineWrapping,
      HANGING,
      ...more,
      this.merging.of([]),
      keymap.of([
        ...own,
        ...bindings,
        ...completionKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        { key: "Tab", run: indentMore, shift: indentLess },
      ]),
      EditorState.phrases.of(phrases()),
      EditorView.cspNonce.of(nonce),
      EditorState.changeFilter.of((/** @type {any} */ change) => {
        const fits = change.newDoc.length <= Math.max(most, change.startState.doc.length);
        if (!fits) refused(change.newDoc.length);
        return fits;
      }),
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-describedby": "text-keys",
        tabindex: "0",
        autocapitalize: "off",
        spellcheck: "false",
      }),
      EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && changed()),
    ];
    this.view = new EditorView({ state: this.newState("") });
    this.root = /** @type {HTMLElement} */ (this.view.dom);
  }

  /** Add extensions, whose keys come before those of the editor, before a text is opened. @param {any[]} more */
  extend(more) {
    this.extensions.unshift(more);
    this.open(this.source);
  }

  /** @param {string} source */
  newState(source) {
    return EditorState.create({ doc: source, extensions: this.extensions });
  }

  get source() {
    return /** @type {string} */ (this.view.state.doc.toString());
  }

  /** Open another text, with an empty undo history. @param {string} source */
  open(source) {
    this.compared = false;
    this.view.setState(this.newState(source));
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

  /** Go to a place and select it. @param {number} anchor @param {number} head */
  select(anchor, head) {
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  /** Let screen readers read something. @param {string} words */
  announce(words) {
    this.view.dispatch({ effects: EditorView.announce.of(words) });
  }

  /** Open the search panel. */
  find() {
    openSearchPanel(this.view);
  }

  /**
   * Mark what differs from another text, and show its lines above those that differ; null: no longer.
   * @param {string | null} original @param {boolean | ((kind: "accept" | "reject", act: (event: Event) => void) => HTMLElement)} [buttons] at each difference
   */
  compare(original, buttons = false) {
    if (this.compared) this.view.dispatch({ effects: this.merging.reconfigure([]) });
    this.compared = original !== null;
    if (original === null) return;
    const marks = unifiedMergeView({ original, mergeControls: buttons });
    this.view.dispatch({ effects: this.merging.reconfigure(marks) });
  }
}

/** The table file. */
export class TableEditor extends Editor {
  /** @param {Setting} setting @param {string} example */
  constructor(setting, example) {
    super(t("Words for the table"), setting, [...tableFile, placeholder(example)]);
  }

  /** Return where something of the text is named. @param {Named} named @param {Names} names */
  spots(named, names) {
    const { state } = this.view;
    const tree = ensureSyntaxTree(state, state.doc.length, PARSING);
    return tree ? spotsOf(entriesOf(tree, this.source), named, names.grammar.families) : [];
  }
}

/** The text of the game. */
export class TextEditor extends Editor {
  /**
   * @param {Setting} setting @param {import("./grammar.js").Grammar} grammar
   * @param {Described} described is called with what is at the cursor
   */
  constructor(setting, grammar, described) {
    /** @type {WeakMap<object, Names>} by the document */
    const read = new WeakMap();
    const namesOf = (/** @type {any} */ { doc }) => {
      const names = read.get(doc) ?? new Names(grammar, doc.toString());
      read.set(doc, names);
      return names;
    };
    let timer = 0;
    super(
      t("The text of the game"),
      setting,
      [
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [completion(namesOf)], icons: false }),
        lintGutter(),
        recycle(grammar),
        meanings(namesOf),
        placeholder(t("(game ...")),
        EditorView.updateListener.of((/** @type {any} */ update) => {
          if (!update.selectionSet && !update.docChanged) return;
          clearTimeout(timer);
          timer = setTimeout(() => this.describe(described), PAUSE);
        }),
      ],
      [
        ...closeBracketsKeymap,
        {
          key: "F8",
          run: () => this.step(nextDiagnostic),
          shift: () => this.step(previousDiagnostic),
          preventDefault: true,
        },
      ],
    );
    this.namesOf = namesOf;
  }

  /** The names in the text as it is now. */
  get names() {
    return this.namesOf(this.view.state);
  }

  nextProblem() {
    this.step(nextDiagnostic);
    this.view.focus();
  }

  /** Go to another problem, and let screen readers read it. @param {(view: any) => boolean} command */
  step(command) {
    const moved = command(this.view);
    if (moved) this.announce(this.problemHere());
    return moved;
  }

  /** Close the tooltip at the pointer. Returns whether there was one. */
  closeMeaning() {
    const open = hasHoverTooltips(this.view.state);
    if (open) this.view.dispatch({ effects: closeHoverTooltips });
    return open;
  }

  /**
   * Return the problem at the cursor, "" if there is none. One of several lines is there only at its ends: between them
   * stand words that are right.
   */
  problemHere() {
    const { state } = this.view;
    const { head } = state.selection.main;
    let problem = "";
    forEachDiagnostic(state, (/** @type {any} */ { message }, /** @type {number} */ from, /** @type {number} */ to) => {
      const isShort = to <= state.doc.lineAt(from).to;
      if (isShort ? from <= head && head <= to : head === from || head === to) problem ||= message;
    });
    return problem;
  }

  /** @param {Described} described */
  describe(described) {
    const problem = this.problemHere();
    if (problem) return described("", problem, true);
    const { state } = this.view;
    described(...describe(state, state.selection.main.head, this.names), false);
  }

  /** The position of a line and column of a problem: the server counts characters, the editor UTF-16 code units. @param {number} line @param {number} column */
  offset(line, column) {
    const { doc } = this.view.state;
    if (line > doc.lines) return doc.length;
    const at = doc.line(line);
    return at.from + [...at.text].slice(0, column - 1).join("").length;
  }

  /** @param {Problem[]} problems */
  mark(problems) {
    const end = this.view.state.doc.length;
    const found = problems.map((problem) => {
      const from = Math.min(this.offset(problem.line, problem.column), end);
      const to = Math.max(from, Math.min(this.offset(problem.end_line, problem.end_column), end));
      const { severity, text, hint } = problem;
      return { from, to, severity, message: hint ? `${text} ${hint}` : text, problem };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** @param {number} number a line, from 1; it is selected */
  showLine(number) {
    const { doc } = this.view.state;
    const line = doc.line(Math.min(number, doc.lines));
    this.select(line.from, line.to);
  }

  /** Go to a problem and select it, also if the text has changed since it was found. @param {Problem} problem */
  show(problem) {
    const { state } = this.view;
    forEachDiagnostic(state, (/** @type {any} */ found, /** @type {number} */ from, /** @type {number} */ to) => {
      if (found.problem === problem) this.select(from, problem.end_line === problem.line ? to : from);
    });
  }
}
