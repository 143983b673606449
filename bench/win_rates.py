"""How often the bots of a game win against each other: ``python -m bench.win_rates GAME [N] [--option NAME=VALUE]``.

Each two bots share a table, taking turns round it, and play every match twice: the same deal with the seats swapped. So
bots that are as good as each other win half; a win shared by k seats counts 1/k for each. Intervals are Wilson's, 95 %.
In a game for one both play the same deals, each alone; the better score wins.
Prints a table, or JSON with ``--json``. ``--minutes M`` plays as many matches of each two as take M minutes of CPU in
one process; ``--markdown`` prints the table as bench/README.md has it. GAME may be ``house``: all games of the house.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from typing import TypedDict

from games import catalogue
from games.core import Game
from games.lab.intervals import wilson
from games.lab.simulate import Plan, Tally, play_chunk, play_match, report, simulate

HOUSE = "house"  # instead of a game: all that come with the house
MOST = 10**9  # deals, where time is the limit


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


def meet(game: Game, seats: int, bot: str, other: str, options: dict[str, str], deals: int, workers: int) -> Figure:
    """Play so many deals twice, the second time with the seats swapped."""
    plans = _plans(game, seats, bot, other, options)
    return _figure(plans, [simulate(plan, deals, workers=workers) for plan in plans])


def meet_for(game: Game, seats: int, bot: str, other: str, options: dict[str, str], seconds: float) -> Figure:
    """Play as many deals as take so many seconds of CPU in this process, each of them twice; one at least."""
    plans = _plans(game, seats, bot, other, options)
    tallies = [Tally() for _ in plans]
    began = time.process_time()
    for deal in itertools.count():
        if deal and time.process_time() - began > seconds:
            break
        for plan, tally in zip(plans, tallies, strict=True):
            tally.merge(play_chunk(plan, range(deal, deal + 1)))
    return _figure(plans, tallies)


def _plans(game: Game, seats: int, bot: str, other: str, options: dict[str, str]) -> list[Plan]:
    orders = ((bot, other), (other, bot))
    return [Plan.checked(game, [order[seat % 2] for seat in range(seats)], options, "bench") for order in orders]


def _figure(plans: list[Plan], tallies: list[Tally]) -> Figure:
    bot, other = plans[0].bots[0], plans[1].bots[0]
    wins, failures = 0.0, 0
    scores: dict[str, list[float]] = {bot: [], other: []}
    for plan, tally in zip(plans, tallies, strict=True):
        found = report(plan, tally)
        wins += sum(seat["wins"] for seat in found["seats"] if seat["bot"] == bot)
        failures += sum(found["failures"].values())
        for seat in found["seats"]:
            scores[seat["bot"]].append(seat["mean_score"])
    return _made(bot, other, wins, sum(tally.matches for tally in tallies), scores, failures)


def alone(game: Game, bot: str, other: str, options: dict[str, str], deals: int, seconds: float) -> Figure:
    """Have both play the same deals, each alone, at most so many and for about so many seconds of CPU."""
    plans = [Plan.checked(game, [name], options, "bench") for name in (bot, other)]
    wins, failures = 0.0, 0
    scores: dict[str, list[float]] = {bot: [], other: []}
    began = time.process_time()
    for deal in range(deals):
        if deal and time.process_time() - began > seconds:
            break
        both = [play_match(plan, deal) for plan in plans]
        [[mine], [theirs]] = [played.scores for played in both]
        wins += 0.5 if mine == theirs else mine > theirs
        failures += sum(played.failures.total() for played in both)
        scores[bot].append(mine)
        scores[other].append(theirs)
    return _made(bot, other, wins, len(scores[bot]), scores, failures)


def _made(bot: str, other: str, wins: float, matches: int, scores: dict[str, list[float]], failures: int) -> Figure:
    low, high = wilson(wins, matches)
    return {
        "bot": bot,
        "other": other,
        "matches": matches,
        "share": wins / matches,
        "low": low,
        "high": high,
        "mean_score": sum(scores[bot]) / len(scores[bot]),
        "other_mean_score": sum(scores[other]) / len(scores[other]),
        "failures": failures,
    }


def _measure(game: Game, bot: str, other: str, options: dict[str, str], asked: argparse.Namespace) -> Figure:
    seats = asked.seats or game.default_seats
    seconds = math.inf if asked.minutes is None else asked.minutes * 60
    if seats == 1:
        return alone(game, bot, other, options, MOST if asked.minutes else asked.matches, seconds)
    if asked.minutes is None:
        return meet(game, seats, bot, other, options, asked.matches // 2, asked.workers)
    return meet_for(game, seats, bot, other, options, seconds)


def _line(game: Game, figure: Figure, *, markdown: bool) -> str:
    scores = f"{figure['mean_score']:.2f}, {figure['other_mean_score']:.2f}"
    if markdown:
        rates = f"{figure['share'] * 100:.1f} % ({figure['low'] * 100:.1f} - {figure['high'] * 100:.1f})"
        who = f"`{figure['bot']}` against `{figure['other']}`"
        return f"| {game.title} | {who} | {rates} | {figure['matches']:,} | {scores} |"
    rates = f"{figure['share']:7.1%} {figure['low']:7.1%} - {figure['high']:7.1%}"
    return f"{figure['bot']:8} {figure['other']:8} {rates} {figure['matches']:>8,}   {scores}"


def main() -> None:
    """Let each two bots meet, and print what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.win_rates", description="Win rates of bots against each other."
    )
    parser.add_argument("game", choices=[HOUSE, *(game.name for game in catalogue.listed())], metavar="GAME")
    parser.add_argument("matches", nargs="?", type=int, default=200, help="of each two bots")
    parser.add_argument("--minutes", type=float, help="of CPU, for each two bots: as many matches as that takes")
    parser.add_argument("--bots", nargs="+", help="each two of them meet (default: all that the game has)")
    parser.add_argument("--pairs", nargs="+", metavar="BOT:BOT", help="who meets whom, instead")
    parser.add_argument("--seats", type=int, help="at a table (default: as usual in the game)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", dest="options")
    parser.add_argument("--workers", type=int, default=1, help="processes to use")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print JSON")
    shape.add_argument("--markdown", action="store_true", help="print a table for a page")
    asked = parser.parse_args()
    games = catalogue.listed(catalogue.providers[0]) if asked.game == HOUSE else [catalogue.find(asked.game)]
    options = dict(pair.split("=", 1) for pair in asked.options)
    if asked.markdown:
        print("| Game | | Share of wins | Matches | Mean scores |\n|---|---|---|---|---|")
    printed = []
    for game in games:
        if not (asked.json or asked.markdown):
            print(f"{game.name}, {asked.seats or game.default_seats} seats; shares with 95 % intervals")
            print(f"{'bot':8} {'against':8} {'share':>7} {'interval':>17} {'matches':>8}   mean scores")
        pairs = itertools.combinations(asked.bots or [bot.name for bot in game.bots], 2)
        figures = []
        for bot, other in (pair.split(":") for pair in asked.pairs) if asked.pairs else pairs:
            figure = _measure(game, bot, other, options, asked)
            figures.append(figure)
            if not asked.json:
                print(_line(game, figure, markdown=asked.markdown), flush=True)
        printed.append({
            "game": game.name, "seats": asked.seats or game.default_seats, "options": options, "figures": figures
        })  # fmt: skip
    if asked.json:
        print(json.dumps(printed if asked.game == HOUSE else printed[0], indent=2))


if __name__ == "__main__":
    main()
