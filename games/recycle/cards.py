"""The cards that a text can make: their identities, attributes, faces and backs.

A card is a whole number. Each deck statement of a text has a block of them, a copy of its deck after the other, so that
the attributes of a card follow from its number alone, however many decks a match makes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from games.core.messages import message
from games.core.moves import RulesFailed
from games.recycle.constants import constant
from games.recycle.tree import Attribute, CreateDeck, Declare, Name, Repeat, Use

PieceKind = Literal["deck", "tokens", "die"]

MOST_CARDS = 1_000  # of all decks of a match together
MOST_FACES = 500  # different cards of one deck
MOST_KEYS = 40  # attributes of all decks together

Attributes = Mapping[str, str]

_NUMBERS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
_RANKS = {word: str(number) for number, word in enumerate(_NUMBERS, 2)} | {
    name: names[0] for names in ("A ACE", "J JACK", "Q QUEEN", "K KING") for name in names.split()
}
FRENCH = {
    name: names[0]
    for names in ("C CLUB CLUBS", "D DIAMOND DIAMONDS", "H HEART HEARTS", "S SPADE SPADES")
    for name in names.split()
}


def options(attribute: Attribute) -> Iterator[Attributes]:
    """Yield the ways in which a card can have an attribute, with those under it, in textual order."""
    for value in attribute.values:
        here = {attribute.key: value.text}
        if value.under:
            for under in value.under:
                for below in options(under):
                    yield {**here, **below}
        else:
            yield here


def deck(attributes: Sequence[Attribute]) -> list[Attributes]:
    """Return the cards of a deck: every combination of its attributes, the first one varying slowest.

    Raises RulesFailed when there are more than a deck may have.
    """
    found: list[Attributes] = [{}]
    for attribute in attributes:
        ways = list(options(attribute))
        if len(found) * len(ways) > MOST_FACES:
            raise RulesFailed(
                "too many cards",
                message("A deck may have at most {most} different cards, and this one has more.", most=MOST_FACES),
            )
        found = [{**begun, **way} for begun in found for way in ways]
    return found


def playing_card(attributes: Attributes) -> str:
    """Return the face of a standard playing card, such as "10C"; "" if it is not one."""
    rank, suit = _RANKS.get(attributes.get("RANK", "")), FRENCH.get(attributes.get("SUIT", ""))
    return rank + suit if rank and suit else ""


def distinguishing(cards: Sequence[Attributes], *, fewest: int = 1) -> list[str]:
    """Return the attributes that do not follow from another one that comes after them, as a colour from a suit.

    ``fewest``: values of that other one, below which nothing is said to follow from it.
    """
    keys = list(dict.fromkeys(key for attributes in cards for key in attributes))
    kinds = {tuple(attributes.get(key, "") for key in keys) for attributes in cards}
    follow = set()
    for place, key in enumerate(keys):
        for other in range(place + 1, len(keys)):
            pairs = {(kind[other], kind[place]) for kind in kinds}
            below = {value for value, _ in pairs}
            if fewest <= len(below) == len(pairs) and "" not in below:
                follow.add(key)
    return [key for key in keys if key not in follow]


class Cards:
    """All cards that a text can make, by number.

    ``statements`` are its deck statements, ``copies`` how often each makes its deck (None: as often as there is room).
    ``blocks[i]`` is where the cards of statement i begin, ``decks[i]`` what each of its copies holds. Each face of a
    die is a card; one of them at a time lies in a place.
    """

    def __init__(
        self, statements: Sequence[CreateDeck], copies: Sequence[int | None], declares: Sequence[Declare] = ()
    ) -> None:
        self._declares = declares
        self.decks = [deck(statement.attributes) for statement in statements]
        self.blocks: list[int] = []
        self.room: list[int] = []  # cards that each statement may make
        self.attributes: list[Attributes] = []  # by card
        self.backs: list[str] = []  # by card
        self.kinds: list[PieceKind] = []  # by card
        self._sizes: list[int] = []  # by card: of its deck
        fixed = sum(len(cards) * count for cards, count in zip(self.decks, copies, strict=True) if count is not None)
        if fixed > MOST_CARDS:
            raise RulesFailed(
                "too many cards",
                message("A game may have at most {most:,} cards, not {fixed:,}.", most=MOST_CARDS, fixed=fixed),
            )
        free = sum(count is None for count in copies)
        share = (MOST_CARDS - fixed) // free if free else 0  # for each deck that is made so often as the game goes on
        for statement, cards, count in zip(statements, self.decks, copies, strict=True):
            wanted = share // len(cards) if count is None else count
            if count is None and not wanted:
                raise RulesFailed(
                    "too many cards",
                    message("A game may have {most:,} cards; with all its decks there are more.", most=MOST_CARDS),
                )
            self.blocks.append(len(self.attributes))
            self.room.append(wanted * len(cards))
            self.attributes += cards * wanted
            self.backs += [self._back(statement)] * (wanted * len(cards))
            self.kinds += [statement.kind] * (wanted * len(cards))
            self._sizes += [len(cards)] * (wanted * len(cards))
        self.keys = frozenset(key for cards in self.decks for attributes in cards for key in attributes)
        if len(self.keys) > MOST_KEYS:
            raise RulesFailed(
                "too many attributes",
                message("Cards may have at most {most} attributes, not {n}.", most=MOST_KEYS, n=len(self.keys)),
            )

    def _back(self, statement: CreateDeck) -> str:
        """Return what makes the back of a deck: its name, where that is known before the game is played."""
        name = statement.name
        if isinstance(name, Use):
            name = next((declare.value for declare in self._declares if declare.var is name.var), name)
        back = name.text if isinstance(name, Name) else f"deck {len(self.blocks)}"
        return back if statement.kind == "deck" else f"{statement.kind} {back}"

    def __len__(self) -> int:
        return len(self.attributes)

    def die(self, card: int) -> range:
        """Return the faces of the die that a card is one of; of another piece itself."""
        if self.kinds[card] != "die":
            return range(card, card + 1)
        first = bisect_right(self.blocks, card) - 1
        begin = card - (card - self.blocks[first]) % self._sizes[card]
        return range(begin, begin + self._sizes[card])

    @cached_property
    def faces(self) -> dict[int, str]:
        """The face of each card: "10C" of the usual pack, else its values in words. Only equal cards share one."""
        shown = self.distinguishing
        by_attributes: dict[tuple[PieceKind, tuple[tuple[str, str], ...]], str] = {}
        taken: Counter[str] = Counter()
        found = {}
        for card, attributes in enumerate(self.attributes):
            key = self.kinds[card], tuple(sorted(attributes.items()))
            if key not in by_attributes:
                values = [value.lower() for name, value in attributes.items() if name in shown]
                text = playing_card(attributes) or " ".join(values) or "card"
                taken[text] += 1
                by_attributes[key] = text if taken[text] == 1 else f"{text} ({taken[text]})"
            found[card] = by_attributes[key]
        return found

    @cached_property
    def doubles(self) -> frozenset[str]:
        """The faces that more than one card has."""
        return frozenset(text for text, count in Counter(self.faces.values()).items() if count > 1)

    @cached_property
    def distinguishing(self) -> set[str]:
        """The attributes that tell cards apart: see the function of that name."""
        return set(distinguishing(self.attributes))


def copies_of(made: CreateDeck | Repeat) -> tuple[CreateDeck, int | None]:
    """Return the deck that a setup makes, and how often, if the text says that by numbers."""
    times: int | None = 1
    while isinstance(made, Repeat):
        count = constant(made.count)
        times = None if count is None or times is None else times * max(0, count)
        if not isinstance(made.action, CreateDeck | Repeat):
            raise TypeError("A setup repeats decks only.")
        made = made.action
    return made, times
