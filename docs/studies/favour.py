"""The study of the favour, ``docs/studies/favour.md``: ``python -m docs.studies.favour``.

Bots sit in the person's seat and help more or less, for whole evenings. Counted is how each evening ends.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple, TypedDict, cast

from docs.studies.publish import command, counted, percent, publish, rounded, shipped, table
from games import catalogue
from games.core import Bot, FastChance, Information, Match
from games.core.game import RigPolicy
from games.core.story import HERO, Choice, Evening
from games.hamsterdam.game import GAME
from games.hamsterdam.story import STORY
from games.lab.charts import Chart
from games.lab.pool import in_workers
from games.lab.reports import Figure

NAME = "favour"
LEVELS = {"never": 0.0, "half": 0.5, "always": 1.0}  # the share of decisions that are made for the favourite
WAYS: dict[str, tuple[Choice, ...]] = {"alone": (), "friend": ("ask",), "all": ("ask", "deck")}  # what is chosen
ENDINGS = ("alone", "friend", "deck", "over")
BATCH = 250  # evenings that a process plays at a time
RIG = cast(RigPolicy, GAME.rig)


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    evenings: int = 1_200  # of each level and way, in all more than 10,000
    rollouts: int = 20  # of each decision that is made for the favourite


class Played(NamedTuple):
    """An evening that was played."""

    ending: str
    games: int
    noticed: bool  # after some game the friend had seen the person help
    offered: bool  # the deck was offered


class Row(TypedDict):
    """How the evenings of a level and a way ended."""

    level: str
    way: str
    endings: dict[str, Figure]
    games: float
    noticed: Figure
    offered: Figure


def evening(settings: Settings, level: str, way: str, index: int) -> Played:
    """Play an evening to its end."""
    name = f"{settings.seed}/{level}/{way}/{index}"
    chance = FastChance(name)
    house = catalogue.bot(GAME, "house")
    kind = catalogue.bot(GAME, f"helper-{STORY.favourite}-{settings.rollouts}")
    won: list[tuple[int, ...]] = []
    helped: list[int] = []
    chosen: list[tuple[int, Choice]] = []
    now = Evening(STORY)
    noticed = offered = False
    while now.ending is None:
        options = RIG.options(STORY.favourite, 0, [], STORY.way) if now.stacked else {}
        match = Match.start(GAME, len(STORY.names), options, FastChance(f"{name}/{len(won)}"))
        while match.to_act():
            seat = match.to_act()[0]
            helps = now.agreed if seat == STORY.friend else seat == HERO and _draw(chance) < LEVELS[level]
            match.advance(seat, _decision(kind if helps else house, match, seat, chance))
        won.append(tuple(match.winners()))
        helped.append(STORY.help_in([entry for ply in match.log or () for entry in ply]))
        now = Evening(STORY, won, helped, chosen)
        if now.ending is None:
            noticed |= sum(helped) >= STORY.enough
            offered |= "deck" in now.choices
            for choice in WAYS[way]:
                if choice in now.choices:
                    chosen.append((len(won), choice))
                    now = Evening(STORY, won, helped, chosen)
    return Played(now.ending, len(won), noticed, offered)


def _draw(chance: FastChance) -> float:
    return chance.randbelow(1000) / 1000


def _decision(bot: Bot, match: Match, seat: int, chance: FastChance) -> str:
    legal = match.legal_moves(seat)
    return bot.choose(Information.of(GAME, match.state, seat, chance, bot.needs, legal))


def play(settings: Settings, task: tuple[str, str, int]) -> tuple[str, str, list[Played]]:
    """Play a batch of evenings."""
    level, way, first = task
    numbers = range(first, min(first + BATCH, settings.evenings))
    return level, way, [evening(settings, level, way, index) for index in numbers]


def measure(settings: Settings, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study."""
    rows = [(level, way) for level in LEVELS for way in WAYS]
    tasks = [(*row, first) for row in rows for first in range(0, settings.evenings, BATCH)]
    played: dict[tuple[str, str], list[Played]] = {row: [] for row in rows}
    for level, way, batch in in_workers(partial(play, settings), tasks, workers):
        played[level, way] += batch
    return {
        "settings": asdict(settings),
        "rules": GAME.rules_version,
        "rows": [_row(level, way, played[level, way]) for level, way in rows],
    }


def _row(level: str, way: str, evenings: list[Played]) -> Row:
    many = len(evenings)
    ended = Counter(one.ending for one in evenings)
    return {
        "level": level,
        "way": way,
        "endings": {ending: counted(ended[ending], many) for ending in ENDINGS},
        "games": rounded(sum(one.games for one in evenings) / many),
        "noticed": counted(sum(one.noticed for one in evenings), many),
        "offered": counted(sum(one.offered for one in evenings), many),
    }


# -- tables and charts

HELPS = {"never": "never", "half": "every second decision", "always": "every decision"}
CHOOSES = {"alone": "nothing", "friend": "asks the captain", "all": "asks him, and takes the deck"}
DRAWN = {"alone": "nothing chosen", "friend": "the captain", "all": "captain and deck"}


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    rows: list[Row] = figures["rows"]
    words = {name: f"{figures['settings'][name]:,}" for name in ("evenings", "rollouts")}
    words["endings"] = table(
        ["The person helps", "and chooses", "won alone", "with the friend", "with the deck", "lost"],
        [
            [HELPS[row["level"]], CHOOSES[row["way"]], *(_cell(row["endings"][name]) for name in ENDINGS)]
            for row in rows
        ],
    )
    words["reached"] = table(
        ["The person helps", "and chooses", "games", "the friend notices", "the deck is offered"],
        [
            [
                HELPS[row["level"]],
                CHOOSES[row["way"]],
                f"{row['games']:.2f}",
                _cell(row["noticed"]),
                _cell(row["offered"]),
            ]
            for row in rows
        ],
    )
    return words


def _cell(figure: Figure) -> str:
    return percent(figure) if figure["value"] else "never"


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    chart = Chart(
        "Evenings that she wins",
        f"The favour: share of {figures['settings']['evenings']:,} evenings of each kind that end well, with Wilson's "
        "95 % intervals.",
        (-0.2, 1.2),
        (0, 1),
    )
    ticks = {share: HELPS[level] for level, share in LEVELS.items()}
    chart.axes("The person helps", "Share won", ticks, {0: "0", 0.5: ".50", 1: "1"})
    for index, (way, words) in enumerate(DRAWN.items()):
        rows = [row for row in figures["rows"] if row["way"] == way]
        won = [
            counted((1 - row["endings"]["over"]["value"]) * (many := row["endings"]["over"]["matches"]), many)
            for row in rows
        ]
        points = [LEVELS[row["level"]] + 0.03 * (index - 1) for row in rows]
        chart.line(index, [(x, one["value"]) for x, one in zip(points, won, strict=True)], words)
        for x, one in zip(points, won, strict=True):
            chart.interval(index, x, one)
    return {"won.svg": chart.svg()}


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    usual = Settings()
    parser = argparse.ArgumentParser(prog="python -m docs.studies.favour", description="The study of the favour.")
    parser.add_argument("--evenings", type=int, default=usual.evenings, help="of each level and way")
    parser.add_argument("--rollouts", type=int, default=usual.rollouts, help="of each decision for the favourite")
    parser.add_argument("--seed", default=usual.seed)
    asked, workers, into, again = command(parser)
    figures = shipped(NAME, into) if again else measure(Settings(**asked), workers)
    publish(NAME, figures, page_values(figures), charts(figures), into)


if __name__ == "__main__":
    main()
