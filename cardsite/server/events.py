"""The events of the match server. The component that causes an event emits it and does not know its handlers.

``MatchServer`` lists the handlers of each event, also of the events of the apps below (``cardsite/events.py``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from cardsite.server.live import LiveMatch
from cardsite.server.protocol import ChatLine
from cardsite.server.room import Spectators

E = TypeVar("E")
Handler = Callable[[E], Awaitable[None] | None]


class MovePlayed(NamedTuple):
    """A move was committed and made in the copy.

    Emitted in the order of the moves, while the copy is locked. If a handler raises RulesFailed, the match is dropped.
    """

    live: LiveMatch
    made_here: bool  # else another process has committed it


class MatchEnded(NamedTuple):
    """A match has ended. Emitted after the last MovePlayed."""

    live: LiveMatch
    made_here: bool


class CopyLost(NamedTuple):
    """A copy was evicted because the database failed: the match may have more moves than were broadcast."""

    match: int


class OccupantsRead(NamedTuple):
    """The occupants of a match were read again, and may have changed."""

    match: int


class MatchUnwatched(NamedTuple):
    """No socket of this process is sent a match any more."""

    match: int


class PresenceChanged(NamedTuple):
    """The relay has stored who is at a table and who has left."""

    code: str


class SpectatorsChanged(NamedTuple):
    """The spectators of a table in this process have changed."""

    code: str
    spectators: Spectators
    new: bool  # this process does not know the numbers of the others yet


class ChatPosted(NamedTuple):
    """A chat message was stored."""

    code: str
    line: ChatLine


class Events:
    """The handlers of one match server."""

    def __init__(self) -> None:
        self._handlers: dict[type, tuple[Handler[Any], ...]] = {}

    def subscribe(self, kind: type[E], *handlers: Handler[E]) -> None:
        """Add handlers for the events of a type. They are called in this order."""
        self._handlers[kind] = (*self._handlers.get(kind, ()), *handlers)

    async def emit(self, event: object) -> None:
        """Call the handlers of an event one after the other. Passes on their exceptions."""
        for handler in self._handlers.get(type(event), ()):
            if (handling := handler(event)) is not None:
                await handling
