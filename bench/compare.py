"""Compares the speed of the working tree with that of another commit: ``make bench-compare COMMIT=main~5``.

It measures twelve key figures of both, in alternating runs, with the benchmarks of the working tree. That takes about
seven minutes. Each figure is printed with the ratio of the two: above 1 the working tree is better, whatever the unit.
The ratio is the median of the rounds, with their range. Figures that became more than 10 % worse, and those that could
not be measured, are named at the end; then the exit code is 1. A wide range means that the machine was busy: run it
again.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness.command import parser_of
from bench.harness.running import ROOT

WORSE = 0.9  # a ratio below this counts as a loss of more than 10 %
HIGHER_IS_BETTER, LOWER_IS_BETTER = 1, -1  # exponents of after / before, so that a ratio above 1 is always better

Values = dict[str, float]


class Run(NamedTuple):
    """A benchmark to run on both sides."""

    command: tuple[str, ...]  # the module and its arguments
    better: int  # HIGHER_IS_BETTER or LOWER_IS_BETTER, for all of its figures
    figures: Callable[[Any], Values]  # takes the figures from its JSON


def simulation_of(game: str) -> Run:
    """Return the run that simulates a game with random bots."""
    command = ("bench.speed", "matches", game, "--bot", "random", "--seconds", "2")
    return Run(
        command, HIGHER_IS_BETTER, lambda result: {f"{game}: matches": result["figures"][0]["matches_per_cpu_second"]}
    )


RUNS = (
    *map(simulation_of, ("hamsterdam", "bundles", "enchere", "camelup", "thief")),
    Run(
        ("bench.speed", "texts", "--seconds", "0.1"),
        HIGHER_IS_BETTER,
        lambda result: {
            "texts: roll-outs": statistics.geometric_mean(game["rollouts_from_the_deal"] for game in result["games"])
        },
    ),
    Run(
        ("bench.speed", "decisions", "hamsterdam", "bundles", "--decisions", "40"),
        LOWER_IS_BETTER,
        lambda result: {
            "search: ms a decision": statistics.geometric_mean(
                figure["milliseconds_a_decision"] for figure in result["figures"]
            )
        },
    ),
    Run(
        ("bench.live", "--matches", "50", "--seconds", "3"),
        HIGHER_IS_BETTER,
        lambda result: {
            "site: moves": result["moves_per_cpu_second_without_starts"],
            "site: starts": 1000 / result["start_cpu_ms"],
        },
    ),
    Run(
        ("bench.live", "--matches", "1", "--spectators", "300", "--seconds", "3"),
        HIGHER_IS_BETTER,
        lambda result: {"site: deliveries": result["deliveries_per_cpu_second"]},
    ),
    Run(
        ("bench.browser", "visits", "board", "--fast", "--times", "3"),
        LOWER_IS_BETTER,
        lambda result: {
            "first visit: bytes": result["board"]["here"]["bytes"],
            "first visit: ms to the first turn": result["board"]["here"]["first_turn_ms"],
        },
    ),
)


def measure(run: Run, folder: Path) -> Values:
    """Return the figures of a run in a checkout. Raises RuntimeError with the last line of its errors if it fails."""
    done = subprocess.run([sys.executable, "-m", *run.command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return run.figures(json.loads(done.stdout))


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Yield a temporary folder with a commit checked out, and with the benchmarks of the working tree."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "before")
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, commit], cwd=ROOT, check=True)
        try:
            shutil.rmtree(folder / "bench")
            shutil.copytree(ROOT / "bench", folder / "bench", ignore=shutil.ignore_patterns("__pycache__"))
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], cwd=ROOT, check=True)


def main() -> None:
    parser = parser_of("compare", __doc__)
    parser.add_argument("commit", help="the commit that the working tree is compared with")
    parser.add_argument(
        "--rounds", type=int, default=3, help="runs of each figure on both sides (default: %(default)s)"
    )
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("--rounds must be at least 1.")
    worse: list[str] = []
    failed: list[str] = []
    print(f"{'figure':36} {'before':>12} {'after':>12}  ratio (range)", flush=True)
    with checkout(asked.commit) as old:
        for run in RUNS:
            try:
                rounds = [measure_both(run, old, swapped=number % 2 == 1) for number in range(asked.rounds)]
            except RuntimeError as error:
                failed.append(f"{' '.join(run.command)}: {error}")
                continue
            for name in rounds[0][0]:
                ratios = [(after[name] / before[name]) ** run.better for before, after in rounds]
                middle = statistics.median(ratios)
                before, after = (statistics.median(side[name] for side in sides) for sides in zip(*rounds, strict=True))
                spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
                print(f"{name:36} {before:12,.1f} {after:12,.1f}   {middle:.2f} {spread}", flush=True)
                worse += [name] if middle < WORSE else []
    for message in failed:
        print("Could not be measured:", message)
    print("More than 10 % worse:", ", ".join(worse) or "nothing")
    sys.exit(bool(worse or failed))


def measure_both(run: Run, old: Path, *, swapped: bool) -> tuple[Values, Values]:
    """Return the figures of the commit and of the working tree. With ``swapped`` the working tree is measured first."""
    figures = {folder: measure(run, folder) for folder in ((ROOT, old) if swapped else (old, ROOT))}
    return figures[old], figures[ROOT]


if __name__ == "__main__":
    main()
