// @ts-check
/** The live table: joins what comes by the line to what is drawn, and what is tapped to what is sent. */
import { hasFace, install } from "../../art/cards.js";
import { speak, t } from "../i18n.js";
import { Announcer } from "./announce.js";
import { post } from "./api.js";
import { boards } from "./boards.js";
import { Chat } from "./chat.js";
import { pickable, tapPiece, tapTarget, targets } from "./choose.js";
import { countdown } from "./clock.js";
import { attr, h, sync, write } from "./dom.js";
import { Helm } from "./helm.js";
import { askName } from "./introduce.js";
import { listen } from "./keyboard.js";
import { Log } from "./log.js";
import { capture, travel } from "./motion.js";
import { pieceOf } from "./pieces.js";
import { ReckoningPanel } from "./reckoning.js";
import { Felt } from "./render.js";
import { ResultPanel } from "./result.js";
import { Room } from "./room.js";
import { showSeal } from "./seal.js";
import { Line } from "./socket.js";
import { play as sound, setSound, soundOn } from "./sound.js";
import { Store } from "./store.js";
import { pointOut } from "./takes.js";
import { rich, short } from "./text.js";
import { Threads } from "./threads.js";
import { moveOf, nextOf, piecesOf, tapWay } from "./trail.js";
import { WaitingPanel } from "./waiting.js";

/** @typedef {import("./types.js").Deed} Deed */

const LATE = 9_000; // after which a cut line gets a longer explanation

class TablePage {
  /** @param {import("./types.js").Boot} boot */
  constructor(boot) {
    this.boot = boot;
    this.store = new Store();
    this.names = (/** @type {number} */ seat) => this.store.name(seat);
    /** @type {string[]} */
    this.picked = [];
    /** @type {string[]} how far a way is drawn */
    this.words = [];
    /** @type {Set<string>} */
    this.last = new Set();
    /** @type {import("./types.js").Text | null} the label of the move on its way */
    this.busy = null;
    this.note = "";
    this.chatNote = "";
    /** @type {import("./socket.js").LineState} */
    this.state = "connecting";
    this.cutSince = 0;
    this.title = document.title;

    this.room = new Room(/** @type {HTMLElement} */ (document.getElementById("room")));
    this.felt = new Felt(this.room.felt);
    this.threads = new Threads(this.room.felt);
    this.helm = new Helm(this.room.helm, { play: (deed) => this.play(deed), pick: (piece) => this.tap(piece), back: () => this.takeBack() });
    this.log = new Log(this.room.logList);
    this.chat = new Chat(this.room.panels.chat, (text) => this.say(text));
    const press = (/** @type {string} */ button, /** @type {Record<string, string|number>} */ fields = {}) => void this.press(button, fields);
    this.waiting = new WaitingPanel(this.felt.over, boot, press);
    this.reckoning = new ReckoningPanel(this.felt.over);
    this.result = new ResultPanel(this.felt.over, press);
    this.announcer = new Announcer();
    this.help = listen(this.room.felt, {
      press: (number) => this.helm.press(number),
      back: () => this.takeBack() || this.room.closeDrawer() || this.reckoning.dismiss() || this.result.dismiss(),
      tap: (card) => this.touch(card),
      chat: () => this.open("chat"),
      log: () => this.open("log"),
      first: (event) => this.drawing(event),
    });
    this.room.felt.addEventListener("boards", () => {
      boards?.drawByDragging(this.room.felt, (piece) => this.pass(piece));
      this.draw();
    });
    pointOut(this.room.root, () => (this.mine && this.store.view ? this.store.view.moves : []));
    this.room.felt.addEventListener("click", (event) => this.touch(/** @type {Element} */ (event.target)));
    this.stand = h("button", { type: "button", hidden: true, onclick: () => this.press("stand", {}) }, t("Stand up"));
    this.close = h("button", { type: "button", hidden: true, onclick: () => confirm(t("Close this table for good?")) && this.press("close", {}) }, t("Close the table"));
    this.seal = h("button", { type: "button", hidden: true, onclick: () => showSeal(this.store.commitment, this.store.view?.over ? this.link("verify", this.store.match) : "") }, t("The sealed deal"));
    setInterval(() => this.tick(), 500);
    this.menu();
    this.line = new Line(boot.ws, {
      have: () => ({ match: this.store.match, version: this.store.version }),
      hear: (message) => this.hear(message),
      state: (state) => this.connection(state),
    });
    this.draw();
  }

  /** Whether this browser may decide now. */
  get mine() {
    return this.state !== "gone" && this.store.mine;
  }

  // -- what comes in

  /** @param {any} message */
  hear(message) {
    const { store } = this;
    const seat = store.you.seat;
    const match = store.match;
    const before = capture(this.room.felt);
    const change = store.take(message);
    if (change.gap) {
      this.line.hello();
      return;
    }
    if (message.t === "welcome" && store.pending) this.line.send({ t: "move", ...store.pending });
    if (message.t === "you" && store.you.seat !== seat) this.line.hello(); // the chat of the other room
    if (change.refused) this.refuse(change.refused);
    if (change.chat) this.heard(change.chat);
    if (match !== store.match) {
      this.felt.clear();
      this.log.clear();
      this.last.clear();
    }
    const view = store.view;
    if (change.live || !view || !this.picked.every((id) => pickable(view.moves, []).has(id))) this.picked = [];
    if (change.live || !view?.trail) this.words = [];
    if (change.live) this.note = "";
    this.draw();
    if (change.live) {
      const news = change.news ?? [];
      const moved = travel(this.room.felt, before, news.flatMap((line) => line.motions ?? []));
      if (moved.size) sound("card");
      this.last = news.some((line) => line.kind === "deal") ? new Set() : moved;
      if (news.some((line) => line.kind === "loss")) sound("coin");
      this.drawFelt();
    }
    if (change.news) this.announcer.tell(change.news, this.names);
    const decision = this.mine && view ? `${store.match}:${view.decision}` : "";
    if (view && this.announcer.ask(decision, view.prompt, this.names)) sound("bell");
  }

  /** @param {{id: number, text: string}} refused */
  refuse({ id, text }) {
    if (id && id === this.saying) this.chatNote = text;
    else this.note = text;
  }

  /** @param {import("./types.js").ChatLine} line */
  heard(line) {
    const mine = line.seat === (this.store.you.seat ?? -1) && line.name === this.store.you.name;
    if (mine) return;
    this.room.heard();
    this.announcer.tell([{ kind: "info", text: { text: "{name} says: {words}", args: { name: line.name, words: line.text } } }], this.names);
  }

  /** @param {import("./socket.js").LineState} state */
  connection(state) {
    if (state === "open" || this.state === "open") this.cutSince = state === "open" ? 0 : Date.now();
    this.state = state;
    this.drawBanner();
    if (state === "gone") this.draw();
  }

  // -- what goes out

  /** @param {Element} target */
  touch(target) {
    const { store } = this;
    if (!this.mine || !store.view) return;
    const aim = /** @type {HTMLElement | null} */ (target.closest("[data-target]"));
    const card = /** @type {HTMLElement | null} */ (target.closest("[data-piece][role=button]"));
    const seat = /** @type {HTMLElement | null} */ (target.closest(".seat[data-lit]"));
    if (aim) this.follow(tapTarget(store.view.moves, this.picked, aim.dataset.target ?? ""));
    else if (!card && seat) this.follow(tapTarget(store.view.moves, this.picked, `seat:${seat.dataset.seat}`));
    else if (card) this.tap(card.dataset.piece ?? "");
    else if (this.picked.length && !target.closest(".parchment")) this.takeBack();
  }

  /** The way that is being drawn. @returns {import("./trail.js").Way | null} */
  get way() {
    const trail = this.mine ? this.store.view?.trail : undefined;
    return trail ? { trail, words: this.words } : null;
  }

  /** A card is passed over by somebody who draws a way. @param {string} piece */
  pass(piece) {
    const words = this.way && !this.picked.length && tapWay(this.way, piece);
    if (words) this.walk(words);
    else if (this.words.length && this.store.view?.moves.length === 0 && !Object.values(this.way?.trail.pieces ?? {}).includes(piece)) this.walk([]);
  }

  /** @param {string[]} words */
  walk(words) {
    this.words = words;
    this.note = "";
    this.draw();
  }

  /** Keys of who draws a way: Enter goes it, Backspace takes a step back, an arrow goes to the board. @param {KeyboardEvent} event */
  drawing(event) {
    const { way } = this;
    if (!way) return false;
    const target = /** @type {HTMLElement} */ (event.target);
    const piece = target.closest("[data-piece]")?.getAttribute("data-piece");
    const last = piecesOf(way).at(-1);
    if (event.key === "Backspace") return this.takeBack();
    if (event.key === "Enter" && way.words.length && (piece === last || target === document.body)) return this.go();
    if (event.key.startsWith("Arrow") && target === document.body) {
      const start = last ?? [...nextOf(way).keys()][0] ?? this.store.view?.moves[0]?.pieces[0];
      /** @type {HTMLElement | null} */ (this.room.felt.querySelector(`[data-piece="${CSS.escape(start ?? "")}"]`))?.focus();
      return true;
    }
    return false;
  }

  /** Go the way that is drawn. */
  go() {
    const move = this.way && moveOf(this.way);
    if (move) this.play({ move, label: { text: "Go this way", args: {} }, pieces: [] });
    else {
      this.note = t("That way must go on: take one more card.");
      this.draw();
    }
    return true;
  }

  /** The steps of a way as buttons. @returns {import("./helm.js").Button[]} */
  steps() {
    const { way } = this;
    const view = this.store.view;
    if (!way || !view || this.picked.length) return [];
    /** @type {import("./helm.js").Button[]} */
    const list = [];
    const move = moveOf(way);
    if (move) list.push({ key: "go", text: { text: "Go this way", args: {} }, run: () => this.go(), kind: "deed", move });
    const next = [...nextOf(way)].map(([piece, step]) => ({ step, label: pieceOf(view, piece)?.label ?? { text: step.word, args: {} }, cell: view.grids?.flatMap((grid) => grid.cells).find((one) => one.pieces.some(({ id }) => id === piece)) }));
    const words = next.map(({ label }) => short(label, this.names));
    next.forEach(({ step, label, cell }, i) => {
      // Of two torches each says where it lies.
      const alike = words.filter((one) => one === words[i]).length > 1;
      const text = alike && cell?.label ? { text: "{what}, {where}", args: { what: words[i], where: short(cell.label, this.names) } } : label;
      list.push({ key: `step ${step.word}`, text, run: () => this.walk([...way.words, step.word]), kind: "group" });
    });
    if (way.words.length) list.push({ key: "back", text: { text: "One step back", args: {} }, run: () => void this.takeBack(), kind: "back" });
    return list;
  }

  /** @param {string} piece */
  tap(piece) {
    const words = this.way && !this.picked.length && tapWay(this.way, piece);
    if (words) return this.walk(words);
    if (this.mine && this.store.view) this.follow(tapPiece(this.store.view.moves, this.picked, piece));
  }

  /** @param {import("./choose.js").Step | null} step */
  follow(step) {
    if (!step) return;
    if ("play" in step) return this.play(step.play);
    this.picked = step.picked;
    this.draw();
  }

  takeBack() {
    if (this.words.length && !this.picked.length) {
      this.walk(this.words.slice(0, -1));
      return true;
    }
    if (!this.picked.length) return false;
    const piece = this.picked[0];
    this.picked = [];
    this.draw();
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (this.room.felt.querySelector(`[data-piece="${CSS.escape(piece)}"]`))?.focus();
    return true;
  }

  /** @param {Deed} deed */
  play(deed) {
    const { store } = this;
    if (!this.mine || !store.view) return;
    store.pending = { id: this.line.id(), match: store.match, decision: store.view.decision, move: deed.move };
    this.busy = deed.label;
    this.picked = [];
    this.words = [];
    this.note = this.line.send({ t: "move", ...store.pending }) ? "" : t("The line is cut. Your move is kept and goes out as soon as it is mended.");
    this.draw();
  }

  /** @param {string} text */
  say(text) {
    if (!this.store.you.name) {
      void this.introduce();
      return false;
    }
    this.saying = this.line.id();
    this.chatNote = "";
    const sent = this.line.send({ t: "chat", id: this.saying, text });
    if (!sent) this.chatNote = t("The line is cut. Try again in a moment.");
    this.drawChat();
    return sent;
  }

  /** A name for somebody who wants to talk; the words stay in the field until then. */
  async introduce() {
    const name = await askName(t("Take this name"));
    if (name) await this.press("name", { name });
    this.chat.focus();
  }

  /** @param {string} button @param {Record<string, string | number>} fields */
  async press(button, fields) {
    const stranger = !this.store.you.name;
    if (stranger && button === "sit") {
      const name = await askName(t("Sit down"));
      if (!name) return;
      fields = { ...fields, name };
    }
    const answer = await post(this.boot.urls[button], fields);
    this.note = answer.ok ? "" : answer.text ?? "";
    // Somebody without a name has just got one: only a new connection knows it.
    if (answer.ok && stranger) this.line.renew();
    this.draw();
  }

  // -- what is drawn

  draw() {
    const { store } = this;
    this.drawBar();
    this.drawBanner();
    this.drawFelt();
    this.waiting.draw(this.state === "gone" ? null : store.table, store.you);
    this.reckoning.draw(store.view?.over ? undefined : store.view?.reckoning, this.names);
    this.result.draw(store.view, store.table, store.you);
    if (store.view) this.log.draw(store.log, this.names, store.view.seat);
    else this.log.clear();
    this.drawChat();
    this.drawHelm();
  }

  drawFelt() {
    const { store, picked } = this;
    const { view, table } = store;
    attr(this.room.root, "data-status", this.state === "gone" ? "closed" : (table?.status ?? "loading"));
    if (!view || !table) {
      this.felt.clear();
      return;
    }
    const deeds = this.mine ? view.moves : [];
    this.felt.draw(
      {
        view,
        seats: table.seats,
        bots: Object.fromEntries(table.bots.map((bot) => [bot.name, bot.title])),
        viewer: view.seat,
        playing: table.status === "playing",
        left: (seat) => store.timeLeft(seat),
        whole: table.seconds * 1000,
        lastSeat: store.lastSeat,
      },
      { pickable: pickable(deeds, picked), picked, targets: targets(deeds, picked), last: this.last, names: this.names, way: this.way },
    );
    const last = store.log.at(-1)?.findLast((line) => line.kind === "move" && line.only === undefined && line.seat === store.lastSeat);
    const clock = store.lastBy === "clock" ? ` ${t("(time was up)")}` : "";
    // Why a bid won is to be read while the next ones come in: those lie on the table for all to see.
    const told = clock ? last?.text : (view.settled ?? last?.text);
    const words = told ? short(told, this.names) + clock : "";
    if (this.felt.last.dataset.words !== words) {
      this.felt.last.dataset.words = words;
      this.felt.last.replaceChildren(...(told ? [h("span", {}, ...rich(told, this.names), clock)] : []));
    }
    this.threads.draw();
  }

  drawHelm() {
    const { store } = this;
    const { view, you, table } = store;
    const deeds = this.mine && view ? view.moves : [];
    this.helm.draw({
      view,
      prompt: this.prompt(),
      deeds,
      picked: this.picked,
      ahead: this.steps(),
      mine: this.mine,
      busy: store.pending ? this.busy : null,
      refusal: this.note,
      names: this.names,
      extra: this.extra(),
    });
    const turn = this.mine ? `● ${t("Your turn")} – ` : "";
    const name = table ? `${table.title} · Hamsterdam` : this.title;
    if (document.title !== turn + name) document.title = turn + name;
    attr(this.room.root, "data-mine", this.mine);
    attr(this.room.root, "data-seated", you.seat !== null);
  }

  /** @returns {import("./types.js").Text | null} */
  prompt() {
    const { view, table, you } = this.store;
    const plain = (/** @type {string} */ text) => ({ text, args: {} });
    if (this.state === "gone" || table?.status === "closed") return plain("This table is gone: it was closed, or nobody came for a long time.");
    if (!table) return plain("You are let in …");
    if (table.status === "open") {
      if (you.host) return table.seats.some((seat) => seat.kind === "open") ? plain("You are the host. Wait for friends, or start: bots take the open seats.") : plain("Everybody is here. Start when you like.");
      if (you.seat !== null) return plain("You are early. The host starts the match.");
      return table.seats.some((seat) => seat.kind === "open") ? plain("You are early, and there is a seat for you.") : plain("All seats are taken. Stay and watch: the match begins soon.");
    }
    const piece = this.picked.length === 1 && view ? pieceOf(view, this.picked[0]) : undefined;
    if (piece?.label) return { text: "{what}: choose where it goes", args: { what: short(piece.label, this.names) } };
    const card = piece?.face;
    if (card && hasFace(card)) return { text: "{card}: choose where it goes", args: { card: { card } } };
    return view?.prompt ?? null;
  }

  /** @returns {import("./helm.js").Extra[]} */
  extra() {
    const { table, you, match, view } = this.store;
    const { urls } = this.boot;
    if (this.state === "gone" || table?.status === "closed") return [{ key: "lobby", label: t("To the other tables"), href: urls.lobby, first: true }];
    if (!table) return [];
    const open = table.seats.some((seat) => seat.kind === "open");
    /** @type {import("./helm.js").Extra[]} */
    const list = [];
    if (table.status === "open") {
      if (you.host) list.push({ key: "start", label: t("Start the match"), run: () => this.press("start", {}), first: true });
      if (you.host && open) list.push({ key: "fill", label: t("Fill with bots"), run: () => this.press("fill", {}) });
    }
    if (you.seat === null && open && table.status !== "playing") list.push({ key: "sit", label: t("Sit down"), run: () => this.press("sit", {}), first: true });
    if (you.seat !== null && table.status === "playing" && table.seats[you.seat].away) list.push({ key: "back", label: t("The house plays for you – I'm back"), run: () => this.line.send({ t: "back" }), first: true });
    if (view?.over) {
      if (you.seat !== null && table.status === "over") list.push({ key: "again", label: t("Play again"), run: () => this.press("again", {}), first: true });
      list.push({ key: "replay", label: t("Step through the match"), href: this.link("replay", match) });
      if (table.sealed) list.push({ key: "verify", label: t("Verify the deal"), href: this.link("verify", match) });
      list.push({ key: "lobby", label: t("Lobby"), href: urls.lobby });
    }
    return list;
  }

  /** A page about a match; whoever has the link to a table that is not listed may read of it. @param {string} page @param {number} match */
  link(page, match) {
    const url = this.boot.urls[page].replace("/0/", `/${match}/`);
    return this.store.table?.public ? url : `${url}?table=${this.boot.code}`;
  }

  drawBar() {
    const { table, watchers, view, commitment, match } = this.store;
    if (!table) return;
    write(this.room.title, table.title);
    const phase = view && table.status !== "open" ? short(view.phase, this.names) : t("Before the match");
    write(this.room.phase, table.number > 1 ? `${t("Match {n}", { n: table.number })} · ${phase}` : phase);
    const chips = [
      { key: "house", text: table.house ? t("House table") : "", title: t("The house's own table: bots play here day and night.") },
      { key: "sealed", text: table.sealed ? t("Sealed") : "", title: t("A sealed deal: it can be verified afterwards. See the menu.") },
      { key: "watchers", text: watchers === 1 ? t("1 watches") : watchers ? t("{n} watch", { n: watchers }) : "", title: t("Watchers in the gallery") },
    ].filter((chip) => chip.text);
    sync(
      this.room.chips,
      chips,
      (chip) => chip.key,
      () => h("li", { class: "room-chip" }),
      (node, chip) => {
        write(node, chip.text);
        attr(node, "title", chip.title);
        attr(node, "data-chip", chip.key);
        attr(node, "data-match", match);
      },
    );
    this.seal.hidden = !commitment;
    this.stand.hidden = this.store.you.seat === null;
    this.close.hidden = !this.store.you.host || table.status === "playing";
  }

  drawBanner() {
    const cut = this.state !== "open" && this.state !== "connecting";
    const late = cut && this.cutSince > 0 && Date.now() - this.cutSince > LATE;
    const words = {
      lost: late ? t("Still no connection. Your seat is kept, and the house plays for you until you are back.") : t("Connection lost. It is being mended …"),
      restarting: late ? t("The server takes its time. The match waits where it stood.") : t("The server is restarting. The match goes on where it stood …"),
      crowded: t("That was a lot at once. The line opens again in a few seconds …"),
    }[/** @type {string} */ (this.state)];
    this.room.warn(cut && words ? words : "");
    attr(this.room.root, "data-line", this.state);
  }

  drawChat() {
    this.chat.draw(this.store.chat, this.store.you.seat === null, this.chatNote);
  }

  /** What changes with time alone. */
  tick() {
    const { store } = this;
    const left = this.mine && store.you.seat !== null ? store.timeLeft(store.you.seat) : null;
    write(this.helm.clock, countdown(left));
    if (this.state !== "open") this.drawBanner();
  }

  /** @param {"log" | "chat"} tab */
  open(tab) {
    if (getComputedStyle(this.room.buttons.log).display === "none") this.room.show(tab);
    else if (!this.room.rail.hasAttribute("data-open") || this.room.tab !== tab) this.room.drawer(tab);
    if (tab === "chat") this.chat.focus();
    else /** @type {HTMLElement} */ (this.room.panels.log.firstElementChild).focus();
  }

  menu() {
    const { urls } = this.boot;
    const toggle = (/** @type {string} */ label, /** @type {boolean} */ on, /** @type {(on: boolean) => void} */ set) => {
      const button = h("button", {
        type: "button",
        "aria-pressed": String(on),
        onclick: () => {
          const now = button.getAttribute("aria-pressed") !== "true";
          attr(button, "aria-pressed", String(now));
          set(now);
        },
      }, label);
      return button;
    };
    this.room.menu.append(
      h("a", { href: urls.rules, target: "_blank", rel: "noopener" }, t("Rules of the game")),
      this.seal,
      toggle(t("Sound"), soundOn(), setSound),
      toggle(t("Four-colour suits"), fourColours(), setFourColours),
      h("button", { type: "button", onclick: () => this.help() }, t("Keys")),
      this.stand,
      this.close,
      h("a", { href: urls.lobby }, t("Leave the room")),
    );
    setFourColours(fourColours());
  }
}

function fourColours() {
  try {
    return localStorage.getItem("suits") === "four";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function setFourColours(on) {
  document.documentElement.dataset.suits = on ? "four" : "two";
  try {
    localStorage.setItem("suits", on ? "four" : "two");
  } catch {
    // Storage is closed to us: the choice lasts until the page is left.
  }
}

await speak(document.documentElement.lang);
install(document);
new TablePage(JSON.parse(document.getElementById("boot")?.textContent ?? "{}"));
