// @ts-check
/**
 * Things travel. The page is already as it will be; what is animated is only how it looks on the way there
 * (transform and opacity), so nothing waits for a card and every tap counts at once.
 */

/** @typedef {import("./types.js").Motion} Motion */
/** @typedef {{rect: DOMRect, zone: string, up: boolean}} Spot */
/** @typedef {{pieces: Map<string, Spot>, zones: Map<string, DOMRect>, looks: Map<string, HTMLElement>}} Picture */

const TRAVEL = 260;
const STAGGER = 70;
const LONGEST_STAGGER = 900;
const EASE = "cubic-bezier(.3,.7,.25,1)";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

/** Where everything lies now. @param {Element} root @returns {Picture} */
export function capture(root) {
  /** @type {Picture} */
  const picture = { pieces: new Map(), zones: new Map(), looks: new Map() };
  for (const zone of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-zone]"))) {
    const id = zone.dataset.zone ?? "";
    picture.zones.set(id, spotOf(zone));
    for (const piece of /** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll("[data-piece]"))) {
      picture.pieces.set(piece.dataset.piece ?? "", { rect: piece.getBoundingClientRect(), zone: id, up: piece.dataset.up === "yes" });
      picture.looks.set(piece.dataset.piece ?? "", piece);
    }
  }
  return picture;
}

/** The middle of a zone, as large as one of its cards. @param {Element} zone */
function spotOf(zone) {
  const last = zone.querySelector("li:last-child [data-piece]") ?? zone.querySelector(".pieces") ?? zone;
  return last.getBoundingClientRect();
}

/**
 * Let everything travel from where it lay to where it lies.
 * @param {Element} root
 * @param {Picture} before
 * @param {Motion[]} motions what the log says has travelled, in order
 * @returns {Set<string>} ids of the pieces that moved or turned
 */
export function travel(root, before, motions) {
  const after = capture(root);
  /** @type {Set<string>} */
  const moved = new Set();
  /** @type {{id: string, from: DOMRect, turn: boolean}[]} */
  const flights = [];
  /** @type {Map<string, string[]>} fresh pieces by zone, not yet explained */
  const fresh = new Map();
  const gone = new Set([...before.pieces.keys()].filter((id) => !after.pieces.has(id)));

  for (const [id, spot] of after.pieces) {
    const old = before.pieces.get(id);
    if (!old) fresh.set(spot.zone, [...(fresh.get(spot.zone) ?? []), id]);
    else if (old.zone !== spot.zone) {
      flights.push({ id, from: old.rect, turn: old.up !== spot.up });
      moved.add(id);
    } else if (old.up !== spot.up) {
      flights.push({ id, from: spot.rect, turn: true });
      moved.add(id);
    } else if (far(old.rect, spot.rect)) flights.push({ id, from: old.rect, turn: false });
  }

  /** @type {{look: HTMLElement | undefined, from: DOMRect, to: DOMRect}[]} */
  const ghosts = [];
  for (const { source, target } of motions) {
    const from = before.zones.get(source) ?? after.zones.get(source);
    const to = after.zones.get(target);
    if (!from || !to || source === target) continue;
    // A piece that kept its id has been seen to travel by itself.
    const same = [...moved].some((id) => before.pieces.get(id)?.zone === source && after.pieces.get(id)?.zone === target);
    if (same) continue;
    const newcomer = fresh.get(target)?.shift();
    const leaver = [...gone].find((id) => before.pieces.get(id)?.zone === source);
    if (leaver) gone.delete(leaver);
    if (newcomer) {
      const start = leaver ? before.pieces.get(leaver) : undefined;
      flights.push({ id: newcomer, from: start?.rect ?? from, turn: !!after.pieces.get(newcomer)?.up && !(start?.up ?? false) });
      moved.add(newcomer);
      continue;
    }
    // Face-down cards keep no id: the one that lies there now is shown to arrive.
    const resting = [...after.pieces].find(([id, spot]) => spot.zone === target && !spot.up && !moved.has(id) && before.pieces.get(id)?.zone === target);
    if (resting) {
      flights.push({ id: resting[0], from, turn: false });
      moved.add(resting[0]);
    } else ghosts.push({ look: leaver ? before.looks.get(leaver) : lookIn(root, source) ?? lookIn(root, target), from: leaver ? /** @type {Spot} */ (before.pieces.get(leaver)).rect : from, to });
  }

  // A card that appears where a face-down one lay has been turned over.
  for (const [zone, ids] of fresh) {
    for (const id of ids) {
      const turned = [...gone].find((other) => before.pieces.get(other)?.zone === zone);
      if (!turned) continue;
      gone.delete(turned);
      const old = /** @type {Spot} */ (before.pieces.get(turned));
      flights.push({ id, from: old.rect, turn: old.up !== after.pieces.get(id)?.up });
      moved.add(id);
    }
  }

  if (still()) return moved;
  const pause = Math.min(STAGGER, LONGEST_STAGGER / Math.max(1, flights.length + ghosts.length));
  let wait = 0;
  for (const { id, from, turn } of flights) {
    const node = after.looks.get(id);
    const spot = after.pieces.get(id);
    if (node && spot) fly(node, from, spot.rect, turn, moved.has(id) ? (wait += pause) - pause : 0);
  }
  for (const { look, from, to } of ghosts) if (look) haunt(look, from, to, (wait += pause) - pause);
  return moved;
}

/** @param {DOMRect} a @param {DOMRect} b */
function far(a, b) {
  return Math.abs(a.left - b.left) > 1 || Math.abs(a.top - b.top) > 1;
}

/** A face-down card of a zone, to be the picture of one that left it. @param {Element} root @param {string} zone */
function lookIn(root, zone) {
  return /** @type {HTMLElement | undefined} */ (root.querySelector(`[data-zone="${CSS.escape(zone)}"] [data-piece][data-up=no]`) ?? undefined);
}

/** @param {DOMRect} from @param {DOMRect} to */
function shift(from, to) {
  const scale = to.width ? from.width / to.width : 1;
  return `translate(${from.left + from.width / 2 - to.left - to.width / 2}px, ${from.top + from.height / 2 - to.top - to.height / 2}px) scale(${scale || 1})`;
}

/** @param {HTMLElement} node @param {DOMRect} from @param {DOMRect} to @param {boolean} turn @param {number} delay */
function fly(node, from, to, turn, delay) {
  const start = shift(from, to);
  const frames = turn
    ? [
        { transform: `${start} rotateY(-180deg)`, filter: "brightness(.75)" },
        { transform: "none", filter: "none" },
      ]
    : [{ transform: start }, { transform: "none" }];
  const item = node.closest("li");
  if (item) item.style.zIndex = "5";
  const flight = node.animate(frames, { duration: TRAVEL + (turn ? 60 : 0), delay, easing: EASE, fill: "backwards" });
  flight.onfinish = flight.oncancel = () => item && (item.style.zIndex = "");
}

/** A card is seen to go where none stays visible. @param {HTMLElement} look @param {DOMRect} from @param {DOMRect} to @param {number} delay */
function haunt(look, from, to, delay) {
  const ghost = /** @type {HTMLElement} */ (look.cloneNode(true));
  for (const name of ["data-piece", "role", "tabindex", "data-legal", "data-picked", "data-lit"]) ghost.removeAttribute(name);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px` });
  document.body.append(ghost);
  const flight = ghost.animate([{ transform: shift(from, to), opacity: 1 }, { opacity: 1, offset: 0.85 }, { transform: "none", opacity: 0 }], {
    duration: TRAVEL,
    delay,
    easing: EASE,
    fill: "backwards",
  });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
