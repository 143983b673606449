"""Which names people may have, and how names and chat messages are cleaned before they are shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count

from django.utils.translation import gettext as _

from cardsite.refusal import Refused

MESSAGE_LENGTH = 500  # characters of a chat message
BOT_NAMES = ("Aagje", "Bram", "Cato", "Dirk", "Elsje", "Floris", "Griet", "Hendrik")
# Reserved, as a whole name or as any word of a name.
RESERVED_NAMES = ("Hamsterdam", "The house", "House", "System", "Host", "The host", "A former player")
RESERVED_WORDS = ("admin", "admins", "administrator", "administrators", "moderator", "bot")

JOINER = "\N{ZERO WIDTH JOINER}"
BLACK_FLAG = "\N{WAVING BLACK FLAG}"  # followed by tags: the flags of Scotland, Wales, …
TAGS = range(0xE0020, 0xE0080)
# Categories of what a joiner may follow: emoji, their skins and variants, and signs of Indic scripts.
JOINED = ("So", "Sk", "Mn", "Me")
# Characters that look like other letters: names that differ only in them count as the same name.
_ASCII_ALIKE = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "@": "a", "$": "s", "l": "i", "|": "i"}
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
_LOOKALIKES = str.maketrans(_ASCII_ALIKE | {other: letter for letter, others in _ALIKE.items() for other in others})


def one_line(raw: str) -> str:
    """Return a text as one printable line with single spaces. Joined emoji stay whole."""
    return " ".join("".join(c if c.isprintable() or _joins(raw, index) else " " for index, c in enumerate(raw)).split())


def _joins(text: str, index: int) -> bool:
    """Return whether the character at ``index`` is part of a joined emoji, though not printable by itself."""
    before, after = text[:index], text[index + 1 : index + 2]
    if text[index] == JOINER:
        return unicodedata.category(before[-1:] or " ") in JOINED and after.isprintable() and bool(after.strip())
    return ord(text[index]) in TAGS and before.rstrip("".join(map(chr, TAGS))).endswith(BLACK_FLAG)


@lru_cache(10_000)  # each list of tables compares the names at them
def skeleton(name: str) -> str:
    """Return the form that two names share if people cannot distinguish them: lower case, without accents."""
    letters = unicodedata.normalize("NFKD", name).casefold().translate(_LOOKALIKES)
    bare = "".join(c for c in letters if unicodedata.category(c) not in ("Mn", "Me", "Cf"))
    return " ".join("".join(c if c.isalnum() else " " for c in bare).split()) or name


_RESERVED = frozenset(skeleton(name).replace(" ", "") for name in (*BOT_NAMES, *RESERVED_NAMES))
_WORDS = frozenset(map(skeleton, RESERVED_WORDS))


def is_reserved(name: str) -> bool:
    """Return whether a name could be mistaken for a bot's or an administrator's."""
    words = skeleton(name).split()
    whole = "".join(words)
    return whole in _RESERVED or whole in _WORDS or not _WORDS.isdisjoint(words)


def bot_names() -> Iterator[str]:
    """Yield different names for bots without end: each of the house's names, then each again with a number."""
    for number in count(1):
        yield from (f"{name} {number}" if number > 1 else name for name in BOT_NAMES)


def clean_group_name(raw: str, most: int, missing: str, too_long: str) -> str:
    """Return the name of a circle or a tournament as it may be shown: one line of 1 to ``most`` characters.

    Raises Refused with the sentence ``missing`` or ``too_long``; the latter has the numbers ``most`` and ``n``.
    """
    name = one_line(raw)
    if not name:
        raise Refused("no_name", missing)
    if len(name) > most:
        raise Refused("too_long", too_long % {"most": most, "n": len(name)})
    return name


def clean_message(raw: str) -> str:
    """Return a chat message as it may be shown: one line of 1 to ``MESSAGE_LENGTH`` characters. Raises Refused."""
    text = one_line(raw)
    if not text:
        raise Refused("empty", _("Type a message first."))
    if len(text) > MESSAGE_LENGTH:
        raise Refused(
            "too_long",
            _("A message may have at most %(most)d characters; yours has %(n)d.")
            % {"most": MESSAGE_LENGTH, "n": len(text)},
        )
    return text


def clean_reason(raw: str, most: int) -> str:
    """Return why somebody reports something: one line, cut after ``most`` characters. Raises Refused if it is empty."""
    why = one_line(raw)[:most]
    if not why:
        raise Refused("bad_option", _("Describe in a few words what is wrong."))
    return why


def distinct_names(names: dict[int, str], taken: Iterable[str] = ()) -> dict[int, str]:
    """Return names that people can distinguish: of several people with the same name, later ones get a number.

    ``names``: by primary key, so that each person always gets the same name. ``taken``: the names of others, which are
    shown beside them.
    """
    taken = {skeleton(name) for name in taken}
    distinct = {}
    for person, name in sorted(names.items()):
        numbered = (f"{name} ({number})" for number in count(2))  # a person may have chosen such a name
        distinct[person] = next(shown for shown in chain([name], numbered) if skeleton(shown) not in taken)
        taken.add(skeleton(distinct[person]))
    return distinct
