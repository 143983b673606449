"""English for names and numbers: what cards, places and stores are called, and lists of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.recycle.labels import Labels
from games.recycle.place_names import NOUNS

MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve thirteen"
NUMBERS = _NUMBERS.split()
RANKS = {word.upper(): str(number) for number, word in enumerate(NUMBERS) if 0 < number < 14}
FACES = {"A": "ace", "ACE": "ace", "J": "jack", "JACK": "jack", "Q": "queen", "QUEEN": "queen", "K": "king"}
COURT = {**FACES, "KING": "king", "JOKER": "joker"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

PILES = {"discard": "discard pile", "waste": "waste pile", "draw": "draw pile", "discards": "discard pile"}
NOTHING = frozenset(("", "NONE"))  # names that authors write where nothing is noted

_VOWEL = re.compile(r"[*“]*([aeio]|u(?!ni|se)|8|11\b|18\b)", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


def plain(text: str) -> str:
    """Return a text so that Markdown shows it as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def number(count: int) -> str:
    """Return a number as a sentence has it: in words where it is small."""
    return NUMBERS[count] if 0 < count < len(NUMBERS) else str(count)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def a(noun: str) -> str:
    """Return a noun with its article."""
    if noun.startswith("other "):
        return f"an{noun}"
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def capital(text: str) -> str:
    """Return a text with its first letter in upper case; it may begin with marks such as ``*``."""
    return re.sub(r"^((?:\*\*|[“(])*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es" if not noun.endswith("s") else noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def place_plural(word: str) -> str:
    """Return the plural of a place: "last bids", "prizes won"."""
    words = word.split(" ")
    at = len(words) - 1 if words[-1] in NOUNS else 0
    words[at] = plural(words[at])
    return " ".join(words)


def singular(noun: str) -> str:
    """Return the singular of a plural noun."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def is_plural(label: str) -> bool:
    """Return whether a label is a plural."""
    word = label.split()[-1].lower() if label.split() else ""
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "has", "says"))


def value(name: str, labels: Labels, attribute: str = "") -> str:
    """Return a name that is a value of a card, or of a store, as a sentence has it.

    ``attribute``: which one of cards has this value. Letters are ranks and suits only there.
    """
    given = labels.words.get(name)
    if given:
        return plain(given[:1].lower() + given[1:] if not given[1:2].isupper() else given)
    if len(name) == 1:
        return {"RANK": FACES, "SUIT": SUITS}.get(attribute, {}).get(name, name)
    return RANKS.get(name) or COURT.get(name) or name.lower()


def label(name: str, labels: Labels) -> str:
    """Return what the table calls a place or a store."""
    return plain(labels.word(name))


def place(name: str, labels: Labels) -> tuple[str, bool]:
    """Return a place as a sentence has it behind "the" or "your", and whether it is plural."""
    said = label(name, labels)
    low = said[:1].lower() + said[1:]
    if low in PILES:
        return PILES[low], False
    words = low.split()
    if words and (words[-1] in NOUNS or words[0] in NOUNS or (len(words) == 2 and words[1].isdecimal())):
        noun = words[0] if words[0] in NOUNS else words[-1]
        return low, noun.endswith("s")
    kind = {"row": "row", "pile": "pile", "hand": "hand"}.get(labels.layouts.get(name, ""), "place")
    return f"{kind} *{said}*", False
