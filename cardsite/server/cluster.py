"""Notices between the processes of the site, through the channel layer: what has changed, without the new data.

A process that receives one reads the database. So a notice may be lost, doubled or late: ``_look`` finds what was lost.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import Context
from typing import Any

import msgspec
import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from django.db.models import Max

from cardsite.database import in_thread
from cardsite.events import CredentialsChanged, ModerationChanged, TableChanged
from cardsite.lobby.models import Table
from cardsite.refusal import Refused
from cardsite.server.events import ChatPosted, MatchEnded, MovePlayed, PresenceChanged, SpectatorsChanged
from cardsite.server.live import now_ms
from cardsite.server.protocol import ChatLine
from cardsite.server.referee import Referee
from cardsite.server.relay import Relay
from cardsite.server.room import Spectators
from cardsite.server.table_info import read_chats
from cardsite.server.tasks import Tasks
from cardsite.table.models import Move

GROUP = "processes"
WAITING = 1000  # notices that may wait for Redis; beyond that they are dropped
AGAIN = 1.0  # seconds after which notices that could not be sent are sent again
LOOK = 5.0  # seconds after which the effect of a lost notice is made up for
OVERLAP = 10_000  # milliseconds of chat before the connection was lost that are sent again: clocks of processes differ
Notice = dict[str, Any]
# The subject of a notice. Of several with the same subject the last one is enough, as its receiver reads the database.
# Each chat message is a subject of its own.
ABOUT = {
    "ply": "match",
    "table": "code",
    "spectators": "code",
    "credentials": "person",
    "moderation": "person",
    "beat": "kind",
}
ForOthers = (
    MovePlayed
    | MatchEnded
    | TableChanged
    | PresenceChanged
    | SpectatorsChanged
    | ChatPosted
    | CredentialsChanged
    | ModerationChanged
)

log = structlog.get_logger(__name__)


class Cluster:
    """The connection of this process to the others; without Redis there are none."""

    def __init__(self, name: str, referee: Referee, relay: Relay) -> None:
        """``name``: of this process."""
        self._name = name
        self._referee = referee
        self._relay = relay
        self._layer: Any = None
        self._notices = NoticeQueue(WAITING)
        self._tasks = Tasks()
        self._beat = self._received = 0  # our last notice to ourselves, and the last one received
        self._received_at = now_ms()

    def open(self) -> None:
        """Connect, if there may be other processes."""
        self._layer = get_channel_layer() if settings.REDIS_URL else None
        if self._layer:
            for work in (self._listen(), self._send(), self._look()):
                self._tasks.spawn(work, Context())

    def close(self) -> None:
        """Disconnect."""
        self._tasks.cancel()

    # -- to the others

    def notify(self, event: ForOthers) -> None:
        """Queue a notice of an event for the other processes. It is committed, so nothing waits for the delivery."""
        match event:
            case MovePlayed(live, made_here):
                notice = {"kind": "ply", "match": live.id, "ply": live.version} if made_here else None
            case MatchEnded(live, made_here):
                notice = {"kind": "table", "code": live.code} if made_here else None
            case TableChanged(code) | PresenceChanged(code):
                notice = {"kind": "table", "code": code}
            case SpectatorsChanged(code, spectators, new):
                notice = {
                    "kind": "spectators",
                    "code": code,
                    "process": self._name,
                    "spectators": spectators.number,
                    "people": list(spectators.people.items()),
                    "new": new,
                }
            case ChatPosted(code, line):
                notice = {"kind": "chat", "code": code, "line": list(msgspec.structs.astuple(line))}
            case CredentialsChanged(person):
                notice = {"kind": "credentials", "person": person}
            case ModerationChanged(person):
                notice = {"kind": "moderation", "person": person}
        if notice:
            self._put(notice)

    def _put(self, notice: Notice) -> None:
        if self._layer and not self._notices.put(notice):
            log.warning("notification to other processes dropped: queue full", notice=notice["kind"])

    async def _send(self) -> None:
        while True:
            notices = await self._notices.take()
            try:
                await self._layer.group_send(GROUP, {"type": "notices", "from": self._name, "notices": notices})
            except Exception as error:
                log.warning("could not notify other processes", notices=len(notices), error=repr(error))
                self._notices.put_back(notices)
                await asyncio.sleep(AGAIN)

    # -- from the others

    async def _listen(self) -> None:
        while True:
            try:
                channel = await self._layer.new_channel()
                await self._layer.group_add(GROUP, channel)
                while True:
                    message = await self._layer.receive(channel)
                    for notice in message["notices"]:
                        if message["from"] != self._name:
                            self._receive(notice)
                        elif notice["kind"] == "beat":
                            self._received, self._received_at = notice["beat"], now_ms()
            except Exception:
                log.exception("lost the connection to other processes")
                await asyncio.sleep(1)

    def _receive(self, notice: Notice) -> None:
        try:
            match notice["kind"]:
                case "ply":
                    self._tasks.spawn(self.catch_up(notice["match"], notice["ply"]))
                case "table":
                    self._relay.refresh_soon(notice["code"])
                case "credentials":
                    self._tasks.spawn(self._relay.on_credentials_changed(CredentialsChanged(notice["person"])))
                case "moderation":
                    self._tasks.spawn(self._relay.on_moderation_changed(ModerationChanged(notice["person"])))
                case "chat":
                    self._relay.on_chat_posted(ChatPosted(notice["code"], ChatLine(*notice["line"])))
                case "spectators":
                    new = notice.get("new", False)
                    spectators = Spectators(notice["spectators"], dict(notice.get("people", ())))
                    self._relay.spectators_elsewhere(notice["code"], notice["process"], spectators, new=new)
        except Exception:
            log.exception("invalid notification from another process", notice=notice["kind"])

    async def catch_up(self, match_id: int, ply: int) -> None:
        """Bring our copy of a match, if we have one, to a ply that another process has committed."""
        try:
            with suppress(Refused):  # our rules cannot continue it: the match is dropped, and its table is notified
                await self._referee.catch_up(match_id, ply)
        except Exception:
            log.exception("could not load the missing moves of a match", match=match_id)

    async def _look(self) -> None:
        """Read what lost notices would have announced.

        Always for moves and new matches: their process may have died before it sent a notice. For tables and chat only
        while our own notices do not come back either, and once more when they do again.
        """
        cut_off = False
        while True:
            self._beat += 1
            self._put({"kind": "beat", "beat": self._beat})
            since = self._received_at
            await asyncio.sleep(LOOK)
            was_cut_off, cut_off = cut_off, self._received < self._beat
            try:
                for match_id, ply in await in_thread(_plies)(list(self._referee.lives)):
                    self._tasks.spawn(self.catch_up(match_id, ply))
                for code, match_id in await in_thread(_last_matches)(list(self._relay.rooms)):
                    room = self._relay.rooms.get(code)
                    if room and room.info.match != match_id:
                        self._relay.refresh_soon(code)
                if cut_off or was_cut_off:
                    for code in list(self._relay.rooms):
                        self._relay.refresh_soon(code)
                    for code, line in await in_thread(read_chats)(list(self._relay.rooms), since - OVERLAP):
                        self._relay.on_chat_posted(ChatPosted(code, line))
            except Exception:
                log.exception("could not check for lost notifications")


class NoticeQueue:
    """A queue of at most ``most`` notices to be sent. For one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[object, Notice] = {}
        self._some = asyncio.Event()

    def put(self, notice: Notice) -> bool:
        """Queue a notice. Return whether there was room for it."""
        kind = notice["kind"]
        about: object = (kind, notice[ABOUT[kind]]) if kind in ABOUT else id(notice)
        earlier = self._waiting.pop(about, None)
        if earlier is None and len(self._waiting) >= self._most:
            return False
        if earlier and earlier.get("new"):
            notice = {**notice, "new": True}
        self._waiting[about] = notice
        self._some.set()
        return True

    def put_back(self, notices: list[Notice]) -> None:
        """Queue unsent notices again, unless there is a later one about the same subject or no more room."""
        later = list(self._waiting.values())
        self._waiting.clear()
        for notice in notices + later:
            self.put(notice)

    async def take(self) -> list[Notice]:
        """Wait until the queue is not empty, then return all its notices, in the order in which they were last put."""
        await self._some.wait()
        self._some.clear()
        taken = list(self._waiting.values())
        self._waiting.clear()
        return taken


def _plies(matches: list[int]) -> list[tuple[int, int]]:
    """Read the last ply of each match."""
    return list(Move.objects.filter(match__in=matches).order_by().values_list("match").annotate(Max("ply")))


def _last_matches(codes: list[str]) -> list[tuple[str, int]]:
    """Read the last match of each table that has one."""
    tables = Table.objects.filter(code__in=codes, matches__isnull=False, fresh=False)
    return list(tables.values_list("code").annotate(Max("matches")))
