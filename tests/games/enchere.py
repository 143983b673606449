"""Positions of Enchère for tests."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import FastChance, Sight
from games.enchere.auction import VERSIONS
from games.enchere.rules import PACK, EnchereState


def lay(
    version: str,
    hands: Sequence[str],
    prize: str,
    *,
    spare: str = "",
    coming: str = "",
    won: Sequence[str] = (),
    points: Sequence[int] = (0, 0, 0),
    target: int = 0,
    seed: str = "any",
) -> EnchereState:
    """Return a position. Cards are written as in "4S 10H". The last of ``coming`` is the next prize."""
    state = EnchereState(VERSIONS[version], target, FastChance(seed))
    state.hands = [hand.split() for hand in hands]
    state.prize = prize
    state.spare = spare
    state.prizes = coming.split()
    state.won = [won[seat].split() if seat < len(won) else [] for seat in range(3)]
    state.points = list(points)
    state.log = []
    state.sight = Sight(PACK, 3)
    for face in filter(None, [prize, spare, *(face for prizes in state.won for face in prizes)]):
        state.sight.show_all(face)
    for seat, hand in enumerate(state.hands):
        for face in hand:
            state.sight.show(face, seat)
    return state


def bid(state: EnchereState, *faces: str) -> None:
    """Bid for one prize: first Anna, then Bob, then Cleo."""
    for seat, face in enumerate(faces):
        state.play(seat, f"bid {face}")


# A short match, for tests that play every game: its rounds are all alike.
SHORT = {"target": 12}
