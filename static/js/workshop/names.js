// @ts-check
/** The names in a RECYCLE text: what each of them names, where it is declared and where it is used. */
import {
  CALL,
  WHOLE,
  around,
  defines,
  isName,
  isVariable,
  itemsBefore,
  nameOf,
  namesBlock,
  opened,
  wordBefore,
} from "./grammar.js";

/** @typedef {import("./grammar.js").Grammar} Grammar */
/** @typedef {import("./grammar.js").Group} Group */
/** @typedef {import("./grammar.js").Item} Item */
/** @typedef {import("./grammar.js").Part} Part */
/** @typedef {import("./grammar.js").Slot} Slot */
/** @typedef {{from: number, to: number, declares: boolean}} Place where a name is written */
/**
 * @typedef {object} Named something that has a name
 * @property {string} name without the apostrophe of a variable
 * @property {string} kind of a place or a store the word before its name, else "variable", "attribute", "block" or "name"
 * @property {"table" | "player" | ""} owner of a place or a store; "player" for teams, too
 * @property {Place[]} places where it is written, in the order of the text
 * @property {[number, number] | null} scope of a variable: where it can be used
 * @property {string[]} gives what a variable is; empty if that is not known
 * @property {boolean} standard whether a block that comes with the language uses that name
 */
/** @typedef {{named: Named, outer: Scope} | null} Scope the variables that can be used, the innermost first */

/** Return the variable of a name that can be used, undefined if there is none. @param {Scope} scope @param {string} name */
function inScope(scope, name) {
  let one = scope;
  while (one && one.named.name !== name) one = one.outer;
  return one?.named;
}

/** Return what a name names, by the parts that it may be. @param {Slot[]} slots @param {Item[]} items of its group @returns {{kind: string, owner: Named["owner"]}} */
export function roleOf(slots, items) {
  const word = slots.map(wordBefore).find(Boolean);
  if (word) return { kind: word, owner: items[0].items || isVariable(items[0]) ? "player" : "table" };
  if (slots.some(namesBlock)) return { kind: "block", owner: "" };
  const attribute = slots.some(({ part }) => typeof part === "object" && part.kind === "ATTRIBUTE");
  return { kind: attribute ? "attribute" : "name", owner: "" };
}

/** What stands before the setup. @type {import("./grammar.js").Argument} */
const DECLARED = { kind: "DECLARE", takes: ["DECLARE", "DEFINE"], more: false };

/** @typedef {{name: string, parameters: string[], means: string}} Block a named block; ``means``: the comment above its definition */

/** Yield the named blocks that a text defines. @param {Group} root of the text @param {string} text @returns {Generator<Block>} */
function* definitions(root, text) {
  const forms = root.items.flatMap((item) => (item.items?.[0]?.text === "game" ? item.items : [item]));
  for (const { items, from } of forms) {
    const [head, name, parameters] = items ?? [];
    if (head?.text !== "define" || !name || !isName(name) || !parameters?.items) continue;
    const means = commentAbove(text, from).replace(new RegExp(`^${name.text}: *`), "");
    yield {
      name: name.text,
      parameters: parameters.items.filter(isVariable).map(nameOf),
      means: means.charAt(0).toUpperCase() + means.slice(1),
    };
  }
}

/** Return the comment that ends in the line before a position. @param {string} text @param {number} at */
function commentAbove(text, at) {
  const lines = text.slice(0, at).split("\n").slice(0, -1);
  const first = lines.findLastIndex((line) => !/^\s*;;/.test(line)) + 1;
  return lines
    .slice(first)
    .map((line) => line.replace(/^\s*;;+\s*/, "").trimEnd())
    .join(" ");
}

/** @param {{kind: string, owner: string}} role */
const familyOf = ({ kind, owner }) => `${owner} ${kind}`;

export class Names {
  /** @param {Grammar} grammar @param {string} text */
  constructor(grammar, text) {
    this.grammar = grammar;
    this.text = text;
    this.root = opened(text)[0];
    /** @type {Map<string, Named>} everything but variables, by family and name */
    this.found = new Map();
    /** @type {Named[]} */
    this.variables = [];
    /** @type {Set<string>} families of which a name is computed in play: it can be any name of the text */
    this.computed = new Set();
    /** @type {Map<string, Set<string>>} the names that an attribute or a store is used with, by family and name of it */
    this.beside = new Map();
    /** @type {Map<Item, string>} the attribute or store that a group is about */
    this.subjects = new Map();
    this.standard = false; // whether a block that comes with the language is being read
    this.read(this.root, [WHOLE], [], null);
    this.readBlocks();
    this.join();
  }

  /** Read the blocks of the language that the text calls: the names in them are names of the text. */
  readBlocks() {
    this.standard = true;
    for (const { kind, name, places } of this.found.values()) {
      // Those that they call are found while this runs.
      const text = kind === "block" && !places.some(({ declares }) => declares) && this.grammar.blocks[name]?.text;
      if (text) this.read(opened(text)[0], [DECLARED], [], null);
    }
  }

  /** Everything that has a name. @returns {Named[]} */
  get all() {
    return [...new Set(this.found.values()), ...this.variables];
  }

  /** Return the named blocks that can be called, by name: those of the text, and those that come with the language. */
  get blocks() {
    const standard = Object.values(this.grammar.blocks).flatMap(({ text, means }) =>
      [...definitions(opened(text)[0], text)].map((block) => ({ ...block, means })),
    );
    return new Map([...standard, ...definitions(this.root, this.text)].map((block) => [block.name, block]));
  }

  /** Return the block that is called or defined at a position, by its name or by the word before it. @param {number} at */
  blockAt(at) {
    const [head, name] = this.around(at).at(-1)?.items ?? [];
    if (!["call", "define"].includes(head?.text) || !name || at > name.to) return null;
    return this.blocks.get(name.text) ?? null;
  }

  /** Return what is named at a position of the text, and where that name begins and ends. @param {number} at */
  at(at) {
    for (const named of this.all) {
      const place = named.places.find(({ from, to }) => from <= at && at <= to);
      if (place) return { named, place };
    }
    return null;
  }

  /** Return the place where something is declared, or else where it is named first. @param {Named} named */
  definition(named) {
    return named.places.find(({ declares }) => declares) ?? named.places[0];
  }

  /** Return what a new name would be confused with, null if nothing. @param {Named} named @param {string} name */
  rival(named, name) {
    if (named.name === name) return null;
    const { scope } = named;
    const overlaps = (/** @type {Named} */ other) =>
      !scope || !other.scope || (scope[0] < other.scope[1] && other.scope[0] < scope[1]);
    const alike = (/** @type {Named} */ other) =>
      named.kind === "variable" ? other.kind === "variable" && overlaps(other) : this.mayBeSame(named, other);
    return this.all.find((other) => other.name === name && alike(other)) ?? null;
  }

  /** @param {Named} named @param {Named} other */
  mayBeSame(named, other) {
    const families = [named, other].map(familyOf);
    const names = families.filter((family) => family === " name" || this.computed.has(family));
    return families[0] === families[1] || names.length === 2;
  }

  /** Return the variables that can be used at a position, of each name the innermost. @param {number} at */
  visible(at) {
    const open = this.variables.filter(({ scope }) => scope && scope[0] <= at && at <= scope[1]);
    return [...new Map(open.map((named) => [named.name, named])).values()].reverse();
  }

  /** Return the brackets around a position, the outermost first. @param {number} at */
  around(at) {
    return around(this.root, at);
  }

  /** Return the items before a position, for each bracket around it, the outermost first. @param {number} at */
  levels(at) {
    return itemsBefore(this.around(at), at);
  }

  /**
   * Read a group. Returns the variables that it declares for what follows it.
   * @param {Group} group @param {Part[]} parts that it may be @param {Part[]} outer that the group around may be @param {Scope} scope @param {string} [attribute] of the group around
   */
  read(group, parts, outer, scope, attribute = "") {
    const { items } = group;
    let inner = scope;
    /** @type {Named[]} */
    const declared = [];
    const { grammar } = this;
    const values = parts.some((part) => grammar.isUndescribed(part));
    const all = values ? [] : grammar.slotsOf(group, parts);
    const open = (/** @type {Named} */ named, /** @type {number} */ from) => {
      named.scope = [from, group.to];
      inner = { named, outer: inner };
    };
    /** @type {string | undefined} */
    let subject;
    for (const [index, item] of items.entries()) {
      const slots = all[index] ?? [];
      if (item.items) {
        const inside = values ? outer : slots.map(({ part }) => part);
        const first = index === 0 || items[0].items ? "" : items[0].text;
        const own = first && roleOf(all[0] ?? [], items).kind === "attribute" ? first : "";
        for (const named of this.read(/** @type {Group} */ (item), inside, parts, inner, own)) open(named, item.to);
        this.compute(slots, items);
        subject ??= this.subjects.get(item);
      } else if (isVariable(item)) {
        const binding = slots.find(({ part }) => typeof part === "object" && part.kind === "VAR");
        if (!binding) {
          this.use(item, inner);
          this.compute(slots, items);
        } else {
          const named = this.bind(item, items[index - 1], all[index - 1] ?? [], inner);
          if (binding.part === binding.form.parts.at(-1)) declared.push(named);
          else open(named, item.to);
        }
      } else if (isName(item)) {
        const role = roleOf(slots, items);
        const declares = (/** @type {Slot} */ { form }) =>
          defines(form) || form.parts.some((part) => grammar.isUndescribed(part));
        this.add(role, item, values || slots.some(declares));
        if (role.kind !== "name") this.subjects.set(group, `${familyOf(role)} ${item.text}`);
        else if (values && attribute) this.note(` attribute ${attribute}`, item.text);
      }
    }
    subject ??= this.subjects.get(group);
    if (subject && !values)
      for (const [index, item] of items.entries())
        if (isName(item) && roleOf(all[index] ?? [], items).kind === "name") this.note(subject, item.text);
    return declared;
  }

  /** @param {string} subject @param {string} name */
  note(subject, name) {
    const names = this.beside.get(subject) ?? new Set();
    this.beside.set(subject, names.add(name));
  }

  /** @param {{kind: string, owner: Named["owner"]}} role @param {Item} item @param {boolean} declares */
  add(role, item, declares) {
    const key = `${familyOf(role)} ${item.text}`;
    const none = { name: item.text, places: [], scope: null, gives: [], standard: false };
    const named = this.found.get(key) ?? { ...role, ...none };
    this.found.set(key, named);
    if (this.standard) named.standard = true;
    else named.places.push({ from: item.from, to: item.to, declares });
  }

  /** Note that a name is computed here, if it is one. @param {Slot[]} slots @param {Item[]} items */
  compute(slots, items) {
    const role = roleOf(slots, items);
    if (role.kind !== "name") this.computed.add(familyOf(role));
  }

  /** @param {Item} item @param {Item | undefined} over what it is bound to, or a member of @param {Slot[]} slots @param {Scope} scope @returns {Named} */
  bind(item, over, slots, scope) {
    const member = slots.some((slot) => this.grammar.hasMembers(slot));
    const parameter = slots.some(({ part }) => typeof part === "object" && part.kind === "VAR"); // after another one
    const gives = over && !parameter ? this.gives(over, slots, scope) : [];
    /** @type {Named} */
    const named = {
      name: nameOf(item),
      kind: "variable",
      owner: "",
      places: [{ from: item.from, to: item.to, declares: true }],
      scope: null,
      gives: member ? gives.map((one) => this.grammar.members[one]).filter(Boolean) : gives,
      standard: this.standard,
    };
    if (!this.standard) this.variables.push(named);
    return named;
  }

  /** Return what an item gives. @param {Item} item @param {Slot[]} slots @param {Scope} scope @returns {string[]} */
  gives(item, slots, scope) {
    const { grammar } = this;
    const { items } = item;
    if (isVariable(item)) return inScope(scope, nameOf(item))?.gives ?? [];
    if (isName(item)) return ["NAME"];
    if (/^[0-9]/.test(item.text)) return ["NUMBER"];
    if (!items) return grammar.forms.filter(({ shape }) => shape === item.text).map(({ gives }) => gives);
    const wanted = slots.map(({ part }) => part);
    const forms = grammar.bracketForms(wanted, items).filter((form) => grammar.isWhole(form, items));
    const found = new Set(forms.map(({ gives }) => gives).filter((one) => one !== CALL));
    if (![...found].some((one) => grammar.members[one] === "")) return [...found];
    const inside = grammar.slotsOf(/** @type {Group} */ (item), wanted); // it gives what it is made of
    const over = items.findIndex((_, index) => inside[index].some((slot) => grammar.hasMembers(slot)));
    return over < 0 ? [] : this.gives(items[over], inside[over], scope);
  }

  /** @param {Item} item @param {Scope} scope */
  use(item, scope) {
    const name = nameOf(item);
    let named = inScope(scope, name);
    if (!named) {
      const unknown = this.variables.find((one) => one.name === name && !one.places.some(({ declares }) => declares));
      named = unknown ?? { name, kind: "variable", owner: "", places: [], scope: null, gives: [], standard: false };
      if (!unknown) this.variables.push(named);
    }
    named.places.push({ from: item.from, to: item.to, declares: false });
  }

  /** Merge a place whose name may be computed with the name that is computed. */
  join() {
    for (const family of this.computed)
      for (const [key, named] of this.found) {
        const name = this.found.get(` name ${named.name}`);
        if (!key.startsWith(`${family} `) || !name || name === named) continue;
        named.standard ||= name.standard;
        named.places = [...named.places, ...name.places].sort((one, other) => one.from - other.from);
        for (const [other, same] of this.found) if (same === name) this.found.set(other, named);
      }
  }
}
