"""How often a table is broadcast: a few times a second at most, and always its last state."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from django.db import OperationalError

from cardsite.database import in_thread
from cardsite.lobby.services import seating
from cardsite.people.models import Person
from cardsite.server import relay as relay_module
from cardsite.server import transport
from cardsite.server.live import LiveMatch
from cardsite.server.room import Room
from cardsite.server.server import MatchServer
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from tests.patience import PATIENCE
from tests.site.listener import Listener, alone_at_hamsterdam

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"


@pytest.fixture
def host() -> Person:
    """A person who sits alone at a table."""
    return alone_at_hamsterdam(CODE)


@pytest.fixture
def match_server(monkeypatch: pytest.MonkeyPatch) -> MatchServer:
    """A match server of this test's own without its rounds."""
    made = MatchServer()
    monkeypatch.setattr(transport, "match_server", made)
    return made


async def crowd(match_server: MatchServer, count: int = 3) -> list[Listener]:
    """Return spectators who have said hello and received all that there was."""
    spectators = [Listener(match_server, CODE) for _ in range(count)]
    for spectator in spectators:
        await spectator.hello()
    await asyncio.gather(*(spectator.settle() for spectator in spectators))
    return spectators


async def rename(match_server: MatchServer, host: Person, name: str) -> None:
    """Change the table, and broadcast it to its room."""
    await in_thread(Person.objects.filter(pk=host.pk).update)(name=name)
    await match_server.relay.refresh(CODE)


def names(spectator: Listener) -> list[str]:
    """Return the names of seat 0 that a spectator received in table messages."""
    return [message["table"]["seats"][0]["name"] for message in spectator.all("table")]


def schedule_again(match_server: MatchServer) -> tuple[Room, asyncio.Task[None]]:
    """Schedule the pending broadcast again, after the present ``TABLE_PAUSE``. Return the room and the task."""
    room = match_server.relay.rooms[CODE]
    assert room.table_task
    room.table_task.cancel()
    room.table_task = None
    match_server.relay._broadcast_soon(room)
    assert room.table_task
    return room, room.table_task


async def test_many_changes_at_once_are_sent_as_one_and_the_last_state_always_arrives(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 3600)
    spectators = await crowd(match_server)
    for number in range(20):
        await rename(match_server, host, f"Name {number}")
    for spectator in spectators:
        await spectator.settle()
        assert names(spectator) == ["Name 0"]
    [late] = await crowd(match_server, 1)  # a new spectator receives the newest state
    assert late.received[0]["table"]["seats"][0]["name"] == "Name 19"
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 0.05)
    schedule_again(match_server)
    await rename(match_server, host, "Last")
    for spectator in spectators:
        await spectator.until(lambda spectator=spectator: names(spectator)[-1] == "Last")  # type: ignore[misc]


async def test_a_late_broadcast_has_the_newest_state(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 0.1)
    [spectator] = await crowd(match_server, 1)
    broadcast, sent_at = match_server.relay._broadcast_table, set()

    async def noted(room: Room) -> None:
        await broadcast(room)
        sent_at.add(room.sent_at)

    monkeypatch.setattr(match_server.relay, "_broadcast_table", noted)
    for number in range(60):
        await rename(match_server, host, f"Name {number}")
    await spectator.until(lambda: names(spectator)[-1] == "Name 59")
    assert len(names(spectator)) <= len(sent_at)
    assert all(after - before >= 0.1 for before, after in pairwise(sorted(sent_at)))
    room = match_server.relay.rooms[CODE]
    if room.table_task:  # it waits to broadcast once more what has been sent by now
        await asyncio.wait_for(room.table_task, PATIENCE)
    assert room.table_task is None
    await rename(match_server, host, "Quiet again")
    await spectator.until(lambda: names(spectator)[-1] == "Quiet again")


async def test_a_new_occupant_and_a_new_match_are_sent_at_once(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not sent late: a seat that is somebody else's, and a match that has begun."""
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 3600)
    guest = await Person.objects.acreate(name="Guest")
    newcomer, [spectator] = Listener(match_server, CODE, guest), await crowd(match_server, 1)
    await newcomer.hello()
    await rename(match_server, host, "Sent")
    await rename(match_server, host, "Not sent yet")
    await in_thread(seating.do_sit)(CODE, guest)
    await match_server.relay.refresh(CODE)
    await newcomer.settle()
    assert newcomer.all("you")[-1]["seat"] == 1
    assert newcomer.table["seats"][0]["name"] == "Not sent yet"
    await spectator.settle()
    assert names(spectator) == ["Sent"]
    await in_thread(do_start_match)(CODE, None)
    await match_server.relay.refresh(CODE)
    for listener in (newcomer, spectator):
        await listener.settle()
        kinds = [message["t"] for message in listener.received if message["t"] in ("table", "snapshot")]
        assert kinds[-2:] == ["table", "snapshot"]
        assert listener.table["status"] == "playing"
    match = await Match.objects.aget()
    assert spectator.table["match"] == match.pk


async def test_a_broadcast_that_fails_is_repeated(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 3600)
    [spectator] = await crowd(match_server, 1)
    broadcast, failed = match_server.relay._broadcast_table, 0

    async def fails(room: Room) -> None:
        nonlocal failed
        if failed < 2:
            failed += 1
            raise OperationalError("gone")
        await broadcast(room)

    await rename(match_server, host, "First")
    await rename(match_server, host, "Second")  # will be sent later
    monkeypatch.setattr(match_server.relay, "_broadcast_table", fails)
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 0.01)
    schedule_again(match_server)
    await spectator.until(lambda: bool(names(spectator)) and names(spectator)[-1] == "Second")
    assert failed == 2


async def test_a_room_that_is_left_is_sent_nothing_later(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 3600)
    await in_thread(do_start_match)(CODE, None)
    [spectator] = await crowd(match_server, 1)
    await rename(match_server, host, "First")
    await rename(match_server, host, "Second")
    monkeypatch.setattr(relay_module, "TABLE_PAUSE", 0.01)
    room, task = schedule_again(match_server)
    await match_server.relay.leave(CODE, spectator.socket)
    await asyncio.wait_for(task, PATIENCE)
    assert room.table_task is None
    assert match_server.relay.rooms == {}
    assert match_server.referee.lives == {}  # nor is the match read again for nobody


async def test_a_new_match_that_cannot_be_shown_for_a_moment_is_shown_in_the_end(
    match_server: MatchServer, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "AGAIN", 0.01)
    [spectator] = await crowd(match_server, 1)
    await in_thread(do_start_match)(CODE, None)
    live, failed = match_server.referee.live, 0

    async def fails(match_id: int) -> LiveMatch:
        nonlocal failed
        failed += 1
        if failed <= 3:
            raise OperationalError("gone")
        return await live(match_id)

    monkeypatch.setattr(match_server.referee, "live", fails)
    match_server.relay.refresh_soon(CODE)
    await spectator.until(lambda: bool(spectator.all("snapshot")))
    assert [message["t"] for message in spectator.received if message["t"] != "spectators"] == [
        "welcome",
        "table",
        "snapshot",
    ]
