"""Toy games, so small that what a search should find can be computed by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from games.core import Bot, Chance, FastChance, Game, Information, RandomBot, RulesFailed, State
from games.core.options import Options
from games.core.state import LONGEST_ROLLOUT
from games.core.view import Drawing, say

Moves = tuple[tuple[int, str], ...]
Scores = tuple[float, ...]


@dataclass(frozen=True)
class Facts:
    """The rules of a toy game: functions of the moves made so far, and of one card that nobody has seen."""

    seats: int
    to_act: Callable[[Moves], Sequence[int]]
    options: Callable[[Moves, int], list[str]]
    scores: Callable[[Moves, int], Scores]
    cards: int = 1  # the unseen card is one of so many
    low_wins: bool = False
    impossible: Callable[[Moves, int], bool] = lambda moves, card: False  # raise RulesFailed then


class ToyState(State[Moves]):
    """A match of a toy game."""

    def __init__(self, facts: Facts, chance: Chance, card: int = 0) -> None:
        self.facts, self.seats, self.chance = facts, facts.seats, chance
        self.log = None
        self.card = card
        self.moves: Moves = ()

    def to_act(self) -> tuple[int, ...]:
        return tuple(self.facts.to_act(self.moves))

    def legal_moves(self, seat: int) -> list[str]:
        return self.facts.options(self.moves, seat) if seat in self.to_act() else []

    def apply(self, seat: int, move: str) -> None:
        self.moves = (*self.moves, (seat, move))
        if self.facts.impossible(self.moves, self.card):
            raise RulesFailed("no option", "There is nothing to choose from in a sample like this.")

    @property
    def low_wins(self) -> bool:
        return self.facts.low_wins

    def scores(self) -> list[float]:
        return list(self.facts.scores(self.moves, self.card))

    def observe(self, seat: int | None, *, face_up: bool = False) -> Moves:
        return self.moves

    def fork(self, chance: Chance) -> Self:
        return self.shallow_copy(chance)

    def determinize(self, seat: int, chance: Chance) -> Self:
        sample = self.fork(chance)
        sample.card = chance.randbelow(self.facts.cards)
        return sample


class Toy(Game):
    """A toy game."""

    name = title = "toy"
    summary = "A toy game."
    rules_version = "1"
    min_seats = max_seats = default_seats = 2
    minutes = 1
    bots = (RandomBot,)

    def __init__(self, facts: Facts, guide: type[Bot] | None = None, guided: int = LONGEST_ROLLOUT) -> None:
        self.facts = facts
        self.guide, self.guided = guide, guided
        self.min_seats = self.max_seats = self.default_seats = facts.seats

    def start(self, seats: int, options: Options, chance: Chance) -> ToyState:
        return ToyState(self.facts, chance, chance.randbelow(self.facts.cards))

    def render(self, observation: Any) -> Drawing:
        return Drawing(phase=say("Toy"), prompt=say("Choose"), seats=[], zones=[], moves=[])


def asked(
    facts: Facts,
    seed: str = "toy",
    budget: int = 1000,
    guide: type[Bot] | None = None,
    guided: int = LONGEST_ROLLOUT,
) -> Counting:
    """Return what the first seat to act knows."""
    game = Toy(facts, guide, guided)
    state = game.new(facts.seats, {}, FastChance(seed))
    return Counting.of(game, state, state.to_act()[0], FastChance(seed), "determinizations", budget=budget)


class Counting(Information):
    """Information that counts the determinizations that were asked for: one for each roll-out."""

    samples = 0

    def determinize(self, chance: Chance) -> State[Any]:
        self.samples += 1
        return super().determinize(chance)

    @classmethod
    def of(cls, *args: Any, **kwargs: Any) -> Counting:
        made = super().of(*args, **kwargs)
        assert isinstance(made, Counting)
        return made


def in_turn(seats: int, turns: int) -> Callable[[Moves], Sequence[int]]:
    """Return the seats to act in a game in which seats move one after the other, ``turns`` times in all."""
    return lambda moves: [len(moves) % seats] if len(moves) < turns else []
