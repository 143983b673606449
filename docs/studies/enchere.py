"""The study of the three Enchères, ``docs/studies/enchere.md``: ``python -m docs.studies.enchere [--searched N]``.

It repeats the measurements of an article (100 matches each) with our rules, and compares its claims with the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from docs.studies.publish import command, number, percent, short, table
from games import catalogue
from games.core import SealedChance
from games.core.cards import pips
from games.lab.analyse import Analysis, Run, analyse, counts
from games.lab.charts import Chart, in_english, ticks, trend_chart
from games.lab.histories import History
from games.lab.intervals import wilson
from games.lab.measures import order
from games.lab.printed import bars
from games.lab.report_types import Figure
from games.lab.reports import mean, report

NAME = "enchere"
GAME = catalogue.find("enchere")
VERSIONS = {"enchere": "Enchère", "avancee": "Avancée", "originale": "Originale"}
MEASURES = ("convergence", "drama", "security", "spread", "order", "fairness")
SEATS = 3
ARTICLE_MATCHES = 100
# Source: "Enchère Heuristics", the CardStock project, 9 June 2023, read off its figures.
ARTICLE: dict[str, dict[str, float]] = {
    version: dict(zip(MEASURES, values, strict=True))
    for version, values in {
        "enchere": (0.666, 0.516, 0.644, 0.222, 0.160, 0),
        "avancee": (0.537, 0.476, 0.610, 0.135, 0.295, 0),
        "originale": (0.534, 0.487, 0.601, 0.108, 0.010, 0),
    }.items()
}
MOMENTS = (0.0, 0.25, 0.5, 0.75)  # parts of a match


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    matches: int = 20_000  # with random players
    searched: int = 1000  # with players who search
    rollouts: int = 10


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps the matches."""
    versions = {}
    for version in VERSIONS:
        analysis = Analysis.checked(GAME, SEATS, {"version": version, "target": 0}, settings.seed, settings.rollouts)
        with bars(counts(analysis, settings.matches, settings.searched)) as advance:
            played = analyse(
                analysis,
                settings.matches,
                work / version,
                searched=settings.searched,
                workers=workers,
                progress=advance,
            )
        made = report(analysis, settings.matches, played, settings.searched)
        histories = played["search"].histories
        ahead = {
            f"{moment:g}": _mean([ahead_wins(each, moment) for each in histories], settings, f"ahead/{moment}")
            for moment in MOMENTS
        }
        hands = {
            run: {
                name: _mean(
                    [of(analysis, run, each) for each in played[run].histories[: settings.searched]], settings, name
                )
                for name, of in (("best", best_hand_wins), ("worst", worst_hand_wins))
            }
            for run in ("search", "random")
        }
        versions[version] = {
            "measures": {name: short(made["measures"][name]) for name in MEASURES},
            "full_ties": {
                name: short(made["measures_full_ties"][name]) for name in MEASURES if name in made["measures_full_ties"]
            },
            "ties": {run: short(made["basics"][run]["ties"]) for run in ("search", "random")},
            "ahead": ahead,
            "hands": hands,
            "trend": made["trend"],
            "subject": made["subject"],
        }
    return {"settings": asdict(settings), "rules": GAME.rules_version, "versions": versions}


def _mean(values: Sequence[float], settings: Settings, name: str) -> Figure:
    figure = mean([(value, 1.0) for value in values], f"{settings.seed}/{name}")
    if figure is None:
        raise ValueError("There are no matches.")
    return short(figure)


# -- what the claims are compared with


def ahead_wins(history: History, moment: float) -> float:
    """Return whether the player ahead at a moment wins, alone or shared; of several, the share of them who win."""
    estimates = history.decisions[int(moment * (len(history.decisions) - 1))].estimates
    ahead = [player for player, mine in enumerate(estimates) if mine == max(estimates)]
    return sum(player in history.winners for player in ahead) / len(ahead)


def _hands(analysis: Analysis, run: Run, index: int) -> list[int]:
    state = GAME.start(SEATS, analysis.options, SealedChance(analysis.match_seed(run, index)))
    hands: Sequence[Sequence[str]] = state.hands  # type: ignore[attr-defined]
    return [sum(map(pips, hand)) for hand in hands]


def best_hand_wins(analysis: Analysis, run: Run, history: History) -> float:
    """Return whether the player dealt the highest cards, by their sum, wins; of several, the share who win."""
    return _wins_with(analysis, run, history, max)


def worst_hand_wins(analysis: Analysis, run: Run, history: History) -> float:
    """Return the same for the lowest cards."""
    return _wins_with(analysis, run, history, min)


def _wins_with(analysis: Analysis, run: Run, history: History, which: Callable[[list[int]], int]) -> float:
    hands = _hands(analysis, run, history.index)
    holders = [player for player, each in enumerate(hands) if each == which(hands)]
    return sum(player in history.winners for player in holders) / len(holders)


# -- tables and charts


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    settings, versions = figures["settings"], figures["versions"]
    words = {name: f"{settings[name]:,}" for name in ("matches", "searched", "rollouts")}
    for name in MEASURES:
        rows = []
        for version, title in VERSIONS.items():
            mine, full = versions[version]["measures"][name], versions[version]["full_ties"].get(name)
            row = [title, f"{ARTICLE[version][name]:.3f}", number(mine, 3), number(full, 3) if full else "the same"]
            rows.append([*row, _chance(version, name, mine, full)])
        words[name] = table(
            ["Version", "article", "ours, ties shared", "ours, ties in full", "how far 100 matches may be off"], rows
        )
    rows = [
        [title, *(percent(versions[version]["ahead"][f"{moment:g}"]) for moment in MOMENTS)]
        for version, title in VERSIONS.items()
    ]
    words["ahead"] = table(["Version", "first decision", "a quarter", "half-way", "three quarters"], rows)
    rows = [
        [
            title,
            *(
                percent(versions[version]["hands"][run][hand])
                for run in ("search", "random")
                for hand in ("best", "worst")
            ),
        ]
        for version, title in VERSIONS.items()
    ]
    words["hands"] = table(
        [
            "Version",
            "highest hand wins, all search",
            "lowest, all search",
            "highest, all at random",
            "lowest, at random",
        ],
        rows,
    )
    rows = [
        [title, *(percent(versions[version]["ties"][run]) for run in ("search", "random"))]
        for version, title in VERSIONS.items()
    ]
    words["ties"] = table(["Version", "all search", "all at random"], rows)
    return words


def _chance(version: str, name: str, mine: Figure, full: Figure | None) -> str:
    """Return how far a figure of 100 matches is off by chance: order by Wilson's interval, others by our spread."""
    if name == "order":
        # The share of wins of which ``order`` is made.
        rate = ARTICLE[version]["order"] * (1 - 1 / SEATS) + 1 / SEATS
        low, high = wilson(rate * ARTICLE_MATCHES, ARTICLE_MATCHES)
        return f"{order(low, SEATS):.3f} to {order(high, SEATS):.3f}"
    figure = full or mine
    if name == "fairness" or figure["low"] is None or figure["high"] is None:
        return "-"
    half = (figure["high"] - figure["low"]) / 2 * sqrt(figure["matches"] / ARTICLE_MATCHES)
    return f"± {half:.3f}"


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    settings, versions = figures["settings"], figures["versions"]
    shown = MEASURES[:-1]
    ends = [
        each[end]
        for version in versions.values()
        for kind in ("measures", "full_ties")
        for name, each in version[kind].items()
        for end in ("low", "high")
        if name in shown and each[end] is not None
    ]
    low, high = min(0.0, *ends) - 0.05, max(0.7, *ends) + 0.05
    chart = Chart(
        "Three Enchères, measured twice",
        f"One round, 3 players. Filled: our figures, of {settings['searched']:,} matches with "
        f"pimc-{settings['rollouts']} ({settings['matches']:,} at random for convergence), ties in full, with 95 % "
        f"intervals. Open: the article's, of {ARTICLE_MATCHES} matches.",
        (-0.5, len(shown) - 0.5),
        (low, high),
    )
    chart.axes("Measure", "Value", {float(index): name for index, name in enumerate(shown)}, ticks(low, high))
    for series, (version, title) in enumerate(VERSIONS.items()):
        for index, name in enumerate(shown):
            figure = versions[version]["full_ties"].get(name) or versions[version]["measures"][name]
            at = index + (series - 1) * 0.26
            chart.interval(series, at - 0.04, figure)
            theirs: Figure = {"value": ARTICLE[version][name], "low": None, "high": None, "matches": ARTICLE_MATCHES}
            chart.interval(series, at + 0.06, theirs, empty=True)
        chart.markers(series, title)
    drawn = {"measures.svg": chart.svg()}
    for version in VERSIONS:
        each = versions[version]
        made: Any = {"trend": each["trend"], "subject": each["subject"], "player": f"pimc-{settings['rollouts']}"}
        drawn[f"trend-{version}.svg"] = trend_chart(made, in_english)
    return drawn


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "matches": "at random",
        "searched": "where somebody searches",
        "rollouts": "of each move",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
