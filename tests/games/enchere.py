"""Positions of Enchère, laid out by hand."""

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
    """Return a position. Places are texts such as "4S 10H"; of the prizes to come, ``coming``, the last is the next."""
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
    """Bid for one prize: Anna, Bob and Cleo in turn."""
    for seat, face in enumerate(faces):
        state.play(seat, f"bid {face}")


# A match is many alike rounds: for tests that go through every game, a few show all there is.
SHORT = {"target": 12}
