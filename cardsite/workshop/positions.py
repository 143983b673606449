"""Positions of matches, for whoever changes the rules from there on.

A deal tells every hand, so it is used only for who may know it (``table/what_if.py``). It is never sent to a browser:
the sandbox lays the position out by it.
"""

from __future__ import annotations

from typing import NamedTuple

from cardsite.people.models import Person
from cardsite.table.models import Match
from cardsite.table.moves import moves_of
from cardsite.table.what_if import may_know_deal

MOST_MOVES = 2_000  # that are played again, each time somebody looks


class Opening(NamedTuple):
    """How a match began: the seed of its deal, in hexadecimal, and its moves up to a ply."""

    seats: int
    deal: str
    moves: list[tuple[int, str]]


def opening(match: Match, person: Person | None, ply: int) -> Opening | None:
    """Return how a match that ``person`` may look at began, up to a ply; None where its deal is not theirs to know."""
    if not may_know_deal(match, person):
        return None
    rows = moves_of(match.pk)[: min(ply, MOST_MOVES)]
    return Opening(match.players.count(), match.seed, [(row.seat, row.text) for row in rows])
