// @ts-check
/**
 * What stands on boards and is no playing card: camels and what belongs to their race, and the people and things of a
 * house at night. Each is a symbol of one sprite. A colour comes with a letter and a pattern, for people who cannot tell
 * colours apart.
 */

const INK = "#2b1c10";

/** How things are outlined. @param {number} [width] @param {string} [ink] */
const line = (width = 2.2, ink = INK) =>
  `stroke="${ink}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`;

const CAMEL_BOX = "8 2 94 62";

/** Colours by name: paint, ink for letters upon it, letter. @type {Record<string, [string, string, string]>} */
const COLOURS = {
  blue: ["#2f6fd0", "#fff", "B"],
  green: ["#2e8b4a", "#fff", "G"],
  orange: ["#ef8a1d", "#2b1c10", "O"],
  yellow: ["#f4cf3a", "#2b1c10", "Y"],
  white: ["#fbf7ec", "#2b1c10", "W"],
  red: ["#c33127", "#fff", "R"],
  purple: ["#7d47a8", "#fff", "P"],
  black: ["#33302d", "#fff", "K"],
};

/** Colours of dice and tokens alone. @type {Record<string, [string, string, string]>} */
const MORE_COLOURS = {
  teal: ["#128a8a", "#fff", "T"],
  pink: ["#f08bb8", "#2b1c10", "I"],
  brown: ["#855028", "#fff", "N"],
  grey: ["#8b929a", "#2b1c10", "E"],
};

/** The hem of a saddle cloth, from x=0 to 38 and y=0 to 7, another for each colour. @type {Record<string, string>} */
const HEMS = {
  blue: '<path d="M0 3.5h38" fill="none" stroke-width="3"/>',
  green: '<path d="M0 6l4.75-5L9.5 6l4.75-5L19 6l4.75-5L28.5 6l4.75-5L38 6" fill="none" stroke-width="2.2"/>',
  orange:
    '<g stroke="none"><circle cx="4" cy="3.5" r="2.4"/><circle cx="14" cy="3.5" r="2.4"/><circle cx="24" cy="3.5" r="2.4"/><circle cx="34" cy="3.5" r="2.4"/></g>',
  yellow: '<path d="M3 0v7M11 0v7M19 0v7M27 0v7M35 0v7" fill="none" stroke-width="2.6"/>',
  white:
    '<path d="M1 0l6 7M11 0l6 7M21 0l6 7M31 0l6 7M7 0l-6 7M17 0l-6 7M27 0l-6 7M37 0l-6 7" fill="none" stroke-width="1.5"/>',
  red: '<path d="M0 1.8h38M0 5.8h38" fill="none" stroke-width="1.8"/>',
  purple: '<path d="M0 4c3-5 6-5 9.5 0s6.5 5 9.5 0 6-5 9.5 0 6.5 5 9.5 0" fill="none" stroke-width="2.2"/>',
  black: '<path d="M0 7l8-7M8 7l8-7M16 7l8-7M24 7l8-7M32 7l6-6" fill="none" stroke-width="2"/>',
  teal: '<path d="M0 6h6V1h6v5h7V1h6v5h6V1h7" fill="none" stroke-width="2"/>',
  pink: '<path d="M1 3.5h6M12 3.5h6M23 3.5h6M33 3.5h4" fill="none" stroke-width="3.4"/>',
  brown: '<path d="M0 1h38M5 1v6M14 1v6M23 1v6M32 1v6" fill="none" stroke-width="2"/>',
  grey: '<path d="M0 3.5h10M15 3.5h2M22 3.5h16" fill="none" stroke-width="2.6"/>',
};

/** A hamster's head around 0,0, about 20 wide. @param {string} [fur] */
function head(fur = "#d9a15b") {
  return `<g ${line(1.5)}><circle cx="-6.5" cy="-6" r="3.2" fill="${fur}"/><circle cx="6.5" cy="-6" r="3.2" fill="${fur}"/>
    <path d="M0-8.5c5 0 8 3 8.5 7 2 2 2 5 0 7C6.5 8 3.5 8.5 0 8.5S-6.5 8-8.5 5.5c-2-2-2-5 0-7C-8-5.5-5-8.5 0-8.5Z" fill="${fur}"/></g>
    <path d="M0-1c2.5 0 3.5 1.5 6 2.5 1.5 4-1.5 6-6 6s-7.5-2-6-6C-3.5.5-2.5-1 0-1Z" fill="#fff3dc"/>
    <circle cx="-3.6" cy="-1.8" r="1.3" fill="${INK}"/><circle cx="3.6" cy="-1.8" r="1.3" fill="${INK}"/><path d="M-1.4 1.5h2.8L0 3Z" fill="#b9574f"/>`;
}

/** @param {string} letter @param {number} x @param {number} y @param {number} size @param {string} ink */
function letters(letter, x, y, size, ink) {
  return `<text x="${x}" y="${y}" text-anchor="middle" font-family="var(--font-sans)" font-weight="800" font-size="${size}" fill="${ink}">${letter}</text>`;
}

/** @param {string} id @param {string} box @param {string} body */
const symbol = (id, box, body) => `<symbol id="figure-${id}" viewBox="${box}">${body}</symbol>`;

/** A camel with its rider: what a camel on its back covers is rider and hump; cloth and letter stay in sight. @param {string} colour */
function camel(colour) {
  const [paint, ink, letter] = COLOURS[colour];
  return symbol(
    `camel-${colour}`,
    CAMEL_BOX,
    `<g ${line()} fill="${paint}"><path d="M22 46v15h7V48ZM64 48v13h7V46Z"/><path d="M36 48v13h6V48ZM52 48v13h6V48Z" fill-opacity=".75"/>
      <path d="M17 40c-2-9 4-14 12-15 4-9 10-9 15-2h6c5-7 11-6 15 2 6 1 10 4 13 8 3 1 5-4 5-11 0-6 3-10 8-10 6 0 9 4 9 7s-3 4-8 4c0 9-1 19-7 23-3 2-7 1-10 1-14 5-50 6-58-7Z"/>
      <path d="M17 35c-4 2-5 8-3 13" fill="none"/></g><circle cx="92" cy="17" r="1.5" fill="${ink === "#fff" ? "#fff" : INK}"/>
     <path d="M27 29c10 3 31 3 42 0l2 20c-14 4-32 4-46 0Z" fill="${paint}" stroke="${ink}" stroke-width="1.8"/>
     <g transform="translate(29 42.5)" fill="${ink}" stroke="${ink}">${HEMS[colour]}</g>${letters(letter, 48, 42, 15, ink)}
     <g transform="translate(47 15)">${head()}<path d="M-8-6c3-6 13-6 16 0Z" fill="${paint}" ${line(1.5)}/></g>`,
  );
}

/** @param {string} colour */
function die(colour) {
  const [paint, ink, letter] = COLOURS[colour];
  return symbol(
    `die-${colour}`,
    "0 0 60 60",
    `<rect x="3" y="3" width="54" height="54" rx="11" fill="${paint}" ${line()}/><g transform="translate(11 46)" fill="${ink}" stroke="${ink}">${HEMS[colour]}</g>${letters(letter, 30, 39, 30, ink)}`,
  );
}

/** Where the pips of a die are, in thirds of its side, by their number. @type {[number, number][][]} */
const PIPS = [
  [[1, 1]],
  [[0, 2], [2, 0]],
  [[0, 2], [1, 1], [2, 0]],
  [[0, 0], [0, 2], [2, 0], [2, 2]],
  [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
]; // biome-ignore format: one die a line

/** A blank die. @param {string} paint @param {string} [more] */
const cube = (paint, more = "") =>
  `<rect x="3" y="3" width="54" height="54" rx="11" fill="${paint}" ${line()}/>${more}`;

/** A round token. @param {string} paint @param {string} ink @param {string} more */
const token = (paint, ink, more) =>
  `<circle cx="30" cy="30" r="27" fill="${paint}" ${line()}/><circle cx="30" cy="30" r="20" fill="none" stroke="${ink}" stroke-width="2" stroke-dasharray="5 3"/>${more}`;

/** Dice and tokens of any game. @type {Record<string, string>} */
const PLAIN = {
  "die-hidden": cube("#b9b2a3", letters("?", 30, 41, 32, INK)),
  "token-hidden": token("#b9b2a3", INK, letters("?", 30, 40, 28, INK)),
};
for (const [number, pips] of PIPS.entries())
  PLAIN[`die-${number + 1}`] = cube(
    COLOURS.white[0],
    pips.map(([x, y]) => `<circle cx="${16 + 14 * x}" cy="${16 + 14 * y}" r="5" fill="${INK}"/>`).join(""),
  );
for (const [colour, [paint, ink, letter]] of Object.entries({ ...COLOURS, ...MORE_COLOURS })) {
  PLAIN[`cube-${colour}`] = cube(
    paint,
    `<g transform="translate(11 46)" fill="${ink}" stroke="${ink}">${HEMS[colour]}</g>`,
  );
  PLAIN[`token-${colour}`] = token(paint, ink, letters(letter, 30, 38, 24, ink));
  PLAIN[`cube-${colour}-blank`] = cube(paint); // with a symbol upon it
  PLAIN[`token-${colour}-blank`] = token(paint, ink, "");
}

/** @param {string} colour */
function legTile(colour) {
  const [paint, ink, letter] = COLOURS[colour];
  return symbol(
    `leg-${colour}`,
    "0 0 60 74",
    `<path d="M4 70V30C4 12 14 4 30 4s26 8 26 26v40Z" fill="${paint}" ${line()}/><g transform="translate(11 12) scale(1 .9)" fill="${ink}" stroke="${ink}">${HEMS[colour]}</g>${letters(letter, 30, 44, 25, ink)}`,
  );
}

/** @param {string} colour */
function raceCard(colour) {
  const [paint, ink, letter] = COLOURS[colour];
  return symbol(
    `race-${colour}`,
    "0 0 100 140",
    `<rect x="1" y="1" width="98" height="138" rx="9" fill="#fffaf0" stroke="#8f7f5f" stroke-width="1.5"/><rect x="8" y="8" width="84" height="124" rx="5" fill="${paint}" stroke="${INK}" stroke-width="2"/>
     ${letters(letter, 50, 56, 48, ink)}<g transform="translate(17 118) scale(1.74 1.3)" fill="${ink}" stroke="${ink}">${HEMS[colour]}</g>
     <use href="#figure-camel-${colour}" x="11" y="62" width="78" height="50"/>`,
  );
}

const CARD_PAPER =
  '<rect x="1" y="1" width="98" height="98" rx="8" fill="var(--card-face)" stroke="var(--card-edge)" stroke-width="1.5"/>';

/** A card of the house at night: square, with the picture in the middle. @param {string} name @param {string} ground @param {string} picture */
const scene = (name, ground, picture) =>
  symbol(
    name,
    "0 0 100 100",
    `${CARD_PAPER}<rect x="6" y="6" width="88" height="88" rx="5" fill="${ground}"/>${picture}`,
  );

/** A hamster that stands guard: body in its coat, head, what it carries. @param {string} coat @param {string} more @param {string} [fur] */
const figure = (coat, more, fur) =>
  `<g ${line()}><path d="M30 88c0-22 6-34 20-34s20 12 20 34Z" fill="${coat}"/></g><g transform="translate(50 40) scale(1.6)">${head(fur)}</g>${more}`;

/** @type {Record<string, [string, string]>} ground and picture */
const SCENES = {
  guard: [
    "#e9dfc8",
    figure(
      "#7d4b32",
      `<g ${line()}><path d="M36 27c2-12 26-12 28 0l5 3H31Z" fill="#5d3522"/><path d="M76 88V38" stroke-width="3.5" stroke="#6d4526"/><path d="M76 24l6 16H70Z" fill="#b8c0c8"/></g>`,
    ),
  ],
  warden: [
    "#efe3bf",
    figure(
      "#2f4f7f",
      `<g ${line()}><path d="M34 28c3-14 29-14 32 0Z" fill="#22395c"/><path d="M74 58v8" /><rect x="67" y="66" width="14" height="18" rx="3" fill="#ffd25e"/><path d="M67 66h14M67 84h14" stroke-width="3"/></g>`,
    ),
  ],
  wolf: [
    "#d9d6d0",
    `<g ${line()}><path d="M24 26l8 18M76 26l-8 18" /><path d="M22 20c10 2 14 8 16 14h24c2-6 6-12 16-14 1 14-1 22-4 28 1 14-10 20-15 36-2 6-16 6-18 0-5-16-16-22-15-36-3-6-5-14-4-28Z" fill="#8d8b8a"/><path d="M50 66l-8 14c2 8 14 8 16 0Z" fill="#e8e4dc"/></g><path d="M36 48l9 5-8 2ZM64 48l-9 5 8 2Z" fill="#f4cf3a" stroke="${INK}" stroke-width="1.5"/><path d="M45 76h10l-5 6Z" fill="${INK}"/>`,
  ],
  owl: [
    "#dfe3ea",
    `<g ${line()}><path d="M26 24l14 8h20l14-8c4 22 4 62-24 64-28-2-28-42-24-64Z" fill="#9b7346"/><circle cx="39" cy="46" r="11" fill="#fff3dc"/><circle cx="61" cy="46" r="11" fill="#fff3dc"/><path d="M46 56h8l-4 9Z" fill="#ef8a1d"/><path d="M38 72l5 4 5-4 5 4 5-4 5 4" fill="none"/></g><circle cx="39" cy="46" r="5" fill="${INK}"/><circle cx="61" cy="46" r="5" fill="${INK}"/>`,
  ],
  overseer: [
    "#e6d4d0",
    figure(
      "#6c1f2b",
      `<g ${line()}><path d="M36 28V10h28v18l8 4H28Z" fill="#2b2526"/><path d="M36 22h28" stroke="#f4cf3a" stroke-width="3"/><path d="M38 62h24M38 70h24M38 78h24" stroke="#f4cf3a"/></g>`,
      "#b58a5a",
    ),
  ],
  sneak: [
    "#cfdce0",
    `<g ${line()}><path d="M14 80c6-22 18-34 36-34s30 12 36 34Z" fill="#37474f"/><path d="M30 52c0-20 8-30 20-30s20 10 20 30Z" fill="#37474f"/></g><g transform="translate(50 46) scale(1.3)">${head()}</g><path d="M34 44c10-4 22-4 32 0v5c-10-3-22-3-32 0Z" fill="#1c2529"/>`,
  ],
  hide: [
    "#d3dccf",
    `<g ${line()}><path d="M20 88V40c0-30 60-30 60 0v48Z" fill="#4a3524"/><path d="M30 88V44c0-20 40-20 40 0v44Z" fill="#17110c"/></g><circle cx="43" cy="58" r="3" fill="#ffe9a8"/><circle cx="57" cy="58" r="3" fill="#ffe9a8"/><path d="M20 40c8 8 8 40 4 48M80 40c-8 8-8 40-4 48" fill="none" ${line(2.2, "#8d5d36")}/>`,
  ],
  torch: [
    "#fbe7b4",
    `<path d="M50 8c10 12 22 20 16 36-3 8-10 12-16 12s-13-4-16-12C30 30 46 26 50 8Z" fill="#ef8a1d" ${line()}/><path d="M50 28c5 7 9 11 7 19-2 5-5 7-7 7s-5-2-7-7c-2-7 5-10 7-19Z" fill="#ffe27a"/><path d="M43 56h14l-4 34h-6Z" fill="#6d4526" ${line()}/>`,
  ],
  treasure: [
    "#e6e0f2",
    `<g ${line()}><path d="M28 40l10-14h24l10 14-22 42Z" fill="#58a6d8"/><path d="M28 40h44M38 26l4 14 8 42 8-42 4-14M42 40l8-14 8 14" fill="none" stroke-width="1.6"/></g><path d="M38 30l-4 7h6Z" fill="#fff" opacity=".8"/>`,
  ],
  door: [
    "#e3d8c6",
    `<g ${line()}><path d="M28 88V30c0-16 44-16 44 0v58Z" fill="#2f5396"/><path d="M34 84V34c0-10 32-10 32 0v50Z" fill="none"/><path d="M34 58h32" fill="none"/></g><circle cx="61" cy="52" r="3.4" fill="#f4cf3a" stroke="${INK}"/>`,
  ],
  trap: [
    "#e9d3cc",
    `<g ${line()}><rect x="16" y="62" width="68" height="18" rx="3" fill="#8d5d36"/><path d="M28 62V40h44v22" fill="none" stroke-width="4" stroke="#8b939b"/><path d="M50 62V48" stroke-width="4" stroke="#8b939b"/><path d="M40 40l14-18 12 18Z" fill="#f4cf3a"/></g><circle cx="54" cy="34" r="2.5" fill="#b98a2c"/>`,
  ],
  strongbox: [
    "#efe2c0",
    `<g ${line()}><path d="M18 46c0-22 64-22 64 0Z" fill="#8d5d36"/><rect x="18" y="46" width="64" height="36" rx="3" fill="#6d4526"/><path d="M30 32v50M70 32v50" stroke="#d9a233" stroke-width="5"/><rect x="42" y="42" width="16" height="18" rx="3" fill="#f4cf3a"/></g><circle cx="50" cy="50" r="2.5" fill="${INK}"/><path d="M50 50v6" ${line()}/>`,
  ],
  hatch: [
    "#cfe3e6",
    `<g ${line()}><path d="M16 78l14-36h40l14 36Z" fill="#17304a"/><path d="M30 42l4-26h40l-4 26Z" fill="#8d5d36"/><path d="M36 50v28M64 50v28M34 58h32M31 68h38" stroke="#d9c39a" stroke-width="3.5" fill="none"/></g>`,
  ],
};

const THIEF = `<g ${line()}><path d="M18 92c2-26 12-40 32-40s30 14 32 40Z" fill="#22303a"/><path d="M28 44c0-24 10-34 22-34s22 10 22 34l-6 14H34Z" fill="#22303a"/></g><g transform="translate(50 42) scale(1.7)">${head()}<path d="M-8.5-4c5-2 12-2 17 0v4.5c-5-2-12-2-17 0Z" fill="#17110c"/><circle cx="-3.6" cy="-1.8" r="1.5" fill="#fff"/><circle cx="3.6" cy="-1.8" r="1.5" fill="#fff"/></g><g ${line()}><path d="M66 92c-4-14 4-22 12-22s14 10 10 22Z" fill="#b9a27a"/><path d="M74 70l8 0" stroke-width="3"/></g>`;

const SANDS = "0 0 94 62";

/** Other faces. @type {Record<string, string>} */
const THINGS = {
  oasis: symbol(
    "oasis",
    SANDS,
    `<ellipse cx="47" cy="46" rx="44" ry="14" fill="#f0d79a" ${line()}/><ellipse cx="47" cy="47" rx="28" ry="8" fill="#4fa9c9" ${line(1.6)}/><path d="M20 44C22 30 22 24 20 14" fill="none" ${line(4, "#6d4526")}/><path d="M20 14C12 8 6 12 4 18c6-3 10-3 16-4C22 6 30 4 36 10c-6 0-10 1-16 4 8 2 10 6 10 12-3-5-5-8-10-12Z" fill="#2e8b4a" ${line(1.6)}/>`,
  ),
  mirage: symbol(
    "mirage",
    SANDS,
    `<ellipse cx="47" cy="46" rx="44" ry="14" fill="#e2b56c" ${line()}/><path d="M14 42c8-5 14 5 22 0s14 5 22 0 14 5 22 0M20 50c7-4 12 4 18 0s12 4 18 0 12 4 18 0" fill="none" stroke="#a5622a" stroke-width="2.6"/><circle cx="62" cy="17" r="11" fill="#ef8a1d" ${line()}/><path d="M62 1v-1M46 17h-4M82 17h-4M51 6l-3-3M73 6l3-3" ${line()}/>`,
  ),
  pyramid: symbol(
    "pyramid",
    "0 0 100 90",
    `<path d="M50 6 96 82H4Z" fill="#e0ab3c" ${line()}/><path d="M50 6 96 82H62Z" fill="#b98a2c" ${line()}/><path d="M34 34h28M22 54h36M12 70h48" fill="none" stroke="${INK}" stroke-width="1.6"/><path d="M36 82V66c0-8 14-8 14 0v16Z" fill="#3b2615"/>`,
  ),
  thief: symbol("thief", "0 0 100 100", THIEF),
};

/** The shape of a face: its viewBox. @param {string} face */
function box(face) {
  if (PLAIN[face]) return "0 0 60 60";
  const [kind, colour = ""] = face.split("-");
  if (COLOURS[colour]) return { camel: CAMEL_BOX, die: "0 0 60 60", leg: "0 0 60 74", race: "0 0 100 140" }[kind] ?? "";
  if (SCENES[face] || face === "thief") return "0 0 100 100";
  return { oasis: SANDS, mirage: SANDS, pyramid: "0 0 100 90" }[face] ?? "";
}

/** Whether there is a picture of that face. @param {string} face */
export const hasFigure = (face) => !!box(face);

/** What kind of picture it is, for its size on the page: "camel", "die", ... @param {string} face */
export const kindOf = (face) => (SCENES[face] ? "scene" : face.split("-")[0]);

/** The ink that is seen upon a die or a token, and its own colour. @param {string} face @returns {[string, string]} */
export function inksOf(face) {
  const [paint, ink] = { ...COLOURS, ...MORE_COLOURS }[face.split("-")[1]] ?? COLOURS.white;
  return [ink, paint];
}

/** Where the picture of a face is, and its box. @param {string} face */
export function figureOf(face) {
  install();
  return { href: `#figure-${face}`, box: box(face) };
}

/** Put the sprite into the page when it is first wanted: games of cards alone do without. */
function install() {
  if (document.querySelector("svg.figures")) return;
  const coloured = Object.keys(COLOURS).map(
    (colour) => camel(colour) + die(colour) + legTile(colour) + raceCard(colour),
  );
  const plain = Object.entries(PLAIN).map(([name, body]) => symbol(name, "0 0 60 60", body));
  const scenes = Object.entries(SCENES).map(([name, [ground, picture]]) => scene(name, ground, picture));
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" class="sprite figures">${coloured.join("")}${plain.join("")}${scenes.join("")}${Object.values(THINGS).join("")}</svg>`;
  document.body.prepend(
    document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true),
  );
}
