"""How many matches of a game a core simulates: ``python -m bench.simulate [GAME]``. Prints JSON.

Per CPU-second of one process, so that a busy machine changes little; ``wall_seconds`` says what it took all the same.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from typing import TypedDict

from games import catalogue
from games.core import Game
from games.lab.simulate import Plan, simulate


class Figure(TypedDict):
    """What one kind of match costs."""

    bots: list[str]
    matches: int
    matches_per_cpu_second: float
    decisions_per_cpu_second: float
    wall_seconds: float


def measure(game: Game, bot: str, seats: int, seconds: float) -> Figure:
    """Play matches with ``bot`` in every seat for about so many CPU seconds."""
    plan = Plan.checked(game, [bot] * seats, {}, "bench")
    simulate(plan, 20)  # imports and caches are not what is measured
    began, wall = time.process_time(), time.perf_counter()
    matches = decisions = 0
    size = 20
    while time.process_time() - began < seconds:
        tally = simulate(plan, size)
        matches += tally.matches
        decisions += tally.decisions
        size *= 2
    spent = time.process_time() - began
    return {
        "bots": list(plan.bots),
        "matches": matches,
        "matches_per_cpu_second": round(matches / spent, 1),
        "decisions_per_cpu_second": round(decisions / spent, 1),
        "wall_seconds": round(time.perf_counter() - wall, 2),
    }


def main() -> None:
    """Measure every bot of a game against itself."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulate", description="Matches per CPU-second of a game.")
    parser.add_argument("game", nargs="?", default="hamsterdam", choices=[game.name for game in catalogue.listed()])
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each bot")
    parser.add_argument("--bot", help="this bot only")
    asked = parser.parse_args()
    game = catalogue.find(asked.game)
    bots = [asked.bot] if asked.bot else [bot.name for bot in game.bots]
    figures = [measure(game, bot, game.default_seats, asked.seconds) for bot in bots]
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    print(json.dumps({"game": game.name, **machine, "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
