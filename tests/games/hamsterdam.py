"""Positions of Hamsterdam Exchange, laid out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import FastChance, IllegalMove
from games.core.view import Zone, plain
from games.hamsterdam.rigged import RiggedDealer
from games.hamsterdam.rules import HONEST, MODIFIERS, STOCKS, HamsterdamState

NAMES = ["Anna", "Bob", "Cleo", "Dirk", "Els", "Floor"]


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


def moves(state: HamsterdamState, *texts: str) -> None:
    """Make moves, each by whoever is to act."""
    for text in texts:
        state.play(state.mover, text)


def refusal(state: HamsterdamState, move: str) -> str:
    """Return why the player to act may not make a move."""
    try:
        state.play(state.mover, move)
    except IllegalMove as error:
        return str(error)
    raise AssertionError(f"{move!r} was allowed")


def log(state: HamsterdamState, audience: int | None = None) -> list[str]:
    """Return the lines since the log was last taken that an audience may read, and take them."""
    lines, state.lines = state.lines or [], []
    return [plain(line["text"], NAMES) for line in lines if line.get("only", audience) == audience]


def zone(state: HamsterdamState, audience: int | None, name: str) -> Zone:
    """Return a zone as an audience sees it."""
    return next(zone for zone in state.view(audience)["zones"] if zone["id"] == name)


def faces(state: HamsterdamState, audience: int | None, name: str) -> list[str]:
    """Return the faces in a zone as an audience sees them, "?" for what lies face down."""
    return [piece.get("face", "?") for piece in zone(state, audience, name)["pieces"]]
