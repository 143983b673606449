"""What the cards of a text are called, and how people sort them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core.cards import SUITS, sign
from games.core.view import Arg, Piece, card_arg, say
from games.recycle.cards import Cards, PieceKind, playing_card
from games.recycle.labels import DIGITS, Labels, Picture
from games.recycle.pictures import french, numbers, pictures

MOST_PIPS = 6  # of a face that is drawn with pips


class Faces:
    """The faces that a text can make, by their text in ``Cards.faces``.

    ``orders``: by attribute, the place of each of its values from low to high.
    """

    def __init__(self, cards: Cards, labels: Labels, orders: Mapping[str, Mapping[str, int]]) -> None:
        self._words: dict[str, str] = {}  # words of cards that are not standard playing cards
        self._written: dict[str, str] = {}  # what is written on them
        self._order: dict[str, tuple[int, ...]] = {}
        self._figures: dict[str, tuple[str, str]] = {}  # of dice and tokens: the picture, and what is written on it
        self._drawn: dict[str, str] = {}  # French cards in a pack with others, which are drawn like those
        only_french = french(cards)
        self._pictures = pictures(cards, labels, only_french=only_french)
        keys = list(dict.fromkeys(key for attributes in cards.attributes for key in attributes))
        values = {key: list(dict.fromkeys(attributes.get(key, "") for attributes in cards.attributes)) for key in keys}
        # Numbers are said last: "red 8".
        keys.sort(key=lambda key: numbers(values[key]))
        for card, attributes in enumerate(cards.attributes):
            face = cards.faces[card]
            if face in self._order:
                continue
            if playing_card(attributes) == face and only_french:
                self._order[face] = (orders["SUIT"][attributes["SUIT"]], orders["RANK"][attributes["RANK"]])
                continue
            shown = [key for key in keys if key in attributes and key in cards.distinguishing]
            number = face[face.rindex("(") :] if face.endswith(")") else ""
            words = [labels.value(attributes[key]) for key in shown]
            self._words[face] = " ".join(filter(None, [*words, number])) or face
            self._figures[face] = _figure(cards.kinds[card], [attributes[key] for key in shown])
            # On the card the number comes first: that corner is seen where cards cover one another.
            self._written[face] = " ".join(filter(None, [*words[::-1], number])) or face
            if playing_card(attributes) == face:
                self._drawn[face] = " ".join(attributes[key].lower() for key in shown[::-1])
            self._order[face] = (
                len(SUITS),
                *(orders[key].get(attributes[key], -1) for key in shown),
            )

    def arg(self, face: str) -> Arg:
        """Return a card for a gap of a sentence."""
        return self._words[face] if face in self._words else card_arg(face)

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
        figure, badge = self._figures.get(face, ("", ""))
        found = Piece(id=piece, face=figure or self._drawn.get(face, face))
        if badge:
            found["badge"] = badge
        if face in self._written:
            found["label"] = say("{card}", card=self._written[face])
        self._pictures.get(face, Picture()).draw(found)
        return found

    def known(self, face: str, piece: str, back: str) -> Piece:
        """Return a card that lies face down, of which the audience knows which it is."""
        found = Piece(id=piece, back=back)
        found["label"] = say("face down, {card} as far as you know", card=self.arg(face))
        found["badge"] = _initials(self._words[face]) if face in self._words else sign(face)
        return found


FIGURES = frozenset(("RED", "BLUE", "GREEN", "YELLOW", "ORANGE", "PURPLE", "WHITE", "BLACK"))  # colours of dice
_BADGE = 6  # characters that have room on a badge


def _initials(words: str) -> str:
    """Return words so short that they have room on a badge: "Red 8", else "Y 10", "Y W"."""
    if len(words) <= _BADGE:
        return words
    if " " not in words:
        return words[:3] + "."
    return " ".join(word if word.isdigit() else word[0].upper() for word in words.split())[:_BADGE].rstrip()


def _figure(kind: PieceKind, values: Sequence[str]) -> tuple[str, str]:
    """Return the picture of a die or a token, and what is written on it; nothing for a card."""
    if kind == "deck":
        return "", ""
    words = [value for value in values if value not in FIGURES]
    written = " ".join(str(DIGITS.get(value, value.capitalize())) for value in words)[:6]
    if kind == "die" and len(words) == 1 and 1 <= DIGITS.get(words[0], 0) <= MOST_PIPS:
        return f"die-{DIGITS[words[0]]}", ""
    colour = next((value.lower() for value in values if value in FIGURES), "white" if kind == "die" else "yellow")
    return f"{'token' if kind == 'tokens' else 'cube'}-{colour}", written
