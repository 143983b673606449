"""The house bot of Enchère, for all three versions: what a prize is worth, and what else a card could win.

There are as many prizes to come as cards in hand, and everybody knows which. So the cards left after a bid are assigned
to those prizes, the strongest to the most valuable, and the bot makes the bid with the highest expected total gain.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from games.core import Bot, Information
from games.core.cards import JOKER
from games.enchere.auction import (
    AVANCEE_POINTS,
    CASH,
    ENCHERE_POINTS,
    SEATS,
    SUIT,
    VERSIONS,
    height,
    legal_bids,
    points,
)
from games.enchere.rules import BIDS, Observation

DENIAL = 0.5  # value of a point that one of the two rivals does not get
THRIFT = 1.2  # weight of prizes to come: above 1, so that good cards are not spent on small gains
SHARE = 1 / SEATS  # probability that a prize to come goes to a given player
NOISE = 1  # cards by which a bid of the rule of thumb may be too low or too high


class HouseBot(Bot):
    """Bids the card with which this prize and those to come are expected to gain most."""

    name = "house"
    title = "House"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        hand = seen.hands[info.seat]
        bids = legal_bids(hand, seen.prize, seen.spare)
        if len(bids) == 1:
            return f"bid {bids[0]}"
        stakes, rivals = Stakes(seen, info.seat), Rivals(seen, info.seat)
        now, later = stakes.now(), sorted(stakes.later(), reverse=True)
        strengths = sorted([(rivals.strength(face), face) for face in hand], reverse=True)

        def gain(bid: str) -> float:
            kept = [strength for strength, face in strengths if face != bid]
            planned = sum(stake * strength for stake, strength in zip(later, kept, strict=False) if stake > 0)
            return now * rivals.chance(bid) + THRIFT * planned

        return f"bid {max(bids, key=gain)}"


class RuleOfThumb(Bot):
    """Bids as high among its cards as the prize is among those to come, with some noise. It takes microseconds.

    Searches use it for roll-outs. The house bot beats it, and takes ten times as long.
    """

    name = "thumb"
    title = "Rule of thumb"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        worth, heights = _prize_and_bid_values(seen.version, seen.spare)
        now = worth[seen.prize]
        turned_up = {seen.prize, *seen.won[0], *seen.won[1], *seen.won[2]}
        to_come = [value for prize, value in worth.items() if prize not in turned_up]
        bids = sorted(info.legal_moves, key=heights.__getitem__)
        last, chance = len(bids) - 1, info.chance
        cheaper = sum(value < now for value in to_come) + chance.randbelow(to_come.count(now) + 1)
        index = cheaper * last // len(to_come) if to_come else last
        return bids[min(last, max(0, index + chance.randbelow(2 * NOISE + 1) - NOISE))]


@cache
def _prize_and_bid_values(version: str, spare: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return what each prize is worth by itself, and how high each bid is."""
    values = AVANCEE_POINTS if version == "avancee" else ENCHERE_POINTS  # in Originale, too, aces make the best hands
    worth = {prize: values[prize] for prize in VERSIONS[version].prizes}
    return worth, {bid: height(face, spare) for face, bid in BIDS.items()}


class Stakes:
    """The value of a prize to a player: what it adds to the own prizes, and what the others do not get."""

    def __init__(self, seen: Observation, me: int) -> None:
        bits = prize_bits(seen.version)
        self.version = seen.version
        self.me = me
        self.won = [sum(bits[face] for face in won) for won in seen.won]
        self.prize = bits[seen.prize]
        self.left = sum(bits.values()) - self.prize - sum(self.won)  # prizes that have not turned up

    def now(self) -> float:
        """Return the stake of the prize on the table."""
        return self._stake(self.prize, self.left)

    def later(self) -> list[float]:
        """Return the stake of each of the prizes to come."""
        return [self._stake(bit, self.left - bit) for bit in prize_bits(self.version).values() if bit & self.left]

    def _stake(self, prize: int, left: int) -> float:
        worth = _worth(self.version, left)
        gains = [float(worth[won | prize] - worth[won]) for won in self.won]
        mine = gains.pop(self.me)
        return mine + DENIAL * sum(gains) / len(gains)


@cache
def prize_bits(version: str) -> dict[str, int]:
    """Return a bit for each prize, so that a set of prizes is a number."""
    return {face: 1 << index for index, face in enumerate(VERSIONS[version].prizes)}


@cache
def points_of_sets(version: str) -> NDArray[np.float64]:
    """Return the points of every set of prizes."""
    bits = prize_bits(version)
    sets = range(1 << len(bits))
    return np.array([points(version, [face for face, bit in bits.items() if won & bit]) for won in sets], np.float64)


@lru_cache(maxsize=256)
def _worth(version: str, left: int) -> NDArray[np.float64]:
    """Return the points of every set of prizes; in Originale, the expected points at the end.

    Each of the prizes that are ``left`` joins the set in one case of three. In the other versions points add up, so the
    expectation would be the same for every winner.
    """
    worth = points_of_sets(version)
    if version != "originale":
        return worth
    sets = np.arange(len(worth))
    for bit in prize_bits(version).values():
        if bit & left:
            worth = SHARE * worth[sets | bit] + (1 - SHARE) * worth
    return worth


class Rivals:
    """The bids the others may make, as far as anybody can know: the cards still to come, and who is void in what."""

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
        """Return how likely ``bid`` beats both others, if all their cards are equally likely; a tie counts half."""
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
