"""The study of Card Thief's dealing director, ``docs/studies/thief.md``: ``python -m docs.studies.thief``.

The greedy bot and a random one play the same shuffled decks with the director and without. Each position before the
thief moves is measured, as long as there is a deck: after that both deal alike.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypedDict

from docs.studies.publish import command, counted, number, percent, resumed, rounded, short, table
from games.core import FastChance, Information, SealedChance
from games.core.options import OptionValue
from games.lab.charts import UNIT, Chart, ticks
from games.lab.intervals import bootstrap, covering
from games.lab.report_types import Figure
from games.lab.reports import mean
from games.lab.simulate import Simulation
from games.thief.cards import ENEMIES, HIDE, LEVELS, SNEAK
from games.thief.director import LIGHT_CARRIERS, LOW_STEALTH
from games.thief.end_of_turn import rested
from games.thief.game import GAME
from games.thief.path import legal_paths
from games.thief.rules import DECK_SIZE, HeistState

NAME = "thief"
DEALING = ("on", "off")
PLAYERS = ("greedy", "random")
MANY, CROWD, FEW = 4, 5, 1  # enemies on a board of eight cards
PARTS_DEALT = (0.0, 0.25, 0.5, 0.75)  # of the deck dealt since the first move
BATCH = 25  # heists that a process plays at a time
RARE = 0.25  # turns that fewer heists reach are not drawn


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    heists: int = 400  # for each player, level and way of dealing
    foreseen: int = 400  # of these, how many are rolled out from several positions, by the greedy bot only
    rollouts: int = 3  # from each of these positions


class BoardSample(NamedTuple):
    """A position before the thief moves."""

    enemies: int
    lamps: int
    stealth: int
    rest_there: bool  # a sneak or a hide is on the board
    recovers: bool  # some path ends with more stealth than there is now


class Foreseen(NamedTuple):
    """What roll-outs from a position came to."""

    won: int
    score: float  # mean


class Heist(NamedTuple):
    """A heist that was measured. What is foreseen is empty where no roll-outs were made."""

    samples: tuple[BoardSample, ...]  # as long as there was a deck
    won: bool
    ending: str
    score: float
    dealt: int  # cards, when it ended
    parts: tuple[Foreseen, ...] = ()  # by PARTS_DEALT, as far as the heist came
    half_way: Foreseen | None = None  # at the decision in the middle


def _as_heist(data: Sequence[Any]) -> Heist:
    samples, won, ending, score, dealt, parts, half_way = data
    return Heist(
        tuple(BoardSample(*each) for each in samples),
        won,
        ending,
        score,
        dealt,
        tuple(Foreseen(*each) for each in parts),
        Foreseen(*half_way) if half_way else None,
    )


def sample(state: HeistState) -> BoardSample:
    """Measure a position."""
    kinds = [card.kind for card in state.board if card is not None]
    after = (
        rested(path.stealth, refuge=path.step.refuge, cleared=not path.left)
        for path in legal_paths(state.position)
        if not path.step.escapes
    )
    return BoardSample(
        enemies=sum(kind in ENEMIES for kind in kinds),
        lamps=sum(kind in LIGHT_CARRIERS for kind in kinds),
        stealth=state.stealth,
        rest_there=SNEAK in kinds or HIDE in kinds,
        recovers=any(stealth > state.stealth for stealth in after),
    )


def play_on(state: HeistState, bot: str, chance: FastChance) -> None:
    """Play a heist to its end."""
    player = GAME.bot(bot)
    while not state.over:
        state.apply(0, player.choose(Information.of(GAME, state, 0, chance, player.needs)))


def heist(seed: str, bot: str, level: int, director: str, index: int, rollouts: int = 0) -> Heist:
    """Play heist number ``index`` and measure it; ``rollouts``: how many to make from several of its positions."""
    options: dict[str, OptionValue] = {"level": str(level), "director": director}
    simulation = Simulation(GAME, (bot,), options, f"{seed}/thief")
    state = GAME.start(1, options, SealedChance(simulation.match_seed(index)))
    state.log = None
    player, chance = GAME.bot(bot), FastChance(f"{seed}/{bot}/{level}/{index}")
    samples: list[BoardSample] = []
    before: list[HeistState] = []
    while not state.over:
        if state.deck:
            samples.append(sample(state))
        if rollouts:
            before.append(state.fork(chance))
        state.apply(0, player.choose(Information.of(GAME, state, 0, chance, player.needs)))
    [score] = state.scores()
    dealt = DECK_SIZE - len(state.deck)
    played = Heist(tuple(samples), state.ending == "won", state.ending, score, dealt)
    if not rollouts:
        return played
    elsewhere = FastChance(f"{seed}/{bot}/{level}/{director}/{index}/foreseen")
    first = len(before[0].deck)
    reached = [next((each for each in before if first - len(each.deck) >= part * first), None) for part in PARTS_DEALT]
    return played._replace(
        parts=tuple(_foreseen(each, bot, elsewhere, rollouts) for each in reached if each),
        half_way=_foreseen(before[len(before) // 2], bot, elsewhere, rollouts),
    )


def _foreseen(state: HeistState, bot: str, chance: FastChance, rollouts: int) -> Foreseen:
    """Roll out from a position, with the rest of the deck redrawn."""
    won, total = 0, 0.0
    for _ in range(rollouts):
        determinized = state.determinize(0, chance)
        play_on(determinized, bot, chance)
        won += determinized.ending == "won"
        total += determinized.scores()[0]
    return Foreseen(won, total / rollouts)


class Task(NamedTuple):
    """A batch of heists, from the one of index ``first`` on."""

    bot: str
    level: int
    director: str
    first: int
    many: int
    rollouts: int


def play(seed: str, task: Task) -> list[Heist]:
    """Play a batch of heists."""
    bot, level, director, first, many, rollouts = task
    return [heist(seed, bot, level, director, index, rollouts) for index in range(first, first + many)]


class DealingResult(TypedDict):
    """The results of one player, level and way of dealing."""

    player: str
    level: int
    director: str
    won: Figure
    measures: dict[str, Figure]
    endings: dict[str, int]
    dealt_when_lost: float | None
    enemies_by_turn: list[float]
    stealth_by_turn: list[float]
    doubt: list[Figure]  # at PARTS_DEALT; without roll-outs empty, as what follows is None
    doubt_left: Figure | None  # at the decision half-way, as a share of the doubt at the start
    tension: Figure | None  # the measure of the laboratory, of the score


Measure = Callable[[BoardSample], tuple[float, float]]  # (of the sum, of the weight)


def _share(of: Callable[[BoardSample], bool], among: Callable[[BoardSample], bool] = lambda _: True) -> Measure:
    return lambda each: (float(of(each) and among(each)), float(among(each)))


MEASURES: dict[str, Measure] = {
    "enemies": lambda each: (each.enemies, 1.0),
    "many": _share(lambda each: each.enemies >= MANY),
    "crowd": _share(lambda each: each.enemies >= CROWD),
    "few": _share(lambda each: each.enemies <= FEW),
    "two_lamps": _share(lambda each: each.lamps >= 2),
    "nothing_there": _share(lambda each: not each.rest_there),
    "no_way": _share(lambda each: not each.recovers),
    "low": _share(lambda each: each.stealth < LOW_STEALTH),
    "no_way_low": _share(lambda each: not each.recovers, lambda each: each.stealth < LOW_STEALTH),
    "nothing_there_low": _share(lambda each: not each.rest_there, lambda each: each.stealth < LOW_STEALTH),
    "stealth": lambda each: (each.stealth, 1.0),
}


# -- how open a heist is


def doubt(won: float, rollouts: int) -> float:
    """Return an unbiased estimate of 4 p (1 - p) for a probability p of winning: 1 if both are as likely, 0 if decided.

    It does not depend on the number of roll-outs, except for its own variance.

    >>> round(doubt(2, 5), 9)
    1.2
    """
    return 4 * won * (rollouts - won) / (rollouts * (rollouts - 1))


def largest_doubt(rollouts: int) -> float:
    """Return the largest estimate that so many roll-outs can give: above 1, since it is unbiased."""
    return doubt(rollouts // 2, rollouts)


def doubts(heists: Sequence[Heist], rollouts: int, seed: str) -> list[Figure]:
    """Return the mean doubt at PARTS_DEALT over all heists; those that are over by then have none."""
    figures = []
    for at in range(len(PARTS_DEALT)):
        values = [doubt(each.parts[at].won, rollouts) if at < len(each.parts) else 0.0 for each in heists]
        figure = mean([(value, 1.0) for value in values], f"{seed}/doubt/{at}")
        if figure and figure["low"] is not None and figure["high"] is not None:
            most = largest_doubt(rollouts)
            low, high = covering(figure["value"], figure["low"], figure["high"], len(values), highest=most)
            figures.append(short({"value": figure["value"], "low": low, "high": high, "matches": len(values)}))
    return figures


def doubt_left(heists: Sequence[Heist], rollouts: int, seed: str) -> Figure | None:
    """Return the doubt at the decision half-way, as a share of that at the start; None if there is none there."""
    parts = [
        (doubt(each.half_way.won, rollouts), doubt(each.parts[0].won, rollouts)) for each in heists if each.half_way
    ]
    return _ratio(parts, f"{seed}/doubt left")


def tension(heists: Sequence[Heist], seed: str) -> Figure | None:
    """Return the laboratory's tension: as ``games.lab.measures.tension``, with the greedy bot's roll-outs."""
    parts = [
        (abs(each.half_way.score - each.score), abs(each.parts[0].score - each.score))
        for each in heists
        if each.half_way
    ]
    return _ratio(parts, f"{seed}/tension")


def _ratio(parts: Sequence[tuple[float, float]], seed: str) -> Figure | None:
    """Return a ratio of sums; None without a denominator. A heist may have a numerator and no denominator."""
    above, below = (math.fsum(column) for column in zip(*parts, strict=True)) if parts else (0.0, 0.0)
    if not below:
        return None
    low, high = bootstrap(parts, seed) or (None, None)
    return short({"value": above / below, "low": low, "high": high, "matches": len(parts)})


def row(settings: Settings, bot: str, level: int, director: str, heists: Sequence[Heist]) -> DealingResult:
    """Return the results of the heists of a row."""
    measures: dict[str, Figure] = {}
    for name, of in MEASURES.items():
        parts = [[of(each) for each in one.samples] for one in heists]
        figure = mean(
            [(sum(value for value, _ in one), sum(weight for _, weight in one)) for one in parts],
            f"{settings.seed}/{name}",
        )
        if figure:
            measures[name] = short(figure)
    lost = [one.dealt / DECK_SIZE for one in heists if not one.won]
    endings: dict[str, int] = defaultdict(int)
    for one in heists:
        endings[one.ending] += 1
    turns = range(max(len(one.samples) for one in heists))
    drawn = [turn for turn in turns if sum(len(one.samples) > turn for one in heists) >= RARE * len(heists)]
    foreseen = [one for one in heists if one.half_way]
    seed = f"{settings.seed}/{level}/{director}"
    return {
        "player": bot,
        "level": level,
        "director": director,
        "won": counted(sum(one.won for one in heists), len(heists)),
        "measures": measures,
        "endings": dict(sorted(endings.items())),
        "dealt_when_lost": rounded(fmean(lost)) if lost else None,
        "enemies_by_turn": [_by_turn(heists, turn, lambda each: each.enemies) for turn in drawn],
        "stealth_by_turn": [_by_turn(heists, turn, lambda each: each.stealth) for turn in drawn],
        "doubt": doubts(foreseen, settings.rollouts, seed) if foreseen else [],
        "doubt_left": doubt_left(foreseen, settings.rollouts, seed),
        "tension": tension(foreseen, seed),
    }


def _by_turn(heists: Sequence[Heist], turn: int, of: Callable[[BoardSample], int]) -> float:
    return rounded(fmean([of(one.samples[turn]) for one in heists if len(one.samples) > turn]))


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps the heists."""
    kinds = [(bot, level, director) for bot in PLAYERS for level in LEVELS for director in DEALING]
    tasks = [task for kind in kinds for task in _tasks(settings, *kind)]
    heists: dict[tuple[str, int, str], list[Heist]] = {kind: [] for kind in kinds}
    for task, batch in resumed(partial(play, settings.seed), tasks, work, NAME, settings.seed, workers).items():
        heists[task[:3]] += map(_as_heist, batch)
    rows = [row(settings, *kind, heists[kind]) for kind in kinds]
    return {"settings": asdict(settings), "rules": GAME.rules_version, "rows": rows}


def _tasks(settings: Settings, bot: str, level: int, director: str) -> Iterator[Task]:
    """Yield the batches of a row: first those heists that are rolled out."""
    foreseen = min(settings.foreseen, settings.heists) if bot == "greedy" else 0
    for begin, end, rollouts in ((0, foreseen, settings.rollouts), (foreseen, settings.heists, 0)):
        for first in range(begin, end, BATCH):
            yield Task(bot, level, director, first, min(BATCH, end - first), rollouts)


# -- tables and charts


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    settings = figures["settings"]
    words = {name: f"{settings[name]:,}" for name in ("heists", "foreseen", "rollouts")}
    for player in PLAYERS:
        rows: list[DealingResult] = [row for row in figures["rows"] if row["player"] == player]
        words[f"won-{player}"] = table(
            ["Level", "director on", "off"],
            [[str(level), *(percent(row["won"]) for row in rows if row["level"] == level)] for level in LEVELS],
        )
        words[f"enemies-{player}"] = _of(rows, ("enemies", "many", "crowd", "few"), ("enemies",), [
            "enemies", f"{MANY} or more", f"{CROWD} or more", f"{FEW} or none",
        ])  # fmt: skip
        words[f"recover-{player}"] = _of(rows, ("nothing_there", "no_way", "nothing_there_low", "no_way_low"), (), [
            "no sneak or hide there", "no path restores any",
            f"the former, below {LOW_STEALTH} stealth", f"the latter, below {LOW_STEALTH}",
        ])  # fmt: skip
        words[f"stealth-{player}"] = _of(rows, ("stealth", "low", "two_lamps"), ("stealth",), [
            "stealth", f"less than {LOW_STEALTH}", "two lights or more on the board",
        ])  # fmt: skip
    greedy = [row for row in figures["rows"] if row["player"] == "greedy"]
    lost = {(row["level"], row["director"]): 1 - row["won"]["value"] for row in greedy}
    times = [lost[level, "off"] / max(lost[level, "on"], 1 / settings["heists"]) for level in LEVELS]
    words["times-least"], words["times-most"] = f"{min(times):.1f}", f"{max(times):.1f}"
    words["doubt"] = table(
        ["Level", "Director", *(f"{100 * part:g} % of the deck" if part else "first move" for part in PARTS_DEALT)],
        [[str(row["level"]), row["director"], *(number(each) for each in row["doubt"])] for row in greedy],
    )
    words["tension"] = table(
        ["Level", "Director", "tension of the score", "doubt left half-way", "dealt when lost"],
        [
            [str(row["level"]), row["director"], *(number(row[name]) if row[name] else "none" for name in TENSIONS),
             _dealt(row["dealt_when_lost"])]
            for row in greedy
        ],
    )  # fmt: skip
    return words


TENSIONS = ("tension", "doubt_left")


def _dealt(part: float | None) -> str:
    return "none lost" if part is None else f"{100 * part:.0f} % of the deck"


def _of(rows: Sequence[DealingResult], names: Sequence[str], means: Sequence[str], head: Sequence[str]) -> str:
    return table(
        ["Level", "Director", *head],
        [
            [str(row["level"]), row["director"], *(_cell(row["measures"].get(name), name in means) for name in names)]
            for row in rows
        ],
    )


def _cell(figure: Figure | None, is_mean: bool) -> str:
    if figure is None:
        return "never"
    if figure["low"] == figure["high"]:  # resampling zeros gives zeros, which is no interval
        return f"{100 * figure['value']:.1f} % (in {figure['matches']} heists)"
    return number(figure) if is_mean else percent(figure)


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    many = figures["settings"]["heists"]
    drawn = {}
    for name, title, most in (("enemies", "Enemies on the board", 5.0), ("stealth", "Stealth", 16.0)):
        rows = [row for row in figures["rows"] if row["player"] == "greedy" and row["level"] in (LEVELS[0], LEVELS[-1])]
        last = max(len(row[f"{name}_by_turn"]) for row in rows)
        highest = max([most, *(max(row[f"{name}_by_turn"]) * 1.05 for row in rows)])
        chart = Chart(
            f"{title} over a heist",
            f"Card Thief, greedy bot: mean before each turn of {many:,} heists of each kind, the same decks with the "
            "director and without, as long as there is a deck and a quarter of the heists go on.",
            (1, max(2, last)),
            (0, highest),
        )
        chart.axes("Turn", title, {float(n): str(n) for n in range(1, last + 1, 2)}, ticks(0, highest))
        for index, row in enumerate(rows):
            points = list(enumerate(row[f"{name}_by_turn"], 1))
            chart.line(index, points, f"level {row['level']}, {row['director']}")
        drawn[f"{name}.svg"] = chart.svg()
    wins = Chart(
        "Heists won",
        f"Card Thief, greedy bot: share of {many:,} heists of each kind that were won, with Wilson's 95 % intervals.",
        (LEVELS[0] - 0.5, LEVELS[-1] + 0.5),
        (0, 1),
    )
    wins.axes("Level", "Share won", {float(level): str(level) for level in LEVELS}, {0: "0", 0.5: ".50", 1: "1"})
    for index, director in enumerate(DEALING):
        rows = [row for row in figures["rows"] if (row["player"], row["director"]) == ("greedy", director)]
        wins.line(index, [(row["level"], row["won"]["value"]) for row in rows], f"director {director}")
        for row in rows:
            wins.interval(index, row["level"], row["won"])
    return drawn | {"won.svg": wins.svg(), "doubt.svg": _doubt_chart(figures)}


def _doubt_chart(figures: Mapping[str, Any]) -> str:
    settings = figures["settings"]
    chart = Chart(
        "How open a heist is",
        f"Card Thief, greedy bot: doubt about the win, 1 if won as often as lost and 0 if decided, from "
        f"{settings['rollouts']} roll-outs of each position in {settings['foreseen']:,} heists of each kind, with 95 % "
        "bootstrap intervals over heists. A heist that is over has no doubt.",
        (-0.05, 0.8),
        (0, 1),
    )
    labels = {part: f"{100 * part:g} %" for part in PARTS_DEALT}
    chart.axes("Share of the deck dealt", "Doubt", labels, UNIT)
    rows = [row for row in figures["rows"] if row["player"] == "greedy" and row["level"] in (LEVELS[0], LEVELS[-1])]
    for index, row in enumerate(rows):
        points = [part + 0.008 * (index - 1.5) for part in PARTS_DEALT[: len(row["doubt"])]]
        values = zip(points, (each["value"] for each in row["doubt"]), strict=True)
        chart.line(index, list(values), f"level {row['level']}, {row['director']}")
        for x, each in zip(points, row["doubt"], strict=True):
            chart.interval(index, x, each)
    return chart.svg()


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "heists": "of each player, level and way of dealing",
        "foreseen": "of these, that are rolled out",
        "rollouts": "from each position",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
