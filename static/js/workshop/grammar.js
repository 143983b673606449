// @ts-check
/** The brackets of a RECYCLE text, and what may follow at a position of it, according to the table of the language. */

/** @typedef {{kind: string, takes: string[], more: boolean}} Argument ``takes``: what forms give that fit; ``more``: one or more of it */
/** @typedef {string | Argument} Part a word or sign, or an argument */
/** @typedef {{shape: string, snippet: string, gives: string, parts: Part[], breaks: boolean, means: string, example: string}} Form one way to write something. ``breaks``: if it is long, its parts are on lines of their own, indented by two */
/** @typedef {{text: string, from: number, to: number, items: Item[] | null, closed?: boolean, written?: string}} Item a token, or brackets with the items in them, and as they are written if they are closed */
/** @typedef {Item & {items: Item[]}} Group */
/** @typedef {{form: Form, part: Part}} Slot a part of a form */
/** @typedef {{name: string, forms: Form[]}} Word a word or sign with its forms; those without a word have the name "" */
/**
 * @typedef {object} Language the table of the language, as the server sends it
 * @property {Word[]} words
 * @property {Record<string, string>} members what the members of a collection give, by what it gives; "" if that depends on its items
 * @property {Record<string, {text: string, means: string}>} blocks the definitions that come with the language and what they mean, by name
 * @property {number} longest_name letters of a name
 */

const MOST_KEPT = 20_000; // groups of which the slots of their items are kept

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

/** Return the brackets around a place, the outermost first. @param {Group} root of ``opened`` @param {number} at @returns {Group[]} */
export function around(root, at) {
  const groups = [root];
  for (;;) {
    const inner = groups
      .at(-1)
      ?.items.find(({ items, from, to, closed }) => items && from < at && (at < to || !closed));
    if (!inner) return groups;
    groups.push(/** @type {Group} */ (inner));
  }
}

/** Return the items of some brackets that end before a place. @param {Group[]} groups @param {number} at @returns {Item[][]} */
export const before = (groups, at) =>
  groups.map(({ items }, level) => items.filter((item) => item.to <= at && item !== groups[level + 1]));

/** Return the word of places or stores before a name, "" if it names no place or store. @param {Slot} slot */
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

/** The table of the language, and how it applies to the items in brackets. */
export class Grammar {
  /** @param {Language} language */
  constructor({ words, members, blocks }) {
    this.words = words;
    this.members = members;
    this.blocks = blocks;
    this.forms = words.flatMap(({ forms }) => forms);
    this.bracketed = this.forms.filter(inBrackets);
    /** The words before the names of places and stores. */
    this.families = new Set(
      this.forms.flatMap((form) => form.parts.map((part) => wordBefore({ form, part })).filter(Boolean)),
    );
    this.heads = new Set(this.bracketed.map(headOf));
    /** @type {Map<string, Form[]>} the forms that fit an argument, by its kind */
    this.fit = new Map();
    /** @type {Map<string, Form[]>} those of them that may begin like a group, by the kind and the first item */
    this.beginning = new Map();
    /** @type {Map<string, Map<string, Slot[][]>>} the slots of the items of a group, by the parts that it may be and as it is written */
    this.known = new Map();
    this.kept = 0;
  }

  /** Return the forms that fit an argument. @param {Argument} part */
  formsFor(part) {
    let forms = this.fit.get(part.kind);
    if (!forms) {
      forms = part.takes.length ? this.forms.filter(({ gives }) => gives === CALL || part.takes.includes(gives)) : [];
      this.fit.set(part.kind, forms);
    }
    return forms;
  }

  /** Return the forms in brackets that fit an argument and may begin with this. @param {Argument} part @param {Item | undefined} first */
  begunFor(part, first) {
    const word = this.heads.has(first?.text) ? first?.text : undefined;
    const key = `${part.kind} ${word}`;
    let forms = this.beginning.get(key);
    if (!forms) {
      forms = this.formsFor(part).filter((form) => inBrackets(form) && [word, undefined].includes(headOf(form)));
      this.beginning.set(key, forms);
    }
    return forms;
  }

  /** Return the forms in brackets that fit one of these parts and may begin like these items. @param {Part[]} parts @param {Item[]} items */
  begun(parts, [first]) {
    const those = parts.map((part) => (typeof part === "string" ? [] : this.begunFor(part, first)));
    return those.length === 1 ? those[0] : [...new Set(those.flat())];
  }

  /** Return the forms that fit one of these parts. @param {Part[]} parts */
  fitting(parts) {
    return [...new Set(parts.flatMap((part) => (typeof part === "string" ? [] : this.formsFor(part))))];
  }

  /** Whether the table does not describe what is inside the brackets of an argument: they hold values, and what the brackets around them may hold. @param {Part} part */
  isOpen(part) {
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

  /** Return what may follow if the brackets around hold ``levels`` (see ``before``). Empty if that is not known. @param {Item[][]} levels @returns {Slot[]} */
  expected(levels) {
    /** @type {Slot[]} */
    let slots = [{ form: TEXT, part: WHOLE }];
    for (const items of levels.slice(1)) {
      const forms = this.fitting(slots.map(({ part }) => part)).filter(inBrackets);
      slots = this.following(forms, items);
      if (!slots.length) slots = this.following(this.bracketed, items); // it does not belong there, but what it is can be known
    }
    return slots;
  }

  /** Return the parts of some forms that may follow some items. @param {Form[]} forms @param {Item[]} items @returns {Slot[]} */
  following(forms, items) {
    return forms.flatMap((form) =>
      [...this.walk(form, items).ends].flatMap((place) =>
        place in form.parts ? [{ form, part: form.parts[place] }] : [],
      ),
    );
  }

  /**
   * Return which parts each item of a group may be, in the forms that fit best: among those for ``parts``, or among all
   * if none fits. Kept, since most of a text is as it was before the last key.
   * @param {Group} group @param {Part[]} parts @returns {Slot[][]}
   */
  slotsOf(group, parts) {
    const { written } = group;
    if (written === undefined) return this.findSlots(group, parts);
    const kinds = parts.map((part) => (typeof part === "string" ? part : part.kind)).join(" ");
    if (this.kept > MOST_KEPT) {
      this.known.clear();
      this.kept = 0;
    }
    const those = this.known.get(kinds) ?? new Map();
    let slots = those.get(written);
    if (!slots) {
      slots = this.findSlots(group, parts);
      this.known.set(kinds, those.set(written, slots));
      this.kept++;
    }
    return slots;
  }

  /** @param {Group} group @param {Part[]} parts @returns {Slot[][]} */
  findSlots({ items }, parts) {
    for (const forms of [this.begun(parts, items), this.bracketed]) {
      const tried = forms.map((form) => {
        const { at, ends } = this.walk(form, items);
        return { form, at, rank: 2 * at.length + Number(ends.has(form.parts.length)) };
      });
      const best = Math.max(0, ...tried.map(({ rank }) => rank));
      if (!best) continue;
      const found = tried.filter(({ rank }) => rank === best);
      return items.map((_, index) =>
        found.flatMap(({ form, at }) => [...(at[index] ?? [])].map((place) => ({ form, part: form.parts[place] }))),
      );
    }
    return items.map(() => []);
  }

  /** Return whether items are all of a form. @param {Form} form @param {Item[]} items @param {boolean} [deep] whether to look into forms */
  isWhole(form, items, deep = true) {
    return this.walk(form, items, deep).ends.has(form.parts.length);
  }

  /**
   * Lay items against the parts of a form. ``at``: the places that each item may have, up to the first that fits
   * nowhere; ``ends``: the places that come next, if all fit.
   * @param {Form} form @param {Item[]} items @param {boolean} [deep]
   * @returns {{at: number[][], ends: Set<number>}}
   */
  walk({ parts }, items, deep = true) {
    let places = new Set([0]);
    const at = [];
    for (const item of items) {
      const here = [...places].filter((place) => place in parts && this.matches(parts[place], item, deep));
      places = new Set();
      if (!here.length) break;
      at.push(here);
      for (const place of here) {
        const part = parts[place];
        places.add(place + 1);
        if (typeof part === "object" && part.more) places.add(place);
      }
    }
    return { at, ends: places };
  }

  /** Return whether an item may be a part. @param {Part} part @param {Item} item @param {boolean} deep @returns {boolean} */
  matches(part, item, deep) {
    const { text, items } = item;
    if (typeof part === "string") return !items && part === text;
    if (items) {
      if (this.isOpen(part)) return true;
      const forms = this.begunFor(part, items[0]);
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
