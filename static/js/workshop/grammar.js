// @ts-check
/**
 * Parse the brackets of a RECYCLE text, and find what may be written at a position, by the language table
 * (`games/recycle/signatures.py`).
 */

/**
 * @typedef {object} Argument
 * @property {string} kind its name in the language table
 * @property {string[]} takes accepted values of `Form.gives`, besides CALL; empty: no form
 * @property {boolean} more whether it may be repeated
 */
/** @typedef {string | Argument} Part a word or sign, or an argument */
/**
 * @typedef {object} Form one way to write something
 * @property {string} shape
 * @property {string} snippet what completion inserts
 * @property {string} gives the kind of its result
 * @property {Part[]} parts
 * @property {boolean} breaks whether, if too long for one line, it has parts on lines of their own, indented by two
 * @property {string} means its explanation
 * @property {string} example
 */
/**
 * @typedef {object} Item a token, or a pair of brackets with its items
 * @property {string} text of a token
 * @property {number} from offset in the text
 * @property {number} to offset in the text
 * @property {Item[] | null} items null for a token
 * @property {boolean} [closed] whether the closing bracket is there
 * @property {string} [written] the source of closed brackets
 */
/** @typedef {Item & {items: Item[]}} Group */
/** @typedef {{form: Form, part: Part}} Slot a part of a form */
/** @typedef {{name: string, forms: Form[]}} Word a word or sign with its forms; those without a word have the name "" */
/**
 * @typedef {object} Language the language table, as the server sends it
 * @property {Word[]} words
 * @property {Record<string, string>} members kind of the members of each kind of collection, "" if its items decide
 * @property {Record<string, {text: string, means: string}>} blocks those that come with the language, by name
 * @property {number} longest_name maximum length of a name, in letters
 */

const MAX_CACHED = 20_000; // closed groups whose slots are cached; then the cache is cleared

const TOKEN = /;;[^\n]*|'[ \t\r\n]*[A-Z]+|[A-Z]+|[a-z]+|[0-9]+|\.\.|\/\/|[<>=!]=|[(),:<>+*%^-]/g;

/** What a call of a block gives: it can be anything. */
export const CALL = "CALL";
const DEFINITION = "DEFINE";

/** @param {Form} form */
export const inBrackets = (form) => form.shape.startsWith("(");

/** The word or sign that a form in brackets begins with. @param {Form} form */
const headOf = ({ parts: [first] }) => (typeof first === "string" ? first : undefined);

/** @param {Item} item */
export const isName = (item) => !item.items && /^[A-Z]/.test(item.text);

/** @param {Item} item */
export const isVariable = (item) => !item.items && item.text.startsWith("'");

/** The name of a token, without the apostrophe of a variable. @param {Item} item */
export const nameOf = (item) => item.text.replace(/^'\s*/, "");

/**
 * Return the brackets that are open at the end of a text, the outermost first; the first holds the text itself. What
 * follows the first complete form is no part of the game.
 * @param {string} text @returns {Group[]}
 */
export function opened(text) {
  const group = (/** @type {number} */ from) => ({
    text: "",
    from,
    to: text.length,
    items: /** @type {Item[]} */ ([]),
    closed: false,
  });
  const open = [group(0)];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const from = match.index;
    if (token.startsWith(";;")) continue;
    const within = /** @type {Group} */ (open.at(-1));
    if (token === "(") {
      open.push(group(from));
      within.items.push(/** @type {Group} */ (open.at(-1)));
    } else if (token !== ")") within.items.push({ text: token, from, to: from + token.length, items: null });
    else if (open.length > 1) {
      within.to = from + 1;
      within.closed = true;
      within.written = text.slice(within.from, within.to);
      open.pop();
      if (open.length === 1) break;
    }
  }
  return open;
}

/**
 * Return the brackets around an offset, the outermost first.
 * @param {Group} root of ``opened`` @param {number} offset @returns {Group[]}
 */
export function around(root, offset) {
  const groups = [root];
  for (;;) {
    const inner = groups
      .at(-1)
      ?.items.find(({ items, from, to, closed }) => items && from < offset && (offset < to || !closed));
    if (!inner) return groups;
    groups.push(/** @type {Group} */ (inner));
  }
}

/**
 * Return the items of some brackets that end before an offset, without the brackets around it.
 * @param {Group[]} groups of ``around`` @param {number} offset @returns {Item[][]}
 */
export const itemsBefore = (groups, offset) =>
  groups.map(({ items }, level) => items.filter((item) => item.to <= offset && item !== groups[level + 1]));

/**
 * Return the keyword before the name of a place or store (such as `vloc`, `sto`), "" if the slot is no such name.
 * @param {Slot} slot
 */
export function wordBefore({ form, part }) {
  const [owner, word, name] = form.parts;
  const owned = typeof owner === "object" && owner.takes.includes("OWNER") && typeof word === "string" && part === name;
  return owned && typeof part === "object" && part.takes.includes("NAME") ? word : "";
}

/** Whether a part is the name of a block. @param {Slot} slot */
export const namesBlock = ({ form, part }) => [CALL, DEFINITION].includes(form.gives) && part === form.parts[1];

/** Whether a form is the definition of a block. @param {Form} form */
export const defines = ({ gives }) => gives === DEFINITION;

/** What a text holds. @type {Argument} */
export const WHOLE = { kind: "GAME", takes: ["GAME"], more: false };
const TEXT = { shape: "", snippet: "", gives: "", parts: [WHOLE], breaks: false, means: "", example: "" };

/** The language table, and how it applies to the items in brackets. */
export class Grammar {
  /** @param {Language} language */
  constructor({ words, members, blocks }) {
    this.words = words;
    this.members = members;
    this.blocks = blocks;
    this.forms = words.flatMap(({ forms }) => forms);
    this.bracketed = this.forms.filter(inBrackets);
    /** The keywords before the names of places and stores. */
    this.families = new Set(
      this.forms.flatMap((form) => form.parts.map((part) => wordBefore({ form, part })).filter(Boolean)),
    );
    this.heads = new Set(this.bracketed.map(headOf));
    /** @type {Map<string, Form[]>} by the kind of the argument */
    this.formCache = new Map();
    /** @type {Map<string, Form[]>} by the kind of the argument and the first item */
    this.bracketFormCache = new Map();
    /** @type {Map<string, Map<string, Slot[][]>>} of a group's items, by the parts that it may be and its source */
    this.slotCache = new Map();
    this.cached = 0; // groups in slotCache
  }

  /** Return the forms that fit an argument. @param {Argument} part */
  formsFor(part) {
    let forms = this.formCache.get(part.kind);
    if (!forms) {
      forms = part.takes.length ? this.forms.filter(({ gives }) => gives === CALL || part.takes.includes(gives)) : [];
      this.formCache.set(part.kind, forms);
    }
    return forms;
  }

  /**
   * Return the forms in brackets that fit an argument and may begin with this item.
   * @param {Argument} part @param {Item | undefined} first
   */
  bracketFormsFor(part, first) {
    const word = this.heads.has(first?.text) ? first?.text : undefined;
    const key = `${part.kind} ${word}`;
    let forms = this.bracketFormCache.get(key);
    if (!forms) {
      forms = this.formsFor(part).filter((form) => inBrackets(form) && [word, undefined].includes(headOf(form)));
      this.bracketFormCache.set(key, forms);
    }
    return forms;
  }

  /**
   * Return the forms in brackets that fit one of these parts and may begin like these items.
   * @param {Part[]} parts @param {Item[]} items
   */
  bracketForms(parts, [first]) {
    const forms = parts.map((part) => (typeof part === "string" ? [] : this.bracketFormsFor(part, first)));
    return forms.length === 1 ? forms[0] : [...new Set(forms.flat())];
  }

  /** Return the forms that fit one of these parts. @param {Part[]} parts */
  fitting(parts) {
    return [...new Set(parts.flatMap((part) => (typeof part === "string" ? [] : this.formsFor(part))))];
  }

  /**
   * Whether the language table leaves the contents of an argument's brackets undescribed, as in the attributes of a
   * deck: `(SUIT (CLUBS, HEARTS))`. Such brackets hold values, and brackets like those around them:
   * `(COLOR (RED (SUIT (HEARTS))))`.
   * @param {Part} part
   */
  isUndescribed(part) {
    return (
      typeof part === "object" &&
      part.takes.includes(part.kind) &&
      this.formsFor(part).every(({ gives }) => gives === CALL)
    );
  }

  /** Whether an argument is iterated over, so that a variable after it is a member of it. @param {Slot} slot */
  hasMembers({ part }) {
    return typeof part === "object" && part.takes.length > 0 && part.takes.every((one) => one in this.members);
  }

  /**
   * Return what may follow if the brackets around hold ``levels`` (see ``itemsBefore``). Empty if that is not known.
   * @param {Item[][]} levels @returns {Slot[]}
   */
  expected(levels) {
    /** @type {Slot[]} */
    let slots = [{ form: TEXT, part: WHOLE }];
    for (const items of levels.slice(1)) {
      const forms = this.fitting(slots.map(({ part }) => part)).filter(inBrackets);
      slots = this.following(forms, items);
      // The form is not allowed here: recognise it anyway, so that completion inside it still works.
      if (!slots.length) slots = this.following(this.bracketed, items);
    }
    return slots;
  }

  /** Return the parts of some forms that may follow some items. @param {Form[]} forms @param {Item[]} items @returns {Slot[]} */
  following(forms, items) {
    return forms.flatMap((form) =>
      [...this.walk(form, items).next].flatMap((index) =>
        index in form.parts ? [{ form, part: form.parts[index] }] : [],
      ),
    );
  }

  /**
   * Return which parts each item of a group may be, in the forms that fit best: among those for ``parts``, or among all
   * if none fits. Cached by source text, because a key press leaves most groups unchanged.
   * @param {Group} group @param {Part[]} parts @returns {Slot[][]}
   */
  slotsOf(group, parts) {
    const { written } = group;
    if (written === undefined) return this.findSlots(group, parts);
    const kinds = parts.map((part) => (typeof part === "string" ? part : part.kind)).join(" ");
    if (this.cached > MAX_CACHED) {
      this.slotCache.clear();
      this.cached = 0;
    }
    const bySource = this.slotCache.get(kinds) ?? new Map();
    let slots = bySource.get(written);
    if (!slots) {
      slots = this.findSlots(group, parts);
      this.slotCache.set(kinds, bySource.set(written, slots));
      this.cached++;
    }
    return slots;
  }

  /** @param {Group} group @param {Part[]} parts @returns {Slot[][]} */
  findSlots({ items }, parts) {
    for (const forms of [this.bracketForms(parts, items), this.bracketed]) {
      const tried = forms.map((form) => {
        const { fits, next } = this.walk(form, items);
        return { form, fits, rank: 2 * fits.length + Number(next.has(form.parts.length)) };
      });
      const best = Math.max(0, ...tried.map(({ rank }) => rank));
      if (!best) continue;
      const found = tried.filter(({ rank }) => rank === best);
      return items.map((_, item) =>
        found.flatMap(({ form, fits }) => (fits[item] ?? []).map((index) => ({ form, part: form.parts[index] }))),
      );
    }
    return items.map(() => []);
  }

  /** Whether items are a complete form. @param {Form} form @param {Item[]} items @param {boolean} [deep] see ``walk`` */
  isWhole(form, items, deep = true) {
    return this.walk(form, items, deep).next.has(form.parts.length);
  }

  /**
   * Match items with the parts of a form, from the left. ``fits``: for each item, the indices of the parts that it may
   * be, ending before the first item that fits none. ``next``: the indices of the parts that may follow, empty if an
   * item did not fit; ``parts.length`` is among them if the form may be complete. ``deep``: whether brackets must be
   * complete forms themselves, not only begin like one.
   * @param {Form} form @param {Item[]} items @param {boolean} [deep]
   * @returns {{fits: number[][], next: Set<number>}}
   */
  walk({ parts }, items, deep = true) {
    let next = new Set([0]);
    const fits = [];
    for (const item of items) {
      const indices = [...next].filter((index) => index in parts && this.matches(parts[index], item, deep));
      next = new Set();
      if (!indices.length) break;
      fits.push(indices);
      for (const index of indices) {
        const part = parts[index];
        next.add(index + 1);
        if (typeof part === "object" && part.more) next.add(index);
      }
    }
    return { fits, next };
  }

  /** Whether an item may be a part. @param {Part} part @param {Item} item @param {boolean} deep @returns {boolean} */
  matches(part, item, deep) {
    const { text, items } = item;
    if (typeof part === "string") return !items && part === text;
    if (items) {
      if (this.isUndescribed(part)) return true;
      const forms = this.bracketFormsFor(part, items[0]);
      // Further inside only the first item is checked: a mistake there leaves the brackets around it recognised.
      if (deep) return forms.some((form) => this.isWhole(form, items, false));
      return (
        !items.length || items[0].items !== null || forms.some(({ parts }) => this.matches(parts[0], items[0], false))
      );
    }
    if (isVariable(item)) return part.kind === "VAR" || part.takes.length > 0;
    if (/^[0-9]/.test(text)) return part.takes.includes("NUMBER");
    if (isName(item)) return part.takes.includes("NAME");
    return this.formsFor(part).some(({ shape }) => shape === text);
  }
}
