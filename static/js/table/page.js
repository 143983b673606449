// @ts-check
/** The live table from the first hello to the last: what comes from the server, what goes out, and what is drawn when. */
import { t } from "../i18n.js";
import { Announcer } from "./announce.js";
import { post } from "./api.js";
import { bannerOf } from "./banner.js";
import { Bar } from "./bar.js";
import { boards } from "./boards.js";
import { Chat } from "./chat.js";
import { countdown } from "./clock.js";
import { attr, write } from "./dom.js";
import { extrasOf } from "./extras.js";
import { Helm } from "./helm.js";
import { Input } from "./input.js";
import { listen } from "./keyboard.js";
import { Log } from "./log.js";
import { capture, travel } from "./motion.js";
import { Panels } from "./panels.js";
import { promptOf } from "./prompt.js";
import { Felt } from "./render.js";
import { Room } from "./room.js";
import { Connection } from "./socket.js";
import { ring } from "./sound.js";
import { Store } from "./store.js";
import { pointOut } from "./takes.js";
import { Threads } from "./threads.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */

/**
 * What the page is served with: addresses, of the socket, of the buttons that are no moves, of pages, and for friends.
 * @typedef {{ws: string, code: string, urls: Record<string, string>, invite: string, admin: boolean}} Boot
 */

export class TablePage {
  /** @param {HTMLElement} root @param {Boot} boot */
  constructor(root, boot) {
    this.boot = boot;
    this.store = new Store();
    this.names = (/** @type {number} */ seat) => this.store.name(seat);
    /** @type {Set<string>} pieces that moved last */
    this.last = new Set();
    /** @type {import("./types.js").Text | null} the label of the move on its way */
    this.busy = null;
    this.note = "";
    this.saying = 0; // the number of the last line of chat that was sent
    this.chatNote = "";
    /** @type {import("./socket.js").ConnectionState} */
    this.state = "connecting";
    this.cutSince = 0;
    this.title = document.title;

    this.room = new Room(root);
    this.felt = new Felt(this.room.felt);
    this.threads = new Threads(this.room.felt);
    this.input = new Input(this.room.felt, {
      view: () => (this.mine ? this.store.view : null),
      names: this.names,
      decide: (move) => this.decide(move),
      changed: () => this.chosen(),
      note: (note) => (this.note = note),
    });
    this.helm = new Helm(this.room.helm, { decide: (move) => this.decide(move), choose: (choice) => this.input.choose(choice), back: () => void this.input.takeBack() });
    this.log = new Log(this.room.logList);
    this.chat = new Chat(this.room.panels.chat, (text) => this.say(text));
    const press = (/** @type {string} */ button, /** @type {Record<string, string | number>} */ fields = {}) => void this.press(button, fields);
    this.panels = new Panels(this.felt.over, boot.invite, press, () => this.draw());
    this.announcer = new Announcer();
    const help = listen({
      press: (number) => this.helm.press(number),
      back: () => this.input.takeBack() || this.room.closeDrawer() || this.panels.dismiss(),
      tap: (card) => this.input.touch(card),
      buttons: () => this.helm.focus(),
      chat: () => this.room.open("chat"),
      log: () => this.room.open("log"),
      first: (event) => this.input.pathKey(event),
    });
    this.bar = new Bar(this.room, boot.urls, { press, seal: () => void this.showSeal(), keys: help });
    this.room.felt.addEventListener("boards", () => {
      boards?.drawByDragging(this.room.felt, (piece) => this.input.pass(piece));
      this.draw();
    });
    pointOut(this.room.root, () => this.input.moves);
    setInterval(() => this.tick(), 500);
    this.connection = new Connection(boot.ws, {
      have: () => ({ match: this.store.match, version: this.store.version }),
      hear: (message) => this.hear(message),
      state: (state) => this.connectionChanged(state),
    });
    this.draw();
  }

  /** Whether this browser may decide now. */
  get mine() {
    return !this.gone && this.store.mine;
  }

  /** Whether the table is no more. */
  get gone() {
    return this.state === "gone";
  }

  // -- what comes in

  /** @param {import("./types.js").Outbound} message */
  hear(message) {
    const { store } = this;
    const { match } = store;
    const { seat } = store.you;
    const before = capture(this.room.felt);
    const change = store.take(message);
    if (change.gap) {
      this.connection.hello();
      return;
    }
    if (message.t === "welcome" && store.pending) this.connection.send({ t: "move", ...store.pending });
    if (message.t === "you" && store.you.seat !== seat) this.connection.hello(); // the chat of the other room
    if (change.refused) this.refused(change.refused);
    if (change.chat) this.heard(change.chat);
    if (match !== store.match) {
      this.felt.clear();
      this.log.clear();
      this.last.clear();
    }
    if (change.live) this.note = "";
    const { view } = store;
    const decision = this.mine && view ? `${store.match}:${view.decision}` : "";
    this.input.renew(decision);
    this.draw();
    if (change.live) this.move(before, change.news ?? []);
    if (change.news) this.announcer.tell(change.news, this.names);
    if (view && this.announcer.ask(decision, view.prompt, this.names)) ring("bell");
  }

  /** Let travel what was moved. @param {import("./motion.js").Picture} before @param {import("./types.js").Line[]} news */
  move(before, news) {
    const moved = travel(this.room.felt, before, news.flatMap((line) => line.motions ?? []));
    if (moved.size) ring("card");
    if (news.some((line) => line.kind === "loss")) ring("coin");
    this.last = news.some((line) => line.kind === "deal") ? new Set() : moved;
    this.drawFelt();
  }

  /** @param {{id: number, text: string}} refused */
  refused({ id, text }) {
    if (id && id === this.saying) this.chatNote = text;
    else this.note = text;
  }

  /** @param {import("./types.js").ChatLine} line */
  heard(line) {
    const own = line.seat === (this.store.you.seat ?? -1) && line.name === this.store.you.name;
    if (own) return;
    this.room.heard();
    this.announcer.tell([{ kind: "info", text: { text: "{name} says: {words}", args: { name: line.name, words: line.text } } }], this.names);
  }

  /** @param {import("./socket.js").ConnectionState} state */
  connectionChanged(state) {
    if (state === "open" || this.state === "open") this.cutSince = state === "open" ? 0 : Date.now();
    this.state = state;
    this.drawBanner();
    if (this.gone) this.draw();
  }

  /** Something was chosen: show it, and tell whoever cannot see it what is asked next. */
  chosen() {
    this.draw();
    const asked = this.input.prompt();
    if (asked) this.announcer.tell([{ kind: "info", text: asked }], this.names);
  }

  // -- what goes out

  /** @param {LegalMove} move */
  decide(move) {
    const { store } = this;
    if (!this.mine || !store.view) return;
    store.pending = { id: this.connection.id(), match: store.match, decision: store.view.decision, move: move.move };
    this.busy = move.label;
    this.input.clear();
    this.note = this.connection.send({ t: "move", ...store.pending }) ? "" : t("The line is cut. Your move is kept and goes out as soon as it is mended.");
    this.draw();
  }

  /** Say something in the chat. @param {string} text @returns {boolean} whether it went out */
  say(text) {
    if (!this.store.you.name) {
      void this.introduce();
      return false;
    }
    this.saying = this.connection.id();
    this.chatNote = "";
    const sent = this.connection.send({ t: "chat", id: this.saying, text });
    if (!sent) this.chatNote = t("The line is cut. Try again in a moment.");
    this.drawChat();
    return sent;
  }

  /** A name for somebody who wants to talk; the words stay in the field until then. */
  async introduce() {
    const name = await ask(t("Take this name"));
    if (name) await this.press("name", { name });
    this.chat.focus();
  }

  /** Press a button that is no move: a form to the server. @param {string} button @param {Record<string, string | number>} fields */
  async press(button, fields) {
    const stranger = !this.store.you.name;
    if (stranger && button === "sit") {
      const name = await ask(t("Sit down"));
      if (!name) return;
      fields = { ...fields, name };
    }
    const answer = await post(this.boot.urls[button], fields);
    this.note = answer.ok ? "" : answer.text ?? "";
    // Somebody without a name has just got one: only a new connection knows it.
    if (answer.ok && stranger) this.connection.renew();
    this.draw();
  }

  async showSeal() {
    const { showSeal } = await import("./seal.js");
    showSeal(this.store.commitment, this.store.view?.over ? this.link("verify") : "");
  }

  /** The address of a page about this match; whoever has the link to a table that is not listed may read of it. @param {"replay" | "verify"} page */
  link(page) {
    const { match, table } = this.store;
    const url = this.boot.urls[page].replace("/0/", `/${match || table?.match}/`);
    return table?.public ? url : `${url}?table=${this.boot.code}`;
  }

  // -- what is drawn

  draw() {
    const { store, names } = this;
    this.bar.draw(store, names);
    this.drawBanner();
    this.drawFelt();
    this.panels.draw(store, this.gone, names);
    if (store.view) this.log.draw(store.log, names, store.view.seat);
    else this.log.clear();
    this.drawChat();
    this.drawHelm();
  }

  drawFelt() {
    const { store, names } = this;
    const { view, table } = store;
    attr(this.room.root, "data-status", this.gone ? "closed" : (table?.status ?? "loading"));
    if (!view || !table) {
      this.felt.clear();
      return;
    }
    this.felt.draw(
      {
        view,
        seats: table.seats,
        bots: Object.fromEntries(table.bots.map((bot) => [bot.name, bot.title])),
        viewer: view.seat,
        playing: table.status === "playing" && !table.notice,
        left: (seat) => store.timeLeft(seat),
        whole: table.seconds * 1000,
        lastSeat: store.lastSeat,
      },
      { ...this.input.touchable(), last: this.last, names },
    );
    this.felt.tell(store.told(), store.lastBy === "clock" ? ` ${t("(time was up)")}` : "", names);
    this.threads.draw();
  }

  drawHelm() {
    const { store, input } = this;
    const { table } = store;
    this.helm.draw({
      view: store.view,
      prompt: input.prompt() ?? promptOf(store, this.gone),
      moves: input.moves,
      choice: input.choice,
      mine: this.mine,
      busy: store.pending ? this.busy : null,
      refusal: this.note,
      names: this.names,
      ahead: input.steps(),
      extra: extrasOf(store, this.gone, {
        lobby: this.boot.urls.lobby,
        look: (page) => this.link(page),
        press: (button) => void this.press(button, {}),
        back: () => void this.connection.send({ t: "back" }),
      }),
    });
    const turn = this.mine ? `● ${t("Your turn")} – ` : "";
    const name = table ? `${table.title} · Hamsterdam` : this.title;
    if (document.title !== turn + name) document.title = turn + name;
    attr(this.room.root, "data-mine", this.mine);
    attr(this.room.root, "data-seated", store.you.seat !== null);
  }

  drawBanner() {
    this.room.warn(bannerOf(this.state, this.cutSince ? Date.now() - this.cutSince : 0));
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
}

/** Ask somebody new for a name. @param {string} action what the button says @returns {Promise<string>} "" when it was put off */
async function ask(action) {
  const { askName } = await import("./introduce.js");
  return askName(action);
}
