"""The study of people's answers, ``docs/studies/people.md``: ``python -m docs.studies.people ANSWERS.csv``.

Do the measures that bots make say whether people have fun? By game: the mean answer of people beside each measure.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from games.lab.intervals import Z

MEASURES = ("drama", "spread", "length")
ANSWERS = ("fun", "fair")
MATCHES = 5  # with an answer, that a game needs
GAMES = 20  # below which nothing is said


class GameAnswers(NamedTuple):
    """A game: the mean answer over its matches, the number of these, and the bots' measures."""

    answer: float
    matches: int
    measures: Mapping[str, float]


class Correlation(NamedTuple):
    """A rank correlation over ``games`` games, with its 95 % interval."""

    rho: float
    low: float
    high: float
    games: int


def by_game(rows: Iterable[Mapping[str, str]], answer: str) -> dict[str, GameAnswers]:
    """Return the games with enough matches. A match counts once, however many of its players have answered."""
    matches: dict[str, dict[str, list[float]]] = {}
    measures: dict[str, dict[str, float]] = {}
    for row in rows:
        if row[answer]:
            game = f"{row['game']} {row['rules']}"
            matches.setdefault(game, {}).setdefault(row["match"], []).append(float(row[answer]))
            measures[game] = {name: float(row[name]) for name in MEASURES if row[name]}
    return {
        game: GameAnswers(mean(mean(answers) for answers in each.values()), len(each), measures[game])
        for game, each in matches.items()
        if len(each) >= MATCHES
    }


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, from 1; equal values share the mean of their ranks.

    >>> ranks([10, 30, 10, 20])
    [1.5, 4.0, 1.5, 3.0]
    """
    return [sum(other < value for other in values) + (1 + values.count(value)) / 2 for value in values]


def spearman(first: Sequence[float], second: Sequence[float]) -> Correlation | None:
    """Return Spearman's rank correlation; None where one side has no differences.

    The interval is Fisher's with the standard error of D. G. Bonett and T. A. Wright, "Sample size requirements for
    estimating Pearson, Kendall and Spearman correlations", Psychometrika 65 (2000), page 23.

    >>> round(spearman(list(range(20)), [*range(1, 20), 0]).rho, 3)
    0.714
    """
    a, b = ranks(first), ranks(second)
    centre = (len(a) + 1) / 2
    spread = math.sqrt(sum((x - centre) ** 2 for x in a) * sum((y - centre) ** 2 for y in b))
    if not spread:
        return None
    rho = sum((x - centre) * (y - centre) for x, y in zip(a, b, strict=True)) / spread
    most = 1 - 1e-12  # Fisher's z of 1 is infinite
    z = math.atanh(max(-most, min(most, rho)))
    half = Z * math.sqrt((1 + rho * rho / 2) / (len(a) - 3))
    return Correlation(rho, math.tanh(z - half), math.tanh(z + half), len(a))


def findings(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return a line for each answer and measure: the correlation, or that there are not enough games yet."""
    lines = []
    for answer in ANSWERS:
        games = by_game(rows, answer).values()
        for name in MEASURES:
            pairs = [(game.answer, game.measures[name]) for game in games if name in game.measures]
            head = f"{answer} and {name}: "
            found = spearman(*map(list, zip(*pairs, strict=True))) if len(pairs) >= GAMES else None
            if len(pairs) < GAMES:
                lines.append(
                    f"{head}not enough yet: {len(pairs)} of {GAMES} games have {MATCHES} matches with answers."
                )
            elif found is None:
                lines.append(f"{head}all games are alike.")
            else:
                lines.append(f"{head}{found.rho:+.2f} ({found.low:+.2f} to {found.high:+.2f}; {found.games} games)")
    return lines


def main() -> None:
    """Read the answers and print the findings."""
    parser = argparse.ArgumentParser(prog="python -m docs.studies.people", description=__doc__)
    parser.add_argument("answers", type=Path, help="what 'manage.py export_opinions' has written")
    with parser.parse_args().answers.open(encoding="utf-8", newline="") as file:
        print(*findings(list(csv.DictReader(file))), sep="\n")


if __name__ == "__main__":
    main()
