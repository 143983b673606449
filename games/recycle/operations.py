"""What the words of the language do with cards and numbers: pure functions that compiled texts call.

Collections of cards are lists of card numbers, the bottom card first; groups are lists of such lists; scores are looked
up in a sequence by card. Source: ``docs/recycle.md``, whose words these are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import comb

from games.core.chance import Chance
from games.core.messages import Message, message
from games.core.moves import RulesFailed

MOST_GROUPS = 70_000  # that one expression may make: all subsets of sixteen cards
MOST_GROUPED = 1_000_000  # cards in all groups that one expression makes
MOST_NUMBERS = 10_000  # in one range
LARGEST = 2**31 - 1

Cards = list[int]
Scores = Sequence[int]


def failed(kind: str, text: Message) -> RulesFailed:
    """Return the failure of a text whose rules ask for what cannot be done."""
    return RulesFailed(kind, text)


# -- numbers


def number(value: int) -> int:
    """Return a number that is small enough to be kept."""
    if -LARGEST <= value <= LARGEST:
        return value
    raise failed("number too large", message("This number is too large. The largest is {most:,}.", most=LARGEST))


def divide(a: int, b: int) -> int:
    """``//``: cut off towards zero."""
    if b == 0:
        raise failed("division by zero", message("A number is divided by 0 here."))
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def modulo(a: int, b: int) -> int:
    """``%``: with the sign of the dividend."""
    return a - b * divide(a, b)


def power(a: int, b: int) -> int:
    """``^``: a fraction is cut off."""
    if b < 0:
        if a == 0:
            raise failed("division by zero", message("0 is raised to a power below 0 here."))
        return 0 if abs(a) > 1 else a if b % 2 else 1
    if abs(a) > 1 and b > 31:
        raise failed("number too large", message("This number is too large. The largest is {most:,}.", most=LARGEST))
    return number(a**b)


def triangle(n: int) -> int:
    """``tri``: n(n + 1)/2."""
    return number(n * (n + 1) // 2)


def fibonacci(n: int) -> int:
    """``fib``: 1, 1, 2, 3, 5 ... from 1 on; 0 for 0 and below."""
    a, b = 0, 1
    for _ in range(min(n, 50)):
        a, b = b, a + b
    return number(a)


def drawn(low: int, high: int, chance: Chance) -> int:
    """``random``: from ``low`` to ``high``, both included."""
    if high < low:
        raise failed("empty range", message("There is no number from {low} to {high} to draw.", low=low, high=high))
    number(low)
    number(high)
    return low + chance.randbelow(high - low + 1)


def numbers(low: int, high: int) -> range:
    """``range``: both ends included, empty when ``low`` is above ``high``."""
    if high - low >= MOST_NUMBERS:
        raise failed(
            "range too long",
            message("A range may have at most {most:,} numbers, not {n:,}.", most=MOST_NUMBERS, n=high - low + 1),
        )
    return range(low, high + 1)


def index(value: int) -> int:
    """Return a number that says a place from the bottom, which is never below 0."""
    if value < 0:
        raise failed(
            "no such card",
            message("There is no card at position {value}: positions are counted from 0 at the bottom.", value=value),
        )
    return value


# -- one card of many


def best(cards: Cards, scores: Scores, chance: Chance) -> int:
    """``max``: the card that scores most, among equals by chance."""
    return _one(cards, max([scores[card] for card in cards], default=0), scores, chance)


def worst(cards: Cards, scores: Scores, chance: Chance) -> int:
    """``min``: the card that scores least, among equals by chance."""
    return _one(cards, min([scores[card] for card in cards], default=0), scores, chance)


def _one(cards: Cards, wanted: int, scores: Scores, chance: Chance) -> int:
    if not cards:
        raise failed("no card", message("There are no cards here, so none scores most or least."))
    equal = [card for card in cards if scores[card] == wanted]
    return equal[0] if len(equal) == 1 else chance.choice(equal)


# -- cards out of cards


def intersect(parts: Sequence[Cards]) -> Cards:
    """``intersect``: cards that are in exactly as many of the collections as there are, as first met."""
    count = Counter(card for part in parts for card in part)
    return [card for card, times in count.items() if times == len(parts)]


def disjunction(parts: Sequence[Cards]) -> Cards:
    """``disjunction``: cards that are there exactly once in all."""
    count = Counter(card for part in parts for card in part)
    return [card for card, times in count.items() if times == 1]


def topmost(cards: Cards, count: int) -> Cards:
    """``(top n cards)``: listed from the top downwards."""
    return cards[::-1][: _enough(cards, count)]


def bottommost(cards: Cards, count: int) -> Cards:
    """``(bottom n cards)``: listed from the bottom upwards."""
    return cards[: _enough(cards, count)]


def _enough(cards: Cards, count: int) -> int:
    if count > len(cards):
        raise failed(
            "too few cards", message("There are only {there} cards here, not {count}.", there=len(cards), count=count)
        )
    return max(0, count)


def run_at(cards: Cards, least: int, scores: Scores) -> Cards:
    """``(run top n cards using points)``: the longest run that the first i of ``cards`` make, for any i from ``least``.

    ``cards`` are listed from the end that is looked at. A run has scores that follow each other, in any order of lying;
    it is returned by score. Empty when there is none.
    """
    met: set[int] = set()
    longest = low = high = 0
    for size, card in enumerate(cards, 1):
        score = scores[card]
        if score in met:
            break
        met.add(score)
        low, high = (min(low, score), max(high, score)) if size > 1 else (score, score)
        if high - low == size - 1:  # so many different scores fill all that lies between the lowest and the highest
            longest = size
    return sorted(cards[:longest], key=scores.__getitem__) if longest >= least else []


def by_score(cards: Cards, scores: Scores) -> Cards:
    """``sort``: the lowest first; equal ones as they lay."""
    return sorted(cards, key=scores.__getitem__)


# -- groups of cards


def few(groups: Iterable[Sequence[int]]) -> list[Cards]:
    """Return groups as lists, as many as an expression may make."""
    found = []
    cards = 0
    for group in groups:
        found.append(list(group))
        cards += len(group)
        if len(found) > MOST_GROUPS or cards > MOST_GROUPED:
            raise too_many_groups()
    return found


def too_many_groups() -> RulesFailed:
    """Return the failure of an expression that makes more groups than it may."""
    text = message(
        "An expression may make at most {most:,} groups, with {cards:,} cards in all.",
        most=MOST_GROUPS,
        cards=MOST_GROUPED,
    )
    return failed("too many groups", text)


def tuples(count: int, cards: Cards, scores: Scores) -> list[Cards]:
    """``tuples``: all groups of ``count`` cards that score alike, by score, then by where they lie."""
    alike: dict[int, Cards] = {}
    for card in cards:
        alike.setdefault(scores[card], []).append(card)
    return few(group for score in sorted(alike) for group in combinations(alike[score], max(0, count)))


def partition(cards: Cards, values: Sequence[int]) -> list[Cards]:
    """``partition``: cards that are alike in ``values``, as first met."""
    alike: dict[int, Cards] = {}
    for card in cards:
        alike.setdefault(values[card], []).append(card)
    return list(alike.values())


def subsets(cards: Cards) -> list[Cards]:
    """``subsets``: [], [a], [b], [a, b], [c], ... for cards a, b, c."""
    if 2 ** min(len(cards), 64) > MOST_GROUPS:
        raise failed(
            "too many groups",
            message("{there} cards have more than {most:,} subsets.", there=len(cards), most=MOST_GROUPS),
        )
    found: list[Cards] = [[]]
    for card in cards:
        found += [[*group, card] for group in found]
    return found


def selections(count: int, cards: Cards) -> list[Cards]:
    """``subsets`` of ``count`` cards, in the order of all subsets: [a, b], [a, c], [b, c] for cards a, b, c."""
    count = max(0, count)
    many = comb(len(cards), count)
    if many > MOST_GROUPS or many * count > MOST_GROUPED:
        raise too_many_groups()
    found = [list(group[::-1]) for group in combinations(cards[::-1], count)]
    found.reverse()
    return found


def a_selection(count: int, cards: Cards, most: int, chance: Chance) -> Cards:
    """Return one of ``selections``, drawn as if from their list, which is not made; [] for none or too many."""
    count = max(0, count)
    many = comb(len(cards), count)
    if not 0 < many <= most:
        return []
    left = chance.randbelow(many)
    found = []
    at = len(cards)
    while count:  # the highest place of a card below which there are selections of ``count`` cards left to pass over
        at -= 1
        while comb(at, count) > left:
            at -= 1
        left -= comb(at, count)
        found.append(cards[at])
        count -= 1
    found.reverse()
    return found


def largest_runs(least: int, cards: Cards, scores: Scores) -> list[Cards]:
    """``runs largest``: chains of scores that rise by one and cannot be made longer, of at least ``least`` cards.

    Of cards with equal scores each makes a chain of its own.
    """
    return few(group for chain in _chains(cards, scores) if len(chain) >= least for group in product(*chain))


def all_runs(least: int, cards: Cards, scores: Scores) -> list[Cards]:
    """``runs all``: every run of at least ``least`` cards, shorter parts of longer ones too."""
    return few(
        group
        for chain in _chains(cards, scores)
        for start in range(len(chain))
        for end in range(start + max(least, 1), len(chain) + 1)
        for group in product(*chain[start:end])
    )


def _chains(cards: Cards, scores: Scores) -> list[list[Cards]]:
    """Return cards by score, cut where a score is missing."""
    alike: dict[int, Cards] = {}
    for card in cards:
        alike.setdefault(scores[card], []).append(card)
    chains: list[list[Cards]] = []
    last: int | None = None
    for score in sorted(alike):
        if last is None or score != last + 1:
            chains.append([])
        chains[-1].append(alike[score])
        last = score
    return chains


# -- lists that a variable holds


def unlist(cards: Cards, card: int) -> None:
    """Take a card that has moved out of a list that still names it; of doubles the one nearest the top."""
    for place in range(len(cards) - 1, -1, -1):
        if cards[place] == card:
            del cards[place]
            return


def kept(value: object) -> object:
    """Return a value as it is now: of a list a copy."""
    return value[:] if isinstance(value, list) else value


FOR_PROGRAMS = (
    "a_selection",
    "all_runs",
    "best",
    "bottommost",
    "by_score",
    "disjunction",
    "divide",
    "drawn",
    "fibonacci",
    "index",
    "intersect",
    "kept",
    "largest_runs",
    "modulo",
    "number",
    "numbers",
    "partition",
    "power",
    "run_at",
    "selections",
    "subsets",
    "topmost",
    "triangle",
    "tuples",
    "unlist",
    "worst",
)
