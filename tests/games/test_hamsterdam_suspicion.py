"""What one seat's cards say about the dealer: likelihoods add up, and agree with what the dealers really deal."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.core import FastChance
from games.hamsterdam.game import GAME
from games.hamsterdam.rules import STOCKS, HamsterdamState
from games.hamsterdam.suspicion import SeenRound, Suspicion, likelihood

LOW = [face for face in STOCKS if face[:-1] in ("A", "2", "3")]
HIGH = [face for face in STOCKS if face[:-1] in ("8", "9", "10")]


def test_cards_of_an_honest_deal_are_all_alike_and_those_of_a_stacked_one_come_from_its_ranges() -> None:
    seen = SeenRound(0, (0, 1, 2), (), ("2C",), {0: "2C", 1: "9D", 2: "AC"})
    assert likelihood(seen, None) == pytest.approx(1 / (20 * 19 * 18))
    assert likelihood(seen, 1) == pytest.approx(1 / (6 * 6 * 5))
    assert likelihood(seen, 0) == likelihood(seen, 2) == 0
    spectator = SeenRound(3, (0, 1, 2), (), (), {0: "2C", 1: "9D", 2: "AC"})
    assert [likelihood(spectator, each) for each in (None, 0, 1)] == [likelihood(seen, each) for each in (None, 0, 1)]


def test_the_card_one_gave_away_that_is_not_there_is_impossible_at_an_honest_table() -> None:
    real = SeenRound(0, (0, 1, 2), (0,), ("2C", "9D"), {0: "9D", 1: "2C", 2: "AC"})
    assert likelihood(real, None) == pytest.approx(1 / (20 * 19 * 18))
    assert likelihood(real, 1) == 0
    fake = SeenRound(0, (0, 1, 2), (0,), ("2C", "3D"), {0: "3D", 1: "9D", 2: "AC"})
    assert likelihood(fake, None) == 0
    assert likelihood(fake, 1) == pytest.approx(1 / (6 * 6 * 5 * 4))
    unmoved = SeenRound(1, (0, 1, 2), (0,), ("9D", "9D"), {0: "3D", 1: "9D", 2: "AC"})
    assert likelihood(unmoved, None) == 0, "it knows that its stock is now the one it had"
    assert likelihood(unmoved, 1) > 0


def test_unseen_discards_of_the_dealer_are_summed_over() -> None:
    seen = SeenRound(0, (0, 1), (1,), ("9C",), {0: "9C", 1: "4D"})
    assert likelihood(seen, None) == pytest.approx(1 / (20 * 19))
    assert likelihood(SeenRound(0, (0, 1), (1,), ("9C",), {0: "9C", 1: "2D"}), 0) == pytest.approx(1 / (6 * 6))


@pytest.mark.parametrize(("traded", "looks"), [((), 1), ((0,), 2), ((1,), 1), ((0, 1), 2)])
def test_the_likelihoods_of_all_that_can_be_seen_add_up_to_one(traded: tuple[int, ...], looks: int) -> None:
    """Two seats, the second the dealer and the favourite: who sees three cards at most."""
    total = 0.0
    for first in LOW:
        for after in LOW if looks == 2 else [first]:
            held = (first, after)[:looks]
            total += sum(likelihood(SeenRound(0, (0, 1), traded, held, {0: held[-1], 1: face}), 1) for face in HIGH)
    assert total == pytest.approx(1)
    if looks == 1:
        honest = sum(
            likelihood(SeenRound(0, (0, 1), traded, (one,), {0: one, 1: other}), None)
            for one, other in permutations(STOCKS, 2)
        )
        assert honest == pytest.approx(1)


def watch_markets(state: HamsterdamState, seat: int, moves: list[str]) -> SeenRound:
    """Play the market of a round by these moves, and return what a seat saw of it."""
    held, traded = [state.stock[seat]], []
    for move in moves:
        mover = state.mover
        place = state.order.index(mover)
        touched = (mover, state.order[place + 1]) if place + 1 < len(state.order) else (mover,)
        state.apply(mover, move)
        if move == "trade":
            traded.append(mover)
            if seat in touched:
                held.append(state.observe(seat).stock[seat])
    shown = {other: state.observe(seat).stock[other] for other in state.order}
    return SeenRound(seat, tuple(state.order), tuple(traded), tuple(held), shown)


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("rigged", [-1, 1])
def test_every_actual_deal_has_a_positive_likelihood(seats: int, rigged: int) -> None:
    for number in range(120):
        state = GAME.start(seats, {"rigged": rigged}, FastChance(str(number)))
        choices = FastChance(f"{number}/choices")
        moves = [choices.choice(["keep", "trade"]) for _ in range(seats)]
        seen = watch_markets(state, number % seats, moves)
        assert likelihood(seen, rigged if rigged >= 0 else None) > 0, (number, seen)


def test_suspicion_converges_to_the_truth() -> None:
    for rigged in (-1, 1):
        suspicion = Suspicion(3)
        assert suspicion.sure == 0.5
        for number in range(6):
            state = GAME.start(3, {"rigged": rigged}, FastChance(str(number)))
            suspicion.see(watch_markets(state, 0, ["keep", "keep", "keep"]))
        assert (suspicion.sure > 0.99) is (rigged == 1)
        assert (suspicion.sure < 0.01) is (rigged == -1)
