"""Positions of Hamsterdam Exchange, laid out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import FastChance
from games.hamsterdam.rigged import RiggedDealer
from games.hamsterdam.rules import HONEST, MODIFIERS, STOCKS, HamsterdamState
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
    state.stock = list(stocks)
    state.hands = [(hands[seat] if seat < len(hands) else "").split() for seat in range(seats)]
    held = {face for hand in state.hands for face in hand}
    state.stock_deck = [face for face in STOCKS if face not in stocks and face != top] + ([top] if top else [])
    state.modifier_deck = [face for face in MODIFIERS if face not in held]
    state.memory = [
        [stock if seat == place else "" for place, stock in enumerate([*stocks, ""])] for seat in range(seats)
    ]
    state.mover = next(seat % seats for seat in range(state.dealer + 1, 2 * seats) if stocks[seat % seats])
    state.lines = []
    return state


def open_stocks(stocks: Sequence[str], hands: Sequence[str] = (), **layout: object) -> HamsterdamState:
    """Return the position after a market in which everybody kept: the first with a modifier is to adjust."""
    state = deal(stocks, hands, **layout)  # type: ignore[arg-type]
    moves(state, *["keep"] * sum(map(bool, stocks)))
    return state
