// @ts-check
/**
 * How much room cards need, without access to the page. Widths and heights are whole pixels, so that the browser lays
 * out exactly what is computed here.
 */

/**
 * Something to lay out: a name plate, a place for one card or a pile, or cards side by side.
 * @typedef {object} Item
 * @property {"plate" | "stack" | "fan" | "trick"} kind
 * @property {number} count cards to have room for
 * @property {number} ratio the height of a card by its width
 * @property {"none" | "top" | "all"} live which of the cards may be tapped, so that a finger must be able to hit them
 * @property {boolean} apart cards lie side by side if there is room; otherwise they overlap, like a hand
 * @property {boolean} whole its pieces never overlap, because no corner of them says what they are
 * @property {number} label the width of its label in one line, 0 for none
 * @property {number} wrapped the least width of its label in two lines
 * @property {[number, number]} inside the width and the height of its label inside its place
 * @property {number} badge the width of a badge on the corner of its cards, 0 for none
 * @property {number} scale size of its cards, relative to others
 * @property {number} width of a plate; of a trick: the least width for a card, which has a caption
 * @property {number} [finger] the least width of the place of a card that may be tapped, with the space beside it
 * @property {number} height of a plate; of a trick: the height of a caption
 * @property {import("./trick.js").Compass} [compass] of a trick: how its cards lie
 */

/**
 * How a region arranges its items.
 * @typedef {object} Look
 * @property {number} strip pixels that must be visible of a card that may be tapped
 * @property {number} sliver pixels that must be visible of any other card
 * @property {number} fan preferred visible share of a card in a fan
 * @property {number} row the same for cards that lie side by side if there is room
 * @property {number} across pixels between items
 * @property {number} down pixels between lines of items
 * @property {number} label the height of a line of labels, 0 for none
 * @property {number} named the width that a label gets at least, if it needs so much
 */

/**
 * Where the cards of an item lie: `columns` in a row, `step` from one to the next, `fall` from row to row. `labels` is
 * how many lines its label has, the same for all items of a line.
 * @typedef {{width: number, height: number, columns: number, rows: number, step: number, fall: number, card: number, labels: number}} Box
 */

/** @typedef {Box & {least: number, named: number, most: number, label: number}} Need ``named``: the width that its label gets if there is room; ``label``: its width in one line */

const BESIDE = 5; // pixels between cards that do not overlap
const WIDE_HAND = 4; // a hand of at most so many cards may lie without overlap
const OVERLAP = 0.66; // the visible share of a card in a larger hand, at most
const LOWER_ROW = 0.55; // the visible share of the height of a card that a lower row covers
const LONG_LABEL = 150; // the width that a label gets if there is room
const SINGLE = { columns: 1, rows: 1, step: 0, fall: 0, labels: 1 }; // one place, whatever its size

/**
 * The room that an item needs, for a width of cards and a width of the line.
 * @param {Item} item @param {number} size @param {Look} look @param {number} room @returns {Need}
 */
export function need(item, size, look, room) {
  const card = Math.round(size * item.scale);
  if (item.kind === "plate")
    return {
      least: item.width,
      named: item.width,
      most: item.width,
      width: item.width,
      height: item.height,
      ...SINGLE,
      card,
      label: 0,
    };
  if (item.compass) {
    const { columns, rows } = item.compass;
    const cell = Math.max(card, item.width) + BESIDE;
    const wide = columns * cell;
    const high = Math.ceil(rows * (Math.ceil(card * item.ratio) + item.height + BESIDE));
    return {
      least: wide,
      named: wide,
      most: wide,
      width: wide,
      height: high,
      ...SINGLE,
      step: cell,
      card,
      label: 0,
    };
  }
  const label = look.label ? item.label : 0;
  const tall = Math.ceil(card * item.ratio) + (look.label && item.label ? look.label : 0);
  const held = Math.max(card, (item.finger ?? 0) - look.across);
  // A label is never cut: it gets the width at which two lines hold it, unless a name in it is too long for any place.
  const wrapped = look.label ? Math.min(item.wrapped, Math.max(LONG_LABEL, Math.floor(room / 4))) : 0;
  const one = Math.min(room, Math.max(held, wrapped, Math.min(label, look.named)));
  const labelled = Math.min(room, Math.max(held, wrapped, Math.min(label, LONG_LABEL)));
  if (item.kind === "stack" || item.count <= 1)
    return {
      least: one,
      named: labelled,
      most: labelled,
      width: one,
      height: tall,
      ...SINGLE,
      card,
      label,
    };
  const whole = card + BESIDE;
  const strip = item.whole ? whole : item.live === "all" ? look.strip : look.sliver;
  const easy = Math.max(strip, Math.round((item.apart ? look.row : look.fan) * card), Math.min(card, item.badge));
  let columns = item.count;
  if ((columns - 1) * strip + card > room) columns = Math.max(1, Math.floor((room - card) / strip) + 1);
  const rows = Math.ceil(item.count / columns);
  columns = Math.ceil(item.count / rows);
  const step = rows === 1 && (columns - 1) * easy + card <= room ? easy : strip;
  const reach = item.apart || item.count <= WIDE_HAND ? whole : Math.max(step, Math.round(card * OVERLAP));
  const fall = item.whole
    ? Math.ceil(card * item.ratio) + BESIDE
    : Math.max(strip, Math.round(card * item.ratio * LOWER_ROW));
  const least = Math.max(one, (columns - 1) * step + card);
  return {
    least,
    named: Math.max(labelled, least),
    most: Math.min(room, Math.max(labelled, (columns - 1) * reach + card)),
    width: 0,
    height: tall + (rows - 1) * fall,
    columns,
    rows,
    step,
    fall,
    card,
    labels: 1,
    label,
  };
}

/**
 * Arrange items in lines, as text wraps; the rest of a line goes to its labels, and then to its fans. Null if an item is wider than a line,
 * or if more than `most` lines are needed.
 * @param {Item[]} items @param {number} card @param {number} room @param {Look} look @param {number} [most]
 * @returns {{height: number, width: number, lines: number, boxes: Box[]} | null}
 */
export function flow(items, card, room, look, most = Infinity) {
  /** @type {{needs: Need[], width: number}[]} */
  const lines = [];
  for (const item of items) {
    const one = need(item, card, look, room);
    if (one.least > room) return null;
    const line = lines.at(-1);
    if (line && line.width + look.across + one.least <= room) {
      line.needs.push(one);
      line.width += look.across + one.least;
    } else lines.push({ needs: [one], width: one.least });
  }
  if (lines.length > most) return null;
  let height = 0;
  let widest = 0;
  for (const line of lines) {
    let left = room - line.width;
    for (const one of line.needs) one.width = one.least;
    for (const limit of /** @type {("named" | "most")[]} */ (["named", "most"])) {
      let growing = line.needs.filter((one) => one[limit] > one.width);
      while (left >= growing.length && growing.length) {
        const share = Math.floor(left / growing.length);
        for (const one of growing) {
          const more = Math.min(share, one[limit] - one.width);
          one.width += more;
          left -= more;
        }
        growing = growing.filter((one) => one[limit] > one.width);
      }
    }
    for (const one of line.needs)
      if (one.columns > 1) one.step = Math.floor((one.width - one.card) / (one.columns - 1));
    const labels = line.needs.some((one) => one.label > one.width) ? 2 : 1;
    for (const one of line.needs) one.labels = labels;
    height += Math.max(...line.needs.map((one) => one.height + (one.label ? (labels - 1) * look.label : 0)));
    if (line !== lines[0]) height += look.down;
    widest = Math.max(widest, room - left);
  }
  return { height, width: widest, lines: lines.length, boxes: lines.flatMap((line) => line.needs) };
}

/**
 * The narrowest room in which items need no more lines and no more height than in `room`: so that a last line of many is
 * about as long as the others, instead of holding what was left over.
 * @param {Item[]} items @param {number} card @param {number} room @param {Look} look
 */
export function balanced(items, card, room, look) {
  const whole = flow(items, card, room, look);
  if (!whole || whole.lines === 1) return room;
  const narrower = largest(0, room, (less) => {
    const laid = flow(items, card, room - less, look);
    return !!laid && laid.lines <= whole.lines && laid.height <= whole.height;
  });
  return room - (narrower ?? 0);
}

/**
 * The largest whole number from `least` to `most` that fits; null if not even `least` does.
 * If a size fits, all smaller ones must fit, too.
 * @param {number} least @param {number} most @param {(size: number) => boolean} fits
 */
export function largest(least, most, fits) {
  if (!fits(least)) return null;
  let [low, high] = [least, Math.max(least, most)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
