"""Who plays whom in a round: pure functions of the standings so far, the earlier meetings and a seeded random source.

- Swiss, two at a table: a matching of maximal weight (``networkx``). Nobody has a second bye while it can be avoided,
  then nobody meets the same opponent again while it can be avoided, then the bye goes to the fewest points, then
  opponents have points as equal as possible.
- Larger tables: entrants in the order of their points (Swiss) or in any order (round robin) are cut into tables. Then
  two entrants of different tables are swapped for as long as that makes repeated meetings fewer.
- Round robin, two at a table: the circle method, so everybody meets everybody once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import ceil, log2
from typing import NamedTuple

MOST_ROUNDS = 15  # that an organizer may ask for
STARTS = 6  # orders from which tables are improved; the best result is taken

Pair = frozenset[int]  # the numbers of two entrants


class Contender(NamedTuple):
    """An entrant who plays in the next round."""

    number: int
    points: float = 0.0
    byes: int = 0  # so far


class RoundDraw(NamedTuple):
    """The tables of a round, the strongest first, each with its entrants in the order of their seats; and the byes."""

    tables: list[tuple[int, ...]]
    byes: list[int]


def swiss_rounds(entrants: int) -> int:
    """Return how many Swiss rounds find a winner among so many."""
    return min(MOST_ROUNDS, max(1, ceil(log2(max(2, entrants)))))


def robin_rounds(entrants: int, size: int) -> int:
    """Return in how many rounds at tables of ``size`` everybody can meet everybody about once."""
    if size == 2:
        return entrants - 1 + entrants % 2
    return min(MOST_ROUNDS, max(1, ceil((entrants - 1) / (size - 1))))


def meetings(tables: Iterable[Iterable[int]]) -> Counter[Pair]:
    """Return how often each two entrants have met at some tables."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def table_sizes(entrants: int, size: int, least: int) -> tuple[list[int], int]:
    """Return the sizes of the tables for so many entrants, the largest first, and how many entrants have a bye.

    There are at most ``size`` at a table and at least ``least``, as few byes as possible, then as few tables, and their
    sizes differ by at most one.
    """
    for playing in range(entrants, 1, -1):
        tables = ceil(playing / size)
        if playing >= tables * max(2, least):
            each, larger = divmod(playing, tables)
            return [each + (number < larger) for number in range(tables)], entrants - playing
    return [], entrants


# -- two at a table


def robin_round(numbers: Sequence[int], turn: int) -> RoundDraw:
    """Return round ``turn``, from 1, of a round robin of two at a table. With an odd number one has a bye."""
    places: list[int | None] = [*([None] if len(numbers) % 2 else []), *numbers]
    first, rest = places[0], places[1:]
    shift = (turn - 1) % max(1, len(rest))
    order = [first, *rest[shift:], *rest[:shift]]
    tables: list[tuple[int, ...]] = []
    byes: list[int] = []
    for index in range(len(order) // 2):
        one, other = order[index], order[-1 - index]
        if one is None or other is None:
            byes += [number for number in (one, other) if number is not None]
        else:  # everybody passes through all places, so everybody has the first seat about as often as not
            tables.append((one, other) if index or turn % 2 else (other, one))
    return RoundDraw(tables, byes)


def swiss_pairs(contenders: Sequence[Contender], met: Mapping[Pair, int], chance: random.Random) -> RoundDraw:
    """Return a Swiss round of two at a table. Needs at least two contenders."""
    import networkx  # a fifth of a second, which only those processes need to spend that pair somebody

    chosen = chance.sample(list(contenders), len(contenders))  # what is left open depends on the order
    score = [round(2 * one.points) for one in chosen]
    spread = max(score) - min(score)
    # The parts of a cost, each larger than all smaller parts of all pairs together.
    jitter = 1 << 10
    nearness = jitter * len(chosen)
    bye_score = nearness * (1 + spread * spread * len(chosen))
    rematch = bye_score * (1 + spread)
    second_bye = rematch * (1 + len(chosen) * max(met.values(), default=0))
    nobody = len(chosen)
    costs: dict[tuple[int, int], int] = {
        (a, b): (
            rematch * met.get(frozenset((chosen[a].number, chosen[b].number)), 0)
            + nearness * (score[a] - score[b]) ** 2
            + chance.randrange(jitter)
        )
        for a, b in combinations(range(len(chosen)), 2)
    }
    if len(chosen) % 2:
        lowest = min(score)
        costs |= {
            (a, nobody): second_bye * one.byes + bye_score * (score[a] - lowest) + chance.randrange(jitter)
            for a, one in enumerate(chosen)
        }
    graph: networkx.Graph[int] = networkx.Graph()
    dearest = max(costs.values())
    graph.add_weighted_edges_from((a, b, dearest - cost) for (a, b), cost in costs.items())
    tables: list[tuple[int, ...]] = []
    byes = []
    for pair in networkx.max_weight_matching(graph, maxcardinality=True):
        a, b = sorted(pair)
        if b == nobody:
            byes.append(chosen[a].number)
        else:
            tables.append((chosen[a].number, chosen[b].number))
    return RoundDraw(_ordered(tables, contenders, chance), byes)


# -- larger tables


def larger_tables(
    contenders: Sequence[Contender],
    met: Mapping[Pair, int],
    size: int,
    least: int,
    chance: random.Random,
    *,
    by_points: bool,
) -> RoundDraw:
    """Return a round at tables of at most ``size``. ``by_points``: people with equal points should meet (Swiss).

    Nobody plays if there are fewer contenders than the game needs at one table: then all have a bye.
    """
    sizes, free = table_sizes(len(contenders), size, least)
    shuffled = chance.sample(list(contenders), len(contenders))
    resting = sorted(shuffled, key=lambda one: (one.byes, one.points if by_points else 0))[:free]
    byes = [one.number for one in resting]
    playing = [one for one in shuffled if one.number not in byes]
    best: list[list[int]] = []
    lowest = float("inf")
    costs = _costs(playing, met, by_points=by_points)
    for _ in range(STARTS if sizes else 0):
        order = chance.sample(range(len(playing)), len(playing))
        if by_points:
            order.sort(key=lambda index: -playing[index].points)
        ends = [sum(sizes[:number]) for number in range(len(sizes) + 1)]
        tables = [order[begin:end] for begin, end in pairwise(ends)]
        total = _improve(tables, costs)
        if total < lowest:
            best, lowest = tables, total
        if not met:
            break  # nobody has met anybody, so no order is better than another
    numbered: list[tuple[int, ...]] = [tuple(playing[index].number for index in table) for table in best]
    return RoundDraw(_ordered(numbered, contenders, chance), byes)


def _costs(playing: Sequence[Contender], met: Mapping[Pair, int], *, by_points: bool) -> list[list[float]]:
    """Return what it costs to seat two at one table: another meeting above all, then unequal points."""
    points = [one.points for one in playing]
    spread = (max(points) - min(points)) if by_points and points else 0.0
    repeated = 1 + spread * spread * len(points) ** 2
    rows = [[0.0] * len(playing) for _ in playing]
    for (a, one), (b, other) in combinations(enumerate(playing), 2):
        times = met.get(frozenset((one.number, other.number)), 0)
        rows[a][b] = rows[b][a] = repeated * times * times + ((points[a] - points[b]) ** 2 if by_points else 0)
    return rows


def _improve(tables: list[list[int]], costs: Sequence[Sequence[float]]) -> float:
    """Swap entrants of different tables for as long as that costs less. Return what is left."""
    better = True
    while better:
        better = False
        for one, other in combinations(tables, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    a, b = one[i], other[j]
                    gain = sum(costs[a][x] - costs[b][x] for x in one if x != a)
                    gain += sum(costs[b][y] - costs[a][y] for y in other if y != b)
                    if gain > 1e-9:
                        one[i], other[j] = b, a
                        better = True
    return sum(costs[a][b] for table in tables for a, b in combinations(table, 2))


def _ordered(
    tables: Iterable[tuple[int, ...]], contenders: Iterable[Contender], chance: random.Random
) -> list[tuple[int, ...]]:
    """Return tables with the most points first, their entrants in random seats."""
    points = {one.number: one.points for one in contenders}
    ranked = sorted(tables, key=lambda table: (-sum(points[number] for number in table) / len(table), min(table)))
    return [tuple(chance.sample(table, len(table))) for table in ranked]
