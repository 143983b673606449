// @ts-check
/** "Where was the match decided?": under the slider of a replay, the expected share of each player at each decision. */
import { t } from "../i18n.js";
import { post } from "../api.js";
import { attr, h, write } from "../table/dom.js";

/** @typedef {{points: number[], lines: (number | null)[][], rollouts: number, alone: boolean}} Lead */
/** @typedef {{ok?: boolean, state?: string, lead?: Lead | null, text?: string}} LeadReply */

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 100;
const LINES = 8; // distinct colours and dashes; more seats reuse them
const POLL_EVERY = 1000; // milliseconds between two requests for the result
const DASHES = ["", "8 3", "2 3", "10 3 2 3", "5 5", "1 4", "14 4", "6 2 1 2 1 2"];

/** @param {string} name @param {Record<string, string | number>} attributes @param {...Node} children */
function draw(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** The seats that are ahead at a point. @param {Lead} lead @param {number} index @returns {number[]} */
function leaders(lead, index) {
  const values = lead.lines.map((line) => line[index] ?? -Infinity);
  const best = Math.max(...values);
  return values.flatMap((value, seat) => (value === best ? [seat] : []));
}

/** The point from which on all winners were ahead. @param {Lead} lead */
export function decided(lead) {
  const won = leaders(lead, lead.points.length - 1);
  let index = lead.points.length - 1;
  while (index > 0 && won.every((seat) => leaders(lead, index - 1).includes(seat))) index -= 1;
  return { won, move: lead.points[index] };
}

export class LeadPanel {
  /** @param {string} url @param {(seat: number) => string} names @param {number} last the number of the last step */
  constructor(url, names, last) {
    this.url = url;
    this.names = names;
    this.last = Math.max(1, last);
    this.step = 0;
    /** @type {Lead | null} */
    this.lead = null;
    this.asked = false;
    this.status = h("p", { class: "lead-status", role: "status" });
    this.chart = h("div", { class: "lead-chart", hidden: true });
    this.body = h("div", { class: "lead-body", id: "lead", hidden: true }, this.status, this.chart);
    this.button = h(
      "button",
      {
        class: "button button-small lead-button",
        type: "button",
        "aria-expanded": "false",
        "aria-controls": "lead",
        onclick: () => this.toggle(),
      },
      t("Where was the match decided?"),
    );
    /** @type {SVGElement | null} */
    this.marker = null;
    /** @type {HTMLElement[]} */
    this.values = [];
  }

  toggle() {
    const open = this.body.hidden;
    this.body.hidden = !open;
    attr(this.button, "aria-expanded", String(open));
    if (open && !this.asked) void this.ask();
  }

  async ask() {
    this.asked = true;
    write(this.status, t("The match is being analysed. This takes a few seconds …"));
    let reply = /** @type {LeadReply} */ (await post(this.url, {}));
    while (reply.state === "working") {
      await new Promise((done) => setTimeout(done, POLL_EVERY));
      try {
        const answer = await fetch(this.url, { headers: { Accept: "application/json" } });
        reply = answer.ok ? await answer.json() : {};
      } catch {
        reply = {};
      }
    }
    if (reply.state === "done" && reply.lead) return this.show(reply.lead);
    this.asked = false; // it is tried again when the chart is opened again
    if (reply.state === "too_long") write(this.status, t("This match is too long to be analysed."));
    else if (reply.state === "failed") write(this.status, t("This could not be computed for this match."));
    else write(this.status, reply.text ?? t("That did not work. Close this and open it again."));
  }

  /** @param {Lead} lead */
  show(lead) {
    this.lead = lead;
    const { won, move } = decided(lead);
    const names = won.map((seat) => this.names(seat)).join(", ");
    const words = lead.alone
      ? t("The mean score that the player could expect.")
      : move === 0
        ? t("Ahead from the deal on: {names}.", { names })
        : move === lead.points.at(-1)
          ? t("Ahead only at the very end: {names}.", { names })
          : t("Ahead for good from move {n} on: {names}.", { names, n: move });
    write(this.status, words);
    const all = lead.lines.flat().filter((value) => value !== null);
    const low = lead.alone ? Math.min(...all) : 0;
    const high = lead.alone ? Math.max(...all) : 1;
    const across = (/** @type {number} */ step) => ((WIDTH * step) / this.last).toFixed(1);
    const up = (/** @type {number} */ value) =>
      (HEIGHT - 4 - ((HEIGHT - 8) * (value - low)) / (high - low || 1)).toFixed(1);
    const svg = draw("svg", {
      class: "lead-lines",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${t("Lead history")}: ${words}`,
    });
    for (const part of [0, 0.5, 1])
      svg.append(
        draw("line", {
          class: "lead-grid",
          x1: 0,
          x2: WIDTH,
          y1: up(low + part * (high - low)),
          y2: up(low + part * (high - low)),
        }),
      );
    lead.lines.forEach((line, seat) => {
      const way = line
        .flatMap((value, index) => (value === null ? [] : [`${across(lead.points[index])} ${up(value)}`]))
        .join("L");
      svg.append(
        draw("path", {
          class: `lead-line lead-c${seat % LINES}`,
          "stroke-dasharray": DASHES[seat % LINES],
          d: `M${way}`,
        }),
      );
    });
    this.marker = draw("line", { class: "lead-now", y1: 0, y2: HEIGHT });
    svg.append(this.marker);
    this.values = lead.lines.map(() => h("span", { class: "lead-value" }));
    const legend = lead.lines.map((_, seat) =>
      h(
        "li",
        {},
        /** @type {never} */ (
          draw(
            "svg",
            { class: "lead-key", viewBox: "0 0 28 8", "aria-hidden": "true" },
            draw("path", {
              class: `lead-line lead-c${seat % LINES}`,
              "stroke-dasharray": DASHES[seat % LINES],
              d: "M0 4H28",
            }),
          )
        ),
        h("bdi", {}, this.names(seat)),
        this.values[seat],
      ),
    );
    const what = lead.alone
      ? t("Mean score over {n} roll-outs at each decision examined.", { n: lead.rollouts })
      : t(
          "Expected place, from 1 (first, at the top) to 0 (last): the mean of {n} roll-outs at each decision examined. They use only what the player to move could know.",
          { n: lead.rollouts },
        );
    this.chart.replaceChildren(
      svg,
      h("ul", { class: "lead-legend", role: "list" }, ...legend),
      h("p", { class: "lead-what" }, what),
    );
    this.chart.hidden = false;
    this.at(this.step);
  }

  /** The replay shows this step now. @param {number} step */
  at(step) {
    this.step = step;
    if (!this.lead || !this.marker) return;
    const x = ((WIDTH * step) / this.last).toFixed(1);
    attr(this.marker, "x1", x);
    attr(this.marker, "x2", x);
    const index = this.lead.points.findLastIndex((point) => point <= step);
    this.lead.lines.forEach((line, seat) => {
      const value = line[Math.max(0, index)];
      write(this.values[seat], value === null ? "–" : this.lead?.alone ? value.toFixed(1) : value.toFixed(2));
    });
  }
}
