// @ts-check
/**
 * How much room cards need. Pure: no page; widths and heights are pixels, and whole ones, so that what is computed here
 * is what the browser lays out.
 */

/**
 * A thing that is laid: a plate, a place for one card or a pile, or cards side by side.
 * @typedef {object} Item
 * @property {"plate" | "stack" | "fan"} kind
 * @property {number} count cards to have room for
 * @property {number} ratio the height of a card by its width
 * @property {"none" | "top" | "all"} live which of the cards may be touched: a finger has to hit them
 * @property {boolean} apart cards lie side by side where there is room, else one over the other, like a hand
 * @property {number} label the width of its label, 0 for none
 * @property {number} badge the width of a badge on the corner of its cards, 0 for none
 * @property {number} scale how large its cards are beside others
 * @property {number} width of a plate
 * @property {number} height of a plate
 */

/**
 * How a region lays its things.
 * @typedef {object} Look
 * @property {number} strip what must be seen of a card that may be touched
 * @property {number} sliver what must be seen of any other
 * @property {number} fan what is better seen of a card in a fan, as a share of its width
 * @property {number} row the same for cards that lie side by side where there is room
 * @property {number} across between things
 * @property {number} down between lines of them
 * @property {number} label the height of a line of labels, 0 for none
 */

/**
 * Where cards of a thing lie: `columns` a row, `step` from one to the next, `fall` from row to row.
 * @typedef {{width: number, height: number, columns: number, rows: number, step: number, fall: number, card: number}} Box
 */

/** @typedef {Box & {least: number, most: number}} Need */

const BESIDE = 5; // between cards that do not cover one another
const WIDE_HAND = 4; // so many cards of a hand may lie apart
const OVERLAP = 0.66; // of a card of a larger hand is seen at most
const LABEL = 60; // what a label has in any case
const LONG_LABEL = 150; // and where there is room

/**
 * What a thing needs with cards so wide, in a line so wide.
 * @param {Item} item @param {number} size @param {Look} look @param {number} room @returns {Need}
 */
export function need(item, size, look, room) {
  const card = Math.round(size * item.scale);
  if (item.kind === "plate")
    return {
      least: item.width,
      most: item.width,
      width: item.width,
      height: item.height,
      columns: 1,
      rows: 1,
      step: 0,
      fall: 0,
      card,
    };
  const label = look.label ? item.label : 0;
  const tall = Math.ceil(card * item.ratio) + (look.label && item.label ? look.label : 0);
  const one = Math.min(room, Math.max(card, Math.min(label, LABEL)));
  const labelled = Math.min(room, Math.max(card, Math.min(label, LONG_LABEL)));
  if (item.kind === "stack" || item.count <= 1)
    return { least: one, most: labelled, width: one, height: tall, columns: 1, rows: 1, step: 0, fall: 0, card };
  const strip = item.live === "all" ? look.strip : look.sliver;
  const easy = Math.max(strip, Math.round((item.apart ? look.row : look.fan) * card), Math.min(card, item.badge));
  let columns = item.count;
  if ((columns - 1) * strip + card > room) columns = Math.max(1, Math.floor((room - card) / strip) + 1);
  const rows = Math.ceil(item.count / columns);
  columns = Math.ceil(item.count / rows);
  const step = rows === 1 && (columns - 1) * easy + card <= room ? easy : strip;
  const reach = item.apart || item.count <= WIDE_HAND ? card + BESIDE : Math.max(step, Math.round(card * OVERLAP));
  const fall = Math.max(strip, Math.round(card * item.ratio * 0.55));
  return {
    least: Math.max(one, (columns - 1) * step + card),
    most: Math.min(room, Math.max(labelled, (columns - 1) * reach + card)),
    width: 0,
    height: tall + (rows - 1) * fall,
    columns,
    rows,
    step,
    fall,
    card,
  };
}

/**
 * Lay things line by line, as text is laid; what is left of a line goes to its fans. Null where one is wider than a line.
 * Null, too, where that takes more than `most` lines.
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
    let growing = line.needs.filter((one) => one.most > one.width);
    while (left >= growing.length && growing.length) {
      const share = Math.floor(left / growing.length);
      for (const one of growing) {
        const more = Math.min(share, one.most - one.width);
        one.width += more;
        left -= more;
      }
      growing = growing.filter((one) => one.most > one.width);
    }
    for (const one of line.needs)
      if (one.columns > 1) one.step = Math.floor((one.width - one.card) / (one.columns - 1));
    height += Math.max(...line.needs.map((one) => one.height)) + (height ? look.down : 0);
    widest = Math.max(widest, room - left);
  }
  return { height, width: widest, lines: lines.length, boxes: lines.flatMap((line) => line.needs) };
}

/**
 * The largest whole number from `least` to `most` that fits; null when not even the least does.
 * What fits must fit smaller, too.
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
