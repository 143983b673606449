// @ts-check
/** Files that scripts fetch when they need them. Their addresses, named by their content, are in the page. */

/** @type {Record<string, string>} */
const listed = JSON.parse(document.getElementById("assets")?.textContent ?? "{}"); // templates/_assets.html

/** The address of a file. @param {string} path in the folder `static` */
export const asset = (path) => listed[path] ?? `/static/${path}`;

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/** Fetch a style sheet, once. @param {string} path in the folder `static` @returns {Promise<void>} when it has loaded or failed */
export function fetchStyle(path) {
  const known = styles.get(path);
  if (known) return known;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = asset(path);
  document.head.append(style);
  /** @type {Promise<void>} */
  const loaded = new Promise((done) => (style.onload = style.onerror = () => done()));
  styles.set(path, loaded);
  return loaded;
}
