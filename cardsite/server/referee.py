"""The referee, the only writer of moves: checks a move, makes it in the copy, commits it, then emits MovePlayed.

Rules may fail in any call. Then the copy is evicted, so that nobody sees a half-made move, and the match is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

import structlog
from django.utils.translation import gettext as _

from cardsite.database import in_thread
from cardsite.refusal import Refused
from cardsite.server.events import CopyLost, Events, MatchEnded, MovePlayed, OccupantsRead
from cardsite.server.ledger import Ledger, NewMove
from cardsite.server.live import LiveMatch, SeatDecider, load, now_ms
from cardsite.server.match_workers import workers
from cardsite.table.dropped import Dropped
from cardsite.table.models import Match
from cardsite.table.moves import PlyTaken, moves_after
from cardsite.table.services.matches import do_drop_match, do_end_match
from cardsite.translations import detail_or
from games.core import IllegalMove
from games.core.match import UNPLAYABLE
from games.core.moves import LONGEST_MOVE
from games.core.view import Sentence

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class StoredMove:
    """The ply of a stored move, and whether it was stored before."""

    version: int
    again: bool


class Referee:
    """Keeps this process's copies of matches and changes them, one move at a time."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._ledger = Ledger()
        self.lives: dict[int, LiveMatch] = {}
        self._loading: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # by match

    async def live(self, match_id: int) -> LiveMatch:
        """Return the copy of a match, loading it when needed. Raises Match.DoesNotExist.

        Raises Dropped for a match that its rules cannot continue or, if it is over, cannot show. A running match is
        dropped then.
        """
        while match_id not in self.lives:
            # One at a time: many sockets may be waiting for the same match.
            async with self._loading.setdefault(match_id, asyncio.Lock()):
                if match_id not in self.lives:
                    async with self.rules_of(match_id):
                        self.lives[match_id] = await load(match_id)
        return self.lives[match_id]

    def evict(self, match_id: int) -> None:
        """Evict a copy."""
        self.lives.pop(match_id, None)
        workers.evict(match_id)

    @asynccontextmanager
    async def rules_of(self, match_id: int) -> AsyncIterator[None]:
        """Drop a match when its rules fail inside the block. Raises Dropped then."""
        try:
            yield
        except (Dropped, *UNPLAYABLE) as error:
            self.evict(match_id)
            dropped = Dropped.by(error)
            await in_thread(do_drop_match)(match_id, dropped)
            self.evict(match_id)  # again: it may have been loaded before it was dropped
            raise dropped from error

    @asynccontextmanager
    async def held(self, match_id: int) -> AsyncIterator[LiveMatch]:
        """Lock the copy of a match: inside the block nothing changes it, and all its moves are committed.

        Raises Match.DoesNotExist; Dropped, as ``live`` and ``rules_of`` do.
        """
        while True:
            live = await self.live(match_id)
            async with live.lock:
                if self.lives.get(match_id) is not live:
                    continue  # evicted while we waited, and perhaps invalid
                async with self.rules_of(match_id):
                    yield live
                return

    async def do_move(self, match_id: int, seat: int, decision: int, move: str, by: str = "person") -> StoredMove:
        """Make a move and commit it. ``decision`` counts the seat's own decisions: repeating one changes nothing.

        Raises Refused, with a code and a sentence: Dropped when the rules fail.
        """
        if by == "person" and len(move) > LONGEST_MOVE:
            raise Refused("illegal", _("A move has at most %(n)d characters.") % {"n": LONGEST_MOVE})
        while True:
            async with self.held(match_id) as live:
                if earlier := _decided(live, seat, decision, move):
                    return earlier
                if live.conceded:
                    raise Refused("over", _("The match is over."))
                if await self._make(live, seat, move, "forced" if seat in live.must_pass else by):
                    return StoredMove(live.version, again=False)

    async def _make(self, live: LiveMatch, seat: int, move: str, by: str) -> bool:
        """Make a move. Return whether it was stored; if not, another process was faster, and the copy has its move."""
        at = now_ms()
        stored = True
        try:
            await live.advance(seat, move, by, at)
            end = await live.end() if live.over else ()
            ending = partial(do_end_match, live.id, live.table_id, *end, live.deciders()) if end else None
            try:
                await self._ledger.append(NewMove(live.id, live.version, seat, move, by, at), ending)
            except PlyTaken:
                live.replace_with(await load(live.id))
                stored = False
        except IllegalMove as refusal:
            if live.over:
                raise Refused("over", _("The match is over.")) from refusal
            detail = detail_or(refusal, _("You cannot make this move now."), live.game)
            raise Refused("illegal", detail) from refusal
        except BaseException as error:
            # The move may be stored or not, or the rules were interrupted.
            await self._lost(live.id, error)
            raise
        await self._played(live, made_here=stored)
        return stored

    async def _played(self, live: LiveMatch, *, made_here: bool) -> None:
        """Emit MovePlayed. Raises RulesFailed when the move cannot be shown."""
        await self._events.emit(MovePlayed(live, made_here))
        if live.over:
            await self._events.emit(MatchEnded(live, made_here))

    async def why_not(self, match_id: int, seat: int, touched: str) -> Sentence | None:
        """Return why something on the table is not in any legal move of ``seat``; None: the game does not say.

        Raises Match.DoesNotExist; Dropped, as ``live`` does.
        """
        async with self.held(match_id) as live:
            return await live.why_not(seat, touched)

    async def catch_up(self, match_id: int, ply: int | None = None) -> None:
        """Bring our copy of a match, if we have one, to ``ply``, which another process committed; None: to the last.

        Raises Dropped.
        """
        live = self.lives.get(match_id)
        if live is None or (ply is not None and live.version >= ply):
            return
        async with self.held(match_id) as live:
            if ply is not None and live.version >= ply:
                return
            try:
                for move in await in_thread(moves_after)(match_id, live.version):
                    await live.follow(move)
                    await self._played(live, made_here=False)
            except BaseException as error:
                await self._lost(match_id, error)
                raise

    async def _lost(self, match_id: int, error: BaseException) -> None:
        """Evict a copy. Emit CopyLost unless its rules have failed: then the match is dropped and must not be read."""
        self.evict(match_id)
        if not isinstance(error, (Dropped, *UNPLAYABLE)):
            await self._events.emit(CopyLost(match_id))

    async def update_occupants(self, match_id: int, occupants: list[SeatDecider]) -> None:
        """Update the occupants of our copy of a match, if we have one."""
        if live := self.lives.get(match_id):
            live.update_occupants(occupants)
        await self._events.emit(OccupantsRead(match_id))

    async def resync_clocks(self, match_id: int) -> bool:
        """Set the clocks of our copy of a match, if we have one, from the database, with clock compensation.

        Return whether that changed anything. Raises Match.DoesNotExist, Dropped.
        """
        live = self.lives.get(match_id)
        if live is None or not await in_thread(_is_compensated)(match_id):
            return False
        async with self.rules_of(match_id):
            fresh = await load(match_id)
        await self.catch_up(match_id, fresh.version)
        async with live.lock:
            if live.version != fresh.version:
                return False
            before = live.since
            live.since = {seat: max(at, before.get(seat, at)) for seat, at in fresh.since.items()}
            return live.since != before


def _is_compensated(match_id: int) -> bool:
    return Match.objects.values_list("compensation_ms", flat=True).get(pk=match_id) > 0


def _decided(live: LiveMatch, seat: int, decision: int, move: str) -> StoredMove | None:
    """Return the outcome of a decision that was made before, None for one that is to be made now. Raises Refused."""
    if not 0 <= seat < len(live.decisions):
        raise Refused("no_seat", _("This match has no such seat."))
    made = live.decisions[seat]
    if decision == made:
        return None
    if decision > made:
        raise Refused("ahead", _("The table has not loaded yet. Reload the page."))
    if decision < 0:
        raise Refused("stale", _("Decision numbers start at 0. Send the number that came with the view."))
    ply, earlier, by = live.decision_of(seat, decision)
    if earlier == move:
        return StoredMove(ply, again=True)
    if by in ("clock", "away"):
        raise Refused("too_late", _("Your time was up, so the house decided for you. Look at the table and continue."))
    raise Refused("stale", _("You have already made this decision. Look at the table and continue."))
