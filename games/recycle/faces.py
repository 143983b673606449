"""What the cards of a text are called, and how people sort them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from typing import NamedTuple

from games.core.cards import SUITS, sign
from games.core.view import Arg, OwnPicture, Piece, card_arg, say
from games.recycle.cards import Cards, PieceKind, playing_card
from games.recycle.labels import DIGITS, Labels, Picture
from games.recycle.pictures import COLOURS, backs, french, numbers, of_die_or_token, pictures

MOST_PIPS = 6  # of a face that is drawn with pips
MOST_BADGE = 6  # characters that have room on a badge


class Faces:
    """What is said and drawn of the cards of a text, by their faces in ``Cards.faces``.

    ``orders``: by attribute, the place of each of its values from low to high. ``grouping``: the attributes that put
    cards together in this text; a hand is sorted by them first.
    """

    def __init__(
        self, cards: Cards, labels: Labels, orders: Mapping[str, Mapping[str, int]], grouping: Set[str]
    ) -> None:
        self._words: dict[str, str] = {}  # words of cards that are not standard playing cards
        self._written: dict[str, str] = {}  # what is written on them
        self._order: dict[str, tuple[int, ...]] = {}
        self._figures: dict[str, _Figure] = {}  # of dice and tokens
        # Other names of French playing cards in a pack with other cards, so that all are drawn alike.
        self._drawn: dict[str, str] = {}
        only_french = french(cards, labels)
        self._pictures = pictures(cards, labels, only_french=only_french)
        self._backs = backs(cards, labels)
        self._own = labels.pictures
        keys = list(dict.fromkeys(key for attributes in cards.attributes for key in attributes))
        values = {key: list(dict.fromkeys(attributes.get(key, "") for attributes in cards.attributes)) for key in keys}
        # Numbers are said last: "red 8".
        keys.sort(key=lambda key: numbers(values[key]))
        # Suits that mean nothing, as in Go Fish, do not part cards of a rank.
        suit_first = "RANK" not in grouping or not grouping.isdisjoint({"SUIT", "COLOR"})
        for card, attributes in enumerate(cards.attributes):
            face = cards.faces[card]
            if face in self._order:
                continue
            if playing_card(attributes) == face and only_french:
                places = (orders["SUIT"][attributes["SUIT"]], orders["RANK"][attributes["RANK"]])
                self._order[face] = places if suit_first else places[::-1]
                continue
            shown = [key for key in keys if key in attributes and key in cards.distinguishing]
            number = face[face.rindex("(") :] if face.endswith(")") else ""
            words = [labels.value(attributes[key]) for key in shown]
            self._words[face] = " ".join(filter(None, [*words, number])) or face
            if cards.kinds[card] != "deck":
                self._figures[face] = _figure_of(cards.kinds[card], [attributes[key] for key in shown], labels)
            # On the card the number comes first: that corner is seen where cards cover one another.
            self._written[face] = " ".join(filter(None, [*words[::-1], number])) or face
            if playing_card(attributes) == face:
                self._drawn[face] = " ".join(attributes[key].lower() for key in shown[::-1])
            self._order[face] = (
                len(SUITS),
                *(orders[key].get(attributes[key], -1) for key in sorted(shown, key=lambda key: key not in grouping)),
            )

    def arg(self, face: str) -> Arg:
        """Return a card for a gap of a sentence."""
        return self._words[face] if face in self._words else card_arg(face)

    @cached_property
    def own(self) -> dict[str, OwnPicture]:
        """The pictures of the table file that are the symbol of a card, a die, a token or a back, by symbol."""
        drawn = {one.symbol for one in (*self._pictures.values(), *self._backs.values())}
        drawn |= {figure.symbol for figure in self._figures.values()}
        return {key: picture for key, picture in self._own.items() if key in drawn}

    def pictures(self) -> dict[str, Picture]:
        """Return how the cards are drawn that are no French playing cards, by their words in a sentence."""
        return {
            self._words[face]: picture for face, picture in self._pictures.items() if picture.corner or picture.symbol
        }

    def order(self, face: str) -> tuple[int, ...]:
        """Return what to sort a hand by."""
        return self._order.get(face, ())

    def open(self, face: str, piece: str) -> Piece:
        """Return a face-up card; one that is not a standard playing card shows its words."""
        figure = self._figures.get(face, _NO_FIGURE)
        found = Piece(id=piece, face=figure.face or self._drawn.get(face, face))
        if figure.badge:
            found["badge"] = figure.badge
        if figure.symbol:
            found["symbol"] = figure.symbol
        if face in self._written:
            found["label"] = say("{card}", card=self._written[face])
        self._pictures.get(face, Picture()).draw(found)
        return found

    def closed(self, found: Piece) -> Piece:
        """Return a face-down card with the back of its deck put on it."""
        self._backs.get(found.get("back", ""), Picture()).draw(found)
        return found

    def known(self, face: str, piece: str, back: str) -> Piece:
        """Return a card that lies face down, of which the audience knows which it is."""
        found = Piece(id=piece, back=back)
        found["label"] = say("face down, {card} as far as you know", card=self.arg(face))
        found["badge"] = _initials(self._words[face]) if face in self._words else sign(face)
        return self.closed(found)


def _initials(words: str) -> str:
    """Return words so short that they have room on a badge: "Red 8", else "Y 10", "Y W"."""
    if len(words) <= MOST_BADGE:
        return words
    if " " not in words:
        return words[:3] + "."
    return " ".join(word if word.isdigit() else word[0].upper() for word in words.split())[:MOST_BADGE].rstrip()


class _Figure(NamedTuple):
    """How a die or a token is drawn: as which figure, what is written on its corner, and the symbol in the middle."""

    face: str
    badge: str = ""
    symbol: str = ""


_NO_FIGURE = _Figure("")


def _figure_of(kind: PieceKind, values: Sequence[str], labels: Labels) -> _Figure:
    """Return how a die or a token with these values is drawn."""
    picture = of_die_or_token(kind, values, labels)
    if kind == "die" and 0 < (picture.number or 0) <= MOST_PIPS and not picture.symbol:
        return _Figure(f"die-{picture.number}", picture.corner or "")
    shape = f"{'token' if kind == 'tokens' else 'cube'}-{picture.colour}"
    words = [value for value in values if value not in COLOURS and (value in DIGITS or not picture.symbol)]
    written = picture.corner or " ".join(str(DIGITS.get(value, value.capitalize())) for value in words)[:MOST_BADGE]
    return _Figure(f"{shape}-blank", written, picture.symbol) if picture.symbol else _Figure(shape, written)
