"""The ways to play each game that the generic tests go through. A new game gets them all by being in the catalogue."""

from __future__ import annotations

from dataclasses import dataclass, field

from games import catalogue
from games.core import Chance, FastChance, Game, Match
from games.core.game import OptionValue


@dataclass(frozen=True)
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


def _cases(game: Game) -> list[Case]:
    """Few, usual and many seats; every word an option may have; the rigged deck where there is one."""
    counts = sorted({game.min_seats, game.default_seats, game.max_seats})
    found = [Case(f"{game.name}-{seats}", game, seats) for seats in counts]
    seats = game.default_seats
    for option in game.options:
        others = [choice for choice in option.choices if choice != option.default]
        found += [Case(f"{game.name}-{option.name}-{choice}", game, seats, {option.name: choice}) for choice in others]
    if game.rig:
        rigged = game.rig.options(favourite=0, honest_games=0, won=[])
        found.append(Case(f"{game.name}-rigged", game, seats, rigged))
    return found


CASES = [case for game in catalogue.GAMES.values() for case in _cases(game)]


def random_match(case: Case, seed: str, plies: int | None = None) -> Match:
    """Return a match of ``case`` after ``plies`` random moves, or at its end."""
    match = case.start(FastChance(seed))
    choices = FastChance(f"{seed}/choices")
    while match.state.to_act() and (plies is None or match.ply < plies):
        random_move(match, choices)
    return match


def random_move(match: Match, choices: FastChance) -> None:
    """Make any legal move of anybody who may."""
    seat = choices.choice(match.state.to_act())
    match.play(seat, choices.choice(match.state.legal_moves(seat)))
