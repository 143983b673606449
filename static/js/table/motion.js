// @ts-check
/**
 * Animation of moves. The page is already in its final state; only its appearance is animated
 * (transform and opacity), so nothing waits for a card and every tap is handled at once.
 */

import { route } from "./boards/track.js";
import { picture, placesOn } from "./dom.js";

/** @typedef {import("./types.js").Motion} Motion */
/** @typedef {{rect: DOMRect, zone: string, up: boolean}} Spot */
/** @typedef {{pieces: Map<string, Spot>, zones: Map<string, DOMRect>, piles: Set<string>, looks: Map<string, HTMLElement>}} Picture */

const TRAVEL = 260;
const STAGGER = 70;
const LONGEST_STAGGER = 900;
const A_SPACE = 140; // spaces of a track
const LONGEST_RIDE = 820;
const LONGEST_FLIGHT = 2000; // from its start, with what it waits for others
const EASE = "cubic-bezier(.3,.7,.25,1)";

/** Pieces that are being animated. @type {Set<Animation>} */
const underWay = new Set();
/** @type {Set<() => void>} */
const waiting = new Set();

/** Whether pieces are being animated. */
export const moving = () => underWay.size > 0;

/** Call `listener` whenever the last piece that was animated is in its place. @param {() => void} listener */
export const whenLanded = (listener) => void waiting.add(listener);

// A click or a key press ends a long animation.
const finish = () => {
  for (const flight of underWay) flight.finish();
};
for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, finish, true);

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

/** The current positions of everything, on the felt. @param {HTMLElement} root the felt @returns {Picture} */
export function capture(root) {
  const place = placesOn(root);
  /** @type {Picture} */
  const seen = { pieces: new Map(), zones: new Map(), piles: new Set(), looks: new Map() };
  for (const zone of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-zone]"))) {
    const id = zone.dataset.zone ?? "";
    seen.zones.set(id, place(spotOf(zone)));
    if (zone.dataset.layout === "pile") seen.piles.add(id);
    for (const piece of /** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll("[data-piece]"))) {
      seen.pieces.set(piece.dataset.piece ?? "", {
        rect: place(piece),
        zone: id,
        up: piece.dataset.up === "yes",
      });
      seen.looks.set(piece.dataset.piece ?? "", piece);
    }
  }
  return seen;
}

/** What stands for a zone: the last of its cards. @param {Element} zone */
function spotOf(zone) {
  return zone.querySelector("li:last-child [data-piece]") ?? zone.querySelector(".pieces") ?? zone;
}

/**
 * Something that is animated: an element of the page, or a copy of one that was removed.
 * @typedef {{id?: string, look?: HTMLElement, from: DOMRect, to?: DOMRect, flip?: boolean, back?: Element, shove?: boolean, stops?: {x: number, y: number}[]}} Flight
 */

/**
 * Return movements without places that are not on the screen: what is put there and taken away at once, such as cards
 * that all players pass on at the same time, goes straight on.
 * @param {Motion[]} motions @param {(zone: string) => boolean} drawn
 */
function direct(motions, drawn) {
  const rest = [...motions];
  const found = [];
  for (let motion = rest.shift(); motion; motion = rest.shift()) {
    const { target } = motion;
    const next = drawn(target) ? -1 : rest.findIndex(({ source }) => source === target);
    if (next < 0) found.push(motion);
    else rest.unshift({ ...motion, target: rest.splice(next, 1)[0].target });
  }
  return found;
}

/**
 * Animate every piece from its old place to its new one.
 * @param {HTMLElement} root the felt
 * @param {Picture} before
 * @param {Motion[]} motions movements from the log, in order
 * @returns {Set<string>} ids of the pieces that were moved
 */
export function travel(root, before, motions) {
  // `before` has the moving pieces where they were seen; from here on everything is in its final place.
  for (const flight of underWay) flight.cancel();
  const after = capture(root);
  /** @type {Set<string>} */
  const moved = new Set();
  /** @type {Flight[]} */
  const flights = [];
  /** @type {Map<string, string[]>} pieces by zone whose coming is not yet explained */
  const fresh = new Map();
  const removed = new Set([...before.pieces.keys()].filter((id) => !after.pieces.has(id)));
  const lay = (/** @type {string} */ id) => /** @type {Spot} */ (before.pieces.get(id));

  for (const [id, spot] of after.pieces) {
    const old = before.pieces.get(id);
    if (!old) fresh.set(spot.zone, [...(fresh.get(spot.zone) ?? []), id]);
    else if (old.zone !== spot.zone) {
      const via = motions.find(({ source, target }) => source === old.zone && target === spot.zone)?.via;
      flights.push({
        id,
        from: old.rect,
        flip: old.up !== spot.up,
        stops: route(root, old.zone, spot.zone, via),
      });
      moved.add(id);
    } else if (old.up !== spot.up) flights.push({ id, from: spot.rect, flip: true });
    else if (far(old.rect, spot.rect)) flights.push({ id, from: old.rect, shove: true });
  }

  for (const { source, target } of direct(motions, (zone) => before.zones.has(zone) || after.zones.has(zone))) {
    const from = before.zones.get(source) ?? after.zones.get(source);
    const to = after.zones.get(target);
    if (!from || !to || source === target) continue;
    // A piece that kept its id is animated by itself.
    if ([...moved].some((id) => before.pieces.get(id)?.zone === source && after.pieces.get(id)?.zone === target))
      continue;
    const newcomer = fresh.get(target)?.shift();
    const leaver = [...removed].findLast((id) => lay(id).zone === source);
    if (leaver) removed.delete(leaver);
    const start = leaver ? lay(leaver).rect : from;
    const back = backOf(leaver ? before.looks.get(leaver) : lookIn(root, source));
    if (newcomer) {
      flights.push({
        id: newcomer,
        from: start,
        flip: !!after.pieces.get(newcomer)?.up && !(leaver && lay(leaver).up),
        back,
      });
      moved.add(newcomer);
      continue;
    }
    // Face-down cards have no lasting id: the card that is there now is shown arriving. In a pile nothing is shown.
    const resting = after.piles.has(target)
      ? undefined
      : [...after.pieces].find(([id, spot]) => spot.zone === target && !spot.up && !moved.has(id));
    if (resting) {
      flights.push({ id: resting[0], from });
      moved.add(resting[0]);
    } else
      flights.push({
        look: (leaver && before.looks.get(leaver)) || lookIn(root, source) || lookIn(root, target),
        from: start,
        to,
      });
  }

  // A card that appears instead of a face-down one was turned over.
  for (const [zone, ids] of fresh) {
    for (const id of ids) {
      const faceDown = [...removed].find((other) => lay(other).zone === zone);
      if (!faceDown) continue;
      removed.delete(faceDown);
      flights.push({
        id,
        from: lay(faceDown).rect,
        flip: lay(faceDown).up !== after.pieces.get(id)?.up,
        back: backOf(before.looks.get(faceDown)),
      });
    }
  }

  flights.push(...swept(root, before, removed));
  if (still()) return moved;
  const pause = Math.min(STAGGER, LONGEST_STAGGER / Math.max(1, flights.length));
  let wait = 0;
  for (const { id, look, from, to, flip, back, shove, stops } of flights) {
    const node = id ? after.looks.get(id) : undefined;
    if (node && id && stops?.length) {
      ride(node, from, /** @type {Spot} */ (after.pieces.get(id)).rect, stops); // together with all it carries
      continue;
    }
    if (node && id)
      fly(
        node,
        from,
        /** @type {Spot} */ (after.pieces.get(id)).rect,
        flip ? (back ?? picture("#back-plain", "piece-art")) : null,
        shove ? 0 : wait,
      );
    else if (look && to) flyCopy(root, look, from, to, wait);
    if (!shove) wait += pause;
  }
  return moved;
}

/**
 * The cards of a trick that was won, on their way to its winner, when the next one begins.
 * @param {HTMLElement} root @param {Picture} before @param {Set<string>} removed ids of pieces that are no longer seen
 * @returns {Flight[]}
 */
function swept(root, before, removed) {
  const looks = [...removed].flatMap((id) => before.looks.get(id) ?? []);
  const winner = looks.map((look) => look.closest("li[data-won]")?.getAttribute("data-seat")).find(Boolean);
  const node = winner && root.querySelector(`.seat[data-seat="${winner}"] .plate`);
  if (!node) return [];
  const plate = placesOn(root)(node);
  return looks
    .filter((look) => look.closest("li[data-seat]"))
    .map((look) => {
      const { rect } = /** @type {Spot} */ (before.pieces.get(look.dataset.piece ?? ""));
      const [width, height] = [rect.width / 2, rect.height / 2];
      const [left, top] = [plate.left + (plate.width - width) / 2, plate.top + (plate.height - height) / 2];
      return { look, from: rect, to: new DOMRect(left, top, width, height) };
    });
}

/** @param {DOMRect} a @param {DOMRect} b */
function far(a, b) {
  return Math.abs(a.left - b.left) > 1 || Math.abs(a.top - b.top) > 1;
}

/** A face-down card of a zone, to copy for one that left it. @param {Element} root @param {string} zone */
function lookIn(root, zone) {
  return /** @type {HTMLElement | undefined} */ (
    root.querySelector(`[data-zone="${CSS.escape(zone)}"] [data-piece][data-up=no]`) ?? undefined
  );
}

/** The transform that puts `to` where `from` is. @param {DOMRect} from @param {DOMRect} to @param {number} [share] of the way still to go */
function shift(from, to, share = 1) {
  const scale = to.width && from.width ? from.width / to.width : 1;
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  return `translate(${x * share}px, ${y * share}px) scale(${1 + (scale - 1) * share})`;
}

/** The back that a face-down card shows. @param {HTMLElement | undefined} look */
function backOf(look) {
  const art = look?.querySelector(".piece-art");
  const isBack = art?.matches(".drawn-back") || art?.querySelector("use")?.getAttribute("href")?.startsWith("#back-");
  return isBack ? /** @type {Element} */ (art?.cloneNode(true)) : undefined;
}

/**
 * @param {HTMLElement} node @param {DOMRect} from @param {DOMRect} here
 * @param {Element | null} back the back it shows until it is flipped, null when it is not
 * @param {number} delay
 */
function fly(node, from, here, back, delay) {
  const start = shift(from, here);
  const timing = /** @type {const} */ ({ duration: TRAVEL + (back ? 80 : 0), delay, easing: EASE, fill: "backwards" });
  /** @type {Element | null} */
  let cover = null;
  if (back && node.dataset.up === "yes") {
    cover = back;
    cover.classList.add("turning");
    node.append(cover);
    cover.animate([{ opacity: 1 }, { opacity: 1, offset: 0.49 }, { opacity: 0, offset: 0.5 }, { opacity: 0 }], {
      ...timing,
      easing: "linear",
      fill: "both",
    });
  }
  const flight = node.animate(
    back
      ? [
          { transform: `${start} scaleX(1)` },
          { transform: `${shift(from, here, 0.35)} scaleX(.02)`, offset: 0.5 },
          { transform: "translate(0,0) scale(1) scaleX(1)" },
        ]
      : [{ transform: start }, { transform: "translate(0,0) scale(1)" }],
    {
      ...timing,
      easing: back ? "linear" : EASE,
    },
  );
  lift(node, flight, () => cover?.remove());
}

/** Keep a piece above all others while it is animated. @param {HTMLElement} node @param {Animation} flight @param {() => void} [landed] */
function lift(node, flight, landed) {
  const item = node.closest("li");
  if (item) item.style.zIndex = "5";
  underWay.add(flight);
  const done = () => {
    if (!underWay.delete(flight)) return;
    if (item) item.style.zIndex = "";
    landed?.();
    if (!moving()) for (const listener of waiting) listener();
  };
  flight.onfinish = flight.oncancel = done;
  setTimeout(done, LONGEST_FLIGHT); // an animation whose piece has left the page need not end
}

/**
 * Move along a track, space by space.
 * @param {HTMLElement} node @param {DOMRect} from @param {DOMRect} here @param {{x: number, y: number}[]} stops
 */
function ride(node, from, here, stops) {
  const frames = [
    { transform: shift(from, here) },
    ...stops.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` })),
    { transform: "none" },
  ];
  lift(
    node,
    node.animate(frames, {
      duration: Math.min(LONGEST_RIDE, A_SPACE * (stops.length + 1)),
      easing: "linear",
      fill: "backwards",
    }),
  );
}

/**
 * Animate a card to a place where it is no longer visible: on the felt, below everything above the felt.
 * @param {Element} root @param {HTMLElement} look @param {DOMRect} from @param {DOMRect} to @param {number} delay
 */
function flyCopy(root, look, from, to, delay) {
  const ghost = /** @type {HTMLElement} */ (look.cloneNode(true));
  for (const name of ["data-piece", "role", "tabindex", "data-legal", "data-picked", "data-lit"])
    ghost.removeAttribute(name);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px` });
  root.append(ghost);
  const flight = ghost.animate(
    [
      { transform: shift(from, to), opacity: 1 },
      { opacity: 1, offset: 0.85 },
      { transform: "none", opacity: 0 },
    ],
    {
      duration: TRAVEL,
      delay,
      easing: EASE,
      fill: "backwards",
    },
  );
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
