"""Command-line arguments that the laboratory's commands share."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterable

from games import catalogue
from games.core import BadOption, Game
from games.core.options import whole
from games.core.terminal import path_argument, text_argument
from games.lab.plugins import USUAL, PluginLimits, is_plugin
from games.lab.pool import Workers

MOST, MOST_WORKERS, MOST_MEGABYTES = 10**15, 1000, 10**7
GAME = "the name of a game, or the path of a text that is one, as in stealing.rcy"


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the argument ``game``."""
    parser.add_argument("game", type=text_argument, metavar="GAME", help=GAME)


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add the arguments ``record`` and ``game``, the text of the record's game."""
    parser.add_argument("record", type=path_argument, metavar="RECORD.json")
    parser.add_argument(
        "--game", type=text_argument, metavar="FILE", help="the text that was played, if it is not in the library"
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for a game's options: see ``options_of``."""
    parser.add_argument(
        "--option",
        action="append",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        dest="options",
        help='options of the game, as "python -m games list" prints them',
    )


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Add the argument ``seats``."""
    parser.add_argument("--seats", type=seat, metavar="N", help="number of players (default: the game's usual number)")


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for ``workers``, as ``games.lab.pool`` takes them."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--workers", type=_processes, default=1, help="processes to use (default: 1)")
    group.add_argument(
        "--dask",
        type=_address,
        dest="workers",
        metavar="ADDRESS",
        help="use a dask cluster instead: the address of its scheduler, such as tcp://10.0.0.1:8786",
    )


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for bots, seed and options, and for the limits of plug-in bots."""
    parser.add_argument(
        "bots",
        metavar="BOT",
        nargs="*",
        help="a bot for each seat: its name, or FILE.py:CLASS (default: house bots in the usual number of seats)",
    )
    parser.add_argument(
        "--seed",
        type=text_argument,
        help="any text; the same seed gives the same matches (default: the seed of the folder to continue, or random)",
    )
    plugins = parser.add_argument_group("plug-in bots (FILE.py:CLASS)")
    plugins.add_argument(
        "--seconds", type=_seconds, default=USUAL.seconds, help=f"CPU seconds per decision (default: {USUAL.seconds:g})"
    )
    plugins.add_argument(
        "--megabytes", type=_megabytes, default=USUAL.megabytes, help=f"memory limit (default: {USUAL.megabytes})"
    )
    plugins.add_argument(
        "--abort", action="store_true", help="stop when one fails, instead of making the first legal move"
    )
    plugins.add_argument("--show-output", action="store_true", help="show their output")
    plugins.add_argument(
        "--terminal",
        action="store_true",
        help="let them use the terminal, without a time limit: for people who play through a bot",
    )
    add_options(parser)


def whole_number(text: str, low: int = 0, high: int = MOST) -> int:
    """Return a whole number from a command line. Raises ArgumentTypeError."""
    number = whole(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text[:40]!r}")
    if number < low:
        raise argparse.ArgumentTypeError(f"must be {low} or more")
    if number > high:
        raise argparse.ArgumentTypeError(f"must be {high:,} at most")
    return number


def positive(text: str) -> int:
    """Return a whole number of 1 or more. Raises ArgumentTypeError."""
    return whole_number(text, low=1)


def seat(text: str) -> int:
    """Return a number that may be a seat. Raises ArgumentTypeError."""
    return whole_number(text, low=-MOST)  # whether the seat exists depends on the number of seats


def _processes(text: str) -> int:
    return whole_number(text, low=1, high=MOST_WORKERS)


def _address(text: str) -> str:
    if not text.strip():  # an empty address would start a local cluster
        raise argparse.ArgumentTypeError("must be the address of a scheduler")
    return text_argument(text)


def _megabytes(text: str) -> int:
    return whole_number(text, low=1, high=MOST_MEGABYTES)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text[:40]!r}") from None


# -- values of arguments, checked


def seed_of(args: argparse.Namespace, usual: str | None = None) -> str:
    """Return the requested seed, else ``usual``, else a random one."""
    if args.seed is not None:
        return str(args.seed)
    return secrets.token_hex(8) if usual is None else usual


def limits_of(args: argparse.Namespace) -> PluginLimits:
    """Return the limits of plug-in bots. Raises BadOption."""
    workers: Workers = getattr(args, "workers", 1)
    if args.terminal and workers != 1:
        raise BadOption("--terminal works with one process only: leave out --workers.")
    check_cluster(workers, args.bots)
    return PluginLimits(args.seconds, args.megabytes, args.abort, args.show_output, args.terminal)


def check_cluster(workers: Workers, bots: Iterable[str]) -> None:
    """Check that bots can play where the workers are. Raises BadOption."""
    if isinstance(workers, str) and any(map(is_plugin, bots)):
        raise BadOption("Plug-in bots (FILE.py:CLASS) play on this machine only: leave out --dask.")


def game_of_record(args: argparse.Namespace, name: str) -> Game:
    """Return the game of a record: the given text, or a game of the catalogue. Raises what the catalogue raises."""
    return catalogue.find_or_read(args.game) if args.game else catalogue.find(name)


def options_of(args: argparse.Namespace) -> dict[str, str]:
    """Return the requested options. Raises BadOption."""
    options: dict[str, str] = {}
    for pair in (pair for group in args.options for pair in group):
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"Write an option as NAME=VALUE, not {pair!r}.")
        if name in options:
            raise BadOption(f"The option {name[:40]!r} is given twice, as {options[name][:40]!r} and {value[:40]!r}.")
        options[name] = value
    return options
