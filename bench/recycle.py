"""What texts cost: ``python -m bench.recycle [--seconds S]``. Prints JSON.

Play-outs from the deal, beside our own hand-written engine of the same game, clones and determinizations of a position
in mid-match, and reading and compiling. Figures are by CPU time of this process, and taken in turns, so that a machine
that slows down slows down both sides.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from typing import Any

from games import catalogue
from games.core import FastChance, Game, State
from games.recycle.compiler import compile_game
from games.recycle.game import RecycleGame
from games.recycle.problems import Source
from games.recycle.reader import read

PAIRS: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    ("bundles", {}, "stealing", 4),
    ("enchere", {"version": "enchere"}, "enchere-simple", 3),
)
TEXTS = (("agram", 4), ("hearts", 4), ("whist", 4), ("cribbage", 2), ("president", 4))
ROUNDS = 5  # of each measurement, in turns with the others
STEP = """(do ((all player 'P (do ((set ('P sto SCORE)
  (+ 1 (size (filter ('P iloc HAND) 'C
   (== (cardatt RANK 'C) TWO))))))))))"""  # of which there are so many that it has
MIDDLE = 12  # decisions after the deal
LINES = 300  # of the text that is read and compiled


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Return how often ``work`` can be done in a CPU-second."""
    began = time.process_time()
    count = 0
    while time.process_time() - began < seconds:
        work(count)
        count += 1
    return count / (time.process_time() - began)


def best(works: dict[str, Callable[[int], object]], seconds: float) -> dict[str, float]:
    """Return the best rate of each, measured in turns."""
    found = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            found[name] = max(found[name], rate(work, seconds / ROUNDS))
    return found


def deal(game: Game, seats: int, options: dict[str, Any], number: int) -> State[Any]:
    """Return a match just dealt, nobody looking."""
    state = game.new(seats, options, FastChance(str(number)))
    state.log = None
    return state


def middle(game: Game, seats: int, options: dict[str, Any]) -> State[Any]:
    """Return a position in mid-match."""
    state = deal(game, seats, options, 1)
    chance = FastChance("middle")
    for _ in range(MIDDLE):
        [seat, *_] = state.to_act()
        state.apply(seat, chance.choice(state.legal_moves(seat)))
    return state


def figures(game: Game, seats: int, options: dict[str, Any], seconds: float) -> dict[str, float]:
    """Return what a game costs."""
    dealt = deal(game, seats, options, 0)
    there = middle(game, seats, options)
    chance = FastChance("bench")
    seat = there.to_act()[0]
    rates = best(
        {
            "matches": lambda number: deal(game, seats, options, number).rollout(chance),
            "playouts_from_the_deal": lambda _: dealt.fork(chance).rollout(chance),
            "clones": lambda _: there.clone(),
            "determinized_and_played_out": lambda _: there.determinize(seat, chance).rollout(chance),
        },
        seconds,
    )
    found = {name: round(value, 1) for name, value in rates.items() if name != "clones"}
    return {**found, "clone_microseconds": round(1e6 / rates["clones"], 2)}


def reading(seconds: float) -> dict[str, float]:
    """Return what it costs to make a program of a text of many lines."""
    game = catalogue.find("enchere-avancee")
    assert isinstance(game, RecycleGame)
    begin, end = game.text.rsplit("(scoring", 1)
    step = f"\n{STEP}\n"
    more = (LINES - game.text.count("\n")) // step.count("\n")
    text = f"{begin}{step * max(0, more)}(scoring{end}"
    tree = read(text)
    rates = best({"read": lambda _: read(text), "compile": lambda _: compile_game(tree, 3, Source(text))}, seconds)
    return {
        "lines": text.count("\n"),
        **{f"{name}_milliseconds": round(1e3 / value, 1) for name, value in rates.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: %(default)s)")
    wish = parser.parse_args()
    rows: list[dict[str, object]] = []
    for native, options, text, seats in PAIRS:
        own = figures(catalogue.find(native), seats, options, wish.seconds)
        ours = figures(catalogue.find(text), seats, {}, wish.seconds)
        share = round(ours["playouts_from_the_deal"] / own["playouts_from_the_deal"], 2)
        rows += [
            {"game": native, "seats": seats, **own},
            {"game": text, "seats": seats, "of_the_native": share, **ours},
        ]
    for text, seats in TEXTS:
        rows.append({"game": text, "seats": seats, **figures(catalogue.find(text), seats, {}, wish.seconds)})
    print(json.dumps({"python": platform.python_version(), "games": rows, "reading": reading(wish.seconds)}, indent=1))


if __name__ == "__main__":
    main()
