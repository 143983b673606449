"""Whose turn it is in matches that may wait for days: stored at each change, for lists of one's turns."""

from __future__ import annotations

from datetime import datetime

import structlog

from cardsite.database import in_thread
from cardsite.lobby.services.presence import do_note_turns
from cardsite.server.live import LiveMatch
from cardsite.server.tasks import Tasks

log = structlog.get_logger(__name__)


class Turns:
    """Stores whose turn it is in the matches that this process runs."""

    def __init__(self) -> None:
        self._turns: dict[int, dict[int, datetime | None]] = {}  # by match, as stored or about to be
        self._writing: set[int] = set()
        self._tasks = Tasks()

    def note(self, live: LiveMatch) -> None:
        """Store whose turn it is, if that has changed. Nothing is stored of a match that cannot wait for days."""
        turns = live.turns
        if turns is None and live.id not in self._turns:
            return
        if self._turns.get(live.id) == (turns := turns or {}):
            return
        self._turns[live.id] = turns
        if live.id not in self._writing:
            self._writing.add(live.id)
            self._tasks.spawn(self._write(live.id, live.table_id))

    def forget(self, match_id: int) -> None:
        """Forget what was stored of a match that has ended, or that another process may run next."""
        if match_id not in self._writing:
            self._turns.pop(match_id, None)

    async def _write(self, match_id: int, table_id: int) -> None:
        """Store the turns of a match, and again while they have changed meanwhile."""
        written: dict[int, datetime | None] | None = None
        try:
            while (turns := self._turns[match_id]) != written:
                await in_thread(do_note_turns)(table_id, turns)
                written = turns
            if not written:
                del self._turns[match_id]
        except Exception:
            log.exception("turns were not stored", match=match_id)
            self._turns.pop(match_id, None)  # the next change stores them again
        finally:
            self._writing.discard(match_id)

    def close(self) -> None:
        """Stop."""
        self._tasks.cancel()
