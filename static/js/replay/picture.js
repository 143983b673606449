// @ts-check
/**
 * A screenshot of a part of the page: the page is serialized as one SVG without external references, drawn as an image,
 * and cropped.
 *
 * An image loads nothing, so everything that the page refers to is inlined: the style rules that apply now, symbols of
 * other files, pictures. It is as large as the window, so that sizes relative to the window stay the same.
 */

const SVG = "http://www.w3.org/2000/svg";
const SHARP = 2; // pixels of the picture for each pixel of the page, at least

/** @param {Element} part @returns {Promise<Blob>} a PNG */
export async function pictureOf(part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  const sharp = Math.max(SHARP, devicePixelRatio);
  const image = new Image(innerWidth, innerHeight);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await pageAsSvg())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(image, -left * sharp, -top * sharp, innerWidth * sharp, innerHeight * sharp);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("nothing was drawn"))), "image/png"),
  );
}

async function pageAsSvg() {
  const page = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  for (const gone of page.querySelectorAll("script, noscript, link, style, dialog, meta, iframe")) gone.remove();
  const styles = document.createElement("style");
  styles.textContent = await rulesNow();
  page.querySelector("head")?.append(styles);
  await Promise.all([takeSymbols(page), takePictures(page)]);
  const svg = document.createElementNS(SVG, "svg");
  // Styles for the root of the page apply to the root of the picture.
  for (const { name, value } of document.documentElement.attributes) svg.setAttribute(name, value);
  svg.setAttribute("width", String(innerWidth));
  svg.setAttribute("height", String(innerHeight));
  svg.style.colorScheme = getComputedStyle(document.documentElement).colorScheme.includes(" ")
    ? matchMedia("(prefers-color-scheme: dark)").matches
      ? "dark"
      : "light"
    : "";
  const whole = document.createElementNS(SVG, "foreignObject");
  whole.setAttribute("width", "100%");
  whole.setAttribute("height", "100%");
  whole.append(page);
  svg.append(whole);
  return new XMLSerializer().serializeToString(svg);
}

/** The rules of all styles that apply to a window like this one. */
async function rulesNow() {
  const parts = [...document.styleSheets].map((sheet) =>
    withFiles(applying(sheet.cssRules), sheet.href ?? location.href),
  );
  return (await Promise.all(parts)).join("\n");
}

/** @param {CSSRuleList} rules @returns {string} */
function applying(rules) {
  return [...rules]
    .map((rule) => {
      if (rule instanceof CSSMediaRule) return matchMedia(rule.conditionText).matches ? applying(rule.cssRules) : "";
      if (rule instanceof CSSImportRule) return rule.styleSheet ? applying(rule.styleSheet.cssRules) : "";
      return rule.cssText;
    })
    .join("\n");
}

/** Inline the files that styles refer to. @param {string} css @param {string} base address of the style */
async function withFiles(css, base) {
  const urls = new Set(
    [...css.matchAll(/url\("([^"]+)"\)/g)]
      .map((match) => match[1])
      .filter((url) => !url.startsWith("data:") && !url.startsWith("#")),
  );
  for (const url of urls) css = css.replaceAll(`url("${url}")`, `url("${await asData(new URL(url, base).href)}")`);
  return css;
}

/** Inline symbols of other files. @param {HTMLElement} page */
async function takeSymbols(page) {
  /** @type {Map<string, Promise<Document>>} */
  const files = new Map();
  const store = document.createElementNS(SVG, "svg");
  store.setAttribute("width", "0");
  store.setAttribute("height", "0");
  store.setAttribute("style", "position: absolute");
  /** @type {Set<string>} */
  const taken = new Set();
  for (const use of page.querySelectorAll("use")) {
    const [file, id] = (use.getAttribute("href") ?? "").split("#");
    if (!file || !id) continue;
    const url = new URL(file, location.href).href;
    if (!files.has(url)) files.set(url, read(url));
    const name = `of-another-file-${[...files.keys()].indexOf(url)}`;
    if (!taken.has(name)) {
      // The whole file: a symbol may refer to others beside it.
      taken.add(name);
      const drawn = await /** @type {Promise<Document>} */ (files.get(url));
      for (const part of drawn.querySelectorAll("[id]")) rename(drawn, part.id, `${name}-${part.id}`);
      store.append(...[...drawn.documentElement.children].map((child) => document.importNode(child, true)));
    }
    use.setAttribute("href", `#${name}-${id}`);
  }
  page.querySelector("body")?.append(store);
}

/** @param {Document} drawn @param {string} before @param {string} after */
function rename(drawn, before, after) {
  for (const one of drawn.querySelectorAll("*")) {
    for (const { name, value } of [...one.attributes]) {
      if (name === "id" && value === before) one.setAttribute(name, after);
      else if (value === `#${before}`) one.setAttribute(name, `#${after}`);
      else if (value.includes(`url(#${before})`))
        one.setAttribute(name, value.replaceAll(`url(#${before})`, `url(#${after})`));
    }
  }
}

/** @param {string} url */
async function read(url) {
  return new DOMParser().parseFromString(await (await fetch(url)).text(), "image/svg+xml");
}

/** @param {HTMLElement} page */
async function takePictures(page) {
  await Promise.all(
    [...page.querySelectorAll("img")].map(async (image) =>
      image.setAttribute("src", await asData(new URL(image.getAttribute("src") ?? "", location.href).href)),
    ),
  );
}

/** A file as a data URL. @param {string} url @returns {Promise<string>} */
async function asData(url) {
  const blob = await (await fetch(url)).blob();
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}

/**
 * Copy a picture to the clipboard, or save it as a file if that is not possible.
 * @param {Promise<Blob>} picture @param {string} name of the file @returns {Promise<"copied" | "saved">}
 */
export async function shareOrSave(picture, name) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return "copied";
  } catch {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await picture);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return "saved";
  }
}
