// @ts-check
/** Creates elements, and updates lists of them from data without rebuilding unchanged ones. */

/** @typedef {string | number | boolean | null | undefined} Value */

/**
 * Create an element. Properties starting with "on" are listeners; `class`, `data-*`, `aria-*` and the like are attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Value | ((event: never) => unknown)>} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else attr(node, name, value);
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

/** Set an attribute, or remove it for null, undefined and false. Does nothing if it is unchanged. @param {Element} node @param {string} name @param {Value} value */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

/** Set the words of a node. Does nothing if it is unchanged. @param {Element} node @param {string} text */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show a dialog above the page. It is removed when it closes. @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** A picture from a sprite in this page (#id) or of another file. @param {string} href @param {string} name class @param {string} [box] */
export function picture(href, name, box = "0 0 100 140") {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("class", name);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", href);
  svg.append(use);
  return svg;
}

/**
 * Update the children of `parent` from `items`: one node for each key, created once and updated each time.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make
 * @param {(node: HTMLElement, item: T) => void} update
 */
export function sync(parent, items, key, make, update) {
  /** @type {Map<string, HTMLElement>} */
  const old = new Map();
  for (const node of /** @type {Iterable<HTMLElement>} */ (parent.children)) old.set(node.dataset.key ?? "", node);
  // Remove first: otherwise all following nodes would be inserted again and lose the focus.
  const stays = new Set(items.map(key));
  for (const [name, node] of old) if (!stays.has(name)) node.remove();
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let node = old.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
    update(node, item);
  }
}

/**
 * A function that says where an element is on the felt, in the felt's own pixels: a preview shows it smaller.
 * @param {HTMLElement} felt @returns {(node: Element) => DOMRect}
 */
export function placesOn(felt) {
  const origin = felt.getBoundingClientRect();
  const scale = origin.width / felt.offsetWidth || 1;
  return (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return new DOMRect((left - origin.left) / scale, (top - origin.top) / scale, width / scale, height / scale);
  };
}
