"""Copies of matches in a test's own process, without waiting for threads or workers."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from asgiref.sync import async_to_sync

from cardsite.server import live as live_module
from cardsite.server.live import LiveMatch
from cardsite.server.match_copy import MatchCopy
from games import core

T = TypeVar("T")


def load(match_id: int) -> LiveMatch:
    """As ``live.load``."""
    return async_to_sync(live_module.played)(live_module.read(match_id))


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that waits for nothing, as where the rules are played in this process."""
    try:
        work.send(None)
    except StopIteration as done:
        returned: T = done.value
        return returned
    raise AssertionError("It waits for something.")


def advance(live: LiveMatch, seat: int, move: str, by: str = "person", at: int = 0) -> None:
    """Make a move in a copy."""
    at_once(live.advance(seat, move, by, at))


def copy_of(live: LiveMatch) -> MatchCopy:
    """Return the copy of the rules of a match that is played in this process."""
    assert live.copy
    return live.copy


def rules_of(live: LiveMatch) -> core.Match:
    """Return a match that is played in this process by its rules."""
    return copy_of(live).match
