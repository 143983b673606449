"""The house bot of Stealing Bundles: takes what it can expect to keep, and remembers every card it has seen."""

from __future__ import annotations

from math import comb

from games.bundles.rules import Observation
from games.core import Bot, Information
from games.core.cards import RANKS, SUITS, rank


class HouseBot(Bot):
    """Makes the largest catch, minus what the others are expected to take from it; else plays the safest card."""

    name = "house"
    title = "House"

    def choose(self, info: Information) -> str:
        memory = Memory(info.observation, info.seat)
        return f"play {max(memory.seen.hands[info.seat], key=memory.worth)}"


class Memory:
    """What a player who remembers every card knows: which are still to come, and how likely others hold them."""

    def __init__(self, seen: Observation, me: int) -> None:
        self.seen = seen
        self.me = me
        known = [*seen.pool, *seen.hands[me], *(face for bundle in seen.bundles for face in bundle)]
        self.ranks = [rank(face) for face in known]
        self.unseen = len(RANKS) * len(SUITS) - len(known)
        self.held_by_others = sum(seen.hand_sizes) - seen.hand_sizes[me]

    def worth(self, face: str) -> float:
        """Return the expected number of cards that ``face`` gains me until it is my turn again."""
        return self.seen.catch(self.me, face).growth - self.danger(face)

    def danger(self, face: str) -> float:
        """Return the expected number of cards the others take after ``face`` is played.

        They take my bundle if somebody holds a card of the rank then on top, and ``face`` itself if it joins the pool.
        """
        bundle = self.seen.bundles[self.me]
        growth = self.seen.catch(self.me, face).growth
        if growth:
            return self.threat(rank(face)) * (len(bundle) + growth)
        kept = self.threat(rank(bundle[-1])) * len(bundle) if bundle else 0.0
        return kept + self.threat(rank(face))

    def threat(self, wanted: str) -> float:
        """Return how likely it is that another player holds a card of rank ``wanted``."""
        left = len(SUITS) - self.ranks.count(wanted)
        return 1 - comb(self.unseen - left, self.held_by_others) / comb(self.unseen, self.held_by_others)
