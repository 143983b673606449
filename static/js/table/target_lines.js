// @ts-check
/** Lines from the picked piece to its possible targets; that to the hovered or chosen target is stronger. */

const SPACE = "http://www.w3.org/2000/svg";

export class TargetLines {
  /** @param {HTMLElement} felt */
  constructor(felt) {
    this.felt = felt;
    this.svg = document.createElementNS(SPACE, "svg");
    this.svg.setAttribute("class", "target-lines");
    this.svg.setAttribute("aria-hidden", "true");
    felt.append(this.svg);
    const point = (/** @type {Event} */ event) => {
      const target = /** @type {Element} */ (event.target).closest?.("[data-target],[data-lit][data-piece]");
      this.strong(target);
    };
    felt.addEventListener("pointerover", point);
    felt.addEventListener("focusin", point);
    addEventListener("resize", () => this.draw());
  }

  draw() {
    this.svg.replaceChildren();
    const picked = this.felt.querySelector("[data-picked]");
    if (!picked) return;
    const origin = this.svg.getBoundingClientRect();
    const card = picked.getBoundingClientRect();
    const start = { x: card.left + card.width / 2 - origin.left, y: card.top - origin.top };
    for (const target of this.felt.querySelectorAll(".aim, [data-lit][data-piece]")) {
      const end = middle((target.closest(".seat")?.querySelector(".face") ?? target).getBoundingClientRect(), origin);
      const path = document.createElementNS(SPACE, "path");
      const bend = Math.min(60, Math.hypot(end.x - start.x, end.y - start.y) / 4);
      path.setAttribute(
        "d",
        `M${start.x} ${start.y}Q${(start.x + end.x) / 2} ${(start.y + end.y) / 2 - bend} ${end.x} ${end.y}`,
      );
      path.dataset.to = name(target);
      path.toggleAttribute("data-aimed", target.hasAttribute("data-aimed"));
      this.svg.append(path);
    }
  }

  /** @param {Element | null | undefined} target */
  strong(target) {
    for (const path of /** @type {Iterable<SVGElement>} */ (this.svg.children))
      path.toggleAttribute("data-strong", !!target && path.dataset.to === name(target));
  }
}

/** @param {Element} target */
function name(target) {
  const { target: aimed, piece } = /** @type {HTMLElement} */ (target).dataset;
  return aimed ?? `piece:${piece}`;
}

/** @param {DOMRect} rect @param {DOMRect} origin */
function middle(rect, origin) {
  return { x: rect.left + rect.width / 2 - origin.left, y: rect.top + rect.height / 2 - origin.top };
}
