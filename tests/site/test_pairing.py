"""The rounds of tournaments: everybody plays once or is free, nobody meets again while that can be avoided."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsite.tournaments.pairing import (
    Contender,
    RoundDraw,
    larger_tables,
    meetings,
    robin_round,
    robin_rounds,
    swiss_pairs,
    swiss_rounds,
    table_sizes,
)

SIZES = (3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64)


class Played:
    """A tournament that is played at random: points, byes and meetings so far."""

    def __init__(self, entrants: int, seed: int = 0) -> None:
        self.numbers = list(range(1, entrants + 1))
        self.chance = random.Random(seed)
        self.points: Counter[int] = Counter()
        self.byes: Counter[int] = Counter()
        self.met: Counter[frozenset[int]] = Counter()

    @property
    def contenders(self) -> list[Contender]:
        return [Contender(one, self.points[one], self.byes[one]) for one in self.numbers]

    def play(self, draw: RoundDraw) -> None:
        """Note a round, with random results."""
        assert sorted([*draw.byes, *(one for table in draw.tables for one in table)]) == sorted(self.numbers)
        self.met += meetings(draw.tables)
        self.byes.update(draw.byes)
        for one in draw.byes:
            self.points[one] += 1
        for table in draw.tables:
            self.points[self.chance.choice(table)] += 1


# -- Swiss, two at a table


@pytest.mark.parametrize("entrants", SIZES)
def test_in_a_swiss_tournament_nobody_meets_twice_or_is_free_twice_and_byes_go_to_the_fewest_points(
    entrants: int,
) -> None:
    for seed in range(3 if entrants < 20 else 1):
        played = Played(entrants, seed)
        for number in range(swiss_rounds(entrants)):
            before = played.contenders
            draw = swiss_pairs(before, played.met, random.Random(f"{seed} {number}"))
            assert all(len(table) == 2 for table in draw.tables)
            assert len(draw.byes) == entrants % 2
            for free in draw.byes:
                assert played.byes[free] == 0
                fewest = min(one.points for one in before if not one.byes)
                # A free contender with more points than the fewest is one without whom somebody would meet again.
                assert played.points[free] == fewest or rematches_if_free(before, played.met, fewest)
            played.play(draw)
        assert max(played.met.values()) == 1


def rematches_if_free(contenders: list[Contender], met: Counter[frozenset[int]], points: float) -> bool:
    """Whether in every round where somebody with so few points is free, two meet again."""
    for one in contenders:
        if one.points == points and not one.byes:
            rest = [other for other in contenders if other != one]
            draw = swiss_pairs(rest, met, random.Random(0))
            if not any(met[pair] for pair in meetings(draw.tables)):
                return False
    return True


def can_avoid_rematches(numbers: list[int], met: Counter[frozenset[int]]) -> bool:
    """Whether some of all rounds of an even number of contenders has no rematch, by trying them all."""
    if not numbers:
        return True
    first, *rest = numbers
    return any(
        can_avoid_rematches([one for one in rest if one != other], met)
        for other in rest
        if not met[frozenset((first, other))]
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4).map(lambda half: 2 * half), st.randoms(use_true_random=False), st.integers(0, 12))
def test_a_rematch_only_where_every_round_has_one(entrants: int, chance: random.Random, edges: int) -> None:
    numbers = list(range(entrants))
    every = [frozenset(pair) for pair in combinations(numbers, 2)]
    met = Counter(chance.sample(every, min(edges, len(every))))
    contenders = [Contender(one, chance.randrange(4)) for one in numbers]
    draw = swiss_pairs(contenders, met, chance)
    again = sum(met[pair] for pair in meetings(draw.tables))
    assert (again == 0) == can_avoid_rematches(numbers, met)


def test_opponents_have_equal_points_where_that_is_possible() -> None:
    contenders = [Contender(one, points) for one, points in enumerate((3, 3, 2, 2, 1, 1, 0, 0))]
    draw = swiss_pairs(contenders, {}, random.Random(1))
    points = {one.number: one.points for one in contenders}
    assert [tuple(points[one] for one in table) for table in draw.tables] == [(3, 3), (2, 2), (1, 1), (0, 0)]


def test_when_everybody_has_met_everybody_they_meet_again() -> None:
    numbers = range(4)
    met = Counter(frozenset(pair) for pair in combinations(numbers, 2))
    met[frozenset((0, 1))] = 2
    draw = swiss_pairs([Contender(one) for one in numbers], met, random.Random(0))
    assert len(draw.tables) == 2
    assert all(met[pair] == 1 for pair in meetings(draw.tables))  # those who have met twice do not meet again first


def test_when_all_were_free_once_somebody_is_free_again() -> None:
    draw = swiss_pairs([Contender(1, 2, 1), Contender(2, 1, 1), Contender(3, 1, 2)], {}, random.Random(0))
    assert draw.byes == [2]


def test_the_same_standings_give_the_same_round_and_other_seeds_other_ones() -> None:
    contenders = [Contender(one) for one in range(16)]
    draws = [swiss_pairs(contenders, {}, random.Random(seed)) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


# -- round robin, two at a table


@pytest.mark.parametrize("entrants", SIZES)
def test_in_a_round_robin_of_two_at_a_table_everybody_meets_everybody_once(entrants: int) -> None:
    played = Played(entrants)
    seats: Counter[int] = Counter()
    rounds = robin_rounds(entrants, 2)
    for number in range(1, rounds + 1):
        draw = robin_round(played.numbers, number)
        played.play(draw)
        seats.update(table[0] for table in draw.tables)
    assert played.met == Counter(frozenset(pair) for pair in combinations(played.numbers, 2))
    assert set(played.byes.values()) <= {1}
    assert len(played.byes) == (entrants if entrants % 2 else 0)
    assert max(seats.values()) - min(seats[one] for one in played.numbers) <= 1  # everybody begins as often as others


# -- larger tables


@pytest.mark.parametrize("least", [2, 3, 4])
@pytest.mark.parametrize("size", range(2, 9))
def test_tables_are_as_full_as_they_can_be(size: int, least: int) -> None:
    for entrants in range(3, 65):
        if least > size:
            continue
        sizes, free = table_sizes(entrants, size, least)
        assert sum(sizes) + free == entrants
        assert all(least <= one <= size for one in sizes)
        assert not sizes or max(sizes) - min(sizes) <= 1
        assert free < least  # else they could play at a table of their own


def test_examples_of_table_sizes() -> None:
    assert table_sizes(9, 4, 2) == ([3, 3, 3], 0)
    assert table_sizes(11, 4, 3) == ([4, 4, 3], 0)
    assert table_sizes(6, 4, 4) == ([4], 2)
    assert table_sizes(5, 3, 3) == ([3], 2)
    assert table_sizes(3, 4, 4) == ([], 3)


@pytest.mark.parametrize("by_points", [True, False])
@pytest.mark.parametrize(("size", "least"), [(3, 3), (4, 2), (4, 4), (6, 3), (8, 2)])
def test_at_larger_tables_everybody_plays_once_a_round_or_is_free(size: int, least: int, by_points: bool) -> None:
    for entrants in (3, 5, 8, 13, 16, 27, 64):
        played = Played(entrants)
        _, free = table_sizes(entrants, size, least)
        for number in range(3):
            draw = larger_tables(played.contenders, played.met, size, least, random.Random(number), by_points=by_points)
            assert all(max(2, least) <= len(table) <= size for table in draw.tables)
            assert len(draw.byes) == free
            played.play(draw)
        if draw.tables:  # nobody is free once more than others
            assert max(played.byes.values(), default=0) - min(played.byes[one] for one in played.numbers) <= 1


@pytest.mark.parametrize("by_points", [True, False])
@pytest.mark.parametrize(("entrants", "size", "rounds"), [(16, 4, 3), (9, 3, 3), (25, 5, 3), (64, 4, 6), (27, 3, 5)])
def test_with_room_nobody_meets_twice_at_larger_tables(entrants: int, size: int, rounds: int, by_points: bool) -> None:
    played = Played(entrants)
    for number in range(rounds):
        played.play(
            larger_tables(played.contenders, played.met, size, size, random.Random(number), by_points=by_points)
        )
    again = sum(times - 1 for times in played.met.values())
    assert again <= entrants * rounds / 50  # a search, not a proof: a few


def test_in_a_round_robin_at_larger_tables_everybody_meets_others_about_as_often() -> None:
    played = Played(12)
    rounds = 11
    for number in range(rounds):
        draw = larger_tables(played.contenders, played.met, 4, 4, random.Random(number), by_points=False)
        played.play(draw)
    counts = [played.met[frozenset(pair)] for pair in combinations(played.numbers, 2)]
    assert sum(counts) == rounds * 3 * 6  # 3 meetings of each two on average
    assert (min(counts) >= 1, max(counts) <= 5) == (True, True)


def test_swiss_tables_seat_people_with_equal_points_together() -> None:
    contenders = [Contender(one, 2 if one < 4 else 1 if one < 8 else 0) for one in range(12)]
    draw = larger_tables(contenders, {}, 4, 4, random.Random(0), by_points=True)
    assert [set(table) for table in draw.tables] == [set(range(4)), set(range(4, 8)), set(range(8, 12))]


def test_the_free_are_those_who_were_free_least_then_those_with_the_fewest_points() -> None:
    contenders = [
        Contender(1, 0, 1),
        Contender(2, 1),
        Contender(3, 3),
        Contender(4, 2),
        Contender(5, 2),
        Contender(6, 2),
    ]
    draw = larger_tables(contenders, {}, 5, 5, random.Random(0), by_points=True)
    assert draw.byes == [2]


def test_enough_rounds_for_a_winner() -> None:
    assert [swiss_rounds(entrants) for entrants in (3, 4, 5, 8, 9, 16, 64)] == [2, 2, 3, 3, 4, 4, 6]
    assert [robin_rounds(*each) for each in ((3, 2), (4, 2), (8, 2), (9, 3), (9, 4), (64, 3))] == [3, 3, 7, 4, 3, 15]
