"""What people may call themselves, and what they write, as it may stand at a table."""

from __future__ import annotations

import unicodedata

BOT_NAMES = ("Aagje", "Bram", "Cato", "Dirk", "Elsje", "Floris", "Griet", "Hendrik")
# Of the house's own: as a whole name, or as any word of one.
HOUSE_NAMES = ("Hamsterdam", "The house", "House", "System", "Host", "The host", "Somebody who left")
HOUSE_WORDS = ("admin", "admins", "administrator", "administrators", "moderator", "bot")

JOINER = "\N{ZERO WIDTH JOINER}"
BLACK_FLAG = "\N{WAVING BLACK FLAG}"  # of which the flags of Scotland and its like are made, by tags
TAGS = range(0xE0020, 0xE0080)
JOINED = (
    "So",
    "Sk",
    "Mn",
    "Me",
)  # what a joiner may follow: emoji, their skins and variants, and signs of Indic scripts
# Letters and digits that look like others: names that differ by them alone are the same name.
_DIGITS = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s", "l": "i", "|": "i"}
# Cyrillic and Greek letters that look like Latin ones.
_ALIKE = {
    "a": "\u0430\u03b1",
    "b": "\u0432",
    "e": "\u0435\u03b5",
    "k": "\u043a\u03ba",
    "m": "\u043c",
    "h": "\u043d",
    "o": "\u043e\u03bf",
    "p": "\u0440\u03c1",
    "c": "\u0441",
    "t": "\u0442\u03c4",
    "y": "\u0443",
    "x": "\u0445\u03c7",
    "i": "\u0456\u03b9\u0131\u04cf",
    "j": "\u0458",
    "s": "\u0455",
    "d": "\u0501",
    "n": "\u03b7",
    "v": "\u03bd",
    "u": "\u03c5",
    "g": "\u0261",
}
_LOOKALIKES = str.maketrans(_DIGITS | {other: letter for letter, others in _ALIKE.items() for other in others})


def plain(raw: str) -> str:
    """Return a text as one line that may be shown: printable, single-spaced. Emoji that are joined stay whole."""
    return " ".join("".join(c if c.isprintable() or _joins(raw, place) else " " for place, c in enumerate(raw)).split())


def _joins(text: str, place: int) -> bool:
    """Whether the character there is not printable by itself, and part of one that is."""
    before, after = text[:place], text[place + 1 : place + 2]
    if text[place] == JOINER:
        return unicodedata.category(before[-1:] or " ") in JOINED and after.isprintable() and bool(after.strip())
    return ord(text[place]) in TAGS and before.rstrip("".join(map(chr, TAGS))).endswith(BLACK_FLAG)


def skeleton(name: str) -> str:
    """Return what two names have in common that people cannot tell apart: words of small letters without accents."""
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKALIKES)
    bare = "".join(c for c in letters if unicodedata.category(c) not in ("Mn", "Me", "Cf"))
    return " ".join("".join(c if c.isalnum() else " " for c in bare).split()) or name


_HOUSE = frozenset(skeleton(name).replace(" ", "") for name in (*BOT_NAMES, *HOUSE_NAMES))
_WORDS = frozenset(map(skeleton, HOUSE_WORDS))


def is_of_the_house(name: str) -> bool:
    """Whether a name would be taken for a bot's or an administrator's."""
    words = skeleton(name).split()
    whole = "".join(words)
    return whole in _HOUSE or whole in _WORDS or not _WORDS.isdisjoint(words)


def told_apart(names: dict[int, str]) -> dict[int, str]:
    """Return names by which people can be told apart: of those with the same, the later ones get a number.

    ``names`` are by a number that grows from person to person, so that each is always called the same.
    """
    known: dict[str, int] = {}
    told = {}
    for number, name in sorted(names.items()):
        alike = skeleton(name)
        known[alike] = known.get(alike, 0) + 1
        told[number] = name if known[alike] == 1 else f"{name} ({known[alike]})"
    return told
