"""What a change costs: ``make bench-compare COMMIT=main~5``, in about seven minutes.

Measures about ten key figures of the working tree and of another commit in alternating runs, both by the scripts of the
working tree, and prints each as a ratio: above 1 is better than the commit, whatever the unit. The ratio is the median
of those of the rounds; a figure that lost more than 10 % in it is named at the end, and the exit code is 1 then. On a
machine that does other work the ratios scatter, and the range that is printed says so.
"""

from __future__ import annotations

import argparse
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

ROOT = Path(__file__).resolve().parent.parent
LOSS = 0.9  # a ratio below which a figure has lost
FASTER, SHORTER = 1, -1  # whether more is better, or less

Values = dict[str, float]


class Run(NamedTuple):
    """One command, and what of its JSON is a figure: higher is better if ``better`` is FASTER."""

    command: tuple[str, ...]
    better: int
    figures: Callable[[Any], Values]


def simulated(game: str) -> Run:
    """Return the run that simulates a game by random bots."""
    command = ("-m", "bench.speed", "matches", game, "--bot", "random", "--seconds", "2")
    return Run(command, FASTER, lambda result: {f"{game}: matches": result["figures"][0]["matches_per_cpu_second"]})


RUNS = (
    *map(simulated, ("hamsterdam", "bundles", "enchere", "camelup", "thief")),
    Run(
        ("-m", "bench.speed", "texts", "--seconds", "0.1"),
        FASTER,
        lambda result: {
            "texts: roll-outs": statistics.geometric_mean(game["rollouts_from_the_deal"] for game in result["games"])
        },
    ),
    Run(
        ("-m", "bench.speed", "decisions", "hamsterdam", "bundles", "--decisions", "40"),
        SHORTER,
        lambda result: {
            "search: ms a decision": statistics.geometric_mean(
                figure["milliseconds_a_decision"] for figure in result["figures"]
            )
        },
    ),
    Run(
        ("bench/live.py", "--matches", "50", "--seconds", "3", "--json"),
        FASTER,
        lambda result: {
            "site: moves": result["moves_per_cpu_second_without_starts"],
            "site: starts": 1000 / result["start_cpu_ms"],
        },
    ),
    Run(
        ("bench/live.py", "--matches", "1", "--spectators", "300", "--seconds", "3", "--json"),
        FASTER,
        lambda result: {"site: deliveries": result["deliveries_per_cpu_second"]},
    ),
    Run(
        ("bench/first_visit.py", "board", "--fast", "--times", "3"),
        SHORTER,
        lambda result: {
            "first visit: bytes": result["board"]["here"]["bytes"],
            "first visit: ms to the first turn": result["board"]["here"]["first_turn_ms"],
        },
    ),
)


def measure(run: Run, folder: Path) -> Values:
    """Return the figures of one run in a checkout. Raises RuntimeError with its output if it fails."""
    done = subprocess.run([sys.executable, *run.command], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return run.figures(json.loads(done.stdout))


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Lay out a commit in a folder, with the benchmarks of the working tree."""
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
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description="What a change costs, as ratios.")
    parser.add_argument("commit", help="what to compare the working tree with")
    parser.add_argument("--rounds", type=int, default=3, help="alternating runs of each (default: %(default)s)")
    asked = parser.parse_args()
    lost: list[str] = []
    failed: list[str] = []
    with checkout(asked.commit) as old:
        for run in RUNS:
            try:
                rounds = [both(run, old, swapped=number % 2 == 1) for number in range(asked.rounds)]
            except RuntimeError as error:
                failed.append(f"{' '.join(run.command)}: {error}")
                continue
            for name in rounds[0][0]:
                ratios = [(after[name] / before[name]) ** run.better for before, after in rounds]
                middle = statistics.median(ratios)
                before, after = (statistics.median(side[name] for side in sides) for sides in zip(*rounds, strict=True))
                spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
                print(f"{name:36} {before:12,.1f} {after:12,.1f}   {middle:.2f}  {spread}", flush=True)
                lost += [name] if middle < LOSS else []
    for message in failed:
        print("Could not be measured:", message)
    print("Lost more than 10 %:", ", ".join(lost) or "nothing")
    sys.exit(bool(lost or failed))


def both(run: Run, old: Path, *, swapped: bool) -> tuple[Values, Values]:
    """Measure the commit and the working tree, the latter first if ``swapped``. Return the figures of either."""
    figures = {folder: measure(run, folder) for folder in ((ROOT, old) if swapped else (old, ROOT))}
    return figures[old], figures[ROOT]


if __name__ == "__main__":
    main()
