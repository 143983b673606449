/**
 * The messages of the WebSocket protocol. Written by `python -m cardsite.server.wire_types` from games/core/view.py and
 * cardsite/server/protocol.py: change those and run it again.
 */

/** An argument of a sentence that stands for the player in that seat. */
export interface SeatArg {
  seat: number;
}

/** An argument of a sentence that stands for that card. */
export interface CardArg {
  card: string;
}

export type Arg = number | string | SeatArg | CardArg;

/**
 * A sentence: an English template, which is its key in translation catalogues, and the values of its placeholders.
 *
 * `{name}` in `text` is replaced by `args[name]`: a number, a word, `{"seat": 2}` (the player's name is
 * put in) or `{"card": "10C"}` (drawn as a card). A word is put in as it is, in English, so choose between whole
 * sentences rather than building one of parts.
 */
export interface Sentence {
  text: string;
  args: Record<string, Arg>;
}

/** fmt: skip */
export type Colour = "red" | "blue" | "green" | "yellow" | "purple" | "orange" | "teal" | "pink" | "brown" | "black" | "white" | "grey";

/** A shape of a picture: an element of SVG with its attributes, which `games/recycle/svg.py` has checked. */
export interface Shape {
  tag: string;
  attributes: Record<string, string>;
}

/** A picture that the author of a game drew. */
export interface OwnPicture {
  /** its viewBox */
  box: string;
  shapes: Shape[];
  /** without colours of its own: it takes those of the card */
  plain: boolean;
}

/**
 * A card, a camel, a tile. Pieces with equal ids in two views are the same piece and are animated between zones.
 *
 * The id of an open card is its face if that is unique, else what `Sight.piece_id` returns.
 */
export interface Piece {
  id: string;
  /** "10C", "camel-blue"; absent: face down */
  face?: string;
  /** which back a face-down card shows: "stock", "modifier", ... */
  back?: string;
  /** for pieces that are not playing cards */
  label?: Sentence;
  /** at most three characters, read where cards overlap: "10", "Kn" */
  corner?: string;
  /** in the middle and in the corner: a Symbol, or a key of the view's `pictures` */
  symbol?: string;
  /** of its frame and its symbol */
  colour?: Colour;
  /** how often the symbol is in the middle, if not once */
  number?: number;
  /** a few characters on its corner: what it is worth here ("+4", "-3") */
  badge?: string;
  /** it decides the result, or scores now */
  mark?: "won" | "lost";
  /** in a trick: the player who played it */
  seat?: number;
}

/**
 * A place for pieces, in order (for a pile: bottom first).
 *
 * A `trick` has the pieces in the order of play, each with its `seat`; they lie towards their players. The first
 * one was led. A trick that was won stays until the next piece is played: the piece that won it has the mark "won".
 */
export interface Zone {
  id: string;
  label: Sentence;
  /** notes: sentences shown beside the table */
  layout: "hand" | "row" | "pile" | "slot" | "trick" | "notes";
  /** its owner; absent: it belongs to nobody */
  seat?: number;
  pieces: Piece[];
  /** the number of pieces, if not all are listed (piles) */
  size?: number;
  /** a value that the pieces add up to, shown beside the zone */
  total?: number;
}

/** A number that belongs to a seat: certificates, coins, points. */
export interface Counter {
  id: string;
  label: Sentence;
  value: number;
  /** "certificate", "coin", ... */
  icon?: string;
}

/**
 * A seat as it is drawn.
 *
 * `state`: in play; "aside", out of the round but not of the match (folded, knocked out until the next deal); "out"
 * of the match for good; or "won". The player's zones are drawn in any case.
 */
export interface SeatView {
  seat: number;
  state: "in" | "aside" | "out" | "won";
  counters: Counter[];
  /** "dealer", "first", ... */
  marks: string[];
}

/**
 * A legal move, and the pieces it touches.
 *
 * `move` is the string to send back. `pieces` are the ids to pick up (none: only a button). `target` is where
 * they go: `zone:ID`, `seat:N` or `piece:ID` (absent: picking is enough). Several moves may have the same pieces
 * and target, for example if a guess comes with a card; then the player chooses by their labels, as buttons. `takes`
 * are the ids of other pieces that the move would take, which are highlighted before it is made.
 */
export interface LegalMove {
  move: string;
  label: Sentence;
  pieces: string[];
  target?: string;
  takes?: string[];
}

/**
 * Cards that a player takes one by one in the next `count` decisions, and may choose together.
 *
 * Each legal move takes one of them, and is legal whichever others were taken before. `label` is what all of them
 * do; its gaps `card1`, `card2`, ... are for the chosen cards.
 */
export interface Several {
  count: number;
  label: Sentence;
}

/** A remark, and a word to mark it with (for an icon or a colour). */
export interface Note {
  mark: string;
  text: Sentence;
}

/** How a cell of a grid looks: its marks, and the badge of what lies on it. */
export interface Look {
  marks: string[];
  badge?: string;
}

/** One more piece of a path. `tally` and `notes` describe the move if the path ended here. */
export interface Step {
  word: string;
  /** values of the columns */
  tally: number[];
  /** indexes into the notes */
  notes?: number[];
  /** True: not a legal move yet, the path must continue */
  further?: boolean;
  /** possible next steps */
  then?: Step[];
  /** words the path cannot continue with, though near: the note that says why */
  shut?: Record<string, number>;
  /** cells whose look differs from the previous step: indexes of cell and look */
  looks?: Record<string, number>;
}

/**
 * Legal moves that pick pieces one after the other, as a tree, because many share their beginning.
 *
 * A move is the `verb` and the words of its steps, separated by spaces. Each word stands for a piece.
 */
export interface Paths {
  verb: string;
  /** the piece's id for each word */
  pieces: Record<string, string>;
  columns: Sentence[];
  notes: Note[];
  /** looks of cells while pieces are picked */
  looks: Look[];
  /** the state before the first piece; it has no word */
  start: Step;
}

/** A row of the scoring of a round. `mark` is "lost" or "won" if the row explains that. */
export interface ScoringRow {
  seat: number;
  cells: string[];
  mark?: string;
}

/** How a round was scored; shown until the next one is under way. */
export interface RoundScoring {
  /** changes with each scoring */
  id: string;
  title: Sentence;
  columns: Sentence[];
  rows: ScoringRow[];
  verdict: Sentence;
}

/** A space of a track or a cell of a grid. */
export interface Space {
  id: string;
  /** bottom first */
  pieces: Piece[];
  marks: string[];
  label?: Sentence;
}

/** Spaces in a line or a loop. */
export interface Track {
  id: string;
  label: Sentence;
  spaces: Space[];
}

/** Cells row by row, `columns` wide. */
export interface Grid {
  id: string;
  label: Sentence;
  columns: number;
  cells: Space[];
}

/** A piece and its chances, in the order of the columns. */
export interface OddsRow {
  piece: string;
  cells: string[];
}

/** Odds that anybody could compute from open information: for learners, shown on request. */
export interface Odds {
  title: Sentence;
  columns: Sentence[];
  rows: OddsRow[];
}

/** The standings at some moment: at the deal, when a round begins or ends, at the end. */
export interface Round {
  /** what happened at that moment */
  title: Sentence;
  /** by seat: the value of the first counter that all seats have */
  values: number[];
}

/** What the seats started with, more or less than usual. */
export interface HandicapView {
  /** what it counts, in the plural */
  noun: Sentence;
  /** by seat */
  amounts: number[];
}

/** How the match stands, as far as everybody at the table can work it out: what would count if it ended now. */
export interface Standings {
  /** by seat */
  scores: number[];
  /** the seats that would win; none while all are equal */
  leaders: number[];
}

/** How a finished match ended: scores by seat (higher is better) and who shares the win. */
export interface MatchResult {
  /** empty if it was not played to its end: a player resigned, or was out of time */
  scores: number[];
  winners: number[];
  text: Sentence;
  /** from the deal to the end: where the points came from */
  rounds?: Round[];
}

/** All that one audience may see of a state: what the game draws, plus the fields all views share. */
export interface View {
  phase: Sentence;
  /** what this audience should do, or whom everybody waits for */
  prompt: Sentence;
  seats: SeatView[];
  zones: Zone[];
  /** every legal move of this seat, except those in `paths` */
  moves: LegalMove[];
  /** the legal moves may be chosen together */
  several?: Several;
  paths?: Paths;
  tracks?: Track[];
  grids?: Grid[];
  scoring?: RoundScoring;
  odds?: Odds;
  /** how the last bid, trick or fight went; shown until the next one */
  settled?: Sentence;
  /** the last trick that was won and is no longer in its zone; shown on request */
  last_trick?: Zone;
  /** absent: some of it is hidden, or there is nobody to compare with */
  standings?: Standings;
  /** by the symbols of its pieces: those that the author drew */
  pictures?: Record<string, OwnPicture>;
  game: string;
  /** the seat of this view; None: a spectator's */
  seat: number | null;
  to_act: number[];
  /** number of decisions this seat has made; sent back with a move (0 for spectators) */
  decision: number;
  over: boolean;
  /** absent: all seats started with the usual */
  handicap?: HandicapView;
  result?: MatchResult;
}

/** A movement from zone to zone. The views say which piece it is, to those who may know. */
export interface Motion {
  source: string;
  target: string;
  /** a place it passed: a space with a tile that pushed it on */
  via?: string;
}

export type EntryKind = "move" | "deal" | "round" | "loss" | "win" | "info";

/** An entry of the match's log. */
export interface LogEntry {
  kind: EntryKind;
  text: Sentence;
  /** the player who did it */
  seat?: number;
  /** the one seat that may read it; absent: everybody */
  only?: number;
  /** the sentence for other readers, in replays where all may read it; never sent */
  others?: Sentence;
  motions?: Motion[];
}

/** The first message. `match` and `version` are those the client has (0 and -1: none). */
export interface InHello {
  t: "hello";
  protocol: number;
  match?: number;
  version?: number;
}

/** A move. `decision` is the number that the view gives: a decision that is sent twice is played once. */
export interface InMove {
  t: "move";
  id: number;
  match: number;
  decision: number;
  move: string;
}

/** A chat message, for the room of players or of spectators, or for both if the host has joined the rooms. */
export interface InChat {
  t: "chat";
  id: number;
  text: string;
}

/** A player who is back takes over the seat from the bot. */
export interface InBack {
  t: "back";
}

/** Whether the player is ready for the next match. It starts when all people at the table are ready. */
export interface InReady {
  t: "ready";
  id: number;
  ready?: boolean;
}

/** Ask why something cannot be used. `touched` is `piece:ID`, `zone:ID` or `seat:N` of your view. */
export interface InWhy {
  t: "why";
  id: number;
  match: number;
  touched: string;
}

/** The player has seen all reveals of the move `version`. When all have who are here, bots do not wait longer. */
export interface InSeen {
  t: "seen";
  match: number;
  version: number;
}

/** A ping; the answer is a pong. */
export interface InPing {
  t: "ping";
}

export type SeatKind = "open" | "person" | "bot";

/** "over": between matches */
export type TableStatus = "open" | "playing" | "over" | "closed";

export type TimeUp = "bot" | "resign";

/** "all": both share a room, by choice of the host */
export type ChatRoom = "players" | "spectators" | "all";

export type Decider = "person" | "bot" | "clock" | "away" | "forced";

export type PersonStanding = "" | "removed" | "refused" | "barred" | "muted" | "blocked";

export type DroppedFor = "" | "rules_failed" | "no_end" | "other_rules" | "no_game" | "too_much" | "stopped" | "agreed" | "resigned" | "late";

/** An option of the table, as its players may know it. */
export interface OptionInfo {
  name: string;
  label: string;
  value: number | string;
  /** the value as people read it */
  shown: string;
}

/** What the game lets seats start with, more or less than usual: so many of `noun`. */
export interface HandicapInfo {
  noun: string;
  low: number;
  high: number;
}

/** A seat of a table. */
export interface SeatInfo {
  seat: number;
  kind: SeatKind;
  name: string;
  /** the kind of bot, such as "house"; "" if it is not a bot */
  bot: string;
  /** the person's public number (page /people/N/); 0 if it is not a person */
  person: number;
  host: boolean;
  /** connected now; always true of bots */
  here: boolean;
  /** a bot decides for the person */
  away: boolean;
  /** the person wants the next match */
  ready: boolean;
  /** the person who stood up during the match and may take the seat back from the bot; usually 0 */
  held_for: number;
  /** matches won at this table; ties are shared */
  wins: number;
  /** the portrait of a character of a story, "" for everybody else */
  face: string;
  /** the person agrees to end the running match without a result */
  ends: boolean;
  /** what the seat starts the next match with, more or less than usual */
  handicap: number;
  /** where the clock has hours or days: the end of the person's last vacation, in milliseconds */
  vacation_until: number;
}

/** Who decides for a seat of the current or last match from a ply on, and what they are called then. */
export interface OccupancyInfo {
  /** the number of moves made before */
  ply: number;
  seat: number;
  kind: SeatKind;
  name: string;
  /** the kind of bot, "" for a person */
  bot: string;
  /** the person's public number, 0 for a bot */
  person: number;
  /** a bot decides for the person */
  away: boolean;
  /** the person who was there before was removed, by the host or an administrator */
  removed: boolean;
}

/** Whose result that of a seat is, and who decided. */
export interface SeatResultInfo {
  seat: number;
  name: string;
  /** their public number, 0 for a bot */
  person: number;
  /** made in this seat */
  decisions: number;
  /** those of them that the person made; bots made the others */
  own: number;
  /** false: the result does not count for the person, as bots made most of the decisions */
  counts: boolean;
}

/** A kind of bot: its name in messages, and its title as people read it. */
export interface BotInfo {
  name: string;
  title: string;
}

/** A person who requests a seat from the host. */
export interface SeatRequestInfo {
  /** their public number */
  person: number;
  name: string;
  /** has a seat from the next match on */
  next: boolean;
}

/** The step of an ended match that a table continues from. Nothing counts there. */
export interface WhatIfInfo {
  /** how many of its moves had been made */
  ply: number;
  /** the address of that step, "" when the match is gone */
  replay: string;
}

/** A line of a story. */
export interface DialogueLineInfo {
  /** the speaker; -1: a person without a seat */
  seat: number;
  /** of a person without a seat, else "" */
  name: string;
  text: Sentence;
}

/**
 * What a character of a story says whenever the log has an entry of this kind and seat.
 *
 * `about` are arguments that the entry's sentence must have: by name, a seat, or the suit of a card. If there are
 * several voices for the same event, they take turns.
 */
export interface VoiceInfo {
  /** a seat */
  speaker: number;
  kind: EntryKind;
  seat: number;
  about: Record<string, number | string>;
  text: Sentence;
}

/** What the person may choose between two games of a story, or at its end. */
export interface StoryChoiceInfo {
  key: string;
  text: Sentence;
}

/** The story that one person plays at a table: seat `favourite` has to win without noticing the help. */
export interface StoryInfo {
  favourite: number;
  /** the seat that can be asked to help */
  friend: number;
  /** the favourite has won the evening */
  done: boolean;
  /** "ask" is one of the choices */
  may_ask: boolean;
  /** after the last game */
  lines: DialogueLineInfo[];
  /** during a game */
  voices: VoiceInfo[];
  /** somebody has won the evening */
  over: boolean;
  /** games that win the evening */
  wins: number;
  /** games won so far, by seat */
  won: number[];
  /** what the person may choose now */
  choices: StoryChoiceInfo[];
}

/** A table where a person plays the deal of the day. */
export interface DailyInfo {
  /** 2026-11-22 */
  day: string;
  /** the current or last match counts; others at the same table do not */
  counts: boolean;
}

/** What makes the first match of a table start by itself. */
export interface SeekInfo {
  /** with so many it starts after a pause; with all seats taken, at once */
  people: number;
  /** bots take the seats that are still free then; else these are removed */
  bots: boolean;
  /** when the match starts if nobody leaves, in milliseconds since 1970; 0: not enough people are here */
  starts: number;
}

/** A request to take back a decision, and all moves after it. */
export interface TakeBackInfo {
  /** whose decision it is */
  seat: number;
  /** its number in the match, from 1 */
  move: number;
  /** the seats whose people agree */
  agreed: number[];
}

/** The public data of a table. */
export interface TableInfo {
  code: string;
  game: string;
  title: string;
  status: TableStatus;
  seats: SeatInfo[];
  options: OptionInfo[];
  public: boolean;
  sealed: boolean;
  /** a table of the site's own, where only bots play */
  house: boolean;
  /** players and spectators share one chat room */
  together: boolean;
  /** allowed for a decision; 0: there is no clock */
  seconds: number;
  /** whether the clock runs; it does not for a person alone with bots */
  clock: boolean;
  /** the current or last match, 0 before the first */
  match: number;
  /** of that match at this table, from 1 */
  number: number;
  /** the kinds of bots that this game has */
  bots: BotInfo[];
  /** the seat that the last match was rigged for, if that is revealed; else -1 */
  stacked_for: number;
  /** why the last match was not played to its end, if it was not */
  dropped: DroppedFor;
  /** a sentence for everybody if the last match was abandoned or cannot be shown; usually "" */
  notice: string;
  /** of the current or last match: first of each seat, then all changes */
  occupancies: OccupancyInfo[];
  /** of the last match, by seat; empty unless it is over */
  results: SeatResultInfo[];
  /** in the order in which they were made */
  seat_requests: SeatRequestInfo[];
  /** usually null */
  what_if: WhatIfInfo | null;
  /** of the game */
  max_seats: number;
  min_seats: number;
  story: StoryInfo | null;
  daily: DailyInfo | null;
  /** the notice of an administrator who has closed the table */
  closed_because: string;
  /** only before the first match */
  seek: SeekInfo | null;
  take_back: TakeBackInfo | null;
  /** somebody alone with bots took back a move of the last match: its result does not count */
  practice: boolean;
  /** the one match here is part of a tournament, and starts by itself */
  tournament: boolean;
  time_up: TimeUp;
  /** null: all seats start alike */
  handicap: HandicapInfo | null;
  /** seconds by which spectators see the matches later; 1000000000: when a deal has ended */
  spectator_delay: number;
}

/** A chat message. `seat` is -1 for spectators. */
export interface ChatLine {
  room: ChatRoom;
  /** increases from message to message */
  n: number;
  name: string;
  /** their public number, 0 for a person whose account was removed */
  person: number;
  seat: number;
  text: string;
  /** milliseconds since 1970 */
  at: number;
}

/** The answer to hello. If there is a match, a snapshot or the missing changes follow. */
export interface OutWelcome {
  t: "welcome";
  protocol: number;
  seat: number | null;
  name: string;
  host: boolean;
  /** your public number, 0 if you have no name */
  person: number;
  standing: PersonStanding;
  /** whether an administrator has decided that, not the host */
  by_administrator: boolean;
  /** of an administrator; may be empty */
  reason: string;
  /** milliseconds since 1970; 0: no end is set */
  until: number;
  table: TableInfo;
  chat: ChatLine[];
  spectators: number;
  /** an administrator has forbidden the person to chat, also if they have another standing */
  muted: boolean;
  /** you stood up during the match and may take your seat back */
  kept: boolean;
  /** the people whom you have muted: their messages are not shown to you */
  mutes: number[];
}

/** Your own seat or role at this table has changed, or whom you have muted. */
export interface OutYou {
  t: "you";
  seat: number | null;
  name: string;
  host: boolean;
  person: number;
  standing: PersonStanding;
  by_administrator: boolean;
  reason: string;
  until: number;
  muted: boolean;
  kept: boolean;
  mutes: number[];
}

/** A change of the table: its seats, status, presence or clocks. `now` and `deadlines` as in OutSnapshot. */
export interface OutTable {
  t: "table";
  table: TableInfo;
  now: number;
  deadlines: Record<string, number>;
}

/** The whole match, with its log: `log[k]` are the entries of ply k. */
export interface OutSnapshot {
  t: "snapshot";
  match: number;
  version: number;
  view: View;
  log: LogEntry[][];
  /** server's clock, milliseconds since 1970 */
  now: number;
  /** by seat, on the same clock */
  deadlines: Record<string, number>;
  /** SHA-256 of the seed, "" where the table is not sealed */
  commitment: string;
  /** "" until a sealed match is over */
  seed: string;
}

/** A reveal: a position in the middle of a move, to be shown first, as a change of the view before it. */
export interface RevealChange {
  change: unknown;
  /** milliseconds to show it; bots and clocks wait for that time */
  hold: number;
  /** the number of log entries of this ply shown by then */
  entries: number;
}

/**
 * A move, as a change of the view before it (`changes.difference`).
 *
 * `version` is the previous one plus one; after a gap, send hello again. Each of `reveals` is a change of the one
 * before, and `change` is a change of the last one. Missing fields are empty. If the server does not know the view
 * before, it sends a snapshot instead.
 */
export interface OutChange {
  t: "change";
  match: number;
  version: number;
  /** the seat that decided */
  seat: number;
  by: Decider;
  change: unknown;
  now: number;
  log?: LogEntry[];
  deadlines?: Record<string, number>;
  seed?: string;
  reveals?: RevealChange[];
}

/** Your move is stored as ply `version`. `again`: it had been stored before. */
export interface OutAck {
  t: "ack";
  id: number;
  match: number;
  version: number;
  again: boolean;
}

/** Your message was refused and changed nothing. `id` is the message's (0: none); `text` says what to do. */
export interface OutRefused {
  t: "refused";
  id: number;
  code: string;
  text: string;
}

/** Why something cannot be used now, from what you may know; `text` is null if the game does not say. */
export interface OutBecause {
  t: "because";
  id: number;
  text: Sentence | null;
}

/** A chat message. */
export interface OutChat {
  t: "chat";
  line: ChatLine;
}

/** A person by their public number. */
export interface PersonInfo {
  person: number;
  name: string;
}

/** The number of spectators. For the host only: `people`, those with a name, and `barred`, who was removed. */
export interface OutSpectators {
  t: "spectators";
  spectators: number;
  people: PersonInfo[];
  barred: PersonInfo[];
}

/** The answer to a ping. */
export interface OutPong {
  t: "pong";
  now: number;
}

export type Inbound = InHello | InMove | InChat | InBack | InReady | InWhy | InSeen | InPing;

export type Outbound = OutWelcome | OutYou | OutTable | OutSnapshot | OutChange | OutAck | OutRefused | OutBecause | OutChat | OutSpectators | OutPong;
