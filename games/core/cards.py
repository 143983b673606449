"""Packs of cards, and the faces of playing cards.

A card has an identity, a face, a back and attributes; a ``Pack`` knows them. The identity is a short string. It equals
the face ("AS", "10C") if the pack has that face once, so games without repeated faces need not distinguish them. The
second card of a face is "guard.2", the third "guard.3". Views contain faces, never identities: see ``sight``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

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
    """Return a card as people write it: "10♣" for "10C", "Joker" for the Joker; other faces unchanged."""
    if rank(face) in RANKS and suit(face) in SUIT_SIGNS:
        return rank(face) + SUIT_SIGNS[suit(face)]
    return "Joker" if face == JOKER else face


@dataclass(frozen=True, eq=False)
class Pack:
    """All cards of a game, in printed order. ``faces`` and ``backs`` are keyed by card, ``attributes`` by face."""

    faces: Mapping[str, str]
    backs: Mapping[str, str]
    attributes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        faces: Iterable[str] | Mapping[str, int],
        back: str = "plain",
        attributes: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Pack:
        """Return a pack with one card of each face, or as many as a mapping says.

        >>> pack = Pack.of({"guard": 2, "princess": 1})
        >>> pack.cards
        ('guard', 'guard.2', 'princess')
        >>> pack.faces["guard.2"]
        'guard'
        """
        counts = faces.items() if isinstance(faces, Mapping) else Counter(faces).items()
        shown = {
            face if copy == 1 else f"{face}.{copy}": face for face, count in counts for copy in range(1, count + 1)
        }
        return cls(shown, dict.fromkeys(shown, back), attributes or {})

    def __add__(self, other: Pack) -> Pack:
        """Return both packs as one. They must not share a card."""
        return Pack(
            {**self.faces, **other.faces}, {**self.backs, **other.backs}, {**self.attributes, **other.attributes}
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.faces)

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards, in printed order."""
        return tuple(self.faces)

    @cached_property
    def doubles(self) -> frozenset[str]:
        """The faces of more than one card."""
        return frozenset(face for face, count in Counter(self.faces.values()).items() if count > 1)
