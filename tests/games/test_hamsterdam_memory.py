"""What a bot of Hamsterdam Exchange remembers at each of its decisions, held against a second bookkeeping of trades.

The golden playthroughs hold no observations, so a bot that forgot, or knew too much, would not show there.
"""

from __future__ import annotations

import random

import pytest

from games.core import FastChance
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.rules import HamsterdamState
from tests.games.hamsterdam import deal
from tests.games.table import moves
from tests.tiers import is_full

GONE = -1  # the place of a card that the dealer has laid aside


class Notebook:
    """What one seat can place, by what it was dealt and by the trades that everybody sees."""

    def __init__(self, state: HamsterdamState, me: int) -> None:
        self.me = me
        self.places: dict[str, int] = {}
        self.look(state)

    def look(self, state: HamsterdamState) -> None:
        """Look at one's own stock."""
        if state.stock[self.me]:
            self.places[state.stock[self.me]] = self.me

    def learn_of_a_trade(self, state: HamsterdamState, seat: int, left: int) -> None:
        """Cards have changed places; both players look at their new one."""
        self.places = {
            face: left if place == seat else seat if place == left and left != GONE else place
            for face, place in self.places.items()
        }
        if self.me in (seat, left):
            self.look(state)

    def remembers(self, seats: int) -> tuple[str, ...]:
        """Return the stock it can name at each place."""
        at = {place: face for face, place in self.places.items()}
        return tuple(at.get(seat, "") for seat in range(seats))


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_seat_remembers_just_what_it_held_and_gave_away_wherever_trades_have_carried_it(seats: int) -> None:
    for seed in range(40 if is_full() else 4):
        check_memory(seats, seed)


def check_memory(seats: int, seed: int) -> None:
    """Play some rounds at random and compare what each seat remembers with its notebook."""
    dice = random.Random(f"{seats} {seed}")
    state = HamsterdamState(seats, FastChance(f"memory {seats} {seed}"), HONEST)
    books: list[Notebook] = []
    number = 0
    while not state.over and number < 6:
        if state.round != number:
            number = state.round
            books = [Notebook(state, me) for me in range(seats)]
        seat = state.mover
        if state.phase == "market":
            for looker, book in enumerate(books):
                assert state.observe(looker).remembers == book.remembers(seats)
            assert state.observe(None).remembers == ("",) * seats
            move = dice.choice(["trade", "trade", "keep"])
            left = GONE if seat == state.dealer else state.order[state.order.index(seat) + 1]
            state.apply(seat, move)
            if move == "trade" and state.round == number:
                for book in books:
                    book.learn_of_a_trade(state, seat, left)
        else:
            assert state.observe(seat).remembers == tuple(state.stock)
            for face in state.discard:
                knows = books[seat].places.get(face) == GONE
                samples = {state.determinize(seat, FastChance(f"{n}")).discard[0] for n in range(12)}
                assert (samples == {face}) is knows
            state.apply(seat, dice.choice(state.legal_moves(seat)))


def test_a_player_who_gave_the_dealer_a_card_knows_it_on_the_discard_pile_and_others_do_not() -> None:
    """Seat 1 gave the dealer the 2 of clubs, which the dealer laid aside; seat 0 never saw it."""
    state = deal(["9C", "2C", "7D"], ["4S", "2S", "3H"])
    moves(state, "keep", "trade")
    assert state.observe(1).remembers == ("", "7D", "2C")
    assert state.observe(2).remembers == ("", "7D", "2C")
    moves(state, "trade")
    assert state.observe(1).remembers == tuple(state.stock)
    aside = [{state.determinize(seat, FastChance(f"{n}")).discard[0] for n in range(30)} for seat in range(state.seats)]
    assert aside[1] == aside[2] == {"2C"}
    assert len(aside[0]) > 5


def test_a_neighbours_trade_carries_along_what_a_third_one_remembers() -> None:
    """Seat 0 gave seat 1 the 2 of clubs; seat 1 hands it on to seat 2 at once, and both 0 and 1 know where it lies."""
    state = deal(["2C", "9C", "7D", "8D"])
    moves(state, "trade", "trade")
    assert state.observe(0).remembers == ("9C", "", "2C", "")
    assert state.observe(1).remembers == ("9C", "7D", "2C", "")
    assert state.observe(2).remembers == ("", "7D", "2C", "")
    assert state.observe(3).remembers == ("", "", "", "8D")
