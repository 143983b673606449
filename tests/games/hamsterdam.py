"""Positions of Hamsterdam Exchange, laid out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import FastChance, Sight
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.rigged import RiggedDealer
from games.hamsterdam.rules import MODIFIERS, PACK, STOCKS, HamsterdamState
from tests.games.table import moves


def deal(
    stocks: Sequence[str],
    hands: Sequence[str] = (),
    *,
    dealer: int | None = None,
    certificates: Sequence[int] = (),
    top: str = "",
    favourite: int = -1,
    seed: str = "any",
) -> HamsterdamState:
    """Return a round just dealt. A seat with stock "" is out; ``hands`` are texts such as "4S 2H", missing ones empty.

    The last seat deals unless ``dealer`` says otherwise; ``top`` is the stock deck's top card.
    """
    seats = len(stocks)
    state = HamsterdamState(seats, FastChance(seed), HONEST if favourite < 0 else RiggedDealer(favourite))
    state.dealer = seats - 1 if dealer is None else dealer
    state.certificates = list(certificates) or [2 if stock else 0 for stock in stocks]
    state.survived = [int(stock != "" and "" in stocks) for stock in stocks]  # players without a stock were out before
    state.stock = list(stocks)
    state.hands = [(hands[seat] if seat < len(hands) else "").split() for seat in range(seats)]
    held = {face for hand in state.hands for face in hand}
    state.stock_deck = [face for face in STOCKS if face not in stocks and face != top] + ([top] if top else [])
    state.modifier_deck = [face for face in MODIFIERS if face not in held]
    state.sight = Sight(PACK, seats)
    for seat, stock in enumerate(stocks):
        for face in filter(None, [stock, *state.hands[seat]]):
            state.sight.show(face, seat)
    round_from_the_left = [place % seats for place in range(state.dealer + 1, state.dealer + 1 + seats)]
    if state.memory is not None:
        state.memory = [
            (*["" if place != seat else stocks[seat] for place in range(seats)], "") for seat in range(seats)
        ]
    state.order = [seat for seat in round_from_the_left if stocks[seat]]
    state.mover = state.order[0]
    state.log = []
    return state


def open_stocks(stocks: Sequence[str], hands: Sequence[str] = (), **layout: object) -> HamsterdamState:
    """Return the position after a market in which everybody kept: the first with a modifier is to adjust."""
    state = deal(stocks, hands, **layout)  # type: ignore[arg-type]
    moves(state, *["keep"] * sum(map(bool, stocks)))
    return state
