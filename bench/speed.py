"""How fast the games, the bots and the laboratory are, in CPU time of one process. Each command prints JSON.

    .venv/bin/python -m bench.speed matches [GAME] [--bot BOT]   matches per CPU-second, for each bot of a game
    .venv/bin/python -m bench.speed decisions [GAME ...]         a decision of a bot that searches, and its parts
    .venv/bin/python -m bench.speed texts                        RECYCLE texts and Python engines of the same games
    .venv/bin/python -m bench.speed report [GAME] [--two]        a standard report of the laboratory
    .venv/bin/python -m bench.speed replay [--plies N]           a request for a long replay, first and again

CPU time changes little on a busy machine; ``wall_seconds`` and what ``--two`` measures do.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import resource
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from games import catalogue
from games.core import Chance, FastChance, Game, Information, SealedChance, State
from games.core import Match as Played
from games.lab.analyse import Analysis, Run, analyse
from games.lab.publish import publish
from games.lab.saved import QUICK
from games.lab.simulate import Simulation, play_match, simulate
from games.recycle.compiler import compile_game
from games.recycle.game import RecycleGame
from games.recycle.problems import Source
from games.recycle.reader import read
from games.search.pimc import ROLLOUTS, estimate

Figures = dict[str, Any]


def dealt(game: Game, seats: int, options: dict[str, Any], chance: Chance) -> State[Any]:
    """Return a match just dealt, without a log."""
    return game.start_keeping("sight", seats, game.check_options(options), chance)


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Return how often ``work`` can be done in a CPU-second."""
    began = time.process_time()
    count = 0
    while time.process_time() - began < seconds:
        work(count)
        count += 1
    return count / (time.process_time() - began)


# -- matches


def matches(arguments: argparse.Namespace) -> Figures:
    """Return the matches per CPU-second of a game with the same bot in every seat."""
    game = catalogue.find(arguments.game)
    bots = [arguments.bot] if arguments.bot else [bot.name for bot in game.bots]
    return {"game": game.name, "figures": [simulated(game, bot, game.default_seats, arguments.seconds) for bot in bots]}


def simulated(game: Game, bot: str, seats: int, seconds: float) -> Figures:
    """Play matches with ``bot`` in every seat for about so many CPU seconds."""
    simulation = Simulation.checked(game, [bot] * seats, {}, "bench")
    simulate(simulation, 20)  # imports and caches are not what is measured
    began, wall = time.process_time(), time.perf_counter()
    count = decisions_made = 0
    size = 20
    while time.process_time() - began < seconds:
        tally = simulate(simulation, size)
        count += tally.matches
        decisions_made += tally.decisions
        size *= 2
    spent = time.process_time() - began
    return {
        "bots": list(simulation.bots),
        "matches": count,
        "matches_per_cpu_second": round(count / spent, 1),
        "decisions_per_cpu_second": round(decisions_made / spent, 1),
        "wall_seconds": round(time.perf_counter() - wall, 2),
    }


# -- decisions: pimc-10 makes ten roll-outs for each legal move, forced ones too, each from a determinization

PART = 0.1  # CPU seconds for each part


def decisions(arguments: argparse.Namespace) -> Figures:
    """Return the CPU milliseconds of a decision by search, and the microseconds of its parts."""
    figures = [searched(catalogue.find(name), arguments.decisions) for name in arguments.games]
    return {"rollouts": ROLLOUTS, "figures": figures}


def sealed(number: int) -> SealedChance:
    """Return the chance of a deal."""
    return SealedChance(bytes([number % 256]) * 32)


def searched(game: Game, count: int) -> Figures:
    """Have searchers play with one another for so many decisions."""
    chance = FastChance("bench")
    spent, deals = 0.0, 0
    state = dealt(game, game.default_seats, {}, sealed(0))
    for _ in range(count):
        if state.over:
            deals += 1
            state = dealt(game, game.default_seats, {}, sealed(deals))
        seat = state.to_act()[0]
        began = time.process_time()
        info = Information.of(game, state, seat, chance, "determinizations")
        best = estimate(info, ROLLOUTS, chance).best(seat)
        spent += time.process_time() - began
        state.apply(seat, info.legal_moves[best or 0])
    start = dealt(game, game.default_seats, {}, sealed(0))
    seat = start.to_act()[0]
    parts: dict[str, Callable[[int], object]] = {
        "fork": lambda _: start.fork(chance),
        "clone": lambda _: start.clone(),
        "determinize": lambda _: start.determinize(seat, chance),
        "rollout": lambda _: start.fork(chance).rollout(chance),
    }
    return {
        "game": game.name,
        "decisions": count,
        "milliseconds_a_decision": round(spent / count * 1000, 2),
        **{name: round(1e6 / rate(work, PART), 1) for name, work in parts.items()},
    }


# -- texts: measured in alternating rounds, so that a machine that slows down slows down both sides

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
        own = played(catalogue.find(native), seats, options, arguments.seconds)
        ours = played(catalogue.find(text), seats, {}, arguments.seconds)
        shares = {name: round(ours[name] / own[name], 2) for name in ("simulated", "rollouts_from_the_deal")}
        rows += [
            {"game": native, "seats": seats, **own},
            {"game": text, "seats": seats, "of_the_native": shares, **ours},
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


# -- a report: the standard one has 100 matches a run and pimc-10; its cost is computed from fewer

STANDARD = 100  # matches a run
WORKERS = (1, 2, 4, 8, 16, 32, 64)


def report(arguments: argparse.Namespace) -> Figures:
    """Return the CPU time of a standard report, and with --two how it falls with the number of workers.

    ``--two`` plays the same matches in two processes, too, and measures what is sequential: the start, handing out a
    task and receiving its result, and the report. From that it computes the time for more workers, each with a core of
    its own. On a busy machine the measured time of two processes is worth little.
    """
    analysis = Analysis.checked(catalogue.find(arguments.game), arguments.seats, {}, "bench", arguments.rollouts)
    spent: dict[Run, float] = dict.fromkeys(analysis.runs, 0.0)
    then = time.process_time()

    def note(run: Run, more: int) -> None:
        nonlocal then
        now = time.process_time()
        if more:
            spent[run] += now - then
        then = now

    with tempfile.TemporaryDirectory() as name:
        wall = time.perf_counter()
        results = analyse(analysis, arguments.matches, Path(name), progress=note)
        wall = time.perf_counter() - wall
        began = time.process_time()
        publish(analysis, arguments.matches, results, Path(name))
        publishing = time.process_time() - began
    each = {run: seconds / arguments.matches for run, seconds in spent.items()}
    figures: Figures = {
        "game": arguments.game,
        "seats": analysis.seats,
        "player": f"pimc-{arguments.rollouts}",
        "cpu_seconds_a_match": each,
        "cpu_seconds_of_the_report": publishing,
        "cpu_seconds_of_a_standard_report": sum(each.values()) * STANDARD + publishing,
    }
    if arguments.two:
        two = in_two(analysis, arguments.matches)
        # A worker's start costs half of what both used on top of what the matches take in one process.
        start = max(0.0, two["cpu_seconds_of_the_workers"] - sum(spent.values())) / 2
        expected = by_workers(analysis, each, start, two["cpu_seconds_here_a_task"], publishing)
        figures["two_processes"] = {**two, "speedup": wall / two["seconds"], "cpu_seconds_a_worker_starts": start}
        figures["computed"] = {
            workers: {"seconds": seconds, "speedup": expected[1] / seconds} for workers, seconds in expected.items()
        }
    return figures


def tasks_of(analysis: Analysis, count: int) -> dict[Run, int]:
    """Return into how many tasks each run of so many matches is split."""
    return {run: math.ceil(count / QUICK) if run == "random" else count for run in analysis.runs}


def in_two(analysis: Analysis, count: int) -> dict[str, float]:
    """Play the matches in two processes: how long it takes, and the CPU time of this process a task and of theirs."""
    with tempfile.TemporaryDirectory() as name:
        wall, mine = time.perf_counter(), time.process_time()
        analyse(analysis, count, Path(name), workers=2)
        mine, wall = time.process_time() - mine, time.perf_counter() - wall
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": wall,
        "cpu_seconds_here_a_task": mine / sum(tasks_of(analysis, count).values()),
        "cpu_seconds_of_the_workers": children.ru_utime + children.ru_stime,
    }


def by_workers(
    analysis: Analysis, each: Mapping[Run, float], start: float, a_task: float, publishing: float
) -> dict[int, float]:
    """Return the seconds of a standard report by the number of workers; with one, in the process itself.

    The runs follow one another without a pause: a worker gets its share of all of it, rounded up by one task, the
    longest. Nothing is faster than this process hands out tasks. The start and the report are added.
    """
    tasks = tasks_of(analysis, STANDARD)
    work = sum(each.values()) * STANDARD
    longest = max(each[run] * STANDARD / tasks[run] for run in each)
    seconds = {1: work + publishing}
    for workers in WORKERS[1:]:
        seconds[workers] = start + max(work / workers + longest, sum(tasks.values()) * a_task) + publishing
    return seconds


# -- a replay: a match of Enchère at an unsealed table, in an empty database; its frames are requested as a browser does


def replay(arguments: argparse.Namespace) -> Figures:
    """Return the CPU time and the bytes of a request for a long replay: running, first, again, and not modified."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "HAMSTERDAM_VAR": folder,
            "HAMSTERDAM_LOCAL": "1",
            "LOG_LEVEL": "WARNING",
            "RATE_LIMITS": "0",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "cardsite.settings",
        }
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        return replayed(arguments.plies)


def replayed(plies: int) -> Figures:
    from django.core.management import call_command
    from django.test import Client

    from cardsite.lobby.games import find_game
    from cardsite.lobby.models import Seat, Table
    from cardsite.table.models import Match, Move
    from cardsite.table.services.matches import do_end_match, do_start_match

    call_command("migrate", verbosity=0)
    table = Table.objects.create(game="enchere", sealed=False, options={"version": "originale", "target": 200})
    for index in range(3):
        Seat.objects.create(table=table, index=index, bot="house")
    match = Match.objects.get(pk=do_start_match(table.code, None, seed=bytes(32)))
    running = Played.start(find_game("enchere"), 3, match.options, SealedChance(bytes(32)))
    dice, rows = random.Random(1), []
    while running.ply < plies and (seats := running.to_act()):
        move = dice.choice(running.legal_moves(seats[0]))
        running.advance(seats[0], move)
        rows.append(Move(match=match, ply=running.ply, seat=seats[0], text=move, by="bot", at=0))
    Move.objects.bulk_create(rows)
    browser = Client(headers={"Accept-Encoding": "gzip, deflate, br"})

    def ask(**headers: str) -> tuple[Figures, Any]:
        before = time.process_time()
        answer = browser.get(f"/replay/{match.pk}/frames.json", headers=headers)
        spent = time.process_time() - before
        return {"cpu_ms": round(spent * 1000, 1), "bytes": len(answer.content), "status": answer.status_code}, answer

    ask()  # what a process does once
    figures: Figures = {"plies": len(rows), "running": ask()[0]}
    do_end_match(match.pk, table.pk, [0, 0, 0], [0])
    figures["first"], answer = ask()
    figures["again"] = min((ask()[0] for _ in range(5)), key=lambda one: one["cpu_ms"])
    figures["unchanged"] = ask(**{"If-None-Match": answer.headers.get("ETag", '"none"')})[0]
    return figures


# -- the command line


def main() -> None:
    known = [game.name for game in catalogue.listed()]
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)

    def command(measure: Callable[[argparse.Namespace], Figures]) -> argparse.ArgumentParser:
        own = commands.add_parser(
            measure.__name__, description=measure.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        own.set_defaults(measure=measure)
        return own

    own = command(matches)
    own.add_argument("game", nargs="?", default="hamsterdam", choices=known, metavar="GAME")
    own.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each bot")
    own.add_argument("--bot", help="this bot only")
    own = command(decisions)
    own.add_argument("games", nargs="*", default=known, metavar="GAME", help=f"of {', '.join(known)} (default: all)")
    own.add_argument("--decisions", type=int, default=40, help="in each game")
    own = command(texts)
    own.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: %(default)s)")
    own = command(report)
    own.add_argument("game", nargs="?", default="agram")
    own.add_argument("--seats", type=int)
    own.add_argument("--matches", type=int, default=20)
    own.add_argument("--rollouts", type=int, default=Analysis.rollouts)
    own.add_argument("--two", action="store_true", help="in two processes, too, and computed for more")
    own = command(replay)
    own.add_argument("--plies", type=int, default=1560)
    arguments = parser.parse_args()
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    print(json.dumps({**machine, **arguments.measure(arguments)}, indent=2))


if __name__ == "__main__":
    main()
