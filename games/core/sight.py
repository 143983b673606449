"""Which cards each audience knows: one record, for all games, of what was seen since cards were last shuffled.

The rules report what players see: a card is shown to a seat or to everybody, cards are shuffled, cards change places
unseen. The record then says which cards a seat can name wherever they lie (``knows``), which is all that
``State.determinize`` needs, and the ids of open cards with equal faces (``piece_id``).

Cards with the same face cannot be told apart by looking. If one of them leaves a hand that held another whose face an
audience knew, the audience takes it for that one. So neither an id nor a belief ever reveals more than the faces do.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from games.core.cards import Pack

Audience = int | None  # a seat; None: spectators
Card = Hashable  # the identity of a card, as the game defines it


class PackFaces(Protocol):
    """What the record needs from a pack: the face of each card, in printed order, and which faces are repeated."""

    @property
    def faces(self) -> Mapping[Any, str]:
        """The face of each card."""

    @property
    def doubles(self) -> frozenset[str]:
        """The faces of more than one card."""


def everybody_at(seats: int) -> int:
    """Return all audiences as bits: one for each seat, then one for spectators."""
    return (2 << seats) - 1


class Sight:
    """What each seat, and the spectators, know about the cards of a pack. At first nothing."""

    __slots__ = ("_doubles", "_everybody", "_faces", "_known", "_numbers", "_redrawn", "_spare", "seats")

    def __init__(self, pack: PackFaces, seats: int) -> None:
        self.seats = seats
        self._known: dict[Card, int] = {}  # for each card, who knows its face: a bit per seat, then one for spectators
        self._redrawn: list[tuple[Sequence[Card], Sequence[Card]]] = []  # see ``redraw``
        self._everybody = everybody_at(seats)
        self._faces = pack.faces
        self._doubles = pack.doubles
        # For each audience (spectators last), the numbers in its ids of cards with repeated faces.
        self._numbers: list[dict[Card, int]] = [{} for _ in range(seats + 1)] if self._doubles else []
        # For each audience and face, the free numbers: the first above all that are in use, then the unused ones below
        # it, lowest last. Computed when needed, and again after a number becomes free.
        self._spare: dict[int, dict[str, list[int]]] = {}

    # -- what happens to cards

    def show(self, card: Card, seat: int, out_of: Iterable[Card] = ()) -> None:
        """Record that ``seat`` looks at a card. ``out_of`` are the cards it was among, if the seat saw only backs."""
        self.show_to(card, 1 << seat, out_of)

    def show_all(self, card: Card, out_of: Iterable[Card] = ()) -> None:
        """Record that a card is face up. ``out_of`` are the cards it was among, such as the hand it is played from."""
        self.show_to(card, self._everybody, out_of)

    def show_to(self, card: Card, audiences: int, out_of: Iterable[Card] = ()) -> None:
        """Record that several audiences, as bits, look at a card at the same time: see ``everybody_at``."""
        if self._doubles or self._redrawn:
            self._learn(card, audiences, out_of)
        else:
            self._known[card] = self._known.get(card, 0) | audiences

    def shuffle(self, cards: Iterable[Card]) -> None:
        """Record that cards are shuffled: nobody can name any of them now."""
        pop = self._settled().pop
        for card in cards:
            if pop(card, 0) and self._doubles:
                self._spare = {}
                for numbers in self._numbers:
                    numbers.pop(card, None)

    def mix(self, cards: Iterable[Card], but: Sequence[int]) -> None:
        """Record that some of these cards have changed places unseen by all seats except ``but``.

        For example, a player lays one of them face down: others who knew one of them do not know where it is now.
        """
        known = self._settled()
        keep = sum(1 << seat for seat in but)
        for card in cards:
            lost = known.get(card, 0) & ~keep
            if lost:
                known[card] &= keep
                if self._doubles:
                    self._spare = {}
                    for audience, numbers in enumerate(self._numbers):
                        if lost >> audience & 1:
                            numbers.pop(card, None)

    def forget(self, seat: int) -> None:
        """Record that ``seat`` can name only cards that spectators can name."""
        mine, spectators = 1 << seat, 1 << self.seats
        for card, audiences in self._settled().items():
            if audiences & mine and not audiences & spectators:
                self._known[card] = audiences & ~mine
                if self._doubles:
                    self._numbers[seat].pop(card, None)
        self._spare = {}

    def take(self, card: Card, out_of: Iterable[Card], audiences: Iterable[int]) -> None:
        """Record that a card leaves a place of which ``audiences`` see only backs; spectators are the last audience.

        If they have seen several cards of its face go there, they take it for the first of them.
        """
        face = self._faces[card]
        if face not in self._doubles:
            return
        known = self._settled()
        alike = [other for other in out_of if self._faces[other] == face]
        for audience in audiences:
            numbers = self._numbers[audience]
            if known.get(card, 0) >> audience & 1:
                first = min((other for other in alike if known.get(other, 0) >> audience & 1), key=numbers.__getitem__)
                numbers[card], numbers[first] = numbers[first], numbers[card]

    def redraw(self, lay: Sequence[Card], lies: Sequence[Card]) -> None:
        """Record that cards were permuted: ``lies`` are now where ``lay`` were, place by place.

        For ``State.determinize``: an audience that could name the card of a place can name the one that lies there now.
        This is evaluated lazily, because most determinized states are only rolled out.
        """
        self._redrawn.append((lay, lies))

    def _settled(self) -> dict[Card, int]:
        """Return who knows which card, after all redraws."""
        known = self._known
        if not self._redrawn:
            return known
        redrawn, self._redrawn = self._redrawn, []
        for lay, lies in redrawn:
            before = [known.pop(card, 0) for card in lay]
            for numbers in self._numbers:
                for card in lay:
                    numbers.pop(card, None)
            self._spare = {}
            for card, audiences in zip(lies, before, strict=True):
                self._learn(card, audiences, ())
        return known

    def _learn(self, card: Card, audiences: int, out_of: Iterable[Card]) -> None:
        known = self._settled()
        before = known.get(card, 0)
        news = audiences & ~before
        if not news:
            return
        known[card] = before | audiences
        if self._doubles and self._faces[card] in self._doubles:
            alike = [other for other in out_of if other != card and self._faces[other] == self._faces[card]]
            for audience in range(self.seats, -1, -1):  # spectators first
                if news >> audience & 1:
                    self._numbers[audience][card] = self._number(audience, card, alike)

    def _number(self, audience: int, card: Card, alike: list[Card]) -> int:
        """Return the number in an audience's id of a card it sees: that of one it may be, else the lowest free one.

        Of several that it may be, a seat keeps those that spectators keep: what they know, all seats know.
        """
        numbers = self._numbers[audience]
        seen = [other for other in alike if self._known.get(other, 0) >> audience & 1]
        if seen:
            first = min(seen, key=numbers.__getitem__)
            kept = {other for other in seen if self._known[other] >> self.seats & 1}
            gone = min(set(seen) - kept or kept, key=numbers.__getitem__)
            numbers[first], numbers[gone] = numbers[gone], numbers[first]
            self._known[gone] &= ~(1 << audience)
            return numbers.pop(gone)
        spare = self._spare_of(audience).setdefault(self._faces[card], [1])
        if len(spare) > 1:
            return spare.pop()
        spare[0] += 1
        return spare[0] - 1

    def _spare_of(self, audience: int) -> dict[str, list[int]]:
        if audience not in self._spare:
            taken: dict[str, set[int]] = {}
            for card, number in self._numbers[audience].items():
                taken.setdefault(self._faces[card], set()).add(number)
            self._spare[audience] = {
                face: [max(numbers) + 1, *(number for number in range(max(numbers), 0, -1) if number not in numbers)]
                for face, numbers in taken.items()
            }
        return self._spare[audience]

    # -- what is known

    def knows(self, audience: Audience, card: Card) -> bool:
        """Return whether an audience can name this card, wherever it lies."""
        return bool(self._settled().get(card, 0) >> (self.seats if audience is None else audience) & 1)

    def named_by(self, audience: Audience) -> set[Any]:
        """Return the cards that an audience can name."""
        bit = 1 << (self.seats if audience is None else audience)
        return {card for card, audiences in self._settled().items() if audiences & bit}

    @property
    def open_faces(self) -> set[str]:
        """The faces that spectators can name, and that no other card of the pack has."""
        return {self._faces[card] for card in self.named_by(None)} - self._doubles

    @property
    def faces(self) -> set[str]:
        """The faces of the pack."""
        return set(self._faces.values())

    def in_order(self, cards: Iterable[Card]) -> list[Any]:
        """Return cards in the order of the pack, so that their places do not matter."""
        wanted = set(cards)
        return [card for card in self._faces if card in wanted]

    def piece_id(self, audience: Audience, card: Card, *, face_up: bool = False) -> str:
        """Return the id, in the view of an audience, of a card that it sees open.

        It is the face if that is unique. Otherwise a number is added, which a card keeps as long as the audience can
        follow it, and loses in a shuffle. ``face_up``: the viewer may see everything. Raises LookupError for a card
        that the audience has not seen according to this record.
        """
        face = self._faces[card]
        if face not in self._doubles:
            return face
        if face_up:
            return str(card)
        self._settled()
        numbers = self._numbers[self.seats if audience is None else audience]
        if card not in numbers:
            whom = "everybody" if audience is None else f"seat {audience}"
            raise LookupError(f"{card} lies open for {whom}, but was never shown: the rules must call sight.show.")
        return f"{face}.{numbers[card]}"

    def copy(self) -> Sight:
        """Return an independent copy."""
        copy = Sight.__new__(Sight)
        copy.seats, copy._known, copy._redrawn = self.seats, self._known.copy(), self._redrawn[:]
        copy._everybody, copy._faces, copy._doubles = self._everybody, self._faces, self._doubles
        copy._numbers = [numbers.copy() for numbers in self._numbers]
        copy._spare = {}
        return copy


class NoSight(Sight):
    """A record that keeps nothing, for roll-outs, where nobody looks. It costs nothing."""

    __slots__ = ()

    def show(self, card: Card, seat: int, out_of: Iterable[Card] = ()) -> None:
        pass

    def show_all(self, card: Card, out_of: Iterable[Card] = ()) -> None:
        pass

    def show_to(self, card: Card, audiences: int, out_of: Iterable[Card] = ()) -> None:
        pass

    def shuffle(self, cards: Iterable[Card]) -> None:
        pass

    def mix(self, cards: Iterable[Card], but: Sequence[int]) -> None:
        pass

    def take(self, card: Card, out_of: Iterable[Card], audiences: Iterable[int]) -> None:
        pass

    def forget(self, seat: int) -> None:
        pass

    def redraw(self, lay: Sequence[Card], lies: Sequence[Card]) -> None:
        pass

    def in_order(self, cards: Iterable[Any]) -> list[Any]:
        return sorted(cards)

    def copy(self) -> Sight:
        return self


BLIND = NoSight(Pack.of(()), 0)
