"""The cost of a match besides its moves: database queries and notices at its start and end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.core.signals import request_finished
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsite.asgi import Pages
from cardsite.database import in_thread
from cardsite.events import MatchStarted, TableChanged
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server import relay as relay_module
from cardsite.server import transport
from cardsite.server.events import Events, SpectatorsChanged
from cardsite.server.referee import Referee
from cardsite.server.relay import Relay
from cardsite.server.room import Socket, Spectators
from cardsite.server.server import MatchServer
from cardsite.server.table_info import read_table
from cardsite.table.models import Player
from cardsite.table.services.matches import do_end_match, do_start_match
from cardsite.table.services.processes import do_sign_in, this_process
from tests.patience import PATIENCE
from tests.site.conftest import Actor
from tests.site.copies import load
from tests.site.listener import Listener, alone_at_hamsterdam, ignore

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"


@pytest.fixture
def match_server(monkeypatch: pytest.MonkeyPatch) -> MatchServer:
    """A match server of this test's own without its rounds."""
    made = MatchServer()
    monkeypatch.setattr(transport, "match_server", made)
    return made


@contextmanager
def at_most(queries: int) -> Iterator[None]:
    """Fail if the block asks this thread's database more often. BEGIN and COMMIT count, too."""
    with CaptureQueriesContext(connection) as asked:
        yield
    listed = "\n".join(query["sql"][:120] for query in asked)
    assert len(asked) <= queries, f"{len(asked)} queries:\n{listed}"


# -- the database


def test_the_button_that_starts_a_match_asks_the_database_rarely(table: Table, host: Actor) -> None:
    with at_most(14):
        assert host.client.post(f"/t/{table.code}/start/").json() == {"ok": True}
    assert Player.objects.filter(match__table=table).count() == 4


def test_bots_on_open_seats_and_people_who_were_ready_cost_one_query_each(table: Table, host: Actor) -> None:
    Seat.objects.filter(table=table, index=2).update(bot="", wins=3)
    Seat.objects.filter(table=table, index=0).update(ready=True)
    with at_most(15):
        host.client.post(f"/t/{table.code}/start/")
    rows = Seat.objects.filter(table=table).values_list("bot", "wins", "ready")
    assert rows[2] == ("house", 0, False)
    assert not rows[0][2]
    assert Player.objects.get(match__table=table, seat=2).bot == "house"


def test_to_sit_down_asks_the_database_rarely_and_writes_only_what_changes(table: Table, stranger: Actor) -> None:
    Seat.objects.filter(table=table, index=2).update(bot="")
    with at_most(16), CaptureQueriesContext(connection) as asked:
        assert stranger.client.post(f"/t/{table.code}/sit/").json() == {"ok": True}
    written = [query["sql"].split('"')[1] for query in asked if query["sql"].startswith(("UPDATE", "INSERT", "DELETE"))]
    assert written == ["lobby_seat", "lobby_table"]
    assert Seat.objects.get(table=table, index=2).person == stranger.person


def test_a_match_that_has_begun_is_read_with_few_queries(table: Table, host: Actor) -> None:
    match = do_start_match(table.code, host.person)
    with at_most(3):
        assert read_table(table.code).info.match == match
    with at_most(3):
        assert load(match).version == 0


def test_the_end_of_a_match_is_written_with_few_queries(table: Table, host: Actor) -> None:
    match = do_start_match(table.code, host.person)
    with at_most(12):  # one of them for each of four players, one locks the table
        do_end_match(match, table.pk, [1.0, 2.0, 3.0, 4.0], [3])
    assert [player.score for player in Player.objects.filter(match=match)] == [1.0, 2.0, 3.0, 4.0]


# -- the match server


@pytest.fixture
def errands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What coroutines have had done in a thread, in order."""
    done: list[str] = []
    go = SyncToAsync.__call__

    async def noted(self: SyncToAsync[..., Any], *args: Any, **named: Any) -> Any:
        done.append(self.func.__name__)
        return await go(self, *args, **named)

    monkeypatch.setattr(SyncToAsync, "__call__", noted)
    return done


async def test_a_new_match_is_sent_after_two_trips_to_the_database(
    match_server: MatchServer, errands: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await in_thread(alone_at_hamsterdam)(CODE)
    listener = Listener(match_server, CODE, host)
    await listener.hello()
    row = match_server.scheduler.row = await in_thread(do_sign_in)("this one")
    monkeypatch.setattr(this_process, "row", row)
    match = await in_thread(do_start_match)(CODE, host)
    errands.clear()
    for event in (TableChanged(CODE), MatchStarted(match, row.pk)):
        await match_server.events.emit(event)
    await listener.until(lambda: bool(listener.all("snapshot")) and match in match_server.scheduler.running)
    assert sorted(errands) == ["read", "read_table"]
    assert listener.all("snapshot")[-1]["match"] == match
    assert match_server.scheduler.running == {match}
    await match_server.scheduler.close()


async def test_a_person_who_sits_down_is_read_once_and_announced_as_here(
    match_server: MatchServer, errands: list[str]
) -> None:
    await in_thread(alone_at_hamsterdam)(CODE)
    guest = await Person.objects.acreate(name="Guest")
    listener = Listener(match_server, CODE, guest)
    await listener.hello()
    await in_thread(Seat.objects.filter(index=1).update)(person=guest)
    errands.clear()
    await match_server.relay.refresh(CODE)
    assert errands == ["read_table", "do_note_here"]
    await listener.settle()
    assert listener.table["seats"][1]["here"]
    assert (await Seat.objects.aget(index=1)).here


async def test_changes_of_a_table_in_one_commit_are_read_once_and_a_later_one_again(
    match_server: MatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await in_thread(alone_at_hamsterdam)(CODE)
    await Listener(match_server, CODE, host).hello()
    read: list[str] = []
    monkeypatch.setattr(relay_module, "read_table", _noting(read, read_table))
    match_server._loop = asyncio.get_running_loop()
    for times in (1, 2):
        for _ in range(3):
            match_server._on_commit(None, TableChanged(CODE))
        async with asyncio.timeout(PATIENCE):
            while len(read) < times or match_server._tasks or match_server.relay._tasks:  # noqa: ASYNC110
                await asyncio.sleep(0)
        assert read == [CODE] * times


def _noting(read: list[str], function: Callable[[str], Any]) -> Callable[[str], Any]:
    def noting(code: str) -> Any:
        read.append(code)
        return function(code)

    return noting


async def test_a_page_is_one_errand_and_is_closed(errands: list[str]) -> None:
    """Django by itself sends what it does before and after a page to a thread that it makes for each request."""
    closed: list[object] = []

    def note(sender: object, **_: Any) -> None:
        closed.append(sender)

    bodies = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not bodies:
            await asyncio.Event().wait()  # nobody disconnects
        return bodies.pop()

    sent: list[dict[str, Any]] = []

    async def send(event: Any) -> None:
        sent.append(event)

    head = {"method": "GET", "path": "/privacy/", "query_string": b"", "headers": [(b"host", b"localhost")]}
    request_finished.connect(note)
    await Pages()({"type": "http", "http_version": "1.1", **head}, receive, send)
    assert errands == ["compute"]
    assert closed == [Pages]
    assert sent[0]["status"] == 200
    assert b"</html>" in b"".join(event["body"] for event in sent[1:])


# -- how many watch


async def test_a_start_sends_no_spectator_counts_and_players_are_no_longer_counted(
    match_server: MatchServer,
) -> None:
    host = await in_thread(alone_at_hamsterdam)(CODE)
    guest = await Person.objects.acreate(name="Guest")
    listener = Listener(match_server, CODE, guest)
    room = await listener.hello()
    assert room.spectators_task
    await room.spectators_task
    await in_thread(do_start_match)(CODE, host)
    await match_server.relay.refresh(CODE)
    assert room.spectators_task is None
    await in_thread(Seat.objects.filter(index=1).update)(bot="", person=guest)
    await match_server.relay.refresh(CODE)
    assert room.spectators_task
    await room.spectators_task
    await listener.settle()
    assert [message["spectators"] for message in listener.all("spectators")] == [1, 0]


async def test_a_process_to_which_a_table_is_new_is_sent_how_many_watch_at_ours() -> None:
    await in_thread(alone_at_hamsterdam)(CODE)
    changesed: list[SpectatorsChanged] = []
    events = Events()
    events.subscribe(SpectatorsChanged, changesed.append)
    relay = Relay(Referee(events), events)
    room = await relay.enter(CODE, Socket(ignore, 0, ""))
    assert room.spectators_task
    await room.spectators_task
    relay.spectators_elsewhere(CODE, "theirs", Spectators(5, {}))
    assert room.spectators_task is None
    relay.spectators_elsewhere(CODE, "theirs", Spectators(5, {}), new=True)
    assert room.spectators_task
    await room.spectators_task
    assert changesed == [
        SpectatorsChanged(CODE, Spectators(1, {}), new=True),
        SpectatorsChanged(CODE, Spectators(1, {}), new=False),
    ]
    assert relay.spectators(room) == 6
