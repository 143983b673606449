"""Flat Monte Carlo, in small games that were solved by hand."""

from __future__ import annotations

import pytest

from games.core import FastChance
from games.search.pimc import Estimates, Pimc, estimate
from tests.games.search.toys import Facts, Moves, asked, in_turn

SCORES = {"a": (5.0, 9.0, 1.0), "b": (7.0, 3.0, 7.0), "c": (0.0, 0.0, 0.0), "d": (2.0, 1.0, 0.0)}


def one_choice(moves: str = "abcd") -> Facts:
    """Seat 0 chooses once, and that decides everything."""
    return Facts(3, in_turn(3, 1), lambda made, seat: list(moves), lambda made, card: SCORES[made[0][1]])


def test_means_are_scaled_ranks_of_every_seat_for_every_move() -> None:
    result = estimate(asked(one_choice()), 4, FastChance("x"))
    assert result.moves == ("a", "b", "c", "d")
    assert result.means == ((0.5, 1.0, 0.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (1.0, 0.5, 0.0))
    assert result.samples == (4, 4, 4, 4)


def test_the_first_of_equally_good_moves_is_taken() -> None:
    assert Pimc(3).choose(asked(one_choice("abcd"))) == "b"
    assert Pimc(3).choose(asked(one_choice("dcba"))) == "d"
    assert Pimc(3).choose(asked(one_choice("acb"))) == "c"


def test_others_are_assumed_to_play_at_random() -> None:
    """After "trust" one answer in four loses, though a clever opponent gives it; "safe" is a loss in two of four."""
    answers = ["w", "x", "y", "z"]

    def scores(made: Moves, card: int) -> tuple[float, ...]:
        (_, mine), (_, theirs) = made
        won = theirs != "w" if mine == "trust" else theirs in "wx"
        return float(won), float(not won)

    facts = Facts(2, in_turn(2, 2), lambda made, seat: answers if seat else ["safe", "trust"], scores)
    result = estimate(asked(facts), 400, FastChance("x"))
    safe, trust = (mean[0] if mean else -1 for mean in result.means)
    assert safe == pytest.approx(0.5, abs=0.1)
    assert trust == pytest.approx(0.75, abs=0.1)
    assert result.best(0) == 1


def test_each_roll_out_determinizes_what_is_hidden() -> None:
    """Of two cards one makes "bet" win; one determinization for a whole decision would give a mean of 0 or 1."""
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: ["bet"],
        lambda made, card: (float(card), 0.5),
        cards=2,
    )
    [mean] = estimate(asked(facts), 200, FastChance("x")).means
    assert mean is not None
    assert mean[0] == pytest.approx(0.5, abs=0.12)


@pytest.mark.parametrize("rollouts", [1, 7])
def test_as_many_determinizations_are_drawn_as_there_are_moves_times_roll_outs(rollouts: int) -> None:
    info = asked(one_choice())
    Pimc(rollouts).choose(info)
    assert info.samples == 4 * rollouts


def test_a_forced_move_costs_nothing_and_can_be_estimated_all_the_same() -> None:
    info = asked(one_choice("a"))
    assert Pimc(5).choose(info) == "a"
    assert info.samples == 0
    assert estimate(info, 5, info.chance).means == ((0.5, 1.0, 0.0),)
    assert info.samples == 5


def test_moves_that_read_alike_are_tried_each_by_itself() -> None:
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: ["take", "take #2"],
        lambda made, card: (float(made[0][1] == "take #2"), 0.5),
    )
    assert estimate(asked(facts), 2, FastChance("x")).means == ((0.0, 1.0), (1.0, 0.0))


def test_a_roll_out_whose_rules_fail_is_ignored() -> None:
    """The roll-out of move "good" fails if the card is 0, and wins if it is 1."""
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: ["poor", "good", "never"],
        lambda made, card: (float(made[0][1] == "good"), 0.5),
        cards=2,
        impossible=lambda made, card: made[-1][1] == "never" or (made[-1][1] == "good" and card == 0),
    )
    info = asked(facts)
    result = estimate(info, 40, info.chance)
    assert info.samples == 120
    assert result.means == ((0.0, 1.0), (1.0, 0.0), None)
    assert result.samples[0] == 40
    assert 5 < result.samples[1] < 35
    assert result.samples[2] == 0
    assert result.best(0) == 1


def test_if_every_roll_out_fails_a_legal_move_is_made() -> None:
    moves = ["a", "b", "c"]
    facts = Facts(
        2,
        in_turn(2, 1),
        lambda made, seat: moves,
        lambda made, card: (0.0, 0.0),
        impossible=lambda made, card: True,
    )
    assert estimate(asked(facts), 2, FastChance("x")) == Estimates(("a", "b", "c"), (None,) * 3, (0,) * 3)
    assert {Pimc(2).choose(asked(facts, str(seed))) for seed in range(30)} == set(moves)


@pytest.mark.parametrize(("low_wins", "best"), [(False, "5"), (True, "-3")])
def test_a_player_who_plays_alone_plays_for_the_score(low_wins: bool, best: str) -> None:
    facts = Facts(
        1,
        in_turn(1, 1),
        lambda made, seat: ["0", "-3", "5", "4"],
        lambda made, card: (float(made[0][1]),),
        low_wins=low_wins,
    )
    assert Pimc(2).choose(asked(facts)) == best


def test_a_search_that_has_to_decide_uses_the_results_so_far() -> None:
    facts = one_choice("ab")
    info = asked(facts)
    hurried = info.with_chance(info.chance, enough=lambda: True)
    assert Pimc(5).choose(hurried) in ("a", "b")
    assert estimate(hurried, 5, info.chance).samples == (0, 0)
