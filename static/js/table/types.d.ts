/**
 * What goes over the wire. Written by `python -m cardsite.server.wire_types` from games/core/view.py and
 * cardsite/server/protocol.py: change those, and write it anew.
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
 * A sentence: an English template, which is also its key in a translation catalogue, and what fills its gaps.
 *
 * `{name}` in `text` is replaced by `args[name]`: a number, a word, `{"seat": 2}` (the player's name is
 * put in) or `{"card": "10C"}` (drawn as a card). A word is put in as it is, in English, so choose between whole
 * sentences rather than building one of parts.
 */
export interface Text {
  text: string;
  args: Record<string, Arg>;
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
  label?: Text;
  /** a few characters on its corner: what it is worth here ("+4", "-3") */
  badge?: string;
  /** it decides the result: the winning bid, the lowest stock */
  mark?: "won" | "lost";
}

/** A place for pieces, in order (for a pile: bottom first). */
export interface Zone {
  id: string;
  label: Text;
  /** notes: sentences shown beside the table */
  layout: "hand" | "row" | "pile" | "slot" | "notes";
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
  label: Text;
  value: number;
  /** "certificate", "coin", ... */
  icon?: string;
}

/**
 * One player's place at the table.
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
 * `move` is the text to send back. `pieces` are the ids to pick up (none: only a button). `target` is where they
 * go: `zone:ID`, `seat:N` or `piece:ID` (absent: picking is enough). Several moves may have the same pieces and
 * target, for example if a guess comes with a card; then the player chooses by their labels, as buttons. `takes` are
 * the ids of other pieces that the move would take, which are highlighted before it is made.
 */
export interface LegalMove {
  move: string;
  label: Text;
  pieces: string[];
  target?: string;
  takes?: string[];
}

/** A remark, and a word to mark it with (for an icon or a colour). */
export interface Note {
  mark: string;
  text: Text;
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
  columns: Text[];
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
  title: Text;
  columns: Text[];
  rows: ScoringRow[];
  verdict: Text;
}

/** A space of a track or a cell of a grid. */
export interface Space {
  id: string;
  /** bottom first */
  pieces: Piece[];
  marks: string[];
  label?: Text;
}

/** Spaces in a line or a loop. */
export interface Track {
  id: string;
  label: Text;
  spaces: Space[];
}

/** Cells row by row, `columns` wide. */
export interface Grid {
  id: string;
  label: Text;
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
  title: Text;
  columns: Text[];
  rows: OddsRow[];
}

/** The standings at some moment: at the deal, when a round begins or ends, at the end. */
export interface Round {
  /** what happened at that moment */
  title: Text;
  /** by seat: the value of the first counter that all seats have */
  values: number[];
}

/** How a finished match ended: scores by seat (higher is better) and who shares the win. */
export interface Result {
  scores: number[];
  winners: number[];
  text: Text;
  /** from the deal to the end: where the points came from */
  rounds?: Round[];
}

/** All that one audience may see of a state: what the game draws, plus the fields all views share. */
export interface View {
  phase: Text;
  /** what this audience should do, or whom everybody waits for */
  prompt: Text;
  seats: SeatView[];
  zones: Zone[];
  /** every legal move of this seat, except those in `paths` */
  moves: LegalMove[];
  paths?: Paths;
  tracks?: Track[];
  grids?: Grid[];
  reckoning?: RoundScoring;
  odds?: Odds;
  /** how the last bid, trick or fight went; shown until the next one */
  settled?: Text;
  game: string;
  /** the seat of this view; None: a spectator's */
  seat: number | null;
  to_act: number[];
  /** number of decisions this seat has made; sent back with a move (0 for spectators) */
  decision: number;
  over: boolean;
  result?: Result;
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
  text: Text;
  /** the player who did it */
  seat?: number;
  /** the one seat that may read it; absent: everybody */
  only?: number;
  /** `text` for other readers, in replays where all may read it; never sent */
  others?: Text;
  motions?: Motion[];
}

/** First message. `match` and `version` are what the client has (0 and -1: nothing). */
export interface InHello {
  t: "hello";
  protocol: number;
  match?: number;
  version?: number;
}

/** A decision. `decision` is the view's: the same decision sent twice is played once. */
export interface InMove {
  t: "move";
  id: number;
  match: number;
  decision: number;
  move: string;
}

/** A chat line: it goes to the players' room from a seat, else to the watchers', or to all together. */
export interface InChat {
  t: "chat";
  id: number;
  text: string;
}

/** I am back: hand me my seat again. */
export interface InBack {
  t: "back";
}

/** I want the next match at this table, or not yet. It begins when all people who sit there do. */
export interface InReady {
  t: "ready";
  id: number;
  ready?: boolean;
}

/** Why can I not use this? `touched` is `piece:ID`, `zone:ID` or `seat:N` of my view. */
export interface InWhy {
  t: "why";
  id: number;
  match: number;
  touched: string;
}

/** Are you there? Answered by a pong. */
export interface InPing {
  t: "ping";
}

export type SeatKind = "open" | "person" | "bot";

/** "over": between matches */
export type TableStatus = "open" | "playing" | "over" | "closed";

/** "all": where the host has both share one */
export type ChatRoom = "players" | "watchers" | "all";

/** "clock", "away": a bot decided for a person, and why */
export type Decider = "person" | "bot" | "clock" | "away";

/** "": not noted */
export type DroppedFor = "" | "rules_failed" | "no_end" | "other_rules" | "no_game" | "too_much" | "stopped";

/** An option of the table, as its players may know it. */
export interface OptionInfo {
  name: string;
  label: string;
  value: number | string;
  /** the value as people read it */
  shown: string;
}

/** A seat of a table. */
export interface SeatInfo {
  seat: number;
  kind: SeatKind;
  name: string;
  /** the kind of bot ("house"), "" for others */
  bot: string;
  /** the person's public number (page /people/N/), 0 for others */
  person: number;
  host: boolean;
  /** connected now (bots always are) */
  here: boolean;
  /** a bot stands in for the person */
  away: boolean;
  /** the person wants the next match */
  ready: boolean;
  /** the person who stood up in mid-match and may take the seat back from the bot; 0 nearly always */
  held_for: number;
  /** matches won at this table, a tie shared */
  wins: number;
}

/** A kind of bot: its name in messages, and its title as people read it. */
export interface BotInfo {
  name: string;
  title: string;
}

/** A person who requests a seat from the host. */
export interface AskingInfo {
  /** their public number */
  person: number;
  name: string;
  /** has been promised one in the next match */
  next: boolean;
}

/** From where a table plays on: a step of a match that is over. Nothing counts there. */
export interface WhatIfInfo {
  /** how many of its moves had been made */
  ply: number;
  /** the address of that step, "" when the match is gone */
  replay: string;
}

/** A line of a story. */
export interface SaidInfo {
  /** who says it; -1: a person without a seat */
  seat: number;
  /** of that one, "" for a seat's */
  name: string;
  text: Text;
}

/** The story that is played at a table for one person: seat `favourite` has to win without knowing of the help. */
export interface StoryInfo {
  favourite: number;
  /** the seat that may be talked into helping */
  friend: number;
  /** the favourite has won */
  done: boolean;
  /** the friend may be asked now, between two games */
  may_ask: boolean;
  /** after the last game */
  lines: SaidInfo[];
}

/** A table where a person has their try at the deal of a day. */
export interface DailyInfo {
  /** 2026-11-22 */
  day: string;
  /** the current or last match is the try; others at the same table do not count */
  counts: boolean;
}

/** All that is public about a table. */
export interface TableInfo {
  code: string;
  game: string;
  title: string;
  status: TableStatus;
  seats: SeatInfo[];
  options: OptionInfo[];
  public: boolean;
  sealed: boolean;
  house: boolean;
  /** players and watchers share one room of talk */
  together: boolean;
  /** for one decision; 0: there is no clock */
  seconds: number;
  /** one runs: not without seconds, and not for a person alone with bots */
  clock: boolean;
  /** the current or last match, 0 before the first */
  match: number;
  /** of that match in the series, from 1 */
  number: number;
  /** the kinds there are */
  bots: BotInfo[];
  /** -1, or the seat the last match was stacked for, where that is revealed */
  stacked_for: number;
  /** why the last match was given up */
  dropped: DroppedFor;
  /** that it was, or cannot be shown, in a sentence for everybody at the table; "" nearly always */
  notice: string;
  asking: AskingInfo[];
  /** null nearly always */
  what_if: WhatIfInfo | null;
  /** chairs that the game can have */
  most: number;
  least: number;
  story: StoryInfo | null;
  daily: DailyInfo | null;
}

/** A line of chat. `seat` is -1 for watchers. */
export interface ChatLine {
  room: ChatRoom;
  /** grows */
  n: number;
  name: string;
  /** their public number, 0 for a person whose account was removed */
  person: number;
  seat: number;
  text: string;
  /** milliseconds since 1970 */
  at: number;
}

/** Answer to hello. A snapshot or the gap follows when there is a match. */
export interface OutWelcome {
  t: "welcome";
  protocol: number;
  seat: number | null;
  name: string;
  host: boolean;
  /** your public number, 0 without a name */
  person: number;
  table: TableInfo;
  chat: ChatLine[];
  watchers: number;
}

/** Who you are at this table has changed. */
export interface OutYou {
  t: "you";
  seat: number | null;
  name: string;
  host: boolean;
  person: number;
}

/** Something about the table has changed: a seat, the status, who is here, and with them the clocks. */
export interface OutTable {
  t: "table";
  table: TableInfo;
  now: number;
  deadlines: Record<string, number>;
}

/** The match as it stands, with the whole log: `log[k]` are the lines of ply k. */
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

/** A moment in the middle of a move, to be shown before what follows: what it changes in the view before it. */
export interface StageChange {
  change: unknown;
  /** milliseconds for which it is shown; bots and clocks wait for that */
  hold: number;
  /** of the log of this ply, that have been shown by then */
  lines: number;
}

/**
 * One move was made, sent as what it has changed in the view before: by `changes.difference`.
 *
 * `version` is the one before plus one; a gap means: say hello again. `stages` follow each other, each a change of
 * the one before, and `change` follows the last of them. What is left out is empty. Where the server does not know
 * the view before, a snapshot comes instead.
 */
export interface OutChange {
  t: "change";
  match: number;
  version: number;
  /** who decided */
  seat: number;
  by: Decider;
  change: unknown;
  now: number;
  log?: LogEntry[];
  deadlines?: Record<string, number>;
  seed?: string;
  stages?: StageChange[];
}

/** Your move is stored for good as ply `version`; `again`: it had been before. */
export interface OutAck {
  t: "ack";
  id: number;
  match: number;
  version: number;
  again: boolean;
}

/** What you sent changed nothing. `id` is the message's, 0 if it had none; `text` says what to do. */
export interface OutRefused {
  t: "refused";
  id: number;
  code: string;
  text: string;
}

/** Why something cannot be used now, by what you may know; `text` is null where the game has nothing to say. */
export interface OutBecause {
  t: "because";
  id: number;
  text: Text | null;
}

/** A line of chat. */
export interface OutChat {
  t: "chat";
  line: ChatLine;
}

/** How many watch. */
export interface OutCrowd {
  t: "crowd";
  watchers: number;
}

/** Here I am. */
export interface OutPong {
  t: "pong";
  now: number;
}

export type Inbound = InHello | InMove | InChat | InBack | InReady | InWhy | InPing;

export type Outbound = OutWelcome | OutYou | OutTable | OutSnapshot | OutChange | OutAck | OutRefused | OutBecause | OutChat | OutCrowd | OutPong;
