"""What runs in each process beside its pages: referee, relay, keeper, and the line to the other processes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import Context
from typing import Any

import msgspec
import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from django.db.models import Max

from cardsite.database import in_thread
from cardsite.events import after_commit
from cardsite.lobby.events import TableChanged
from cardsite.lobby.models import Table
from cardsite.people.events import ProofsChanged
from cardsite.refusal import Refused
from cardsite.server.bots import BotPool
from cardsite.server.clock import Scheduler
from cardsite.server.live import LiveMatch, now_ms
from cardsite.server.notifications import Notifications
from cardsite.server.protocol import ChatLine
from cardsite.server.referee import Referee
from cardsite.server.relay import Relay
from cardsite.server.table_info import read_chats
from cardsite.table import tidy
from cardsite.table.models import Move

GROUP = "house"
OUTBOX = 1000  # notices that may wait for Redis; beyond that they are dropped
LOOK = 5.0  # seconds after which a notice that was lost is made good
PROVE = 60.0  # seconds between two looks at who all sockets belong to
AGAIN = 1.0  # seconds after which a table that could not be read is read again
EVICT_EVERY = 30.0  # seconds between two looks for copies that nobody needs
OVERLAP = 10_000  # milliseconds of chat before the line was lost that are told again: clocks of processes differ
log = structlog.get_logger(__name__)


class MatchServer:
    """Opens on the first event that the ASGI server hands in, on that event loop; then runs until the process ends."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self.referee = Referee(self._played)
        self.relay = Relay(self.referee, self.name, self._notify, self._unwatched)
        self.scheduler = Scheduler(self.name, self.referee, BotPool(settings.BOT_WORKERS), BotPool(1))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._changing: set[str] = set()  # tables that are to be read again as soon as the loop gets to it
        self._behind: set[int] = set()  # matches of which moves may have been missed
        self._layer: Any = None
        self._beat = self._heard = 0  # our last notice to ourselves, and the last that came back
        self._heard_at = now_ms()
        self._notifications: Notifications

    def open(self) -> None:
        """Begin, unless begun."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        after_commit.connect(self._table_changed, sender=TableChanged)
        after_commit.connect(self._proofs_changed, sender=ProofsChanged)
        # With the in-memory layer there is no other process to tell.
        self._layer = get_channel_layer() if settings.REDIS_URL else None
        self._notifications = Notifications(OUTBOX)
        work = [
            self.scheduler.run(),
            self._presence(),
            self._prove_all(),
            self._evict_unused(),
            tidy.rounds(),
            *([self._listen(), self._send(), self._look()] if self._layer else []),
        ]
        self._tasks = [asyncio.create_task(each, context=Context()) for each in work]
        log.info("house is open", process=self.name)

    async def close(self) -> None:
        """End tidily: sign out, let the bots go."""
        if self._loop is None:
            return
        for task in self._tasks:
            task.cancel()
        after_commit.disconnect(self._table_changed, sender=TableChanged)
        after_commit.disconnect(self._proofs_changed, sender=ProofsChanged)
        await self.scheduler.close()
        self._loop = None
        self._changing.clear()

    # -- this process tells

    async def _played(self, live: LiveMatch, made_here: bool) -> None:
        """A copy has one more ply. Raises RulesFailed when it cannot be shown."""
        self.scheduler.consider(live)
        if made_here:
            await self._notify({"kind": "ply", "match": live.id, "ply": live.version})
        await self.relay.ply(live)
        if live.over:
            if live.code not in self.relay.rooms:
                self.referee.evict(live.id)
            self._spawn(live.code, here_only=not made_here)

    def _unwatched(self, match_id: int) -> None:
        if match_id not in self.scheduler.kept:
            self.referee.evict(match_id)

    async def _evict_unused(self) -> None:
        """Forget copies that nobody needs: one may have been loaded for somebody who has gone meanwhile."""
        while True:
            await asyncio.sleep(EVICT_EVERY)
            shown = {room.info.match for room in self.relay.rooms.values()}
            for match_id, live in list(self.referee.lives.items()):
                if match_id not in shown and match_id not in self.scheduler.kept and not live.lock.locked():
                    self.referee.evict(match_id)

    async def say(self, code: str, line: ChatLine) -> None:
        """Tell a line of chat everywhere."""
        self.relay.chat(code, line)
        await self._notify(
            {
                "kind": "chat",
                "code": code,
                "line": list(msgspec.structs.astuple(line)),
            }
        )

    def _table_changed(self, sender: object, event: TableChanged, **_: Any) -> None:
        """A service has changed a table, in whatever thread it ran."""
        code = event.code
        if self._loop is not None and code not in self._changing:
            self._changing.add(code)  # of several changes in one commit, one is enough to have it read
            # In a context of its own: what a page sets off must not count as part of the page.
            self._loop.call_soon_threadsafe(self._spawn, code, context=Context())

    def _proofs_changed(self, sender: object, event: ProofsChanged, **_: Any) -> None:
        """Somebody's session, token or account may be good no more."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._run, self._prove(event.person), context=Context())

    async def _prove(self, person: int, *, here_only: bool = False) -> None:
        if not here_only:
            await self._notify({"kind": "proofs", "person": person})
        try:
            await self.relay.prove(person)
        except Exception:
            log.exception("who somebody is cannot be looked up", person=person)  # _prove_all will

    def _spawn(self, code: str, here_only: bool = False) -> None:
        self._changing.discard(code)  # what changes from now on may be too late for this reading
        self._run(self._changed(code, here_only=here_only))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    async def _changed(self, code: str, *, here_only: bool = False) -> None:
        """Tell of a table, sooner or later: who has stood up must not go on being sent a hand."""
        while True:
            try:
                reading = await self.relay.table_changed(code, here_only=here_only)
                if reading and self.scheduler.keeps(reading.keeper):
                    await self.scheduler.take(reading.info.match, credited=reading.credited)
                return
            except Exception:
                log.exception("telling of a table failed", code=code)
            if code not in self.relay.rooms:
                return  # nobody here looks at it; its match is found by the keeper's rounds
            here_only = True
            await asyncio.sleep(AGAIN)

    async def _notify(self, notice: dict[str, Any]) -> None:
        """Leave a notice for the other processes. What it tells of is done: nobody here waits until they know."""
        if self._layer and not self._notifications.put(notice):
            log.warning("a notice to the other processes is dropped", notice=notice["kind"])

    async def _send(self) -> None:
        while True:
            notices = await self._notifications.take()
            try:
                await self._layer.group_send(GROUP, {"type": "notices", "from": self.name, "notices": notices})
            except Exception as error:
                log.warning("the other processes cannot be told", notices=len(notices), error=repr(error))

    # -- other processes tell

    async def _listen(self) -> None:
        while True:
            try:
                channel = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
                while True:
                    told = await self._layer.receive(channel)
                    for notice in told["notices"]:
                        if told["from"] != self.name:
                            await self._hear(notice)
                        elif notice["kind"] == "beat":
                            self._heard, self._heard_at = notice["beat"], now_ms()
            except Exception:
                log.exception("lost the line to the other processes")
                await asyncio.sleep(1)

    async def _hear(self, notice: dict[str, Any]) -> None:
        try:
            if notice["kind"] == "ply":
                self._run(self._catch_up(notice["match"], notice["ply"]))
            elif notice["kind"] == "table":
                self._run(self._changed(notice["code"], here_only=True))
            elif notice["kind"] == "proofs":
                await self._prove(notice["person"], here_only=True)
            elif notice["kind"] == "chat":
                self.relay.chat(notice["code"], ChatLine(*notice["line"]))
            elif notice["kind"] == "crowd":
                new = notice.get("new", False)
                self.relay.spectators_elsewhere(notice["code"], notice["process"], notice["watchers"], new=new)
        except Exception:
            log.exception("a notice was not understood", notice=notice["kind"])

    async def _catch_up(self, match_id: int, ply: int) -> None:
        try:
            with suppress(Refused):  # our rules cannot go on with it: it is dropped, and its table told
                await self.referee.catch_up(match_id, ply)
        except Exception:
            log.exception("a match cannot catch up", match=match_id)
            self._behind.add(match_id)  # there is no copy now that later notices could bring up to date

    async def _resume(self, match_id: int) -> None:
        """Send a match to everybody here who has missed moves of it."""
        self._behind.discard(match_id)
        try:
            with suppress(Refused):
                await self.relay.send_snapshots(match_id)
        except Exception:
            log.exception("a match cannot be sent", match=match_id)
            self._behind.add(match_id)

    async def _look(self) -> None:
        """See for ourselves what the line to the other processes may have lost.

        Moves and new matches always: who made them may have died before telling. All else, tables and chat, as long as
        we do not even hear ourselves, and once more when we do again.
        """
        deaf = False
        while True:
            self._beat += 1
            await self._notify({"kind": "beat", "beat": self._beat})
            since = self._heard_at
            await asyncio.sleep(LOOK)
            was_deaf, deaf = deaf, self._heard < self._beat
            try:
                for match_id in list(self._behind):
                    self._run(self._resume(match_id))
                for match_id, ply in await in_thread(_plies)(list(self.referee.lives)):
                    self._run(self._catch_up(match_id, ply))
                for code, match_id in await in_thread(_last_matches)(list(self.relay.rooms)):
                    room = self.relay.rooms.get(code)
                    if room and room.info.match != match_id:
                        self._run(self._changed(code, here_only=True))
                if deaf or was_deaf:
                    for code in list(self.relay.rooms):
                        self._run(self._changed(code, here_only=True))
                    for code, line in await in_thread(read_chats)(list(self.relay.rooms), since - OVERLAP):
                        self.relay.chat(code, line)
            except Exception:
                log.exception("looking for lost notices failed")

    async def _prove_all(self) -> None:
        """See now and then that everybody is who they were: a notice may be lost, and commands send none."""
        while True:
            await asyncio.sleep(PROVE)
            for room in list(self.relay.rooms.values()):
                for socket in list(room.sockets):
                    try:
                        await self.relay.prove_one(socket)
                    except Exception:
                        log.exception("who somebody is cannot be looked up", person=socket.person)

    async def _presence(self) -> None:
        while True:
            await asyncio.sleep(10)
            try:
                await self.relay.still_here()
            except Exception:
                log.exception("noting who is here failed")


def _plies(matches: list[int]) -> list[tuple[int, int]]:
    """Read how far matches are."""
    return list(Move.objects.filter(match__in=matches).order_by().values_list("match").annotate(Max("ply")))


def _last_matches(codes: list[str]) -> list[tuple[str, int]]:
    """Read the last match of each table that has one."""
    tables = Table.objects.filter(code__in=codes, matches__isnull=False, fresh=False)
    return list(tables.values_list("code").annotate(Max("matches")))


match_server = MatchServer()
