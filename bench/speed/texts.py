"""RECYCLE texts beside Python engines of the same games."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from bench.speed.rates import Figures, dealt, rate
from games import catalogue
from games.core import FastChance, Game
from games.lab.simulate import Simulation, play_match
from games.recycle.compiler import compile_game
from games.recycle.game import RecycleGame
from games.recycle.problems import Source
from games.recycle.reader import read

# Measured in alternating rounds, so that a machine that slows down slows down both sides.

PAIRS: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    ("bundles", {}, "stealing", 4),
    ("enchere", {"version": "enchere"}, "enchere-simple", 3),
)
TEXTS = (("agram", 4), ("hearts", 4), ("whist", 4), ("cribbage", 2), ("president", 4))
ROUNDS = 5
MIDDLE = 12  # decisions after the deal
LINES = 300  # of the text that is read and compiled
STEP = """(do ((all player 'P (do ((set ('P sto SCORE)
  (+ 1 (size (filter ('P iloc HAND) 'C
   (== (cardatt RANK 'C) TWO))))))))))"""  # repeated until it has so many


def texts(arguments: argparse.Namespace) -> Figures:
    """Return the speed of RECYCLE texts and Python engines of the same games, and of reading and compiling."""
    rows: list[Figures] = []
    for native, options, text, seats in PAIRS:
        of_native = played(catalogue.find(native), seats, options, arguments.seconds)
        of_text = played(catalogue.find(text), seats, {}, arguments.seconds)
        shares = {name: round(of_text[name] / of_native[name], 2) for name in ("simulated", "rollouts_from_the_deal")}
        rows += [
            {"game": native, "seats": seats, **of_native},
            {"game": text, "seats": seats, "of_the_native": shares, **of_text},
        ]
    rows += [
        {"game": text, "seats": seats, **played(catalogue.find(text), seats, {}, arguments.seconds)}
        for text, seats in TEXTS
    ]
    return {"games": rows, "reading": compiled(arguments.seconds)}


def best_rates(works: dict[str, Callable[[int], object]], seconds: float) -> dict[str, float]:
    """Return the best rate of each, measured in alternating rounds."""
    rates = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            rates[name] = max(rates[name], rate(work, seconds / ROUNDS))
    return rates


def played(game: Game, seats: int, options: dict[str, Any], seconds: float) -> Figures:
    """Return the speed of a game's rules."""
    start, middle = (dealt(game, seats, options, FastChance(number)) for number in "01")
    chance = FastChance("bench")
    for _ in range(MIDDLE):
        [seat, *_] = middle.to_act()
        middle.apply(seat, chance.choice(middle.legal_moves(seat)))
    seat = middle.to_act()[0]
    simulation = Simulation(game, ("random",) * seats, game.check_options(options), "bench")
    rates = best_rates(
        {
            "simulated": lambda number: play_match(simulation, number),
            "matches": lambda number: dealt(game, seats, options, FastChance(str(number))).rollout(chance),
            "rollouts_from_the_deal": lambda _: start.fork(chance).rollout(chance),
            "determinized_and_rolled_out": lambda _: middle.determinize(seat, chance).rollout(chance),
            "clones": lambda _: middle.clone(),
        },
        seconds,
    )
    clone = round(1e6 / rates.pop("clones"), 2)
    return {**{name: round(value, 1) for name, value in rates.items()}, "clone_microseconds": clone}


def compiled(seconds: float) -> Figures:
    """Return what it costs to make a program from a text of many lines."""
    game = catalogue.find("enchere-avancee")
    assert isinstance(game, RecycleGame)
    begin, end = game.text.rsplit("(scoring", 1)
    step = f"\n{STEP}\n"
    more = (LINES - game.text.count("\n")) // step.count("\n")
    text = f"{begin}{step * max(0, more)}(scoring{end}"
    tree = read(text)
    rates = best_rates(
        {"read": lambda _: read(text), "compile": lambda _: compile_game(tree, 3, Source(text))}, seconds
    )
    return {
        "lines": text.count("\n"),
        **{f"{name}_milliseconds": round(1e3 / value, 1) for name, value in rates.items()},
    }
