// @ts-check
/** A grid of cells: signs for light and gazes on them, and the path that is being drawn over them. */
import { t } from "../../i18n.js";
import { attr, h, sync, write } from "../dom.js";
import { spoken } from "../text.js";
import { looksOf, nextOf, piecesOf, shutOf } from "../path.js";
import { aim, drawPieces } from "../zones.js";

/** @typedef {import("../types.js").Space} Space */
/** @typedef {import("../types.js").Grid} Grid */
/** @typedef {import("../zones.js").Touch} Touch */

const SPACE = "http://www.w3.org/2000/svg";
const CORE = 0.66; // the part of a card's width at which a drag counts, so that a diagonal does not touch a third card

/** The words for a mark; the mark itself if it is unknown. @param {string} mark */
function markWords(mark) {
  const [kind, what] = mark.split("-");
  if (kind === "alert") return t("alert {n}", { n: what });
  /** @type {Record<string, string>} */
  const known = {
    lit: t("in the light"),
    watched: t("watched"),
    "looks-north": t("looks up"),
    "looks-south": t("looks down"),
    "looks-east": t("looks right"),
    "looks-west": t("looks left"),
  };
  return known[mark] ?? mark;
}

/** The cells with the path that is being drawn applied. @param {Grid} grid @param {Touch} touch @returns {Space[]} */
export function cellsOf(grid, touch) {
  const looks = touch.path ? looksOf(touch.path) : new Map();
  return grid.cells.map((cell, place) => {
    const look = looks.get(place);
    return look
      ? { ...cell, marks: look.marks, pieces: cell.pieces.map((piece) => ({ ...piece, badge: look.badge })) }
      : cell;
  });
}

/** @param {HTMLElement} node @param {Space} space @param {Touch} touch */
export function updateCell(node, space, touch) {
  const [label, stack] = /** @type {HTMLElement[]} */ ([...node.children]);
  attr(node, "data-marks", space.marks.join(" ") || null);
  attr(label, "aria-hidden", "true");
  const words = [...(space.label ? [spoken(space.label, touch.names)] : []), ...space.marks.map(markWords)];
  sync(
    label,
    space.marks,
    (mark) => mark,
    (mark) =>
      h("span", {
        class: "mark-sign",
        "data-sign": mark.split("-")[0],
        "data-mark": mark,
        "data-words": markWords(mark),
      }),
    (sign, mark) => write(sign, mark.startsWith("alert") ? "!".repeat(Number(mark.split("-")[1])) : ""),
  );
  const { path } = touch;
  const on = path ? piecesOf(path) : [];
  const next = path ? nextOf(path) : new Map();
  const shut = path ? shutOf(path) : new Map();
  drawPieces(stack, space.pieces, touch, ({ id }) => {
    const place = on.indexOf(id);
    const refusal = shut.get(id);
    return {
      words: [
        ...words,
        ...(place >= 0 ? [t("number {n} on your path", { n: place + 1 })] : []),
        ...(refusal ? [spoken(refusal.text, touch.names)] : []),
      ],
      path: touch.picked.length ? null : place >= 0 ? "on" : next.has(id) ? "next" : refusal ? "shut" : null,
      order: place >= 0 ? place + 1 : null,
    };
  });
  attr(stack, "aria-label", words.join(", ") || null);
  aim(node, `zone:${space.id}`, words.join(", ") || space.id, touch);
}

/** The line of the path over the cells. @param {HTMLElement} node @param {Grid} grid @param {Touch} touch */
export function drawPath(node, grid, touch) {
  const svg = node.querySelector(":scope > .path") ?? node.appendChild(makeLine());
  const rows = Math.ceil(grid.cells.length / grid.columns);
  attr(svg, "viewBox", `0 0 ${grid.columns} ${rows}`);
  const cellOf = (/** @type {string} */ piece) =>
    grid.cells.findIndex((cell) => cell.pieces.some((one) => one.id === piece));
  const on = touch.path ? piecesOf(touch.path) : [];
  const start = grid.cells.findIndex((cell) =>
    cell.pieces.some((piece) => !Object.values(touch.path?.paths.pieces ?? {}).includes(piece.id)),
  );
  const points = on.length ? [start, ...on.map(cellOf)].filter((cell) => cell >= 0) : [];
  const middle = (/** @type {number} */ cell) =>
    `${(cell % grid.columns) + 0.5} ${Math.floor(cell / grid.columns) + 0.5}`;
  attr(
    /** @type {Element} */ (svg.firstElementChild),
    "d",
    points.map((cell, i) => `${i ? "L" : "M"}${middle(cell)}`).join(""),
  );
}

function makeLine() {
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "path");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("preserveAspectRatio", "none");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("vector-effect", "non-scaling-stroke");
  svg.append(path);
  return svg;
}

/** Let the arrow keys move over the cells. @param {HTMLElement} from @param {string} key @returns {boolean} whether there is a grid to go over */
export function goOverGrid(from, key) {
  const board = /** @type {HTMLElement | null} */ (from.closest(".board-grid"));
  if (!board) return false;
  const cells = [...board.querySelectorAll(".space")];
  const columns = Number(board.style.getPropertyValue("--columns"));
  const at = cells.indexOf(/** @type {Element} */ (from.closest(".space")));
  const [row, column] = [Math.floor(at / columns), at % columns];
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] ?? [0, 0];
  for (let step = 1; step < columns; step++) {
    const [to, aside] = [row + down * step, column + right * step];
    if (aside < 0 || aside >= columns) break;
    const piece = /** @type {HTMLElement | null | undefined} */ (
      cells[to * columns + aside]?.querySelector("[data-piece]")
    );
    if (!piece) continue;
    piece.focus();
    break;
  }
  return true;
}

/**
 * Let players draw a path by dragging from card to card, with a finger or a mouse.
 * @param {HTMLElement} felt @param {(piece: string) => void} step called with each piece that is passed over
 */
export function drawByDragging(felt, step) {
  let from = "";
  let dragged = false;
  const pieceAt = (/** @type {PointerEvent} */ event) => {
    const card = /** @type {HTMLElement | null | undefined} */ (
      document.elementFromPoint(event.clientX, event.clientY)?.closest(".board-grid [data-piece]")
    );
    if (!card) return "";
    const box = card.getBoundingClientRect();
    const off = Math.max(
      Math.abs(event.clientX - box.left - box.width / 2) / box.width,
      Math.abs(event.clientY - box.top - box.height / 2) / box.height,
    );
    return off * 2 <= CORE ? (card.dataset.piece ?? "") : "";
  };
  felt.addEventListener("pointerdown", (event) => {
    dragged = false;
    const card = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest(".board-grid[data-path] [data-piece]")
    );
    from = card?.dataset.piece ?? "";
  });
  felt.addEventListener("pointermove", (event) => {
    if (!from) return;
    const piece = pieceAt(event);
    if (!piece || piece === from) return;
    if (!dragged) step(from);
    dragged = true;
    step(piece);
    from = piece;
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (from = ""));
  // The end of a drag does not count as a tap.
  felt.addEventListener("click", (event) => dragged && event.stopImmediatePropagation(), true);
}
