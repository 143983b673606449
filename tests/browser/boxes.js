// The layout faults of a table's page, in words: run in that page by boxes.py.
//
// All that is measured is what the reader sees and hits: boxes of elements, and what lies on top at a point. A card may
// lie under others of its fan as long as enough of it is seen; nothing else may lie on anything.
async (touch) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  await frame();
  const faults = [];
  const all = (what, root = document) =>
    [...root.querySelectorAll(what)].filter((node) => node.checkVisibility({ visibilityProperty: true }));
  const one = (what) => document.querySelector(what);
  const box = (node) => node.getBoundingClientRect();
  const name = (node) =>
    node.dataset.piece ??
    node.dataset.zone ??
    (node.className?.baseVal ?? node.className) +
      (node.closest(".seat") ? ` ${node.closest(".seat").dataset.seat}` : "");
  const within = (inner, outer, slack = 1.5) =>
    inner.left >= outer.left - slack &&
    inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack &&
    inner.bottom <= outer.bottom + slack;
  const shared = (a, b) => [
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  ];
  const px = (rect) =>
    `${Math.round(rect.left)},${Math.round(rect.top)} ${Math.round(rect.width)}x${Math.round(rect.height)}`;

  // The page itself, and its parts beside one another.
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) faults.push("the page scrolls");
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  const felt = box(one(".felt"));
  const controls = box(one(".controls"));
  for (const part of [felt, controls])
    if (!within(part, screen)) faults.push(`felt or controls off the screen: ${px(part)}`);
  const [across, along] = shared(felt, controls);
  if (across > 1 && along > 1) faults.push("the controls lie on the felt");

  // All things on the felt lie in it, and not on one another.
  const things = [
    ...all(".plate"),
    ...all(".seat .zone, .shared .zone"),
    ...all(".last-line > span, .shared-area > .odds, .shared-area > .last-trick, .board, .tally"),
  ];
  const boxes = things.map((node) => {
    if (!node.matches(".zone")) return box(node);
    const parts = [box(node), ...all("[data-piece]", node).map(box)];
    const [left, top, right, bottom] = [
      Math.min(...parts.map((b) => b.left)),
      Math.min(...parts.map((b) => b.top)),
      Math.max(...parts.map((b) => b.right)),
      Math.max(...parts.map((b) => b.bottom)),
    ];
    return new DOMRect(left, top, right - left, bottom - top);
  });
  things.forEach((node, i) => {
    if (!within(boxes[i], felt)) faults.push(`${name(node)} off the felt: ${px(boxes[i])} of ${px(felt)}`);
    things.slice(0, i).forEach((other, j) => {
      const inLoop =
        [node, other].some((it) => it.matches(".board-track")) && [node, other].some((it) => it.closest(".centre"));
      if (inLoop) return;
      const [wide, high] = shared(boxes[i], boxes[j]);
      if (wide > 3 && high > 3) faults.push(`${name(node)} on ${name(other)}: ${Math.round(wide)}x${Math.round(high)}`);
    });
  });
  // Inside a loop nothing lies on its spaces, and what stands on a space stands in it.
  for (const space of all(".board-track .space")) {
    for (const node of things.filter((it) => it.closest(".shared-area") || it.closest(".last-line"))) {
      const [wide, high] = shared(box(space), boxes[things.indexOf(node)]);
      if (wide > 2 && high > 2) faults.push(`${name(node)} on ${name(space)}: ${Math.round(wide)}x${Math.round(high)}`);
    }
    for (const piece of all("[data-piece]", space))
      if (!within(box(piece), box(space), 4))
        faults.push(`${name(piece)} out of its space: ${px(box(piece))} of ${px(box(space))}`);
    for (const piece of all("[data-piece]", space))
      if (box(piece).width < 22) faults.push(`${name(piece)} is too small: ${px(box(piece))}`);
  }
  for (const cell of all(".board-grid .space"))
    if (box(cell).width < 44) faults.push(`a cell is too small: ${px(box(cell))}`);
  for (const tally of all(".tally"))
    if (tally.scrollHeight > tally.clientHeight + 2 || tally.scrollWidth > tally.clientWidth + 2)
      faults.push(
        `the tally is cut: ${tally.scrollWidth}x${tally.scrollHeight} in ${tally.clientWidth}x${tally.clientHeight}`,
      );

  // Nothing of a board, and nothing in the middle, lies on the rim of the table.
  const oval = one(".oval");
  const [outer, border] = [box(oval), parseFloat(getComputedStyle(oval).borderLeftWidth)];
  const top = new DOMRect(outer.left + border, outer.top + border, outer.width - 2 * border, outer.height - 2 * border);
  for (const node of all(".board .space, .board-grid, .centre .zone"))
    if (one(".felt").dataset.board && !within(box(node), top, 0.5))
      faults.push(`${name(node)} on the rim: ${px(box(node))} of ${px(top)}`);

  // The label of a place is whole, in one line or two.
  for (const label of document.querySelectorAll(".felt .zone-label")) {
    if (!label.clientHeight || !label.textContent) continue; // where there is no room, no place has one
    if (label.hasAttribute("data-cut")) faults.push(`a label has no room: ${label.textContent}`);
    if (label.scrollWidth > label.clientWidth + 1 || label.scrollHeight > label.clientHeight + 2)
      faults.push(`a label is cut: ${label.textContent} in ${label.clientWidth}x${label.clientHeight}`);
  }

  // Who sits there: six letters of a name at least, and the first counter.
  for (const plate of all(".plate")) {
    const label = plate.querySelector(".seat-name");
    const letters = [...label.textContent].map((_, i) => {
      const range = document.createRange();
      range.setStart(label.firstChild, i);
      range.setEnd(label.firstChild, i + 1);
      return range.getBoundingClientRect();
    });
    const seen = letters.filter((letter) => within(letter, box(label), 2));
    // Fewer if they are wide: six narrow ones take so many pixels.
    const usual = 33;
    if (seen.length < Math.min(6, letters.length) && seen.reduce((sum, { width }) => sum + width, 0) < usual)
      faults.push(`of ${label.textContent} ${seen.length} letters are seen`);
    const counter = plate.querySelector(".counter");
    if (!counter) continue;
    const row = counter.closest(".plate-row");
    if (!within(box(counter), box(row)) || !within(box(counter), box(plate)))
      faults.push(`the first counter is not seen on ${name(plate)}`);
    // What it counts is whole if the plate has room for that at all, if need be without a portrait.
    const noun = counter.querySelector(".counter-label");
    const whole = noun ? noun.scrollWidth + box(counter.lastElementChild).width + 20 : 0;
    if (noun && noun.scrollWidth > noun.clientWidth + 1 && whole <= box(plate).width)
      faults.push(`"${noun.textContent}" is cut on ${name(plate)}`);
    const kind = plate.querySelector(".seat-kind");
    const cut = box(kind).top < box(row).bottom - 2 && !within(box(kind), box(row));
    if (cut) faults.push(`the kind is cut on ${name(plate)}`);
  }

  // One's own plate in one line says everything.
  for (const part of all(".own .seat[data-strip] :is(.seat-name, .mark, .seat-kind, .counter)"))
    if (part.scrollWidth > part.clientWidth + 1 || !within(box(part), box(part.parentElement)))
      faults.push(`cut on one's own plate: ${part.textContent} ${px(box(part))}`);

  // The game's name is whole, also while the bar asks something.
  const title = one(".room-title");
  if (title && (title.scrollWidth > title.clientWidth + 1 || title.scrollHeight > title.clientHeight + 2))
    faults.push(`the name of the game is cut: ${title.textContent} ${px(box(title))}`);

  // Cards of a fan are seen, and those that may be touched can be hit.
  for (const list of all(".pieces")) {
    const cards = all(":scope > li > [data-piece]", list);
    if (list.closest(".zone").dataset.layout === "pile") continue;
    if (list.closest(".zone").dataset.layout === "trick") {
      // Each towards its player, with that player's name: whole, and on no other.
      for (const [i, card] of cards.entries()) {
        const caption = card.parentElement.querySelector(".played-by");
        if (!within(box(card), box(list)) || !within(box(caption), box(list)))
          faults.push(`${name(card)} or whose it is lies out of its trick: ${px(box(card))} of ${px(box(list))}`);
        for (const other of cards.slice(0, i)) {
          const [wide, high] = shared(box(card.parentElement), box(other.parentElement));
          if (wide > 1 && high > 1) faults.push(`${name(card)} lies on ${name(other)}: ${wide}x${high}`);
        }
      }
      continue;
    }
    cards.slice(1).forEach((card, i) => {
      const [a, b] = [box(cards[i]), box(card)];
      if (b.left - a.left < 3 && b.top - a.top < 3) faults.push(`${name(cards[i])} lies hidden under ${name(card)}`);
    });
  }
  // Dice, tokens and cards with words are seen whole, since no corner of them says what they are; so is what is written.
  for (const list of all(".pieces")) {
    const { layout } = list.closest(".zone").dataset;
    if (layout === "pile" || one(".felt").dataset.board) continue;
    const isWhole = (node) => node.dataset.figure || (layout === "row" && node.querySelector(".tile"));
    const pieces = all(":scope > li > [data-piece]", list);
    pieces.forEach((piece, i) => {
      for (const other of pieces.slice(0, i)) {
        const [wide, high] = shared(box(piece), box(other));
        if ((isWhole(piece) || isWhole(other)) && wide > 2 && high > 2)
          faults.push(`${name(piece)} lies on ${name(other)}: ${Math.round(wide)}x${Math.round(high)}`);
      }
    });
  }
  for (const tile of all(".felt .tile"))
    if (tile.scrollWidth > tile.clientWidth + 1 || tile.scrollHeight > tile.clientHeight + 1)
      faults.push(`words cut on a card: ${tile.textContent}`);
  const hit = (node) => {
    const { left, top, width, height } = box(node);
    const owns = (x, y) => {
      const at = document.elementFromPoint(x, y);
      return !!at && (at === node || node.contains(at) || (at.matches(".aim") && at.parentElement.contains(node)));
    };
    const run = (from, to, at) => {
      let [best, now] = [0, 0];
      for (let p = from; p < to; p += 2) {
        now = at(p) ? now + 2 : 0;
        best = Math.max(best, now);
      }
      return best;
    };
    let wide = 0;
    for (const y of [top + 8, top + height / 3, top + height / 2])
      wide = Math.max(
        wide,
        run(left - 6, left + width + 6, (x) => owns(x, y)),
      );
    let high = 0;
    for (const x of [left + 8, left + width / 2, left + width - 8])
      high = Math.max(
        high,
        run(top - 20, top + height + 20, (y) => owns(x, y)),
      );
    return [wide, high];
  };
  const board = one(".felt").dataset.board === "track";
  for (const piece of all(".felt [data-piece][data-legal], .felt [data-path=next]")) {
    const [wide, high] = hit(piece);
    // On a track there are more things to touch than an upright phone has room for at this size: each of them stands
    // as a button, too, and that one has it.
    const least = touch ? (board ? 24 : 40) : 22;
    if (Math.min(wide, high) < least) faults.push(`${name(piece)} cannot be hit: ${wide}x${high} of ${px(box(piece))}`);
  }

  // Every answer is a button in sight.
  const list = one(".scroller > .moves");
  const buttons = [...all(".moves > .move")];
  const scrolls = list && list.scrollHeight > list.clientHeight + 2;
  // So many are in sight in any case.
  const sure = 16;
  for (const button of buttons) {
    const rect = box(button);
    const seen = within(rect, controls) && (!list.contains(button) || within(rect, box(list), 4));
    const words = button.textContent.trim();
    if (!seen && !(scrolls && list.contains(button)))
      faults.push(`button off the controls: ${words} ${px(rect)} of ${px(controls)}`);
    if (rect.height < (touch ? 43.5 : 35.5) || rect.width < (touch ? 43.5 : 30))
      faults.push(`button too small: ${words} ${px(rect)}`);
    if (button.scrollWidth > button.clientWidth + 1 || button.scrollHeight > button.clientHeight + 2)
      faults.push(
        `words cut: ${words} ${button.scrollWidth}x${button.scrollHeight} of ${button.clientWidth}x${button.clientHeight}`,
      );
  }
  for (const [i, button] of buttons.entries())
    for (const other of buttons.slice(0, i)) {
      const [wide, high] = shared(box(button), box(other));
      if (wide > 1 && high > 1) faults.push(`button on button: ${button.textContent} on ${other.textContent}`);
    }
  if (
    scrolls &&
    list.scrollTop + list.clientHeight < list.scrollHeight - 3 &&
    !/\d/.test(one(".more-sign").checkVisibility() ? one(".more-sign").textContent : "")
  )
    faults.push("nothing says how many more there are");
  const fades = () => getComputedStyle(list).maskImage.includes("gradient");
  if (scrolls && !fades()) faults.push("the edge of the list does not show that it scrolls");
  if (scrolls && buttons.length <= sure) faults.push(`of ${buttons.length} buttons some are out of sight`);
  const prompt = one(".prompt");
  if (prompt && !within(box(prompt), controls)) faults.push("the question is cut");

  // No letters too small to be read; words on a card are as large as the card lets them be.
  const walker = document.createTreeWalker(one(".room"), NodeFilter.SHOW_TEXT);
  const small = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("svg, .visually-hidden, .odds summary, .menu-items, .tile")) continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < 11.95 && parent.checkVisibility({ visibilityProperty: true })) small.add(`${parent.className}: ${size}`);
  }
  faults.push(...[...small].map((it) => `letters too small: ${it}`));
  return faults;
};
