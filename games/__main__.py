"""The command line: ``python -m games``. Lists the games, lets bots play them, replays records."""

from __future__ import annotations

import argparse
import json
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from games import catalogue
from games.core import BadOption, BadRecord, RulesFailed
from games.lab import logs, records
from games.lab.guests import USUAL, GuestFailed, Limits, arguments
from games.lab.simulate import INTERRUPTED, Plan, Report, Tally, record, report, simulate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns the exit code: 0 done, 1 a guest or the rules failed, 2 asked for the impossible, 130 interrupted.
    """
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        _COMMANDS.get(asked.command, _of_the_game)(asked)
    except RulesFailed as failed:
        print(f"{parser.prog} {asked.command}: the rules broke down. {failed}", file=sys.stderr)
        return 1
    except (BadOption, BadRecord, logs.BadLogs, catalogue.UnknownGame, catalogue.UnreadableGame, OSError) as error:
        print(f"{parser.prog} {asked.command}: {error}", file=sys.stderr)
        return 2
    except GuestFailed as failed:
        print(f"{parser.prog} {asked.command}: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description="Games between bots, and records of games.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser("list", help="list the games, their options and their bots")

    many = commands.add_parser("simulate", help="let bots play many matches and count what comes of it")
    many.add_argument("game", metavar="GAME")
    many.add_argument("matches", metavar="N", type=_positive, help="how many matches")
    _add_players(many)
    many.add_argument("--workers", type=_positive, default=1, help="processes to use (default: 1)")
    many.add_argument("--json", action="store_true", help="print one JSON object")
    many.add_argument("--log-dir", type=Path, metavar="DIR", help="write a log of each match there, as game_#.csv")
    many.add_argument(
        "--lost-by", type=int, metavar="SEAT", help="list the matches that this seat did not win or share"
    )

    one = commands.add_parser("record", help="write down one match between bots")
    one.add_argument("game", metavar="GAME")
    _add_players(one)
    one.add_argument("--match", type=_index, default=0, help="number of the match in a simulation with this seed")
    one.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: to the terminal)")

    again = commands.add_parser("replay", help="print the log of a recorded match")
    again.add_argument("record", type=Path, metavar="RECORD.json")
    again.add_argument(
        "--other-rules", action="store_true", help="even if the rules have changed since: then it may be another match"
    )
    audience = again.add_mutually_exclusive_group()
    audience.add_argument("--seat", type=int, help="as this seat saw it (default: as a watcher did)")
    audience.add_argument("--open", action="store_true", help="with everybody's cards")

    together = commands.add_parser("merge-logs", help="put the logs of many matches into one file")
    together.add_argument("folder", type=Path, metavar="DIR", help="where game_0.csv, game_1.csv, ... are")
    together.add_argument("--out", type=Path, metavar="FILE", help=f"where to write it (default: DIR/{logs.MERGED})")

    for game in catalogue.listed():
        if found := catalogue.part(game.name, "commands"):
            found.add_to(commands.add_parser(game.name, help=f"more about {game.title}"))
    return parser


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", metavar="BOT", nargs="+", help="a bot for each seat: its name, or FILE.py:CLASS")
    parser.add_argument("--seed", help="any text: the same seed gives the same matches (default: a random one)")
    guests = parser.add_argument_group("bots that are FILE.py:CLASS")
    guests.add_argument(
        "--seconds", type=float, default=USUAL.seconds, help=f"of CPU for one decision (default: {USUAL.seconds:g})"
    )
    guests.add_argument(
        "--megabytes", type=_positive, default=USUAL.megabytes, help=f"of memory (default: {USUAL.megabytes})"
    )
    guests.add_argument("--abort", action="store_true", help="stop when one fails, instead of moving for it")
    guests.add_argument("--show-output", action="store_true", help="show what they print")
    guests.add_argument(
        "--terminal",
        action="store_true",
        help="let them read and write the terminal: for a person, who has all the time",
    )
    parser.add_argument("--option", action="append", nargs="+", default=[], metavar="NAME=VALUE", dest="options")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _index(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must be 0 or more")
    return number


def _plan(asked: argparse.Namespace) -> Plan:
    options: dict[str, str] = {}
    for pair in (pair for group in asked.options for pair in group):
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"Write an option as NAME=VALUE, not {pair!r}.")
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
            print(f"    option {option.name}={option.allowed}, usually {option.default}: {option.help or option.label}")
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
    found = records.read(asked.record.read_text())
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
    sys.exit(main(arguments()))
