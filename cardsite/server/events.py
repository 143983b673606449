"""What happens in the match server. Whoever causes an event emits it, and does not know who handles it.

``MatchServer`` lists who handles which event; those of the apps below are among them (``cardsite/events.py``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from cardsite.server.live import LiveMatch
from cardsite.server.protocol import ChatLine

E = TypeVar("E")
Handler = Callable[[E], Awaitable[None] | None]


class MovePlayed(NamedTuple):
    """A copy has one more move, and it is committed.

    Emitted in the order of the moves. The copy is locked meanwhile, and RulesFailed of a handler drops the match.
    """

    live: LiveMatch
    made_here: bool  # else another process has committed it


class MatchEnded(NamedTuple):
    """A copy has had its last move. Emitted after MovePlayed."""

    live: LiveMatch
    made_here: bool


class CopyLost(NamedTuple):
    """A copy was evicted since the database failed: it may have more moves than were broadcast."""

    match: int


class OccupantsRead(NamedTuple):
    """Who decides for the seats of a match was read again, and may have changed."""

    match: int


class MatchUnwatched(NamedTuple):
    """No connection of this process is shown a match any more."""

    match: int


class PresenceChanged(NamedTuple):
    """The relay has stored who is at a table and who has left."""

    code: str


class SpectatorsChanged(NamedTuple):
    """How many people watch a table by way of this process."""

    code: str
    spectators: int
    new: bool  # this process does not know yet how many do by way of the others


class ChatPosted(NamedTuple):
    """Somebody has said something, and it is stored."""

    code: str
    line: ChatLine


class Events:
    """The handlers of one match server."""

    def __init__(self) -> None:
        self._handlers: dict[type, tuple[Handler[Any], ...]] = {}

    def subscribe(self, kind: type[E], *handlers: Handler[E]) -> None:
        """Have functions handle the events of a type, in this order."""
        self._handlers[kind] = (*self._handlers.get(kind, ()), *handlers)

    async def emit(self, event: object) -> None:
        """Return when each handler in turn has handled an event. Raises what one of them raises."""
        for handler in self._handlers.get(type(event), ()):
            if (handling := handler(event)) is not None:
                await handling
