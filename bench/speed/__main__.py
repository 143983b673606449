"""How fast the games, the bots and the laboratory are, in CPU time of one process. Each command prints JSON.

    python -m bench.speed matches [GAME] [--bot BOT]   matches per CPU-second, for each bot of a game
    python -m bench.speed decisions [GAME ...]         a decision of a bot that searches, and its parts
    python -m bench.speed texts                        RECYCLE texts and Python engines of the same games
    python -m bench.speed report [GAME] [--two]        a standard report of the laboratory
    python -m bench.speed replay [--plies N]           a request for a long replay, first and again
    python -m bench.speed camelup [--compiled]         the engine of Camel Up and its bots, in Python or compiled

CPU time changes little on a busy machine; ``wall_seconds`` and what ``--two`` measures do. ``COMMAND --help`` describes
a command.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable

from bench.harness.command import Commands, show
from bench.speed.camelup import camelup
from bench.speed.rates import Figures, dealt, rate
from bench.speed.replay import replay
from bench.speed.report import report
from bench.speed.texts import texts
from games import catalogue
from games.core import FastChance, Game, Information, SealedChance
from games.lab.analyse import Analysis
from games.lab.simulate import Simulation, simulate
from games.search.pimc import ROLLOUTS, estimate

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


# -- the command line


def main() -> None:
    known = [game.name for game in catalogue.listed()]
    commands = Commands("speed", __doc__)
    own = commands.add(matches)
    own.add_argument("game", nargs="?", default="hamsterdam", choices=known, metavar="GAME")
    own.add_argument("--seconds", type=float, default=5.0, help="CPU seconds for each bot")
    own.add_argument("--bot", help="this bot only")
    own = commands.add(decisions)
    own.add_argument("games", nargs="*", default=known, metavar="GAME", help=f"of {', '.join(known)} (default: all)")
    own.add_argument("--decisions", type=int, default=40, help="in each game")
    own = commands.add(texts)
    own.add_argument("--seconds", type=float, default=2.0, help="for each figure (default: %(default)s)")
    own = commands.add(report)
    own.add_argument("game", nargs="?", default="agram")
    own.add_argument("--seats", type=int)
    own.add_argument("--matches", type=int, default=20)
    own.add_argument("--rollouts", type=int, default=Analysis.rollouts)
    own.add_argument("--two", action="store_true", help="in two processes, too, and computed for more")
    own = commands.add(replay)
    own.add_argument("--plies", type=int, default=1560)
    own = commands.add(camelup)
    own.add_argument("--compiled", action="store_true", help="build the wheel of the compiled engine and measure that")
    arguments = commands.parse()
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    show(machine | arguments.measure(arguments))


if __name__ == "__main__":
    main()
