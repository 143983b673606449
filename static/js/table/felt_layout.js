// @ts-check
/**
 * The layout of the felt: how large cards are and where seats are, so that everything is visible.
 *
 * One rule for every game and every screen. It reads from the page what is on the felt (name plates, zones, the most
 * pieces that each has held, which of them could ever be tapped) and tries seat arrangements from roomy to tight. It
 * takes the first one in which cards are legible, and makes cards as large as possible. It depends only on the size of
 * the felt and the most that its places have held, so nothing jumps while a match goes on.
 */
import { layTrack, loops, open } from "./boards/track.js";
import { attr } from "./dom.js";
import { balanced, flow, largest } from "./card_layout.js";
import { compass } from "./trick.js";

/** @typedef {import("./card_layout.js").Item} Item */
/** @typedef {import("./card_layout.js").Look} Look */
/** @typedef {import("./card_layout.js").Box} Box */

/**
 * How roomy a layout is. Sizes are in pixels, for a font size of 16 pixels.
 * @typedef {object} Style
 * @property {string} name
 * @property {number} edge of the felt, left and right
 * @property {number} rim of the felt, above and below
 * @property {number} gap between regions
 * @property {number} plate height of a plate with one line of counters
 * @property {number} face width of a portrait
 * @property {number} strip height of one's own plate, a line that says everything
 * @property {[number, number]} seat least and most width of another's place
 * @property {number} label height of a line of labels
 * @property {number} named width that a label gets at least, if it needs so much
 * @property {number} lastAction height of the line about the last action
 * @property {number} across between zones
 * @property {number} down between lines of zones
 * @property {boolean} every whether places that were always empty are shown at others' seats, too
 * @property {boolean} closed whether face-down hands of others are shown
 * @property {number} lines of counters on another's plate
 * @property {[number, number, number]} legible the minimum width of cards for this style: one's own, in the middle, others'
 */

/** @type {Style[]} */
const STYLES = [
  {
    name: "roomy",
    edge: 26,
    rim: 14,
    gap: 10,
    plate: 56,
    face: 52,
    strip: 46,
    seat: [190, 300],
    label: 19,
    named: 150,
    lastAction: 30,
    across: 18,
    down: 16,
    every: true,
    closed: true,
    lines: 3,
    legible: [74, 52, 34],
  },
  {
    name: "snug",
    edge: 10,
    rim: 8,
    gap: 8,
    plate: 46,
    face: 38,
    strip: 38,
    seat: [112, 280],
    label: 18,
    named: 100,
    lastAction: 28,
    across: 12,
    down: 12,
    every: false,
    closed: true,
    lines: 2,
    legible: [52, 42, 26],
  },
  {
    name: "tight",
    edge: 6,
    rim: 5,
    gap: 6,
    plate: 40,
    face: 32,
    strip: 34,
    seat: [76, 240],
    label: 16,
    named: 60,
    lastAction: 20,
    across: 9,
    down: 9,
    every: false,
    closed: true,
    lines: 2,
    legible: [44, 36, 20],
  },
];
/** @type {Style} */
const BARE = {
  name: "bare",
  edge: 4,
  rim: 3,
  gap: 4,
  plate: 36,
  face: 0,
  strip: 30,
  seat: [44, 220],
  label: 0,
  named: 0,
  lastAction: 18,
  across: 8,
  down: 7,
  every: false,
  closed: false,
  lines: 1,
  legible: [0, 0, 0],
};
// Labels are worth more than larger cards. The last style fits where no other does.
STYLES.push({ ...BARE, label: 15, named: 60, legible: [40, 34, 15] }, BARE);

const FINGER = 44; // the minimum size of what is tapped, in pixels as all of these
const POINTER = 26; // the same with a mouse
const SIGN = 32; // the button of the table of chances; its touch area is larger
const SMALL = 12; // the size of small type, for a font size of 16 pixels
const SMALL_TV = 15.4; // the same on the TV: css/tv.css
const SPARE = 6; // spare height: cards that may be picked are lifted, and sizes are rounded
const FEW = 3; // the minimum number of cards that a hand or a row has room for
const MANY = 4; // if another player has more places than this and room is short, those that were always empty are left out
const STAY = 0.85; // the current arrangement is kept if it is at least so good, relative to the best one
const RING = 820; // the minimum width of a felt with seats at the left and right
const CAPTION = 17; // the height of the name under a card of a trick
const NAMED = 56; // the minimum width for that name
const TRICK = 1.6; // what larger cards of a trick are worth, relative to larger cards of one's own
const ROUND = 0.6; // added to the score of a plan in which the cards of a trick lie round the middle, not in a row
const BESIDE_NAME = 100; // the least that one's own plate has for what is beside the name: "You", marks, gaps
const PLATE_GAPS = 52; // the gaps in that, and the padding of the plate and of "You"
const DEALER = 26; // the mark of the dealer, with its gap
const INTO_GAPS = 8; // how much wider than its place a label inside it may be
const CUT = 0.6; // subtracted from the score of a plan in which one's own plate may have no room for the whole name ...
const CUT_BOARD = 0.3; // ... and beside a board, which needs the height more
const LABELLED = 0.3; // added to the score of a track whose places have labels
const LOW_PILE = 0.7; // the size of piles in a track that have labels where there is little room
const LOW = 400; // below this height, a board needs all of it
const TWO_LINES = 29; // the height of two lines of small type
const NARROW = 520; // below this width, the last action takes two lines

/** The height of pieces other than cards, relative to their width. @type {Record<string, number>} */
const RATIOS = { die: 1, cube: 1, token: 1, pyramid: 0.9, leg: 1.24, camel: 0.66, oasis: 0.9, mirage: 0.9 };

const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** @typedef {{style: Style, arrangement: string, score: number, own: number, centre: number, others: number, ring: boolean, across: number, seat: number, plate: number, flat: boolean, heights: [number, number, number]}} Plan */

export class FeltLayout {
  /** @param {import("./render.js").Felt} felt */
  constructor(felt) {
    this.felt = felt;
    this.root = felt.root;
    this.key = "";
    /** @type {WeakSet<Element>} what the current plan was applied to */
    this.laid = new WeakSet();
    /** @type {{zone: HTMLElement, left: number[], top: number[]} | null} where the cards of a trick lie, by place */
    this.spots = null;
    this.bare = false; // whether the style that is tried or taken has no height to spare
    this.arrangement = ""; // the current arrangement
    this.whole = true; // whether dice, tokens and cards with words lie apart: unless there is no room at all for that
    this.em = 1;
    this.tv = !!felt.root.closest(".tv"); // nobody taps anything
    /** Screen pixels for one of ours: 1, but on the TV, where the type grows with the screen, so that all sizes do. */
    this.unit = 1;
    this.small = this.tv ? SMALL_TV : SMALL;
    this.family = "";
    /** @type {Map<string, ReturnType<FeltLayout["itemsOf"]>>} the items of seats, by style and width */
    this.read = new Map();
    /** @type {Map<string, number>} */
    this.widths = new Map();
    /** @type {WeakMap<Element, number>} the most that each plate of one's own has shown beside the name, in pixels */
    this.beside = new WeakMap();
    new ResizeObserver(() => this.lay()).observe(this.root);
  }

  /** Another match: its arrangement does not depend on the last one's, which may have had another game and more seats. */
  clear() {
    this.arrangement = "";
  }

  /** Lay out the felt, unless nothing has changed. */
  lay() {
    const { root } = this;
    const type = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    [this.em, this.unit] = this.tv ? [1, type] : [type, 1];
    const { width, height } = this;
    if (!width || !height || !root.querySelector(".seat")) return;
    this.family = getComputedStyle(document.body).fontFamily;
    this.touch = !this.tv && matchMedia("(any-pointer: coarse)").matches;
    const nodes = [...root.querySelectorAll(".seat, .zone, .counter")];
    const key = [
      width,
      height,
      this.em,
      this.unit,
      this.touch,
      root.dataset.board,
      root.hasAttribute("data-watching"),
      this.odds().length,
      this.besideName(/** @type {HTMLElement} */ (root.querySelector(".own .plate"))),
      ...nodes.map((node) => traits(node, !!root.dataset.board)),
    ].join("|");
    // A node that is new, and like the one that it replaces, has no place yet.
    if (key !== this.key || nodes.some((node) => !this.laid.has(node))) {
      this.key = key;
      this.laid = new WeakSet(nodes);
      this.whole = true;
      this.read.clear();
      this.spots = null;
      let plan = this.plan(width, height);
      if (!plan) {
        this.whole = false;
        this.read.clear();
        plan = this.plan(width, height) ?? this.least(width);
      }
      this.arrangement = plan.arrangement;
      this.apply(plan);
    }
    this.layTrick();
  }

  // -- what is on the felt

  /** @param {Style} style @param {number} by how it grows with the type @returns {Style} */
  scaled(style, by) {
    /** @type {any} */
    const scaled = { ...style };
    for (const [name, value] of Object.entries(style))
      if (typeof value === "number" && name !== "lines") scaled[name] = Math.round(value * by);
    for (const name of /** @type {const} */ (["seat", "legible"]))
      scaled[name] = style[name].map((value) => Math.round(value * by));
    return scaled;
  }

  /** A length for CSS. @param {number} pixels */
  px(pixels) {
    return `${pixels * this.unit}px`;
  }

  get width() {
    return Math.floor(this.root.clientWidth / this.unit);
  }

  get height() {
    return Math.floor(this.root.clientHeight / this.unit);
  }

  /** @param {Element} seat */
  partsOf(seat) {
    return {
      plate: /** @type {HTMLElement} */ (seat.querySelector(".plate")),
      zones: /** @type {HTMLElement[]} */ ([...seat.querySelectorAll(".zone")]),
    };
  }

  /** The items of a seat: its plate, with this width, and its zones. @param {Element} seat @param {Style} style @param {number} width @param {boolean} own */
  items(seat, style, width, own) {
    const key = `${/** @type {HTMLElement} */ (seat).dataset.seat} ${style.name} ${width}`;
    const known = this.read.get(key) ?? this.itemsOf(seat, style, width, own);
    this.read.set(key, known);
    return known;
  }

  /** @param {Element} seat @param {Style} style @param {number} width @param {boolean} own */
  itemsOf(seat, style, width, own) {
    const { plate, zones } = this.partsOf(seat);
    const counters = /** @type {HTMLElement[]} */ ([...plate.querySelectorAll(".counter")]);
    const strip = own && this.stripWidth(style) <= width;
    const beside = own && width > 200 * this.em ? style.plate - 6 : this.face(style, width, counters);
    const face = strip ? style.strip - 4 : beside;
    const room = width - face - 14 * this.em;
    const lines = strip
      ? 1
      : Math.max(1, Math.min(own ? 3 : style.lines, Math.ceil(this.countersWidth(counters) / room), counters.length));
    const height = strip ? style.strip : style.plate + Math.max(0, lines - 1) * Math.round(17 * this.em);
    const shown = zones.filter(
      (zone) =>
        own ||
        ((style.every || zones.length <= MANY || zone.hasAttribute("data-ever")) &&
          (style.closed || !closedHand(zone))),
    );
    // A large hand comes last, near the thumb.
    const order = (/** @type {HTMLElement} */ zone) =>
      own && zone.dataset.layout === "hand" && Number(zone.dataset.most) > 6 ? 1 : 0;
    const sorted = shown
      .map((zone, i) => ({ zone, i }))
      .sort((a, b) => order(a.zone) - order(b.zone) || a.i - b.i)
      .map(({ zone }) => zone);
    return {
      lines,
      face,
      strip,
      zones: sorted,
      hidden: zones.filter((zone) => !shown.includes(zone)),
      items: [this.plate(width, height), ...sorted.map((zone) => this.item(zone, own))],
    };
  }

  /**
   * A narrow plate has room for a name and each counter, but no portrait.
   * @param {Style} style @param {number} width of the plate @param {HTMLElement[]} counters
   */
  face(style, width, counters) {
    const longest = Math.max(76 * this.em, ...counters.map((counter) => this.counterWidth(counter) + 4 * this.em));
    return width < style.face + longest ? 0 : style.face;
  }

  /** @param {HTMLElement} zone @param {boolean} labelled @param {boolean} [flat] cards of a trick lie in a row @returns {Item} */
  item(zone, labelled, flat = false) {
    if (zone.dataset.layout === "trick") return this.trick(flat);
    const { layout, most = "1", holds, live = "none" } = zone.dataset;
    const fan = layout === "hand" || layout === "row";
    const pictured = holds === "leg" && !zone.closest(".seat"); // css/table/track.css
    const words = labelled && !pictured ? (zone.querySelector(".zone-label")?.textContent ?? "") : "";
    const track = this.root.dataset.board === "track";
    return {
      kind: fan ? "fan" : "stack",
      count: fan ? reserve(layout, Number(most), !!this.root.dataset.board) : 1,
      ratio: holds ? (RATIOS[holds] ?? 1.4) : track && !zone.closest(".seat") ? 1.24 : 1.4,
      live: /** @type {Item["live"]} */ (live),
      apart: layout === "row",
      whole: this.whole && !this.root.dataset.board && zone.hasAttribute("data-whole"),
      label: words ? this.textWidth(words, this.small) : 0,
      wrapped: words ? this.wrappedWidth(words, this.small) : 0,
      inside: words ? this.insideSize(words) : [0, 0],
      badge: zone.dataset.badge && layout === "hand" ? Math.round(14 + 8 * this.em * Number(zone.dataset.badge)) : 0,
      scale: track && fan && live === "none" && !zone.closest(".opponents") ? 0.66 : 1,
      ...(this.touch && track && !fan && live !== "none" ? { finger: FINGER } : {}),
      width: 0,
      height: 0,
    };
  }

  /** @param {boolean} flat @returns {Item} */
  trick(flat) {
    const seats = this.root.querySelectorAll(".seat").length;
    return {
      kind: "trick",
      count: seats,
      ratio: 1.4,
      live: "none",
      apart: true,
      whole: false,
      label: 0,
      wrapped: 0,
      inside: [0, 0],
      badge: 0,
      scale: 1,
      width: Math.round(NAMED * this.em),
      height: Math.round(CAPTION * this.em),
      compass: compass(seats, flat, this.bare ? 0 : undefined) ?? compass(seats, false) ?? undefined,
    };
  }

  /** Put the cards of a trick where they lie: each towards its player. */
  layTrick() {
    if (!this.spots) return;
    const { zone, left, top } = this.spots;
    const seats = left.length;
    const home = Number(/** @type {HTMLElement} */ (this.felt.own.firstElementChild)?.dataset.seat ?? 0);
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (zone.querySelectorAll("li[data-seat]"))) {
      const place = (Number(item.dataset.seat) - home + seats) % seats;
      item.style.left = this.px(left[place]);
      item.style.top = this.px(top[place]);
    }
  }

  /** @param {string} text @param {number} size */
  textWidth(text, size) {
    const key = `${size * this.em} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    pen.font = `${size * this.em}px ${this.family}`;
    const width = Math.ceil(pen.measureText(text).width) + 6;
    this.widths.set(key, width);
    return width;
  }

  /** The least width of a text in two lines; of one word its whole width. @param {string} text @param {number} size */
  wrappedWidth(text, size) {
    const words = text.split(" ");
    const line = (/** @type {number} */ from, /** @type {number} */ to) =>
      this.textWidth(words.slice(from, to).join(" "), size);
    return Math.min(...words.map((_, i) => (i ? Math.max(line(0, i), line(i, words.length)) : line(0, words.length))));
  }

  /** The width and the height of a label inside its place, each word in a line. @param {string} text @returns {[number, number]} */
  insideSize(text) {
    const words = text.split(" ");
    const width = Math.max(...words.map((word) => this.textWidth(word, this.small)));
    return [width, Math.ceil(words.length * this.small * this.em)];
  }

  /** @param {HTMLElement[]} counters */
  countersWidth(counters) {
    return counters.reduce((sum, counter) => sum + this.counterWidth(counter) + 6 * this.em, 0);
  }

  /** The width that one's own plate needs to say everything in one line. @param {Style} style */
  stripWidth(style) {
    const plate = /** @type {HTMLElement} */ (this.root.querySelector(".own .plate"));
    const name = this.textWidth(plate.querySelector(".seat-name")?.textContent ?? "", 18); // it is bold
    const counters = /** @type {HTMLElement[]} */ ([...plate.querySelectorAll(".counter")]);
    return style.strip + name + this.countersWidth(counters) + this.besideName(plate);
  }

  /**
   * The width of what one's own plate shows beside the name, the portrait and the counters: the most that it has shown,
   * so that it does not grow and shrink with each mark.
   * @param {HTMLElement} plate
   */
  besideName(plate) {
    const kind = plate.querySelector(".seat-kind");
    const words = (kind?.querySelector(".unmarked") ?? kind)?.textContent ?? "";
    const marks = /** @type {HTMLElement[]} */ ([...plate.querySelectorAll(".mark:not([data-mark=bot])")]);
    const widths = marks.map((mark) =>
      mark.dataset.mark === "dealer"
        ? DEALER * this.em
        : this.textWidth((mark.querySelector("[aria-hidden]") ?? mark).textContent ?? "", this.small),
    );
    const needed = widths.reduce((sum, width) => sum + width, this.textWidth(words, this.small)) / this.em;
    const most = Math.max(Math.ceil(needed + PLATE_GAPS), this.beside.get(plate) ?? BESIDE_NAME);
    this.beside.set(plate, most);
    return Math.round(most * this.em);
  }

  /** @param {HTMLElement} counter */
  counterWidth(counter) {
    const papers = counter.querySelectorAll(".certificate").length;
    if (papers) return papers * 20 * this.em;
    const label = counter.querySelector(".counter-label")?.textContent ?? "";
    return (
      (label ? this.textWidth(label, this.small) : 20 * this.em) +
      this.textWidth(counter.querySelector(".counter-value")?.textContent || "00", 16) +
      3
    );
  }

  // -- arrangements

  /** The best plan, null if none fits. @param {number} width @param {number} height @returns {Plan | null} */
  plan(width, height) {
    if (this.root.dataset.board) {
      const plans = STYLES.flatMap((style) => this.plansOf(this.scaled(style, this.em), width, height));
      return this.best(plans) ?? null;
    }
    /** @type {Plan | null} */
    let best = null;
    for (const style of STYLES) {
      const plans = this.plansOf(this.scaled(style, this.em), width, height);
      const legible = plans.filter((plan) => this.isLegible(plan));
      const candidate = this.best(legible.length ? legible : plans);
      if (candidate && (!best || legible.length || candidate.own > best.own * 1.06)) best = candidate;
      if (legible.length) break;
    }
    return best;
  }

  /** The best plan, or the current one if that is nearly as good. @param {Plan[]} plans @returns {Plan | undefined} */
  best(plans) {
    const [first, ...others] = plans.sort((a, b) => b.score - a.score);
    const now = others.find((plan) => plan.arrangement === this.arrangement);
    return now && now.score >= first.score * STAY ? now : first;
  }

  /** Whether cards are large enough for this style. @param {Plan} plan */
  isLegible({ style, own, centre, others }) {
    const [one, two, three] = style.legible;
    const finger = style.name !== BARE.name && this.touched() ? FINGER : 0;
    return own >= one && centre >= Math.max(two, finger) && others >= three;
  }

  /** Whether fingers tap cards in the middle. */
  touched() {
    return this.touch && !!this.felt.shared.querySelector("[data-live]");
  }

  /** Whether there is a place for tricks. */
  hasTrick() {
    return !!this.felt.shared.querySelector("[data-layout=trick]");
  }

  /** The plans of a style that fit, each with cards as large as possible. @param {Style} style @param {number} width @param {number} height @returns {Plan[]} */
  plansOf(style, width, height) {
    const seats = [...this.root.querySelectorAll(".opponents .seat")];
    const inner = width - 2 * style.edge;
    /** @type {{ring: boolean, across: number, seat: number}[]} */
    const arrangements = [];
    const beside = Math.min(style.seat[1], Math.round(224 * this.em));
    const trick = this.hasTrick();
    const isRing = seats.length >= 3 && width >= RING * this.em && !this.root.dataset.board;
    // Narrow seats leave more of the width to a trick.
    for (const most of trick ? [beside, Math.min(beside, style.seat[0])] : [beside])
      if (isRing && inner - 2 * most > 300 * this.em)
        arrangements.push({
          ring: true,
          across: seats.length - 2,
          seat: Math.min(most, Math.floor((inner - (seats.length - 3) * style.gap) / (seats.length - 2))),
        });
    for (const rows of seats.length ? [1, 2, 3] : [1]) {
      const across = Math.ceil(seats.length / rows) || 1;
      if (rows > 1 && Math.ceil(seats.length / (rows - 1)) === across) continue;
      const seat = Math.floor((inner - (across - 1) * style.gap) / across);
      if (seat < style.seat[0]) continue;
      arrangements.push({ ring: false, across, seat: Math.min(style.seat[1], seat) });
      if (seat > style.seat[1]) arrangements.push({ ring: false, across, seat: Math.min(seat, style.seat[1] * 2) });
    }
    const lines = [
      [1, 1],
      [1, Infinity],
      [2, 1],
      [2, Infinity],
      [Infinity, Infinity],
    ];
    const tricks = trick ? [false, true] : [false];
    const plates = this.ownPlates(style, inner);
    return arrangements.flatMap((arrangement) =>
      tricks.flatMap((flat) =>
        plates.flatMap((plate) =>
          lines.flatMap(([own, centre]) => this.sized(style, width, height, arrangement, plate, own, centre, flat)),
        ),
      ),
    );
  }

  /**
   * @param {Style} style @param {number} width @param {number} height @param {{ring: boolean, across: number, seat: number}} arrangement
   * @param {number} plate the width of one's own plate @param {number} ownLines @param {number} centreLines how many lines of zones there may be
   * @param {boolean} flat the cards of a trick lie in a row @returns {Plan[]}
   */
  sized(style, width, height, { ring, across, seat }, plate, ownLines, centreLines, flat) {
    const { root } = this;
    const board = root.dataset.board;
    const inner = width - 2 * style.edge;
    const seats = [...root.querySelectorAll(".opponents .seat")];
    const arrangement = `${width} ${style.name} ${style.label} ${ring} ${across} ${seat} ${plate} ${ownLines} ${centreLines} ${flat}`;
    const places = seats.map((one) => this.items(one, style, seat, false).items);
    const home = this.items(/** @type {Element} */ (root.querySelector(".own .seat")), style, plate, true).items;
    this.bare = style.name === "bare";
    const shared = board ? [] : this.shared(style.every, flat);
    const centreWidth = ring ? inner - 2 * seat - 2 * style.gap : inner;
    const looks = this.looks(style);
    const lastAction = board ? 0 : this.lastActionHeight(style, centreWidth);

    const theirs = (/** @type {number} */ card) => {
      const heights = places.map((items) => flow(items, card, seat, looks.others)?.height ?? Infinity);
      if (!heights.length) return [0, 0];
      if (!ring)
        return [
          Math.max(...heights) * Math.ceil(seats.length / across) + style.gap * (Math.ceil(seats.length / across) - 1),
          0,
        ];
      return [Math.max(0, ...heights.slice(1, -1)), Math.max(heights[0], heights[heights.length - 1])];
    };
    const middle = (/** @type {number} */ card) =>
      (shared.length ? (flow(shared, card, centreWidth, looks.centre, centreLines)?.height ?? Infinity) : 0) +
      lastAction;
    const mine = (/** @type {number} */ card) => flow(home, card, inner, looks.own, ownLines)?.height ?? Infinity;

    const free = height - 2 * style.rim - SPARE;
    const plates = this.ownPlates(style, inner);
    const cut = plate === plates[2] ? (board ? CUT_BOARD : CUT) : 0;
    const most = this.most(width, height);
    const trick = shared.some((item) => item.compass);
    // A trick round the middle is worth more than large backs in the hands of others.
    const theirShare = trick && !flat ? 0.6 : 1;
    const least = this.floors(style);
    const used = (/** @type {number[]} */ [own, centre, others]) => {
      const [top, sides] = theirs(others);
      return top + (top ? style.gap : 0) + Math.max(sides, middle(centre)) + style.gap + mine(own);
    };
    const at = (/** @type {number} */ share) =>
      /** @type {[number, number, number]} */ (
        least.map((low, i) => Math.round(low + ((most[i] - low) * share * (i === 2 ? theirShare : 1)) / 100))
      );
    const fixed = { style, arrangement, ring, across, seat, plate, flat };
    /** @type {(...all: [number, number, number]) => [number, number, number]} */
    const heights = (...all) => all;
    if (board) {
      // A board gets the space that seats leave, so seats are tried at several sizes.
      return [0, 25, 50, 75, 100].flatMap((part) => {
        const [own, centre, others] = at(part);
        const high = free - used(at(part));
        if (high < 90) return [];
        const score =
          this.worth(style, inner, high) +
          (0.6 * own) / most[0] +
          (0.3 * others) / most[2] -
          cut -
          0.08 * STYLES.findIndex(({ name }) => name === style.name);
        return [{ ...fixed, score, own, centre, others, heights: heights(theirs(others)[0], 0, mine(own)) }];
      });
    }
    const share = largest(0, 100, (one) => used(at(one)) <= free);
    if (share === null) return [];
    const sizes = at(share);
    // What is left goes to one's own cards first, but to a trick before them: it is what everybody looks at.
    for (const i of trick ? [1, 0, 2] : [0, 1, 2])
      sizes[i] =
        largest(
          sizes[i],
          most[i],
          (one) =>
            used(/** @type {[number, number, number]} */ (sizes.map((size, j) => (i === j ? one : size)))) <= free,
        ) ?? sizes[i];
    const [own, centre, others] = sizes;
    const [top] = theirs(others);
    const lines =
      (flow(home, own, inner, looks.own)?.lines ?? 1) -
      1 +
      (shared.length ? (flow(shared, centre, centreWidth, looks.centre)?.lines ?? 1) - 1 : 0);
    const score =
      -0.12 * lines -
      cut +
      own / most[0] +
      (shared.length ? (centre / most[1]) * (trick ? TRICK : 1) : 1) +
      (seats.length ? (0.7 * others) / most[2] : 0.7) +
      (ring ? 0.5 : 0) +
      (flat ? 0 : ROUND);
    return [{ ...fixed, score, own, centre, others, heights: heights(top, middle(centre), mine(own)) }];
  }

  /** The plan if nothing fits: as small as possible. @param {number} width @returns {Plan} */
  least(width) {
    const style = this.scaled(STYLES[STYLES.length - 1], this.em);
    const seats = this.root.querySelectorAll(".opponents .seat").length;
    const [own, centre, others] = this.floors(style);
    const inner = width - 2 * style.edge;
    const across = Math.max(1, Math.min(seats, Math.floor((inner + style.gap) / (style.seat[0] + style.gap))));
    return {
      style,
      arrangement: "",
      score: 0,
      own,
      centre,
      others,
      ring: false,
      across,
      seat: Math.floor((inner - (across - 1) * style.gap) / across),
      plate: Math.min(...this.ownPlates(style, inner)),
      flat: false,
      heights: [0, 0, 0],
    };
  }

  /**
   * The widths that one's own plate may have: what it needs for one line if that leaves room for cards beside it, else
   * all there is. Where height is short, it may have two lines beside the cards.
   * @param {Style} style @param {number} inner @returns {number[]}
   */
  ownPlates(style, inner) {
    const needed = this.stripWidth(style);
    if (needed <= inner / 2) return [needed];
    const short = this.root.dataset.board ? this.root.clientHeight < LOW * this.em : style.name === "bare";
    if (!short) return [inner];
    const plate = /** @type {HTMLElement} */ (this.root.querySelector(".own .plate"));
    const name = this.textWidth(plate.querySelector(".seat-name")?.textContent ?? "", 16);
    const counters = this.countersWidth([
      .../** @type {NodeListOf<HTMLElement>} */ (plate.querySelectorAll(".counter")),
    ]);
    const words = Math.max(name + DEALER * this.em, counters + this.besideName(plate));
    const whole = Math.round(style.plate + 14 * this.em + words);
    const least = Math.round(style.strip * 3.2);
    return [inner, Math.min(whole, Math.floor(inner / 2)), least].filter((width, i, all) => all.indexOf(width) === i);
  }

  /**
   * The items in the middle. With few labels only piles of cards have one: other figures show what they are.
   * @param {boolean} [roomy] @param {boolean} [flat] @param {boolean} [labelled] @returns {Item[]}
   */
  shared(roomy = false, flat = false, labelled = true) {
    const zones = /** @type {HTMLElement[]} */ ([...this.felt.shared.children]);
    return [
      ...zones.map((zone) => this.item(zone, labelled || isPileOfCards(zone), flat)),
      ...(this.felt.lastTrick.root.hidden ? [] : [this.button(64, 38)]),
      ...this.odds(roomy),
    ];
  }

  /** How many lines the last action has room for. @param {Style} style @param {number} width */
  lastActionLines(style, width) {
    // Inside a track it is narrow on every phone.
    const bare = style.name === "bare" && (this.root.dataset.board !== "track" || width > (NARROW / 2) * this.em);
    return width < NARROW * this.em && !bare ? 2 : 1;
  }

  /** The height of what says what the last action was. @param {Style} style @param {number} width */
  lastActionHeight(style, width) {
    const two = Math.max(Math.round(style.lastAction * 1.5), Math.round(TWO_LINES * this.em));
    return this.lastActionLines(style, width) > 1 ? two : style.lastAction;
  }

  /** @param {Style} style @returns {{own: Look, centre: Look, others: Look}} */
  looks({ across, down, label, named }) {
    const strip = this.touch ? FINGER : POINTER;
    return {
      own: { strip, sliver: 14, fan: 0.36, row: 0.36, across, down, label, named },
      centre: { strip, sliver: 14, fan: 0.3, row: 0.3, across, down, label, named },
      others: {
        strip,
        sliver: 5,
        fan: 0.22,
        row: 0.42,
        across: Math.round(across / 2),
        down: Math.round(down / 2),
        label: 0,
        named: 0,
      },
    };
  }

  /** The maximum width of cards (one's own, in the middle, others'). It grows with the screen. @param {number} width @param {number} height @returns {[number, number, number]} */
  most(width, height) {
    const own = Math.round(Math.max(64, Math.min(0.17 * height, 0.2 * width)));
    const board = this.root.dataset.board;
    if (board) return [Math.round(Math.max(46, own * 0.5)), Math.round(own * 0.6), Math.round(Math.max(22, own * 0.3))];
    return this.root.hasAttribute("data-watching")
      ? [Math.round(own * 0.95), Math.round(own * 1.05), Math.round(own * 0.85)]
      : [own, Math.round(own * 0.85), Math.round(own * 0.66)];
  }

  /** The minimum width of cards. @param {Style} style @returns {[number, number, number]} */
  floors(style) {
    const small = style.name === "bare";
    const trick = this.hasTrick(); // nobody taps its cards
    const others = small ? 15 : 18;
    if (!this.touch) return [small ? 30 : 36, 28, others];
    return [40, this.touched() ? 40 : small ? (trick ? 28 : 34) : 38, others];
  }

  // -- applying a plan

  /** @param {Plan} plan */
  apply(plan) {
    const { root, felt } = this;
    const { style, ring } = plan;
    const looks = this.looks(style);
    const inner = this.width - 2 * style.edge;
    const set = (/** @type {HTMLElement} */ node, /** @type {Record<string, string | number>} */ values) => {
      for (const [name, value] of Object.entries(values))
        node.style.setProperty(name, typeof value === "number" ? this.px(value) : value);
    };
    attr(root, "data-style", style.name);
    attr(root, "data-unlabelled", !style.label);
    attr(root, "data-seating", ring ? "ring" : "strip");
    set(root, {
      "--edge": style.edge,
      "--rim": style.rim,
      "--gap": style.gap,
      "--label": style.label,
      "--seat-w": plan.seat,
      "--own-h": plan.heights[2],
      "--last-action": this.lastActionHeight(style, ring ? inner - 2 * plan.seat : inner),
    });
    root.style.setProperty("--last-lines", String(this.lastActionLines(style, ring ? inner - 2 * plan.seat : inner)));
    set(/** @type {HTMLElement} */ (root.querySelector(".opponents")), {
      "--card-w": plan.others,
      "--across": looks.others.across,
      "--down": looks.others.down,
    });
    set(felt.own, { "--card-w": plan.own, "--across": style.across, "--down": style.down });
    set(felt.centre, {
      "--label": style.label,
      "--card-w": plan.centre,
      "--across": style.across,
      "--down": style.down,
    });

    const seats = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".opponents .seat")]);
    for (const seat of [...seats, /** @type {HTMLElement} */ (root.querySelector(".own .seat"))]) {
      const own = seat.parentElement === felt.own;
      const { lines, face, strip, items, zones, hidden } = this.items(seat, style, own ? plan.plate : plan.seat, own);
      const [card, look, most] = own ? [plan.own, looks.own, inner] : [plan.others, looks.others, plan.seat];
      // Lines without a fan have nothing that could use their whole width.
      const room =
        own && items.every(({ kind, count }) => kind !== "fan" || count < 2) ? balanced(items, card, most, look) : most;
      if (own) set(seat, { "--room": room });
      const laid = flow(items, card, room, look);
      attr(seat, "data-faceless", !face);
      attr(seat, "data-strip", strip);
      set(seat, { "--face": face, "--plate-h": items[0].height, "--plate-w": items[0].width });
      seat.style.setProperty("--lines", String(lines));
      for (const zone of hidden) attr(zone, "data-unused", true);
      zones.forEach((zone, i) => {
        attr(zone, "data-unused", null);
        zone.style.order = String(i + 1);
        if (laid) this.box(zone, laid.boxes[i + 1], own ? plan.own : plan.others, items[i + 1]);
      });
    }
    if (root.dataset.board) {
      const [top, , own] = plan.heights;
      root.style.gridTemplateRows = `${this.px(top)} minmax(0, 1fr) ${this.px(own)}`;
      return this.board(plan, inner);
    }
    const centreWidth = ring ? inner - 2 * plan.seat - 2 * style.gap : inner;
    this.bare = style.name === "bare";
    const shared = this.shared(style.every, plan.flat);
    const room = balanced(shared, plan.centre, centreWidth, looks.centre);
    set(felt.sharedArea, { "--room": room });
    this.spread(shared, plan.centre, room, looks.centre);
    root.style.gridTemplateRows = `${this.px(plan.heights[0])} minmax(0, 1fr) ${this.px(plan.heights[2])}`;
  }

  /** @param {HTMLElement} zone @param {Box} box @param {number} size @param {Item} item */
  box(zone, box, size, item) {
    const { style } = zone;
    const card = Math.round(size * item.scale);
    if (item.scale === 1) style.removeProperty("--card-w");
    else style.setProperty("--card-w", this.px(card));
    style.width = this.px(box.width);
    if (item.compass) {
      const [wide, high] = [box.step, box.height / item.compass.rows];
      style.setProperty("--cell", this.px(wide));
      style.setProperty("--tall", this.px(box.height));
      style.setProperty("--caption", this.px(item.height));
      const { spots } = item.compass;
      this.spots = {
        zone,
        left: spots.map(([x]) => Math.round(x * wide)),
        top: spots.map(([, y]) => Math.round(y * high)),
      };
      return;
    }
    // Not even two lines hold it: then there is no room for it in this place at all.
    const [word, lines] = item.inside;
    const inside = this.root.hasAttribute("data-unlabelled") && !this.root.dataset.board;
    const cut = inside
      ? word > box.width + INTO_GAPS || lines > Math.ceil(card * item.ratio)
      : item.wrapped > box.width;
    attr(/** @type {Element} */ (zone.querySelector(".zone-label")), "data-cut", cut);
    style.setProperty("--label-lines", String(box.labels));
    style.setProperty("--tall", this.px(Math.ceil(card * item.ratio) + (box.rows - 1) * box.fall));
    style.setProperty(
      "--reach",
      this.px(item.apart || item.whole || item.count <= 4 ? card + 5 : Math.max(box.step, Math.round(card * 0.66))),
    );
    attr(zone, "data-rows", box.rows > 1 ? box.rows : null);
    if (box.rows > 1) {
      style.setProperty("--fall", this.px(box.fall));
      style.setProperty("--step", this.px(Math.floor((box.width - card) / Math.max(1, box.columns - 1))));
      style.setProperty("--columns", String(box.columns));
    }
  }

  /** Lay out a board, and what is in it or beside it, in the space that seats leave. @param {Plan} plan @param {number} inner */
  board(plan, inner) {
    const { root } = this;
    const { style, heights } = plan;
    const high = this.height - 2 * style.rim - heights[0] - heights[2] - style.gap * 2;
    if (root.dataset.board === "track") this.track(plan, inner, high);
    else this.grid(plan, inner, high);
  }

  /** The button of the table of chances: with words if there is room, else a sign. @param {boolean} [roomy] @returns {Item[]} */
  odds(roomy = false) {
    if (this.felt.odds.root.hidden) return [];
    return [roomy ? this.button(84, 58) : this.plate(SIGN, SIGN)];
  }

  /** A button among the zones, its size for a font size of 16 pixels. @param {number} width @param {number} height */
  button(width, height) {
    return this.plate(Math.round(width * this.em), Math.round(height * this.em));
  }

  /** Something of a fixed size among the zones, in pixels. @param {number} width @param {number} height @returns {Item} */
  plate(width, height) {
    return {
      kind: "plate",
      count: 0,
      ratio: 1,
      live: "none",
      apart: false,
      whole: false,
      label: 0,
      wrapped: 0,
      inside: [0, 0],
      badge: 0,
      scale: 1,
      width,
      height,
    };
  }

  /** The value of a board in this much space. @param {Style} style @param {number} width @param {number} height */
  worth(style, width, height) {
    if (this.root.dataset.board === "grid")
      return (3 * this.square(style, width, height).board) / Math.min(width, this.height);
    return this.loop(style, width, height)?.score ?? 0;
  }

  /**
   * A track as a loop, with as many columns and rows as leave its inside usable and its pieces legible.
   * @param {Style} style @param {number} width @param {number} height
   */
  loop(style, width, height) {
    const spaces = this.felt.boards.querySelectorAll(".space").length;
    if (!spaces) return null;
    const unlabelled = { ...this.looks(style).centre, across: Math.min(style.across, 10 * this.em), down: 4, label: 0 };
    const labelled = { ...unlabelled, label: Math.round(15 * this.em) };
    const all = this.shared(style.every);
    const few = this.shared(style.every, false, false).map((item) =>
      item.label ? { ...item, scale: LOW_PILE } : item,
    );
    const ways = [
      { labels: "all", look: labelled, items: all, gain: LABELLED },
      { labels: "few", look: labelled, items: few, gain: LABELLED * 0.8 },
      { labels: null, look: unlabelled, items: all, gain: 0 },
    ];
    const shapes = loops(spaces).flatMap((shape) => ways.map((way) => ({ ...way, shape })));
    const candidates = shapes.map(({ shape: [columns, rows], look, items, labels, gain }) => {
      const [wide, high] = [width / columns, height / rows];
      const beside = open(columns, rows, spaces) ? 1 : 2; // columns of the loop beside its inside
      const room = Math.floor(wide * (columns - beside) - 8);
      const left = high * (rows - 2) - 4 - this.lastActionHeight(style, room);
      const card =
        largest(16, Math.round(90 * this.em), (size) => (flow(items, size, room, look)?.height ?? Infinity) <= left) ??
        0;
      const camel = Math.floor(Math.min(wide * 0.86, (high - 8) / 1.35));
      const score =
        2 * Math.min(1, card / 36) +
        2 * Math.min(1, camel / 36) +
        0.2 * Math.min(2, card / 45) +
        0.2 * Math.min(2, camel / 45) +
        gain;
      return { columns, rows, spaces, high, room, card: card || 16, camel, look, items, labels, score };
    });
    return candidates.sort((a, b) => b.score - a.score)[0];
  }

  /** @param {Plan} plan @param {number} width @param {number} height */
  track({ style }, width, height) {
    const { felt } = this;
    const best = this.loop(style, width, height);
    if (!best) return;
    attr(this.root, "data-labels", best.labels);
    layTrack(/** @type {Element} */ (felt.boards.querySelector(".spaces")), best.columns, best.rows);
    for (const [name, value] of Object.entries({
      "--columns": best.columns,
      "--rows": best.rows,
      "--left-columns": open(best.columns, best.rows, best.spaces) ? 0 : 1,
      "--cell-h": this.px(best.high - 3),
      "--camel-w": this.px(best.camel),
      "--card-w": this.px(best.card),
      "--last-action": this.px(this.lastActionHeight(style, best.room)),
      "--last-lines": this.lastActionLines(style, best.room),
      "--across": this.px(best.look.across),
      "--down": this.px(4),
      "--label": this.px(best.look.label),
    }))
      felt.centre.style.setProperty(name, String(value));
    this.spread(best.items, best.card, best.room, best.look);
  }

  /** The size of a grid, and of what is beside or under it. @param {Style} style @param {number} width @param {number} height */
  square(style, width, height) {
    const low = height < 440 * this.em;
    const label = Math.max(style.label, Math.round(15 * this.em));
    const look = { ...this.looks(style).centre, label, ...(low ? { down: 4 } : {}) };
    const items = this.shared(style.every);
    const tall = width < height * 1.2;
    const tally = Math.round((low ? 118 : 148) * this.em);
    const card = Math.round((low ? 26 : tall ? 34 : 54) * this.em);
    const beside = tall ? Math.floor(width * 0.6) : 0;
    const sharedHeight = tall ? (flow(items, card, beside, look)?.height ?? 60) : 0;
    const board = Math.max(
      0,
      Math.floor(
        tall
          ? Math.min(width, height - tally - sharedHeight - 2 * style.gap)
          : Math.min(height, width - Math.max(168 * this.em, width * 0.3)),
      ),
    );
    return {
      board,
      tall,
      low,
      tally,
      card,
      look,
      items,
      beside: beside || Math.floor(Math.min(380 * this.em, width - board - 1.6 * style.gap)),
    };
  }

  /** @param {Plan} plan @param {number} width @param {number} height */
  grid({ style }, width, height) {
    const { root, felt } = this;
    const { board, tall, low, tally, card, look, items, beside } = this.square(style, width, height);
    attr(root, "data-tall", tall);
    attr(root, "data-low", low);
    attr(root, "data-tight-tally", !tall && beside < 310 * this.em);
    for (const [name, value] of Object.entries({
      "--board": board,
      "--beside": beside,
      "--tally-h": tally,
      "--card-w": card,
      "--label": look.label,
      "--down": look.down,
    }))
      felt.centre.style.setProperty(name, this.px(Math.floor(value)));
    this.spread(items, card, beside, look);
  }

  /** Set the boxes of the zones in the middle. @param {Item[]} items @param {number} card @param {number} room @param {Look} look */
  spread(items, card, room, look) {
    const laid = flow(items, card, room, look);
    if (!laid) return;
    const [trick, button] = laid.boxes;
    // If nothing else is there, the trick lies in the very middle, and the button of the last one beside it.
    const alone = !!items[0]?.compass && laid.boxes.length === 2;
    const beside = alone && trick.width + 2 * (button.width + look.across) <= room;
    attr(this.felt.lastTrick.root, "data-beside", beside);
    if (beside) this.felt.sharedArea.style.setProperty("--beside", this.px(trick.width / 2 + look.across));
    const zones = /** @type {HTMLElement[]} */ ([...this.felt.shared.children]);
    for (const [i, zone] of zones.entries()) this.box(zone, laid.boxes[i], card, items[i]);
  }
}

/** @param {HTMLElement} zone */
const isPileOfCards = ({ dataset: { layout, holds = "card" } }) => layout === "pile" && holds === "card";

/** Whether a zone is a hand that never showed anything but its number of cards. @param {HTMLElement} zone */
function closedHand(zone) {
  return zone.dataset.layout === "hand" && !zone.dataset.live && !zone.hasAttribute("data-open");
}

/** A key of everything that a layout depends on. @param {Element} node @param {boolean} board */
function traits(node, board) {
  if (node.classList.contains("counter")) return node.getAttribute("data-wide") ?? `${node.textContent?.length}`;
  if (node.classList.contains("seat")) {
    const own = node.parentElement?.className === "own" && node.querySelector(".seat-name")?.textContent;
    return `seat ${node.getAttribute("data-seat")} ${node.parentElement?.className} ${own}`;
  }
  const { zone, layout, most, live, holds, badge, whole } = /** @type {HTMLElement} */ (node).dataset;
  return `${zone} ${layout} ${reserve(layout, Number(most), board)} ${live} ${holds} ${whole} ${(node.parentElement?.children.length ?? 0) > MANY && node.hasAttribute("data-ever")} ${closedHand(/** @type {HTMLElement} */ (node))} ${layout === "hand" && badge} ${node.querySelector(".zone-label")?.textContent}`;
}

/**
 * The number of cards to have room for: a few at least, unless a board needs the space; rows grow by two, so that not
 * every new card makes everything smaller.
 * @param {string | undefined} layout @param {number} most @param {boolean} exactly
 */
function reserve(layout, most, exactly) {
  if (most <= 4) return exactly ? most : Math.max(FEW, most);
  return layout === "hand" ? most : most + (most % 2);
}
