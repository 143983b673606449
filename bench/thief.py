"""How often heists are won, level by level, with the dealing director and without: ``python -m bench.thief [N]``.

The same seeds with and without, so the same shuffled decks. Prints a table, or JSON with ``--json``. Intervals are
Wilson's, 95 %. The gap between the two is what the director does: the player's bot is the same and knows nothing of it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from typing import TypedDict

from games.core import FastChance, Information, SealedChance
from games.core.options import OptionValue
from games.lab.intervals import wilson
from games.lab.simulate import Plan
from games.thief.cards import LEVELS
from games.thief.game import GAME
from games.thief.rules import HeistState

ENDINGS = ("won", "failed", "caught", "cornered")


class Figure(TypedDict):
    """What came of the heists of one bot at one level."""

    bot: str
    level: int
    director: str
    heists: int
    endings: dict[str, int]
    win_rate: float
    low: float
    high: float
    mean_score_of_wins: float
    turns: float


def heist(bot: str, options: dict[str, OptionValue], index: int) -> HeistState:
    """Play heist number ``index`` to its end."""
    plan = Plan(GAME, (bot,), options, "bench")
    state = GAME.start(1, options, SealedChance(plan.match_seed(index)))
    state.log = None
    player = GAME.bot(bot)
    thoughts = FastChance(f"bench/{index}")
    while not state.over:
        state.apply(0, player.choose(Information.of(GAME, state, 0, thoughts, player.needs)))
    return state


def measure(task: tuple[str, int, str, int]) -> Figure:
    """Play the heists of one bot, level and way of dealing."""
    bot, level, director, heists = task
    options: dict[str, OptionValue] = {"level": str(level), "director": director}
    ended = [heist(bot, options, index) for index in range(heists)]
    endings = {ending: sum(state.ending == ending for state in ended) for ending in ENDINGS}
    low, high = wilson(endings["won"], heists)
    return {
        "bot": bot,
        "level": level,
        "director": director,
        "heists": heists,
        "endings": endings,
        "win_rate": endings["won"] / heists,
        "low": low,
        "high": high,
        "mean_score_of_wins": sum(state.scores()[0] for state in ended) / max(1, endings["won"]),
        "turns": sum(state.turn for state in ended) / heists,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.thief", description="Win rates of Card Thief.")
    parser.add_argument("heists", nargs="?", type=int, default=1000, help="of each kind")
    parser.add_argument("--workers", type=int, default=1, help="processes to use")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    tasks = [
        (bot, level, director, asked.heists)
        for bot in ("greedy", "random")
        for level in LEVELS
        for director in ("on", "off")
    ]
    if not asked.json:
        print(f"{asked.heists} heists each; wins with 95 % intervals")
        print(f"{'bot':8} {'level':>5} {'director':8} {'won':>7} {'interval':>17}   failed caught cornered")
    found = []
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for figure in pool.imap(measure, tasks):
            found.append(figure)
            if not asked.json:
                rates = f"{figure['win_rate']:7.1%} {figure['low']:7.1%} - {figure['high']:7.1%}"
                others = " ".join(f"{figure['endings'][ending]:>{width}}" for ending, width in _OTHERS)
                print(f"{figure['bot']:8} {figure['level']:>5} {figure['director']:8} {rates}  {others}", flush=True)
    if asked.json:
        print(json.dumps(found, indent=2))


_OTHERS = (("failed", 6), ("caught", 6), ("cornered", 8))

if __name__ == "__main__":
    main()
