"""Decks in words: "a standard pack of 52 cards"."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import prod

from games.core.moves import RulesFailed
from games.recycle.cards import Attributes, copies_of, deck, distinguishing, playing_card
from games.recycle.explaining.survey import PIECES
from games.recycle.explaining.words import COURT, Words
from games.recycle.phrase_book import Book, Phrase
from games.recycle.tree import CreateDeck, Name, Repeat

PACK = {f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "CDHS"}
MOST = 16  # values that are listed one by one; of those that are drawn together, twice as many
PARTS = "{others}; {last}"


def deck_in_words(words: Words, made: CreateDeck, copies: int | None) -> Phrase:
    """Return the cards that a deck statement makes, so many times (None: depends on the play)."""
    say, book, piece = words.say, words.book, PIECES[made.kind]
    several = book.noun(piece, several=True)
    try:
        cards = deck(made.attributes)
    except RulesFailed:
        return say("more cards than a deck may have")
    faces = [playing_card(card) for card in cards]
    if len(cards) == 52 and set(faces) == PACK:
        if copies == 1:
            return say("a standard pack of 52 cards")
        return say("{n} standard packs of 52 cards", n=book.number(copies) if copies else say("several"))
    keys = _keys(cards)
    if made.kind == "die":
        dice = book.some(copies, piece) if copies else several
        if len(keys) > 1:
            sides = list(dict.fromkeys(tuple(card.get(each, "") for each in keys) for card in cards))
            return say("{dice} with these faces: {parts}", dice=dice, parts=_combined(words, keys, sides))
        values = _values(words, keys[0] if keys else "", [card.get(keys[0], "") for card in cards] if keys else [])
        message = "{dice} with the faces {values}" if len(cards) > 1 else "{dice} with the face {values}"
        return say(message, dice=dice, values=values)
    if copies == 1:
        return _cards(words, cards, piece)
    if len(keys) == 1 and copies is not None:
        listed = [words.value(card.get(keys[0], ""), keys[0]) for card in cards]
        if len(listed) == 1:
            slots = {"n": book.number(copies), "value": listed[0], "noun": several}
            if made.kind == "tokens":
                return say("{n} {value} {noun}", **slots)
            name = cards[0].get(keys[0], "")
            if name in COURT or str(listed[0]).isdecimal():
                return say("{n} {value}s", **slots)
            return say("{cards}: {parts}", cards=book.some(copies, piece), parts=listed[0])
        return say("{n} each of {values}", n=book.number(copies), values=book.listed(ranges(book, listed)))
    times = say("{n} times", n=book.number(copies)) if copies else say("several times")
    parts = _parts(words, cards)
    if parts is None or not copies:
        return say("{times} {cards}", times=times, cards=parts or book.some(len(cards), piece))
    count = say("{n} {noun}", n=len(cards) * copies, noun=several)
    return say("{times} {cards} ({total})", times=times, cards=parts, total=count)


def _cards(words: Words, cards: Sequence[Attributes], piece: str) -> Phrase:
    say, keys = words.say, _keys(cards)
    if not cards:
        return say("no {noun}", noun=words.book.noun(piece, several=True))
    if len(keys) == 1 and len(cards) == 1:
        value = words.value(cards[0].get(keys[0], ""), keys[0])
        return (
            say("one {value}", value=value)
            if piece == "card"
            else say("one {value} {noun}", value=value, noun=words.book.noun(piece))
        )
    count, parts = words.book.some(len(cards), piece), _parts(words, cards)
    return say("{cards}: {parts}", cards=count, parts=parts) if parts else count


def _parts(words: Words, cards: Sequence[Attributes]) -> Phrase | None:
    """Return which cards there are: "the 7 to 9 and ace of hearts and clubs"."""
    say, book, keys = words.say, words.book, _keys(cards)
    if not keys:
        return None
    if len(keys) == 1:
        return _values(words, keys[0], [card.get(keys[0], "") for card in cards])
    last = "SUIT" if "SUIT" in keys else keys[-1]
    rest = [each for each in keys if each != last]
    groups: dict[str, list[Attributes]] = defaultdict(list)
    for card in cards:
        groups[card.get(last, "")].append(card)
    kinds: dict[tuple[tuple[str, ...], ...], list[str]] = defaultdict(list)
    for value, alike in groups.items():
        kinds[tuple(tuple(card.get(each, "") for each in rest) for card in alike)].append(value)
    parts = []
    for held, of_last in list(kinds.items())[: MOST + 1]:
        of = book.listed([words.value(value, last) for value in of_last[: MOST + 1]], most=MOST)
        if len(rest) == 1:
            parts.append(say("the {values} of {of}", values=_values(words, rest[0], [each for (each,) in held]), of=of))
        else:
            parts.append(say("of {of}, {values}", of=of, values=_combined(words, rest, list(dict.fromkeys(held)))))
    return book.listed(parts, PARTS, MOST)


def _combined(words: Words, keys: Sequence[str], held: Sequence[tuple[str, ...]]) -> Phrase:
    """Return which combinations of values there are: "every combination of size (small and large) and number (1)"."""
    say, listed = words.say, words.book.listed
    nouns = [words.book.noun((words.labels.words.get(each) or each).lower()) for each in keys]
    values = [list(dict.fromkeys(each)) for each in zip(*held, strict=True)]
    if len(held) == prod(map(len, values)):
        wording = [_values(words, key, of) for key, of in zip(keys, values, strict=True)]
        each = [say("{noun} ({values})", noun=noun, values=of) for noun, of in zip(nouns, wording, strict=True)]
        return say("every combination of {parts}", parts=listed(each))
    found: list[Phrase] = []
    for one in held[: 2 * MOST + 1]:
        said = [words.value(value, key) for key, value in zip(keys, one, strict=True)]
        parts = [say("{noun} {value}", noun=noun, value=value) for noun, value in zip(nouns, said, strict=True)]
        found.append(listed(parts, "{others} with {last}"))
    return listed(found, most=2 * MOST)


def _keys(cards: Sequence[Attributes]) -> list[str]:
    """Return the attributes by which people call cards: rank and suit, and those that tell cards apart."""
    apart = distinguishing(cards, fewest=2)
    every = dict.fromkeys(each for card in cards for each in card)
    return [each for each in every if each in apart or each in ("RANK", "SUIT")]


def _values(words: Words, attribute: str, values: Sequence[str]) -> Phrase:
    wording = [words.value(value, attribute) for value in dict.fromkeys(values) if value]
    if not wording:
        return words.say("cards without {what:acc}", what=words.book.a(words.book.noun(attribute.lower())))
    return words.book.listed(ranges(words.book, wording))


def ranges(book: Book, words: Sequence[Phrase]) -> list[Phrase]:
    """Return words in which numbers that follow one another are drawn together: "2 to 10"."""
    found: list[list[Phrase]] = []
    for word in words:
        shown, last = str(word), str(found[-1][-1]) if found else ""
        if shown.isdecimal() and last.isdecimal() and int(shown) == int(last) + 1:
            found[-1].append(word)
        else:
            found.append([word])
    runs = [
        each
        for run in found
        for each in ([book.say("{low} to {high}", low=run[0], high=run[-1])] if len(run) > 2 else run)
    ]
    return runs if len(runs) <= 2 * MOST else [*runs[: 2 * MOST], book.plain("…")]


def decks_of(
    words: Words, made: Sequence[CreateDeck | Repeat]
) -> tuple[list[tuple[CreateDeck, Phrase, bool]], int | None]:
    """Return each deck of a setup with its words and whether it is several cards, and how many there are in all."""
    found: list[tuple[CreateDeck, Phrase, bool]] = []
    total: int | None = 0
    for each in made:
        statement, copies = copies_of(each)
        try:
            size = len(deck(statement.attributes)) if statement.kind == "deck" else 0
        except RulesFailed:
            size = 0
        found.append((statement, deck_in_words(words, statement, copies), copies != 1 or size > 1))
        total = None if total is None or copies is None else total + size * copies
    return found, total


def back_of(statement: CreateDeck) -> str:
    """Return which back the cards of a deck have."""
    return statement.name.text if isinstance(statement.name, Name) else ""
