"""What cards count, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from games.recycle.constants import constant
from games.recycle.explaining import names
from games.recycle.explaining.clauses import Clauses
from games.recycle.explaining.decks import ranges
from games.recycle.explaining.survey import key
from games.recycle.tree import (
    Award,
    Name,
    SetPoints,
    Value,
)


def award_in_words(words: Clauses, award: Award) -> str:
    """Return one award: "the king of hearts 5"."""
    return f"{_what(words, award.pairs)} {words.number(award.value)}"


def _what(words: Clauses, pairs: Sequence[tuple[Value, Value]]) -> str:
    fixed = {key.text: value.text for key, value in pairs if isinstance(key, Name) and isinstance(value, Name)}
    if len(fixed) == len(pairs) and set(fixed) == {"RANK", "SUIT"}:
        rank, suit = (names.value(fixed[each], words.labels, each) for each in ("RANK", "SUIT"))
        return f"the {rank} of {suit}"
    if len(pairs) == 1 and "RANK" in fixed:
        return names.value(fixed["RANK"], words.labels, "RANK")
    if len(pairs) == 1 and "SUIT" in fixed:
        return f"every card of {names.value(fixed['SUIT'], words.labels, 'SUIT')}"
    told = [f"{words.attribute(key)} is {words.word(value)}" for key, value in pairs]
    return f"a card whose {names.listed(told)}"


def points_in_words(words: Clauses, node: SetPoints) -> list[str]:
    """Return the lines that describe a point map."""
    ranks: list[tuple[str, int]] = []
    others: list[Award] = []
    for award in node.awards:
        value = constant(award.value)
        if len(award.pairs) == 1 and value is not None:
            attribute, name = award.pairs[0]
            if isinstance(attribute, Name) and isinstance(name, Name) and attribute.text != "SUIT":
                ranks.append((names.value(name.text, words.labels, attribute.text), value))
                continue
        others.append(award)
    order = ranks and words.survey.only_compared(key(node.ref)) and len({value for _, value in ranks}) == len(ranks) > 2
    lines = [_low_to_high(ranks) if order else _compact(ranks)] if ranks else []
    more = "counts " if ranks else ""
    for award in others[:40]:
        if order and _order(ranks, others, words):
            break
        value_told = words.number(award.value)
        lines.append(f"{_what(words, award.pairs)} {more or '= '}{value_told}{' more' if more else ''}")
    if len(others) > 40:
        lines.append("and so on")
    if others and ranks:
        told = _order(ranks, others, words)
        lines.append(f"so {told}" if told and not order else told)
    return [line for line in lines if line]


def _low_to_high(ranks: Sequence[tuple[str, int]]) -> str:
    words = [word for word, _ in sorted(ranks, key=lambda each: each[1])]
    return f"from low to high {', '.join(ranges(words))}"


def _compact(ranks: Sequence[tuple[str, int]]) -> str:
    """Return "2 to 10 as many as they say; jack, queen and king 10; ace 1"."""
    ranks = sorted(ranks, key=lambda each: each[1])
    same = [word for word, value in ranks if word == str(value)]
    by_value: dict[int, list[str]] = defaultdict(list)
    for word, value in ranks:
        if word not in same or len(same) < 3:
            by_value[value].append(word)
    parts = [f"{names.listed(ranges(same))} their number"] if len(same) >= 3 else []
    for value, held in by_value.items():
        parts.append(f"{names.listed(ranges(held))} = {f'{names.MINUS}{-value}' if value < 0 else value}")
    return ", ".join(parts)


def _order(ranks: Sequence[tuple[str, int]], others: Sequence[Award], words: Clauses) -> str:
    """Return what the numbers come to where a suit outweighs all ranks, or only parts equal ones."""
    values = [value for _, value in ranks]
    extra = [(constant(award.value), award) for award in others if len(award.pairs) == 1]
    if len(extra) != len(others) or any(value is None for value, _ in extra):
        return ""
    spread = max(values) - min(0, *values)
    gaps = sorted(set(values))
    gap = min((b - a for a, b in pairwise(gaps)), default=0)
    told: list[str] = []
    for value, award in sorted(extra, key=lambda each: -(each[0] or 0)):
        what = _what(words, award.pairs)
        if value and value > spread:
            told.append(f"{what} is higher than {'any other' if not told else 'any but those'}")
        elif value and 0 < value < gap:
            told.append(f"of two cards that are equal otherwise, {what} is the higher one")
    return ", and ".join(told)


def fixed(node: SetPoints) -> bool:
    """Return whether a point map is the same every time it is set."""
    values = [part for award in node.awards for pair in award.pairs for part in pair]
    return all(isinstance(value, Name) for value in values) and all(
        constant(award.value) is not None for award in node.awards
    )
