"""Inference about the dealer from one seat's cards: likelihoods sum to one and agree with actual deals."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.core import FastChance
from games.hamsterdam.game import GAME
from games.hamsterdam.rules import STOCKS, HamsterdamState
from games.hamsterdam.suspicion import SeenRound, Suspicion, likelihood

LOW = [face for face in STOCKS if face[:-1] in ("A", "2", "3")]
HIGH = [face for face in STOCKS if face[:-1] in ("8", "9", "10")]


def test_an_honest_deal_draws_from_all_cards_and_a_stacked_one_from_the_range_of_each_seat() -> None:
    seen = SeenRound(seat=0, order=(0, 1, 2), traded=(), held=("2C",), shown={0: "2C", 1: "9D", 2: "AC"})
    assert likelihood(seen, None) == pytest.approx(1 / (20 * 19 * 18))
    assert likelihood(seen, 1) == pytest.approx(1 / (6 * 6 * 5))
    assert likelihood(seen, 0) == likelihood(seen, 2) == 0
    spectator = SeenRound(seat=3, order=(0, 1, 2), traded=(), held=(), shown={0: "2C", 1: "9D", 2: "AC"})
    for favourite in (None, 0, 1):
        assert likelihood(spectator, favourite) == likelihood(seen, favourite)


def test_an_honest_dealer_cannot_lose_a_card_that_a_seat_has_traded_away() -> None:
    # Seat 0 trades with seat 1. An honest dealer exchanges the cards; a cheating one deals the seat another card.
    real = SeenRound(seat=0, order=(0, 1, 2), traded=(0,), held=("2C", "9D"), shown={0: "9D", 1: "2C", 2: "AC"})
    assert likelihood(real, None) == pytest.approx(1 / (20 * 19 * 18))
    assert likelihood(real, 1) == 0
    fake = SeenRound(seat=0, order=(0, 1, 2), traded=(0,), held=("2C", "3D"), shown={0: "3D", 1: "9D", 2: "AC"})
    assert likelihood(fake, None) == 0
    assert likelihood(fake, 1) == pytest.approx(1 / (6 * 6 * 5 * 4))
    unmoved = SeenRound(seat=1, order=(0, 1, 2), traded=(0,), held=("9D", "9D"), shown={0: "3D", 1: "9D", 2: "AC"})
    assert likelihood(unmoved, None) == 0, "seat 1 still has its own card after the trade"
    assert likelihood(unmoved, 1) > 0


def test_cards_that_the_dealer_discards_unseen_are_summed_over() -> None:
    honest = SeenRound(seat=0, order=(0, 1), traded=(1,), held=("9C",), shown={0: "9C", 1: "4D"})
    assert likelihood(honest, None) == pytest.approx(1 / (20 * 19))
    stacked = SeenRound(seat=0, order=(0, 1), traded=(1,), held=("9C",), shown={0: "9C", 1: "2D"})
    assert likelihood(stacked, 0) == pytest.approx(1 / (6 * 6))


@pytest.mark.parametrize(("traded", "cards_held"), [((), 1), ((0,), 2), ((1,), 1), ((0, 1), 2)])
def test_the_likelihoods_of_all_possible_rounds_sum_to_one(traded: tuple[int, ...], cards_held: int) -> None:
    """Seen by seat 0 of two; seat 1 is the dealer and the favourite. ``cards_held``: by seat 0, one after the other."""
    total = 0.0
    for first in LOW:
        for after in LOW if cards_held == 2 else [first]:
            held = (first, after)[:cards_held]
            for face in HIGH:
                total += likelihood(SeenRound(0, (0, 1), traded, held, {0: held[-1], 1: face}), 1)
    assert total == pytest.approx(1)
    if cards_held == 1:
        honest = sum(
            likelihood(SeenRound(0, (0, 1), traded, (one,), {0: one, 1: other}), None)
            for one, other in permutations(STOCKS, 2)
        )
        assert honest == pytest.approx(1)


def play_market(state: HamsterdamState, seat: int, moves: list[str]) -> SeenRound:
    """Play the market of a round by these moves, and return what a seat has seen of it."""
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
        seen = play_market(state, number % seats, moves)
        assert likelihood(seen, rigged if rigged >= 0 else None) > 0, (number, seen)


def test_after_six_rounds_the_probability_of_a_stacked_deck_is_close_to_0_or_1() -> None:
    for rigged in (-1, 1):
        suspicion = Suspicion(3)
        assert suspicion.probability == 0.5
        for number in range(6):
            state = GAME.start(3, {"rigged": rigged}, FastChance(str(number)))
            suspicion.add(play_market(state, 0, ["keep", "keep", "keep"]))
        assert (suspicion.probability > 0.99) is (rigged == 1)
        assert (suspicion.probability < 0.01) is (rigged == -1)
