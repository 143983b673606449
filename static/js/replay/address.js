// @ts-check
/** The address of a step of a replay: its move, and the seat at the bottom of the felt. The page's address follows the step shown. */

const DELAY = 300; // milliseconds: browsers limit how often a page may change its address

export class Address {
  /** @param {string} shared the replay's address, which others can open, too @param {number} last the number of the last step @param {number} seats */
  constructor(shared, last, seats) {
    this.shared = new URL(shared, location.href).href;
    const query = new URL(location.href).searchParams;
    /** The step to begin at. */
    this.move = whole(query.get("move"), last) ?? 0;
    /** The seat at the bottom of the felt, null if the address has none. */
    this.seat = whole(query.get("seat"), seats - 1);
    this.timer = 0;
  }

  /** The address of a step, for others. @param {number} move @param {number} seat @returns {string} */
  of(move, seat) {
    const address = new URL(this.shared);
    address.searchParams.set("move", String(move));
    address.searchParams.set("seat", String(seat));
    return address.href;
  }

  /** Update the address of the page, which shows this step now. @param {number} move @param {number} seat */
  follow(move, seat) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => history.replaceState(history.state, "", this.of(move, seat)), DELAY);
  }
}

/** A parameter as a whole number, at most `most`; null if it is not one. @param {string | null} raw @param {number} most */
function whole(raw, most) {
  return raw && /^\d{1,6}$/.test(raw) ? Math.min(Number(raw), most) : null;
}
