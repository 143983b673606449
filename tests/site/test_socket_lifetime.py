"""However a socket ends, it is removed from its room.

The tests send the events of ASGI that a server sends. A failure is injected at each await of the socket, one after the
other: the database, the next event, the sending of a message.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from django.db import OperationalError
from pytest_django.fixtures import Settings

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.services import do_make_token
from cardsite.server import relay as relay_module
from cardsite.server import transport
from cardsite.server.protocol import CREDENTIALS_EXPIRED, SERVER_ERROR, TOO_MANY_SOCKETS
from cardsite.server.room import Room, Socket
from cardsite.server.server import MatchServer
from cardsite.table.services.matches import do_start_match

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
MESSAGES = [
    {"t": "hello", "protocol": 3},
    {"t": "chat", "id": 1, "text": "Good evening"},
    {"t": "ready", "id": 2},
    {"t": "back"},
    {"t": "ping"},
]
FROM_OUR_PAGE = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


@pytest.fixture
def match_server(monkeypatch: pytest.MonkeyPatch) -> MatchServer:
    """A match server of this test's own without its rounds."""
    made = MatchServer()
    monkeypatch.setattr(transport, "match_server", made)
    return made


@pytest.fixture
def token(db: None) -> str:
    """The token of a person who sits at a table where a match has begun, and is away."""
    people = [Person.objects.create(name=name) for name in ("Hostess", "Guest")]
    table = Table.objects.create(code=CODE, game="hamsterdam", host=people[0])
    for index, person in enumerate(people):
        Seat.objects.create(table=table, index=index, person=person)
    do_start_match(CODE, None)
    Seat.objects.filter(person=people[0]).update(away=True)
    return do_make_token(people[0])


class Server:
    """The server's side of a connection. ``failure`` is called at wait number ``at``; ``waits`` counts them."""

    def __init__(self, token: str, at: int = -1, failure: Callable[[Server], None] | None = None) -> None:
        self.scope = {
            "type": "websocket",
            "path": f"/ws/table/{CODE}/",
            "headers": [(b"authorization", f"Bearer {token}".encode())] if token else list(FROM_OUR_PAGE),
            "client": ("127.0.0.1", 5),
        }
        self.waits = 0
        self.sent: list[dict[str, Any]] = []
        self.task: asyncio.Task[None] | None = None
        self._at = at
        self._failure = failure
        self._events = self._make_events()

    def _make_events(self) -> Iterator[dict[str, Any]]:
        yield {"type": "websocket.connect"}
        for message in MESSAGES:
            yield {"type": "websocket.receive", "text": json.dumps(message)}
        while True:
            yield {"type": "websocket.disconnect"}

    def wait(self) -> None:
        """Count a wait, and fail if it is the chosen one."""
        self.waits += 1
        if self.waits - 1 == self._at and self._failure:
            self._failure(self)

    async def receive(self) -> dict[str, Any]:
        self.wait()
        await asyncio.sleep(0)
        return next(self._events)

    async def send(self, event: dict[str, Any]) -> None:
        self.wait()
        self.sent.append(event)
        await asyncio.sleep(0)

    async def run(self) -> None:
        """Run the socket from its first event to its last."""
        self.task = asyncio.create_task(transport.table_socket(self.scope, self.receive, self.send))
        async with asyncio.timeout(30):
            await asyncio.gather(self.task, return_exceptions=True)
            while [task for task in asyncio.all_tasks() if "Socket._" in repr(task)]:  # noqa: ASYNC110
                await asyncio.sleep(0)


def fail(server: Server) -> None:
    """The database is gone, or the server finds the connection broken."""
    raise OperationalError("gone")


def cancel(server: Server) -> None:
    """The server ends the application's task."""
    assert server.task
    server.task.cancel()


def trap(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every use of the database by a socket as a wait."""

    def trapped(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        async def run(*given: Any) -> Any:
            server.wait()
            return await in_thread(function)(*given)

        return run

    for module in (transport, relay_module):
        monkeypatch.setattr(module, "in_thread", trapped)


async def test_a_socket_that_is_closed_leaves_nothing(
    match_server: MatchServer, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(token)
    trap(server, monkeypatch)
    await server.run()
    kinds = [json.loads(event["text"])["t"] for event in server.sent if "text" in event]
    assert {"welcome", "snapshot", "ack", "chat", "pong"} <= set(kinds)
    assert server.waits > 12
    assert match_server.relay.rooms == {}


@pytest.mark.parametrize("failure", [fail, cancel])
async def test_a_failure_at_any_wait_removes_the_socket_from_the_room(
    match_server: MatchServer, token: str, monkeypatch: pytest.MonkeyPatch, failure: Callable[[Server], None]
) -> None:
    at = 0
    while True:
        await in_thread(Seat.objects.filter(index=0).update)(away=True, seen=None)
        server = Server(token, at, failure)
        trap(server, monkeypatch)
        await server.run()
        assert match_server.relay.rooms == {}, f"after {failure.__name__} at wait {at}"
        assert not transport._inside.inside, f"after {failure.__name__} at wait {at}"
        monkeypatch.undo()
        monkeypatch.setattr(transport, "match_server", match_server)
        # A person whose leaving could not be stored is stored as gone in the next round.
        await match_server.relay.still_here()
        seat = await in_thread(Seat.objects.get)(index=0)
        assert seat.seen is None, f"after {failure.__name__} at wait {at}"
        if server.waits <= at:
            break
        at += 1
    assert at > 12


async def test_a_socket_whose_first_write_fails_is_asked_to_reconnect_and_nobody_sits_there_meanwhile(
    match_server: MatchServer, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(code: str, person: int) -> None:
        raise OperationalError("the disk is full")

    monkeypatch.setattr("cardsite.lobby.services.presence.do_note_here", gone)
    server = Server(token)
    await server.run()
    assert [event.get("code") for event in server.sent if event["type"] == "websocket.close"] == [SERVER_ERROR]
    assert match_server.relay.rooms == {}


@pytest.mark.parametrize("good", [False, True])
async def test_a_socket_whose_credentials_expire_while_it_connects_is_closed(
    match_server: MatchServer, token: str, monkeypatch: pytest.MonkeyPatch, good: bool
) -> None:
    enter = match_server.relay.enter
    hostess = await Person.objects.aget(name="Hostess")

    async def meanwhile(code: str, socket: Socket) -> Room:
        room = await enter(code, socket)
        owner = await Person.objects.aget(name="Guest") if good else hostess
        await in_thread(do_make_token)(owner)  # invalidates the old token
        await match_server.relay.check_credentials_of(owner.pk)
        return room

    monkeypatch.setattr(match_server.relay, "enter", meanwhile)
    server = Server(token)
    await server.run()
    assert [event["code"] for event in server.sent if event["type"] == "websocket.close"] == [CREDENTIALS_EXPIRED] * (
        not good
    )
    assert any("text" in event for event in server.sent) is good


# -- how many there may be at once


class Patient(Server):
    """A server whose connection stays until it is let go."""

    def __init__(self, token: str = "", address: str = "127.0.0.1", forwarded: str = "") -> None:
        super().__init__(token)
        self.scope["client"] = (address, 5)
        if forwarded:
            self.scope["headers"].append((b"x-forwarded-for", forwarded.encode()))  # type: ignore[attr-defined]
        self.in_room, self.go = asyncio.Event(), asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        event = await super().receive()
        if event["type"] == "websocket.disconnect":
            self.in_room.set()
            await self.go.wait()
        return event

    @property
    def code(self) -> int:
        """With what it was turned away, 0 if it was not."""
        return next((event["code"] for event in self.sent if event["type"] == "websocket.close"), 0)


async def come(*servers: Patient) -> list[int]:
    """Have connections come one after the other. Return with what each was turned away."""
    for server in servers:
        server.task = asyncio.create_task(transport.table_socket(server.scope, server.receive, server.send))
        await server.in_room.wait()
    return [server.code for server in servers]


async def leave(*servers: Patient) -> None:
    """Have connections go."""
    for server in servers:
        server.go.set()
    await asyncio.gather(*(server.task for server in servers if server.task))


@pytest.fixture
def limited(settings: Settings) -> Settings:
    """So many sockets: four an address, two a person."""
    settings.RATE_LIMITS = True
    settings.SOCKETS_AN_ADDRESS, settings.SOCKETS_A_PERSON = 4, 2
    return settings


async def test_an_address_has_only_so_many_sockets_and_others_do_not_pay_for_it(
    match_server: MatchServer, token: str, limited: Settings
) -> None:
    crowd = [Patient() for _ in range(5)]
    assert await come(*crowd) == [0, 0, 0, 0, TOO_MANY_SOCKETS]
    elsewhere = Patient(address="10.0.0.9")
    assert await come(elsewhere) == [0]
    await leave(crowd[0], crowd[4])
    again = [Patient(), Patient()]
    assert await come(*again) == [0, TOO_MANY_SOCKETS]
    await leave(*crowd[1:4], elsewhere, *again)
    assert not transport._inside.inside


async def test_a_person_has_only_so_many_sockets_from_wherever(
    match_server: MatchServer, token: str, limited: Settings
) -> None:
    mine = [Patient(token, f"10.0.0.{n}") for n in range(3)]
    assert await come(*mine) == [0, 0, TOO_MANY_SOCKETS]
    spectator = Patient(address="10.0.0.0")
    assert await come(spectator) == [0]
    await leave(*mine, spectator)
    assert not transport._inside.inside


async def test_behind_a_proxy_sockets_are_counted_by_the_address_it_names(
    match_server: MatchServer, token: str, limited: Settings
) -> None:
    limited.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    many = [Patient(forwarded=f"6.6.6.6, 10.0.0.{n}") for n in range(5)]
    one = [Patient(forwarded=f"10.0.0.{n}, 7.7.7.7") for n in range(5)]
    assert await come(*many) == [0] * 5
    assert await come(*one) == [0] * 4 + [TOO_MANY_SOCKETS]
    await leave(*many, *one)


async def test_with_limits_off_or_none_set_anybody_has_as_many_sockets_as_they_like(
    match_server: MatchServer, token: str, limited: Settings
) -> None:
    limited.SOCKETS_AN_ADDRESS = limited.SOCKETS_A_PERSON = 0
    crowd = [Patient(token) for _ in range(6)]
    assert await come(*crowd) == [0] * 6
    limited.SOCKETS_AN_ADDRESS = limited.SOCKETS_A_PERSON = 1
    limited.RATE_LIMITS = False
    more = Patient(token)
    assert await come(more) == [0]
    await leave(*crowd, more)


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_a_task_that_is_cancelled_waits_for_what_has_begun_in_a_thread(times: int) -> None:
    begun, go, written = threading.Event(), threading.Event(), list[str]()

    def write() -> None:
        begun.set()
        go.wait(10)
        written.append("here")

    task = asyncio.ensure_future(in_thread(write)())
    await asyncio.to_thread(begun.wait, 10)
    for _ in range(times):
        task.cancel()
        for _ in range(20):  # rounds of the loop, more than a task takes to end
            await asyncio.sleep(0)
        assert not task.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert written == ["here"]
