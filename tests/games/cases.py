"""The ways to play each game that the generic tests go through. A new game gets them all by being in the catalogue."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from games import catalogue
from games.core import Chance, FastChance, Game, Information, Match
from games.core.game import OptionValue


@dataclass(frozen=True, eq=False)
class Case:
    """A game with seats and options; ``name`` is also the name of its golden file."""

    name: str
    game: Game
    seats: int
    options: dict[str, OptionValue] = field(default_factory=dict)

    def start(self, chance: Chance) -> Match:
        return Match.start(self.game, self.seats, self.options, chance)

    def __str__(self) -> str:
        return self.name


# Where a match is many alike rounds, a few show all there is.
SHORT: dict[str, dict[str, OptionValue]] = {"enchere": {"target": 12}, "camelup": {"spaces": 8}}


def _cases(game: Game) -> list[Case]:
    """Few, usual and many seats; every word an option may have; the rigged deck where there is one."""
    short = SHORT.get(game.name, {})
    counts = sorted({game.min_seats, game.default_seats, game.max_seats})
    found = [Case(f"{game.name}-{seats}", game, seats, short) for seats in counts]
    seats = game.default_seats
    for option in game.options:
        others = [choice for choice in option.choices if choice != option.default]
        name = f"{game.name}-{option.name}"
        found += [Case(f"{name}-{choice}", game, seats, {**short, option.name: choice}) for choice in others]
    if game.rig:
        rigged = game.rig.options(favourite=0, honest_games=0, won=[])
        found.append(Case(f"{game.name}-rigged", game, seats, rigged))
    return found


CASES = [case for game in catalogue.GAMES.values() for case in _cases(game)]


def likely_match(case: Case, seed: str, plies: int | None = None) -> Match:
    """Return a match of ``case`` after ``plies`` likely moves, or at its end."""
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while match.state.to_act() and (plies is None or match.ply < plies):
        likely_move(match, choices)
    return match


@cache
def positions(case: Case, count: int) -> list[tuple[Match, int, FastChance]]:
    """Return positions of as many likely matches, each with a seat to look from and a chance to draw from.

    Tests share them: who wants to go on from one takes a clone of its state.
    """
    found = []
    for index in range(count):
        chance = FastChance(f"{case}/{index}")
        whole = likely_match(case, str(index))
        match = case.start(FastChance(str(index)))
        for seat, move in whole.moves[: chance.below(whole.ply + 1)]:
            match.play(seat, move)
        found.append((match, chance.below(case.seats), chance))
    return found


def random_move(match: Match, choices: FastChance) -> None:
    """Make any legal move of anybody who may."""
    seat = choices.choice(match.state.to_act())
    match.play(seat, choices.choice(match.state.legal_moves(seat)))


def likely_move(match: Match, choices: FastChance) -> None:
    """Make the house bot's move or any other, each as likely: random players alone hardly ever save up for later."""
    if choices.below(2):
        random_move(match, choices)
        return
    seat = choices.choice(match.state.to_act())
    match.play(seat, match.game.bots[0]().choose(Information(match.state, seat, choices)))
