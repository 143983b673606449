"""The study of the baselines, ``docs/studies/baselines.md``: ``python -m docs.studies.baselines``.

Algorithms of libraries on games of this project: OpenSpiel's CFR, CFR+ and MCCFR on two small games of poker, and an
agent of sb3-contrib (MaskablePPO) on Agram. Each run is kept as it ends, so an interrupted study continues.

It needs ``pip install open-spiel``, and ``pip install sb3-contrib`` for the agent (``--decisions 0`` leaves it out).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean
from typing import Any, TypedDict

from docs.studies.publish import SHIPPED, command, counted, percent, resumed, table
from games import catalogue
from games.core import Game
from games.lab.charts import UNIT, Chart, ticks
from games.lab.report_types import Figure
from games.lab.simulate import Simulation, play_match
from games.recycle.game import RecycleGame

NAME = "baselines"
ROOT = SHIPPED.parents[1]
LEDUC = "docs/examples/leduc.rcy"
SOLVED = {"kuhn": "Kuhn poker, one hand", "leduc": "Leduc Hold'em"}
OWN = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}  # the same games as they come with OpenSpiel
CFR, PLUS, SAMPLING, THEIRS = "CFR", "CFR+", "external-sampling MCCFR", "CFR on OpenSpiel's own game"
LEARNED, SEATS = "agram", 2
OPPONENTS = ("random", "house")
PACKAGES = ("open-spiel", "sb3-contrib", "stable-baselines3", "torch", "numpy")
STEPS = 1024  # decisions from which the agent learns at a time
LOOKS = 6  # how often the agent is measured while it learns, besides at the beginning


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    iterations: int = 200  # of CFR and CFR+
    sampled: int = 10_000  # of MCCFR
    runs: int = 3  # of everything that draws at random
    decisions: int = 49_152  # of the agent while it learns; 0: there is no agent
    evaluated: int = 500  # matches against random bots each time that the agent is measured
    searched: int = 200  # the same against the house bot, which searches


class SolvedRun(TypedDict):
    """A run of an algorithm for trees."""

    game: str
    algorithm: str
    run: int
    points: list[tuple[int, float, int]]  # after an iteration, the exploitability and the states visited; 0: unknown


class LearnedRun(TypedDict):
    """How an agent learned: after each number of matches, its shares of the win by opponent."""

    run: int
    matches: list[int]
    wins: dict[str, list[Figure]]


# -- solving


def game_of(name: str) -> Game:
    """Return a game of the study: in the project's library, Kuhn poker has ten hands."""
    if name == "kuhn":
        return RecycleGame("kuhn-1", catalogue.find("kuhn").text.replace("(game sto HANDS) 10)", "(game sto HANDS) 1)"))
    return catalogue.find_or_read(str(ROOT / LEDUC))


def looked_at(iterations: int) -> list[int]:
    """Return after which iterations the exploitability is computed.

    >>> looked_at(30)
    [1, 2, 5, 10, 20, 30]
    """
    rounds = [step * 10**power for power in range(len(str(iterations))) for step in (1, 2, 5)]
    return [*(each for each in rounds if each < iterations), iterations]


def solve(task: tuple[str, str, int, int]) -> SolvedRun:
    """Run an algorithm on a game, and compute how exploitable its average policy is as it goes on."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr

    from games.env.play import Coding
    from games.env.spiel import SpielGame, SpielState

    name, algorithm, run, iterations = task
    visited = 0

    class CountedState(SpielState):
        def _apply_action(self, action: int) -> None:
            nonlocal visited
            visited += 1
            super()._apply_action(action)

    class CountedGame(SpielGame):
        def new_initial_state(self) -> CountedState:
            return CountedState(self, super().new_initial_state().node)

    own = algorithm == THEIRS
    game: Any = pyspiel.load_game(OWN[name]) if own else CountedGame(Coding(game_of(name), 2), scores=True)
    solver: Any
    if algorithm == SAMPLING:
        np.random.seed(run)  # OpenSpiel draws from the global generator
        solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
        iterate = solver.iteration
    else:
        solver = cfr.CFRPlusSolver(game) if algorithm == PLUS else cfr.CFRSolver(game)
        iterate = solver.evaluate_and_update_policy
    points, done, by_algorithm = [], 0, 0
    for look in looked_at(iterations):
        visited = 0
        while done < look:
            iterate()
            done += 1
        by_algorithm += visited
        points.append((look, significant(exploitability.exploitability(game, solver.average_policy())), by_algorithm))
    return {"game": name, "algorithm": algorithm, "run": run, "points": points}


def significant(value: float) -> float:
    """Return a number with six significant digits."""
    return float(f"{value:.6g}")


# -- learning


def learn(task: tuple[int, int, tuple[int, ...]]) -> LearnedRun:
    """Let an agent learn against a random bot, in each seat alternately, and measure it as it goes on."""
    import torch
    from sb3_contrib import MaskablePPO

    from games.env.gym import SeatEnv

    class CountedEnv(SeatEnv):
        dealt = 0

        def reset(self, **how: Any) -> Any:
            self.dealt += 1
            return super().reset(**how)

    run, decisions, matches = task
    torch.set_num_threads(1)
    env = CountedEnv(LEARNED, SEATS, opponent="random")
    agent = MaskablePPO("MlpPolicy", env, seed=run, n_steps=STEPS, batch_size=256, ent_coef=0.01, device="cpu")
    found: LearnedRun = {"run": run, "matches": [], "wins": {opponent: [] for opponent in OPPONENTS}}
    each = max(1, decisions // STEPS // LOOKS) * STEPS
    for look in range(LOOKS + 1):
        if look:
            agent.learn(each, reset_num_timesteps=False)
        found["matches"].append(max(0, env.dealt - 1))  # the last one has only begun
        for opponent, many in zip(OPPONENTS, matches, strict=True):
            found["wins"][opponent].append(evaluated(agent, SeatEnv(LEARNED, SEATS, opponent=opponent), many))
    return found


def evaluated(agent: Any, env: Any, matches: int) -> Figure:
    """Return the agent's share of the win. Each time, it plays the same deals by the likeliest of its actions."""
    won = 0.0
    observed, info = env.reset(seed=1)
    for _ in range(matches):
        over, reward = False, 0.0
        while not over:
            action, _ = agent.predict(observed, action_masks=info["action_mask"], deterministic=True)
            observed, reward, over, cut, info = env.step(action)
            if cut:
                raise RuntimeError(info["failed"])
        won += (reward + 1) / 2
        observed, info = env.reset()
    return counted(won, matches)


def house(matches: int) -> Figure:
    """Return the house bot's share of the win against a random one, in each seat alternately."""
    game, won = catalogue.find(LEARNED), 0.0
    for index in range(matches):
        seat = index % SEATS
        bots = tuple("house" if each == seat else "random" for each in range(SEATS))
        played = play_match(Simulation(game, bots, game.check_options({}), NAME), index)
        if played.broken:
            raise played.broken
        won += (seat in played.winners) / len(played.winners)
    return counted(won, matches)


# -- all figures

WORK: dict[str, Callable[[Any], Any]] = {"solve": solve, "learn": learn, "house": house}
Task = tuple[str, Any]  # of WORK, and with what


def do(task: Task) -> Any:
    """Return what a task finds."""
    what, arguments = task
    return WORK[what](arguments)


def installed() -> dict[str, str | None]:
    """Return the releases of the packages on which figures depend."""
    found: dict[str, str | None] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study. Raises SystemExit if a package is missing."""
    found = installed()
    missing = ["open-spiel"] if not found["open-spiel"] else []
    missing += ["sb3-contrib"] if settings.decisions and not found["sb3-contrib"] else []
    if missing:
        raise SystemExit(f"This study needs: pip install {' '.join(missing)}")
    tasks: list[Task] = []
    for name in SOLVED:
        tasks += [("solve", (name, algorithm, 0, settings.iterations)) for algorithm in (CFR, PLUS, THEIRS)]
        tasks += [("solve", (name, SAMPLING, run, settings.sampled)) for run in range(1, settings.runs + 1)]
    if settings.decisions:
        matches = (settings.evaluated, settings.searched)
        tasks += [("learn", (run, settings.decisions, matches)) for run in range(1, settings.runs + 1)]
        tasks.append(("house", settings.searched))
    made = resumed(do, tasks, work, "runs", NAME, workers)
    results = [(what, result) for (what, _), result in made.items()]
    return {
        "settings": asdict(settings),
        "packages": found,
        "rules": {name: catalogue.find(name).rules_version for name in ("kuhn", LEARNED)}
        | {LEDUC: game_of("leduc").rules_version},
        "solved": [result for what, result in results if what == "solve"],
        "learned": [result for what, result in results if what == "learn"],
        "house": next((result for what, result in results if what == "house"), None),
    }


# -- tables and charts


def _runs(figures: Mapping[str, Any], game: str, algorithm: str) -> list[SolvedRun]:
    return [run for run in figures["solved"] if (run["game"], run["algorithm"]) == (game, algorithm)]


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    settings = figures["settings"]
    words = {
        name: f"{settings[name]:,}" for name in ("iterations", "sampled", "runs", "decisions", "evaluated", "searched")
    }
    shown = {name: figures["packages"][name] for name in ("open-spiel", "sb3-contrib", "torch", "numpy")}
    words["packages"] = ", ".join(f"{name} {release}" for name, release in shown.items() if release)
    for game in SOLVED:
        most = max(run["points"][-1][0] for run in figures["solved"])
        columns = [column for column in (1, 10, 100, 1_000, 10_000) if column < most]
        rows = []
        for algorithm in (CFR, PLUS, THEIRS, SAMPLING):
            runs = _runs(figures, game, algorithm)
            last, visited = runs[0]["points"][-1][0], fmean(run["points"][-1][2] for run in runs)
            cells = [_at(runs, column) for column in columns if column < last]
            cells += [""] * (len(columns) - len(cells))
            rows.append([algorithm, *cells, _at(runs, last), f"{visited / last:,.0f}" if visited else "not counted"])
        words[f"exploitability-{game}"] = table(
            ["Algorithm", *(f"after {column:,}" for column in columns), "at the end", "states visited in an iteration"],
            rows,
        )
        pairs = zip(_runs(figures, game, CFR)[0]["points"], _runs(figures, game, THEIRS)[0]["points"], strict=True)
        words[f"difference-{game}"] = f"{max(abs(ours[1] / theirs[1] - 1) for ours, theirs in pairs):.1g}"
    words["learned"] = words["house"] = "not measured"
    if figures["learned"]:
        words["house"] = percent(figures["house"])
        words["learned"] = table(
            ["Run", "matches learned from", *(f"against {opponent}" for opponent in OPPONENTS)],
            [
                [label, f"{run['matches'][look]:,}", *(percent(run["wins"][opponent][look]) for opponent in OPPONENTS)]
                for run in figures["learned"]
                for label, look in ((f"{run['run']}, before", 0), (f"{run['run']}, after", -1))
            ],
        )
    return words


def _at(runs: Sequence[SolvedRun], iteration: int) -> str:
    """Return the exploitability after an iteration: of several runs, the mean and the range."""
    found = [value for run in runs for look, value, _ in run["points"] if look == iteration]
    if not found:
        return ""
    middle = f"{fmean(found):.3g}"
    return middle if len(found) == 1 else f"{middle} ({min(found):.3g} - {max(found):.3g})"


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    settings, drawn = figures["settings"], {}
    for game, title in SOLVED.items():
        series = [
            (f"{label} {run['run']}" if run["run"] else label, run["points"])
            for algorithm, label in ((CFR, "CFR"), (PLUS, "CFR+"), (SAMPLING, "MCCFR, run"))
            for run in _runs(figures, game, algorithm)
        ]
        values = [math.log10(value) for _, points in series for _, value, _ in points]
        low, high = math.floor(min(values)), math.ceil(max(values))
        last = math.log10(max(points[-1][0] for _, points in series)) or 1.0
        chart = Chart(
            f"Exploitability in {title}",
            f"{title}: exploitability of the average policy, in chips a hand, by iteration of OpenSpiel's algorithms. "
            "An iteration of CFR and CFR+ goes through the whole tree, one of MCCFR (external sampling) through a "
            "small part of it. Both axes are logarithmic.",
            (0, last),
            (low, high),
        )
        chart.axes("Iterations", "Exploitability", _powers(0, math.floor(last)), _powers(low, high))
        for number, (label, points) in enumerate(series):
            chart.line(number, [(math.log10(look), math.log10(value)) for look, value, _ in points], label)
        drawn[f"{game}.svg"] = chart.svg()
    runs: list[LearnedRun] = figures["learned"]
    if not runs:
        return drawn
    most = max(run["matches"][-1] for run in runs)
    chart = Chart(
        "An agent learns Agram",
        f"Agram, two seats: the share of {settings['evaluated']:,} matches against a random bot, and of "
        f"{settings['searched']:,} against the house bot, that an agent of MaskablePPO wins, by the matches against a "
        "random bot from which it has learned. Lines are means of all runs, markers are single runs with Wilson's 95 % "
        "intervals. The dotted line is the house bot against the random one.",
        (0, most * 1.03),
        (0, 1),
    )
    chart.axes("Matches learned from", "Share of the win", ticks(0, most), UNIT)
    for number, opponent in enumerate(OPPONENTS):
        means = [
            (
                fmean(run["matches"][look] for run in runs),
                fmean(run["wins"][opponent][look]["value"] for run in runs),
            )
            for look in range(len(runs[0]["matches"]))
        ]
        chart.line(number, means, f"against {opponent}")
        for run in runs:
            aside = (run["run"] - (len(runs) + 1) / 2) * most / 150
            for matches, figure in zip(run["matches"], run["wins"][opponent], strict=True):
                chart.interval(number, max(0, matches + aside), figure)
    chart.rule(figures["house"]["value"], "house : random")
    return drawn | {"learned.svg": chart.svg()}


def _powers(low: int, high: int) -> dict[float, str]:
    return {float(power): f"{10.0**power:,.10g}" for power in range(low, high + 1)}


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "iterations": "of CFR and CFR+",
        "sampled": "iterations of MCCFR",
        "runs": "of MCCFR and of the agent",
        "decisions": "from which the agent learns; 0: without the agent",
        "evaluated": "matches against a random bot each time that the agent is measured",
        "searched": "the same against the house bot",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
