"""A room's copy of its match for spectators with a delay: the match as they may know it.

The copy is made of the stored moves that spectators may see, so nothing newer is in memory that could be sent by
mistake, and every process arrives at the same position. There is one for each room, and it ends with the room.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from cardsite.database import in_thread
from cardsite.lobby.games import UNTIL_DEAL_ENDS
from cardsite.server.live import LiveMatch, load, now_ms
from cardsite.server.match_workers import workers
from cardsite.table.dropped import Dropped
from cardsite.table.models import Move
from games.core.match import UNPLAYABLE

LOOK_EVERY = 5.0  # seconds between two searches for new moves: less than any delay, so none is found too late
UNUSED = 0.4  # seconds between two looks whether a copy is needed now
MOST = 10  # moves that are sent at once: those of a whole deal would be too much for a slow connection
PAUSE = 0.2  # seconds until the next ones


class DelayedCopy:
    """The copy of one room, loaded when it is first needed."""

    def __init__(self) -> None:
        self._live: LiveMatch | None = None
        self._lock = asyncio.Lock()
        self._settled = 0, 0  # a match, and how many of its moves spectators may see if they see deals that have ended

    def settle(self, match_id: int, plies: int) -> None:
        """Note how many moves of a match spectators may see, if they see each deal when it has ended."""
        self._settled = match_id, plies

    def _settled_of(self, match_id: int) -> int:
        noted, plies = self._settled
        return plies if noted == match_id else 0  # it may be that of the match before

    @asynccontextmanager
    async def held(self, match_id: int) -> AsyncIterator[LiveMatch]:
        """Lock the copy of a match as spectators know it: inside the block nothing changes it.

        Raises Match.DoesNotExist; Dropped if it cannot be shown.
        """
        async with self._lock:
            try:
                if self._live is None or self._live.id != match_id:
                    self.evict()
                    self._live = await load(match_id, delayed=True, settled=self._settled_of(match_id))
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
                    if (early := self._early(live, move)) > 0:
                        return early
                    await live.follow(move)
                    message = (await live.move_messages([None]))[None]
                    if self._live is not live:  # evicted meanwhile
                        return 0.0
                    send(message)
            except BaseException:
                self.evict()
                raise
            return LOOK_EVERY if len(moves) < MOST else PAUSE

    def _early(self, live: LiveMatch, move: Move) -> float:
        """Return the seconds until spectators may see a move, or until it is worth looking again; 0: they may now."""
        if live.delay >= UNTIL_DEAL_ENDS:
            return LOOK_EVERY if move.ply > self._settled_of(live.id) else 0.0
        return max(0.0, min(LOOK_EVERY, (move.at - now_ms()) / 1000 + live.delay))


def _moves_after(match_id: int, ply: int) -> list[Move]:
    return list(Move.objects.filter(match=match_id, ply__gt=ply).order_by("ply")[:MOST])
