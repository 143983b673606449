"""What the laboratory's commands print: progress bars and results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from games.core.terminal import lines, one_line
from games.lab.explained import faculty_title
from games.lab.faculties import FacultiesReport
from games.lab.findings import advice, details, doubts, findings, nothing
from games.lab.intervals import FEW
from games.lab.ladder import LadderReport
from games.lab.pool import ClusterFailed
from games.lab.report_library import usual
from games.lab.report_types import AnalysisReport, Faculty, Figure
from games.lab.reports import BY_SKILL, alone
from games.lab.simulate import Simulation, SimulationReport
from games.lab.tuning import CandidateReport, TuningReport

Name = TypeVar("Name", bound=str)
WIDE = 24  # characters of the names of measures


def print_report(simulation: Simulation, report: SimulationReport, seconds: float | None) -> None:
    """Print the results of a simulation, and its speed if all of its matches were played now."""
    matches = report["matches"]
    constants = {option.name: option.default for option in simulation.game.options if option.set_by == "study"}
    changed = {name: value for name, value in report["options"].items() if value != constants.get(name)}
    options = "".join(f" {name}={value}" for name, value in changed.items())
    print(f"{report['game']}{options}: {matches:,} matches, seed {report['seed']}")
    width = max(12, *(len(row["bot"]) for row in report["seats"]))
    print(f"{'seat':>4}  {'bot':{width}} {'wins':>12} {'share':>7} {'95 % interval':>15} {'mean score':>11}")
    for seat, row in enumerate(report["seats"]):
        share = row["wins"] / matches
        low, high = (f"{end:.1%}" for end in row["interval"])
        rate = f"{row['wins']:>12,.1f} {share:>7.2%} {low:>6} - {high:>6}"
        print(f"{seat:>4}  {row['bot']:{width}} {rate} {row['mean_score']:>11.3f}")
    decisions = f"{report['decisions_per_match']:.1f} decisions a match, {report['forced']:.1%} of them forced"
    print(f"{decisions}, {report['options_per_decision']:.2f} options a decision")
    if seconds is not None:
        print(f"{matches / seconds:,.0f} matches a second")


def print_failures(failures: Mapping[str, int], broken: Mapping[str, int], firsts: Mapping[str, str]) -> None:
    """Print failures of bots and of rules, by kind; ``firsts`` has details of the first of each kind."""
    for failure, count in failures.items():
        _print_failure(f"Failure: {failure}, {count:,} times (the first legal move was made instead)", failure, firsts)
    for kind, count in broken.items():
        words = f"Broken: {count:,} matches ended without a result ({kind}); none of them is counted"
        _print_failure(words, kind, firsts)


def _print_failure(words: str, kind: str, firsts: Mapping[str, str]) -> None:
    if kind not in firsts:
        print(words)
        return
    print(f"{words}. The first:")
    print(_indented(firsts[kind]))


def _indented(text: str) -> str:
    return "  " + lines(text.strip()).replace("\n", "\n  ")


def print_analysis(report: AnalysisReport, folder: Path) -> None:
    """Print the findings and the measures of an analysis, and the folder with the rest."""
    fewer = report["search_matches"]
    many = f"{report['matches']:,} matches a run" + (f" ({fewer:,} with search)" if fewer < report["matches"] else "")
    print(f"{report['subject']}: {many}, {report['player']}, seed {report['seed']}")
    _print_findings(report)
    full = report["measures_full_ties"]
    print(f"{'':{WIDE}}{'value':>9} {'95 % interval':>19} {'matches':>9}  {'ties in full':>30}")
    for name, figure in report["measures"].items():
        tied = f"  {_figure(full[name])}" if name in full else ""
        print(f"{name:{WIDE}}{_figure(figure)} {figure['matches']:>9,}{tied}")
    if report["seats"] == 1 and report["measures"]:
        for name, figure in alone(report):
            print(f"{name:{WIDE}}{_figure(figure)} {figure['matches']:>9,}")
    else:
        for name, why in report["left_out"].items():
            print(f"{name:{WIDE}} left out: {why}")
        _print_seats(report)
    if faculties := report.get("faculties"):
        _print_worths(faculties)
    for note in report["notes"] if report["seats"] > 1 else ():
        print(note)
    for run, each in report["runs"].items():
        for kind, sample in each["samples"].items():
            print(f"Broken: {each['broken'][kind]:,} matches of the run {run} ({kind}). The first, {sample['match']}:")
            print(_indented(sample["text"]))
    print(f"The report, the decisions as a table and the charts are in {folder}.")


def _print_findings(report: AnalysisReport) -> None:
    found = findings(report, usual())
    for each in found:
        print(f"- {each['text']} ({', '.join(details(each))})")
        print(f"  {advice(each)}")
    if not found:
        print(f"- {nothing(report)}")
        if report["seats"] > 1 and report["search_matches"] >= FEW and "faculties" not in report:
            print("  An option that is a little worse than others looks best in some roll-outs, so it may be missed:")
            print("  --faculties 300 measures what each option is worth.")
            for doubt in doubts(report):
                print(f"  {doubt.text()}")


def _print_seats(report: AnalysisReport) -> None:
    """Print the wins by seat of each run in which all seats play alike."""
    for run, title in BY_SKILL.items():
        if run in report["basics"]:
            for seat, each in enumerate(report["basics"][run]["seats"], 1):
                name = f"seat {seat}, {title.lower()}"
                print(f"{name:{WIDE}}{_figure(each['wins'])} {each['wins']['matches']:>9,}")


def _figure(figure: Figure) -> str:
    low, high = ("?" if end is None else f"{end:.3f}" for end in (figure["low"], figure["high"]))
    return f"{figure['value']:>9.3f} {low:>8} - {high:>8}"


def print_ladder(report: LadderReport) -> None:
    """Print the standings of a ladder."""
    print(f"{report['subject']}: {report['matches']:,} matches on {report['rounds']:,} deals, seed {report['seed']}")
    width = max(12, *(len(row["bot"]) for row in report["standings"]))
    print(f"{'bot':{width}} {'rating':>7} {'95 % interval':>15} {'wins':>7} {'95 % interval':>15} {'seats':>6}")
    for row in report["standings"]:
        low, high = ("?" if end is None else f"{end:.0f}" for end in (row["low"], row["high"]))
        won = f"{row['win']:>7.1%} {row['win_low']:>6.1%} - {row['win_high']:>6.1%} {row['seats']:>6,}"
        print(f"{row['bot']:{width}} {row['rating']:>7.0f} {low:>6} - {high:>6} {won}")
    print_failures(report["failures"], report["broken"], {})


def print_faculties(report: FacultiesReport) -> None:
    """Print what each faculty is worth."""
    player = f"pimc-{report['rollouts']}"
    print(f"{report['subject']}: {report['matches']:,} deals, {player}, seed {report['seed']}")
    _print_worths(report["faculties"])
    print_failures({}, report["broken"], {})


def _print_worths(faculties: Sequence[Faculty]) -> None:
    """Print a table: what each faculty is worth, and how often a player without it wins."""
    names = [faculty_title(each) for each in faculties]
    width = max([WIDE, *map(len, names)])
    print(f"{'faculty':{width}} {'worth':>7} {'95 % interval':>17} {'wins without':>13} {'deals':>6}")
    for name, each in zip(names, faculties, strict=True):
        worth = each["worth"]
        low, high = ("?" if end is None else f"{end:.1%}" for end in (worth["low"], worth["high"]))
        without = each["wins"]["value"]
        print(f"{name:{width}} {worth['value']:>7.1%} {low:>7} - {high:>7} {without:>13.1%} {worth['matches']:>6,}")


def print_tuning(report: TuningReport, folder: Path) -> None:
    """Print the candidates of a search, the best first, and the folder with the rest."""
    numbers = report["numbers"]
    print(f"{report['subject']}: {len(report['candidates'])} candidates, {report['player']}, seed {report['seed']}")
    for name, each in numbers.items():
        values = ", ".join(map(str, each["values"]))
        print(f"  {name}, now {each['now']}: {values}   {each['around']}")
    if (drawn := len(report["candidates"])) < report["combinations"]:
        print(f"  {drawn} of {report['combinations']:,} combinations, drawn by the seed")
    for goal in report["goals"]:
        print(f"  goal {goal['name']}: {goal['target']:g} ± {goal['tolerance']:g}")
    for place, played in enumerate(report["rounds"], 1):
        print(f"  round {place}: {played['candidates']} candidates, up to {played['matches']} matches each")
    print(f"  {STOPPED[report['stopped'] or 'rounds']}")
    goals = [str(goal["name"]) for goal in report["goals"]]
    widths = {name: max(len(name), 6) for name in numbers}
    head = "  ".join(f"{name:>{width}}" for name, width in widths.items())
    print(f"  {head} {'matches':>8}  " + "  ".join(f"{name:^31}" for name in goals))
    for candidate in report["candidates"]:
        print(_candidate_line(candidate, widths, goals))
    print(f"Intervals are wide enough for all {report['comparisons']:,} figures together.")
    print("* No candidate that was left at the end is better. = The text as it is.")
    print(f"The report and the curves are in {folder}.")


STOPPED = {
    "rounds": "All rounds have been played.",
    "clear": "It is clear which goals are met: the search ended early.",
    "matches": "The budget of matches is spent: the search ended early.",
    "seconds": "The CPU seconds are spent: the search ended early, and another run may differ.",
}


def _candidate_line(candidate: CandidateReport, widths: Mapping[str, int], goals: Sequence[str]) -> str:
    mark = ("*" if candidate["best"] else " ") + ("=" if candidate["is_now"] else " ")
    values = "  ".join(f"{candidate['values'][name]:>{width}}" for name, width in widths.items())
    line = f"{mark}{values} {candidate['matches']:>8,}  "
    if candidate["state"] == "no text":
        return f"{line}no game: {one_line(candidate['why'])}"
    if candidate["state"] == "broken":
        return f"{line}{candidate['broken']:,} matches broke off: {one_line(candidate['why'])}"
    figures = (candidate["figures"].get(name) for name in goals)
    return (
        line
        + "  ".join(
            f"{_short(each)} {'too few' if each['verdict'] == 'few' else each['verdict']:<7}" if each else f"{'?':^31}"
            for each in figures
        )
        + ("  dropped" if candidate["state"] == "dropped" else "")
    )


def _short(figure: Figure) -> str:
    low, high = ("?" if end is None else f"{end:.3g}" for end in (figure["low"], figure["high"]))
    return f"{figure['value']:>7.3g} {low:>6} - {high:>6}"


@contextmanager
def resumable(folder: Path | None, print_finished: Callable[[], object] = lambda: None) -> Iterator[None]:
    """If a run ends early, print how to continue it; before, ``print_finished`` prints the figures so far.

    ``folder`` keeps the matches; None: nothing does.
    """
    try:
        yield
    except (KeyboardInterrupt, ClusterFailed):
        print_finished()
        sys.stdout.flush()
        how = f"Finished matches are saved in {folder}; repeat the command to continue."
        print(how if folder else "With --out DIR finished matches are saved, to continue later.", file=sys.stderr)
        raise


@contextmanager
def growing_bar() -> Iterator[Callable[[int, int], object]]:
    """Show a progress bar whose total may grow, and yield a function ``progress(total, more)``."""
    if not sys.stderr.isatty():
        yield lambda total, more: None
        return
    from rich.console import Console  # not at the top: it is slow to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None)
        yield lambda total, more: bar.update(task, total=total, advance=more)


@contextmanager
def bars(totals: Mapping[Name, int], *, show: bool = True) -> Iterator[Callable[[Name, int], object]]:
    """Show a progress bar for each name, and yield a function ``advance(name, more)``.

    Show nothing if standard error is not a terminal, or if ``show`` is false.
    """
    if not (show and sys.stderr.isatty()):
        yield lambda name, more: None
        return
    from rich.console import Console  # not at the top: it is slow to import
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    # A single bar has no name: then no column is kept for names.
    titles = [TextColumn("{task.description}")] if any(totals) else []
    columns = *titles, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {name: bar.add_task(name, total=total) for name, total in totals.items()}
        yield lambda name, more: bar.advance(tasks[name], more)
