"""The study of the rig, ``docs/studies/rig.md``: ``python -m docs.studies.rig [--matches N] [--workers N]``.

How often each way to rig Hamsterdam Exchange makes the favourite win, and how soon an attentive player notices. The
best that any observer could do is in ``docs.studies.rig_bound``.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypedDict

import numpy as np

from docs.studies import rig_bound
from docs.studies.publish import command, counted, number, percent, resumed, rounded, short, table
from games.core import FastChance
from games.core.cards import pips
from games.core.options import OptionValue
from games.hamsterdam.bots import choose
from games.hamsterdam.game import GAME
from games.hamsterdam.suspicion import SeenRound, Suspicion, posterior
from games.lab.charts import UNIT, Chart
from games.lab.intervals import RESAMPLES, covering
from games.lab.report_types import Figure
from games.lab.simulate import Simulation, play_match

NAME = "rig"
WAYS = ("honest", "stacked", "subtle")
SURE = 0.95  # probability of a rig from which an observer is sure
SEARCH = "strong"  # the strongest level at a table
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
    bound_matches: int = 2  # of each series, those of which all cards are looked at
    bound_sizes: tuple[int, ...] = (20, 60)  # shuffles and roll-outs of a deal; the last one counts, others check it


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


class Row(NamedTuple):
    """What a rate of wins is of."""

    seats: int
    way: str
    favourite: str
    others: str


def wins(seed: str, task: tuple[Row, int]) -> Wins:
    """Play so many matches of a row, with the favourite in each seat alternately."""
    (seats, way, own, others), matches = task
    won = 0.0
    for index in range(matches):
        favourite = index % seats
        bots = [own if seat == favourite else others for seat in range(seats)]
        options = GAME.check_options({"rigged": rigged(way, favourite)})
        played = play_match(Simulation(GAME, tuple(bots), options, f"{seed}/rig"), index)
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
        order, current = tuple(state.order), state.round
        held = [state.stock[observer]] if observer in order else []
        traded: list[int] = []
        while not state.over and state.round == current:
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


def match_seed(seed: str, seats: int, way: str, one: int, match: int) -> str:
    """Return the seed of a match of series ``one``."""
    return f"{seed}/{way}/{seats}/{one}/{match}"


def series(settings: Settings, seats: int, way: str, one: int) -> list[list[ObservedRound]]:
    """Return the matches of a series as one seat saw them; each series has another favourite and observer."""
    favourite = one % seats
    observer = (favourite + 1 + one // seats % (seats - 1)) % seats
    return [
        observe(seats, rigged(way, favourite), match_seed(settings.seed, seats, way, one, match), observer)
        for match in range(settings.series_matches)
    ]


class Examined(NamedTuple):
    """A match whose deals are looked at with all cards open (``rig_bound``)."""

    seats: int
    way: str
    series: int
    match: int
    size: int


def examine(seed: str, task: Examined) -> list[list[float]]:
    """Return the evidence of each deal of a match for each seat."""
    seats, way, one, match, size = task
    start = match_seed(seed, seats, way, one, match)
    played = rig_bound.deals(seats, rigged(way, one % seats), start)
    return rig_bound.of_match(played, seats, size, FastChance(f"{start}/bound/{size}"))


def lessons(settings: Settings, seats: int, way: str) -> dict[str, Any]:
    """Count what was seen of the favourite, by statistic, number of players still in, and observation."""
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


Suspect = int | None  # the seat that may be the favourite, if the observer knows which one that is

# What an observer concludes from rounds: the probability of a rig after each of them.
Verdict = Callable[[Iterable[Any], Suspect], list[float]]


def by_luck(
    rounds: Iterable[ObservedRound], suspect: Suspect, seats: int, statistic: str, learned: Learned
) -> list[float]:
    """Return the probability of the subtle rig after each round; all seats are equally likely before."""
    known, of = learned[statistic], STATISTICS[statistic]
    found = []
    for each in rounds:
        order = each.seen.order
        found.append([
            known.get((len(order), of(each, seat)), 0.0) if seat in order else 0.0 for seat in range(seats)
        ])  # fmt: skip
    return by_deals(found, suspect)


def by_deals(rounds: Iterable[Sequence[float]], suspect: Suspect) -> list[float]:
    """Return the probability of the subtle rig after each round, from its evidence for each seat."""
    sums: list[float] = []
    sure = []
    for each in rounds:
        sums = [one + more for one, more in zip(sums, each, strict=True)] if sums else list(each)
        sure.append(posterior(0.0, sums if suspect is None else [sums[suspect]]))
    return sure


def by_cards(rounds: Iterable[ObservedRound], suspect: Suspect, seats: int) -> list[float]:
    """Return the probability of the stacked deck after each round."""
    suspicion = Suspicion(seats)
    sure = []
    for each in rounds:
        suspicion.add(each.seen)
        sure.append(suspicion.probability)
    return sure


# -- how well it is detected


class Detection(TypedDict):
    """How well a rig is distinguished from honest deals."""

    seats: int
    way: str
    by: str
    known_suspect: bool  # the observer knows which seat would be the favourite
    auc: Figure  # after one match: how often a rigged one looks more rigged than an honest one
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
    sure: Verdict,
    rigged_series: Sequence[Sequence[Sequence[Any]]],
    honest_series: Sequence[Sequence[Sequence[Any]]],
    *,
    known_suspect: bool = False,
) -> Detection:
    """Measure how well ``sure`` distinguishes rigged series from honest ones, each a list of matches, of rounds.

    The favourite of series i, or who would be it in an honest one, is seat i modulo the number of seats.
    """

    def suspect(index: int) -> Suspect:
        return index % seats if known_suspect else None

    both = (rigged_series, honest_series)
    looks = [[[sure(match, suspect(index))[-1] for match in one] for index, one in enumerate(kind)] for kind in both]
    once = [[each for one in kind for each in one] for kind in looks]
    first = [
        [_first(sure([each for match in one for each in match], suspect(index))) for index, one in enumerate(kind)]
        for kind in both
    ]
    often = [[each for each in kind if each is not None] for kind in first]
    many = min(ROUNDS_DRAWN, min(sum(map(len, one)) for kind in both for one in kind))
    shares = [
        [rounded(sum(at <= last for at in kind) / len(first[0])) for last in range(1, many + 1)] for kind in often
    ]
    middle = median([math.inf if each is None else each for each in first[0]])
    curve = roc(once[1], once[0])
    return {
        "seats": seats,
        "way": way,
        "by": by,
        "known_suspect": known_suspect,
        "auc": area_figure(looks[0], looks[1], f"{seats}/{way}/{by}/{known_suspect}"),
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
    return next((at for at, each in enumerate(sure, 1) if each > SURE), None)


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


def area_figure(guilty: Sequence[Sequence[float]], honest: Sequence[Sequence[float]], seed: str) -> Figure:
    """Return the area under the curve of all matches, with its 95 % bootstrap interval; each list is a series.

    Whole series are resampled, the rigged and the honest ones apart, because matches of a series have the same
    favourite and observer. The area is the share of pairs in which the rigged match looks more rigged, where equal ones
    count half. Where all pairs are alike, the interval is that of as many independent pairs as there are series
    (``games.lab.intervals.covering``), which is wider than it need be.

    Sources: J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
    (ROC) curve", Radiology 143 (1982), page 29, for the area; C. M. Rutter, "Bootstrap estimation of diagnostic
    accuracy with patient-clustered data", Academic Radiology 7 (2000), page 413, for the interval.
    """
    above = np.array([
        [np.mean([(one > other) + (one == other) / 2 for one in ours for other in theirs]) for theirs in honest]
        for ours in guilty
    ])  # fmt: skip
    value, series = float(above.mean()), min(above.shape)
    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    times = [draws.multinomial(many, [1 / many] * many, size=RESAMPLES) / many for many in above.shape]
    low, high = np.quantile(np.einsum("ri,ij,rj->r", times[0], above, times[1]), [0.025, 0.975])
    low, high = covering(value, float(low), float(high), series)
    return short({"value": value, "low": low, "high": high, "matches": sum(map(len, guilty))})


POINTS = 60  # of a curve in the figures


def _thinned(curve: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, math.ceil(len(curve) / POINTS))
    return [*curve[:-1:step], curve[-1]]


# -- all figures


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps what takes long."""
    rows = [
        (Row(seats, way, *bots), settings.searched if SEARCH in bots else settings.matches)
        for bots in PLAYED_BY
        for seats in settings.seats
        for way in WAYS
        if SEARCH not in bots or seats in settings.searched_seats
    ]
    won = resumed(partial(wins, settings.seed), rows, work, "wins", settings.seed, workers)
    tasks = [
        Examined(seats, way, one, match, size)
        for size in settings.bound_sizes
        for seats in settings.seats
        for way in ("honest", "subtle")
        for one in range(settings.series)
        for match in range(settings.bound_matches)
    ]
    examined = resumed(partial(examine, settings.seed), tasks, work, "bound", settings.seed, workers)
    verdicts: list[Detection] = []
    for seats in settings.seats:
        looked = {way: [series(settings, seats, way, one) for one in range(settings.series)] for way in WAYS}
        learned = learn(lessons(settings, seats, "honest"), lessons(settings, seats, "subtle"))
        cards = partial(by_cards, seats=seats)
        verdicts.append(detection(seats, "stacked", "cards", cards, looked["stacked"], looked["honest"]))
        verdicts.append(detection(seats, "subtle", "cards", cards, looked["subtle"], looked["honest"]))
        for name in STATISTICS:
            luck = partial(by_luck, seats=seats, statistic=name, learned=learned)
            verdicts += [
                detection(seats, "subtle", name, luck, looked["subtle"], looked["honest"], known_suspect=known_suspect)
                for known_suspect in (False, True)
            ]
        for size in settings.bound_sizes:
            open_series = {
                way: [
                    [examined[Examined(seats, way, one, match, size)] for match in range(settings.bound_matches)]
                    for one in range(settings.series)
                ]
                for way in ("honest", "subtle")
            }
            both = open_series["subtle"], open_series["honest"]
            verdicts += [
                detection(seats, "subtle", bound_by(size), by_deals, *both, known_suspect=known_suspect)
                for known_suspect in (False, True)
            ]
    return {
        "settings": asdict(settings),
        "rules": GAME.rules_version,
        "wins": list(won.values()),
        "detection": verdicts,
    }


def bound_by(size: int) -> str:
    """Return the name of the observer who sees all cards."""
    return f"all cards, {size}"


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
        [str(seats), *(number(_detection(figures, seats, "subtle", name)["auc"]) for name in ("cards", *STATISTICS))]
        for seats in settings["seats"]
    ]
    words["statistics"] = table(["Seats", "ranges of cards", "losses", "stocks", "both"], rows)
    finest = bound_by(settings["bound_sizes"][-1])
    words["detection-bound"] = _verdicts(figures, "subtle", finest)
    words["bound"] = table(
        ["Seats", "suspect unknown: best statistic", "all cards", "suspect known: best statistic", "all cards"],
        [
            [
                str(seats),
                *(
                    number(_detection(figures, seats, "subtle", by, known_suspect=known_suspect)["auc"])
                    for known_suspect in (False, True)
                    for by in (best(figures), finest)
                ),
            ]
            for seats in settings["seats"]
        ],
    )
    changes = [
        _detection(figures, seats, "subtle", bound_by(size), known_suspect=known_suspect)["auc"]["value"]
        - _detection(figures, seats, "subtle", finest, known_suspect=known_suspect)["auc"]["value"]
        for seats in settings["seats"]
        for known_suspect in (False, True)
        for size in settings["bound_sizes"][:-1]
    ]
    words["bound-change"] = f"{min(changes, default=0):+.3f} to {max(changes, default=0):+.3f}"
    words["bound-matches"] = str(settings["bound_matches"])
    words["bound-size"] = str(settings["bound_sizes"][-1])
    words["bound-coarse"] = str(settings["bound_sizes"][0])
    return words


def best(figures: Mapping[str, Any]) -> str:
    """Return the statistic that detects the subtle rig best, over all numbers of seats."""
    seats = figures["settings"]["seats"]
    return max(
        STATISTICS, key=lambda name: sum(_detection(figures, many, "subtle", name)["auc"]["value"] for many in seats)
    )


def _detection(figures: Mapping[str, Any], seats: int, way: str, by: str, *, known_suspect: bool = False) -> Detection:
    detected: Detection = next(
        each
        for each in figures["detection"]
        if (each["seats"], each["way"], each["by"], each["known_suspect"]) == (seats, way, by, known_suspect)
    )
    return detected


def _verdicts(figures: Mapping[str, Any], way: str, by: str) -> str:
    rows = []
    for seats in figures["settings"]["seats"]:
        each = _detection(figures, seats, way, by)
        rounds = "more than there were" if each["rounds"] is None else f"{each['rounds']:g}"
        figures_of = (each["caught"], each["wronged"], each["sure"], each["falsely"])
        rows.append([str(seats), rounds, number(each["auc"]), *map(percent, figures_of)])
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
    x = {float(round_): str(round_) for round_ in range(5, last + 1, 5)} | {1.0: "1"}
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
        "the share that is called rigged, at every threshold, by what one seat sees; and by all cards, of "
        f"{settings['series'] * settings['bound_matches']:,} of either.",
        (0, 1),
        (0, 1),
    )
    curves.axes("Honest matches called rigged", "Rigged matches called rigged", UNIT, UNIT)
    curves.line(0, [(x, y) for x, y in stacked["roc"]], "stacked")
    curves.line(1, [(x, y) for x, y in subtle["roc"]], "subtle")
    finest = _detection(figures, shown, "subtle", bound_by(settings["bound_sizes"][-1]))
    curves.line(2, [(x, y) for x, y in finest["roc"]], "subtle, all cards")
    return {"wins.svg": chart.svg(), "sure.svg": sure.svg(), "roc.svg": curves.svg()}


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "matches": "for a rate of wins",
        "searched": "the same, where the others search",
        "lessons": "matches from which to learn",
        "series": "that are looked at",
        "bound_matches": "of each series, those with all cards open",
        "bound_sizes": "shuffles and roll-outs of each deal with all cards open",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
