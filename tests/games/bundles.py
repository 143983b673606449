"""Builds positions of Stealing Bundles from texts."""

from __future__ import annotations

from collections.abc import Sequence

from games.bundles.rules import PACK, BundlesState
from games.core import FastChance, Sight


def lay(
    hands: Sequence[str], *, pool: str = "", bundles: Sequence[str] = (), stock: str = "", mover: int = 0
) -> BundlesState:
    """Return a position. Cards are given as texts such as "4S 10H", bottom first; missing bundles are empty."""
    state = BundlesState(len(hands), FastChance("any"))
    state.first = state.mover = mover
    state.hands = [hand.split() for hand in hands]
    state.pool = pool.split()
    state.bundles = [bundles[seat].split() if seat < len(bundles) else [] for seat in range(len(hands))]
    state.stock = stock.split()
    state.log = []
    state.sight = Sight(PACK, len(hands))
    for face in [*state.pool, *(face for bundle in state.bundles for face in bundle)]:
        state.sight.show_all(face)
    for seat, hand in enumerate(state.hands):
        for face in hand:
            state.sight.show(face, seat)
    return state
