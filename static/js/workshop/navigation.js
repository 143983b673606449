// @ts-check
/** Go to definition, find references, and rename: in the text and its table file. */
import {
  Decoration,
  EditorView,
  StateEffect,
  StateField,
  keymap,
  showDialog,
  showPanel,
} from "../../vendor/codemirror.js";
import { t } from "../i18n.js";
import { h } from "../table/dom.js";
import { meaningOf } from "./hover.js";
import { isInTextOnly, renamed } from "./table_file.js";

/** @typedef {import("./editor.js").TableEditor} TableEditor */
/** @typedef {import("./editor.js").TextEditor} TextEditor */
/** @typedef {import("./names.js").Named} Named */
/** @typedef {import("./names.js").Names} Names */
/** @typedef {{table: boolean, from: number, to: number}} Reference ``table``: whether it is in the table file */

/** @type {any} */
const showReferences = StateEffect.define();
const MARK = Decoration.mark({ class: "reference" });

export class Navigation {
  /**
   * @param {TextEditor} text @param {TableEditor} table
   * @param {{longest: number, open: (table: boolean) => void, say: (words: string, state?: string) => void}} page ``longest``: letters of a name; ``open``: brings the text or its table file to view
   */
  constructor(text, table, { longest, open, say }) {
    this.text = text;
    this.table = table;
    this.longest = longest;
    this.open = open;
    this.say = say;
  }

  /** The list of references under the text, and their marks in it. */
  get extension() {
    const panel = (/** @type {Reference[]} */ list) => (/** @type {any} */ view) => this.panel(view, list);
    const field = StateField.define({
      create: () => /** @type {Reference[]} */ ([]),
      update: (/** @type {Reference[]} */ list, /** @type {any} */ change) => {
        for (const effect of change.effects) if (effect.is(showReferences)) return effect.value;
        return change.docChanged ? [] : list; // it may not be true any more
      },
      provide: (/** @type {any} */ own) => [
        showPanel.from(own, (/** @type {Reference[]} */ list) => (list.length ? panel(list) : null)),
        EditorView.decorations.from(own, (/** @type {Reference[]} */ list) =>
          Decoration.set(list.filter((one) => !one.table).map(({ from, to }) => MARK.range(from, to))),
        ),
      ],
    });
    return [
      field,
      keymap.of([{ key: "Escape", run: () => this.closeReferences() }]),
      EditorView.domEventHandlers({
        mousedown: (/** @type {MouseEvent} */ event, /** @type {any} */ view) => {
          const at = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
          if (at === null || event.button || !this.text.names.at(at)) return false;
          event.preventDefault();
          this.define(at);
          return true;
        },
      }),
    ];
  }

  /** Return what is named at a position, by default the cursor's; shows a message if nothing is. @param {number} [at] */
  there(at = this.text.view.state.selection.main.head) {
    const there = this.text.names.at(at);
    if (!there)
      this.say(t("Put the cursor on a name of your own first: a place, a store, an attribute, a value or a variable."));
    return there;
  }

  /** Go to where the name at the cursor is declared; from there, list where it is used. @param {number} [at] */
  define(at) {
    const there = this.there(at);
    if (!there) return;
    const definition = this.text.names.definition(there.named);
    if (definition === there.place && at === undefined) return this.refer();
    this.text.select(definition.from, definition.to);
  }

  /** List where the name at the cursor is used. */
  refer() {
    const there = this.there();
    if (!there) return;
    this.text.view.dispatch({ effects: showReferences.of(this.references(there.named)) });
    this.list?.querySelector("button")?.focus();
  }

  /** @param {Named} named @returns {Reference[]} */
  references(named) {
    const spots = this.table.spots(named, this.text.names);
    return [
      ...named.places.map(({ from, to }) => ({ table: false, from, to })),
      ...spots.map(({ from, to }) => ({ table: true, from, to })),
    ];
  }

  /** Close the list of references. Returns whether there was one. */
  closeReferences() {
    const { view } = this.text;
    if (!this.list?.isConnected) return false;
    view.dispatch({ effects: showReferences.of([]) });
    view.focus();
    return true;
  }

  /** @param {any} view @param {Reference[]} list */
  panel(view, list) {
    const close = () => this.closeReferences();
    const { state } = view;
    const [first] = list;
    const name = state.sliceDoc(first.from, first.to);
    const title =
      list.length === 1 ? t("{name}: in 1 place", { name }) : t("{name}: in {n} places", { name, n: list.length });
    this.list = h(
      "ol",
      { class: "references-list", role: "list" },
      ...list.map((one) => h("li", {}, this.item(one, one.table ? this.table.view.state.doc : state.doc))),
    );
    const dom = h(
      "section",
      {
        class: "references",
        "aria-label": title,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Escape") close();
          else if (event.key === "ArrowDown") step(event, "nextElementSibling");
          else if (event.key === "ArrowUp") step(event, "previousElementSibling");
        },
      },
      h(
        "p",
        { class: "references-head" },
        title,
        h("button", { class: "button button-small", type: "button", onclick: close }, t("Close")),
      ),
      this.list,
    );
    return { dom };
  }

  /** @param {Reference} reference @param {any} doc @returns {HTMLElement} */
  item({ table, from, to }, doc) {
    const line = doc.lineAt(from);
    const words = table ? t("Words for the table, line {n}", { n: line.number }) : t("Line {n}", { n: line.number });
    const part = (/** @type {number} */ start, /** @type {number} */ end) => doc.sliceString(start, end);
    const show = () => {
      this.open(table);
      (table ? this.table : this.text).select(from, to);
    };
    return h(
      "button",
      { class: "problem", type: "button", onclick: show },
      h("span", { class: "problem-line" }, words),
      h("code", {}, part(line.from, from).trimStart(), h("mark", {}, part(from, to)), part(to, line.to)),
    );
  }

  /** Ask for a new name of what is at the cursor, and use it everywhere. */
  rename() {
    const there = this.there();
    if (!there) return;
    const { named } = there;
    if (named.standard)
      return this.say(
        t("A block that comes with the language uses the name {name}, so it stays.", { name: named.name }),
      );
    const input = h("input", {
      class: "field-input",
      name: "name",
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      "aria-describedby": "rename-why",
    });
    input.value = named.name;
    const why = h("p", { id: "rename-why", class: "rename-why", role: "alert" });
    const isValid = () => {
      input.value = input.value.toUpperCase();
      why.textContent = this.objection(named, input.value);
      return !why.textContent;
    };
    input.addEventListener("input", isValid);
    const places = this.references(named).length;
    const form = h(
      "form",
      {
        class: "rename",
        onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && !isValid() && stop(event),
        onsubmit: (/** @type {SubmitEvent} */ event) => isValid() || stop(event),
      },
      h(
        "label",
        {},
        t("A new name for {name}", { name: named.name }),
        " ",
        h("span", { class: "soft" }, `(${meaningOf(named)})`),
        input,
      ),
      h(
        "button",
        { class: "button button-small button-primary", type: "submit" },
        places === 1 ? t("Rename in 1 place") : t("Rename in {n} places", { n: places }),
      ),
      why,
    );
    const { view } = this.text;
    const before = view.state.doc;
    void showDialog(view, { content: () => form, focus: "input", top: true, class: "rename-panel" }).result.then(
      (/** @type {HTMLFormElement | null} */ done) => {
        if (!done || input.value === named.name) return;
        if (view.state.doc !== before)
          return this.say(t("The text has changed in the meantime. Rename again."), "error");
        this.change(named, input.value);
      },
    );
  }

  /** Return why something cannot have a name, "" if it can. @param {Named} named @param {string} name */
  objection(named, name) {
    if (!/^[A-Z]+$/.test(name)) return t("A name has capital letters from A to Z and nothing else.");
    if (name.length > this.longest) return t("A name has at most {n} letters.", { n: this.longest });
    const { names } = this.text;
    const other = names.rival(named, name);
    if (other) return t("There is {name} already: {what}.", { name, what: meaningOf(other) });
    const keys = (/** @type {Named} */ one) => this.table.spots(one, names).some(({ entry }) => entry.key);
    const twice = name !== named.name && keys(named) && keys({ ...named, name });
    return twice ? t("The words for the table have {name} already. Choose another name.", { name }) : "";
  }

  /** @param {Named} named @param {string} name */
  change(named, name) {
    const { text, table } = this;
    const { names } = text;
    const shared = names.all.some((one) => one !== named && !isInTextOnly(one) && one.name === named.name);
    const spots = table.spots(named, names);
    const own = named.places.map(({ to }) => ({ from: to - named.name.length, to, insert: name }));
    const theirs = renamed(table.source, spots, name, shared);
    text.view.dispatch({ changes: own, userEvent: "rename" });
    if (theirs.length) table.view.dispatch({ changes: theirs, userEvent: "rename" });
    const n = own.length + theirs.length;
    this.say(
      n === 1
        ? t("{old} is now {name}, in 1 place. To undo: Ctrl-Z.", { old: named.name, name })
        : t("{old} is now {name}, in {n} places. To undo: Ctrl-Z.", { old: named.name, name, n }),
      "good",
    );
  }
}

/** Move the focus in a list. @param {KeyboardEvent} event @param {"nextElementSibling" | "previousElementSibling"} to */
function step(event, to) {
  const item = document.activeElement?.closest("li")?.[to];
  if (!item) return;
  event.preventDefault();
  item.querySelector("button")?.focus();
}

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
