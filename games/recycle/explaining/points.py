"""What cards count, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from games.recycle.constants import constant
from games.recycle.explaining.clauses import Clauses
from games.recycle.explaining.decks import ranges
from games.recycle.phrase_book import SEVERAL, Phrase
from games.recycle.tree import Award, Name, SetPoints, Value, address_of

MOST_AWARDS = 40  # awards of a point map


def award_in_words(words: Clauses, award: Award) -> Phrase:
    """Return one award: "the king of hearts 5"."""
    return words.say("{card} {n}", card=_what(words, award.pairs), n=words.number(award.value))


def _what(words: Clauses, pairs: Sequence[tuple[Value, Value]]) -> Phrase:
    fixed = {key.text: value.text for key, value in pairs if isinstance(key, Name) and isinstance(value, Name)}
    values = {each: words.value(name, each) for each, name in fixed.items()}
    if len(fixed) == len(pairs) and set(fixed) == {"RANK", "SUIT"}:
        return words.say("the {rank} of {suit}", rank=values["RANK"], suit=values["SUIT"])
    rank = fixed.get("RANK")
    if len(pairs) == 1 and rank and _speaks_for_itself(words, *pairs[0]):  # type: ignore[arg-type]
        return values["RANK"]
    if len(pairs) == 1 and "SUIT" in fixed:
        return words.say("every card of {suit}", suit=values["SUIT"])
    wording = [
        words.say("{noun} is {value}", noun=words.attribute(key), value=words.word(value)) for key, value in pairs
    ]
    card = words.book.noun(words.survey.only_kind)
    return words.say("a {noun} whose {facts}", noun=card, facts=words.book.listed(wording))


def points_in_words(words: Clauses, node: SetPoints) -> list[Phrase]:
    """Return the lines that describe a point map."""
    say = words.say
    ranks: list[tuple[Phrase, int]] = []
    others: list[Award] = []
    for award in node.awards:
        value = constant(award.value)
        if len(award.pairs) == 1 and value is not None:
            attribute, name = award.pairs[0]
            if isinstance(attribute, Name) and isinstance(name, Name) and _speaks_for_itself(words, attribute, name):
                ranks.append((words.value(name.text, attribute.text), value))
                continue
        others.append(award)
    wording, whole = _order(ranks, others, words) if others and ranks else (None, not others)
    order = (
        ranks
        and whole
        and words.survey.only_compared(address_of(node.ref))
        and len({value for _, value in ranks}) == len(ranks) > 2
    )
    lines = [_low_to_high(words, ranks) if order else _compact(words, ranks)] if ranks else []
    if not order:
        message = "{card} counts {n} more" if ranks else "{card} = {n}"
        lines += [
            say(message, card=_what(words, each.pairs), n=words.number(each.value)) for each in others[:MOST_AWARDS]
        ]
        if len(others) > MOST_AWARDS:
            lines.append(say("and so on"))
    if wording:
        lines.append(wording if order else say("so {clause}", clause=wording))
    return lines


def _speaks_for_itself(words: Clauses, attribute: Name, value: Name) -> bool:
    """Return whether a value says by itself which cards are meant: "king", but not "hearts"."""
    of = [each for each, values in words.survey.attributes.items() if value.text in values]
    return of == [attribute.text] and attribute.text != "SUIT"


def _low_to_high(words: Clauses, ranks: Sequence[tuple[Phrase, int]]) -> Phrase:
    wording = ranges(words.book, [word for word, _ in sorted(ranks, key=lambda each: each[1])])
    return words.say("from low to high {ranks}", ranks=words.book.listed(wording, "{others}, {last}"))


def _compact(words: Clauses, ranks: Sequence[tuple[Phrase, int]]) -> Phrase:
    """Return "2 to 10 their number, jack, queen and king = 10, ace = 1"."""
    book = words.book
    ranks = sorted(ranks, key=lambda each: each[1])
    same = [word for word, value in ranks if str(word) == str(value)]
    by_value: dict[int, list[Phrase]] = defaultdict(list)
    for word, value in ranks:
        if word not in same or len(same) < 3:
            by_value[value].append(word)
    parts = [book.say("{ranks} = their number", ranks=book.listed(ranges(book, same)))] if len(same) >= 3 else []
    for value, held in by_value.items():
        shown = f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)
        parts.append(book.say("{ranks} = {n}", ranks=book.listed(ranges(book, held)), n=shown))
    return book.listed(parts, "{others}, {last}")


def _order(ranks: Sequence[tuple[Phrase, int]], others: Sequence[Award], words: Clauses) -> tuple[Phrase | None, bool]:
    """Return what the numbers come to where a suit outweighs all ranks, or only parts equal ones.

    And whether that says all of ``others``. What outweighs the ranks has to outweigh all smaller awards together, too.
    """
    values = [value for _, value in ranks]
    extra = [(constant(award.value) or 0, award) for award in others if len(award.pairs) == 1]
    if len(extra) != len(others) or any(value <= 0 for value, _ in extra):
        return None, False
    spread = max(values) - min(0, *values)
    gap = min((b - a for a, b in pairwise(sorted({0, *values}))), default=0)
    wording: list[Phrase] = []
    left = sum(value for value, _ in extra)
    for value, award in sorted(extra, key=lambda each: -each[0]):
        left -= value
        if value > spread + left:
            message = "{card} is higher than any but those" if wording else "{card} is higher than any other"
        elif value + left < gap:
            message = "of two cards that are equal otherwise, {card} is the higher one"
        else:
            break
        wording.append(words.say(message, card=_what(words, award.pairs), count=SEVERAL))
    return words.book.listed(wording, "{others}, and {last}") if wording else None, len(wording) == len(extra)


def fixed(node: SetPoints) -> bool:
    """Return whether a point map is the same every time it is set."""
    values = [part for award in node.awards for pair in award.pairs for part in pair]
    return all(isinstance(value, Name) for value in values) and all(
        constant(award.value) is not None for award in node.awards
    )
