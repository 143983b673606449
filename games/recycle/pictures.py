"""How cards are drawn that are no French playing cards: what stands in their corners, their symbols and colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import get_args

from games.core.view import Colour, Symbol
from games.recycle.cards import FRENCH, Attributes, Cards, PieceKind, playing_card
from games.recycle.labels import DIGITS, LONGEST_CORNER, Labels, Picture

COLOURS: Mapping[str, Colour] = {colour.upper(): colour for colour in get_args(Colour)} | {
    "GRAY": "grey", "SILVER": "grey", "VIOLET": "purple", "GOLD": "yellow", "CYAN": "teal", "TURQUOISE": "teal",
}  # fmt: skip

# Symbols of colours where nothing else has one: two colours that look alike to somebody differ by them.
_OF_COLOUR: Mapping[Colour, Symbol] = {
    "red": "flame", "orange": "sun", "yellow": "star", "green": "leaf", "blue": "drop", "purple": "moon",
    "teal": "wave", "pink": "flower", "brown": "acorn", "black": "hexagon", "white": "mountain", "grey": "shield",
}  # fmt: skip

# Names that have a symbol, without the S of a plural, and the colour that goes with it.
_NAMED: Mapping[str, tuple[Symbol, Colour]] = {
    "COIN": ("coin", "yellow"), "PENTACLE": ("coin", "yellow"), "DISK": ("coin", "yellow"),
    "CUP": ("cup", "red"), "SWORD": ("sword", "blue"),
    "BATON": ("baton", "green"), "WAND": ("baton", "green"), "STAFF": ("baton", "green"), "STICK": ("baton", "green"),
    "CLUB": ("club", "black"), "SPADE": ("spade", "black"), "HEART": ("heart", "red"), "DIAMOND": ("diamond", "red"),
    "ACORN": ("acorn", "brown"), "LEAF": ("leaf", "green"), "LEAVE": ("leaf", "green"), "BELL": ("bell", "yellow"),
    "ROSE": ("flower", "pink"), "FLOWER": ("flower", "pink"), "SHIELD": ("shield", "blue"),
    "STAR": ("star", "yellow"), "MOON": ("moon", "purple"), "SUN": ("sun", "orange"),
    "DROP": ("drop", "blue"), "WATER": ("drop", "blue"), "FLAME": ("flame", "red"), "FIRE": ("flame", "red"),
    "WAVE": ("wave", "teal"), "SEA": ("wave", "teal"), "MOUNTAIN": ("mountain", "grey"), "STONE": ("mountain", "grey"),
    "TREE": ("tree", "green"), "WOOD": ("tree", "brown"), "CROWN": ("crown", "yellow"), "BOLT": ("bolt", "orange"),
    "CROSS": ("cross", "red"), "CIRCLE": ("circle", "blue"), "SQUARE": ("square", "green"),
    "TRIANGLE": ("triangle", "orange"), "HEXAGON": ("hexagon", "teal"),
}  # fmt: skip
_MORE = ("THIRTEEN", "FOURTEEN", "FIFTEEN", "SIXTEEN", "SEVENTEEN", "EIGHTEEN", "NINETEEN", "TWENTY")
_NUMBERS = DIGITS | {name: 13 + more for more, name in enumerate(_MORE)} | {"ZERO": 0}
_WITH_CLUBS = frozenset(["HEART", "DIAMOND", "SPADE"])  # beside these a club is a leaf of clover, elsewhere a stick
UNNAMED = "DEFAULT"  # the back of decks without a name
_LETTERS = frozenset(["A", "ACE", "J", "JACK", "Q", "QUEEN", "K", "KING"])


def french(cards: Cards, labels: Labels) -> bool:
    """Return whether all cards with a suit are French playing cards: else none is drawn as one.

    They are not if the table file says how one of their values is drawn.
    """
    return all(
        playing_card(attributes) and labels.faces.keys().isdisjoint(attributes.values())
        for attributes, kind in zip(cards.attributes, cards.kinds, strict=True)
        if kind == "deck" and "SUIT" in attributes
    )


def backs(cards: Cards, labels: Labels) -> dict[str, Picture]:
    """Return how the backs of decks are drawn: as the table file says, else by their names if there are several."""
    found = dict.fromkeys(back for back, kind in zip(cards.backs, cards.kinds, strict=True) if kind == "deck")
    named = [back for back in found if back not in labels.backs and back != UNNAMED] if len(found) > 1 else []
    derived = _suits("", named, coloured=False)
    return {back: labels.backs.get(back, Picture()).over(derived.get(("", back), Picture())) for back in found}


def pictures(cards: Cards, labels: Labels, *, only_french: bool) -> dict[str, Picture]:
    """Return how the cards of a text are drawn, by their face: those of the table file, else derived ones.

    ``only_french`` is the result of ``french(cards)``. French playing cards are left out. So are all cards if two of
    them would look the same, because they differ in an attribute that is not drawn: then they show their words.
    """
    found: dict[str, Attributes] = {}
    for card, kind in enumerate(cards.kinds):
        attributes = cards.attributes[card]
        if kind == "deck" and not (only_french and playing_card(attributes) == cards.faces[card]):
            found[cards.faces[card]] = attributes
    values = {}
    if not only_french or not any(map(playing_card, cards.attributes)):  # the joker of a French pack shows its word
        keys = dict.fromkeys(key for attributes in found.values() for key in attributes)
        values = {key: list(dict.fromkeys(one[key] for one in found.values() if key in one)) for key in keys}
    derived = _derived(values, cards.distinguishing, labels)
    drawn = {}
    for face, attributes in found.items():
        picture = Picture()
        for value in attributes.values():
            picture = picture.over(labels.faces.get(value, Picture()))
        for key, value in attributes.items():
            picture = picture.over(derived.get((key, value), Picture()))
        if picture != Picture():
            drawn[face] = picture
    return drawn if max(Counter(drawn.values()).values(), default=1) == 1 else {}


def _derived(values: Mapping[str, Sequence[str]], shown: set[str], labels: Labels) -> dict[tuple[str, str], Picture]:
    """Return what each value of each attribute adds to the picture of its cards."""
    corner = next((key for key in values if key in shown and numbers(values[key])), "")
    coloured = [key for key in values if key != corner and _mostly(values[key], COLOURS.__contains__)]
    colour = next((key for key in coloured if key in shown), coloured[0] if coloured else "")
    rest = [key for key in values if key in shown and key not in (corner, colour)]
    symbol = "SUIT" if "SUIT" in rest else rest[0] if rest and (corner or colour) else ""
    if not corner and symbol == "SUIT" and "RANK" in rest:
        corner = "RANK"
    found: dict[tuple[str, str], Picture] = {}
    if corner:
        found |= {(corner, value): Picture(corner=sign) for value, sign in _corners(values[corner], labels)}
    if colour:
        found |= {(colour, value): Picture(colour=COLOURS[value]) for value in values[colour] if value in COLOURS}
    if symbol and len(values[symbol]) <= len(get_args(Symbol)):
        found |= _suits(symbol, values[symbol], coloured=bool(colour))
    elif colour:
        taken = {one.symbol for one in labels.faces.values() if one.symbol}
        for value in values[colour]:
            if value in labels.faces and labels.faces[value].symbol:
                continue
            sign = _free(taken, _OF_COLOUR.get(COLOURS[value]) if value in COLOURS else None)
            found[colour, value] = found.get((colour, value), Picture()).over(Picture(symbol=sign))
    return found


def numbers(values: Sequence[str]) -> bool:
    """Return whether most values are numbers, or letters such as K."""
    return _mostly(values, _is_number)


def _mostly(values: Sequence[str], are: Callable[[str], object]) -> bool:
    return sum(1 for value in values if are(value)) * 2 > len(values)


def _is_number(value: str) -> bool:
    return value in _NUMBERS or value in _LETTERS


def _suits(key: str, values: Sequence[str], *, coloured: bool) -> dict[tuple[str, str], Picture]:
    """Return the symbol of each suit, by its name or the next free one, with a colour if the pack has none."""
    singular = {value: _singular(value) for value in values}
    known = {value: _NAMED[name] for value, name in singular.items() if name in _NAMED}
    if not _WITH_CLUBS & set(singular.values()):
        known |= {value: _NAMED["BATON"] for value, name in singular.items() if name == "CLUB"}
    symbols: set[str] = {symbol for symbol, _ in known.values()}
    colours: set[Colour] = {colour for _, colour in known.values()}
    found = {}
    for value in values:
        symbol: str | None
        if value in known:
            symbol, colour = known[value]
        else:
            symbol = _free(symbols)
            free = [one for one in get_args(Colour) if one not in colours]
            colour = free[0] if free else "grey"
            colours.add(colour)
        found[key, value] = Picture(symbol=symbol, colour=None if coloured else colour)
    return found


def of_die_or_token(kind: PieceKind, values: Sequence[str], labels: Labels) -> Picture:
    """Return how a die or a token with these values is drawn: as the table file says, else by their names."""
    picture = Picture()
    for value in values:
        picture = picture.over(labels.faces.get(value, Picture()))
    for value in values:
        if value in COLOURS:
            picture = picture.over(Picture(colour=COLOURS[value]))
        elif _singular(value) in _NAMED:
            picture = picture.over(Picture(symbol=_NAMED[_singular(value)][0]))
    if kind == "die" and len(values) == 1 and values[0] in DIGITS and not picture.symbol:
        picture = picture.over(Picture(number=DIGITS[values[0]]))
    return picture.over(Picture(colour="white" if kind == "die" else "yellow"))


def _singular(value: str) -> str:
    if value in FRENCH and len(value) == 1:
        value = next(name for name, letter in FRENCH.items() if letter == FRENCH[value] and len(name) > 1)
    return value.removesuffix("S")


def _free(taken: set[str], wanted: str | None = None) -> str | None:
    """Return the symbol wanted, else the first one that is not taken; None if there is none left."""
    symbols: list[str] = [*([wanted] if wanted else []), *get_args(Symbol)]
    free = next((symbol for symbol in symbols if symbol not in taken), None)
    if free:
        taken.add(free)
    return free


def _corners(values: Sequence[str], labels: Labels) -> Iterator[tuple[str, str]]:
    """Yield each value with what stands in the corner: its number, else as few letters as make it unique."""
    said = {value: labels.faces[value].corner or "" for value in values if value in labels.faces}
    taken = {sign for sign in said.values() if sign}
    for value in values:
        if said.get(value):
            continue
        sign = next(sign for sign in _short(value, values, labels) if sign not in taken)
        taken.add(sign)
        yield value, sign


def _short(value: str, values: Sequence[str], labels: Labels) -> Iterator[str]:
    word = labels.words.get(value, "")
    if value in _NUMBERS:
        yield str(_NUMBERS[value])
    if word and len(word) <= LONGEST_CORNER:
        yield word
    if value[-1:].isdigit() and len(value) <= LONGEST_CORNER:
        yield value
    for length in range(1, LONGEST_CORNER + 1):
        if all(other == value or other in _NUMBERS or other[:length] != value[:length] for other in values):
            yield value[:length].capitalize()
    for letter in value[1:]:
        yield value[0] + letter.lower()
    yield from (f"{value[0]}{number}" for number in range(1, 100))
    yield from (str(number) for number in range(1, 1000))
