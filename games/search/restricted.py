"""Players that lack one faculty: what they win less than ``pimc`` is what that faculty is worth.

blind-K         sees no more than a spectator: its own hand is sampled in each roll-out, too
selfish-K       plays for its own score, whatever the others have
greedy-K        takes the move after which its score is highest at once, by K determinizations
without=KIND-K  never makes a move of a kind (``State.move_kinds``) unless all its moves are of that kind
always=KIND-K   always makes a move of a kind if it can

All of them estimate moves as ``pimc-K`` does, with the same draws, so that a player which lacks nothing of importance
makes the same moves.

Source: A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin and Z. Popović, "Evaluating competitive game balance with
restricted play", AIIDE 2012.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from games.core import Bot, Chance, FastChance, Information, RulesFailed, State
from games.core.bot import Needs
from games.search.pimc import ROLLOUTS, estimate
from games.search.results import results

TRIES = 4  # determinizations for each roll-out of a class of moves that may not be legal with other cards
_NUMBER = re.compile(r" #\d+\Z")  # see ``moves.numbered``
MASK = "?"
_Class = tuple[str, str]  # of moves: their kind, and their notation as far as spectators can read it
UNKNOWN: _Class = ("", "")
LOOK = "look"  # chance of a determinization of which only the own moves are read: it takes no draws from the match


class _Restricted(Bot):
    needs: Needs = "determinizations"

    def __init__(self, rollouts: int = ROLLOUTS) -> None:
        self.rollouts = rollouts

    def choose(self, info: Information) -> str:
        moves = info.legal_moves
        return moves[0] if len(moves) == 1 else self.decide(info)

    @abstractmethod
    def decide(self, info: Information) -> str:
        """Return one of several legal moves."""


class Blind(_Restricted):
    """Sees no more than a spectator.

    With other cards it would have other moves, so it values *classes* of moves: their kind, and their notation with
    the faces of unseen cards masked. It takes the class that did best among those it may take, and a random move of it.
    """

    name = "blind"
    title = "Blind"

    def decide(self, info: Information) -> str:
        chance = info.chance
        seen = info.determinize(FastChance(LOOK))
        mask = _mask(seen)
        classes = _classes(seen, info.seat, mask)
        members: dict[_Class, list[str]] = {}
        for move in info.legal_moves:
            members.setdefault(classes.get(move, UNKNOWN), []).append(move)
        best = min(members)
        if len(members) > 1:
            values = {one: self._value(info, one, mask, chance) for one in sorted(members)}
            best = max(values, key=values.__getitem__)
        return chance.choice(members[best])

    def _value(self, info: Information, wanted: _Class, mask: Callable[[str], str], chance: Chance) -> float:
        """Return the mean result of a random move of a class; below all others if it was never legal."""
        total, ended = 0.0, 0
        for _ in range(self.rollouts * TRIES):
            if ended == self.rollouts or info.enough():
                break
            try:
                state = info.determinize_blind(chance).keep("nothing")
                moves = [move for move, one in _classes(state, info.seat, mask).items() if one == wanted]
                if not moves:
                    continue
                state.apply(info.seat, chance.choice(moves))
                state.rollout(chance)
            except RulesFailed:
                continue
            if state.over:
                total += results(state)[info.seat]
                ended += 1
        return total / ended if ended else -1.0


def _classes(state: State[Any], seat: int, mask: Callable[[str], str]) -> dict[str, _Class]:
    """Return the class of each legal move."""
    return {
        move: (kind, mask(move)) for move, kind in zip(state.legal_moves(seat), state.move_kinds(seat), strict=True)
    }


def _mask(state: State[Any]) -> Callable[[str], str]:
    """Return a function that masks the cards of a move that spectators cannot name."""
    hidden = state.sight.faces - state.sight.open_faces
    if not hidden:
        return lambda move: move
    either = "|".join(map(re.escape, sorted(hidden, key=lambda face: (-len(face), face))))
    card = re.compile(rf"(?<!\w)(?:{either})(?:\.\d+)?(?!\w)")
    return lambda move: card.sub(MASK, _NUMBER.sub("", move))


class Selfish(_Restricted):
    """Plays for its own score, whatever the others have."""

    name = "selfish"
    title = "Selfish"

    def decide(self, info: Information) -> str:
        best = estimate(info, self.rollouts, info.chance, own_scores).best(info.seat)
        return info.chance.choice(info.legal_moves) if best is None else info.legal_moves[best]


def own_scores(state: State[Any]) -> list[float]:
    """Return the score of each seat, higher is better."""
    return [-score if state.low_wins else score for score in state.scores()]


class Greedy(_Restricted):
    """Takes the move after which its score is highest at once. Of equal ones, any."""

    name = "greedy"
    title = "Greedy"

    def decide(self, info: Information) -> str:
        values = [self._gain(info, move) for move in info.legal_moves]
        best = max(values)
        return info.chance.choice([move for move, value in zip(info.legal_moves, values, strict=True) if value == best])

    def _gain(self, info: Information, move: str) -> float:
        total, made = 0.0, 0
        for _ in range(self.rollouts):
            try:
                state = info.determinize(info.chance).keep("nothing")
                state.apply(info.seat, move)
                total += own_scores(state)[info.seat]
                made += 1
            except RulesFailed:
                continue
        return round(total / made, 9) if made else float("-inf")


class _OfKind(_Restricted):
    def __init__(self, kind: str, rollouts: int = ROLLOUTS) -> None:
        super().__init__(rollouts)
        self.kind = kind

    @abstractmethod
    def may(self, kind: str) -> bool:
        """Return whether it makes moves of a kind if it has a choice."""

    def decide(self, info: Information) -> str:
        moves = info.legal_moves
        found = estimate(info, self.rollouts, info.chance)  # of all moves, with the draws of a player without limits
        state = info.determinize(FastChance(LOOK))
        kinds = dict(zip(state.legal_moves(info.seat), state.move_kinds(info.seat), strict=True))
        may = [number for number, move in enumerate(moves) if self.may(kinds.get(move, ""))] or range(len(moves))
        best = found.best(info.seat, may)
        return moves[info.chance.choice(may) if best is None else best]


class Without(_OfKind):
    """Never makes a move of a kind unless all its moves are of that kind."""

    name = "without"
    title = "Without a kind of move"

    def may(self, kind: str) -> bool:
        return kind != self.kind


class Always(_OfKind):
    """Makes a move of a kind whenever it can."""

    name = "always"
    title = "Always a kind of move"

    def may(self, kind: str) -> bool:
        return kind == self.kind


SIMPLE: dict[str, type[Blind | Selfish | Greedy]] = {kind.name: kind for kind in (Blind, Selfish, Greedy)}
OF_KIND: dict[str, type[Without | Always]] = {kind.name: kind for kind in (Without, Always)}
