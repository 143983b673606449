"""Labels for the names in a text: from its table file, else derived from the names.

A table file is TOML; every section and line is optional::

    [labels]            # what people read at places and stores, and for values of attributes and of stores
    WON = "Tricks won"
    "'FIVE" = "five cards"           # and for what a ``let`` names, with its apostrophe
    [phrases]           # how a place or a store is called inside a sentence, if not "the" and its label
    LEFT = "the left column"
    "game RED" = "the red pile"      # so with a place of the table, where players have one of that name, too
    [layout]            # how a place lies: hand, row, pile, slot
    TRICK = "slot"
    [faces]             # how cards, dice and tokens with a value are drawn: any of corner, symbol, colour, number
    COINS = {symbol = "coin", colour = "yellow"}
    KNIGHT = {corner = "C"}
    LAMPS = {symbol = "lamp", number = 3}
    [backs]             # how cards of a deck look from behind, by its name; DEFAULT: of a deck without one
    GOALS = {symbol = "star", colour = "red"}
    [pictures]          # symbols of one's own: see games/recycle/svg.py
    lamp = '<svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="8"/></svg>'
    [verbs]             # what a move is called: see below
    DISCARD = "Throw away {cards}"
    [hide]              # places and stores that nobody needs to see; what has a verb is still in the log
    stores = ["LED"]
    places = ["UNUSED"]
    [tips]              # of a first match: one for a kind of decision, by its key in [verbs],
    CRIB = "The crib counts for the dealer."
                        # or all of them, in their order: what each points at, its sentence, what else has to be there
    trick = ["zone:vloc:TRICK:*", "The highest card of the suit led takes the trick."]
    [about]             # what something at the table means
    "counter:player:TAKEN" = "Points taken in this deal."

Tips and meanings refer to things by signs (``games/core/teaching.py``), with the ids of this text's places and stores:
``zone:iloc:HAND:{me}``, ``counter:player:SCORE``.

A line of ``[verbs]`` has the button of a move, and as a list also its log entry and the end of the prompt:
``BID = ["Bid {cards}", "{seat} bids {cards}.", "bid a card"]``. Its key is the place where cards go ("DISCARD"), the
places they come from and go to ("STOCK>HAND"), a store that is set ("SUIT"), or a store and its new value
("SAYS=FOLD", "DICE=1" for "1 die"); the most specific one is used. ``PASS`` is for passing. Placeholders are
``{cards}``, ``{place}`` (where they go), ``{from}``, ``{whom}`` (the other player who owns the place or store),
``{store}``, ``{value}`` and, in the log, ``{seat}``, the player who moves. On the button and in the prompt, ``{NAME}``
is what an open store of the table holds now: ``PASS = "Pass {cards} {PASSING}"``.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Literal, get_args

from games.core.messages import Message, as_written, message, quoted
from games.core.teaching import LONGEST, Tip, checked, tip
from games.core.view import Colour, OwnPicture, Piece, Sentence, Symbol, say
from games.recycle.phrase_book import NOUNS, USUAL, Verb, in_quotes
from games.recycle.svg import BadPicture, read_picture

ZoneLayout = Literal["hand", "row", "pile", "slot"]

SECTIONS = ("labels", "phrases", "layout", "faces", "backs", "pictures", "verbs", "hide", "tips", "about")
_GAPS = ("cards", "place", "from", "whom", "store", "value")
# The gaps of a button, of a log entry and of a prompt, and whether they may have what a store holds.
GAPS_OF_VERB = ((_GAPS, True), ((*_GAPS, "seat"), False), (("cards",), True))
OF_TABLE = "game "
NOTHING = frozenset(("", "NONE"))  # names that a store has where nothing is noted
LONGEST_CORNER = 3
MOST_SYMBOLS = 10  # in the middle of a card
MOST_PICTURES = 16  # of a game
_NUMBERS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE")
DIGITS = {name: number for number, name in enumerate(_NUMBERS, 1)}
_PILES = {"discard": "discard pile", "waste": "waste pile", "draw": "draw pile", "discards": "discard pile"}


class BadTableFile(ValueError):
    """An invalid table file. ``text`` says to its author what is wrong."""

    def __init__(self, text: Message) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True)
class Picture:
    """How a card is drawn, or what one of its values adds to that; None: nothing said."""

    corner: str | None = None
    symbol: str | None = None  # a Symbol, or a key of ``Labels.pictures``
    colour: Colour | None = None
    number: int | None = None  # of symbols in the middle, or of pips

    def over(self, other: Picture) -> Picture:
        """Return the picture with what only ``other`` says added."""
        return Picture(
            self.corner or other.corner,
            self.symbol or other.symbol,
            self.colour or other.colour,
            self.number or other.number,
        )

    def draw(self, piece: Piece) -> None:
        """Put it on a piece."""
        if self.corner:
            piece["corner"] = self.corner
        if self.symbol:
            piece["symbol"] = self.symbol
        if self.colour:
            piece["colour"] = self.colour
        if self.number:
            piece["number"] = self.number


@dataclass(frozen=True)
class Labels:
    """What a table file says. All of it may be left out."""

    words: dict[str, str] = field(default_factory=dict)
    layouts: dict[str, ZoneLayout] = field(default_factory=dict)
    hidden_stores: frozenset[str] = frozenset()
    hidden_places: frozenset[str] = frozenset()
    phrases: dict[str, str] = field(default_factory=dict)
    faces: dict[str, Picture] = field(default_factory=dict)  # by value of an attribute
    backs: dict[str, Picture] = field(default_factory=dict)  # by name of a deck
    pictures: dict[str, OwnPicture] = field(default_factory=dict)  # by what pieces have as their symbol
    own: dict[str, str] = field(default_factory=dict)  # the keys of pictures, by their names in the file
    verbs: dict[str, Verb] = field(default_factory=dict)
    tips: tuple[Tip, ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)  # tips for kinds of decisions
    about: dict[str, Sentence] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Labels:
        """Read a table file (TOML). Raises BadTableFile."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadTableFile(message("The table file is no TOML: {error}", error=str(error))) from error
        for section in data:
            if section not in SECTIONS:
                there = ", ".join(f"[{one}]" for one in SECTIONS)
                raise BadTableFile(
                    message(
                        "The table file has a section [{section}]; there are {there}.", section=section, there=there
                    )
                )
        layouts = _words(data, "layout")
        for place, layout in layouts.items():
            if layout not in get_args(ZoneLayout):
                raise BadTableFile(
                    message(
                        "{place} cannot lie as {layout}: there are {there}.",
                        place=place,
                        layout=quoted(layout),
                        there=", ".join(get_args(ZoneLayout)),
                    )
                )
        hide = data.get("hide", {})
        drawn = _pictures(_words(data, "pictures"))
        own = {name: _key(picture) for name, picture in drawn.items()}
        return cls(
            words=_words(data, "labels"),
            layouts=layouts,  # type: ignore[arg-type]
            hidden_stores=_names(hide, "stores"),
            hidden_places=_names(hide, "places"),
            phrases=_words(data, "phrases"),
            faces=_faces(data.get("faces", {}), own),
            backs=_backs(data.get("backs", {}), own),
            pictures={own[name]: picture for name, picture in drawn.items()},
            own=own,
            verbs=_verbs(data.get("verbs", {})),
            tips=_tips(data.get("tips", {})),
            kinds=_kinds(data.get("tips", {})),
            about=_about(_words(data, "about")),
        )

    def word(self, name: str) -> str:
        """Return how people read a name: "Own points" for OWNPOINTS if the file says so, else "Ownpoints"."""
        name = name if name in self.words else name.removeprefix(OF_TABLE)
        return self.words.get(name) or USUAL.get(name) or name.capitalize()

    def says(self, store: str, value: object) -> bool:
        """Return whether setting a store to a value is said: that of a hidden one only if it has a verb."""
        return store not in self.hidden_stores or store in self.verbs or f"{store}={value}" in self.verbs

    def key(self, name: str, owner: int) -> str:
        """Return the key under which the place of that name is called something: "game RED" if there is such a line."""
        own = OF_TABLE + name
        return own if owner < 0 and (own in self.words or own in self.phrases) else name

    def bare(self, name: str) -> str:
        """Return a name as used inside a sentence after a player's name: "tricks won"."""
        return _lower_first(self.word(name))

    def phrase(self, name: str) -> str:
        """Return how a place or a store is called inside a sentence: "the discard pile", "row 1"."""
        for key in (name, name.removeprefix(OF_TABLE)):
            if key in self.phrases:
                return self.phrases[key]
        bare = self.bare(name)
        return f"the {bare}" if self._is_said(name) and not bare[-1:].isdigit() else self.owned(name)

    def owned(self, name: str) -> str:
        """Return how a place is called after the name of its owner: "tricks won", or "“Taken”", which is no noun."""
        if name in self.phrases:
            return self.phrases[name].removeprefix("the ")
        return self.bare(name) if self._is_said(name) else in_quotes(self.word(name))

    def _is_said(self, name: str) -> bool:
        """Return whether a place has a word that a sentence can use: a noun, or one that its author has chosen."""
        return bool(self.noun(name)[0]) or name in self.words or self.bare(name)[-1:].isdigit()

    def noun(self, name: str) -> tuple[str, bool]:
        """Return the English noun that a place is called by, and whether it is a plural; "" if its label is none."""
        low = _lower_first(self.word(name))
        low = _PILES.get(low, low)
        words = low.split()
        known = [word for word in (words[-1:] + words[:1]) if word in NOUNS]
        if low in _PILES.values():
            known = ["pile"]
        if not known:
            return (low, False) if len(words) == 2 and words[1].isdecimal() else ("", False)
        return low, known[-1 if words[0] in NOUNS else 0].endswith("s")

    def value(self, name: str) -> str:
        """Return how the value of an attribute or of a store is called inside a sentence: "hearts", "8", "K"."""
        if name in self.words:
            return self.words[name]
        if name in DIGITS:
            return str(DIGITS[name])
        return name.lower() if len(name) > 1 else name


def _lower_first(word: str) -> str:
    return word if word[:2].isupper() else word[:1].lower() + word[1:]


def _words(data: dict[str, Any], section: str) -> dict[str, str]:
    found = data.get(section, {})
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise BadTableFile(
            message("In [{section}] of the table file each line is NAME = a word in quotes.", section=section)
        )
    return found


def _lines(found: object) -> Iterable[tuple[str, Any]]:
    """Return the lines of a section; for what is no section one line without a name, which is found to be wrong."""
    return found.items() if isinstance(found, dict) else [("", None)]


def _names(hide: object, key: str) -> frozenset[str]:
    found = hide.get(key, []) if isinstance(hide, dict) else None
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise BadTableFile(message("In [hide] of the table file {key} is a list of names in quotes.", key=key))
    return frozenset(found)


_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_KEY_LETTERS = 12


def _pictures(lines: dict[str, str]) -> dict[str, OwnPicture]:
    if len(lines) > MOST_PICTURES:
        raise BadTableFile(
            message(
                "[pictures] of the table file has {n} pictures; a game has at most {most}.",
                n=len(lines),
                most=MOST_PICTURES,
            )
        )
    drawn = {}
    for name, markup in lines.items():
        if not _NAME.fullmatch(name) or name in get_args(Symbol):
            raise BadTableFile(
                message(
                    "In [pictures] of the table file a name has 1 to 20 small letters, digits and hyphens, and is none "
                    "of the symbols that there are: {name}.",
                    name=name[:40],
                )
            )
        try:
            drawn[name] = read_picture(markup)
        except BadPicture as error:
            raise BadTableFile(
                message("In [pictures] of the table file, {name}: {why}", name=name, why=error.text)
            ) from error
    return drawn


def _key(picture: OwnPicture) -> str:
    """Return what pieces have as their symbol: letters that only the same picture has."""
    digest = hashlib.sha256(json.dumps(picture, sort_keys=True).encode()).digest()
    return "own" + "".join(chr(ord("a") + byte % 26) for byte in digest[:_KEY_LETTERS])


def _faces(found: object, own: dict[str, str]) -> dict[str, Picture]:
    faces = {}
    owners: dict[str, str] = {}  # by corner
    for name, said in _lines(found):
        if not isinstance(said, dict) or not said:
            raise BadTableFile(
                message(
                    "In [faces] of the table file each line is VALUE = {code}, with one of corner, symbol, colour and "
                    "number or more: {name}.",
                    code='{symbol = "star", colour = "blue", corner = "A"}',
                    name=name or message("it is a section"),
                )
            )
        faces[name] = _picture("faces", name, said, ("corner", "symbol", "colour", "number"), own)
        corner = faces[name].corner
        other = owners.setdefault(corner, name) if corner else name
        if other != name:
            raise BadTableFile(
                message("In [faces] of the table file {other} and {name} have the same corner.", other=other, name=name)
            )
    return faces


def _backs(found: object, own: dict[str, str]) -> dict[str, Picture]:
    backs = {}
    for name, said in _lines(found):
        if not isinstance(said, dict) or not said:
            raise BadTableFile(
                message(
                    "In [backs] of the table file each line is DECK = {code}, with one of the two or both: {name}.",
                    code='{symbol = "star", colour = "blue"}',
                    name=name or message("it is a section"),
                )
            )
        backs[name] = _picture("backs", name, said, ("symbol", "colour"), own)
    return backs


def _picture(section: str, name: str, said: dict[str, Any], kinds: tuple[str, ...], own: dict[str, str]) -> Picture:
    """Return what a line says. Raises BadTableFile."""
    for kind in said:
        if kind not in kinds:
            raise BadTableFile(
                message(
                    "In [{section}] of the table file {name} has {kind}; there are {there}.",
                    section=section,
                    name=name,
                    kind=quoted(kind),
                    there=", ".join(kinds),
                )
            )
    corner, number = said.get("corner"), said.get("number")
    if "corner" in said and not (
        isinstance(corner, str) and 0 < len(corner) <= LONGEST_CORNER and corner.strip() == corner
    ):
        raise BadTableFile(
            message(
                "In [{section}] of the table file a corner has 1 to {most} characters: {name}.",
                section=section,
                most=LONGEST_CORNER,
                name=name,
            )
        )
    if "number" in said and not (type(number) is int and 1 <= number <= MOST_SYMBOLS):
        raise BadTableFile(
            message(
                "In [{section}] of the table file {name} has a number that is not a whole one from 1 to {most}, "
                "without quotes.",
                section=section,
                name=name,
                most=MOST_SYMBOLS,
            )
        )
    symbol, colour = said.get("symbol"), said.get("colour")
    symbols = {symbol: symbol for symbol in get_args(Symbol)} | own
    if "symbol" in said and (not isinstance(symbol, str) or symbol not in symbols):
        raise BadTableFile(
            message(
                "In [{section}] of the table file {name} has no symbol {symbol}; there are {there}.",
                section=section,
                name=name,
                symbol=quoted(symbol),
                there=", ".join(symbols),
            )
        )
    if "colour" in said and colour not in get_args(Colour):
        raise BadTableFile(
            message(
                "In [{section}] of the table file {name} has no colour {colour}; there are {there}.",
                section=section,
                name=name,
                colour=quoted(colour),
                there=", ".join(get_args(Colour)),
            )
        )
    return Picture(corner, symbols[symbol] if symbol else None, colour, number)


def _verbs(found: object) -> dict[str, Verb]:
    verbs = {}
    for key, said in _lines(found):
        parts = [said] if isinstance(said, str) else said
        if not isinstance(parts, list) or not 1 <= len(parts) <= 3 or not all(isinstance(part, str) for part in parts):
            raise BadTableFile(
                message(
                    "In [verbs] of the table file each line is KEY = what the button reads, or a list of that, what "
                    "the log says and what the prompt asks for."
                )
            )
        for part, (gaps, stores) in zip(parts, GAPS_OF_VERB, strict=False):
            _check_gaps(key, part, gaps, stores=stores)
        verbs[key] = Verb(*parts)
    return verbs


def _tips(found: object) -> tuple[Tip, ...]:
    tips = []
    for name, said in _lines(found):
        if isinstance(said, str):  # for a kind of decision
            continue
        if not isinstance(said, list) or len(said) < 2 or not all(isinstance(part, str) for part in said):
            raise BadTableFile(
                message(
                    "In [tips] of the table file each line is KEY = a sentence for a kind of decision, or NAME = a "
                    "list of what it points at, its sentence, and what else has to be there, each in quotes."
                )
            )
        at, sentence, *when = said
        tips.append(tip(name, at, say(sentence), *when))
    try:
        return tuple(checked(tips))
    except ValueError as error:
        raise BadTableFile(message("In [tips] of the table file: {error}", error=as_written(error.args[0]))) from error


def _kinds(found: object) -> dict[str, str]:
    lines = found.items() if isinstance(found, dict) else ()
    kinds = {name: said for name, said in lines if isinstance(said, str)}
    for name, said in kinds.items():
        if not 0 < len(said) <= LONGEST:
            raise BadTableFile(
                message(
                    "In [tips] of the table file a sentence has 1 to {most} characters: {name}.",
                    most=LONGEST,
                    name=name,
                )
            )
    return kinds


def _about(words: dict[str, str]) -> dict[str, Sentence]:
    for sign, sentence in words.items():
        if len(sentence) > LONGEST:
            raise BadTableFile(
                message(
                    "In [about] of the table file a sentence has at most {most} characters: {sign}.",
                    most=LONGEST,
                    sign=sign,
                )
            )
    return {sign: say(sentence) for sign, sentence in words.items()}


def is_store(gap: str) -> bool:
    """Return whether a gap in a sentence is for what a store holds."""
    return gap.isidentifier() and gap.isupper()


def _check_gaps(key: str, template: str, gaps: tuple[str, ...], *, stores: bool) -> None:
    try:
        fields = list(Formatter().parse(template))
    except ValueError as error:
        raise BadTableFile(
            message("In [verbs] of the table file, {key}: {error}.", key=key, error=str(error))
        ) from error
    for _, name, spec, conversion in fields:
        known = name in gaps or (stores and name is not None and is_store(name))
        if name is not None and (not known or spec or conversion):
            there = ", ".join(f"{{{gap}}}" for gap in gaps) or message("none")
            gap = f"{{{name}}}"
            raise BadTableFile(
                message(
                    "In [verbs] of the table file, {key}: {gap} is no gap. There are: {there}.",
                    key=key,
                    gap=gap,
                    there=there,
                )
            )
