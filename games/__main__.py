"""The command line: ``python -m games``. Lists the games, lets bots play them, replays records."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from games import catalogue
from games.core import BadOption, BadRecord, RulesFailed
from games.core.options import whole
from games.lab import logs, records
from games.lab.guests import USUAL, GuestFailed, Limits, arguments
from games.lab.simulate import INTERRUPTED, Plan, Report, Tally, record, report, simulate

NOBODY_READS = 141  # what a shell reports of a program that wrote to nobody
LONGEST_REASON = 500  # characters
MOST, MOST_WORKERS, MOST_MEGABYTES = 10**15, 1000, 10**7


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns the exit code: 0 done, 1 a guest or the rules failed, 2 asked for the impossible, 130 interrupted, 141
    nobody reads what is printed any more. Raises SystemExit as argparse does: 0 after help, 2 for what it refuses.
    """
    try:
        return _run(arguments)
    except BrokenPipeError:  # as after ``| head``
        _let_go()
        return NOBODY_READS


def _let_go() -> None:
    """Have what is still to be printed go nowhere: the interpreter tries once more at its end, and would say so."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        _COMMANDS.get(asked.command, _of_the_game)(asked)
        sys.stdout.flush()
    except RulesFailed as failed:
        print(f"{parser.prog} {asked.command}: the rules broke down. {failed}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        raise
    except (BadOption, BadRecord, logs.BadLogs, catalogue.UnknownGame, catalogue.UnreadableGame, OSError) as error:
        print(f"{parser.prog} {asked.command}: {_one_line(str(error))}", file=sys.stderr)
        _let_go()
        return 2
    except GuestFailed as failed:
        print(f"{parser.prog} {asked.command}: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    return 0


def _one_line(text: str) -> str:
    """Return a reason as one line that any terminal can show, whatever a stranger's file has brought into it."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in " ".join(text.split())
    )
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."


class _Parser(argparse.ArgumentParser):
    """Refuses an option that is given twice, where one of the two would win without a word."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, _Once)

    def error(self, message: str) -> NoReturn:
        super().error(_one_line(message))


class _Once(argparse.Action):
    """Stores a value, once."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        given = namespace.__dict__.setdefault("_given", set())
        if option and self.dest in given:
            raise argparse.ArgumentError(self, "can be given only once")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m games", description="Games between bots, and records of games.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser("list", help="list the games, their options and their bots")

    many = commands.add_parser("simulate", help="let bots play many matches and count what comes of it")
    many.add_argument("game", metavar="GAME")
    many.add_argument("matches", metavar="N", type=_positive, help="how many matches")
    _add_players(many)
    many.add_argument("--workers", type=_processes, default=1, help="processes to use (default: 1)")
    many.add_argument("--json", action="store_true", help="print one JSON object")
    many.add_argument("--log-dir", type=_path, metavar="DIR", help="write a log of each match there, as game_#.csv")
    many.add_argument(
        "--lost-by", type=_seat, metavar="SEAT", help="list the matches that this seat did not win or share"
    )

    one = commands.add_parser("record", help="write down one match between bots")
    one.add_argument("game", metavar="GAME")
    _add_players(one)
    one.add_argument("--match", type=_whole, default=0, help="number of the match in a simulation with this seed")
    one.add_argument("--out", type=_path, metavar="FILE", help="where to write it (default: to the terminal)")

    again = commands.add_parser("replay", help="print the log of a recorded match")
    again.add_argument("record", type=_path, metavar="RECORD.json")
    again.add_argument(
        "--other-rules", action="store_true", help="even if the rules have changed since: then it may be another match"
    )
    audience = again.add_mutually_exclusive_group()
    audience.add_argument("--seat", type=_seat, help="as this seat saw it (default: as a watcher did)")
    audience.add_argument("--open", action="store_true", help="with everybody's cards")

    together = commands.add_parser("merge-logs", help="put the logs of many matches into one file")
    together.add_argument("folder", type=_path, metavar="DIR", help="where game_0.csv, game_1.csv, ... are")
    together.add_argument("--out", type=_path, metavar="FILE", help=f"where to write it (default: DIR/{logs.MERGED})")

    for game in catalogue.listed():
        if found := catalogue.part(game.name, "commands"):
            found.add_to(commands.add_parser(game.name, help=f"more about {game.title}"))
    return parser


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", metavar="BOT", nargs="+", help="a bot for each seat: its name, or FILE.py:CLASS")
    parser.add_argument(
        "--seed", type=_text, help="any text: the same seed gives the same matches (default: a random one)"
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
    parser.add_argument("--option", action="append", nargs="+", default=[], metavar="NAME=VALUE", dest="options")


def _whole(text: str, low: int = 0, high: int = MOST) -> int:
    number = whole(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text[:40]!r}")
    if number < low:
        raise argparse.ArgumentTypeError(f"must be {low} or more")
    if number > high:
        raise argparse.ArgumentTypeError(f"must be {high:,} at most")
    return number


def _positive(text: str) -> int:
    return _whole(text, low=1)


def _seat(text: str) -> int:
    return _whole(text, low=-MOST)  # whether it is one depends on how many there are


def _processes(text: str) -> int:
    return _whole(text, low=1, high=MOST_WORKERS)


def _megabytes(text: str) -> int:
    return _whole(text, low=1, high=MOST_MEGABYTES)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {text[:40]!r}") from None


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("must be a text in UTF-8") from None
    return text


def _path(text: str) -> Path:
    try:
        if text and b"\0" not in os.fsencode(text):
            return Path(text)
    except UnicodeEncodeError:
        pass
    raise argparse.ArgumentTypeError("must be the name of a file or folder")


def _plan(asked: argparse.Namespace) -> Plan:
    options: dict[str, str] = {}
    for pair in (pair for group in asked.options for pair in group):
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"Write an option as NAME=VALUE, not {pair!r}.")
        if name in options:
            raise BadOption(f"The option {name[:40]!r} is given twice, as {options[name][:40]!r} and {value[:40]!r}.")
        options[name] = value
    seed = secrets.token_hex(8) if asked.seed is None else asked.seed
    limits = Limits(asked.seconds, asked.megabytes, asked.abort, asked.show_output, asked.terminal)
    return Plan.checked(catalogue.find(asked.game), asked.bots, options, seed, limits)


# -- commands


def _list(asked: argparse.Namespace) -> None:
    for game in catalogue.listed():
        print(f"{game.name}: {game.title}, {game.seats_in_words} (usually {game.default_seats})")
        print(f"    {game.summary}")
        for option in game.options:
            usually = option.shown(option.default) if option.default == "" else option.default
            print(f"    option {option.name}={option.allowed}, usually {usually}: {option.help or option.label}")
        for bot in game.bots:
            print(f"    bot {bot.name}: {bot.title}")


def _simulate(asked: argparse.Namespace) -> None:
    plan = _plan(asked)
    if asked.lost_by is not None and not 0 <= asked.lost_by < len(plan.bots):
        raise BadOption(f"--lost-by must be a seat from 0 to {len(plan.bots) - 1}, not {asked.lost_by}.")
    if asked.terminal and asked.workers > 1:
        raise BadOption("--terminal is for one process: there is one terminal.")
    began = time.perf_counter()
    if sys.stderr.isatty() and not asked.terminal:
        tally = _with_progress(plan, asked)
    else:
        tally = simulate(plan, asked.matches, workers=asked.workers, lost_by=asked.lost_by, log_dir=asked.log_dir)
    seconds = time.perf_counter() - began
    found = report(plan, tally)
    lost = tally.lost
    if asked.json:
        extra = {} if asked.lost_by is None else {"lost": lost}
        print(json.dumps({**found, **extra, "seconds": seconds}))
        return
    _print_report(found, seconds)
    _print_failures(plan, tally)
    if asked.lost_by is not None:
        print(f"Seat {asked.lost_by} did not win or share {len(lost)} of {found['matches']:,} matches.")
        if lost:
            print(f"They are matches {', '.join(map(str, lost[:20]))}{' ...' if lost[20:] else ''}; to look at one:")
            options = "".join(f" --option {name}={value}" for name, value in plan.options.items())
            bots = " ".join(plan.bots)
            print(f"  python -m games record {plan.game.name} {bots} --seed {plan.seed} --match {lost[0]}{options}")


def _with_progress(plan: Plan, asked: argparse.Namespace) -> Tally:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=asked.matches)
        return simulate(
            plan,
            asked.matches,
            workers=asked.workers,
            lost_by=asked.lost_by,
            log_dir=asked.log_dir,
            progress=lambda more: bar.advance(task, more),
        )


def _print_report(found: Report, seconds: float) -> None:
    matches = found["matches"]
    constants = {
        option.name: option.default for option in catalogue.find(found["game"]).options if option.set_by == "study"
    }
    said = {name: value for name, value in found["options"].items() if value != constants.get(name)}
    options = "".join(f" {name}={value}" for name, value in said.items())
    print(f"{found['game']}{options}: {matches:,} matches, seed {found['seed']}")
    width = max(12, *(len(row["bot"]) for row in found["seats"]))
    print(f"{'seat':>4}  {'bot':{width}} {'wins':>12} {'share':>7} {'95 % interval':>15} {'mean score':>11}")
    for seat, row in enumerate(found["seats"]):
        share = row["wins"] / matches
        low, high = (f"{end:.1%}" for end in row["interval"])
        rate = f"{row['wins']:>12,.1f} {share:>7.2%} {low:>6} - {high:>6}"
        print(f"{seat:>4}  {row['bot']:{width}} {rate} {row['mean_score']:>11.3f}")
    decisions = f"{found['decisions_per_match']:.1f} decisions a match, {found['forced']:.1%} of them forced"
    print(f"{decisions}, {found['options_per_decision']:.2f} options a decision")
    print(f"{matches / seconds:,.0f} matches a second")


def _print_failures(plan: Plan, tally: Tally) -> None:
    for failure, count in sorted(tally.failures.items()):
        _print_failure(f"Failure: {failure}, {count:,} times (the first legal move was made instead)", tally, failure)
    for kind, count in sorted(tally.broken.items()):
        _print_failure(
            f"Broken: {count:,} matches ended without a result ({kind}); none of them is counted", tally, kind
        )


def _print_failure(words: str, tally: Tally, kind: str) -> None:
    print(f"{words}. The first:")
    print("  " + tally.reports[kind][1].strip().replace("\n", "\n  "))


def _record(asked: argparse.Namespace) -> None:
    text = json.dumps(record(_plan(asked), asked.match))
    if asked.out:
        asked.out.write_text(text + "\n")
    else:
        print(text)


def _replay(asked: argparse.Namespace) -> None:
    found = records.read_file(asked.record)
    if asked.seat is not None and not 0 <= asked.seat < found["seats"]:
        raise BadOption(f"--seat must be a seat from 0 to {found['seats'] - 1}, not {asked.seat}.")
    match = records.replay(found, other_rules=asked.other_rules)
    version = catalogue.find(found["game"]).rules_version
    if found.get("rules", "") != version:
        then = found.get("rules") or "older than such numbers"
        print(f"Played by rules {then}, shown by rules {version}: what follows may be another match.")
    names = found.get("names") or [f"Seat {seat}" for seat in range(found["seats"])]
    for line in records.transcript(match, names, asked.seat, face_up=asked.open):
        print(line)


def _merge_logs(asked: argparse.Namespace) -> None:
    out = asked.out or asked.folder / logs.MERGED
    print(f"{logs.merge(asked.folder, out):,} logs are in {out}.")


def _of_the_game(asked: argparse.Namespace) -> None:
    asked.run(asked)


_COMMANDS = {"list": _list, "simulate": _simulate, "record": _record, "replay": _replay, "merge-logs": _merge_logs}

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: what is being written is tidied up
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal that knows no suits
    sys.exit(main(arguments()))
