// @ts-check
/**
 * Types of what comes over the wire, as the editor and `tsc --checkJs` read them; no browser loads this file.
 * The truth is games/core/view.py and cardsite/table/protocol.py.
 *
 * @typedef {number | string | {seat: number} | {card: string}} Arg
 * @typedef {{text: string, args: Record<string, Arg>}} Text
 * @typedef {{id: string, face?: string, back?: string, label?: Text, badge?: string}} Piece
 * @typedef {{id: string, label: Text, layout: "hand"|"row"|"pile"|"slot", seat?: number, pieces: Piece[], size?: number, total?: number}} Zone
 * @typedef {{id: string, label: Text, value: number, icon?: string}} Counter
 * @typedef {{seat: number, state: "in"|"out"|"won", counters: Counter[], marks: string[]}} SeatView
 * @typedef {{move: string, label: Text, pieces: string[], target?: string, takes?: string[]}} Deed
 * @typedef {{seat: number, cells: string[], mark?: string}} ReckoningRow
 * @typedef {{id: string, title: Text, columns: Text[], rows: ReckoningRow[], verdict: Text}} Reckoning
 * @typedef {{id: string, pieces: Piece[], marks: string[], label?: Text}} Space
 * @typedef {{id: string, label: Text, spaces: Space[]}} Track
 * @typedef {{id: string, label: Text, columns: number, cells: Space[]}} Grid
 * @typedef {{mark: string, text: Text}} Note
 * @typedef {{marks: string[], badge?: string}} Look
 * @typedef {{word: string, tally: number[], notes?: number[], further?: boolean, then?: Step[], shut?: Record<string, number>, looks?: Record<string, number>}} Step
 * @typedef {{verb: string, pieces: Record<string, string>, columns: Text[], notes: Note[], looks: Look[], start: Step}} Trail
 * @typedef {{title: Text, columns: Text[], rows: {piece: string, cells: string[]}[]}} Odds
 * @typedef {{scores: number[], winners: number[], text: Text}} Result
 * @typedef {{game: string, seat: number|null, phase: Text, prompt: Text, to_act: number[], decision: number, seats: SeatView[],
 *   zones: Zone[], moves: Deed[], over: boolean, tracks?: Track[], grids?: Grid[], trail?: Trail, odds?: Odds, reckoning?: Reckoning, settled?: Text, result?: Result}} View
 * @typedef {{source: string, target: string, via?: string}} Motion
 * @typedef {{kind: string, text: Text, seat?: number, only?: number, motions?: Motion[]}} Line
 *
 * @typedef {{seat: number, kind: "open"|"person"|"bot", name: string, bot: string, person: number, host: boolean,
 *   here: boolean, away: boolean, wins: number}} SeatInfo
 * @typedef {{code: string, game: string, title: string, status: "open"|"playing"|"over"|"closed", seats: SeatInfo[],
 *   options: {name: string, label: string, value: number|string}[], public: boolean, sealed: boolean, house: boolean,
 *   seconds: number, match: number, number: number, bots: {name: string, title: string}[], stacked_for: number}} TableInfo
 * @typedef {{room: string, n: number, name: string, seat: number, text: string, at: number}} ChatLine
 * @typedef {{seat: number|null, name: string, host: boolean}} You
 *
 * @typedef {{ws: string, code: string, csrf: string, urls: Record<string, string>, invite: string, admin: boolean}} Boot
 */
export {};
