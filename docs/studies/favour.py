"""The study of the favours, ``docs/studies/favour.md``: ``python -m docs.studies.favour``.

Bots sit in the person's seat and help more or less, for whole evenings. Counted is how each evening ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, cast

from docs.studies.publish import command, counted, percent, resumed, rounded, table
from games import catalogue
from games.core import Bot, FastChance, Game, Information, Match
from games.core.story import HERO, Choice, Story, StoryProgress
from games.lab.charts import Chart
from games.lab.report_types import Figure

NAME = "favour"
LEVELS = {"never": 0.0, "half": 0.5, "always": 1.0}  # the share of decisions that are made for the favourite
SELFISH = "selfish"  # a level too: every decision is searched, like those for the favourite, for the person's own win
WAYS: dict[str, tuple[Choice, ...]] = {"alone": (), "friend": ("ask",), "all": ("ask", "deck")}  # what is chosen
ENDINGS = ("alone", "friend", "deck", "over")
BATCH = 250  # evenings that a process plays at a time
STORIES = ("hamsterdam", "bundles")  # the games whose stories are measured


@dataclass(frozen=True)
class Settings:
    """Everything that determines the figures."""

    seed: str = "studies"
    evenings: int = 10_000  # of each story and way in which the person never helps
    searched: int = 1_000  # of each other one: they take much longer
    rollouts: int = 20  # of each decision that is searched

    def evenings_of(self, level: str) -> int:
        """Return how many evenings of a level are played, for each story and way."""
        return self.evenings if level == "never" else self.searched


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


def ways(story: Story) -> dict[str, tuple[Choice, ...]]:
    """Return the ways that a story allows. The deck of some is always honest."""
    return {way: chosen for way, chosen in WAYS.items() if set(chosen) <= set(story.choices)}


def kinds(story: Story) -> list[tuple[str, str]]:
    """Return the levels and ways of a story that are measured."""
    return [*((level, way) for level in LEVELS for way in ways(story)), (SELFISH, "alone")]


def evening(settings: Settings, game: Game, level: str, way: str, index: int) -> Played:
    """Play an evening of a game's story to its end."""
    story = cast(Story, game.story)
    name = f"{settings.seed}/{level}/{way}/{index}"
    chance = FastChance(name)
    house = catalogue.bot(game, "house")
    helper = catalogue.bot(game, f"helper-{story.favourite}-{settings.rollouts}")
    own = catalogue.bot(game, f"ismcts-{settings.rollouts}") if level == SELFISH else house
    won: list[tuple[int, ...]] = []
    helped: list[int] = []
    chosen: list[tuple[int, Choice]] = []
    now = StoryProgress(story)
    noticed = offered = False
    while now.ending is None:
        options = game.rig.options(story.favourite, 0, [], story.way) if now.stacked and game.rig else {}
        match = Match.start(game, len(story.names), options, FastChance(f"{name}/{len(won)}"))
        helped.append(0)
        while match.to_act():
            seat = match.to_act()[0]
            helps = now.agreed if seat == story.friend else seat == HERO and _draw(chance) < LEVELS.get(level, 0)
            move = _decision(helper if helps else own if seat == HERO else house, match, seat, chance)
            if seat == HERO and story.helps(match.state, move):
                helped[-1] += 1
            match.advance(seat, move)
        won.append(tuple(match.winners()))
        now = StoryProgress(story, won, helped, chosen)
        if now.ending is None:
            noticed |= sum(helped) >= story.enough
            offered |= "deck" in now.choices
            for choice in WAYS[way]:
                if choice in now.choices:
                    chosen.append((len(won), choice))
                    now = StoryProgress(story, won, helped, chosen)
    return Played(now.ending, len(won), noticed, offered)


def _draw(chance: FastChance) -> float:
    return chance.randbelow(1000) / 1000


def _decision(bot: Bot, match: Match, seat: int, chance: FastChance) -> str:
    legal = match.legal_moves(seat)
    return bot.choose(Information.of(match.game, match.state, seat, chance, bot.needs, legal))


class Task(NamedTuple):
    """A batch of evenings, from the one of index ``first`` on."""

    game: str
    level: str
    way: str
    rollouts: int
    first: int
    many: int


def play(seed: str, task: Task) -> list[Played]:
    """Play a batch of evenings."""
    game, settings = catalogue.find(task.game), Settings(seed, rollouts=task.rollouts)
    numbers = range(task.first, task.first + task.many)
    return [evening(settings, game, task.level, task.way, index) for index in numbers]


def measure(settings: Settings, work: Path, workers: int = 1) -> dict[str, Any]:
    """Return all figures of the study."""
    rows = {name: kinds(cast(Story, catalogue.find(name).story)) for name in STORIES}
    tasks = [
        Task(name, level, way, settings.rollouts, first, min(BATCH, settings.evenings_of(level) - first))
        for name in STORIES
        for level, way in rows[name]
        for first in range(0, settings.evenings_of(level), BATCH)
    ]
    tasks.sort(key=lambda task: task.first)  # a run that is ended too early has as many of each kind
    played: dict[tuple[str, str, str], list[Played]] = {}
    for task, batch in resumed(partial(play, settings.seed), tasks, work, NAME, settings.seed, workers).items():
        played.setdefault(task[:3], []).extend(Played(*each) for each in batch)
    return {
        "settings": asdict(settings),
        "rules": {name: catalogue.find(name).rules_version for name in STORIES},
        "rows": {name: [_row(*row, played[name, *row]) for row in rows[name]] for name in STORIES},
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

HELPS = {
    "never": "never",
    "half": "every second decision",
    "always": "every decision",
    SELFISH: "never, and searches for its own win",
}
KIND = ["The person helps", "and chooses", "evenings"]
CHOOSES = {"alone": "nothing", "friend": "asks the friend", "all": "asks the friend, and takes the deck"}
DRAWN = {"alone": "nothing chosen", "friend": "the friend", "all": "friend and deck"}
ENDED = {"alone": "won alone", "friend": "with the friend", "deck": "with the deck", "over": "lost"}


def page_values(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of the page's placeholders, by name."""
    words = {"rollouts": f"{figures['settings']['rollouts']:,}"}
    for name, rows in figures["rows"].items():
        stacked = any(row["way"] == "all" for row in rows)
        endings = [ending for ending in ENDINGS if stacked or ending != "deck"]
        words[f"endings-{name}"] = table(
            [*KIND, *(ENDED[ending] for ending in endings)],
            [[*_kind(row), *(_cell(row["endings"][ending]) for ending in endings)] for row in rows],
        )
        words[f"reached-{name}"] = table(
            [*KIND, "games", "the friend notices", *["the deck is offered"] * stacked],
            [
                [*_kind(row), f"{row['games']:.2f}", _cell(row["noticed"]), *[_cell(row["offered"])] * stacked]
                for row in rows
            ],
        )
    return words


def _kind(row: Row) -> list[str]:
    return [HELPS[row["level"]], CHOOSES[row["way"]], f"{row['offered']['matches']:,}"]


def _cell(figure: Figure) -> str:
    return percent(figure) if figure["value"] else "never"


def charts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the charts, by file name."""
    return {f"won-{name}.svg": _chart(name, rows) for name, rows in figures["rows"].items()}


def _chart(name: str, rows: list[Row]) -> str:
    played = {row["level"]: row["offered"]["matches"] for row in rows}
    chart = Chart(
        "Evenings that she wins",
        f"The favour: share of evenings that end well, with Wilson's 95 % intervals. Of each kind {played['never']:,} "
        f"evenings without help, and {played['always']:,} with.",
        (-0.2, 1.2),
        (0, 1),
    )
    ticks = {share: HELPS[level] for level, share in LEVELS.items()}
    chart.axes("The person helps", "Share won", ticks, {0: "0", 0.5: ".50", 1: "1"})
    for index, (way, words) in enumerate(DRAWN.items()):
        drawn = [row for row in rows if row["way"] == way and row["level"] in LEVELS]
        won = [
            counted((1 - row["endings"]["over"]["value"]) * (many := row["endings"]["over"]["matches"]), many)
            for row in drawn
        ]
        points = [LEVELS[row["level"]] + 0.03 * (index - 1) for row in drawn]
        if drawn:
            chart.line(index, [(x, one["value"]) for x, one in zip(points, won, strict=True)], words)
        for x, one in zip(points, won, strict=True):
            chart.interval(index, x, one)
    return chart.svg()


def main() -> None:
    """Measure, and write the figures, the charts and the values in the page."""
    about = {
        "evenings": "of each story and way in which the person never helps",
        "searched": "of each other one",
        "rollouts": "of each decision that is searched",
    }
    command(NAME, Settings(), about, measure, page_values, charts)


if __name__ == "__main__":
    main()
