"""A room's copy of its match for spectators with a delay: as the match was so long ago.

The copy is made of the stored moves that are old enough, so nothing newer is in memory that could be sent by mistake,
and every process arrives at the same position. There is one for each room, and it ends with the room.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from cardsite.database import in_thread
from cardsite.server.live import LiveMatch, load, now_ms
from cardsite.server.match_workers import workers
from cardsite.table.dropped import Dropped
from cardsite.table.models import Move
from games.core.match import UNPLAYABLE

LOOK_EVERY = 5.0  # seconds between two searches for new moves: less than any delay, so none is found too late
UNUSED = 0.4  # seconds between two looks whether a copy is needed now
MOST = 50  # moves that are read at once


class DelayedCopy:
    """The copy of one room, loaded when it is first needed."""

    def __init__(self) -> None:
        self._live: LiveMatch | None = None
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def held(self, match_id: int, delay: int) -> AsyncIterator[LiveMatch]:
        """Lock the copy of a match that is ``delay`` seconds behind: inside the block nothing changes it.

        Raises Match.DoesNotExist; Dropped if it cannot be shown.
        """
        async with self._lock:
            try:
                if self._live is None or (self._live.id, self._live.delay) != (match_id, 1000 * delay):
                    self.evict()
                    self._live = await load(match_id, 1000 * delay)
                yield self._live
            except UNPLAYABLE as error:
                self.evict()
                raise Dropped.by(error) from error
            except BaseException:
                self.evict()
                raise

    def evict(self) -> None:
        """Evict the copy, if there is one."""
        if self._live:
            workers.evict(self._live.key)
        self._live = None

    async def advance(self, send: Callable[[str], None]) -> float:
        """Make the moves that spectators may see by now, and ``send`` the message about each.

        Return the seconds until the next one, or until it is worth looking again. After an exception the copy is gone.
        """
        async with self._lock:
            live = self._live
            if live is None:
                return UNUSED
            try:
                moves = await in_thread(_moves_after)(live.id, live.version)
                for move in moves:
                    if (early := move.at + live.delay - now_ms()) > 0:
                        return min(LOOK_EVERY, early / 1000)
                    await live.follow(move)
                    message = (await live.move_messages([None]))[None]
                    if self._live is not live:  # evicted meanwhile
                        return 0.0
                    send(message)
            except BaseException:
                self.evict()
                raise
            return LOOK_EVERY if len(moves) < MOST else 0.0


def _moves_after(match_id: int, ply: int) -> list[Move]:
    return list(Move.objects.filter(match=match_id, ply__gt=ply).order_by("ply")[:MOST])
