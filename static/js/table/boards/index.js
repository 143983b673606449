// @ts-check
/** What `boards.js` fetches in one go. */
export { figureOf, hasFigure, kindOf } from "../../../art/figures.js";
export { drawBoards } from "./board.js";
export { drawByDragging } from "./drag.js";
export { goOverGrid } from "./grid.js";
export { OddsPanel } from "./odds.js";
export { route } from "./route.js";
export { layTrack, loops } from "./track.js";
export { Tally } from "./tally.js";
