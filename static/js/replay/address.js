// @ts-check
/** The address of a step: the move, and the seat it is seen from. The page's own address is updated a moment later. */

const LATER = 300; // milliseconds: browsers limit how often an address may change

export class Address {
  /** @param {string} shared the address that opens for others too @param {number} last the number of the last step @param {number} seats */
  constructor(shared, last, seats) {
    this.shared = new URL(shared, location.href).href;
    const asked = new URL(location.href).searchParams;
    /** The step to begin at. */
    this.move = whole(asked.get("move"), last) ?? 0;
    /** The seat at the bottom of the felt, null if the address has none. */
    this.seat = whole(asked.get("seat"), seats - 1);
    this.timer = 0;
  }

  /** The address of a step, for others. @param {number} move @param {number} seat @returns {string} */
  of(move, seat) {
    const there = new URL(this.shared);
    there.searchParams.set("move", String(move));
    there.searchParams.set("seat", String(seat));
    return there.href;
  }

  /** The page shows this step now. @param {number} move @param {number} seat */
  follow(move, seat) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => history.replaceState(history.state, "", this.of(move, seat)), LATER);
  }
}

/** A whole number from 0 to `most`, null for anything else; a greater number becomes `most`. @param {string | null} raw @param {number} most */
function whole(raw, most) {
  return raw && /^\d{1,6}$/.test(raw) ? Math.min(Number(raw), most) : null;
}
