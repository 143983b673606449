// @ts-check
/** Completion: the forms of the language that fit at the cursor, and the names of the text that can be used there. */
import { snippetCompletion } from "../../vendor/codemirror.js";
import { CALL, defines, inBrackets, itemsBefore, namesBlock } from "./grammar.js";
import { roleOf } from "./names.js";

/** @typedef {import("./grammar.js").Item} Item */
/** @typedef {import("./grammar.js").Slot} Slot */
/** @typedef {import("./names.js").Named} Named */
/** @typedef {import("./names.js").Names} Names */
/** @typedef {import("./names.js").Block} Block */
/** @typedef {{label: string, type: string, boost: number, detail?: string}} Offer */

/** Return the names that can be used at a position, the likeliest with the highest boost. @param {Names} names @param {number} at @param {Slot[]} slots @returns {Offer[]} */
export function namesFor(names, at, slots) {
  const { grammar } = names;
  const groups = names.around(at);
  const items = itemsBefore(groups, at).at(-1) ?? [];
  const takes = new Set(slots.flatMap(({ part }) => (typeof part === "string" ? [] : part.takes)));
  const others = names.all.filter(({ places }) => places.some(({ from, to }) => at < from || to < at)); // not what is being typed
  /** @type {Offer[]} */
  const offers = [];
  if (takes.has("NAME")) {
    const roles = slots
      .filter(({ form, part }) => typeof part === "object" && part.takes.includes("NAME") && !defines(form))
      .map((slot) => roleOf([slot], items));
    const subject =
      [...items]
        .reverse()
        .map((item) => names.subjects.get(item))
        .find(Boolean) ?? names.subjects.get(groups[groups.length - 1]);
    const beside = (subject && names.beside.get(subject)) || new Set();
    for (const { name, kind, owner } of others) {
      const role = roles.find((one) => one.kind === kind);
      if (!role) continue;
      const near = kind === "name" ? beside.has(name) : owner === role.owner;
      if (kind === "name" && beside.size && !near && subject?.startsWith(" attribute")) continue;
      offers.push({ label: name, type: "constant", boost: near ? 60 : 30, ...(owner ? { detail: kind } : {}) });
    }
    const own = new Set(offers.map(({ label }) => label));
    if (slots.some((slot) => namesBlock(slot) && !defines(slot.form)))
      for (const name of Object.keys(grammar.blocks))
        if (!own.has(name)) offers.push({ label: name, type: "constant", boost: 20 });
  }
  for (const { name, gives } of names.visible(at)) {
    const fits = gives.some((one) => takes.has(one) || takes.has(grammar.members[one]));
    if (takes.size && (fits || !gives.length))
      offers.push({ label: `'${name}`, type: "variable", boost: fits ? 50 : 10 });
  }
  return offers;
}

/** Offer to call a block, with a gap for each of its parts. @param {Block} block @param {number} boost @param {string} prefix what is written before its name */
function callOf({ name, parameters, means }, boost, prefix = "") {
  const gaps = parameters.map((parameter, index) => ` \${${index + 1}:${parameter}}`);
  return snippetCompletion(`${prefix}${name}${gaps.join("")}`, {
    label: `${prefix}${name}`,
    detail: parameters.join(" "),
    info: means || undefined,
    type: "function",
    boost,
  });
}

/** Complete what is typed. @param {(state: any) => Names} namesOf */
export const completion = (namesOf) => (/** @type {any} */ context) => {
  const typed = context.matchBefore(/'?[A-Za-z]*/);
  if (!typed || /;;[^\n]*$/.test(context.state.sliceDoc(context.state.doc.lineAt(typed.from).from, typed.from)))
    return null;
  const names = namesOf(context.state);
  const { grammar } = names;
  const levels = names.levels(typed.from);
  const slots = grammar.expected(levels);
  const onlyNames =
    slots.length > 0 &&
    slots.every((slot) => roleOf([slot], [{ text: "", from: 0, to: 0, items: [] }]).kind !== "name");
  if (typed.from === typed.to && !context.explicit && !onlyNames) return null;
  const blocks = slots.some((slot) => namesBlock(slot) && !defines(slot.form)) ? names.blocks : new Map();
  const follows = names
    .around(typed.from)
    .at(-1)
    ?.items.some(({ from }) => from > context.pos);
  const own = namesFor(names, typed.from, slots).map((offer) => {
    const block = follows ? null : blocks.get(offer.label); // the parts of a call that stand there are kept
    return block ? callOf(block, offer.boost) : offer;
  });
  const opened = context.state.sliceDoc(typed.from - 1, typed.from) === "(";
  const around = (opened ? grammar.expected(levels.slice(0, -1)) : slots).map(({ part }) => part);
  const fitting = around.length ? grammar.fitting(around).filter(inBrackets) : grammar.bracketed;
  const forms = fitting.filter(({ gives }) => opened || gives !== CALL); // calls fit everywhere: only if one opens brackets
  const inside = forms.map(({ shape, snippet, means, gives }) =>
    snippetCompletion(opened ? snippet : `(${snippet})`, {
      label: shape.slice(1, -1),
      type: "keyword",
      info: means,
      boost: gives === CALL ? -10 : 0,
    }),
  );
  if (opened && forms.some(({ gives }) => gives === CALL))
    inside.push(...[...names.blocks.values()].map((block) => callOf(block, -5, "call ")));
  const parts = slots.map(({ part }) => part);
  const words = parts.filter(
    (part) => typeof part === "string" && !(opened && forms.some((form) => form.parts[0] === part)),
  );
  const plain = [
    ...new Set([
      ...words,
      ...grammar
        .fitting(parts)
        .filter((form) => !inBrackets(form))
        .map(({ shape }) => shape),
    ]),
  ];
  return {
    from: typed.from,
    options: /^'|^[A-Z]/.test(typed.text)
      ? own
      : [...plain.map((label) => ({ label, type: "text", boost: 20 })), ...inside, ...own],
    validFor: /^'?[A-Za-z]*$/,
  };
};
