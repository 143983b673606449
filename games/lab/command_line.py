"""The laboratory's commands of ``python -m games``: simulations, analyses, ladders, and records of matches.

This is not a ``commands.py``, whose commands would be subcommands of ``lab``.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from games import catalogue
from games.core import BadOption, Record, RulesFailed
from games.core.options import whole
from games.core.terminal import path_argument, printable, text_argument
from games.lab import ladder as ladders
from games.lab import logs, records, report_library, tables, tuning
from games.lab.analyse import Analysis, analyse, counts
from games.lab.arguments import (
    add_game,
    add_options,
    add_players,
    add_record,
    add_seats,
    add_workers,
    check_cluster,
    game_of_record,
    limits_of,
    options_of,
    positive,
    seat,
    seed_of,
    whole_number,
)
from games.lab.charts import played_lead_chart
from games.lab.faculties import FOLDER, FacultiesReport, measure
from games.lab.goal_chart import curve, curve_file
from games.lab.goals import Goal
from games.lab.leads import TooLong, lead
from games.lab.printed import (
    bars,
    growing_bar,
    print_analysis,
    print_faculties,
    print_failures,
    print_ladder,
    print_report,
    print_tuning,
    resumable,
)
from games.lab.publish import REPORT, publish
from games.lab.saved import settings_in, write_whole
from games.lab.simulate import Simulation, record, report, report_without_result, simulate

LONGEST_NAME = 12  # characters of a column


def add_to(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands. Each sets ``run``, which takes the parsed arguments and returns the exit code."""
    command = commands.add_parser("simulate", help="let bots play many matches and print statistics")
    add_game(command)
    command.add_argument("matches", metavar="N", type=positive, help="number of matches")
    add_players(command)
    add_workers(command)
    command.add_argument(
        "--out",
        type=path_argument,
        metavar="DIR",
        help="folder for the report (JSON), a row for each match (CSV), and the matches, so that the run can continue",
    )
    command.add_argument(
        "--parquet", action="store_true", help="with --out: also write the rows as Parquet (needs pyarrow)"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument(
        "--log-dir", type=path_argument, metavar="DIR", help="folder for a log of each match, game_#.csv"
    )
    command.add_argument(
        "--lost-by", type=seat, metavar="SEAT", help="list the matches this seat did not win, alone or shared"
    )
    command.add_argument(
        "--no-audit",
        action="store_true",
        help="faster: do not verify each move by a second computation, as Camel Up does",
    )
    command.set_defaults(run=_simulate)

    command = commands.add_parser("analyse", help="measure how a game plays, over many matches")
    add_game(command)
    add_seats(command)
    add_options(command)
    command.add_argument(
        "--matches", type=positive, default=100, metavar="N", help="matches of each run (default: 100)"
    )
    command.add_argument(
        "--search-matches",
        type=positive,
        metavar="N",
        help="matches of the runs with search, which take longer (default: as --matches)",
    )
    command.add_argument(
        "--strong-matches",
        type=positive,
        default=0,
        metavar="N",
        help="also let strong bots play so many matches, and one of them against easy ones; slow (default: none)",
    )
    command.add_argument(
        "--examined",
        type=positive,
        metavar="N",
        help="moves of a decision that are examined, drawn at random if there are more (default: all)",
    )
    _add_search(command)
    command.add_argument(
        "--lead",
        type=whole_number,
        nargs="+",
        default=[0],
        metavar="MATCH",
        help="matches whose lead history is drawn (default: 0)",
    )
    command.add_argument(
        "--out",
        type=path_argument,
        required=True,
        metavar="DIR",
        help="folder for the report and the matches, so that the run can continue",
    )
    command.add_argument(
        "--faculties",
        type=positive,
        default=0,
        metavar="N",
        help="also measure on so many deals what each faculty is worth; slow (default: none)",
    )
    command.set_defaults(run=_analyse)

    command = commands.add_parser(
        "faculties", help="measure what seeing one's hand, thinking ahead and moves are worth"
    )
    add_game(command)
    add_seats(command)
    add_options(command)
    command.add_argument("--matches", type=positive, default=200, metavar="N", help="number of deals (default: 200)")
    _add_search(command)
    command.add_argument(
        "--out", type=path_argument, metavar="DIR", help="folder for the figures and the matches, to continue the run"
    )
    command.set_defaults(run=_faculties)

    _add_tune(commands.add_parser("tune", help="search for the numbers of a text that come nearest to some goals"))

    command = commands.add_parser("reports", help="update the reports that come with the project")
    command.add_argument("names", metavar="NAME", nargs="*", type=text_argument, help="reports to make (default: all)")
    command.add_argument(
        "--work", type=path_argument, metavar="DIR", help="folder for the matches, so that the next run can continue"
    )
    command.add_argument("--ladders", action="store_true", help="make the ladders of bots instead")
    command.add_argument("--again", action="store_true", help="also make those that are up to date")
    command.set_defaults(run=_make_reports)

    command = commands.add_parser(
        "ladder", help="rate bots by a schedule in which each sits in every seat equally often"
    )
    add_game(command)
    add_players(command)
    add_seats(command)
    command.add_argument(
        "--matches", type=positive, default=100, metavar="N", help="minimum number of matches (default: 100)"
    )
    add_workers(command)
    command.add_argument(
        "--out",
        type=path_argument,
        metavar="DIR",
        help="folder for ladder.json, with all figures, and the matches, so that the run can continue",
    )
    command.set_defaults(run=_ladder)

    command = commands.add_parser("experiment", help="run a file that says who plays what, and write all results")
    command.add_argument("file", type=path_argument, metavar="FILE.yaml")
    command.add_argument(
        "--out", type=path_argument, metavar="DIR", help="folder for everything (default: FILE, beside the file)"
    )
    command.add_argument("--parquet", action="store_true", help="also write the matches as Parquet (needs pyarrow)")
    add_workers(command)
    command.set_defaults(run=_experiment)

    command = commands.add_parser("record", help="record one match between bots")
    add_game(command)
    add_players(command)
    command.add_argument(
        "--match", type=whole_number, default=0, help="number of the match in a simulation with this seed"
    )
    command.add_argument("--out", type=path_argument, metavar="FILE", help="file to write (default: standard output)")
    command.set_defaults(run=_record)

    command = commands.add_parser("replay", help="print the log of a recorded match")
    add_record(command)
    command.add_argument(
        "--other-rules",
        action="store_true",
        help="replay it even if the rules have changed since; it may then differ from what was played",
    )
    audience = command.add_mutually_exclusive_group()
    audience.add_argument("--seat", type=seat, help="as this seat saw it (default: as a spectator)")
    audience.add_argument("--open", action="store_true", help="with everybody's cards")
    command.set_defaults(run=_replay)

    command = commands.add_parser("lead", help="show who led when in a recorded match")
    add_record(command)
    command.add_argument("--out", type=path_argument, metavar="FILE", help="SVG file for a chart")
    command.set_defaults(run=_lead)

    command = commands.add_parser("merge-logs", help="merge the logs of many matches into one file")
    command.add_argument("folder", type=path_argument, metavar="DIR", help="folder with game_0.csv, game_1.csv, ...")
    command.add_argument(
        "--out", type=path_argument, metavar="FILE", help=f"file to write (default: DIR/{logs.MERGED})"
    )
    command.set_defaults(run=_merge_logs)


def _add_tune(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_seats(parser)
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        type=text_argument,
        metavar="NAME[=LOW..HIGH]",
        help="a number to vary, by its name in the text or its line and column, as in 24:16; without a range, from "
        "half of its value to twice as much (default: the numbers with names)",
    )
    parser.add_argument(
        "--goal",
        action="append",
        default=[],
        type=text_argument,
        metavar="NAME[=TARGET[:TOLERANCE]]",
        help="what to come near to, such as fair, length=40 or spread_corrected=.2:.05 (default: fair)",
    )
    parser.add_argument(
        "--seconds-each",
        type=_positive_seconds,
        metavar="S",
        help="seconds that people take for a decision, for the goal minutes",
    )
    parser.add_argument(
        "--matches",
        type=positive,
        default=tuning.MATCHES,
        metavar="N",
        help="matches of each candidate in the last round (default: %(default)s)",
    )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="most matches of all candidates together (default: no limit)"
    )
    parser.add_argument(
        "--cpu",
        type=_positive_seconds,
        metavar="S",
        help="CPU seconds after which it ends; the result then depends on the machine (default: no limit)",
    )
    _add_search(parser, tuning.ROLLOUTS)
    parser.add_argument(
        "--out",
        type=path_argument,
        required=True,
        metavar="DIR",
        help="folder for the report, the curves and the matches, so that the run can continue",
    )
    parser.set_defaults(run=_tune)


def _positive_seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError("must be a number above 0")
    return found


def _add_search(parser: argparse.ArgumentParser, rollouts: int = Analysis.rollouts) -> None:
    """Add the arguments of commands that search: roll-outs (and their usual number), seed and workers."""
    parser.add_argument(
        "--rollouts",
        type=positive,
        default=rollouts,
        metavar="K",
        help=f"roll-outs of each move (default: {rollouts})",
    )
    parser.add_argument(
        "--seed",
        type=text_argument,
        help="any text; the same seed gives the same figures (default: the seed of DIR, or random)",
    )
    add_workers(parser)


# -- many matches


def _kept_seed(args: argparse.Namespace) -> str:
    """Return the requested seed, else that of the folder to continue, else a random one."""
    there = (settings_in(args.out) or {}) if args.out else {}
    return seed_of(args, there.get("seed"))


def _simulation(args: argparse.Namespace, seed: str) -> Simulation:
    limits = limits_of(args)
    game = catalogue.find_or_read(args.game)
    bots = args.bots or [game.house_bot] * game.default_seats
    return Simulation.checked(game, bots, options_of(args), seed, limits, audit=not getattr(args, "no_audit", False))


def _simulate(args: argparse.Namespace) -> None:
    simulation = _simulation(args, _kept_seed(args))
    if args.lost_by is not None and not 0 <= args.lost_by < len(simulation.bots):
        raise BadOption(f"--lost-by must be a seat from 0 to {len(simulation.bots) - 1}, not {args.lost_by}.")
    if args.log_dir and isinstance(args.workers, str):
        raise BadOption("--log-dir is a folder on this machine, which a cluster cannot write to: leave out --dask.")
    if args.parquet:
        if not args.out:
            raise BadOption("--parquet needs --out, the folder to write to.")
        tables.check_parquet()
    began = time.perf_counter()
    with resumable(args.out), bars({"": args.matches}, show=not args.terminal) as advance:
        tally = simulate(
            simulation,
            args.matches,
            workers=args.workers,
            lost_by=args.lost_by,
            log_dir=args.log_dir,
            folder=args.out,
            progress=lambda more: advance("", more),
        )
    seconds = time.perf_counter() - began
    extra = {} if args.lost_by is None else {"lost": tally.lost}
    if args.json and not tally.matches:  # printed before ``report`` raises why
        print(json.dumps({**report_without_result(simulation, tally), **extra, "seconds": seconds}))
    result = report(simulation, tally)
    if args.out:
        tables.publish(simulation, args.matches, result, args.out, parquet=args.parquet)
    if args.json:
        print(json.dumps({**result, **extra, "seconds": seconds}))
        return
    print_report(simulation, result, None if args.out else seconds)
    firsts = {kind: sample["text"] for kind, sample in result["samples"].items()}
    print_failures(result["failures"], result["broken"], firsts)
    if args.lost_by is not None:
        _print_lost(simulation, args, tally.lost, result["matches"])
    if args.out:
        print(f"The report, and a row for each match, are in {args.out}.")


def _experiment(args: argparse.Namespace) -> None:
    from games.lab import experiment  # needs a library that no other command does

    if args.parquet:
        tables.check_parquet()
    asked = experiment.Experiment.read(args.file)
    check_cluster(args.workers, (bot for case in asked.cases for bot in case.bots))
    folder = args.out or args.file.with_suffix("")
    with resumable(folder), bars({"": asked.matches * len(asked.cases)}) as advance:
        results = experiment.run(asked, folder, workers=args.workers, progress=lambda more: advance("", more))
    experiment.publish(asked, results, folder, parquet=args.parquet)
    for number, result in enumerate(results, 1):
        print(f"{number}. {experiment.describe(result.case)}: {result.matches:,} matches")
        for bot in result.bots:
            interval = f"{100 * bot['low']:.1f} to {100 * bot['high']:.1f}"
            print(f"   {bot['bot']}: {100 * bot['share']:.1f} % of wins ({interval}), fair {100 * bot['fair']:.1f} %")
        for kind, count in sorted((result.broken + result.failures).items()):
            print(f"   {kind}: {count:,}")
    print(f"The tables, charts and the page are in {folder}.")


def _print_lost(simulation: Simulation, args: argparse.Namespace, lost: Sequence[int], matches: int) -> None:
    print(f"Seat {args.lost_by} did not win or share {len(lost)} of {matches:,} matches.")
    if lost:
        print(f"Their numbers: {', '.join(map(str, lost[:20]))}{' ...' if lost[20:] else ''}; to see the first:")
        options = "".join(f" --option {name}={value}" for name, value in simulation.options.items())
        bots = " ".join(simulation.bots)
        game = shlex.quote(args.game)
        print(f"  python -m games record {game} {bots} --seed {simulation.seed} --match {lost[0]}{options}")


def _analyse(args: argparse.Namespace) -> int:
    game = catalogue.find_or_read(args.game)
    analysis = Analysis.checked(game, args.seats, options_of(args), _kept_seed(args), args.rollouts, args.examined)
    many = counts(analysis, args.matches, args.search_matches, args.strong_matches)
    with resumable(args.out), bars(many) as advance:
        played = analyse(
            analysis,
            args.matches,
            args.out,
            searched=args.search_matches,
            strong=args.strong_matches,
            workers=args.workers,
            progress=advance,
        )
    worths = _measured_worths(analysis, args.faculties, args.out / FOLDER, args)["faculties"] if args.faculties else []
    made = publish(
        analysis, args.matches, played, args.out, args.lead, args.search_matches, args.strong_matches, worths
    )
    print_analysis(made, args.out)
    return 0 if any(run.histories for run in played.values()) else 1


def _faculties(args: argparse.Namespace) -> None:
    game = catalogue.find_or_read(args.game)
    analysis = Analysis.checked(game, args.seats, options_of(args), _kept_seed(args), args.rollouts)
    with TemporaryDirectory() as temporary:
        result = _measured_worths(analysis, args.matches, args.out or Path(temporary), args)
    if args.out:
        write_whole(args.out / "faculties.json", json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print_faculties(result)


def _measured_worths(analysis: Analysis, matches: int, folder: Path, args: argparse.Namespace) -> FacultiesReport:
    with resumable(args.out), growing_bar() as progress:
        return measure(analysis, matches, folder, workers=args.workers, progress=progress)


def _tune(args: argparse.Namespace) -> int:
    game = catalogue.find_or_read(args.game)
    analysis = Analysis.checked(game, args.seats, {}, _kept_seed(args), args.rollouts)
    vary = dict(map(_varied, args.vary))
    goals = [_goal(each) for each in args.goal or ["fair"]]
    search = tuning.Tuning.checked(analysis, vary, goals, args.seconds_each, args.matches, args.budget)
    with resumable(args.out), growing_bar() as progress:
        made = tuning.tune(search, args.out, workers=args.workers, seconds=args.cpu, progress=progress)
    write_whole(args.out / REPORT, json.dumps(made, indent=2, ensure_ascii=False) + "\n")
    for goal in goals:
        if svg := curve(made, goal.name):
            write_whole(args.out / curve_file(goal.name), svg)
    print_tuning(made, args.out)
    return 0 if any(each["figures"] for each in made["candidates"]) else 1


def _varied(asked: str) -> tuple[str, tuple[int, int] | None]:
    """Return the name and the range of NAME=LOW..HIGH. Raises BadOption."""
    name, equals, ends = asked.partition("=")
    if not equals:
        return name, None
    low, high = (whole(end) for end in (*ends.split("..", 1), "")[:2])
    if low is None or high is None:
        raise BadOption(f"Write a number to vary as NAME or NAME=LOW..HIGH, not {asked[:40]!r}.")
    return name, (low, high)


def _goal(asked: str) -> Goal:
    """Return the goal NAME=TARGET:TOLERANCE. Raises BadOption."""
    name, _, rest = asked.partition("=")
    try:
        target, tolerance = (float(end) if end else None for end in (*rest.split(":", 1), "")[:2])
    except ValueError:
        raise BadOption(f"Write a goal as NAME, NAME=TARGET or NAME=TARGET:TOLERANCE, not {asked[:40]!r}.") from None
    return Goal.checked(name, target, tolerance)


def _make_reports(args: argparse.Namespace) -> None:
    known = {subject.name: subject for subject in report_library.subjects()}
    if unknown := [name for name in args.names if name not in known]:
        raise BadOption(f"There is no report {unknown[0][:40]!r}. The reports are: {', '.join(known)}.")
    if args.ladders:
        _make_ladders([known[name] for name in args.names or known], again=args.again)
        return
    for name in args.names or known:
        if args.again or not report_library.is_current(known[name], report_library.SHIPPED):
            made = report_library.make(known[name], work=args.work)
            print(f"{name}: {made['matches']:,} matches, {made['search_matches']:,} with search", flush=True)
    if not args.names:
        for name in report_library.tidy():
            print(f"{name}: removed, because the catalogue does not list this game")


def _make_ladders(subjects: Sequence[report_library.Subject], *, again: bool) -> None:
    for subject in subjects:
        if subject.options or (not again and report_library.is_current_ladder(subject)):
            continue
        if made := report_library.make_ladder(subject):
            print(f"{subject.name}: {made['matches']:,} matches of {', '.join(made['bots'])}", flush=True)


def _ladder(args: argparse.Namespace) -> None:
    limits = limits_of(args)
    game = catalogue.find_or_read(args.game)
    bots = args.bots or [kind.name for kind in catalogue.bots(game)]
    ladder = ladders.Ladder.checked(game, bots, args.seats, options_of(args), _kept_seed(args), limits)
    with TemporaryDirectory() as temporary:
        folder = args.out or Path(temporary)

        def print_finished() -> None:
            with suppress(RulesFailed):  # no match has ended
                print_ladder(ladders.report(ladder, ladders.deals_in(folder, ladder, args.matches)))

        many = ladder.deals(args.matches) * len(ladder.bots)
        with resumable(args.out, print_finished), bars({"": many}, show=not args.terminal) as advance:
            deals = ladders.play(
                ladder, args.matches, folder, workers=args.workers, progress=lambda more: advance("", more)
            )
    result = ladders.report(ladder, deals)
    if args.out:
        write_whole(args.out / report_library.LADDER, json.dumps(result, indent=2) + "\n")
    print_ladder(result)


# -- one match


def _record(args: argparse.Namespace) -> None:
    text = json.dumps(record(_simulation(args, seed_of(args)), args.match))
    if args.out:
        args.out.write_text(text + "\n")
    else:
        print(text)


def _names(record: Record) -> list[str]:
    return record.get("names") or [f"Seat {seat}" for seat in range(record["seats"])]


def _replay(args: argparse.Namespace) -> None:
    record = records.read_file(args.record)
    if args.seat is not None and not 0 <= args.seat < record["seats"]:
        raise BadOption(f"--seat must be a seat from 0 to {record['seats'] - 1}, not {args.seat}.")
    game = game_of_record(args, record["game"])
    match = records.replay(record, game, other_rules=args.other_rules)
    version = game.rules_version
    if record.get("rules", "") != version:
        then = f"version {record['rules']}" if record.get("rules") else "an older version"
        print(f"Played by {then} of the rules, replayed by version {version}: it may differ from what was played.")
    names = _names(record)
    for line in records.transcript(match, names, args.seat, face_up=args.open):
        print(printable(line))
    if records.result_differs(match, record):
        print("The record has another result: the replay may differ from what was played.")


def _lead(args: argparse.Namespace) -> int:
    record = records.read_file(args.record)
    game = game_of_record(args, record["game"])
    match = records.replay(record, game)
    names = _names(record)
    try:
        made = lead(game, record["seats"], match.options, bytes.fromhex(record["seed"]), match.moves)
    except TooLong as error:
        print(error, file=sys.stderr)
        return 1
    print("moves  " + "  ".join(f"{printable(name)[:LONGEST_NAME]:>{LONGEST_NAME}}" for name in names))
    for index, point in enumerate(made["points"]):
        row = (line[index] for line in made["lines"])
        print(f"{point:>5}  " + "  ".join(f"{'?' if each is None else f'{each:.3f}':>{LONGEST_NAME}}" for each in row))
    print(f"Mean {'score' if made['alone'] else 'scaled rank'} of {made['rollouts']} roll-outs at each decision.")
    if args.out:
        args.out.write_text(played_lead_chart(made, game.title, names), encoding="utf-8")
    return 0


def _merge_logs(args: argparse.Namespace) -> None:
    out = args.out or args.folder / logs.MERGED
    print(f"Merged {logs.merge(args.folder, out):,} logs into {out}.")
