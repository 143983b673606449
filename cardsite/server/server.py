"""The match server: all that runs in a process besides its pages, and which part handles which event."""

from __future__ import annotations

import asyncio
import secrets
from contextvars import Context

import structlog
from django.conf import settings

from cardsite.events import (
    CredentialsChanged,
    MatchStarted,
    ModerationChanged,
    TableChanged,
    after_commit,
)
from cardsite.server.bots import BotPool
from cardsite.server.cluster import Cluster
from cardsite.server.connections import Arrivals
from cardsite.server.events import (
    ChatPosted,
    CopyLost,
    Events,
    MatchEnded,
    MatchUnwatched,
    MovePlayed,
    OccupantsRead,
    PresenceChanged,
    SpectatorsChanged,
)
from cardsite.server.referee import Referee
from cardsite.server.relay import Relay
from cardsite.server.scheduler import Scheduler
from cardsite.server.tasks import Tasks
from cardsite.table import tidy

CHECK_CREDENTIALS_EVERY = 60.0  # seconds between two checks of all sessions and tokens
STORE_PRESENCE_EVERY = 10.0  # seconds between two writes of who is still here; less than ``HERE``
EVICT_EVERY = 30.0  # seconds between two searches for unused copies of matches
# Events of the apps that are handled here.
FROM_APPS = (TableChanged, MatchStarted, CredentialsChanged, ModerationChanged)
log = structlog.get_logger(__name__)


class MatchServer:
    """The parts of the match server in this process. ``cardsite.asgi`` opens it on the event loop that it runs on."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self.events = Events()
        self.referee = Referee(self.events)
        self.relay = Relay(self.referee, self.events)
        self.scheduler = Scheduler(self.name, self.referee, self.events, BotPool(settings.BOT_WORKERS), BotPool(1))
        self.cluster = Cluster(self.name, self.referee, self.relay)
        self.arrivals = Arrivals()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks = Tasks()
        self._subscribe()

    def _subscribe(self) -> None:
        """Subscribe the handlers of each event, in their order."""
        on, relay, scheduler, notify = self.events.subscribe, self.relay, self.scheduler, self.cluster.notify
        on(MovePlayed, scheduler.on_move_played, notify, relay.on_move_played)
        on(MatchEnded, notify, relay.on_match_ended)
        on(CopyLost, relay.on_copy_lost)
        on(MatchStarted, scheduler.on_match_started)
        on(MatchUnwatched, self._on_match_unwatched)
        on(OccupantsRead, scheduler.on_occupants_read)
        on(TableChanged, notify, relay.on_table_changed)
        on(PresenceChanged, notify)
        on(SpectatorsChanged, notify)
        on(ChatPosted, relay.on_chat_posted, notify)
        on(CredentialsChanged, notify, relay.on_credentials_changed)
        on(ModerationChanged, notify, relay.on_moderation_changed)

    def open(self) -> None:
        """Start the background tasks, unless they have been started."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        for kind in FROM_APPS:
            after_commit.connect(self._on_commit, sender=kind)
        self.cluster.open()
        for work in (
            self.scheduler.run(),
            self._store_presence(),
            self._check_all_credentials(),
            self._evict_unused(),
            tidy.run_periodically(),
        ):
            self._tasks.spawn(work, Context())
        log.info("match server is open", process=self.name)

    async def close(self) -> None:
        """Stop: leave the cluster, close the sockets and end the bot processes."""
        if self._loop is None:
            return
        for kind in FROM_APPS:
            after_commit.disconnect(self._on_commit, sender=kind)
        self._tasks.cancel()
        self.relay.close()
        self.cluster.close()
        await self.scheduler.close()
        self._loop = None

    def _on_commit(self, sender: object, event: object, **_: object) -> None:
        """Emit an event that an app has published, from any thread."""
        if self._loop is not None:
            # In a new context: otherwise this work would inherit the context variables of the page that caused it, such
            # as whom to charge for it.
            self._loop.call_soon_threadsafe(self._emit, event, context=Context())

    def _emit(self, event: object) -> None:
        self._tasks.spawn(self.events.emit(event))

    def _on_match_unwatched(self, event: MatchUnwatched) -> None:
        if event.match not in self.scheduler.running:
            self.referee.evict(event.match)

    async def _evict_unused(self) -> None:
        """Evict copies of matches that nobody uses: a connection may have ended while its copy was being loaded."""
        while True:
            await asyncio.sleep(EVICT_EVERY)
            shown = {room.info.match for room in self.relay.rooms.values()}
            for match_id, live in list(self.referee.lives.items()):
                if match_id not in shown and match_id not in self.scheduler.running and not live.lock.locked():
                    self.referee.evict(match_id)

    async def _check_all_credentials(self) -> None:
        """Check all sessions and tokens periodically: notices can be lost, and management commands send none."""
        while True:
            await asyncio.sleep(CHECK_CREDENTIALS_EVERY)
            for room in list(self.relay.rooms.values()):
                for socket in list(room.sockets):
                    try:
                        await self.relay.check_credentials(socket)
                    except Exception:
                        log.exception("could not look up a person", person=socket.person)

    async def _store_presence(self) -> None:
        """Store periodically who is still here."""
        while True:
            await asyncio.sleep(STORE_PRESENCE_EVERY)
            try:
                await self.relay.still_here()
            except Exception:
                log.exception("could not record presence")


match_server = MatchServer()
