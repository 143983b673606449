"""The study of the measures, ``docs/studies/measures.md``: ``python -m docs.studies.measures [--work FOLDER]``.

How the laboratory's measures depend on the number of roll-outs k, and on the strength of the bots that play. All
matches of a game with the same number have the same deal, whatever k and the bots are, so they are compared in pairs.
``measures.yaml`` is an experiment that says how strong the bots are; it is played as part of the study.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from docs.studies.publish import command, counted, number, percent, resumed, short, table
from games import catalogue
from games.core import FastChance, Information, RulesFailed, SealedChance
from games.lab import experiment, measures
from games.lab.analyse import Analysis, recorded
from games.lab.analyse import play as play_searched
from games.lab.charts import Chart, ticks
from games.lab.compare import BIASED, difference
from games.lab.histories import DecisionRecord, History, of_json
from games.lab.intervals import FEW, RESAMPLES, Z
from games.lab.measures import Part
from games.lab.report_library import ROLLOUTS as SHIPPED_ROLLOUTS
from games.lab.report_types import Figure
from games.lab.reports import OF_RANDOM, OF_SEARCH, OF_WINNERS, corrected_spread, covered, mean
from games.search.pimc import ROLLOUTS as REFERENCE_ROLLOUTS
from games.search.pimc import estimate

NAME = "measures"
STRENGTH = Path(__file__).with_suffix(".yaml")
BY_ROLLOUTS = (*OF_WINNERS, "spread", "spread_corrected", "coolness", "clarity", "stability")
OF_PLAY = ("convergence", "length", "branching")  # measured without roll-outs
DRAWN = ("drama", "security", "decisiveness", "spread", "spread_corrected", "lead_change")
STRONGEST = "strong"
FULL_REPORT = 100  # matches of a report at most


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    games: tuple[str, ...] = ("agram", "bundles", "kuhn")
    rollouts: tuple[int, ...] = (1, 2, 5, 10, 20, 40)
    matches: int = 100  # of each game and number of roll-outs
    bots: tuple[str, ...] = ("random", "easy", "pimc-10", "strong")
    judged: int = 60  # matches of each bot but the strongest
    strong: int = 24  # of the strongest
    judge: int = 10  # roll-outs by which the matches of bots are judged
    against: int = 24  # matches of a bot among random players, or a few more


# -- matches


class Searched(NamedTuple):
    """A match as in a report: the bots and the estimates have the same roll-outs."""

    game: str
    rollouts: int
    match: int


class Judged(NamedTuple):
    """A match of equal bots, estimated by roll-outs of its own."""

    game: str
    bot: str
    judge: int
    match: int


def searched(seed: str, task: Searched) -> dict[str, Part]:
    """Play a match as in a report, and return its part of each measure."""
    played = play_searched(_analysis(seed, task.game, task.rollouts), "search", task.match)
    if "history" not in played:
        raise RulesFailed(played["broken"], played["text"])
    return parts(of_json(played["history"]))


def judged(seed: str, task: Judged) -> dict[str, Part]:
    """Play a match of bots, judge it, and return its part of each measure."""
    return parts(judged_history(seed, task))


def judged_history(seed: str, task: Judged) -> History:
    """Play a match of bots with the deal of the same number in a report, and estimate every move of each decision."""
    analysis = _analysis(seed, task.game, task.judge)
    game, bot = analysis.game, catalogue.bot(analysis.game, task.bot, analysis.seats)
    name = f"{seed}/judged/{task.bot}/{task.match}"
    chance, judge = FastChance(name), FastChance(f"{name}/judge")
    deal = SealedChance(analysis.match_seed("search", task.match))
    state = game.start_keeping("sight", analysis.seats, analysis.options, deal)
    decisions: list[DecisionRecord] = []
    while seats := state.to_act():
        seat = seats[0]
        legal = state.legal_moves(seat)
        chosen = legal.index(bot.choose(Information.of(game, state, seat, chance, bot.needs, legal)))
        info = Information.of(game, state, seat, judge, "determinizations", legal)
        decisions.append(recorded(state, seat, legal, chosen, estimate(info, task.judge, judge)))
        state.apply(seat, legal[chosen])
    return History(task.match, tuple(decisions), tuple(state.scores()), tuple(state.ranks()), tuple(state.winners()))


def _analysis(seed: str, game: str, rollouts: int) -> Analysis:
    return Analysis.checked(catalogue.find(game), None, {}, f"{seed}/measures", rollouts)


def parts(history: History) -> dict[str, Part]:
    """Return a match's part of each measure. That of ``spread_corrected`` is of its square."""
    return {
        **{name: of(history, "shared") for name, of in OF_WINNERS.items()},
        **{name: of(history) for name, of in (OF_SEARCH | OF_RANDOM).items()},
        "spread_corrected": measures.spread_squared(history),
    }


# -- figures

Parts = Sequence[Mapping[str, Part]]  # by match


def figure(matches: Parts, name: str, seed: str) -> Figure | None:
    """Return a measure over matches as a report would; None if there is nothing to measure."""
    found = mean([each[name] for each in matches], f"{seed}/{name}")
    found = corrected_spread(found) if name == "spread_corrected" else covered(name, found)
    return short(found) if found else None


def change(first: Parts, second: Parts, name: str, seed: str) -> Figure | None:
    """Return how much larger a measure is over the second matches, with a bootstrap interval over pairs of matches.

    Match i of both has the same deal. None if there is nothing to measure.
    """
    pairs = np.array([[one[name], other[name]] for one, other in zip(first, second, strict=True)], dtype=float)
    draws = np.random.RandomState(list(hashlib.sha256(f"{seed}/{name}".encode()).digest()))
    times = draws.multinomial(len(pairs), [1 / len(pairs)] * len(pairs), size=RESAMPLES)
    whole = pairs.sum(axis=0)
    if not whole[:, 1].all():
        return None
    sums = np.einsum("rm,mkp->rkp", times, pairs)
    sums = sums[(sums[:, :, 1] > 0).all(axis=1)]
    value, sampled = (_measured(name, each[..., 0] / each[..., 1]) for each in (whole, sums))
    differences = sampled[:, 1] - sampled[:, 0]
    low, high = (float(each) for each in np.quantile(differences, [0.025, 0.975]))
    return short({"value": float(value[1] - value[0]), "low": low, "high": high, "matches": len(pairs)})


def _measured(name: str, ratio: Any) -> Any:
    return np.sqrt(np.maximum(0.0, ratio)) if name == "spread_corrected" else ratio


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps the matches."""
    by_rollouts = [
        Searched(game, rollouts, index)
        for game in settings.games
        for rollouts in settings.rollouts
        for index in range(settings.matches)
    ]
    by_bot = [
        Judged(game, bot, settings.judge, index)
        for bot in settings.bots
        for game in settings.games
        for index in range(settings.strong if bot == STRONGEST else settings.judged)
    ]
    one = resumed(partial(searched, settings.seed), by_rollouts, work, "rollouts", settings.seed, workers)
    two = resumed(partial(judged, settings.seed), by_bot, work, "bots", settings.seed, workers)
    strength = against_random(settings, work, workers)
    rows = {}
    for game in settings.games:
        of_k = {k: [one[Searched(game, k, index)] for index in range(settings.matches)] for k in settings.rollouts}
        of_bot = {
            bot: [each for task, each in two.items() if (task.game, task.bot) == (game, bot)] for bot in settings.bots
        }
        seed = f"{settings.seed}/{game}"
        shipped = of_k.get(SHIPPED_ROLLOUTS)
        rows[game] = {
            "rollouts": {str(k): _figures(each, BY_ROLLOUTS, f"{seed}/{k}") for k, each in of_k.items()},
            "changes": {
                str(k): {name: change(shipped, each, name, f"{seed}/{k}") for name in BY_ROLLOUTS}
                for k, each in of_k.items()
                if shipped and k > SHIPPED_ROLLOUTS
            },
            "bots": {bot: _figures(each, (*BY_ROLLOUTS, *OF_PLAY), f"{seed}/{bot}") for bot, each in of_bot.items()},
            "bot_changes": {
                bot: {
                    name: change(of_bot[settings.bots[0]][: len(each)], each, name, f"{seed}/{bot}")
                    for name in BY_ROLLOUTS
                }
                for bot, each in of_bot.items()
                if bot != settings.bots[0]
            },
            "strength": strength[game],
        }
    rules = {game: catalogue.find(game).rules_version for game in settings.games}
    return {"settings": asdict(settings), "rules": rules, "games": rows}


def _figures(matches: Parts, names: Sequence[str], seed: str) -> dict[str, Figure | None]:
    return {name: figure(matches, name, seed) for name in names}


def against_random(settings: Settings, work: Path, workers: int) -> dict[str, dict[str, Figure]]:
    """Return the share of wins of one bot among random players, by game and bot."""
    asked = experiment.Experiment.read(STRENGTH)
    cases = [case for case in asked.cases if case.game in settings.games and case.bots[0] in settings.bots]
    asked = replace(asked, cases=tuple(cases), matches=settings.against)
    found: dict[str, dict[str, Figure]] = {game: {} for game in settings.games}
    for result in experiment.run(asked, work / "strength", workers=workers):
        first = result.bots[0]
        found[result.case.game][first["bot"]] = counted(first["wins"], result.matches)
    return found


# -- what k = 5 costs


def _half_width(figure: Figure) -> float:
    return ((figure["high"] or 0.0) - (figure["low"] or 0.0)) / 2


def at_full(figure: Figure) -> float:
    """Return half the width of the interval for as many matches as a report has at most."""
    return _half_width(figure) * math.sqrt(figure["matches"] / FULL_REPORT)


class Verdicts(NamedTuple):
    """Comparisons of two games by a measure that are clear with the most roll-outs, by what k = 5 says."""

    clear: int
    same: int  # the same difference, also clear
    lost: int  # not clear
    reversed: int  # clear, the other way round
    found: int  # those that are clear with k = 5 only


def verdicts(figures: Mapping[str, Any], low: str, high: str, names: Sequence[str]) -> Verdicts:
    """Compare each two games by each measure, with the roll-outs ``low`` and ``high``."""
    found = dict.fromkeys(Verdicts._fields, 0)
    for one, other in combinations(figures["games"].values(), 2):
        for name in names:
            sure = difference(one["rollouts"][high][name], other["rollouts"][high][name]).verdict
            shown = difference(one["rollouts"][low][name], other["rollouts"][low][name]).verdict
            if sure != "inconclusive":
                found["clear"] += 1
                found["same" if shown == sure else "lost" if shown == "inconclusive" else "reversed"] += 1
            elif shown != "inconclusive":
                found["found"] += 1
    return Verdicts(**found)


class Cost(NamedTuple):
    """What k roll-outs cost, at the same effort as a report with k = 5."""

    matches: int
    error: float  # of a figure from that with the most roll-outs: root of the squared bias and the variance
    half_width: float  # of the interval


def at_equal_cost(game: Mapping[str, Any], k: int, most: int, name: str) -> Cost:
    """Return the error of a measure with k roll-outs in as many matches as take the time of a full report.

    The time of a match is proportional to k.
    """
    shown, changes = game["rollouts"][str(k)][name], game["changes"]
    before = 0.0 if k == SHIPPED_ROLLOUTS else changes[str(k)][name]["value"]
    matches = FULL_REPORT * SHIPPED_ROLLOUTS // k
    half = _half_width(shown) * math.sqrt(shown["matches"] / matches)
    return Cost(matches, math.hypot(changes[str(most)][name]["value"] - before, half / Z), half)


# -- tables and charts


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    settings, games = figures["settings"], figures["games"]
    words = {name: f"{settings[name]:,}" for name in ("matches", "judged", "strong", "judge", "against")}
    ks = [str(k) for k in settings["rollouts"]]
    shipped, most = str(SHIPPED_ROLLOUTS), ks[-1]
    for game, each in games.items():
        words[f"rollouts-{game}"] = table(
            ["Measure", *(f"k = {k}" for k in ks)],
            [[f"`{name}`", *(_cell(each["rollouts"][k][name]) for k in ks)] for name in BY_ROLLOUTS],
        )
        words[f"bots-{game}"] = table(
            ["Measure", *settings["bots"]],
            [
                [f"`{name}`", *(_cell(each["bots"][bot][name]) for bot in settings["bots"])]
                for name in (*BY_ROLLOUTS, *OF_PLAY)
            ],
        )
    words["strength"] = table(
        ["Game", "players", *settings["bots"]],
        [
            [
                _title(game),
                str(catalogue.find(game).default_seats),
                *(
                    percent(each["strength"][bot]) if bot in each["strength"] else "a fair share"
                    for bot in settings["bots"]
                ),
            ]
            for game, each in games.items()
        ],
    )
    more = [k for k in ks if int(k) > SHIPPED_ROLLOUTS]
    words["changes"] = table(
        ["Measure", "Game", *(f"k = {k} minus k = {shipped}" for k in more), f"half a width, {FULL_REPORT} matches"],
        [
            [
                f"`{name}`",
                _title(game),
                *(_signed(each["changes"][k][name]) for k in more),
                f"± {at_full(each['rollouts'][shipped][name]):.3f}",
            ]
            for name in BY_ROLLOUTS
            for game, each in games.items()
        ],
    )
    reference = str(REFERENCE_ROLLOUTS)
    for k, word in ((reference, "reference"), ("20", "twenty"), (most, "most")):
        if k not in more:
            continue
        others = [name for name in BY_ROLLOUTS if name not in BIASED]
        beyond = [
            (name, game)
            for name in others
            for game, each in games.items()
            if abs(each["changes"][k][name]["value"]) > at_full(each["rollouts"][shipped][name])
        ]
        clear = [(name, game) for name in others for game, each in games.items() if _is_clear(each["changes"][k][name])]
        words |= {f"clear-{word}": str(len(clear)), f"beyond-{word}": str(len(beyond))}
        beyond_few = [
            (name, game)
            for name, game in beyond
            if abs(games[game]["changes"][k][name]["value"])
            > at_full(games[game]["rollouts"][shipped][name]) * math.sqrt(FULL_REPORT / FEW)
        ]
        words[f"beyond-few-{word}"] = str(len(beyond_few))
        words[f"largest-{word}"] = (
            f"{max(abs(each['changes'][k][name]['value']) for name in others for each in games.values()):.2f}"
        )
        compared = verdicts(figures, shipped, k, others)
        words |= {f"verdicts-{word}-{field}": str(count) for field, count in compared._asdict().items()}
        words[f"narrower-{word}"] = _narrower(figures, k)
    words["half-way"] = _half_way(figures)
    words["equal-cost"] = _equal_cost(figures)
    words["bot-changes"] = table(
        ["Measure", "Game", *(f"{bot} minus {settings['bots'][0]}" for bot in settings["bots"][1:])],
        [
            [f"`{name}`", _title(game), *(_signed(each["bot_changes"][bot][name]) for bot in settings["bots"][1:])]
            for name in BY_ROLLOUTS
            for game, each in games.items()
        ],
    )
    words["figures"] = str((len(BY_ROLLOUTS) - len(BIASED)) * len(games))
    words["most"] = most
    return words


def _half_way(figures: Mapping[str, Any]) -> str:
    """Return how many of the figures that clearly change up to the most roll-outs do most of it after k = 10."""
    most = str(figures["settings"]["rollouts"][-1])
    shares = [
        each["changes"][str(REFERENCE_ROLLOUTS)][name]["value"] / each["changes"][most][name]["value"]
        for name in BY_ROLLOUTS
        if name not in BIASED
        for each in figures["games"].values()
        if _is_clear(each["changes"][most][name])
    ]
    return f"{sum(share < 0.5 for share in shares)} of {len(shares)}"


def _equal_cost(figures: Mapping[str, Any]) -> str:
    """Return a table of what each k comes to at the same effort, over all measures but ``BIASED``, and games."""
    ks = figures["settings"]["rollouts"]
    tried = [k for k in ks if SHIPPED_ROLLOUTS <= k <= ks[-1] // 2]
    costs = [
        [at_equal_cost(each, k, ks[-1], name) for k in tried]
        for name in BY_ROLLOUTS
        if name not in BIASED
        for each in figures["games"].values()
    ]
    best = [min(range(len(tried)), key=lambda number: row[number].error) for row in costs]
    return table(
        ["k", "matches", "half a width, median", "error, median", "smallest error"],
        [
            [
                str(k),
                str(costs[0][number].matches),
                f"± {median(row[number].half_width for row in costs):.3f}",
                f"{median(row[number].error for row in costs):.3f}",
                f"{best.count(number)} of {len(costs)} figures",
            ]
            for number, k in enumerate(tried)
        ],
    )


def _narrower(figures: Mapping[str, Any], k: str) -> str:
    """Return the median of how much narrower intervals are with k roll-outs than with 5, over measures and games."""
    ratios = [
        _half_width(each["rollouts"][k][name]) / _half_width(each["rollouts"][str(SHIPPED_ROLLOUTS)][name])
        for name in BY_ROLLOUTS
        for each in figures["games"].values()
    ]
    return f"{100 * (1 - median(ratios)):.0f} %"


def _is_clear(figure: Figure) -> bool:
    return bool((figure["low"] or 0) > 0 or (figure["high"] or 0) < 0)


def _cell(figure: Figure | None) -> str:
    return "none" if figure is None else number(figure)


def _signed(figure: Figure | None) -> str:
    if figure is None:
        return "none"
    text = f"{figure['value']:+.3f} ({figure['low']:+.3f} to {figure['high']:+.3f})"
    return f"**{text}**" if _is_clear(figure) else text


def _title(game: str) -> str:
    return catalogue.find(game).title


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    settings = figures["settings"]
    drawn = {}
    for game, each in figures["games"].items():
        many = f"{_title(game)}: measures of {settings['matches']:,} matches for each number of roll-outs"
        drawn[f"rollouts-{game}.svg"] = _chart(
            f"{_title(game)}, by roll-outs",
            f"{many}, the same deals for all, with 95 % bootstrap intervals. Bots and estimates have the same "
            "roll-outs, as in a report.",
            "Roll-outs of each move",
            {str(k): each["rollouts"][str(k)] for k in settings["rollouts"]},
        )
        drawn[f"bots-{game}.svg"] = _chart(
            f"{_title(game)}, by bots",
            f"{_title(game)}: measures of {settings['judged']:,} matches of equal bots ({settings['strong']:,} of the "
            f"strongest), judged by {settings['judge']} other roll-outs of each move, with 95 % bootstrap intervals.",
            "Who plays",
            {bot: each["bots"][bot] for bot in settings["bots"]},
        )
    return drawn


def _chart(title: str, caption: str, along: str, columns: Mapping[str, Mapping[str, Figure | None]]) -> str:
    chart = Chart(title, caption, (-0.3, len(columns) - 0.7), (0, 1))
    chart.axes(along, "Value", {float(at): label for at, label in enumerate(columns)}, ticks(0, 1))
    for series, name in enumerate(DRAWN):
        found = [(at, one[name]) for at, one in enumerate(columns.values())]
        points = [(at + 0.03 * (series - len(DRAWN) / 2), one) for at, one in found if one]
        if points:
            chart.line(series, [(x, one["value"]) for x, one in points], name.replace("_", " "))
        for x, one in points:
            chart.interval(series, x, one)
    return chart.svg()


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "games": "by name; measures.yaml has their bots' strength",
        "rollouts": "of each move, in ascending order",
        "matches": "of each game and number of roll-outs",
        "bots": "who play, in ascending order of strength",
        "judged": "matches of each bot but the strongest",
        "strong": "matches of the strongest",
        "judge": "roll-outs of each move by which they are judged",
        "against": "matches of a bot among random players",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
