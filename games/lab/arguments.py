"""Words that the laboratory's commands share, and what they mean: who plays what, in how many processes."""

from __future__ import annotations

import argparse
import secrets

from games import catalogue
from games.core import BadOption, Game
from games.core.options import whole
from games.core.terminal import path_argument, text_argument
from games.lab.plugins import USUAL, Limits, is_plugin
from games.lab.pool import Workers

MOST, MOST_WORKERS, MOST_MEGABYTES = 10**15, 1000, 10**7
GAME = "the name of a game, or the path of a text that is one, as in stealing.rcy"


def add_game(parser: argparse.ArgumentParser) -> None:
    """Have a command ask for a game: ``game``."""
    parser.add_argument("game", type=text_argument, metavar="GAME", help=GAME)


def add_record(parser: argparse.ArgumentParser, whose: str) -> None:
    """Have a command ask for a record: ``record``, and ``game``, a text ``whose`` it is."""
    parser.add_argument("record", type=path_argument, metavar="RECORD.json")
    parser.add_argument("--game", type=text_argument, metavar="FILE", help=f"the text that was played, if it {whose}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Have a command take the options of a game: see ``options_of``."""
    parser.add_argument("--option", action="append", nargs="+", default=[], metavar="NAME=VALUE", dest="options")


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Have a command ask how many play: ``seats``."""
    parser.add_argument("--seats", type=seat, metavar="N", help="how many play (default: as many as usually do)")


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Have a command ask where to compute: ``workers``, as ``games.lab.pool`` takes them."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--workers", type=_processes, default=1, help="processes to use (default: 1)")
    place.add_argument(
        "--dask",
        type=_address,
        dest="workers",
        metavar="ADDRESS",
        help="of the scheduler of a dask cluster to use instead, as in tcp://10.0.0.1:8786",
    )


def add_players(parser: argparse.ArgumentParser) -> None:
    """Have a command ask for bots, the seed of their matches, options, and what guests among them may use."""
    parser.add_argument(
        "bots",
        metavar="BOT",
        nargs="*",
        help="a bot for each seat: its name, or FILE.py:CLASS (default: the house's, as many as usually play)",
    )
    parser.add_argument(
        "--seed",
        type=text_argument,
        help="any text: the same seed gives the same matches (default: that of a folder to go on with, or random)",
    )
    guests = parser.add_argument_group("bots that are FILE.py:CLASS")
    guests.add_argument(
        "--seconds", type=_seconds, default=USUAL.seconds, help=f"of CPU for one decision (default: {USUAL.seconds:g})"
    )
    guests.add_argument(
        "--megabytes", type=_megabytes, default=USUAL.megabytes, help=f"of memory (default: {USUAL.megabytes})"
    )
    guests.add_argument("--abort", action="store_true", help="stop when one fails, instead of moving for it")
    guests.add_argument("--show-output", action="store_true", help="show what they print")
    guests.add_argument(
        "--terminal",
        action="store_true",
        help="let them read and write the terminal: for a person, who has all the time",
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
    """Return a number that may be one of seats. Raises ArgumentTypeError."""
    return whole_number(text, low=-MOST)  # whether it is one depends on how many there are


def _processes(text: str) -> int:
    return whole_number(text, low=1, high=MOST_WORKERS)


def _address(text: str) -> str:
    if not text.strip():  # which would be a cluster of its own
        raise argparse.ArgumentTypeError("must be the address of a scheduler")
    return text_argument(text)


def _megabytes(text: str) -> int:
    return whole_number(text, low=1, high=MOST_MEGABYTES)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text[:40]!r}") from None


# -- what was asked for


def seed_of(asked: argparse.Namespace, usual: str | None = None) -> str:
    """Return the seed that was asked for, else the usual one, else a random one."""
    if asked.seed is not None:
        return str(asked.seed)
    return secrets.token_hex(8) if usual is None else usual


def limits_of(asked: argparse.Namespace) -> Limits:
    """Return what guests may use. Raises BadOption."""
    workers: Workers = getattr(asked, "workers", 1)
    if asked.terminal and workers != 1:
        raise BadOption("--terminal is for one process: there is one terminal.")
    if isinstance(workers, str) and any(map(is_plugin, asked.bots)):
        raise BadOption("Bots that are FILE.py:CLASS play on this machine alone: leave out --dask.")
    return Limits(asked.seconds, asked.megabytes, asked.abort, asked.show_output, asked.terminal)


def game_of_record(asked: argparse.Namespace, name: str) -> Game:
    """Return the game of a record: the text that was named, or the one on the shelves. Raises as the catalogue does."""
    return catalogue.find_or_read(asked.game) if asked.game else catalogue.find(name)


def options_of(asked: argparse.Namespace) -> dict[str, str]:
    """Return the options that were asked for. Raises BadOption."""
    options: dict[str, str] = {}
    for pair in (pair for group in asked.options for pair in group):
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"Write an option as NAME=VALUE, not {pair!r}.")
        if name in options:
            raise BadOption(f"The option {name[:40]!r} is given twice, as {options[name][:40]!r} and {value[:40]!r}.")
        options[name] = value
    return options
