// @ts-check
/**
 * The cards, drawn: 52 faces, a joker and the backs, as symbols of one sprite that is put into the page once.
 * A card is 100 x 140. Its colours are custom properties, so day, lamplight and four-colour suits need no second sprite.
 */

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUITS = ["C", "D", "H", "S"];
export const BACKS = ["stock", "modifier", "certificate", "plain"];

/** Suits in a box from -10 to 10. @type {Record<string, string>} */
export const SUIT_PATHS = {
  C: "M0-10a4.7 4.7 0 0 1 3.7 7.6A4.7 4.7 0 1 1 1.2 4.6C1.3 7 2 8.8 3.4 10h-6.8C-2 8.8-1.3 7-1.2 4.6a4.7 4.7 0 1 1-2.5-7A4.7 4.7 0 0 1 0-10Z",
  D: "M0-10.5C2-6.4 4.8-3 8.2 0 4.8 3 2 6.4 0 10.5-2 6.4-4.8 3-8.2 0-4.8-3-2-6.4 0-10.5Z",
  H: "M0 9.6C-2.4 5.6-9.6 1.4-9.6-4.2c0-3.3 2.4-5.2 4.9-5.2C-2.3-9.4-.7-7.8 0-5.8.7-7.8 2.3-9.4 4.7-9.4c2.5 0 4.9 1.9 4.9 5.2C9.6 1.4 2.4 5.6 0 9.6Z",
  S: "M0-10C2.2-6 9.4-2.4 9.4 3.2c0 3-2.1 4.9-4.5 4.9-1.6 0-2.9-.8-3.7-2.2C1.4 7.8 2.1 9.2 3.4 10h-6.8C-2.1 9.2-1.4 7.8-1.2 5.9c-.8 1.4-2.1 2.2-3.7 2.2-2.4 0-4.5-1.9-4.5-4.9C-9.4-2.4-2.2-6 0-10Z",
};

/** Where the pips stand: columns left, middle, right; rows as shares of the height. @type {Record<string, [number, number][]>} */
export const PIPS = (() => {
  const [l, m, r] = [44, 62.5, 81];
  const at = (/** @type {number} */ share) => 24 + share * 92;
  /** @param {number} x @param {...number} shares @returns {[number, number][]} */
  const column = (x, ...shares) => shares.map((share) => [x, at(share)]);
  const pair = (/** @type {number[]} */ ...shares) => [...column(l, ...shares), ...column(r, ...shares)];
  return {
    2: column(m, 0, 1),
    3: column(m, 0, 0.5, 1),
    4: pair(0, 1),
    5: [...pair(0, 1), ...column(m, 0.5)],
    6: pair(0, 0.5, 1),
    7: [...pair(0, 0.5, 1), ...column(m, 0.25)],
    8: [...pair(0, 0.5, 1), ...column(m, 0.25, 0.75)],
    9: [...pair(0, 1 / 3, 2 / 3, 1), ...column(m, 0.5)],
    10: [...pair(0, 1 / 3, 2 / 3, 1), ...column(m, 1 / 6, 5 / 6)],
  };
})();

const PAPER =
  '<rect x=".75" y=".75" width="98.5" height="138.5" rx="9" fill="var(--card-face)" stroke="var(--card-edge)" stroke-width="1.5"/>';

/** @param {string} suit @param {number} x @param {number} y @param {number} scale @param {boolean} [turned] */
function pip(suit, x, y, scale, turned = false) {
  const flip = turned ? " rotate(180)" : "";
  return `<path d="${SUIT_PATHS[suit]}" transform="translate(${x} ${y}) scale(${scale})${flip}"/>`;
}

/** The head and shoulders of a hamster of the court; the joker brings his own cap. @param {string} rank */
function courtHamster(rank) {
  const fur = { J: "#c98b4a", Q: "#e2b878", K: "#a96f3c", JOKER: "#d7a05c" }[rank];
  const line = 'stroke="#3b2615" stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round"';
  const robe = `<path d="M33 127V108c2-15 14-21 29.5-21s27.5 6 29.5 21v19Z" ${line}/>`;
  const trim =
    {
      J: `<path d="M62.5 92v35M56 101h13M56 110h13M56 119h13" fill="none" stroke="#f0c866" stroke-width="2"/>`,
      Q: `<path d="M49 127c0-16 5-26 13.5-33 8.5 7 13.5 17 13.5 33Z" fill="#f7ecd2" ${line}/>
        <path d="M62.5 100v3M57.5 109v3M67.5 109v3M62.5 117v3M54 119v3M71 119v3" stroke="#b98a2c" stroke-width="2" fill="none"/>`,
      K: `<path d="M36 127c0-18 6-29 13-35l8 35ZM89 127c0-18-6-29-13-35l-8 35Z" fill="#f7ecd2" ${line}/>
        <path d="M42 114v3M47 105v3M49 119v3M83 114v3M78 105v3M76 119v3" stroke="#3b2615" stroke-width="2" fill="none"/>`,
    }[rank] ?? "";
  const ruff = `<path d="M36 90c0-5 6-5 7-1 1-5 8-5 9-.5 1-5 9-5 10.5 0 1.5-5 9.5-5 10.5 0 1-4.5 8-4.5 9 .5 1-4 7-4 7 1 1 6-4 9-9 8-3 4-8 4-10 1-3 3-12 3-15 0-2 3-7 3-10-1-5 1-10-2-9-8Z" fill="#fffaf0" ${line}/>`;
  const ears = `<circle cx="42" cy="52" r="7.5" fill="${fur}" ${line}/><circle cx="83" cy="52" r="7.5" fill="${fur}" ${line}/>
    <circle cx="42" cy="52.5" r="3.6" fill="#e9a79a"/><circle cx="83" cy="52.5" r="3.6" fill="#e9a79a"/>`;
  const head = `<path d="M62.5 46c13 0 21 7 23 18 1.4 6 3 8 3 13 0 10-11 16-26 16s-26-6-26-16c0-5 1.6-7 3-13 2-11 10-18 23-18Z" fill="${fur}" ${line}/>
    <path d="M62.5 66c5 0 8 2.5 11.5 5.5 4.5 0 10.5 1.5 12.5 5.5-1.5 8.5-11 13.5-24 13.5S40 85.5 38.5 77c2-4 8-5.5 12.5-5.5C54.5 68.5 57.5 66 62.5 66Z" fill="#fff3dc"/>
    <circle cx="52" cy="66" r="3.7" fill="#24150a"/><circle cx="73" cy="66" r="3.7" fill="#24150a"/>
    <circle cx="53.3" cy="64.7" r="1.2" fill="#fff"/><circle cx="74.3" cy="64.7" r="1.2" fill="#fff"/>
    <path d="M59.3 73h6.4L62.5 76.5Z" fill="#b9574f" ${line}/>
    <path d="M62.5 76.5v2.5M62.5 79c-2 2.5-5 2.5-6.5 1M62.5 79c2 2.5 5 2.5 6.5 1" fill="none" ${line}/>
    <path d="M60.6 80.3h3.8v4h-3.8Z" fill="#fff" stroke="#3b2615" stroke-width=".8"/>
    <path d="M44 77l-8-1.5M44.5 80l-7.5 1.5M81 77l8-1.5M80.5 80l7.5 1.5" stroke="#3b2615" stroke-width=".8" fill="none"/>`;
  const hat =
    {
      J: `<path d="M38 53c0-14 12-21 27-20 14 1 23 8 21 16-1 4-4 5-6 5-10-4-26-5-36 0-3 1.5-6 1.5-6-1Z" ${line}/>
        <path d="M40 54c12-6 30-6 42 0" fill="none" stroke="#f0c866" stroke-width="3"/>
        <path d="M76 42c3-12 10-19 17-21-1 9-5 18-14 24Z" fill="#fffaf0" ${line}/><path d="M78 43c4-8 8-13 12-17" fill="none" stroke="#3b2615" stroke-width=".9"/>`,
      Q: `<path d="M45 50 41 29l10 9 11.5-13L74 38l10-9-4 21c-11-4-24-4-35 0Z" fill="#f0c866" ${line}/>
        <circle cx="41" cy="28" r="2.6"/><circle cx="62.5" cy="24" r="3"/><circle cx="84" cy="28" r="2.6"/>
        <path d="M46 47.5c10-3 23-3 33 0" fill="none" stroke="#3b2615" stroke-width="1"/>`,
      K: `<path d="M43 50V31c6 0 9 3 10 7 1-6 4-11 9.5-15 5.5 4 8.5 9 9.5 15 1-4 4-7 10-7v19c-12-4-27-4-39 0Z" fill="#f0c866" ${line}/>
        <path d="M43 46c12-4 27-4 39 0" fill="none" stroke="#fffaf0" stroke-width="4"/><path d="M62.5 14v8M58.5 18h8" stroke="#b98a2c" stroke-width="2.6" fill="none"/>`,
    }[rank] ?? "";
  const beard =
    rank === "K"
      ? `<path d="M48 83c3 3 7 3 10 1.5 1 2.5 8 2.5 9 0 3 1.5 7 1.5 10-1.5-1 9-7 14-14.5 18C55 97 49 92 48 83Z" fill="#f3ead8" ${line}/>`
      : "";
  return `${robe}${trim}${ruff}${ears}${head}${hat}${beard}`;
}

/** @param {string} rank @param {string} suit */
function face(rank, suit) {
  const squeeze = rank === "10" ? ' textLength="29" lengthAdjust="spacingAndGlyphs"' : "";
  const index = `<text x="18" y="37" text-anchor="middle" font-family="var(--font-serif)" font-weight="700" font-size="${"QK".includes(rank) ? 32 : 37}"${squeeze}>${rank}</text>${pip(suit, 18, 55, 1.1)}`;
  let body = "";
  if (rank === "A") {
    body = `${pip(suit, 62.5, 70, 2.7)}<g fill="none" stroke="currentColor" stroke-width="1.3" opacity=".55">
      <path d="M62.5 30c-8 0-13-5-13-11 5 0 10 3 13 8 3-5 8-8 13-8 0 6-5 11-13 11ZM62.5 110c-8 0-13 5-13 11 5 0 10-3 13-8 3 5 8 8 13 8 0-6-5-11-13-11Z"/></g>`;
  } else if (PIPS[rank]) {
    body = PIPS[rank].map(([x, y]) => pip(suit, x, y, 0.95, y > 75)).join("");
  } else {
    body = `<rect x="31.5" y="8" width="62" height="121" rx="4" fill="var(--card-court)" stroke="currentColor" stroke-width="1.2"/>
      <g>${courtHamster(rank)}</g><path d="M32 120.5h61" stroke="#f0c866" stroke-width="2"/>${pip(suit, 18, 118, 1.1, true)}`;
  }
  return `<symbol id="card-${rank}${suit}" viewBox="0 0 100 140">${PAPER}<g fill="var(--suit-${suit})" color="var(--suit-${suit})">${index}${body}</g></symbol>`;
}

function joker() {
  const letters = ["J", "O", "K", "E", "R"]
    .map(
      (letter, i) =>
        `<text x="15" y="${30 + i * 21}" text-anchor="middle" font-family="var(--font-serif)" font-weight="700" font-size="21">${letter}</text>`,
    )
    .join("");
  const cap = `<path d="M40 52C34 40 34 28 28 22c10-2 18 3 22 12 2-10 6-16 12.5-20 6.5 4 10.5 10 12.5 20 4-9 12-14 22-12-6 6-6 18-12 30-12-6-33-6-45 0Z" fill="var(--suit-D)" stroke="#3b2615" stroke-width="1.4"/>
    <circle cx="29" cy="23" r="4" fill="#f0c866"/><circle cx="62.5" cy="14" r="4" fill="#f0c866"/><circle cx="96" cy="23" r="4" fill="#f0c866"/>`;
  return `<symbol id="card-JOKER" viewBox="0 0 100 140">${PAPER}<g fill="var(--suit-H)" color="var(--suit-H)">${letters}<g>${courtHamster("JOKER")}</g>${cap}</g></symbol>`;
}

/** Corners of a Delft tile: the ox-head curls that join with those of the next tile. */
export function tileCorners() {
  const curl =
    '<path d="M11 27c0-9 7-16 16-16M11 20c0-5 4-9 9-9M14 31c6 0 8-4 7-8M31 14c0 6-4 8-8 7"/><circle cx="17" cy="17" r="2.2" fill="currentColor" stroke="none"/>';
  return ["", "translate(100 0) scale(-1 1)", "translate(0 140) scale(1 -1)", "translate(100 140) scale(-1 -1)"]
    .map((place) => `<g${place && ` transform="${place}"`}>${curl}</g>`)
    .join("");
}

export const SITTING_HAMSTER = `<path d="M50 45c9 0 15 5 16.5 13 1 4 2.5 6 2.5 10 6 6 9 13 9 20 0 12-11 18-28 18s-28-6-28-18c0-7 3-14 9-20 0-4 1.5-6 2.5-10C35 50 41 45 50 45Z"/><circle cx="36.5" cy="48.5" r="5.5"/><circle cx="63.5" cy="48.5" r="5.5"/>`;
export const HAMSTER_FACE = `<circle cx="43" cy="60" r="2.3"/><circle cx="57" cy="60" r="2.3"/><path d="M47.8 66h4.4L50 68.5Z"/><path d="M50 68.5v2M50 70.5c-1.5 2-4 2-5 .8M50 70.5c1.5 2 4 2 5 .8" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round"/>`;

/** @param {string} name @param {string} ground @param {string} line @param {string} centre */
function tile(name, ground, line, centre) {
  return `<symbol id="back-${name}" viewBox="0 0 100 140">${PAPER}<g color="${line}"><rect x="5.5" y="5.5" width="89" height="129" rx="5.5" fill="${ground}" stroke="currentColor" stroke-width="1.6"/>
    <g fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round">${tileCorners()}</g>${centre}</g></symbol>`;
}

function backs() {
  const blue = "var(--back-stock, #234f9e)";
  const red = "var(--back-modifier, #8f2f1c)";
  const stock = tile(
    "stock",
    "#f4f7fb",
    blue,
    `<path d="M50 25 86 70 50 115 14 70Z" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M50 31 81 70 50 109 19 70Z" fill="#dbe5f4" stroke="currentColor" stroke-width=".8"/>
     <g fill="currentColor" transform="translate(9 13.5) scale(.82)">${SITTING_HAMSTER}</g>
     <g fill="#f4f7fb" color="#f4f7fb" transform="translate(9 13.5) scale(.82)">${HAMSTER_FACE}<circle cx="50" cy="86" r="9.5"/><path d="M34 80c4 0 6 2 7 5M66 80c-4 0-6 2-7 5" fill="none" stroke="currentColor" stroke-width="1.6"/></g>
     <text x="50" y="88.8" text-anchor="middle" font-size="12.5" font-weight="700" font-family="var(--font-serif)" fill="currentColor">ƒ</text>`,
  );
  const modifier = tile(
    "modifier",
    "#f7e3b5",
    red,
    `<circle cx="50" cy="70" r="36" fill="none" stroke="currentColor" stroke-width="1.4"/><circle cx="50" cy="70" r="32" fill="#e9c573" stroke="currentColor" stroke-width=".8"/>
     <g fill="currentColor"><path d="M50 43 64 62H36Z"/><path d="M50 97 36 78h28Z"/></g><path d="M22 70h56" stroke="currentColor" stroke-width="2.4"/><circle cx="50" cy="70" r="6.5" fill="#f7e3b5" stroke="currentColor" stroke-width="2"/>
     <path d="M50 12v12M50 116v12M44 18h12M44 122h12" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>`,
  );
  const plain = tile(
    "plain",
    "#f4f7fb",
    blue,
    `<circle cx="50" cy="70" r="37" fill="#dbe5f4" stroke="currentColor" stroke-width="1.4"/><g fill="currentColor" transform="translate(0 -5)">${SITTING_HAMSTER}</g><g fill="#f4f7fb" color="#f4f7fb" transform="translate(0 -5)">${HAMSTER_FACE}</g>`,
  );
  const certificate = `<symbol id="back-certificate" viewBox="0 0 100 140">${PAPER.replace("var(--card-face)", "#f3e3bb")}
    <g fill="none" stroke="#7a5a20"><rect x="9" y="9" width="82" height="122" stroke-width="1.6"/><rect x="13.5" y="13.5" width="73" height="113" stroke-width=".7"/>
    <path d="M24 62h52M24 71h52M24 80h34" stroke-width="2.2" stroke-linecap="round" opacity=".55"/></g>
    <g fill="#7a5a20" transform="translate(22.5 6) scale(.55)">${SITTING_HAMSTER}</g><g fill="#f3e3bb" color="#f3e3bb" transform="translate(22.5 6) scale(.55)">${HAMSTER_FACE}</g>
    <path d="m60 104-7 24 9-5 5 9 5-24ZM76 104l7 24-9-5-5 9-3-24Z" fill="#234f9e"/>
    <circle cx="68" cy="101" r="14" fill="#9c2a1c"/><circle cx="68" cy="101" r="10" fill="none" stroke="#e8b9a8" stroke-width="1"/>
    <g fill="#e8b9a8"><ellipse cx="68" cy="104.5" rx="4.2" ry="3.4"/><circle cx="62.8" cy="99.5" r="1.7"/><circle cx="66.3" cy="96.7" r="1.7"/><circle cx="69.9" cy="96.7" r="1.7"/><circle cx="73.3" cy="99.5" r="1.7"/></g></symbol>`;
  return stock + modifier + plain + certificate;
}

/** The sprite as markup: an svg element that takes no room. */
export function sprite() {
  const faces = SUITS.flatMap((suit) => RANKS.map((rank) => face(rank, suit))).join("");
  const suits = SUITS.map(
    (suit) => `<symbol id="suit-${suit}" viewBox="-11 -11 22 22"><path d="${SUIT_PATHS[suit]}"/></symbol>`,
  ).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" class="sprite">${suits}${faces}${joker()}${backs()}</svg>`;
}

/** Put the sprite into the page, once. @param {Document} page */
export function install(page) {
  if (page.querySelector("svg.sprite")) return;
  const parsed = new DOMParser().parseFromString(sprite(), "image/svg+xml");
  page.body.prepend(page.importNode(parsed.documentElement, true));
}

/** @param {string} face @returns {boolean} whether the sprite has that face */
export function hasFace(face) {
  return face === "JOKER" || (RANKS.includes(face.slice(0, -1)) && SUITS.includes(face.slice(-1)));
}
