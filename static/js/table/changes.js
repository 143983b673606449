// @ts-check
/** What has changed in a view, as cardsite/server/changes.py tells it, put into the view before. */

/**
 * The view after a change. What has not changed in it is the very same object as before; the view before stays as it is.
 * @template T
 * @param {T} before
 * @param {any} change
 * @returns {T}
 */
export function applyChange(before, change) {
  if (!isObject(change) || Array.isArray(change) || !isObject(before)) return change;
  /** @type {any} */
  const after = Array.isArray(before) ? [...before] : { ...before };
  for (const [key, part] of Object.entries(change)) {
    if (part === null) delete after[key];
    else after[key] = applyChange(after[key], part); // of a list, `length` makes it shorter
  }
  return after;
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => typeof value === "object" && value !== null;
