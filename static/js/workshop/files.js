// @ts-check
/** Import and download of texts and their table files. */
import { t } from "../i18n.js";
import { h } from "../table/dom.js";

/** @typedef {{source?: string, table?: string}} Imported a text, its table file, or both */
/** @typedef {{name: string, size: number, arrayBuffer: () => Promise<ArrayBuffer>}} FileLike */

const KINDS = { rcy: "source", txt: "source", toml: "table" };
const BYTES = 4; // of a character in UTF-8, at most
// biome-ignore lint/suspicious/noControlCharactersInRegex: a file with these is not a text
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f]/;

/** Return the contents of files, or why they cannot be imported. @param {FileLike[]} files @param {number} most characters of each @returns {Promise<Imported | {why: string}>} */
export async function imported(files, most) {
  /** @type {Imported} */
  const found = {};
  for (const file of files) {
    const end = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
    const kind = /** @type {"source" | "table" | undefined} */ (KINDS[/** @type {keyof typeof KINDS} */ (end)]);
    const args = { file: file.name, n: most };
    if (!kind)
      return { why: t("{file} was not imported: it is neither a text (.rcy) nor a table file (.toml).", args) };
    if (kind in found)
      return { why: t("Nothing was imported: choose one text (.rcy), and its table file (.toml) if it has one.") };
    const large = t("{file} was not imported: a text may have at most {n} characters.", args);
    if (file.size > BYTES * most) return { why: large };
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch (error) {
      if (!(error instanceof TypeError)) return { why: t("{file} cannot be read. Choose it again.", args) };
      return {
        why: t(
          "{file} was not imported: it is not in UTF-8. Save it as UTF-8 in your editor, then import it again.",
          args,
        ),
      };
    }
    if (CONTROLS.test(text))
      return { why: t("{file} was not imported: it contains control characters, so it is not a text file.", args) };
    if (text.length > most) return { why: large };
    found[kind] = text.replace(/\r\n?/g, "\n");
  }
  return found;
}

/** Let files be chosen. @param {(files: File[]) => void} chosen */
export function choose(chosen) {
  const input = h("input", {
    type: "file",
    accept: Object.keys(KINDS)
      .map((end) => `.${end}`)
      .join(),
    multiple: true,
  });
  input.addEventListener("change", () => input.files?.length && chosen([...input.files]));
  input.click();
}

/** Let files be dropped anywhere on an element, which has ``data-drop`` while they are over it. @param {HTMLElement} root @param {(files: File[]) => void} dropped */
export function takeDrops(root, dropped) {
  const over = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation(); // the editor would insert them at the cursor
    root.toggleAttribute("data-drop", event.type !== "drop");
    if (event.type === "drop") dropped([...event.dataTransfer.files]);
  };
  for (const name of /** @type {const} */ (["dragenter", "dragover", "drop"])) root.addEventListener(name, over, true);
  root.addEventListener("dragleave", (event) => {
    if (!root.contains(/** @type {Node | null} */ (event.relatedTarget))) root.removeAttribute("data-drop");
  });
}

/** Download a text. @param {string} title of the game @param {"rcy" | "toml"} end @param {string} text */
export function download(title, end, text) {
  const name = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: `${name || "game"}.${end}` }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
