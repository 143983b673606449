"""Texts on the command line: ``python -m games recycle check|format|explain|trace``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from games.core import BadOption, RulesFailed
from games.core.terminal import path_argument, printable, text_argument
from games.core.texts import BYTES, LARGEST, NoText, read_beside, read_text, text_of
from games.recycle.example import in_signs
from games.recycle.problems import BadText, Source, with_players
from games.recycle.provider import SUFFIXES

if TYPE_CHECKING:
    from games.recycle.game import RecycleGame

# What reads and plays texts is imported where it is used: the parser takes a while, and other commands need none.

ABOUT = "more about games that are texts in RECYCLE: check, format, explain and trace them"
SUFFIX, *BESIDE = SUFFIXES
TERMINAL = "-"
LARGEST_MOVES = 1 << 20  # characters of a file of moves
MOST_SEATS = 1000  # a larger number is a typo: do not make a list of so many bots


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the commands: each sets ``run``, which takes the parsed arguments and returns the exit code."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="say what is wrong with texts; exit code 1 if anything is")
    check.add_argument(
        "files", type=path_argument, nargs="+", metavar="FILE", help=f"a folder means all *{SUFFIX} in it"
    )
    check.add_argument("--strict", action="store_true", help="let warnings count as errors")
    check.set_defaults(run=_check)

    form = commands.add_parser("format", help="lay texts out: indented by brackets, comments kept")
    form.add_argument(
        "files",
        type=path_argument,
        nargs="+",
        metavar="FILE",
        help=f"changed in place; {TERMINAL} reads and prints a text",
    )
    form.add_argument("--check", action="store_true", help="change nothing; exit code 1 if anything would be")
    form.set_defaults(run=_format)

    explain = commands.add_parser("explain", help="print the rules of a text as a page in plain English")
    explain.add_argument("file", type=path_argument, metavar="FILE")
    explain.set_defaults(run=_explain)

    trace = commands.add_parser("trace", help="play a match and print all that happens, hidden cards and all")
    trace.add_argument("file", type=path_argument, metavar="FILE")
    trace.add_argument("--seed", type=text_argument, default="0", help="as in simulate (default: 0)")
    trace.add_argument("--match", type=int, default=0, help="number of the match in a simulation with this seed")
    trace.add_argument("--seats", type=int, help="how many play (default: as many as usually do)")
    trace.add_argument("--bots", help="one for all seats, or one a seat: random,house (default: random)")
    trace.add_argument(
        "--moves", type=path_argument, metavar="MOVES", help="a file of moves, one a line, which are made first"
    )
    trace.add_argument("--options", action="store_true", help="print all options of every choice")
    trace.set_defaults(run=_trace)


def _print(text: str, file: TextIO | None = None) -> None:
    """Print lines that any terminal can show: to ``file``, else as what the command has to say."""
    for line in text.split("\n"):
        print(printable(line), file=file)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield files, of folders the texts in them. Raises BadOption for a folder without any."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob(f"*{SUFFIX}"))
        if not found:
            raise BadOption(f"There is no *{SUFFIX} in {path}.")
        yield from found


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


# -- check


def _check(args: argparse.Namespace) -> int:
    errors = warnings = 0
    files = list(_files(args.files))
    for path in files:
        for problem, text in _problems(path):
            errors += problem == "error"
            warnings += problem == "warning"
            _print(text)
    print(f"{_counted(len(files), 'file')}: {_counted(errors, 'error')}, {_counted(warnings, 'warning')}")
    return int(bool(errors or (args.strict and warnings)))


def _problems(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the problems of a text: ``error`` or ``warning``, and its message. Raises OSError."""
    from games.recycle.indentation import indentation
    from games.recycle.lint import warnings

    try:
        text = read_text(path)
        game = _game_of(path, text)
    except BadText as bad:
        for problem in sorted((*bad.problems, *indentation(bad.source)), key=lambda problem: problem.at):
            yield problem.severity, bad.source.show(problem)
        return
    except ValueError as error:  # no text, or a table file that is none
        yield "error", f"{path}: error: {error}"
        return
    for seats in range(game.min_seats, game.max_seats + 1):
        try:
            game.program(seats)
        except BadText as bad:
            for problem in bad.problems:
                yield "error", bad.source.show(with_players(seats, problem))
            return
    source = Source(text, str(path))
    for problem in warnings(game.tree, source, game.labels):
        yield problem.severity, source.show(problem)


def _game_of(path: Path, text: str) -> RecycleGame:
    """Return the game of a text. Raises BadText, which names the file as it was asked for; ValueError, OSError."""
    from games.recycle.game import RecycleGame

    try:
        return RecycleGame(path.stem, text, *read_beside(path, BESIDE))
    except BadText as bad:
        raise BadText(Source(text, str(path)), bad.problems) from None


def _game(path: Path) -> RecycleGame | None:
    """Return the game of a text; None if it has errors, which are printed. Raises BadOption, OSError."""
    try:
        return _game_of(path, read_text(path))
    except BadText as bad:
        sys.stdout.flush()
        for problem in bad.problems:
            _print(bad.source.show(problem), sys.stderr)
        return None
    except ValueError as error:
        raise BadOption(f"{path}: {error}") from None


# -- format


def _format(args: argparse.Namespace) -> int:
    from games.recycle.style import format_text

    code = 0
    for path in _files(args.files):
        terminal = str(path) == TERMINAL
        try:
            before = (
                text_of(sys.stdin.buffer.read(BYTES * LARGEST + 1), "what is read") if terminal else read_text(path)
            )
            after = format_text(before)
        except BadText as bad:
            source = Source(bad.source.text, "the text" if terminal else str(path))
            for problem in bad.problems:
                _print(source.show(problem), sys.stderr)
            code = 1
            continue
        except NoText as error:
            _print(f"{path}: error: {error}", sys.stderr)
            code = 1
            continue
        if args.check:
            if after != before:
                print(f"{path} would be changed")
                code = 1
        elif terminal:
            sys.stdout.write(after)
        elif after.encode() != path.read_bytes():
            path.write_bytes(after.encode())
            print(f"{path} has been changed")
    return code


# -- explain, trace


def _explain(args: argparse.Namespace) -> int:
    game = _game(args.file)
    if not game:
        return 2
    without_introduction = type(game)(game.name, game.text, game.table)
    _print(in_signs(without_introduction.rules_page()).rstrip("\n"))
    return 0


def _trace(args: argparse.Namespace) -> int:
    from games.recycle.trace import trace

    game = _game(args.file)
    if not game:
        return 2
    moves = _moves(args.moves) if args.moves else []
    bots = _bots(args.bots, args.seats, game.default_seats)
    try:
        trace(game, bots, args.seed, args.match, moves, options=args.options, say=_print)
    except (BadOption, RulesFailed):
        sys.stdout.flush()  # print what happened before the error
        raise
    return 0


def _bots(names: str | None, seats: int | None, usually: int) -> list[str]:
    bots = (names or "random").split(",")
    if len(bots) == 1:
        if seats is not None and not 0 < seats <= MOST_SEATS:
            raise BadOption(f"--seats is how many play, not {seats}.")
        return bots * (usually if seats is None else seats)
    if seats not in (None, len(bots)):
        raise BadOption(f"--bots names {len(bots)} for {_counted(seats or 0, 'seat')}: name one, or one a seat.")
    return bots


def _moves(path: Path) -> list[str]:
    """Return the moves in a file: one a line; empty lines and comments (;;) are none. Raises BadOption, OSError."""
    try:
        lines = [line.strip() for line in read_text(path, LARGEST_MOVES).split("\n")]
    except NoText as error:
        raise BadOption(str(error)) from None
    return [line for line in lines if line and not line.startswith(";;")]
