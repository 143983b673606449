"""The house bot of Enchère, for all three versions: what a prize is worth, and what a bid for it costs."""

from __future__ import annotations

from functools import cache, lru_cache

from games.core import Bot, Information
from games.core.cards import JOKER
from games.enchere.auction import CASH, SEATS, SUIT, VERSIONS, height, legal_bids, points
from games.enchere.rules import Observation

DENIAL = 0.5  # what a point that one of two rivals does not get is worth to me
THRIFT = 1.25  # a card is kept for a good chance to come, not for any; less loses to more, much more to random bids


class HouseBot(Bot):
    """Bids the card that is expected to gain most, less what the same card may gain for a later prize."""

    name = "house"
    title = "House"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        bids = legal_bids(seen.hands[info.seat], seen.prize, seen.spare)
        if len(bids) == 1:
            return f"bid {bids[0]}"
        stakes, rivals = Stakes(seen, info.seat), Rivals(seen, info.seat)
        now, later = stakes.now(), THRIFT * stakes.later()
        return f"bid {max(bids, key=lambda bid: now * rivals.chance(bid) - later * rivals.strength(bid))}"


class Stakes:
    """What a prize is to a player: what it adds to the own prizes, and what the others do not get."""

    def __init__(self, seen: Observation, me: int) -> None:
        bits = _bits(seen.version)
        self.version = seen.version
        self.me = me
        self.won = [sum(bits[face] for face in won) for won in seen.won]
        self.prize = bits[seen.prize]
        self.left = sum(bits.values()) - self.prize - sum(self.won)  # prizes that have not turned up

    def now(self) -> float:
        """Return the stake of the prize on the table."""
        return self._stake(self.prize, self.left)

    def later(self) -> float:
        """Return the mean stake of the prizes to come; 0 when there are none."""
        coming = [bit for bit in _bits(self.version).values() if bit & self.left]
        return sum(self._stake(bit, self.left - bit) for bit in coming) / len(coming) if coming else 0.0

    def _stake(self, prize: int, left: int) -> float:
        gains = [_worth(self.version, won | prize, left) - _worth(self.version, won, left) for won in self.won]
        mine = gains.pop(self.me)
        return mine + DENIAL * sum(gains) / len(gains)


@cache
def _bits(version: str) -> dict[str, int]:
    """Return a bit for each prize, so that a set of prizes is a number."""
    return {face: 1 << place for place, face in enumerate(VERSIONS[version].prizes)}


@cache
def _points(version: str) -> list[int]:
    """Return the points of every set of prizes."""
    bits = _bits(version)
    return [points(version, [face for face, bit in bits.items() if won & bit]) for won in range(1 << len(bits))]


@lru_cache(maxsize=1 << 17)
def _worth(version: str, won: int, left: int) -> float:
    """Return the points of the prizes ``won``; in Originale, also what one more of those ``left`` would add on average.

    In the other versions points add up, so that such hopes would be the same whoever wins.
    """
    table = _points(version)
    have = table[won]
    if version != "originale" or not left:
        return have
    more = [table[won | bit] - have for bit in _bits(version).values() if bit & left]
    return have + sum(more) / len(more)


class Rivals:
    """What the others may bid, as far as anybody can know: the cards still to come, and who is void in what."""

    def __init__(self, seen: Observation, me: int) -> None:
        self.seen = seen
        known = {*seen.hands[me], *seen.spent, seen.spare}
        unseen = [face for face in CASH if face not in known]
        self.heights = [height(face, seen.spare) for face in unseen]
        self.bids: list[list[tuple[int, bool]]] = []  # of each rival: height, and whether it is in the prize's suit
        for seat in range(SEATS):
            if seat != me:
                hand = [face for face in unseen if SUIT[face] not in seen.void[seat]]
                may = legal_bids(hand, seen.prize, seen.spare)
                self.bids.append([(height(face, seen.spare), self._suited(face)) for face in may])

    def _suited(self, face: str) -> bool:
        return self.seen.prize != JOKER and SUIT[face] == SUIT[self.seen.prize]

    def chance(self, bid: str) -> float:
        """Return how likely ``bid`` beats both others, if each of their cards is as likely; a tie counts half."""
        mine, suited = height(bid, self.seen.spare), self._suited(bid)
        both = 1.0
        for bids in self.bids:
            better = 0.0
            for high, in_suit in bids:
                if high > mine or (high == mine and in_suit):
                    better += 1
                elif high == mine and not suited:
                    better += 0.5
            both *= 1 - better / len(bids)
        return both

    def strength(self, bid: str) -> float:
        """Return how likely ``bid`` would beat both others for a prize of which nothing is known."""
        mine = height(bid, self.seen.spare)
        better = sum(1.0 if high > mine else 0.5 for high in self.heights if high >= mine)
        return (1 - better / len(self.heights)) ** 2
