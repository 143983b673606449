"""Moves that each take so many of some things, as any three cards of a hand: what is learned of one tells of others.

There are many of them, 286 for three of thirteen cards, too many to try each one often enough. But how well a card did
in all the moves with it is soon known. Moves are read as words: the things are what is between the words that all of
the moves begin or end with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

FEWEST = 30  # moves; fewer are tried one by one


@dataclass(frozen=True, slots=True)
class Selection:
    """The moves of a decision, where these are all selections of ``count`` of some things.

    ``taken``: what each move takes. ``things``: all that may be taken, sorted.
    """

    count: int
    taken: tuple[frozenset[str], ...]
    things: tuple[str, ...]

    def best(self, worth: Mapping[str, float]) -> int:
        """Return the number of the move that takes the things worth most, the first ones of equals."""
        first = sorted(worth, key=lambda thing: -worth[thing])[: self.count]
        return self.taken.index(frozenset(first))

    def did_best(self, results: Iterable[tuple[int, float]]) -> int:
        """Return the number of the move that takes the things with the best means; ``results`` as for ``means``.

        There must be some results: then as many things as a move takes have a mean.
        """
        counts, means = self.means(results)
        return self.best({thing: mean for thing, mean in means.items() if counts[thing]})

    def means(self, results: Iterable[tuple[int, float]]) -> tuple[dict[str, int], dict[str, float]]:
        """Return by thing how many results there are of moves that take it, and their mean, 0 where there are none.

        ``results``: of each move, how many there are, and their sum.
        """
        counts, totals = dict.fromkeys(self.things, 0), dict.fromkeys(self.things, 0.0)
        for taken, (count, total) in zip(self.taken, results, strict=True):
            if count:
                for thing in taken:
                    counts[thing] += count
                    totals[thing] += total
        return counts, {thing: totals[thing] / count if count else 0.0 for thing, count in counts.items()}


def selection_of(moves: Sequence[str]) -> Selection | None:
    """Return what the moves select, None if they are few or are not all selections of so many of some things."""
    if len(moves) <= FEWEST:
        return None
    words = [move.split() for move in moves]
    size = len(words[0])
    if any(len(one) != size for one in words):
        return None
    begin, end = 0, size
    while begin < end and len({one[begin] for one in words}) == 1:
        begin += 1
    while begin < end and len({one[end - 1] for one in words}) == 1:
        end -= 1
    count = end - begin
    if count < 2:
        return None
    taken = tuple(frozenset(one[begin:end]) for one in words)
    things = tuple(sorted(frozenset().union(*taken)))
    whole = len(moves) == comb(len(things), count) == len(set(taken)) and all(len(one) == count for one in taken)
    return Selection(count, taken, things) if whole else None
