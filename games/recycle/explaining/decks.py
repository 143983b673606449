"""Decks in words: "a standard pack of 52 cards"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from math import prod

from games.core.moves import RulesFailed
from games.recycle.cards import Attributes, copies_of, deck, playing_card
from games.recycle.explaining import names
from games.recycle.labels import Labels
from games.recycle.tree import CreateDeck, Repeat

PACK = {f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "CDHS"}
MOST = 16  # values that are listed one by one


def deck_in_words(made: CreateDeck, copies: int | None, labels: Labels) -> str:
    """Return the cards that a deck statement makes, so many times (None: depends on the play)."""
    try:
        cards = deck(made.attributes)
    except RulesFailed:
        return "more cards than a deck may have"
    faces = [playing_card(card) for card in cards]
    if len(cards) == 52 and set(faces) == PACK:
        if copies == 1:
            return "a standard pack of 52 cards"
        return f"{_times(copies)}standard packs of 52 cards"
    if made.kind == "die":
        dice = "a die" if copies == 1 else "dice" if copies is None else f"{names.number(copies)} dice"
        key = telling(cards)[0] if telling(cards) else ""
        return f"{dice} with the faces {_values(key, [card.get(key, '') for card in cards], labels)}"
    told = _cards(cards, labels)
    if made.kind == "tokens":
        told = re.sub(r"\bcard(s?)\b", r"token\1", told)
    if copies == 1:
        return told
    keys = telling(cards)
    if len(keys) == 1 and copies is not None:
        words = [names.value(card.get(keys[0], ""), labels, keys[0]) for card in cards]
        if len(words) == 1:
            if made.kind == "tokens":
                return f"{names.number(copies)} {words[0]} token{'s' * (copies > 1)}"
            return f"{names.number(copies)} {names.TIMES} {words[0]}"
        return f"{names.number(copies)} each of {names.listed(ranges(words))}"
    times = "several times" if copies is None else f"{names.number(copies)} times"
    _, colon, parts = told.partition(": ")
    return f"{times} {parts or told}" + (f" ({len(cards) * copies} cards)" if colon and copies else "")


def _times(copies: int | None) -> str:
    return "several " if copies is None else f"{names.number(copies)} "


def _cards(cards: Sequence[Attributes], labels: Labels) -> str:
    count = f"{names.number(len(cards))} card{'s' if len(cards) > 1 else ''}"
    if not cards:
        return "no cards"
    told = telling(cards)
    if not told:
        return count
    if len(told) == 1 and len(cards) == 1:
        return f"one {names.value(cards[0].get(told[0], ''), labels, told[0])}"
    if len(told) == 1:
        values = _values(told[0], [card.get(told[0], "") for card in cards], labels)
        return f"{count}: {values}"
    last = "SUIT" if "SUIT" in told else told[-1]
    rest = [each for each in told if each != last]
    groups: dict[str, list[Attributes]] = defaultdict(list)
    for card in cards:
        groups[card.get(last, "")].append(card)
    kinds: dict[tuple[tuple[str, ...], ...], list[str]] = defaultdict(list)
    for value, alike in groups.items():
        kinds[tuple(tuple(card.get(each, "") for each in rest) for card in alike)].append(value)
    parts = []
    for held, of_last in list(kinds.items())[:MOST]:
        of = names.listed([names.value(value, labels, last) for value in of_last[:MOST]])
        if len(rest) == 1:
            parts.append(f"the {_values(rest[0], [each for (each,) in held], labels)} of {of}")
        else:
            parts.append(f"of {of}, {_combined(rest, list(dict.fromkeys(held)), labels)}")
    return f"{count}: {'; '.join(parts)}"


def _combined(keys: Sequence[str], held: Sequence[tuple[str, ...]], labels: Labels) -> str:
    """Return which combinations of values there are: "every combination of size (small and large) and number (1)"."""
    words = [names.plain(labels.words.get(each) or each).lower() for each in keys]
    values = [list(dict.fromkeys(each)) for each in zip(*held, strict=True)]
    if len(held) == prod(map(len, values)):
        told = [_values(key, of, labels) for key, of in zip(keys, values, strict=True)]
        return f"every combination of {names.listed([f'{word} ({of})' for word, of in zip(words, told, strict=True)])}"
    each = []
    for one in held[: 2 * MOST]:
        said = [names.value(value, labels, key) for key, value in zip(keys, one, strict=True)]
        each.append(" with ".join(f"{word} {value}" for word, value in zip(words, said, strict=True)))
    return names.listed([*each, "…"] if len(held) > 2 * MOST else each)


def telling(cards: Sequence[Attributes]) -> list[str]:
    """Return the attributes that do not follow from another one, as a colour does from a suit."""
    keys = list(dict.fromkeys(each for card in cards for each in card))
    kinds = [tuple(card.get(each, "") for each in keys) for card in cards]
    told = list(keys)
    for place, each in enumerate(keys):
        for other in range(place + 1, len(keys)):
            pairs = {(kind[other], kind[place]) for kind in kinds}
            below = {value for value, _ in pairs}
            if (
                each in told
                and each not in ("RANK", "SUIT")
                and len(pairs) == len(below)
                and "" not in below
                and len(below) > 1
            ):
                told.remove(each)
    return told


def _values(attribute: str, values: Sequence[str], labels: Labels) -> str:
    words = [names.value(value, labels, attribute) for value in dict.fromkeys(values) if value]
    return names.listed(ranges(words)) or f"cards without {names.a(attribute.lower())}"


def ranges(words: Sequence[str]) -> list[str]:
    """Return words in which numbers that follow one another are drawn together: "2 to 10"."""
    found: list[str] = []
    begun: list[str] = []

    def close() -> None:
        if len(begun) > 2:
            found.append(f"{begun[0]} to {begun[-1]}")
        else:
            found.extend(begun)
        begun.clear()

    for word in words:
        if begun and word.isdecimal() and int(word) == int(begun[-1]) + 1:
            begun.append(word)
            continue
        close()
        if word.isdecimal():
            begun.append(word)
        else:
            found.append(word)
    close()
    return found if len(found) <= 2 * MOST else [*found[: 2 * MOST], "…"]


def decks_of(made: Sequence[CreateDeck | Repeat], labels: Labels) -> tuple[list[tuple[CreateDeck, str]], int | None]:
    """Return each deck of a setup with its words, and how many cards there are in all."""
    found: list[tuple[CreateDeck, str]] = []
    total: int | None = 0
    for each in made:
        statement, copies = copies_of(each)
        found.append((statement, deck_in_words(statement, copies, labels)))
        try:
            size = len(deck(statement.attributes)) if statement.kind == "deck" else 0
        except RulesFailed:
            size = 0
        total = None if total is None or copies is None else total + size * copies
    return found, total
