"""The study of the rig, ``docs/studies/rig.md``: ``python -m docs.studies.rig [--matches N] [--workers N]``.

How often each way to rig Hamsterdam Exchange makes the favourite win, and how soon an attentive player notices.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypedDict

from docs.studies.publish import command, counted, percent, resumed, rounded, table
from games.core import FastChance
from games.core.cards import pips
from games.core.options import OptionValue
from games.hamsterdam.bots import choose
from games.hamsterdam.game import GAME
from games.hamsterdam.suspicion import SeenRound, Suspicion, posterior
from games.lab.charts import UNIT, Chart
from games.lab.report_types import Figure
from games.lab.simulate import Simulation, play_match

NAME = "rig"
WAYS = ("honest", "stacked", "subtle")
SURE = 0.95  # probability of a rig from which an observer is sure
SEARCH = "ismcts-100"
PLAYED_BY = (("house", "house"), ("house", "random"), ("random", "house"), ("house", SEARCH))  # favourite, others


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    matches: int = 600  # for each win rate
    searched: int = 40  # where the others search
    searched_seats: tuple[int, ...] = (2, 3)
    lessons: int = 400  # matches of each kind from which the observer has learned
    series: int = 40  # that such players observe
    series_matches: int = 10


def rigged(way: str, favourite: int) -> OptionValue:
    """Return the value of the game's option."""
    return {"honest": -1, "stacked": favourite}.get(way, f"subtle-{favourite}")


# -- how often the favourite wins


class Wins(TypedDict):
    """How often a favourite won. ``shared``: in how many matches it shared the win."""

    seats: int
    way: str
    favourite: str
    others: str
    wins: Figure


def wins(settings: Settings, task: tuple[int, str, str, str]) -> Wins:
    """Play the matches of one row, with the favourite in each seat alternately."""
    seats, way, own, others = task
    matches = settings.searched if others == SEARCH else settings.matches
    won = 0.0
    for index in range(matches):
        favourite = index % seats
        bots = [own if seat == favourite else others for seat in range(seats)]
        options = GAME.check_options({"rigged": rigged(way, favourite)})
        played = play_match(Simulation(GAME, tuple(bots), options, f"{settings.seed}/rig"), index)
        if played.broken:
            raise played.broken
        won += (favourite in played.winners) / len(played.winners)
    return {"seats": seats, "way": way, "favourite": own, "others": others, "wins": counted(won, matches)}


# -- the observer


class ObservedRound(NamedTuple):
    """A round as one seat saw it: the cards it saw, and who lost a certificate."""

    seen: SeenRound
    lost: tuple[int, ...]


def observe(seats: int, option: OptionValue, seed: str, observer: int) -> list[ObservedRound]:
    """Play a match of house bots and return its rounds as one of them sees them."""
    state = GAME.start(seats, {"rigged": option}, FastChance(seed))
    state.log = None
    rounds: list[ObservedRound] = []
    while not state.over:
        order, number = tuple(state.order), state.round
        held = [state.stock[observer]] if observer in order else []
        traded: list[int] = []
        while not state.over and state.round == number:
            mover, market = state.mover, state.phase == "market"
            move = choose(state.observe(mover), mover)
            state.apply(mover, move)
            if market and move == "trade":
                traded.append(mover)
                index = order.index(mover)
                if observer in order[index : index + 2]:
                    held.append(state.stock[observer])
        if state.last_score:  # always: a round has just ended
            shown = {seat: stock for seat, stock, _, _ in state.last_score.rows}
            rounds.append(
                ObservedRound(SeenRound(observer, order, tuple(traded), tuple(held), shown), state.last_score.lost)
            )
    return rounds


def series(settings: Settings, task: tuple[int, str, int]) -> list[list[ObservedRound]]:
    """Return the matches of a series as one seat saw them; each series has another favourite and observer."""
    seats, way, number = task
    favourite = number % seats
    observer = (favourite + 1 + number // seats % (seats - 1)) % seats
    start = f"{settings.seed}/{way}/{seats}/{number}"
    return [
        observe(seats, rigged(way, favourite), f"{start}/{match}", observer) for match in range(settings.series_matches)
    ]


def lessons(settings: Settings, task: tuple[int, str]) -> dict[str, Any]:
    """Count what was seen of the favourite, by statistic, number of players still in, and observation."""
    seats, way = task
    counts: dict[str, Counter[tuple[int, object]]] = {name: Counter() for name in STATISTICS}
    for match in range(settings.lessons):
        favourite = match % seats
        for each in observe(seats, rigged(way, favourite), f"{settings.seed}/lessons/{way}/{seats}/{match}", favourite):
            if favourite in each.seen.order:
                for name, statistic in STATISTICS.items():
                    counts[name][len(each.seen.order), statistic(each, favourite)] += 1
    return counts


# -- statistics of a round and a suspected seat


def _lost(each: ObservedRound, suspect: int) -> object:
    return suspect in each.lost


def _stocks_below(each: ObservedRound, suspect: int) -> object:
    mine = pips(each.seen.shown[suspect])
    return sum(pips(face) < mine for face in each.seen.shown.values())


def _both(each: ObservedRound, suspect: int) -> object:
    return _stocks_below(each, suspect), _lost(each, suspect)


STATISTICS: dict[str, Callable[[ObservedRound, int], object]] = {
    "losses": _lost,
    "stocks": _stocks_below,
    "both": _both,
}
IN_WORDS = {
    "losses": "whether it lost a certificate",
    "stocks": "how many stocks lay below its own when the markets closed",
    "both": "both of these",
}
Learned = Mapping[str, Mapping[tuple[int, object], float]]  # logarithms of ratios, by statistic


def learn(honest: Mapping[str, Counter[Any]], subtle: Mapping[str, Counter[Any]]) -> Learned:
    """Return the evidence of each observation of a seat: the logarithm of how much more often a favourite has it.

    Each kind is counted once more than it was seen, so that nothing counts as impossible.
    """
    learned: dict[str, dict[tuple[int, object], float]] = {}
    for name in STATISTICS:
        kinds = sorted({*honest[name], *subtle[name]}, key=repr)
        sums = [Counter[int](), Counter[int]()]
        for kind in kinds:
            for total, counts in zip(sums, (honest[name], subtle[name]), strict=True):
                total[kind[0]] += counts[kind] + 1
        learned[name] = {
            kind: math.log((subtle[name][kind] + 1) / sums[1][kind[0]])
            - math.log((honest[name][kind] + 1) / sums[0][kind[0]])
            for kind in kinds
        }
    return learned


def by_luck(rounds: Iterable[ObservedRound], seats: int, statistic: str, learned: Learned) -> list[float]:
    """Return the probability of the subtle rig after each round; all seats are equally likely before."""
    known, of = learned[statistic], STATISTICS[statistic]
    ratios = [0.0] * seats
    sure = []
    for each in rounds:
        for suspect in each.seen.order:
            ratios[suspect] += known.get((len(each.seen.order), of(each, suspect)), 0.0)
        sure.append(posterior(0.0, ratios))
    return sure


def by_cards(rounds: Iterable[ObservedRound], seats: int) -> list[float]:
    """Return the probability of the stacked deck after each round."""
    suspicion = Suspicion(seats)
    sure = []
    for each in rounds:
        suspicion.see(each.seen)
        sure.append(suspicion.sure)
    return sure


# -- how well it is detected


class Detection(TypedDict):
    """How well a rig is distinguished from honest deals."""

    seats: int
    way: str
    by: str
    auc: float  # after one match: how often a rigged one looks more rigged than an honest one
    caught: Figure  # rigged matches after which the observer is sure
    wronged: Figure  # honest matches after which the observer is sure
    sure: Figure  # rigged series during which the observer becomes sure
    falsely: Figure  # honest series during which the observer becomes sure
    rounds: float | None  # after which half of the observers are sure; None: fewer than half ever are
    by_round: list[float]  # share of observers who have been sure, after each round
    false_by_round: list[float]
    roc: list[list[float]]  # (wronged, caught) at all thresholds, after one match


def detection(
    seats: int,
    way: str,
    by: str,
    sure: Callable[[Iterable[ObservedRound]], list[float]],
    rigged_series: Sequence[list[list[ObservedRound]]],
    honest_series: Sequence[list[list[ObservedRound]]],
) -> Detection:
    """Measure how well ``sure`` distinguishes rigged series from honest ones."""
    once = [[sure(match)[-1] for one in kind for match in one] for kind in (rigged_series, honest_series)]
    first = [
        [_first([*sure(each for match in one for each in match)]) for one in kind]
        for kind in (rigged_series, honest_series)
    ]
    often = [[number for number in kind if number is not None] for kind in first]
    many = min(ROUNDS_DRAWN, min(sum(map(len, one)) for kind in (rigged_series, honest_series) for one in kind))
    shares = [
        [rounded(sum(at <= number for at in kind) / len(first[0])) for number in range(1, many + 1)] for kind in often
    ]
    middle = median([math.inf if number is None else number for number in first[0]])
    curve = roc(once[1], once[0])
    return {
        "seats": seats,
        "way": way,
        "by": by,
        "auc": rounded(area(curve)),
        "caught": counted(sum(each > SURE for each in once[0]), len(once[0])),
        "wronged": counted(sum(each > SURE for each in once[1]), len(once[1])),
        "sure": counted(len(often[0]), len(first[0])),
        "falsely": counted(len(often[1]), len(first[1])),
        "rounds": None if middle == math.inf else middle,
        "by_round": shares[0],
        "false_by_round": shares[1],
        "roc": [[rounded(x), rounded(y)] for x, y in _thinned(curve)],
    }


ROUNDS_DRAWN = 40


def _first(sure: Sequence[float]) -> int | None:
    return next((number for number, each in enumerate(sure, 1) if each > SURE), None)


def roc(honest: Sequence[float], guilty: Sequence[float]) -> list[tuple[float, float]]:
    """Return the share of honest and of guilty ones that reach a threshold, from the highest threshold down.

    >>> roc([0.1, 0.5], [0.5, 0.9])
    [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]
    """
    counts = Counter(honest), Counter(guilty)
    points, reached = [(0.0, 0.0)], [0, 0]
    for threshold in sorted({*honest, *guilty}, reverse=True):
        for kind, count in enumerate(counts):
            reached[kind] += count[threshold]
        points.append((reached[0] / len(honest), reached[1] / len(guilty)))
    return points


def area(curve: Sequence[tuple[float, float]]) -> float:
    """Return the area under a curve: 1 is perfect, .5 is chance.

    >>> area(roc([0.1, 0.5], [0.5, 0.9]))
    0.875
    """
    return sum((x - left) * (y + low) / 2 for (left, low), (x, y) in pairwise(curve))


POINTS = 60  # of a curve in the figures


def _thinned(curve: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, math.ceil(len(curve) / POINTS))
    return [*curve[:-1:step], curve[-1]]


# -- all figures


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps the rates of wins."""
    rows = [
        (seats, way, *bots)
        for seats in settings.seats
        for bots in PLAYED_BY
        for way in WAYS
        if bots[1] != SEARCH or (seats in settings.searched_seats and way != "honest")
    ]
    won = resumed(partial(wins, settings), rows, work, "wins", settings.seed, workers)
    verdicts: list[Detection] = []
    for seats in settings.seats:
        looked = {way: [series(settings, (seats, way, number)) for number in range(settings.series)] for way in WAYS}
        learned = learn(lessons(settings, (seats, "honest")), lessons(settings, (seats, "subtle")))
        cards = partial(by_cards, seats=seats)
        verdicts.append(detection(seats, "stacked", "cards", cards, looked["stacked"], looked["honest"]))
        verdicts.append(detection(seats, "subtle", "cards", cards, looked["subtle"], looked["honest"]))
        for name in STATISTICS:
            luck = partial(by_luck, seats=seats, statistic=name, learned=learned)
            verdicts.append(detection(seats, "subtle", name, luck, looked["subtle"], looked["honest"]))
    rates = list(won.values())
    return {"settings": asdict(settings), "rules": GAME.rules_version, "wins": rates, "detection": verdicts}


# -- tables and charts


def _rate(figures: Mapping[str, Any], *which: object) -> Figure | None:
    for row in figures["wins"]:
        if (row["seats"], row["way"], row["favourite"], row["others"]) == which:
            rate: Figure = row["wins"]
            return rate
    return None


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    settings = figures["settings"]
    words = {"matches": f"{settings['matches']:,}", "searched": str(settings["searched"])}
    words |= {"lessons": f"{settings['lessons']:,}", "series": str(settings["series"])}
    words["series-matches"] = str(settings["series_matches"])
    for own, others in PLAYED_BY:
        rows = []
        for seats in settings["seats"]:
            cells = [_rate(figures, seats, way, own, others) for way in WAYS]
            if any(cells):
                rows.append([str(seats), *("not measured" if each is None else percent(each) for each in cells)])
        words[f"wins-{own}-{others}"] = table(["Seats", *WAYS], rows)
    rows = []
    for seats in settings["seats"]:
        honest = _rate(figures, seats, "honest", "house", "house")
        for way in ("stacked", "subtle"):
            each = _rate(figures, seats, way, "house", "house")
            if honest and each:
                lost = (1 - honest["value"]) ** 2
                done = [1 - lost * (1 - each["value"]) ** games for games in (0, 1, 2)]
                rows.append([str(seats), way, *(f"{100 * share:.2f} %" for share in done)])
    words["in-series"] = table(
        ["Seats", "Rig", "after two honest games", "after the first rigged one", "after two"], rows
    )
    words["detection-stacked"] = _verdicts(figures, "stacked", "cards")
    words["detection-subtle"] = _verdicts(figures, "subtle", best(figures))
    words["best"] = IN_WORDS[best(figures)]
    rows = [
        [str(seats), *(f"{_detection(figures, seats, 'subtle', name)['auc']:.3f}" for name in ("cards", *STATISTICS))]
        for seats in settings["seats"]
    ]
    words["statistics"] = table(["Seats", "ranges of cards", "losses", "stocks", "both"], rows)
    return words


def best(figures: Mapping[str, Any]) -> str:
    """Return the statistic that detects the subtle rig best, over all numbers of seats."""
    seats = figures["settings"]["seats"]
    return max(STATISTICS, key=lambda name: sum(_detection(figures, many, "subtle", name)["auc"] for many in seats))


def _detection(figures: Mapping[str, Any], seats: int, way: str, by: str) -> Detection:
    detected: Detection = next(
        each for each in figures["detection"] if (each["seats"], each["way"], each["by"]) == (seats, way, by)
    )
    return detected


def _verdicts(figures: Mapping[str, Any], way: str, by: str) -> str:
    rows = []
    for seats in figures["settings"]["seats"]:
        each = _detection(figures, seats, way, by)
        rounds = "more than there were" if each["rounds"] is None else f"{each['rounds']:g}"
        figures_of = (each["caught"], each["wronged"], each["sure"], each["falsely"])
        rows.append([str(seats), rounds, f"{each['auc']:.3f}", *map(percent, figures_of)])
    return table(
        ["Seats", "Rounds until half are sure", "AUC, one match", "sure after one", "falsely so", "sure in a series",
         "falsely so"],
        rows,
    )  # fmt: skip


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    settings = figures["settings"]
    many = settings["seats"]
    chart = Chart(
        "The favourite's wins",
        f"Share of {settings['matches']:,} matches of Hamsterdam Exchange that the favourite won, all seats played by "
        "the house AI, with Wilson's 95 % intervals; a shared win counts in part.",
        (min(many) - 0.5, max(many) + 0.5),
        (0, 1),
    )
    chart.axes("Seats", "Share of matches won", {seats: str(seats) for seats in many}, UNIT)
    for index, way in enumerate(WAYS):
        rates = [(seats, _rate(figures, seats, way, "house", "house")) for seats in many]
        aside = (index - 1) * 0.08
        chart.line(index, [(seats + aside, each["value"]) for seats, each in rates if each], way)
        for seats, each in rates:
            if each:
                chart.interval(index, seats + aside, each)
    shown = 3 if 3 in many else many[0]
    by = best(figures)
    stacked, subtle = _detection(figures, shown, "stacked", "cards"), _detection(figures, shown, "subtle", by)
    last = max(len(stacked["by_round"]), len(subtle["by_round"]), 2)
    sure = Chart(
        "How soon one can be sure",
        f"Hamsterdam Exchange, {shown} seats: share of {settings['series']} attentive players who have been more than "
        "95 % sure of a rig, by the rounds they have seen.",
        (1, last),
        (0, 1),
    )
    x = {float(number): str(number) for number in range(5, last + 1, 5)} | {1.0: "1"}
    sure.axes("Rounds seen", "Share who have been sure", x, UNIT)
    lines = {
        "stacked": stacked["by_round"],
        "subtle": subtle["by_round"],
        "honest, by cards": stacked["false_by_round"],
        "honest, by luck": subtle["false_by_round"],
    }
    for index, (label, points) in enumerate(lines.items()):
        if points:
            sure.line(index, list(enumerate(points, 1)), label)
    once = settings["series"] * settings["series_matches"]
    curves = Chart(
        "What one match shows",
        f"Hamsterdam Exchange, {shown} seats: of {once:,} rigged and as many honest matches, "
        "the share that is called rigged, at every threshold.",
        (0, 1),
        (0, 1),
    )
    curves.axes("Honest matches called rigged", "Rigged matches called rigged", UNIT, UNIT)
    curves.line(0, [(x, y) for x, y in stacked["roc"]], "stacked")
    curves.line(1, [(x, y) for x, y in subtle["roc"]], "subtle")
    return {"wins.svg": chart.svg(), "sure.svg": sure.svg(), "roc.svg": curves.svg()}


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "matches": "for a rate of wins",
        "searched": "the same, where the others search",
        "lessons": "matches from which to learn",
        "series": "that are looked at",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
