// @ts-check
/** Panels over the felt, before a match, after a round and after a match: fetched when there is first one to show. */

/** @typedef {import("./store.js").Store} Store */

export class Panels {
  /**
   * @param {HTMLElement} parent @param {{invite: string, change: string, qr: string}} addresses for friends, of the page that changes the game, and of a QR code
   * @param {import("./waiting_room.js").Press} press
   * @param {() => void} ready called when panels have come that are to be drawn
   */
  constructor(parent, addresses, press, ready) {
    /** @type {(() => Promise<void>) | null} */
    this.fetch = async () => {
      const [{ WaitingRoom }, { SettlementPanel }, { ResultPanel }] = await Promise.all([
        import("./waiting_room.js"),
        import("./settlement.js"),
        import("./result.js"),
      ]);
      this.all = {
        waiting: new WaitingRoom(parent, addresses, press),
        reckoning: new SettlementPanel(parent),
        result: new ResultPanel(parent, addresses, press),
      };
      ready();
    };
    /** @type {{waiting: import("./waiting_room.js").WaitingRoom, reckoning: import("./settlement.js").SettlementPanel, result: import("./result.js").ResultPanel} | null} */
    this.all = null;
  }

  /** @param {Store} store @param {boolean} gone the table is no more @param {import("./text.js").Names} names */
  draw({ view, table, you }, gone, names) {
    const { all, fetch } = this;
    if (all) {
      all.waiting.draw(gone ? null : table, you);
      all.reckoning.draw(view?.over ? undefined : view?.reckoning, names);
      all.result.draw(view, table, you);
    } else if (fetch && (table?.status === "open" || view?.reckoning || view?.over)) {
      this.fetch = null;
      fetch().catch(() => (this.fetch = fetch)); // the line was cut: once more with the next drawing
    }
  }

  /** Put away what may be put away. @returns {boolean} whether there was anything */
  dismiss() {
    return !!this.all && (this.all.reckoning.dismiss() || this.all.result.dismiss());
  }
}
