// @ts-check
/** Addresses of files that scripts fetch when they need them: named by their content, as the page lists them. */

/** @type {Record<string, string>} */
const listed = JSON.parse(document.getElementById("assets")?.textContent ?? "{}"); // templates/_assets.html

/** @param {string} path in the folder `static` */
export const asset = (path) => listed[path] ?? `/static/${path}`;
