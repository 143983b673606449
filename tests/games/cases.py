"""The cases of the generic tests: each game with some numbers of seats and options. A new game needs no entry here.

Where a match is many alike rounds, ``SHORT`` in the game's own test module (``tests/games/NAME.py``) is options by
which a few of them show all there is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from games import catalogue
from games.core import Chance, FastChance, Game, Information, Match
from games.core.options import OptionValue
from games.recycle.game import RecycleGame
from tests.tiers import seed as run_seed
from tests.tiers import tiered


@dataclass(frozen=True, eq=False)
class Case:
    """A game with seats and options; ``name`` is also the name of its golden file."""

    name: str
    game: Game
    seats: int
    options: dict[str, OptionValue] = field(default_factory=dict)

    @property
    def is_text(self) -> bool:
        """Whether the game is made of a text: all of those run on one machine, which has its own tests."""
        return bool(self.game.text)

    @property
    def quick(self) -> bool:
        """Whether it is in the quick tier: a built-in game with its usual options, or one of a few texts."""
        return self.game.name in QUICK_TEXTS if self.is_text else self.name not in LESS_USUAL

    @property
    def golden(self) -> bool:
        """Whether its playthrough is stored as a readable text: built-in games with usual options, and some texts."""
        if self.is_text:
            return self.game.name in GOLDEN_TEXTS
        usual = self.seats == self.game.default_seats and self.options == _short(self.game)
        return usual or self.name == f"{self.game.name}-rigged"

    def start(self, chance: Chance) -> Match:
        return Match.start(self.game, self.seats, self.options, chance)

    def __str__(self) -> str:
        return self.name


def _short(game: Game) -> dict[str, OptionValue]:
    module = f"tests.games.{game.name}"
    return getattr(import_module(module), "SHORT", {}) if find_spec(module) else {}


def _cases(game: Game) -> list[Case]:
    """Return the cases of a game: fewest, usual and most seats; choices of options; a handicap; each way to rig it.

    A text has the most seats only.
    """
    short = _short(game)
    counts = [game.max_seats] if game in TEXTS else sorted({game.min_seats, game.default_seats, game.max_seats})
    results = [Case(f"{game.name}-{seats}", game, seats, short) for seats in counts]
    seats = game.default_seats
    for option in game.options:
        others = [choice for choice in option.choices if choice != option.default]
        name = f"{game.name}-{option.name}"
        results += [Case(f"{name}-{choice}", game, seats, {**short, option.name: choice}) for choice in others]
    if game.handicap:
        amounts = f"{game.handicap.low} {game.handicap.high}"
        results.append(Case(f"{game.name}-handicap", game, seats, {**short, "handicap": amounts}))
    if game.rig:
        for number, way in enumerate(game.rig.ways):
            rigged = game.rig.options(favourite=0, honest_games=0, won=[], way=way)
            results.append(Case(f"{game.name}-rigged-{way}" if number else f"{game.name}-rigged", game, seats, rigged))
    return results


BUILT_IN, TEXTS = (catalogue.listed(provider) for provider in catalogue.providers[:2])
GOLDEN_TEXTS = ("agram", "cribbage", "golf-patience", "hearts", "kuhn", "stealing")
# A trick-taking game, one of partners, a solitaire, and one that nobody has tuned anything for.
QUICK_TEXTS = ("agram", "climbing-partners", "golf-patience", "secrets")
LESS_USUAL = (
    "bundles-2",
    "camelup-2",
    "camelup-8",
    "camelup-handicap",
    "camelup-odds-forbidden",
    "camelup-rules-series",
    "enchere-handicap",
    "enchere-version-avancee",
    "hamsterdam-2",
    "hamsterdam-6",
    "thief-director-off",
    "thief-level-2",
    "thief-level-3",
    "thief-level-4",
)
CASES = [case for game in catalogue.listed() for case in _cases(game)]
# Texts that nobody has tuned anything for: each uses something that the language as it was published cannot say.
STRANGERS = [
    Case(f"stranger-{path.stem}", RecycleGame(path.stem, path.read_text(encoding="utf-8")), 3)
    for path in sorted((Path(__file__).parent / "recycle" / "strangers").glob("*.rcy"))
]
listed_cases = pytest.mark.parametrize("case", tiered(CASES, lambda case: case.quick, str))
cases = pytest.mark.parametrize("case", tiered([*CASES, *STRANGERS], lambda case: case.quick, str))
QUICK_GAMES = [*(game.name for game in BUILT_IN), *QUICK_TEXTS]
GAME_NAMES = tiered([game.name for game in catalogue.listed()], lambda name: name in QUICK_GAMES)
games = pytest.mark.parametrize("game", catalogue.listed(), ids=lambda game: game.name)


def likely_match(case: Case, seed: str, plies: int | None = None) -> Match:
    """Return a match of ``case`` after ``plies`` likely moves, or at its end."""
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while not match.over and (plies is None or match.ply < plies):
        likely_move(match, choices)
    return match


def positions(case: Case, count: int) -> list[tuple[Match, int, FastChance]]:
    """Return positions of as many likely matches, each with a seat to look from and a chance to draw from.

    Tests share them: a test that plays on from one clones its state. The chance is each test's own, so that
    what it draws does not depend on which tests ran before.
    """
    return [(match, seat, chance.clone()) for match, seat, chance in _positions(case, count)]


@cache
def _positions(case: Case, count: int) -> list[tuple[Match, int, FastChance]]:
    results = []
    for index in range(count):
        chance = FastChance(f"{case}/{index}{run_seed()}")
        whole = likely_match(case, f"{index}{run_seed()}")
        match = case.start(FastChance(f"{index}{run_seed()}"))
        for seat, move in whole.moves[: chance.randbelow(whole.ply + 1)]:
            match.advance(seat, move)
        results.append((match, chance.randbelow(case.seats), chance))
    return results


def random_move(match: Match, choices: FastChance) -> None:
    """Make any legal move of anybody who may."""
    seat = choices.choice(match.to_act())
    match.advance(seat, choices.choice(match.legal_moves(seat)))


def likely_move(match: Match, choices: FastChance) -> None:
    """Make the house bot's move or a random one, equally likely: random players hardly ever save cards for later."""
    if choices.randbelow(2):
        random_move(match, choices)
        return
    seat = choices.choice(match.to_act())
    bot = match.game.bots[0]()
    if bot.needs == "determinizations":  # it searches: in as many matches as there are here that would take minutes
        random_move(match, choices)
        return
    match.advance(seat, bot.choose(Information.of(match.game, match.state, seat, choices, bot.needs)))
