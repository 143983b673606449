// @ts-check
/** The editor's page: the text on one side, and beside it what follows from it, always up to date. */
import { install } from "../../art/cards.js";
import { loadTranslations, t } from "../i18n.js";
import { attr, h, write } from "../table/dom.js";
import { drawRulePieces } from "../table/pieces.js";
import { CardsPanel } from "./cards_panel.js";
import { Comparing } from "./comparing.js";
import * as drafts from "./drafts.js";
import { TableEditor, TextEditor } from "./editor.js";
import { Feel } from "./feel.js";
import { choose, download, imported, takeDrops } from "./files.js";
import { Grammar } from "./grammar.js";
import { Lesson } from "./lesson.js";
import { menu } from "./menu.js";
import { Navigation } from "./navigation.js";
import { TablePanel, beforeErrors } from "./preview.js";
import { Problems } from "./problems.js";
import { RequestQueue, ask } from "./requests.js";
import { fetchVersion, newest, save, textOf, tryOut } from "./saving.js";
import { Tabs } from "./tabs.js";
import { Visibility } from "./visibility.js";

/**
 * What the page is sent with.
 * @typedef {object} Boot
 * @property {{key: string, title: string, source: string, table: string}} start
 * @property {string} code of a saved text, "" for a new one
 * @property {number} version 0: the newest, of another author's text the published one
 * @property {number} against a version to compare with when the page opens, 0 for none
 * @property {Record<string, string>} urls
 * @property {number} largest maximum length of a text, and of its table file, in characters
 * @property {import("./symbol_dialog.js").Limits} pictures
 * @property {string} nonce
 * @property {import("./grammar.js").Language} language
 * @property {import("./feel.js").Other[]} reports of the site's own games, to compare with
 * @property {import("./lesson.js").Course | null} tutorial
 * @property {number} at the move after which the preview first shows the table
 */

const MOST_VERSIONS = 10; // versions offered for comparison
const ROOM = 4; // an editor takes texts this many times the limit, for authors who cut them down
const PAUSE = 350; // milliseconds without a key before the server checks the text

class EditorPage {
  /** @param {HTMLElement} root @param {Boot} boot */
  constructor(root, boot) {
    this.root = root;
    this.boot = boot;
    this.urls = /** @type {any} */ (boot.urls);
    this.code = boot.code;
    this.base = 0; // the version that is changed here
    this.isOwn = !boot.code;
    this.saved = { source: "", table: "", number: 0 }; // as saved; number 0: not saved, as opened
    this.storesDrafts = true; // whether this browser does
    this.timer = 0;
    this.saving = false;
    this.changedSinceMessage = false; // the text has changed since the last message in the status bar
    this.rulesShown = ""; // the rules that are shown
    /** @type {import("./saving.js").Saved | null} a version that was saved elsewhere in the meantime */
    this.elsewhere = null;

    this.title = h("h1", { class: "editor-title" }, boot.start.title || t("A game of your own"));
    this.status = h("p", { class: "editor-status", role: "status" });
    this.saveButton = button(t("Save"), () => void this.save(), "", t("Ctrl-S"));
    this.tryButton = button(
      t("Try it"),
      () => void this.tryIt(),
      "button-primary",
      t("A table of your own, with bots"),
    );
    this.keys = h(
      "p",
      { class: "keys" },
      h(
        "span",
        { id: "text-keys" },
        t("Tab indents. Press Escape, then Tab, to leave the text."),
        " ",
        t("A text may have at most {n} characters.", { n: boot.largest }),
      ),
    );
    this.problems = new Problems((problem) => this.goTo(problem));
    const setting = this.editorSetting();
    this.editor = this.createTextEditor(setting);
    this.tableEditor = new TableEditor(setting, t('[labels]\nHAND = "Your cards"'));
    const open = (/** @type {boolean} */ table) => this.openText(table);
    this.navigation = new Navigation(this.editor, this.tableEditor, {
      longest: boot.language.longest_name,
      open,
      say: (text, state) => this.say(text, state),
    });
    this.editor.extend(this.navigation.extension);
    this.comparing = new Comparing(this.editor, this.tableEditor, open);
    this.sees = new Visibility();
    this.preview = new TablePanel(boot.urls.look, (look) => this.sees.draw(look.sees, look.ply), boot.at);
    this.cards = new CardsPanel(
      boot.urls.picture,
      boot.pictures,
      () => this.tableEditor.source,
      (text) => this.rewrite(text),
    );
    this.rules = h(
      "div",
      { class: "rules" },
      h("p", { class: "soft" }, t("The rules appear as soon as the text has no errors.")),
    );
    this.lesson = this.createLesson();
    const now = () => ({ source: this.source(), table: this.tableEditor.source });
    this.feel = new Feel(boot.urls.feel, now, [], (line) => this.goToLine(line));
    this.checks = new RequestQueue(boot.urls.check, (answer, asked) => this.receive(answer, asked));

    const panes = [h("div", { class: "pane pane-game" }, this.editor.root), tablePane(this.tableEditor)];
    this.textTabs = new Tabs(
      t("Text"),
      [
        ["game", t("Game"), panes[0]],
        ["words", t("Words for the table"), panes[1]],
      ],
      (id) => {
        this.comparing.inTable = id === "words";
      },
    );
    const textPanel = this.createTextPanel(panes);
    const beside = this.createPanels();
    this.tabs = new Tabs(t("Beside the text"), [["text", t("Text"), textPanel], ...beside], (id) =>
      attr(root, "data-shown", id),
    );
    attr(textPanel, "role", null); // on a wide screen the text stands beside the tab panels, so it is not a tab panel
    this.draw(textPanel, beside);
    this.textTabs.choose("game");
    this.tabs.choose(this.lesson ? "lesson" : isNarrow() ? "text" : "table");
    this.listen();
    void this.open();
  }

  /** What both editors are made with. @returns {import("./editor.js").Setting} */
  editorSetting() {
    const { nonce, largest } = this.boot;
    return {
      nonce,
      changed: () => this.changed(),
      most: ROOM * largest,
      refused: (length) =>
        this.say(
          t("That would be {n} characters. A text may have at most {most}, so it was not inserted.", {
            n: length,
            most: largest,
          }),
          "error",
        ),
      keys: { "Mod-s": () => void this.save(), "Mod-Enter": () => void this.tryIt() },
    };
  }

  /** @param {import("./editor.js").Setting} setting @returns {TextEditor} */
  createTextEditor(setting) {
    const keys = {
      ...setting.keys,
      "Shift-Alt-f": () => void this.format(),
      F2: () => this.navigation.rename(),
      F12: () => this.navigation.define(),
      "Shift-F12": () => this.navigation.refer(),
    };
    const grammar = new Grammar(this.boot.language);
    return new TextEditor({ ...setting, keys }, grammar, (...found) => this.describe(...found));
  }

  /** @returns {Lesson | null} */
  createLesson() {
    const { tutorial, urls } = this.boot;
    if (!tutorial) return null;
    return new Lesson(
      tutorial,
      urls.step,
      (source) => this.take(source),
      () => ({ source: this.source(), saved: this.isSaved() }),
    );
  }

  /** The text and its table file, with what belongs to both. @param {HTMLElement[]} panes */
  createTextPanel(panes) {
    return h(
      "section",
      { class: "editor-text", "aria-label": t("Text") },
      h("div", { class: "editor-text-bar" }, this.textTabs.root, menu(t("Edit"), this.commands())),
      this.comparing.root,
      ...panes,
      this.keys,
      this.problems.root,
    );
  }

  /** The panels beside the text, for ``Tabs``. @returns {[id: string, label: string, panel: HTMLElement][]} */
  createPanels() {
    const panel = (/** @type {string} */ name, /** @type {HTMLElement[]} */ ...inside) =>
      h("div", { class: `panel-side panel-${name}`, tabindex: 0 }, ...inside);
    /** @type {[string, string, HTMLElement][]} */
    const panels = [
      ["table", t("Table"), panel("table", this.preview.root)],
      ["cards", t("Cards"), panel("cards", this.cards.root)],
      ["rules", t("Rules"), panel("rules", beforeErrors(), this.rules)],
      ["feel", t("How it feels"), panel("feel", this.feel.root)],
      ["sees", t("Who sees what"), panel("sees", beforeErrors(), this.sees.root)],
    ];
    if (this.lesson) panels.unshift(["lesson", t("Lesson"), panel("lesson", this.lesson.root)]);
    return panels;
  }

  /** Fill the page. @param {HTMLElement} textPanel @param {[string, string, HTMLElement][]} beside */
  draw(textPanel, beside) {
    this.root.replaceChildren(
      h(
        "header",
        { class: "editor-bar" },
        h("div", { class: "editor-names" }, this.title, this.status),
        h("div", { class: "editor-buttons" }, this.saveButton, this.tryButton),
      ),
      textPanel,
      this.tabs.root,
      h("section", { class: "editor-side", "aria-label": t("Beside the text") }, ...beside.map(([, , panel]) => panel)),
    );
  }

  /** Take dropped files and keys, and save the draft when the page is left. */
  listen() {
    takeDrops(this.root, (files) => void this.import(files));
    const pressed = { s: () => void this.save(), Enter: () => void this.tryIt(), F8: () => this.editor.nextProblem() };
    addEventListener("keydown", (event) => {
      const run = pressed[/** @type {keyof typeof pressed} */ (event.key)];
      // An editor that has the focus handles these keys itself.
      if (!run || event.defaultPrevented || (event.key !== "F8" && !event.ctrlKey && !event.metaKey)) return;
      event.preventDefault();
      run();
    });
    addEventListener("keydown", (event) => event.key === "Escape" && this.editor.closeMeaning(), true);
    addEventListener("pagehide", () => this.saveDraft());
    document.addEventListener("visibilitychange", () => document.hidden && this.saveDraft());
    addEventListener("beforeunload", (event) => !this.storesDrafts && this.isChanged() && event.preventDefault());
  }

  source() {
    return this.editor.source;
  }

  /** What can be done with the text, besides what has a button. */
  commands() {
    /** @type {(import("./menu.js").Command | null)[]} */
    const commands = [
      { label: t("Format"), keys: t("Shift-Alt-F"), run: () => void this.format() },
      { label: t("Find and replace"), keys: t("Ctrl-F"), run: () => this.shown().find() },
      { label: t("Next problem"), keys: "F8", run: () => this.editor.nextProblem() },
      null,
      { label: t("Go to definition"), keys: t("F12, Ctrl-click"), run: () => this.navigation.define() },
      { label: t("Find references"), keys: t("Shift-F12"), run: () => this.navigation.refer() },
      { label: t("Rename"), keys: "F2", run: () => this.navigation.rename() },
      null,
      { label: t("Compare versions"), run: () => void this.comparing.choose(0) },
      { label: t("Import files (.rcy, .toml)"), run: () => choose((files) => void this.import(files)) },
      { label: t("Download the text (.rcy)"), run: () => this.download("rcy") },
      { label: t("Download the words for the table (.toml)"), run: () => this.download("toml") },
    ];
    return commands;
  }

  /** The editor that is in view. */
  shown() {
    return this.textTabs.now === "words" ? this.tableEditor : this.editor;
  }

  /** Bring the text or its table file to view. @param {boolean} table */
  openText(table) {
    if (isNarrow()) this.tabs.choose("text");
    this.textTabs.choose(table ? "words" : "game");
  }

  /** @param {File[]} files */
  async import(files) {
    const found = await imported(files, this.boot.largest);
    if ("why" in found) return this.say(found.why, "error");
    const { source, table } = found;
    if (source !== undefined) this.editor.replace(source);
    if (table !== undefined) this.tableEditor.replace(table);
    this.openText(source === undefined);
    this.shown().view.focus(); // where Ctrl-Z undoes it
    this.say(
      source === undefined
        ? t("The words for the table were imported. To undo: Ctrl-Z.")
        : table === undefined
          ? t("The text was imported. The words for the table are as they were. To undo: Ctrl-Z.")
          : t("The text and the words for the table were imported. To undo: Ctrl-Z."),
      "good",
    );
  }

  /** @param {"rcy" | "toml"} end */
  download(end) {
    download(this.title.textContent ?? "", end, end === "rcy" ? this.source() : this.tableEditor.source);
  }

  /** Show what is at the cursor, or the keys if nothing is. @param {string} name @param {string} means @param {boolean} problem */
  describe(name, means, problem) {
    const [help] = this.keys.children;
    attr(help, "class", means ? "visually-hidden" : null);
    attr(this.keys, "data-problem", problem);
    this.keys.replaceChildren(help, ...(name ? [h("code", {}, name)] : []), ...(means ? [` ${means}`] : []));
  }

  /**
   * The name under which the draft is stored: the code of a saved text, or the key of the template that a new text began
   * with. A comparison has a name of its own, so that it does not overwrite other drafts.
   */
  draftName() {
    if (this.boot.against) return `${this.boot.code}@${this.boot.version}`;
    return this.lesson ? this.boot.start.key : this.code || this.boot.start.key;
  }

  async open() {
    const { boot } = this;
    let { source, table } = boot.start;
    if (this.code) {
      this.say(t("Loading the text …"));
      let found = await fetchVersion(this.urls, this.code, boot.version);
      if ("source" in found && !boot.version && found.own && found.latest !== found.number)
        found = await fetchVersion(this.urls, this.code, found.latest);
      if (!("source" in found)) return this.gone(found.text);
      ({ source, table } = found);
      this.base = found.number;
      this.isOwn = found.own;
      write(this.title, found.title);
    }
    this.saved = { source, table, number: this.base };
    const draft = drafts.load(this.draftName());
    if (this.lesson && draft) {
      ({ source, table } = draft);
      this.code = draft.code ?? "";
      this.base = draft.base;
      if (draft.saved) this.saved = { source, table, number: draft.base };
      this.say(
        this.code
          ? draft.saved
            ? t("Version {n}.", { n: this.base })
            : t("Changed since version {n}.", { n: this.base })
          : t("Not saved yet. Kept in this browser."),
      );
    } else if (draft && (draft.source !== source || draft.table !== table)) {
      const since = new Date(draft.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      this.say(
        t("Your draft from {since}. ", { since }),
        "draft",
        this.code ? t("Go back to version {n}", { n: this.saved.number }) : t("Start over"),
        () => this.reset(),
      );
      ({ source, table } = draft);
      if (this.code && draft.base && !boot.version) this.base = draft.base;
    } else
      this.say(
        this.code
          ? this.isOwn
            ? t("Version {n}.", { n: this.base })
            : t("Version {n}, by somebody else: Save makes your own copy.", { n: this.base })
          : t("Not saved yet. Kept in this browser."),
      );
    this.editor.open(source);
    this.tableEditor.open(table);
    const versions = this.offer();
    this.ask();
    if (boot.against) {
      const at = versions.findIndex(({ number }) => number === boot.against);
      if (at < 0) versions.push(this.version(boot.against));
      this.comparing.offer(versions);
      await this.comparing.choose(at < 0 ? versions.length - 1 : at);
    }
  }

  /** Replace the page with a message: the text cannot be loaded. @param {string} why */
  gone(why) {
    const { root } = this;
    root.replaceChildren(
      h(
        "div",
        { class: "editor-gone" },
        h("p", {}, why),
        this.urls.index
          ? h("p", {}, h("a", { class: "button", href: this.urls.index }, t("Go to the workshop")))
          : null,
      ),
    );
  }

  /** Offer what the text can be compared with: as it was opened or saved, and the versions before that. */
  offer() {
    const { number } = this.saved;
    /** @type {import("./comparing.js").Version[]} */
    const others = [
      { number, label: number ? t("version {n}", { n: number }) : t("as opened"), text: async () => this.saved },
    ];
    const latest = number ? number - 1 : this.base;
    for (let n = latest; this.code && n > Math.max(0, latest + 1 - MOST_VERSIONS); n--) others.push(this.version(n));
    this.feel.offer([...others, ...this.boot.reports]);
    this.comparing.offer(others);
    return others;
  }

  /** A saved version, to compare with. @param {number} number @returns {import("./comparing.js").Version} */
  version(number) {
    const label = t("version {n}", { n: number });
    return { number, label, text: () => textOf(this.urls, this.code, number) };
  }

  reset() {
    drafts.remove(this.draftName());
    this.base = this.saved.number; // the draft may have begun with an older version
    this.editor.replace(this.saved.source);
    this.tableEditor.replace(this.saved.table);
    this.editor.view.focus();
    this.changed();
    this.say(this.code ? t("Version {n}.", { n: this.base }) : t("Started over. To undo: Ctrl-Z."));
  }

  /** Take over a text that a lesson shows. @param {string} source */
  take(source) {
    this.editor.replace(source);
    this.changed();
  }

  /** Replace the table file, and check it without waiting for a pause. @param {string} table */
  rewrite(table) {
    this.tableEditor.replace(table);
    clearTimeout(this.timer);
    this.saveDraft();
    this.ask();
  }

  isChanged() {
    return this.source() !== this.saved.source || this.tableEditor.source !== this.saved.table;
  }

  /** Whether the text in the editor is that of a saved version. */
  isSaved() {
    return this.saved.number > 0 && !this.isChanged();
  }

  changed() {
    this.changedSinceMessage = true;
    this.problems.outdate();
    this.comparing.update();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.saveDraft();
      this.ask();
    }, PAUSE);
    if (this.code) attr(this.saveButton, "data-changed", this.isChanged());
  }

  saveDraft() {
    if (this.code && !this.base) return; // the saved text has not been loaded yet
    const changed = this.isChanged();
    const draft = {
      source: this.source(),
      table: this.tableEditor.source,
      base: this.base,
      at: Date.now(),
      code: this.code,
      saved: !changed,
    };
    if (this.lesson && !changed) return void drafts.save(this.draftName(), draft);
    if (!changed) return drafts.remove(this.draftName());
    const before = drafts.load(this.draftName());
    if (before && before.source === draft.source && before.table === draft.table && before.base === draft.base) return;
    this.storesDrafts = drafts.save(this.draftName(), draft);
    if (!this.storesDrafts) this.say(t("This browser stores no drafts: save before you leave."), "error");
    else if (this.changedSinceMessage) this.say(t("Changed. Kept in this browser until you save."));
  }

  ask() {
    const source = this.source();
    const table = this.tableEditor.source;
    const most = this.boot.largest;
    if (Math.max(source.length, table.length) > most)
      return this.problems.empty(t("A text may have at most {n} characters.", { n: most }), "error");
    if (!source.trim()) {
      this.editor.mark([]);
      return this.problems.empty(t("The page is empty. A game starts with (game"));
    }
    this.checks.ask({ source, table });
    this.lesson?.look();
  }

  /** @param {import("./requests.js").Answer} answer @param {any} asked */
  receive(answer, asked) {
    if (asked.source !== this.source() || asked.table !== this.tableEditor.source) return; // changed in the meantime: another answer follows
    if (!answer.ok) return this.problems.say(answer.text ?? "", "unknown");
    this.editor.mark(answer.problems);
    this.problems.draw(answer.problems, answer.table_problem);
    attr(this.root, "data-broken", !answer.good);
    if (!answer.good) return;
    if (answer.title) write(this.title, answer.title);
    this.cards.draw(answer.cards);
    if (this.rulesShown !== answer.rules) {
      this.rules.innerHTML = answer.rules; // safe: the server escapes what the author wrote
      void drawRulePieces(this.rules);
    }
    this.rulesShown = answer.rules;
    this.preview.open(asked.source, asked.table);
  }

  /** @param {import("./editor.js").Problem} problem */
  goTo(problem) {
    this.openText(false);
    this.editor.show(problem);
  }

  /** @param {number} line from 1, of the text as it was measured */
  goToLine(line) {
    this.openText(false);
    this.editor.showLine(line);
  }

  async format() {
    const source = this.source();
    const answer = await ask(this.boot.urls.format, { source });
    if (!answer.ok) return this.say(answer.text ?? "", "error");
    if (this.source() !== source) return;
    this.editor.replace(answer.source);
    this.say(t("The text is formatted."));
  }

  /** @returns {Promise<boolean>} whether what is in the editor is saved as a version */
  async save() {
    if (this.saving) return false;
    this.saving = true;
    // The author has seen the newer version; it stays in the history.
    if (this.elsewhere) this.base = this.elsewhere.number;
    this.say(t("Saving …"));
    const [source, table, name] = [this.source(), this.tableEditor.source, this.draftName()];
    const outcome = await save(this.urls, this, source, table);
    this.saving = false;
    if (!outcome.done) {
      this.saveDraft();
      if (outcome.why === "not_latest") await this.conflict(outcome.text);
      else this.say(outcome.text, "error");
      return false;
    }
    drafts.remove(name);
    if (this.elsewhere) this.settle();
    if (outcome.code) {
      this.code = outcome.code;
      this.base = outcome.number ?? 1;
      this.isOwn = true;
      const there = this.urls.edit.replace("CODE", this.code);
      if (location.pathname !== there && !this.lesson) window.history.replaceState(null, "", there);
      if (outcome.title) write(this.title, outcome.title);
    }
    this.saved = { source, table, number: this.base };
    this.offer();
    this.saveDraft();
    attr(this.saveButton, "data-changed", null);
    this.lesson?.look();
    this.say(outcome.text, "good", outcome.url ? t("Open its page") : "", outcome.url);
    return true;
  }

  /** A newer version was saved elsewhere: show what differs, and let either be taken, or parts of both. @param {string} words */
  async conflict(words) {
    const found = await newest(this.urls, this.code);
    if (!("source" in found)) return this.say(words, "error");
    this.elsewhere = found;
    this.say(words, "error");
    const args = { n: found.number, m: found.number + 1 };
    this.comparing.conflict(
      found,
      t("Lines of version {n} are red and have a minus; yours are green. Save keeps your text as version {m}.", args),
      () => void this.save(),
      () => this.takeTheirs(found),
    );
  }

  /** @param {import("./saving.js").Saved} saved */
  takeTheirs({ source, table, number }) {
    this.editor.replace(source);
    this.tableEditor.replace(table);
    this.saved = { source, table, number };
    this.base = number;
    this.settle();
    this.changed();
    this.offer();
    this.say(t("This is version {n} now. To get your text back: Ctrl-Z.", { n: number }), "good");
  }

  settle() {
    this.elsewhere = null;
    this.comparing.close();
  }

  async tryIt() {
    if (!this.isSaved() || !this.isOwn) if (!(await this.save())) return;
    const outcome = await tryOut(this.urls, this.code, this.saved.number);
    this.say(outcome.text, outcome.done ? "good" : "error");
    if (outcome.done && outcome.url) location.assign(outcome.url);
  }

  /**
   * Show a message in the status bar, with an optional link (an address) or button (a function).
   * @param {string} text @param {string} [state] @param {string} [label] @param {string | (() => void)} [target]
   */
  say(text, state = "", label = "", target = "") {
    this.changedSinceMessage = false;
    attr(this.status, "data-state", state || null);
    const more = !label
      ? null
      : typeof target === "string"
        ? h("a", { href: target }, label)
        : h("button", { class: "link-button", type: "button", onclick: target }, label);
    this.status.replaceChildren(text, ...(more ? [" ", more] : []));
  }
}

/** @param {string} label @param {() => void} run @param {string} [more] a class @param {string} [hint] */
function button(label, run, more = "", hint = "") {
  return h(
    "button",
    { class: `button button-small ${more}`, type: "button", onclick: run, title: hint || null },
    label,
  );
}

/** The table file, below an explanation of it. @param {TableEditor} editor */
function tablePane(editor) {
  const sections = ["labels", "layout", "faces", "backs", "pictures", "verbs", "hide"];
  return h(
    "div",
    { class: "pane pane-words" },
    h(
      "p",
      { class: "soft" },
      t(
        "The words that players read for places, numbers and moves, instead of the names in the text. It can be left empty: ",
      ),
      ...sections.flatMap((section, at) => [at > 0 && " ", h("code", {}, `[${section}]`)]),
    ),
    editor.root,
  );
}

/** Whether the text and its panels are shown one at a time. The same condition is in css/workshop/narrow.css. */
const isNarrow = () => matchMedia("(max-width: 46rem), (max-width: 60rem) and (max-height: 40rem)").matches;

await loadTranslations();
install(document);
const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
new EditorPage(/** @type {HTMLElement} */ (document.getElementById("editor")), boot);
