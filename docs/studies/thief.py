"""The study of Card Thief's dealing director, ``docs/studies/thief.md``: ``python -m docs.studies.thief``.

The greedy bot and a random one play the same shuffled decks with the director and without. Each position before the
thief moves is measured, as long as there is a deck: after that both deal alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypedDict

from docs.studies.publish import command, counted, number, percent, resumed, rounded, short, table
from games.core import FastChance, Information, SealedChance
from games.core.options import OptionValue
from games.lab.charts import Chart, ticks
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
PARTS_DEALT = (0.25, 0.5, 0.75)  # of the deck dealt
RARE = 0.25  # turns that fewer heists reach are not drawn


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    heists: int = 400  # for each player, level and way of dealing
    foreseen: int = 40  # of these, how many are rolled out from several positions, by the greedy bot only
    rollouts: int = 10  # from each of these positions


class BoardSample(NamedTuple):
    """A position before the thief moves."""

    enemies: int
    lamps: int
    stealth: int
    rest_there: bool  # a sneak or a hide is on the board
    recovers: bool  # some path ends with more stealth than there is now


class Heist(NamedTuple):
    """A heist that was measured."""

    samples: tuple[BoardSample, ...]  # as long as there was a deck
    won: bool
    ending: str
    dealt: int  # cards, when it ended
    chances: tuple[tuple[int, float], ...]  # which of PARTS_DEALT, and the share of roll-outs that were won from there


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


def heist(settings: Settings, bot: str, level: int, director: str, index: int) -> Heist:
    """Play heist number ``index`` and measure it."""
    options: dict[str, OptionValue] = {"level": str(level), "director": director}
    simulation = Simulation(GAME, (bot,), options, f"{settings.seed}/thief")
    state = GAME.start(1, options, SealedChance(simulation.match_seed(index)))
    state.log = None
    player, chance = GAME.bot(bot), FastChance(f"{settings.seed}/{bot}/{level}/{index}")
    samples: list[BoardSample] = []
    chances: list[tuple[int, float]] = []
    while not state.over:
        if state.deck:
            samples.append(sample(state))
        if bot == "greedy" and index < settings.foreseen and len(chances) < len(PARTS_DEALT):
            part = (DECK_SIZE - len(state.deck)) / DECK_SIZE
            if part >= PARTS_DEALT[len(chances)]:
                chances.append((len(chances), _chance(settings, state, bot, chance)))
        state.apply(0, player.choose(Information.of(GAME, state, 0, chance, player.needs)))
    return Heist(tuple(samples), state.ending == "won", state.ending, DECK_SIZE - len(state.deck), tuple(chances))


def _chance(settings: Settings, state: HeistState, bot: str, chance: FastChance) -> float:
    """Return the share of roll-outs that are won from a position, with the rest of the deck redrawn."""
    won = 0
    for _ in range(settings.rollouts):
        determinized = state.determinize(0, chance)
        play_on(determinized, bot, chance)
        won += determinized.ending == "won"
    return won / settings.rollouts


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
    open: list[Figure | None]  # at PARTS_DEALT: heists that are neither won nor lost in all roll-outs


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


def measure_row(settings: Settings, task: tuple[str, int, str]) -> DealingResult:
    """Play the heists of a row."""
    bot, level, director = task
    heists = [heist(settings, bot, level, director, index) for index in range(settings.heists)]
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
    at = [
        [(one.won, chance) for one in heists for number, chance in one.chances if number == n]
        for n in range(len(PARTS_DEALT))
    ]
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
        "open": [counted(sum(0 < chance < 1 for _, chance in one), len(one)) if one else None for one in at],
    }


def _by_turn(heists: Sequence[Heist], turn: int, of: Callable[[BoardSample], int]) -> float:
    return rounded(fmean([of(one.samples[turn]) for one in heists if len(one.samples) > turn]))


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study; ``work`` keeps the rows."""
    rows = [(bot, level, director) for bot in PLAYERS for level in LEVELS for director in DEALING]
    measured = resumed(partial(measure_row, settings), rows, work, NAME, settings.seed, workers)
    return {"settings": asdict(settings), "rules": GAME.rules_version, "rows": list(measured.values())}


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
    words["open"] = table(
        ["Level", "Director", *(f"open at {100 * part:g} % of the deck" for part in PARTS_DEALT), "dealt when lost"],
        [
            [str(row["level"]), row["director"], *map(_open, row["open"]), _dealt(row["dealt_when_lost"])]
            for row in greedy
        ],
    )
    return words


def _open(figure: Figure | None) -> str:
    return "none got there" if figure is None else percent(figure)


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
    return drawn | {"won.svg": wins.svg()}


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
