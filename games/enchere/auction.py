"""Bids and prizes: what may be bid, which bid wins, and what won prizes are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from games.core.cards import JOKER, SUIT_COLOURS, SUITS, deck, rank, suit
from games.core.view import word

SEATS = 3
COURT = tuple(deck(("Q", "K", "A")))
CASH = tuple(deck(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J")))

RANK = {face: rank(face) for face in (*COURT, *CASH)}
SUIT = {face: suit(face) for face in (*COURT, *CASH)}
HEIGHT = {face: index % 10 for index, face in enumerate(CASH)}  # from the 2, which is 0, to the jack, which is 9
SPARE_HEIGHT = 10  # of bids of the spare's rank, which beat every other


@dataclass(frozen=True)
class Version:
    """One of the three games. ``spare``: a spare lies face up, and suit must be followed."""

    name: str
    title: str
    target: int
    hand: int
    prizes: tuple[str, ...]
    spare: bool


VERSIONS = {
    version.name: version
    for version in (
        Version("enchere", "Enchère", target=50, hand=12, prizes=COURT, spare=False),
        Version("avancee", "Avancée", target=42, hand=13, prizes=(*COURT, JOKER), spare=True),
        Version("originale", "Originale", target=42, hand=12, prizes=COURT, spare=True),
    )
}

# -- bids

Why = Literal["rank", "spare", "suit", "lowest", "colour", "last"]


def legal_bids(hand: Sequence[str], prize: str, spare: str) -> list[str]:
    """Return the cards of ``hand`` that may be bid for ``prize``; ``spare`` is "" where there is none.

    With a spare, the suit of the prize must be followed if possible. A card of the spare's rank may always be bid, and
    for the Joker, which has no suit, anything may.

    >>> legal_bids(["2C", "9D", "3H"], prize="KD", spare="2S")
    ['2C', '9D']
    """
    if spare and prize != JOKER:
        wanted = SUIT[prize]
        if any(SUIT[face] == wanted for face in hand):
            free = RANK[spare]
            return [face for face in hand if SUIT[face] == wanted or RANK[face] == free]
    return list(hand)


def height(bid: str, spare: str) -> int:
    """Return how high a bid counts, before ties are broken."""
    return SPARE_HEIGHT if spare and RANK[bid] == RANK[spare] else HEIGHT[bid]


def award(bids: Sequence[str], prize: str, spare: str, last: int) -> tuple[int, Why]:
    """Return the seat that wins ``prize``, and the rule by which: of the three ``bids``, by seat,

    - the highest ("rank"), where a bid of the spare's rank beats every other ("spare");
    - of those tied for highest, the one in the prize's suit ("suit");
    - if two are tied and neither is in it, the lowest of the three, which is the third ("lowest");
    - if all three are tied and none is in it, the one of the prize's colour ("colour");
    - if all three are tied for the Joker, which has no suit or colour, that of ``last``, the seat that won the prize
      before ("last").

    >>> award(["JS", "JC", "4D"], prize="KD", spare="", last=0)
    (2, 'lowest')
    """
    heights = [height(bid, spare) for bid in bids] if spare else [HEIGHT[bid] for bid in bids]
    best = max(heights)
    if heights.count(best) == 1:
        return heights.index(best), "spare" if best == SPARE_HEIGHT else "rank"
    tied = [seat for seat, high in enumerate(heights) if high == best]
    if prize != JOKER:
        for seat in tied:
            if SUIT[bids[seat]] == SUIT[prize]:
                return seat, "suit"
    if len(tied) == 2:
        return sum(range(SEATS)) - sum(tied), "lowest"
    if prize == JOKER:
        return last, "last"
    colour = SUIT_COLOURS[SUIT[prize]]
    return next(seat for seat in tied if SUIT_COLOURS[SUIT[bids[seat]]] == colour), "colour"


# -- prizes

ENCHERE_POINTS = {face: {"A": 4, "K": 2, "Q": 1}[RANK[face]] for face in COURT}
AVANCEE_POINTS = {face: 2 if SUIT[face] == "H" else 1 for face in COURT} | {"KH": 7, JOKER: -10}


@dataclass(frozen=True)
class Hand:
    """A row of Originale's table. ``name`` goes into sentences: "scores 6 for three of a kind"."""

    name: str
    points: int


FOUR_ACES = Hand(word("four aces"), 15)
ACES_AND_KINGS = Hand(word("a full house of three aces and two kings"), 12)
FOUR_OF_A_KIND = Hand(word("four of a kind"), 10)
FULL_HOUSE = Hand(word("a full house"), 8)
THREE_OF_A_KIND = Hand(word("three of a kind"), 6)
ROYAL_TRIO = Hand(word("a royal trio"), 4)
TWO_PAIRS = Hand(word("two pairs"), 2)
PAIR = Hand(word("a pair"), 1)
NO_HAND = Hand(word("no hand"), 0)


def best_hand(won: Collection[str]) -> Hand:
    """Return the highest row of Originale's table that ``won`` fills: a hand scores it once, and nothing else.

    >>> best_hand(["QC", "QD", "KS", "AS"])
    Hand(name='a pair', points=1)
    """
    counts = Counter(RANK[face] for face in won)
    most = [*sorted(counts.values(), reverse=True), 0, 0]
    if counts["A"] == 4:
        return FOUR_ACES
    if counts["A"] == 3 and counts["K"] >= 2:
        return ACES_AND_KINGS
    if most[0] == 4:
        return FOUR_OF_A_KIND
    if most[0] == 3:
        return FULL_HOUSE if most[1] >= 2 else THREE_OF_A_KIND
    if any(all(face + of in won for face in "QKA") for of in SUITS):
        return ROYAL_TRIO
    return (NO_HAND, PAIR, TWO_PAIRS, TWO_PAIRS)[most.count(2)]


def points(version: str, won: Collection[str]) -> int:
    """Return what the prizes ``won`` in a round are worth."""
    if version == "originale":
        return best_hand(won).points
    values = ENCHERE_POINTS if version == "enchere" else AVANCEE_POINTS
    return sum(values[face] for face in won)
