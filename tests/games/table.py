"""Playing by hand at any table, and looking at it as one audience does."""

from __future__ import annotations

from typing import Any

from games.core import IllegalMove, State
from games.core.view import Zone, plain

NAMES = ["Anna", "Bob", "Cleo", "Dirk", "Els", "Floor"]


def moves(state: State[Any], *texts: str) -> None:
    """Make moves, each by whoever is to act."""
    for text in texts:
        state.play(state.to_act()[0], text)


def refusal(state: State[Any], move: str) -> str:
    """Return why the player to act may not make a move."""
    try:
        state.play(state.to_act()[0], move)
    except IllegalMove as error:
        return str(error)
    raise AssertionError(f"{move!r} was allowed")


def log(state: State[Any], audience: int | None = None) -> list[str]:
    """Return the lines since the log was last taken that an audience may read, and take them."""
    lines, state.lines = state.lines or [], []
    return [plain(line["text"], NAMES) for line in lines if line.get("only", audience) == audience]


def zone(state: State[Any], audience: int | None, name: str) -> Zone:
    """Return a zone as an audience sees it."""
    return next(zone for zone in state.view(audience)["zones"] if zone["id"] == name)


def faces(state: State[Any], audience: int | None, name: str) -> list[str]:
    """Return the faces in a zone as an audience sees them, "?" for what lies face down."""
    return [piece.get("face", "?") for piece in zone(state, audience, name)["pieces"]]
