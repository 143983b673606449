"""What a decision of a bot that searches costs: ``python -m bench.search [GAME ...]``. Prints JSON.

The searcher is ``pimc-10``: for each legal move, forced ones too, ten play-outs, each with all that cannot be known
redrawn. The figures are CPU milliseconds a decision, and
microseconds for the parts: to fork, to clone, to determinize, and one play-out from the start.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from typing import Any, TypedDict

from games import catalogue
from games.core import FastChance, Game, Information, SealedChance, State
from games.search.pimc import ROLLOUTS, estimate

REPEATS = 300


class Figure(TypedDict):
    """What searching a game costs."""

    game: str
    decisions: int
    milliseconds_a_decision: float
    fork: float
    clone: float
    determinize: float
    playout: float


def deal(game: Game, number: int) -> State[Any]:
    """Return a match just dealt."""
    state = game.new(game.default_seats, {}, SealedChance(bytes([number % 256]) * 32))
    state.log = None
    return state


def microseconds(work: Callable[[], object]) -> float:
    """Return what it costs on average, in CPU time."""
    began = time.process_time()
    for _ in range(REPEATS):
        work()
    return round((time.process_time() - began) / REPEATS * 1e6, 1)


def measure(game: Game, decisions: int) -> Figure:
    """Let searchers play with one another for so many decisions."""
    chance = FastChance("bench")
    spent = 0.0
    deals = 0
    state = deal(game, 0)
    for _ in range(decisions):
        if state.over:
            deals += 1
            state = deal(game, deals)
        seat = state.to_act()[0]
        began = time.process_time()
        info = Information.of(game, state, seat, chance, "determinizations")
        best = estimate(info, ROLLOUTS, chance).best(seat)
        spent += time.process_time() - began
        state.apply(seat, info.legal_moves[best or 0])
    start = deal(game, 0)
    seat = start.to_act()[0]
    return {
        "game": game.name,
        "decisions": decisions,
        "milliseconds_a_decision": round(spent / decisions * 1000, 2),
        "fork": microseconds(lambda: start.fork(chance)),
        "clone": microseconds(start.clone),
        "determinize": microseconds(lambda: start.determinize(seat, chance)),
        "playout": microseconds(lambda: start.fork(chance).rollout(chance)),
    }


def main() -> None:
    """Measure games."""
    known = [game.name for game in catalogue.listed()]
    parser = argparse.ArgumentParser(
        prog="python -m bench.search", description="Milliseconds for a decision of search."
    )
    parser.add_argument("games", nargs="*", default=known, metavar="GAME", help=f"of {', '.join(known)} (default: all)")
    parser.add_argument("--decisions", type=int, default=40, help="in each game")
    asked = parser.parse_args()
    figures = [measure(catalogue.find(name), asked.decisions) for name in asked.games]
    machine = {"python": platform.python_version(), "machine": platform.machine(), "rollouts": ROLLOUTS}
    print(json.dumps({**machine, "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
