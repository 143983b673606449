"""The phrase book: what the rules page, the buttons, the log and the labels of a text say, in every language.

Here are the verbs of moves, the meanings of place names, and the book that the rules page is written from.

Buttons and log entries are plain templates, translated where they are shown. A phrase of the rules page is translated
here, because other languages inflect it. Its translation is in the same catalogue (``games/locale/LANG/recycle.po``),
under the context ``rules``. Beside ``{slot}``, a template may have

- ``{slot:acc}``, the slot in a form of its own: ``acc``, ``dat``, ``gen``, ``bare`` (without an article), or ``=``, the
  form this phrase is wanted in;
- ``[die|die|der]``, one alternative for each form, the last one for all further cases; the fifth is that without an
  article, which is the first one where there are fewer;
- ``{slot|is|are}``, by the number of the slot: one, several, and (third) for "you".

A noun is a message of the context ``rules noun`` with a plural: ``f:Karte``, its gender and its word; ``m auf:Stapel``
with the preposition of a place. A phrase around a noun may have a variant for each gender, number (``p``) or
preposition: the contexts ``rules f``, ``rules p``, ``rules auf``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.core.view import word
from games.core.words import read

# -- place names

# A row has what a place is for, and the names of such places. A name with ``*`` is no noun by itself: a sentence says
# "the stock", but "the place *Played*". After ``=`` is what players call it, if not the name.
_PLACES = """
hands     HAND HANDS CARDS
stocks    STOCK DECK DRAW=draw_pile DRAWPILE=draw_pile STOCKPILE TALON PACK POND BOX SUPPLY PRIZES
discards  DISCARD=discard_pile DISCARDS DISCARDPILE=discard_pile WASTE TRASH GRAVEYARD SCRAP BURN* OUT*
tricks    TRICK LEAD*
played    PLAYED* PLAY* INPLAY* PLAYAREA*
bids      BID BIDS BET BETS
melds     MELD MELDS SETS RUNS BOOKS TABLEAU ROW
won       WON* WINS* TRICKSWON*=tricks_won CAPTURED* CAPTURES* TAKEN* SCOREPILE* BUNDLE EATEN*
shown     STARTER TRUMP TRUMPCARD* TURNED* UP* UPCARD PRIZE CURRENT* ACTIVE* SHOWN* DRAWN*
others    PILE PILES POOL BUNDLES TRICKS ROWS COLUMN COLUMNS CRIB SPARE CASH HOUSE CARD OFFER POT KITTY FOUNDATION
others    FOUNDATIONS BANK BOARD MARKET RIVER RESERVE STACK STACKS BAG BIN LINE
others    CUP TOKENS HEAP TRAY
"""
_ENTRIES = [
    (use, *entry.partition("=")[::2])
    for use, *entries in map(str.split, _PLACES.strip().split("\n"))
    for entry in entries
]
NOUNS = frozenset(name.lower() for _, name, _ in _ENTRIES if not name.endswith("*"))
USUAL = {name.rstrip("*"): label.replace("_", " ").capitalize() for _, name, label in _ENTRIES if label}


def used_for(what: str) -> frozenset[str]:
    """Return the names of places that are for ``what``, the first word of a row."""
    return frozenset(name.rstrip("*") for use, name, _ in _ENTRIES if use == what)


_QUOTES = {
    "en": "“{}”",
    "de": "„{}“",
    "fr": "«\N{NARROW NO-BREAK SPACE}{}\N{NARROW NO-BREAK SPACE}»",
    "nl": "\N{LEFT SINGLE QUOTATION MARK}{}\N{RIGHT SINGLE QUOTATION MARK}",
}


def in_quotes(name: str, language: str = "en") -> str:
    """Return a name in the quotation marks of a language, as a sentence has it that cannot inflect it."""
    return _QUOTES.get(language, _QUOTES["en"]).format(name)


# -- verbs: the button of a move, its log entry, and the end of the prompt


class Verb(NamedTuple):
    """What a move is called: on its button, in the log, and in the prompt ("your turn: ...")."""

    label: str
    logged: str = ""
    asked: str = ""


GIVE = Verb("Give {cards} to {whom}", "{seat} gives {cards} to {whom}.", "give {cards}")
PUT_ON = Verb("Put {cards} on {whom}'s {place}", "{seat} puts {cards} on {whom}'s {place}.", "play {cards}")
TAKE_OF = Verb("Take {cards} from {whom}", "{seat} takes {cards} from {whom}.", "take {cards}")
TAKE_OFF = Verb("Take {cards} from {whom}'s {from}", "{seat} takes {cards} from {whom}'s {from}.", "take {cards}")
PLAY_TRICK = Verb("Play {cards}", "{seat} plays {cards}.", "play {cards} to {place}")
PLAY_TO = Verb("Play {cards} to {place}", "{seat} plays {cards} to {place}.", "play {cards} to {place}")
PLAY = Verb("Play {cards}", "{seat} plays {cards}.", "play {cards}")
DISCARD = Verb("Discard {cards}", "{seat} discards {cards}.", "discard {cards}")
BID = Verb("Bid {cards}", "{seat} bids {cards}.", "bid {cards}")
LAY_OUT = Verb("Lay out {cards}", "{seat} lays out {cards}.", "lay out {cards}")
TURN_UP = Verb("Turn up {cards} from {from}", "{seat} turns up {cards} from {from}.", "turn up {cards}")
TURN_TOP = Verb("Turn up the top card of {from}", "{seat} turns up {cards} from {from}.", "turn up a card")
DRAW_TOP = Verb("Draw from {from}", "{seat} draws {cards} from {from}.", "draw from {from}")
DRAW = Verb("Draw {cards} from {from}", "{seat} draws {cards} from {from}.", "draw {cards}")
TAKE_ALL = Verb("Take {from}", "{seat} takes {cards} from {from}.", "take {from}")
TAKE = Verb("Take {cards} from {from}", "{seat} takes {cards} from {from}.", "take {cards} from {from}")
LAY = Verb("Put {cards} into {place}", "{seat} puts {cards} into {place}.", "put {cards} into {place}")
MOVE_ON = Verb("Move {cards} from {from} to {place}", "{seat} moves {cards} from {from} to {place}.", "move {cards}")
PUT = Verb("Put {cards} on {place}", "{seat} puts {cards} on {place}.", "put {cards} on {place}")
PASS = Verb("Pass", "{seat} passes.", "pass")

# In the place of a player's name, at the beginning of a sentence about one: all players, and all who were asked.
EVERYBODY = word("Everybody")
EVERYBODY_ASKED = word("Each player asked")

# What is said of cards, dice and tokens that are not named: one, and several.
UNNAMED = {
    "deck": (word("a card"), "{count} cards"),
    "die": (word("a die"), "{count} dice"),
    "tokens": (word("a token"), "{count} tokens"),
}
BEGUN = {"a card": word("A card"), "a die": word("A die"), "a token": word("A token")}  # at the start of a sentence
# Log entries that no match of the library has, so that the search for sentences would not find them.
ELSEWHERE = (
    word("A card of {seat} goes to {place}."),
    word("{count} cards go to {seat}'s {place}."),
    word("{count} cards of {seat} go to {place}."),
    word("{seat}'s {count} cards go to {place}."),
    word("{seat} takes {count} cards."),
)
SOME = ("a card", word("cards"), word("the top card"))  # in a prompt, and on a button

SPEAK = Verb("{store} {value}", "{seat}: {store} {value}.", "choose {store}")
SET = Verb("{store}: {value}", "{seat} sets {store} to {value}.", "choose {store}")
SET_OF = Verb("{store} of {whom}: {value}", "{seat} sets {whom}'s {store} to {value}.", "choose {store}")
BY_LOT = Verb("{store}: at random", "{seat} draws the {store} at random.", word("draw lots"))

# -- tips: shown at the first decision of a kind

TIPS: Mapping[Verb, str] = {
    GIVE: word("Give a card to another player: choose one that is highlighted."),
    PUT_ON: word("Put a card in front of another player: choose one that is highlighted."),
    TAKE_OF: word("You may take cards from another player: choose from what is highlighted."),
    TAKE_OFF: word("You may take what lies in front of another player, if it is highlighted."),
    PLAY_TRICK: word("Play a card to the trick. Only the highlighted cards are allowed now."),
    PLAY_TO: word("Play a card. Only the highlighted cards are allowed now."),
    PLAY: word("Play from your hand. Only the highlighted cards are allowed now."),
    DISCARD: word("Put a card on the discard pile: choose one that is highlighted."),
    BID: word("Bid with a card: choose one that is highlighted."),
    LAY_OUT: word("Lay out cards that belong together. The buttons name what is possible."),
    TURN_UP: word("You may turn up a card of this pile. Everybody sees it."),
    TURN_TOP: word("You may turn up a card of this pile. Everybody sees it."),
    DRAW_TOP: word("You may draw a card from this pile."),
    DRAW: word("You may draw a card from this pile."),
    TAKE_ALL: word("You may take these cards."),
    TAKE: word("You may take a card from here."),
    LAY: word("Lay a card away: choose one that is highlighted."),
    MOVE_ON: word("You may move what is highlighted. Tap it, and then where it goes."),
    PUT: word("You may move what is highlighted. Tap it, and then where it goes."),
    PASS: word("You may also pass: then you do nothing in this turn."),
}
TIP_OF_OPEN = word("Choose one of these. Everybody sees what you choose.")
TIP_OF_SECRET = word("Choose one of these. The others do not see your choice yet.")

# -- phrases of the rules page

MOST_LISTED = 40  # parts of a sentence that are listed: more are not read, and an author may write thousands
BARE = 4  # the form of a noun without an article, as a heading: German "letzter Stich", but "der letzte Stich"
FORMS = {"acc": 1, "dat": 2, "gen": 3, "bare": BARE}
SEVERAL, YOU = 1, 2  # numbers of a phrase; 0: one
CONTEXT, NOUN, GENDER, LABEL = "rules", "rules noun", "rules gender", "rules label"
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]
_VOWEL = re.compile(r"[*“]*([aeio]|u(?!ni|se)|8|11\b|18\b)", re.IGNORECASE)
ELISION = "\\1\N{RIGHT SINGLE QUOTATION MARK}"
# How words that meet are written, once a page is put together.
_EVERYWHERE = [(r"(?<=\S) +(?=[ .,)]|[:;](?: |$))", "")]  # a phrase may be empty
_FRENCH_VOWEL = "[aâeéèêiîoôuœAÂEÉÈÊIÎOÔUŒ]"
_SPELLING: dict[str, list[tuple[str, str]]] = {
    "de": [
        (r",(?=[.,:;)]|$| \()", ""),
        (r",? (oder|und), (deren|dessen|für d(?:ie|en|as) gilt)\b", r" \1 \2"),
        (r"\b([Ii])n dem ", r"\1m "),
        (r"\b([Vv])on dem ", r"\1om "),
        (r"\b([Bb])ei dem ", r"\1eim "),
        (r"\b([Dd])ann wenn\b", r"\1ann, wenn"),
        (r"\b([Zz])u dem ", r"\1um "),
        (r"\b([Zz])u der ", r"\1ur "),
    ],
    "nl": [(r"\bis is\b", "is, is")],
    "fr": [
        (r"(?<=[^\s|])([:;])(?= |$)", "\N{NARROW NO-BREAK SPACE}\\1"),
        (rf"\b([Ll])[ea] (?=\**(?!onz){_FRENCH_VOWEL})", ELISION),
        (rf"\b([Ss])a (?=\**{_FRENCH_VOWEL})", r"\1on "),
        (r"\bde le ", "du "),
        (r"\bde les ", "des "),
        (r"\bà le ", "au "),
        (r"\bà les ", "aux "),
        (rf"\b([Dd]|[Qq]u|[Jj]usqu)e (?=\**(?!onz|huit){_FRENCH_VOWEL})", ELISION),
        (r"\b([Ss])i (?=ils?\b)", ELISION),
    ],
}


def phrase(message: str) -> str:
    """Return ``message`` unchanged. Marks it for the translation catalogues."""
    return message


class _Slot(NamedTuple):
    name: str
    form: str
    branches: tuple[_Parts, ...]


class _Forms(NamedTuple):
    branches: tuple[_Parts, ...]


_Parts = tuple[str | _Slot | _Forms, ...]


@lru_cache(maxsize=4096)
def parsed(template: str) -> _Parts:
    """Return the parts of a template. Raises ValueError for a bracket that is not closed."""
    found: list[str | _Slot | _Forms] = []
    begin = place = 0
    while place < len(template):
        sign = template[place]
        if sign not in "{[":
            place += 1
            continue
        end = _closing(template, place)
        found.append(template[begin:place])
        head, *branches = _split(template[place + 1 : end])
        if sign == "[":
            found.append(_Forms(tuple(map(parsed, (head, *branches)))))
        else:
            name, _, form = head.partition(":")
            found.append(_Slot(name, form, tuple(map(parsed, branches))))
        begin = place = end + 1
    found.append(template[begin:])
    return tuple(part for part in found if part != "")


def _closing(template: str, place: int) -> int:
    depth = 0
    for at in range(place, len(template)):
        depth += (template[at] in "{[") - (template[at] in "}]")
        if not depth:
            return at
    raise ValueError(f"A bracket is not closed in {template!r}.")


def _split(inside: str) -> list[str]:
    found, depth = [""], 0
    for sign in inside:
        depth += (sign in "{[") - (sign in "}]")
        if sign == "|" and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found


class Phrase:
    """A translated template and what fills its slots. ``kind``: of its noun; ``count``: one, SEVERAL or YOU."""

    __slots__ = ("count", "kind", "parts", "slots")

    def __init__(self, parts: _Parts, slots: Mapping[str, Slot], kind: str = "", count: int = 0) -> None:
        self.parts, self.slots, self.kind, self.count = parts, slots, kind, count

    def __str__(self) -> str:
        return self.text()

    def text(self, form: int = 0) -> str:
        """Return the phrase in a form: 0, or one of FORMS."""
        return self._text(self.parts, form)

    def _text(self, parts: _Parts, form: int) -> str:
        found = []
        for part in parts:
            if isinstance(part, str):
                found.append(part)
            elif isinstance(part, _Forms):
                last = len(part.branches) - 1
                found.append(self._text(part.branches[0 if form == BARE > last else min(form, last)], form))
            else:
                value = self.slots[part.name]
                if part.branches:
                    count = int(value != 1) if isinstance(value, int) else getattr(value, "count", 0)
                    found.append(self._text(part.branches[min(count, len(part.branches) - 1)], form))
                elif isinstance(value, Phrase):
                    found.append(value.text(form if part.form == "=" else FORMS.get(part.form, 0)))
                else:
                    found.append(str(value))
        return "".join(found)


Slot = Phrase | str | int


@lru_cache(maxsize=16)
def _messages(language: str) -> tuple[Mapping[tuple[str, str], str], Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    """Return the messages of a language: of the rules page by context, all others, and nouns with their plurals."""
    rules: dict[tuple[str, str], str] = {}
    plain: dict[str, str] = {}
    nouns: dict[str, tuple[str, ...]] = {}
    for name in ("core", "recycle") if language != "en" else ():
        for message in read(language, name):
            if not message.id or not message.string:
                continue
            if isinstance(message.id, tuple):
                if all(message.string):
                    nouns[message.id[0]] = tuple(message.string)
            elif message.context:
                rules[message.context, str(message.id)] = str(message.string)
            else:
                plain[str(message.id)] = str(message.string)
    return rules, plain, nouns


class Book:
    """The phrases of the rules page in a language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._rules, self._words, self._nouns = _messages(language)

    def say(self, message: str, /, **slots: Slot) -> Phrase:
        """Return a phrase. The slots ``count`` and ``kind`` say how words around it agree with it."""
        count, kind = slots.pop("count", 0), slots.pop("kind", "")
        template = None
        for slot in slots.values():
            if isinstance(slot, Phrase) and slot.kind and not template:
                template = self._rules.get((f"{CONTEXT} {slot.kind}", message))
        template = template or self._rules.get((CONTEXT, message)) or message
        return Phrase(parsed(template), slots, str(kind), count if isinstance(count, int) else 0)

    def plain(self, text: str, kind: str = "", count: int = 0) -> Phrase:
        """Return a text that is the same in every language."""
        return Phrase((text,), {}, kind, count)

    def label(self, text: str) -> Phrase:
        """Return what the table calls something, translated if the catalogue has it.

        At the table a label may be a verb or an adverb ("Says: bet"). In a sentence it is a noun: "rules label".
        """
        kind = self._rules.get((GENDER, text), "")
        found = self._rules.get((LABEL, text)) or self._words.get(text) or text
        several = kind == "p" or is_plural(found if self.language == "fr" else text)
        return self.plain(shown(found), kind, int(several))

    def named(self, text: str) -> Phrase:
        """Return a name that is a value, inside a sentence: "hearts", "jack"."""
        found = self._words.get(text) or self._rules.get((CONTEXT, text)) or text
        if self.language != "de" and len(found) > 1 and not found[1].isupper():  # a letter stays as it is
            found = found[:1].lower() + found[1:]
        return self.plain(shown(found), self._rules.get((GENDER, text), ""))

    # -- nouns

    def knows(self, word: str) -> bool:
        """Return whether the language has a noun."""
        return self.language == "en" or word in self._nouns

    def noun(self, word: str, *, several: bool = False) -> Phrase:
        """Return a noun: its kind is its gender, or "p"."""
        kind, _, said = self._entry(word, several)
        return Phrase(parsed(said), {}, (kind or "p") if several else kind, int(several))

    def locative(self, word: str) -> str:
        """Return the preposition of a place, where it is not the usual one."""
        return self._entry(word, False)[1]

    def _entry(self, word: str, several: bool) -> tuple[str, str, str]:
        if self.language == "en" or word not in self._nouns:
            return "", "", plural(word) if several else word
        forms = self._nouns[word]
        head, colon, said = forms[min(int(several), len(forms) - 1)].rpartition(":")
        gender, _, preposition = (head if colon else "").partition(" ")
        return gender, preposition, said

    def a(self, noun: Phrase) -> Phrase:
        """Return a noun with its indefinite article."""
        if self.language != "en":
            return self.say("a {noun}", noun=noun)
        article = "an" if str(noun).startswith("other ") else "an " if _VOWEL.match(str(noun)) else "a "
        return Phrase((article, *parsed("{noun}")), {"noun": noun})

    def the(self, noun: Phrase, kind: str = "") -> Phrase:
        """Return a noun with its definite article."""
        return self.say("the {noun}", noun=noun, count=noun.count, kind=kind)

    def onto(self, place: Phrase) -> Phrase:
        """Return where cards go."""
        return self.say("onto {place:acc}", place=place)

    def off(self, place: Phrase) -> Phrase:
        """Return where cards come from, in the log: "vom Ablagestapel"."""
        return self.say("off {place:dat}", place=place)

    def some(self, count: int, word: str) -> Phrase:
        """Return so many of something: "one card", "two cards"."""
        if count == 1:
            return self.say("one {noun}", noun=self.noun(word))
        return self.say("{n} {noun}", n=self.number(count), noun=self.noun(word, several=True), count=SEVERAL)

    # -- numbers and lists

    def number(self, count: int) -> Phrase:
        """Return a number as a sentence has it: in words where it is small."""
        word = self.say(NUMBERS[count]) if 0 < count < len(NUMBERS) else self.plain(str(count))
        word.count = int(count != 1)
        return word

    def listed(self, parts: Sequence[Slot], last: str = "{others} and {last}", most: int | None = None) -> Phrase:
        """Return a list: "a, b and c"; "a, b and …" if there are more than ``most``."""
        if most is not None and len(parts) > most:
            parts = [*parts[:most], self.plain("…")]
        if len(parts) < 2:
            return self.say("{only:=}", only=parts[0]) if parts else self.plain("")
        others: Slot = parts[0]
        for part in parts[1:-1]:
            others = self.say(
                "{others:=}; {next:=}" if ";" in last else "{others:=}, {next:=}", others=others, next=part
            )
        return self.say(last, others=others, last=parts[-1], count=SEVERAL)

    def spelled(self, text: str) -> str:
        """Return a page with its words joined as the language writes them: French "de le" is "du"."""
        for pattern, written in (*_EVERYWHERE, *_SPELLING.get(self.language, ())):
            text = re.sub(pattern, written, text)
        return text


_BLANKS = re.compile("[^\\S\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]+")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


def shown(text: str) -> str:
    """Return a text so that Markdown shows it as it is. No-break spaces stay."""
    return _MARKDOWN.sub(r"\\\1", _BLANKS.sub(" ", text).strip())


def capital(text: str) -> str:
    """Return a text with its first letter in upper case; it may begin with marks such as ``*``."""
    return re.sub(r"^((?:\*\*|[“(])*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)


def plural(noun: str) -> str:
    """Return the plural of an English noun."""
    first, *rest = noun.split(" ")
    if rest and rest[-1] not in NOUNS and first in NOUNS:
        return " ".join([plural(first), *rest])  # "prizes won"
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es" if not noun.endswith("s") else noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


_PLURALS = {"die": "dice"}


def singular(noun: str) -> str:
    """Return the singular of an English plural noun."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def is_plural(label: str) -> bool:
    """Return whether a label is a plural."""
    word = label.split()[-1].lower() if label.split() else ""
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "has", "says"))
