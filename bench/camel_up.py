"""Camel Up in figures, as JSON: ``python bench/camel_up.py [--compiled]``.

``turns``: turns a CPU-second of four random bots under full double validation: each sees a copy made for it, asks the
rules engine for its moves, and its answer is looked up in what the rules engine says once more. ``simulate``: the same
players as the command line has them play, from sealed streams. ``series_api``: the same as the bots of the series do
it, in one process. ``odds`` and ``race_odds``: milliseconds for a fresh leg, on tracks as random races have them.

``--compiled`` builds the wheel in which mypyc has compiled the engine (``make wheel``) and measures that.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 4.0  # of CPU for each figure
SEATS = 4


def main() -> None:
    """Measure what is importable as ``games``: the source tree, unless PYTHONPATH names a wheel's contents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiled", action="store_true", help="build the wheel and measure it")
    if parser.parse_args().compiled:
        _measure_wheel()
        return
    sys.path.append(str(ROOT))
    from games.camelup import engine

    found = {
        "python": platform.python_version(),
        "compiled": not str(engine.__file__).endswith(".py"),
        "turns": {rules: _turns(rules) for rules in ("official", "series")},
        "simulate": _simulate(),
        "series_api": _series_api(),
        "odds": _milliseconds("leg"),
        "race_odds": _milliseconds("race"),
    }
    print(json.dumps(found, indent=2))


def _measure_wheel() -> None:
    subprocess.run(["make", "wheel"], check=True, cwd=ROOT, stdout=sys.stderr)
    wheel = max((ROOT / "var" / "wheels").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        subprocess.run([sys.executable, __file__], check=True, env={**os.environ, "PYTHONPATH": folder}, cwd=folder)


def _a_second(play: Callable[[int], int]) -> int:
    """Play games, numbered, for some seconds of CPU. Return how many turns a second that is."""
    for warm_up in range(20):
        play(warm_up)
    began = time.process_time()
    turns = games = 0
    while (used := time.process_time() - began) < SECONDS:
        turns += play(games)
        games += 1
    return round(turns / used)


def _turns(rules: str) -> int:
    from games.camelup import engine
    from games.camelup.bots import random_move
    from games.camelup.rules import CAMEL_UP, terms_of
    from games.core import FastChance

    terms = terms_of(tuple(CAMEL_UP.check_options({"rules": rules}).items()))
    dice, thoughts = FastChance("dice"), FastChance("thoughts")
    players = [partial(random_move, chance=thoughts)] * SEATS

    def play(_: int) -> int:
        return engine.play_game(engine.start(terms, SEATS, dice), players, dice)

    return _a_second(play)


def _simulate() -> int:
    from games.lab import simulate

    plan = simulate.Plan.checked("camelup", ["random"] * SEATS, {}, "bench")
    return _a_second(lambda game: len(simulate.play(plan, game).moves))


def _series_api() -> int:
    from games.camelup.rules import CAMEL_UP

    sys.path[:0] = map(str, CAMEL_UP.guest_path)
    import bots
    import camelup

    random.seed(1)
    return _a_second(lambda _: len(camelup.play_game([bots.RandomBot] * SEATS)[0]) - 1)


def _milliseconds(what: str) -> dict[str, float]:
    """Return the mean, the median and the worst of some fresh legs, each counted once."""
    from games.camelup import odds, race_odds

    count: Any = odds.leg_odds if what == "leg" else race_odds.race_odds
    times = []
    for race in _fresh_legs(100):
        began = time.process_time()
        count(race)
        times.append((time.process_time() - began) * 1000)
    times = sorted(times[1:])
    return {
        "mean": round(sum(times) / len(times), 2),
        "median": round(times[len(times) // 2], 2),
        "worst": round(times[-1], 2),
    }


def _fresh_legs(count: int) -> list[Any]:
    from games.camelup import engine
    from games.camelup.bots import random_move
    from games.camelup.rules import CAMEL_UP
    from games.camelup.rules_engine import get_valid_moves
    from games.core import FastChance

    found: list[Any] = []
    chance = FastChance("legs")
    while len(found) < count:
        state = CAMEL_UP.start(SEATS, CAMEL_UP.check_options({}), chance)
        race = state.position
        leg = 1
        while not race.over:
            engine.act(race, random_move(race, race.mover, chance), chance)
            if race.leg > leg and not race.over:
                leg = race.leg
                fresh = race.copy()
                for seat in range(SEATS - chance.below(SEATS)):  # and some tiles
                    tiles = [move for move in get_valid_moves(fresh, seat) if move.startswith("tile")]
                    _, side, _, space = chance.choice(tiles).split()
                    engine.put_tile(fresh, seat, 1 if side == "+" else -1, int(space) - 1)
                found.append(fresh)
    return found[:count]


if __name__ == "__main__":
    main()
