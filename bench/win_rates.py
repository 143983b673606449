"""How often the bots of a game win against each other: ``python -m bench.win_rates GAME [N] [--option NAME=VALUE]``.

Each two bots share a table, taking turns round it, and play every match twice: the same deal with the seats swapped. So
bots that are as good as each other win half; a win shared by k seats counts 1/k for each. Intervals are Wilson's, 95 %.
Prints a table, or JSON with ``--json``.
"""

from __future__ import annotations

import argparse
import itertools
import json
from typing import TypedDict

from games import catalogue
from games.core import Game
from games.lab.rates import wilson
from games.lab.simulate import Plan, report, simulate


class Figure(TypedDict):
    """How ``bot`` did against ``other``."""

    bot: str
    other: str
    matches: int
    share: float
    low: float
    high: float
    mean_score: float
    other_mean_score: float
    failures: int


def meet(game: Game, seats: int, bot: str, other: str, options: dict[str, str], matches: int, workers: int) -> Figure:
    """Play so many matches, half of them with the seats swapped."""
    wins, failures = 0.0, 0
    scores: dict[str, list[float]] = {bot: [], other: []}
    for first, second in ((bot, other), (other, bot)):
        plan = Plan.checked(game, [(first, second)[seat % 2] for seat in range(seats)], options, "bench")
        found = report(plan, simulate(plan, matches // 2, workers=workers))
        wins += sum(seat["wins"] for seat in found["seats"] if seat["bot"] == bot)
        failures += sum(found["failures"].values())
        for seat in found["seats"]:
            scores[seat["bot"]].append(seat["mean_score"])
    played = matches // 2 * 2
    low, high = wilson(wins, played)
    return {
        "bot": bot,
        "other": other,
        "matches": played,
        "share": wins / played,
        "low": low,
        "high": high,
        "mean_score": sum(scores[bot]) / len(scores[bot]),
        "other_mean_score": sum(scores[other]) / len(scores[other]),
        "failures": failures,
    }


def main() -> None:
    """Let each two bots meet, and print what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.win_rates", description="Win rates of bots against each other."
    )
    parser.add_argument("game", choices=[game.name for game in catalogue.listed()])
    parser.add_argument("matches", nargs="?", type=int, default=200, help="of each two bots")
    parser.add_argument("--bots", nargs="+", help="their names (default: all that the game has)")
    parser.add_argument("--seats", type=int, help="at a table (default: as usual in the game)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", dest="options")
    parser.add_argument("--workers", type=int, default=1, help="processes to use")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    game = catalogue.find(asked.game)
    seats = asked.seats or game.default_seats
    options = dict(pair.split("=", 1) for pair in asked.options)
    if not asked.json:
        print(f"{game.name}, {seats} seats, {asked.matches} matches each; shares with 95 % intervals")
        print(f"{'bot':8} {'against':8} {'share':>7} {'interval':>17}   mean scores")
    figures = []
    for bot, other in itertools.combinations(asked.bots or [bot.name for bot in game.bots], 2):
        figure = meet(game, seats, bot, other, options, asked.matches, asked.workers)
        figures.append(figure)
        if not asked.json:
            rates = f"{figure['share']:7.1%} {figure['low']:7.1%} - {figure['high']:7.1%}"
            print(
                f"{bot:8} {other:8} {rates}   {figure['mean_score']:.2f} {figure['other_mean_score']:.2f}", flush=True
            )
    if asked.json:
        print(json.dumps({"game": game.name, "seats": seats, "options": options, "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
