"""The report of an analysis as plain data: every measure with its interval, and the settings; its decisions as CSV."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from games.lab import measures
from games.lab.analyse import Analysis, Run, RunResult, counts
from games.lab.evidence import evidence
from games.lab.findings import findings
from games.lab.histories import History
from games.lab.intervals import FEW, bootstrap, bootstrap_means, covering, wilson
from games.lab.measures import Part, Ties
from games.lab.report_types import (
    AnalysisReport,
    Basics,
    Curve,
    Faculty,
    Figure,
    RunReport,
    SeatFigures,
    Spreads,
    Trend,
)

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BIN = 0.05  # width in the histogram of spreads
MIN_SHARE = 0.1  # of the matches: curves end at the move number that fewer reach
DECIMALS = 6  # in curves
NAMES = (
    "drama", "security", "spread", "spread_corrected", "fairness", "fairness_skilled", "convergence", "order",
    "decisiveness", "coolness", "clarity", "stability", "lead_change", "length", "branching",
)  # fmt: skip
# The function of each measure, by the run that it is computed from. Those in OF_WINNERS use the run "search", too, and
# depend on how ties are counted.
OF_WINNERS: dict[str, Callable[[History, Ties], Part]] = {
    "drama": measures.drama,
    "security": measures.security,
    "decisiveness": measures.decisiveness,
    "lead_change": measures.lead_change,
}
OF_SEARCH: dict[str, Callable[[History], Part]] = {
    "spread": measures.spread,
    "coolness": measures.coolness,
    "clarity": measures.clarity,
    "stability": measures.stability,
}
OF_RANDOM: dict[str, Callable[[History], Part]] = {
    "convergence": measures.convergence,
    "length": measures.length,
    "branching": measures.branching,
}
BOTH_WAYS = (*OF_WINNERS, "fairness", "order")
# Means between 0 and 1, whose bootstrap intervals ``covered`` widens.
BOUNDED = frozenset({*OF_WINNERS, *OF_SEARCH})
# The runs in which the same bot plays in all seats, the most skilled last, and what reports call that bot.
BY_SKILL: dict[Run, str] = {"random": "Random", "search": "Thinking", "strong": "Strong"}
ALONE = "In a game for one player, nobody can be ahead or behind."
NO_MATCH = "No match finished."
TOO_SHORT = "No match was long enough."
ONE_ROLLOUT = "It needs at least two roll-outs per move."
OLDER = "It was made by an older version, which did not measure this."
FOR_ONE = "A game for one player: measures that compare players are left out, and estimates are mean scores."
OF_PARTNERS = (
    "Several seats win together, as partners do. With ties shared, no seat's win rate can come "
    "near 1, and neither can order."
)
OF_MANY = "Where a decision has very many options, only some of them are examined, which are drawn at random."


def report(
    analysis: Analysis,
    matches: int,
    played: Mapping[Run, RunResult],
    searched: int | None = None,
    strong: int = 0,
    faculties: Sequence[Faculty] = (),
) -> AnalysisReport:
    """Return the report of an analysis whose runs have been ``played``, of so many ``matches`` each.

    ``searched`` and ``strong``: matches of these runs, as for ``analyse.counts``; ``faculties``: what
    ``faculties.measure`` returned.
    """
    figures: dict[str, Figure] = {}
    full: dict[str, Figure] = {}
    left_out: dict[str, str] = {}
    for name in NAMES:
        if analysis.seats == 1 and name not in OF_RANDOM:
            left_out[name] = ALONE
            continue
        for ties, into in ((_SHARED, figures), (_FULL, full)):
            if ties == _FULL and name not in BOTH_WAYS:
                continue
            figure = _measure(name, analysis, played, ties)
            if figure:
                into[name] = figure
            else:
                one = name == "spread_corrected" and analysis.rollouts < 2
                left_out[name] = ONE_ROLLOUT if one else _why_left_out(played[_run_of(name, played)])
    search = played["search"].histories if analysis.seats > 1 else []
    made: AnalysisReport = {
        "game": analysis.game.name,
        "subject": subject(analysis),
        "options": analysis.options,
        "seats": analysis.seats,
        "matches": matches,
        "search_matches": counts(analysis, matches, searched)["search"],
        "rollouts": analysis.rollouts,
        "seed": analysis.seed,
        "rules": analysis.game.rules_version,
        "player": f"pimc-{analysis.rollouts}",
        "interval": "95 %",
        "ties": _SHARED,
        "measures": figures,
        "measures_full_ties": full,
        "left_out": left_out,
        "notes": _notes(analysis, played),
        "runs": {run: _run(each) for run, each in played.items()},
        "basics": {run: basics(each.histories, analysis.seed) for run, each in played.items() if each.histories},
        "trend": _trend(search, analysis.seed),
        "spreads": _spreads(search),
        "evidence": evidence(played, analysis.seats),
    }
    if strong:
        made["strong_matches"] = strong
    if "duel" in played and (
        duel := rate([measures.win(each, each.index % each.seats) for each in _of(played, "duel")])
    ):
        made["duel"] = duel
    if analysis.seats == 1:
        tension = mean([measures.tension(each) for each in _of(played, "search")], f"{analysis.seed}/tension")
        if tension:
            made["tension"] = tension
    if faculties:
        made["faculties"] = list(faculties)
    made["findings"] = findings(made)
    return made


def _of(played: Mapping[Run, RunResult], run: Run) -> list[History]:
    return played[run].histories


def subject(analysis: Analysis) -> str:
    """Return what is analysed: the title, the number of players, and options without their default."""
    game, seats = analysis.game, analysis.seats
    defaults = {option.name: option.default for option in game.options}
    settings = [f"{name} {value}" for name, value in analysis.options.items() if value != defaults.get(name)]
    return ", ".join([game.title, "1 player" if seats == 1 else f"{seats} players", *settings])


_SHARED: Ties = "shared"
_FULL: Ties = "full"


def _why_left_out(run: RunResult) -> str:
    """Return why a run has no figure of a measure."""
    return TOO_SHORT if run.histories else NO_MATCH


def _run_of(name: str, played: Mapping[Run, RunResult]) -> Run:
    """Return the run from which a measure is computed."""
    if name in OF_RANDOM or name == "fairness":
        return "random"
    if name == "fairness_skilled" and "strong" in played:
        return "strong"
    return "order" if name == "order" else "search"


def _measure(name: str, analysis: Analysis, played: Mapping[Run, RunResult], ties: Ties) -> Figure | None:
    """Return a measure over all matches of its run; None if there is nothing to measure."""
    histories = played[_run_of(name, played)].histories
    if name in OF_WINNERS:
        return covered(name, mean([OF_WINNERS[name](each, ties) for each in histories], f"{analysis.seed}/{name}"))
    if name in OF_SEARCH or name in OF_RANDOM:
        of = OF_SEARCH.get(name) or OF_RANDOM[name]
        return covered(name, mean([of(each) for each in histories], f"{analysis.seed}/{name}"))
    if name == "spread_corrected":
        return corrected_spread(mean([measures.spread_squared(each) for each in histories], f"{analysis.seed}/{name}"))
    wins = rate([measures.win(each, 0, ties) for each in histories])
    if wins is None:
        return None
    seats, low, high = analysis.seats, wins["low"] or 0.0, wins["high"] or 0.0
    if name != "order":
        return fairness(wins, seats)
    ends = measures.order(low, seats), measures.order(high, seats)
    return {"value": measures.order(wins["value"], seats), "low": ends[0], "high": ends[1], "matches": wins["matches"]}


def fairness(wins: Figure, seats: int) -> Figure:
    """Return fairness from the first seat's rate of wins."""
    low, high = measures.fairness_interval(wins["low"] or 0.0, wins["high"] or 0.0, seats)
    return {"value": measures.fairness(wins["value"], seats), "low": low, "high": high, "matches": wins["matches"]}


def covered(name: str, figure: Figure | None) -> Figure | None:
    """Return the figure of a measure with its interval widened where that is too narrow: see ``intervals.covering``."""
    if figure is None or figure["low"] is None or figure["high"] is None or name not in BOUNDED:
        return figure
    return _widened(figure, figure["low"], figure["high"])


def _widened(figure: Figure, low: float, high: float, lowest: float = 0.0) -> Figure:
    low, high = covering(figure["value"], low, high, figure["matches"], lowest)
    return {"value": figure["value"], "low": low, "high": high, "matches": figure["matches"]}


def corrected_spread(squared: Figure | None) -> Figure | None:
    """Return the corrected spread from its square, which lies between -1 and 1."""
    if squared is None:
        return None
    if squared["low"] is not None and squared["high"] is not None:
        squared = _widened(squared, squared["low"], squared["high"], -1.0)
    value, low, high = (
        None if each is None else measures.spread_corrected(each)
        for each in (squared["value"], squared["low"], squared["high"])
    )
    return {"value": value or 0.0, "low": low, "high": high, "matches": squared["matches"]}


def mean(parts: Sequence[Part], seed: str) -> Figure | None:
    """Return the ratio of the sums of parts with its bootstrap interval; None if all weights are 0."""
    parts = [part for part in parts if part[1]]
    if not parts:
        return None
    total, weight = (float(each) for each in np.sum(np.array(parts), axis=0))
    low, high = bootstrap(parts, seed) or (None, None)
    return {"value": total / weight, "low": low, "high": high, "matches": len(parts)}


def rate(parts: Sequence[Part]) -> Figure | None:
    """Return a rate of wins with Wilson's interval, a shared win as a fraction; None without matches."""
    if not parts:
        return None
    wins = float(sum(won for won, _ in parts))
    low, high = wilson(wins, len(parts))
    return {"value": wins / len(parts), "low": low, "high": high, "matches": len(parts)}


def alone(report: AnalysisReport) -> list[tuple[str, Figure]]:
    """Return the figures of a game for one player: wins and scores by run, and tension."""
    found = []
    for run, title in BY_SKILL.items():
        if run in report["basics"]:
            (seat,) = report["basics"][run]["seats"]
            found += [(f"wins, {title.lower()}", seat["wins"]), (f"score, {title.lower()}", seat["mean_score"])]
    if "tension" in report:
        found.append(("tension", report["tension"]))
    return found


def _required(figure: Figure | None) -> Figure:
    """Return a figure. Raises ValueError if there are no matches."""
    if figure is None:
        raise ValueError("There are no matches.")
    return figure


def basics(histories: Sequence[History], seed: str) -> Basics:
    """Return basic statistics of at least one match."""
    seats: list[SeatFigures] = []
    for seat in range(histories[0].seats):
        scores = [each.scores[seat] for each in histories]
        seats.append({
            "wins": _required(rate([measures.win(each, seat) for each in histories])),
            "wins_full": _required(rate([measures.win(each, seat, "full") for each in histories])),
            "mean_score": _required(mean([(score, 1.0) for score in scores], f"{seed}/score/{seat}")),
            "score_quantiles": [float(each) for each in np.quantile(scores, QUANTILES)],
        })  # fmt: skip
    return {
        "ties": _required(rate([measures.tied(each) for each in histories])),
        "seats": seats,
        "branching": branching_curve(histories),
    }


def branching_curve(histories: Sequence[History]) -> Curve:
    """Return the number of options by move number, as far as ``MIN_SHARE`` of the matches go."""
    longest = max(len(each.decisions) for each in histories)
    curve: Curve = {"mean": [], "low": [], "high": [], "matches": []}
    for move in range(longest):
        options = [each.decisions[move].options for each in histories if move < len(each.decisions)]
        if len(options) < MIN_SHARE * len(histories):
            break
        low, high = np.quantile(options, [0.25, 0.75])
        curve["mean"].append(round(sum(options) / len(options), DECIMALS))
        curve["low"].append(float(low))
        curve["high"].append(float(high))
        curve["matches"].append(len(options))
    return curve


def _run(played: RunResult) -> RunReport:
    return {
        "matches": len(played.histories),
        "broken": dict(sorted(played.broken.items())),
        "samples": {kind: {"match": index, "text": text} for kind, (index, text) in sorted(played.reports.items())},
        "rollouts": played.rollouts,
        "rollouts_lost": played.lost,
    }


def _trend(histories: Sequence[History], seed: str) -> Trend | None:
    if not histories:
        return None
    curves = np.array([measures.trend(each) for each in histories])
    made: Trend = {
        "threshold": measures.drama_threshold(histories[0].seats),
        "places": curves.mean(axis=0).round(DECIMALS).tolist(),
        "matches": len(histories),
    }
    if len(histories) >= FEW and (ends := bootstrap_means(curves, f"{seed}/trend")):
        made["low"], made["high"] = (each.round(DECIMALS).tolist() for each in ends)
    return made


def _spreads(histories: Sequence[History]) -> Spreads | None:
    decisions = [each for history in histories for each in history.decisions]
    if not decisions:
        return None
    last = round(1 / BIN) - 1
    # Spreads often lie on the border of two bins: a tiny offset puts them in the upper one in spite of rounding errors.
    counts = Counter(
        min(last, int((max(each.means) - min(each.means)) / BIN + 1e-6)) for each in decisions if each.options > 1
    )
    return {
        "decisions": len(decisions),
        "forced": sum(each.options == 1 for each in decisions) / len(decisions),
        "bins": [counts[number] / len(decisions) for number in range(last + 1)],
    }


def _notes(analysis: Analysis, played: Mapping[Run, RunResult]) -> list[str]:
    """Return notes that readers of the figures need."""
    notes = []
    if analysis.seats == 1:
        notes.append(FOR_ONE)
    histories = played["random"].histories
    if len(histories) > 1 and all(len(each.winners) > 1 for each in histories):
        notes.append(OF_PARTNERS)
    most = analysis.examined
    if most is not None and any(
        each.options > most for history in played["search"].histories for each in history.decisions
    ):
        notes.append(OF_MANY)
    broken = sum(sum(each.broken.values()) for each in played.values())
    if broken:
        notes.append(f"In {broken:,} matches the rules failed; no figure counts them.")
    lost, begun = (sum(getattr(each, name) for each in played.values()) for name in ("lost", "rollouts"))
    if lost:
        notes.append(f"The rules failed in {lost:,} of {begun:,} roll-outs; estimates use only the others.")
    return notes


def decisions_table(histories: Sequence[History]) -> str:
    """Return the decisions of bots that search as CSV, one row each, with its options and every player's estimate.

    ``deal`` counts from 1, and is 0 where deals are not known. ``best``, ``mean`` and ``worst`` are the mover's mean
    result over the options; ``estimate_p`` is that of player p for the chosen option; ``rank_p`` is p's final rank.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    seats = range(histories[0].seats) if histories else range(0)
    head = ["match", "decision", "deal", "mover", "move", "options", "best", "mean", "worst"]
    rows.writerow(head + [f"estimate_{seat}" for seat in seats] + [f"rank_{seat}" for seat in seats])
    for history in histories:
        for number, each in enumerate(history.decisions):
            deal = bisect_right(history.deals, number)
            mean_result = round(sum(each.means) / len(each.means), DECIMALS)
            options = [each.options, max(each.means), mean_result, min(each.means)]
            rows.writerow(
                [history.index, number, deal, each.mover, each.move, *options, *each.estimates, *history.ranks]
            )
    return text.getvalue()
