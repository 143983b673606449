// @ts-check
/** The route of a piece along a track: space by space, by way of a space that sent it on. */

/**
 * The middles of the spaces between two of the same track, the last one left out.
 * @param {Element} root @param {string} source @param {string} target @param {string} [via]
 * @returns {{x: number, y: number}[]} as seen from the middle of the last space; empty when there is nothing between
 */
export function route(root, source, target, via) {
  const at = (/** @type {string} */ id) => root.querySelector(`.board-track .space[data-zone="${CSS.escape(id)}"]`);
  const [from, to, by] = [at(source), at(target), via ? at(via) : null];
  if (!from || !to || from.parentElement !== to.parentElement) return [];
  const spaces = [.../** @type {Element} */ (from.parentElement).children];
  const stops = [from, ...(by ? [by] : []), to].map((space) => spaces.indexOf(space));
  /** @type {number[]} */
  const passed = [];
  for (let leg = 1; leg < stops.length; leg++) {
    const step = Math.sign(stops[leg] - stops[leg - 1]);
    for (let place = stops[leg - 1]; step && place !== stops[leg]; ) {
      place += step;
      passed.push(place);
    }
  }
  const middle = (/** @type {Element} */ space) => {
    const box = space.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const end = middle(to);
  return passed.slice(0, -1).map((place) => {
    const spot = middle(spaces[place]);
    return { x: spot.x - end.x, y: spot.y - end.y };
  });
}
