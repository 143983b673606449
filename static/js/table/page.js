// @ts-check
/** The live table: receives messages, sends them, and decides what is drawn when. */
import { noop, t } from "../i18n.js";
import { Ahead } from "./ahead.js";
import { Announcer } from "./announce.js";
import { stayAwake } from "./wake_lock.js";
import { post } from "../api.js";
import { TopBar, skipsReveals } from "./top_bar.js";
import { drawByDragging } from "./boards/grid.js";
import { Chat } from "./chat.js";
import { countdown, isSlow } from "./clock.js";
import { askName, confirmAction, showSeal } from "./dialogs.js";
import { attr, write } from "./dom.js";
import { extrasOf } from "./extras.js";
import { SpectatorPace } from "./spectator_pace.js";
import { Focus } from "./focus.js";
import { Guide } from "./guide.js";
import { Controls } from "./controls.js";
import { asking, HostDialog } from "./host_dialog.js";
import { Input, confirms, highlightTaken } from "./input.js";
import { listen, showKeys } from "./keyboard.js";
import { addressOf, GameLoader } from "./game_loader.js";
import { Invitation } from "./invitation.js";
import { Log } from "./log.js";
import { Mutes } from "./mutes.js";
import { capture, moving, travel, whenLanded } from "./motion.js";
import { clearNotification, notifyTurn } from "./notifications.js";
import { pieceOf, pieceWords } from "./pieces.js";
import { connectionText, promptOf, restrictionNews, restrictionText, standingText } from "./prompt.js";
import { Felt } from "./render.js";
import { ResultPanel } from "./result.js";
import { Room } from "./room.js";
import { ScoringPanel } from "./scoring_panel.js";
import { Connection } from "./socket.js";
import { play } from "./sound.js";
import { ClickGuard } from "./click_guard.js";
import { Store, isMove } from "./store.js";
import { setReader, short, spoken } from "./text.js";
import { TargetLines } from "./target_lines.js";
import { Voices } from "./voices.js";
import { WaitingRoom } from "./waiting_room.js";

/** @typedef {import("./types.js").LegalMove} LegalMove */

/**
 * The data that the page contains: the addresses of the socket, of buttons other than moves, of pages, and for friends;
 * whether reveals are shown, and the visitor's preferences.
 * @typedef {{ws: string, code: string, game: string, urls: Record<string, string>, invite: string, unreachable: boolean, pauses: boolean, preferences: Record<string, string>}} Boot
 */

/**
 * Cards that were confirmed: the decision whose move is on its way and its cards, and the moves to be sent after it.
 * @typedef {{decision: string, cards: readonly string[], left: LegalMove[], label: import("./types.js").Sentence}} Queue
 */

const ANSWERS = ".moves .move, .felt [data-piece][role=button], .felt [data-target], .felt .seat[data-lit]"; // elements that answer a question
const MOST_LATE = 3; // the maximum number of messages that wait while a reveal is shown

export class TablePage {
  /** @param {HTMLElement} root @param {Boot} boot */
  constructor(root, boot) {
    this.boot = boot;
    this.store = new Store();
    this.names = (/** @type {number} */ seat) => this.store.name(seat);
    /** @type {Set<string>} pieces that moved last */
    this.last = new Set();
    /** @type {import("./types.js").Sentence | null} the label of the move on its way */
    this.busy = null;
    this.note = "";
    /** @type {Queue | null} */
    this.queue = null;
    this.saying = 0; // the number of the last chat message that was sent
    this.chatNote = "";
    /** @type {import("./socket.js").ConnectionState} */
    this.state = "connecting";
    this.cutSince = 0;
    /** @type {import("./types.js").Outbound[]} messages about the match received while a reveal is shown */
    this.late = [];
    /** @type {import("./store.js").Reveal | undefined} the reveal that is shown */
    this.reveal = undefined;
    this.revealTimer = 0;
    this.title = document.title;
    this.dealing = false; // cards that were dealt are on their way: what is asked about them waits
    whenLanded(() => {
      if (!this.dealing) return;
      this.drawControls();
      this.focus.keep();
    });

    this.room = new Room(root);
    this.felt = new Felt(this.room.felt);
    this.targetLines = new TargetLines(this.room.felt);
    this.loader = new GameLoader(boot.urls.words, boot.game, (message) => this.receive(message));
    this.ahead = new Ahead();
    this.input = new Input(this.room.felt, {
      view: () => (this.mine ? this.store.view : null),
      names: this.names,
      decide: (move) => this.decide(move),
      changed: () => this.chosen(),
      note: (note) => (this.note = note),
      ahead: (card) => this.chooseAhead(card),
      unusable: (at) => this.refuse(at),
    });
    this.guide = new Guide(this.room.root, {
      store: this.store,
      names: this.names,
      address: (page) => addressOf(boot.urls[page], this.store.table?.game),
      announce: (words) => this.announcer.announce([{ kind: "info", text: { text: words, args: {} } }], this.names),
      connection: () => this.connection,
      pauses: boot.pauses,
    });
    this.guard = new ClickGuard(this.room.root, ANSWERS, boot.pauses, () => this.drawControls());
    this.controls = new Controls(this.room.controls, {
      decide: (move) => this.mine && this.guard.open && this.input.propose(move),
      confirm: (confirmed) => this.confirm(confirmed),
      select: (card) => this.input.select(card),
      choose: (choice) => this.input.choose(choice),
      back: () => void this.input.takeBack(),
    });
    this.focus = new Focus(this.room.felt, this.room.controls);
    this.log = new Log(this.room.logList);
    this.mutes = new Mutes(boot.urls.mute);
    this.chat = new Chat(
      this.room,
      (text) => this.say(text),
      (report) => void this.report(report),
      (person) => this.mutes.people.has(person),
      (person, on) => void this.mute(person, on),
    );
    this.room.onChatShown = () => this.drawChat();
    const press = (/** @type {string} */ button, /** @type {Record<string, string | number>} */ fields = {}) => {
      const { stand, end, resign, takeBack: take_back } = this;
      const asked = fields.agree ? undefined : { stand, end, resign, take_back }[button];
      void (asked ? asked.call(this, fields) : this.press(button, fields));
    };
    this.pressed = press;
    const { change, notifications } = boot.urls;
    const invitation = new Invitation(boot);
    this.waitingRoom = new WaitingRoom(this.felt.over, { change, notifications }, invitation, press);
    this.scoring = new ScoringPanel(this.felt.over, this.room.panels.log);
    this.result = new ResultPanel(
      this.felt.over,
      { change, opinion: (match) => addressOf(boot.urls.opinion, match) },
      press,
    );
    this.hostDialog = new HostDialog(press, change);
    this.room.answer.addEventListener("click", () => this.openHostDialog());
    this.announcer = new Announcer();
    this.voices = new Voices();
    listen({
      press: (key) => this.controls.press(key),
      back: () =>
        this.skip() ||
        this.input.takeBack() ||
        this.clearAhead() ||
        this.room.closeDrawer() ||
        this.guide.dismiss() ||
        this.scoring.dismiss() ||
        this.result.dismiss(),
      tap: (card) => this.guard.open && this.input.touch(card),
      buttons: () => this.controls.focus(),
      chat: () => {
        this.room.open("chat");
        this.drawChat();
        this.chat.focus();
      },
      log: () => this.room.open("log"),
      rules: () => void this.guide.open().rules(),
      legend: () => void this.guide.open().legend(),
      first: (event) =>
        this.input.pathKey(event) ||
        (event.key === "Enter" && !this.focus.isChosen(event.target) && this.guard.open && this.controls.confirm()),
    });
    this.pace = new SpectatorPace({
      watching: () => this.store.you.seat === null,
      looking: () => this.store.revealing,
      show: (message) => this.receive(message, true),
    });
    this.bar = new TopBar(this.room, boot.urls, {
      pace: this.pace.pace,
      follow: (pace) => {
        this.pace.choose(pace);
        this.draw();
      },
      press,
      seal: () => this.showSeal(),
      keys: showKeys,
      skipReveals: (on) => this.skipReveals(on),
      redraw: () => {
        this.ahead.clear();
        this.draw();
      },
      invite: () => invitation.show(() => this.store.table?.title ?? ""),
      host: () => this.openHostDialog(),
      rules: () => void this.guide.open().rules(),
      legend: () => void this.guide.open().legend(),
      tips: () => this.guide.tips(),
    });
    this.store.skipReveals = skipsReveals();
    this.room.felt.addEventListener("figures", () => this.draw());
    drawByDragging(this.room.felt, (piece) => this.input.pass(piece));
    this.room.felt.addEventListener("click", () => void this.skip());
    highlightTaken(this.room.root, () => this.input.moves);
    setInterval(() => this.tick(), 500);
    this.connection = new Connection(boot.ws, {
      have: () => ({ match: this.store.match, version: this.store.version }),
      receive: (message) => this.receive(message),
      state: (state) => this.connectionChanged(state),
    });
    this.draw();
  }

  /** Whether this browser may decide now. */
  get mine() {
    return !this.closed && this.store.mine;
  }

  /** Whether the table no longer exists. */
  get closed() {
    return this.state === "closed" || this.state === "removed";
  }

  // -- receiving

  /** @param {import("./types.js").Outbound} message @param {boolean} [now] it has waited long enough */
  receive(message, now = false) {
    const { store } = this;
    if (this.loader.delays(message)) return;
    if (message.t === "because") return void this.guide.answered(message.id, message.text);
    if (!now && this.pace.delays(message)) return this.drawPace();
    if (store.revealing && (isMove(message) || message.t === "snapshot")) {
      this.late.push(message);
      if (this.late.length > MOST_LATE) this.skip();
      return;
    }
    const { match } = store;
    const { you } = store;
    const before = capture(this.room.felt);
    const change = store.receive(message);
    if (message.t === "welcome" || message.t === "you") {
      showName(store.you.name);
      this.mutes.update(store.you);
    }
    if (change.gap) {
      this.connection.hello();
      return;
    }
    if (message.t === "change" && message.reveals?.length && store.skipReveals) this.sendSeen();
    if (message.t === "welcome" && store.pending) this.connection.send({ t: "move", ...store.pending });
    if (store.you.seat !== null) this.pace.catchUp(); // players see all messages at once
    if (message.t === "you") {
      const news = restrictionNews(you, store.you);
      if (news) this.room.announce([news]);
      if (store.you.seat !== you.seat) this.connection.hello(); // the chat of the other room
    }
    if (change.refused) this.refused(change.refused);
    if (change.chat) this.chatReceived(change.chat);
    if (message.t === "snapshot") this.log.clear();
    if (match !== store.match) {
      this.felt.clear();
      this.log.clear();
      this.scoring.clear();
      this.last.clear();
      this.ahead.clear();
    }
    this.changed(before, change);
  }

  /** Draw a change. @param {import("./motion.js").Picture} before @param {import("./store.js").Change} change */
  changed(before, change) {
    const { store } = this;
    if (change.live) this.note = "";
    const { view } = store;
    const { decision } = this;
    this.input.renew(decision);
    this.sendNext();
    this.playAhead();
    this.draw();
    if (change.live) {
      this.move(before, change.news ?? []);
      this.speak(change.news ?? []);
    }
    if (change.news) this.announcer.announce(change.news, this.names);
    if (change.announced?.length) this.room.announce(change.announced.map((entry) => spoken(entry.text, this.names)));
    if (view && this.announcer.ask(decision, view.prompt, this.names)) {
      play("bell");
      void notifyTurn(store.table?.title ?? "");
    } else if (!this.mine) void clearNotification();
    const [reveal] = store.reveals;
    if (reveal !== this.reveal) {
      this.reveal = reveal;
      clearTimeout(this.revealTimer);
      if (reveal) this.revealTimer = setTimeout(() => this.goOn(), reveal.hold);
    }
    while (this.late.length && !store.revealing)
      this.receive(/** @type {import("./types.js").Outbound} */ (this.late.shift()));
  }

  /** Show the next reveal of a move, or its result. */
  goOn() {
    const before = capture(this.room.felt);
    this.changed(before, this.store.goOn());
  }

  /** @param {boolean} on */
  skipReveals(on) {
    this.store.skipReveals = on;
    if (on) this.skip();
  }

  /** Skip the remaining reveals of a move. @returns {boolean} whether there were any */
  skip() {
    const { revealing } = this.store;
    while (this.store.revealing) this.goOn();
    if (revealing) this.sendSeen();
    return revealing;
  }

  /** Say that the reveals of the last move need no more time: bots wait for nobody then. */
  sendSeen() {
    const { you, match, version } = this.store;
    if (you.seat !== null) void this.connection.send({ t: "seen", match, version });
  }

  /** Animate the pieces that moved. @param {import("./motion.js").Picture} before @param {import("./types.js").LogEntry[]} news */
  move(before, news) {
    const moved = travel(
      this.room.felt,
      before,
      news.flatMap((line) => line.motions ?? []),
    );
    if (moved.size) play("card");
    if (news.some((line) => line.kind === "loss")) play("coin");
    const dealt = news.some((line) => line.kind === "deal");
    this.last = dealt ? new Set() : moved;
    // Others may decide while one's own cards are still on their way, such as when all choose at the same time.
    const was = this.dealing;
    this.dealing = (dealt || was) && moving();
    if (was || this.dealing) this.drawControls();
    this.drawFelt();
    this.focus.keep();
  }

  /** Let a character of a story say something about what happened. @param {import("./types.js").LogEntry[]} news */
  speak(news) {
    const { table, view } = this.store;
    const voice = this.voices.react(news, table?.story?.voices ?? []);
    if (view?.over) this.chat.bubbles.clear(); // the lines after a game are in the result
    if (!voice || view?.over) return;
    const words = short(voice.text, this.names);
    this.chat.bubbles.say(voice.speaker, this.names(voice.speaker), words);
    this.announcer.announce(
      [{ kind: "info", text: { text: "{name} says: {words}", args: { name: this.names(voice.speaker), words } } }],
      this.names,
    );
  }

  /** @param {{id: number, text: string}} refused */
  refused({ id, text }) {
    if (this.guide.answered(id, null)) return; // asked too often: the page explains what it can
    if (id && id === this.saying) this.chatNote = text;
    if (!id || id !== this.saying || !this.room.chatting) this.note = text; // a quick message closes the drawer
  }

  /** @param {import("./types.js").ChatLine} line */
  chatReceived(line) {
    this.drawChat();
    if (!this.chat.receive(line) || line.person === this.store.you.person) return;
    this.room.chatReceived();
    this.announcer.announce(
      [{ kind: "info", text: { text: "{name} says: {words}", args: { name: line.name, words: line.text } } }],
      this.names,
    );
  }

  /** @param {import("./socket.js").ConnectionState} state */
  connectionChanged(state) {
    if (state === "open" || this.state === "open") this.cutSince = state === "open" ? 0 : Date.now();
    this.state = state;
    this.drawBanner();
    if (this.closed) this.draw();
  }

  /** A part of a move was chosen: show it, and announce the next question. */
  chosen() {
    this.draw();
    const asked = this.input.prompt();
    if (asked) this.announcer.announce([{ kind: "info", text: asked }], this.names);
  }

  // -- sending

  /** @param {LegalMove} move */
  decide(move) {
    if (this.mine && this.guard.open) this.send(move, move.label);
  }

  /** Selected cards were confirmed: send the first move, the others after it. @param {import("./several.js").Confirmation} confirmed */
  confirm({ moves, label }) {
    if (this.mine && this.guard.open) this.sendAll(moves, label);
  }

  /** The cards that may be chosen ahead now. */
  get aheadCards() {
    const { store } = this;
    const waits = !this.mine && !this.closed && store.you.seat !== null && store.table?.status === "playing";
    return this.ahead.cards(store.match, waits && !store.table?.notice ? store.view : null);
  }

  /** A card was tapped while another player decides: choose it ahead, or no longer. @param {string} card @returns {boolean} whether it may be */
  chooseAhead(card) {
    const { pending } = this.store;
    if (!this.aheadCards.has(card)) return false;
    this.ahead.toggle(card, pending ? `${pending.match}:${pending.decision}` : "");
    this.note = "";
    if (!this.ahead.card) this.announceNoneAhead();
    this.draw();
    return true;
  }

  clearAhead() {
    if (!this.ahead.clear()) return false;
    this.announceNoneAhead();
    this.draw();
    return true;
  }

  announceNoneAhead() {
    this.announcer.announce([{ kind: "info", text: { text: noop("No card is chosen ahead."), args: {} } }], this.names);
  }

  /** The card that is chosen ahead, in words; "" for none. */
  get aheadText() {
    const { card } = this.ahead;
    const { view } = this.store;
    const piece = card && view ? pieceOf(view, card) : undefined;
    return piece
      ? t("Your next move: {card}. Tap it again to take that back.", { card: pieceWords(piece, this.names) })
      : "";
  }

  /** It may be the visitor's turn: play the card that they have chosen ahead, or drop it. */
  playAhead() {
    const { store, input, ahead } = this;
    if (!this.mine || !store.view) return;
    const { moves } = input;
    ahead.learn(store.match, store.view, moves);
    const { card } = ahead;
    if (!card || this.decision === ahead.not) return;
    ahead.clear();
    const [move, ...others] = input.several ? [] : moves.filter(({ pieces }) => pieces.includes(card));
    if (!move) this.note = t("The card that you have chosen ahead cannot be played now.");
    else if (others.length || confirms()) input.tap(card);
    else this.send(move, move.label);
  }

  /** @param {LegalMove[]} moves @param {import("./types.js").Sentence} label */
  sendAll([first, ...left], label) {
    this.queue = { decision: this.decision, cards: first.pieces, left, label };
    this.send(first, label);
  }

  /** The decision that is to be made now, "" if none. */
  get decision() {
    const { store } = this;
    return this.mine && store.view ? `${store.match}:${store.view.decision}` : "";
  }

  /** Send the next move of the cards that were confirmed, once the one before it was made. Otherwise they stay selected. */
  sendNext() {
    const { queue } = this;
    if (!queue || this.store.pending) return;
    this.queue = null;
    const { left, label, cards } = queue;
    const made = this.decision !== queue.decision;
    if (made && !left.length) return;
    const { moves } = this.input;
    if (made && left.every(({ move }) => moves.some((one) => one.move === move))) {
      this.sendAll(left, label);
      return;
    }
    this.input.keep([...(made ? [] : cards), ...left.flatMap(({ pieces }) => pieces)]);
    this.note ||= t("Not all cards were taken. Look at your choice, and confirm again.");
  }

  /** @param {LegalMove} move @param {import("./types.js").Sentence} label */
  send(move, label) {
    const { store } = this;
    if (!store.view) return;
    store.pending = { id: this.connection.id(), match: store.match, decision: store.view.decision, move: move.move };
    this.busy = label;
    this.input.clear();
    this.note = this.connection.send({ t: "move", ...store.pending })
      ? ""
      : t("There is no connection. Your move is kept and will be sent when the connection is back.");
    this.draw();
  }

  /** Something was tapped that cannot be used: explain why, given the current choice. @param {Element} at */
  refuse(at) {
    const { choice, path } = this.input;
    void this.guide.open().refuse(at, { choice, path });
  }

  /** Send a message to the chat. @param {string} text @returns {boolean} whether it was sent */
  say(text) {
    if (!this.store.you.name) {
      void this.introduce();
      return false;
    }
    this.saying = this.connection.id();
    this.chatNote = "";
    const sent = this.connection.send({ t: "chat", id: this.saying, text });
    if (!sent) this.chatNote = t("There is no connection. Try again in a moment.");
    this.drawChat();
    return sent;
  }

  /** Ask a visitor without a name for one before chatting; the message stays in the field. */
  async introduce() {
    const name = await askName(t("Use this name"));
    if (name) await this.press("name", { name });
    this.chat.focus();
  }

  /** Report messages to the administrators. @param {{ messages: string, why: string }} report */
  async report(report) {
    const answer = await post(this.boot.urls.report_chat, report);
    this.chatNote = answer.ok ? "" : (answer.text ?? "");
    this.drawChat();
    if (answer.ok) this.room.announce([t("Reported. An administrator will look at it.")]);
  }

  /** Mute a person, or no longer. @param {number} person @param {boolean} on */
  async mute(person, on) {
    const done = this.mutes.set(person, on);
    this.drawChat(); // at once: the answer may take a moment
    this.chatNote = await done;
    this.drawChat();
  }

  /** Press a button other than a move: it sends a form to the server. @param {string} button @param {Record<string, string | number>} fields */
  async press(button, fields = {}) {
    const stranger = !this.store.you.name;
    if (stranger && (button === "sit" || button === "request_seat")) {
      const name = await askName(button === "sit" ? t("Sit down") : t("Ask for a seat"));
      if (!name) return;
      fields = { ...fields, name };
    }
    const answer = await post(this.boot.urls[button], fields);
    this.note = answer.ok ? "" : (answer.text ?? "");
    // A visitor without a name has just chosen one: the server uses it for new connections.
    if (answer.ok && stranger) this.connection.renew();
    this.draw();
  }

  /** Stand up. During a match, ask first: a bot takes the seat. */
  async stand() {
    const { table, you } = this.store;
    if (table?.status === "playing" && !this.store.view?.over) {
      const words = [
        t(
          "The match continues, and a house bot plays in your seat. As long as it sits there, you can take the seat back.",
        ),
      ];
      if (you.host) words.push(t("Somebody else becomes the host."));
      if (!(await confirmAction(t("Stand up in the middle of the match?"), words.join(" "), t("Stand up")))) return;
    }
    await this.press("stand");
  }

  /** Agree to end the match, after a confirmation. */
  async end() {
    const words = t(
      "It ends without a result as soon as everybody at the table agrees. If somebody wants to play on, it goes on.",
    );
    if (await confirmAction(t("End this match?"), words, t("End the match"))) await this.press("end");
  }

  /** Give up the match, after a confirmation. */
  async resign() {
    const { table, you } = this.store;
    const other = table?.seats.find(({ seat }) => seat !== you.seat);
    if (!other) return;
    const words = t("The match ends now, and {name} wins. That cannot be taken back.", { name: other.name });
    if (await confirmAction(t("Resign this match?"), words, t("Resign"))) await this.press("resign");
  }

  /** Ask to take back the last decision, or agree to take back a `move`, after a confirmation. @param {Record<string, string | number>} fields */
  async takeBack(fields) {
    const { table } = this.store;
    if (!table) return;
    const alone = table.seats.filter((seat) => seat.kind === "person" && !seat.away).length < 2;
    const words = [
      t("The last decision and all moves after it are taken back. What you have seen since stays seen."),
      alone
        ? t("The result of this match will not count in your statistics.")
        : t("That happens as soon as everybody at the table agrees."),
    ];
    if (await confirmAction(t("Take back the last decision?"), words.join(" "), t("Take back")))
      await this.press("take_back", fields);
  }

  /** Open the dialog with the settings that a host may change. */
  openHostDialog() {
    const { table, you } = this.store;
    if (table) this.hostDialog.open(table, you, this.store);
  }

  showSeal() {
    showSeal(this.store.commitment, this.store.view?.over ? this.link("verify") : "");
  }

  /** The address of a page about this match. At an unlisted table it contains the table's code: people with the link may see it. @param {"replay" | "verify"} page */
  link(page) {
    const { match, table } = this.store;
    const url = addressOf(this.boot.urls[page], match || table?.match);
    return table?.public ? url : `${url}?table=${this.boot.code}`;
  }

  // -- drawing

  draw() {
    const { store, names } = this;
    const { view, table } = store;
    setReader(view?.seat ?? null);
    this.drawBanner();
    // Show a running or finished match only together with its cards; otherwise the page would jump.
    const comes = table && table.match > 0 && table.status !== "open" && !table.notice;
    const here = table && (view || !comes);
    // The last move ends the match, the table's status follows a moment later: the result must not move then.
    const status = table?.status === "playing" && view?.over ? "over" : table?.status;
    attr(this.room.root, "data-status", this.closed ? "closed" : (here && status) || "loading");
    if (!here && !this.closed) return;
    this.bar.draw(store, names, this.pace.behind);
    this.scoring.draw(view?.over ? undefined : view?.scoring, store.scoringNames, view?.seat ?? null, {
      wide: this.room.wide,
      decision: this.decision,
    });
    this.drawControls(); // before the felt, because it takes space from it
    this.drawFelt();
    this.waitingRoom.draw(this.closed ? null : table, store.you);
    this.result.draw(view, table, store.you, names, view?.over ? store.entries.at(-1) : []);
    this.hostDialog.draw(store.table, store.you, store);
    this.room.call(
      store.you.host && store.table
        ? asking(store.table, store)
            .filter((one) => !one.next)
            .map((one) => one.name)
        : [],
    );
    if (store.view) this.log.draw(store.log, (ply) => store.namesAt(ply), store.view.seat);
    else this.log.clear();
    this.drawChat();
    this.guide.draw();
    this.focus.keep();
  }

  drawFelt() {
    const { store, names } = this;
    const { view, table } = store;
    if (!view || !table) {
      this.felt.clear();
      return;
    }
    this.felt.draw(
      {
        view,
        seats: table.seats,
        bots: Object.fromEntries(table.bots.map((bot) => [bot.name, t(bot.title)])),
        viewer: view.seat,
        playing: table.status === "playing" && !table.notice,
        left: (seat) => store.timeLeft(seat),
        whole: table.seconds * 1000,
        lastSeat: store.lastSeat,
      },
      {
        ...this.input.touchable(),
        ahead: { cards: this.aheadCards, card: this.ahead.card },
        last: this.last,
        names,
      },
    );
    this.felt.drawLastAction(store.lastAction(), deciderNote(store.lastBy), names);
    this.targetLines.draw();
  }

  drawControls() {
    const { store, input } = this;
    const { table } = store;
    this.dealing &&= moving();
    const asks = this.mine && !this.dealing;
    const extra = extrasOf(store, this.closed, {
      lobby: this.boot.urls.lobby,
      board: this.boot.urls.board,
      tournament: this.boot.urls.tournament ?? "",
      look: (page) => this.link(page),
      press: this.pressed,
      back: () => void this.connection.send({ t: "back" }),
      goOn: () => void this.skip(),
      next: `${this.boot.urls.watch}?after=${this.boot.code}`,
      late: this.pace.behind > 0,
      catchUp: () => this.pace.catchUp(),
    });
    if (asks && !this.room.wide && this.scoring.offered(this.decision))
      extra.push({ key: "scoring", label: t("Scoring"), run: () => this.room.open("log") });
    this.guard.ask(
      [this.dealing ? "" : this.input.decision, ...extra.map(({ key }) => key)].join(" "),
      input.several ? "" : JSON.stringify([input.choice, input.words, input.waiting?.move]), // selecting cards moves no button
    );
    attr(this.room.felt, "aria-disabled", this.guard.open ? null : "true");
    this.controls.draw({
      view: store.view,
      prompt:
        this.mine && this.dealing
          ? { text: "The cards are dealt …", args: {} }
          : (input.prompt() ?? promptOf(store, this.closed, this.state === "removed")),
      moves: asks ? input.moves : [],
      choice: input.choice,
      several: asks ? input.several : null,
      waiting: input.waiting,
      mine: asks,
      busy: store.pending ? this.busy : null,
      refusal: this.note || (this.closed ? "" : standingText(store.you)) || this.aheadText,
      names: this.names,
      ahead: input.steps(),
      extra,
      shut: !this.guard.goingOn,
    });
    attr(this.controls.note, "data-ahead", !this.note && this.ahead.card !== "");
    const turn = this.mine ? `● ${t("Your turn")} – ` : "";
    const name = table ? `${table.title} · Hamsterdam` : this.title;
    if (document.title !== turn + name) document.title = turn + name;
    attr(this.room.root, "data-mine", asks);
    stayAwake(this.mine && !isSlow(table?.seconds ?? 0));
    attr(this.room.root, "data-seated", store.you.seat !== null);
  }

  /** Another move waits to be shown. */
  drawPace() {
    this.bar.draw(this.store, this.names, this.pace.behind);
    this.drawControls();
  }

  drawBanner() {
    this.room.warn(connectionText(this.state, this.cutSince ? Date.now() - this.cutSince : 0));
  }

  drawChat() {
    const { chat, you, table } = this.store;
    this.chat.draw({
      lines: chat,
      watching: you.seat === null,
      together: !!table?.together,
      me: you.person,
      refusal: this.chatNote || restrictionText(you),
      forbidden: restrictionText(you) !== "",
    });
  }

  /** Update what changes with time alone. */
  tick() {
    const { store } = this;
    const seconds = store.table?.seconds ?? 0;
    const slow = isSlow(seconds); // then also how much time somebody else has
    const seat = this.mine ? store.you.seat : slow ? (store.view?.to_act[0] ?? null) : null;
    const [words, short] = countdown(seat === null ? null : store.timeLeft(seat), seconds * 1000);
    write(this.controls.clock, slow && words ? t("{time} left", { time: words }) : words);
    attr(this.controls.clock, "data-short", short);
    attr(this.controls.clock, "data-slow", slow);
    attr(this.controls.clock, "aria-hidden", slow ? null : "true"); // in words it changes once an hour, and not each second
    if (this.state !== "open") this.drawBanner();
    this.focus.keep(); // a drawer or a panel may have closed
  }
}

/** @param {string} by who decided last @returns {string} a note if a bot decided for a person */
function deciderNote(by) {
  if (by === "clock") return ` ${t("(time was up)")}`;
  return by === "away" ? ` ${t("(away, the house decided)")}` : "";
}

/** The header was rendered before the visitor had a name. @param {string} name */
function showName(name) {
  const shown = document.querySelector(".masthead-me bdi");
  if (shown && name) write(shown, name);
}
