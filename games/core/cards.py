"""Playing cards: a card is its face, a short text such as "AS", "10C" or "QH"."""

from __future__ import annotations

from collections.abc import Iterable

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_COLOURS = {"C": "black", "D": "red", "H": "red", "S": "black"}
JOKER = "JOKER"
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

_PIPS = {rank: value for value, rank in enumerate(RANKS, 1)}


def deck(ranks: Iterable[str] = RANKS, suits: Iterable[str] = SUITS) -> list[str]:
    """Return one card of each rank in each suit, suit by suit."""
    ranks = tuple(ranks)
    return [rank + suit for suit in suits for rank in ranks]


def rank(face: str) -> str:
    """Return the rank of a card: "10" of "10C"."""
    return face[:-1]


def suit(face: str) -> str:
    """Return the suit of a card: "C" of "10C"."""
    return face[-1]


def pips(face: str) -> int:
    """Return the value of a card counted from the ace: A = 1 ... 10 = 10, J = 11, Q = 12, K = 13."""
    return _PIPS[face[:-1]]


def sign(face: str) -> str:
    """Return a card as people write it, "10♣" for "10C", "Joker" for the Joker; any other face as it is."""
    if rank(face) in RANKS and suit(face) in SUIT_SIGNS:
        return rank(face) + SUIT_SIGNS[suit(face)]
    return "Joker" if face == JOKER else face
