"""The relay under concurrency: an older reading of a table never replaces a newer one, and no room is lost."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import OperationalError
from pytest_django.fixtures import Settings

from cardsite.database import in_thread
from cardsite.events import TableChanged
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import presence
from cardsite.people.models import Person
from cardsite.server import cluster as cluster_module
from cardsite.server import live as live_module
from cardsite.server import relay as relay_module
from cardsite.server import transport
from cardsite.server.connections import Arrivals
from cardsite.server.events import ChatPosted, Events, MatchUnwatched, PresenceChanged, SpectatorsChanged
from cardsite.server.ledger import Ledger
from cardsite.server.live import SeatDecider
from cardsite.server.protocol import NO_SUCH_TABLE, ChatLine
from cardsite.server.referee import Referee
from cardsite.server.relay import Relay
from cardsite.server.room import MOVES_BEHIND, SLICE, Socket, Spectators
from cardsite.server.server import MatchServer
from cardsite.server.table_info import read_table
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from tests.patience import PATIENCE
from tests.site.copies import load
from tests.site.listener import SignallingReferee, alone_at_hamsterdam, ignore, move

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"


def socket(person: int = 0) -> Socket:
    """Return a socket that anything can be written to."""
    return Socket(ignore, person, "")


class Listening(Socket):
    """A socket that records what it receives, at once."""

    def __init__(self, person: int = 0) -> None:
        super().__init__(ignore, person, "")
        self.received: list[str] = []

    def push(self, message: str) -> None:
        self.received.append(message)


@pytest.fixture
def seated() -> Person:
    """A person who sits at the table CODE."""
    return alone_at_hamsterdam(CODE)


@pytest.fixture
def relay() -> Relay:
    """A relay of its own."""
    return Relay(Referee(Events()), Events())


class Latch:
    """Wraps a function so that its first call has its result, but does not return until the latch is opened.

    ``before``: that call does not even begin until then.
    """

    def __init__(self, function: Any, *, before: bool = False) -> None:
        self.function = function
        self.before = before
        self.reached, self.opened = threading.Event(), threading.Event()
        self.calls = 0

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self.calls += 1
        waits = self.calls == 1
        if waits and self.before:
            self._wait()
            waits = False
        result = self.function(*arguments, **named)
        if waits:
            self._wait()
        return result

    async def is_reached(self) -> None:
        """Wait until the first call waits for the latch."""
        assert await in_thread(self.reached.wait)(PATIENCE)

    def _wait(self) -> None:
        self.reached.set()
        assert self.opened.wait(PATIENCE)


def fill_seat() -> None:
    """Change the table."""
    Seat.objects.filter(index=1).update(bot="house")


def next_match() -> int:
    """Have the match end, if there is one, and the next one begin. Return its number."""
    Match.objects.update(status=Match.Status.OVER)
    Table.objects.update(status=Table.Status.OVER)
    return do_start_match(CODE, None)


async def test_a_slow_reading_does_not_overwrite_a_newer_one(
    seated: Person, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await relay.enter(CODE, socket())
    latch = Latch(read_table)
    monkeypatch.setattr(relay_module, "read_table", latch)
    old = asyncio.create_task(relay.refresh(CODE))
    await latch.is_reached()
    await in_thread(fill_seat)()
    new = asyncio.create_task(relay.refresh(CODE))
    await asyncio.wait({new}, timeout=0.3)  # it may be done before the old one, or wait for it
    latch.opened.set()
    await asyncio.gather(old, new)
    assert room.info.seats[1].kind == "bot"


async def test_a_visitor_who_enters_while_the_table_changes_has_it_as_it_is(
    seated: Person, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    latch = Latch(read_table)
    monkeypatch.setattr(relay_module, "read_table", latch)
    entering = asyncio.create_task(relay.enter(CODE, socket()))
    await latch.is_reached()
    await in_thread(fill_seat)()
    change = asyncio.create_task(relay.refresh(CODE))
    await asyncio.wait({change}, timeout=0.3)
    latch.opened.set()
    room = await entering
    await change
    assert room.info.seats[1].kind == "bot"


async def test_a_visitor_who_enters_while_the_last_one_leaves_is_not_lost(
    seated: Person, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaver, spectator, late = socket(seated.pk), socket(), socket()
    await relay.enter(CODE, leaver)
    await relay.enter(CODE, spectator)
    latch = Latch(presence.do_note_gone)
    monkeypatch.setattr(presence, "do_note_gone", latch)
    leaving = asyncio.create_task(relay.leave(CODE, leaver))
    await latch.is_reached()
    await relay.leave(CODE, spectator)  # the room is empty, and gone
    room = await relay.enter(CODE, late)
    latch.opened.set()
    await leaving
    assert relay.rooms == {CODE: room}
    assert late in room.sockets


async def test_a_player_who_comes_back_while_it_is_noted_that_they_have_left_is_here_for_other_processes_too(
    seated: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "Gone" is written after "here" then, so "here" is written once more before anybody else is notified."""
    here: list[bool] = []

    async def notify(event: PresenceChanged) -> None:
        if latch.opened.is_set():
            here.append((await Seat.objects.aget(person=seated)).seen is not None)

    latch = Latch(presence.do_note_gone, before=True)
    monkeypatch.setattr(presence, "do_note_gone", latch)
    events = Events()
    events.subscribe(PresenceChanged, notify)
    relay = Relay(Referee(events), events)
    leaver = socket(seated.pk)
    await relay.enter(CODE, leaver)
    leaving = asyncio.create_task(relay.leave(CODE, leaver))
    await latch.is_reached()
    await relay.enter(CODE, socket(seated.pk))
    latch.opened.set()
    await leaving
    assert here == [True]


def seat_many(count: int) -> list[tuple[str, int]]:
    """Seat people at tables of their own, and return where who sits."""
    results = []
    for n in range(count):
        person = Person.objects.create(name=f"Guest {n}")
        table = Table.objects.create(game="hamsterdam", host=person)
        Seat.objects.create(table=table, index=0, person=person)
        results.append((table.code, person.pk))
    return results


async def test_a_player_who_leaves_with_many_others_is_noted_once(
    relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a proxy is restarted."""
    noted: list[tuple[str, int]] = []

    def note(code: str, person: int) -> None:
        noted.append((code, person))
        if len(noted) == 5:
            raise OperationalError("for a moment")
        note_gone(code, person)

    note_gone = presence.do_note_gone
    monkeypatch.setattr(presence, "do_note_gone", note)
    at = [(code, socket(person)) for code, person in await in_thread(seat_many)(20)]
    for code, each in at:
        await relay.enter(code, each)
    await asyncio.gather(*[relay.leave(code, each) for code, each in at])
    await relay.still_here()  # the next round
    assert len(noted) == 20 + 1
    assert not await Seat.objects.exclude(seen=None).aexists()


async def test_a_visitor_who_says_hello_while_the_next_match_begins_is_sent_that_one(
    seated: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[dict[str, Any]] = []
    both_received = asyncio.Event()

    async def receives(event: dict[str, Any]) -> None:
        received.append(json.loads(event["text"]))
        if len(received) == 2:
            both_received.set()

    await in_thread(next_match)()
    referee = Referee(Events())
    relay = Relay(referee, Events())
    monkeypatch.setattr(transport, "match_server", SimpleNamespace(referee=referee, relay=relay, arrivals=Arrivals()))
    spectator = Socket(receives, 0, "")
    room = await relay.enter(CODE, spectator)
    latch = Latch(live_module.read)
    monkeypatch.setattr(live_module, "read", latch)
    client = transport.Client(CODE, spectator, room, None, "")
    hello = asyncio.create_task(client.receive('{"t":"hello","protocol":3}'))
    await latch.is_reached()
    second = await in_thread(next_match)()
    await relay.refresh(CODE)
    latch.opened.set()
    await hello
    async with asyncio.timeout(PATIENCE):  # its writer has a task of its own
        await both_received.wait()
    assert [message["t"] for message in received] == ["welcome", "snapshot"]
    assert received[0]["table"]["match"] == received[1]["match"] == second


@pytest.mark.parametrize("stored", [True, False], ids=["the move is stored", "the move is not stored"])
async def test_a_visitor_who_is_shown_a_match_while_a_move_is_being_stored_sees_that_move_only_if_it_is(
    seated: Person, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    match = await in_thread(do_start_match)(CODE, None)
    referee = SignallingReferee()
    relay = Relay(referee, Events())
    newcomer = Listening((await Person.objects.acreate(name="Guest")).pk)
    (await relay.enter(CODE, newcomer)).greet(newcomer)
    storing, go, append = asyncio.Event(), asyncio.Event(), Ledger.append

    async def slow(ledger: Ledger, *move: Any) -> None:
        storing.set()
        await go.wait()
        if not stored:
            raise OperationalError("the disk is full")
        await append(ledger, *move)

    monkeypatch.setattr(Ledger, "append", slow)
    moving = asyncio.create_task(move(referee, match))
    await storing.wait()
    await Seat.objects.filter(index=1).aupdate(person=newcomer.person, bot="")
    referee.asked.clear()
    refreshing = asyncio.create_task(relay.refresh(CODE))
    asked = asyncio.create_task(referee.asked.wait())
    await asyncio.wait({refreshing, asked}, return_when=asyncio.FIRST_COMPLETED)
    go.set()
    [made] = await asyncio.gather(moving, return_exceptions=True)
    assert (made == 1) is stored
    await refreshing
    messages = [json.loads(message) for message in newcomer.received]
    assert [message["version"] for message in messages if message["t"] == "snapshot"] == [int(stored)]


@pytest.mark.parametrize("away", [False, True], ids=["the person is here", "the person is away"])
async def test_a_table_read_again_and_a_match_that_is_loaded_agree_on_who_decides(seated: Person, away: bool) -> None:
    await in_thread(Seat.objects.filter(index=1).update)(bot="random")
    match = await in_thread(do_start_match)(CODE, None)
    referee = Referee(Events())
    live = await referee.live(match)
    await in_thread(Seat.objects.filter(index=0).update)(away=away)
    await Relay(referee, Events()).refresh(CODE)
    assert live.occupants == [SeatDecider(seated.pk, "house", away), SeatDecider(0, "random", False)]
    assert live.occupants == (await in_thread(load)(match)).occupants


@pytest.mark.parametrize(
    "take_away",
    [lambda: Table.objects.get().delete(), lambda: Table.objects.update(game="withdrawn")],
    ids=["the table is deleted", "its game is removed"],
)
async def test_people_at_a_table_that_is_closed_are_sent_away(
    seated: Person, relay: Relay, take_away: Callable[[], object]
) -> None:
    closed: asyncio.Queue[int] = asyncio.Queue()

    async def receives(event: dict[str, Any]) -> None:
        if event["type"] == "websocket.close":
            closed.put_nowait(event["code"])

    for person in (seated.pk, 0):
        await relay.enter(CODE, Socket(receives, person, ""))
    await in_thread(take_away)()
    await relay.refresh(CODE)
    async with asyncio.timeout(PATIENCE):  # each has a task of its own that disconnects
        assert [await closed.get(), await closed.get()] == [NO_SUCH_TABLE, NO_SUCH_TABLE]


class NotedLayer(InMemoryChannelLayer):  # type: ignore[misc]
    """The channel layer between processes, which notes the kinds of all notices."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.kinds += [notice["kind"] for notice in message["notices"]]
        await super().group_send(group, message)


async def test_a_change_here_is_shown_at_other_processes_and_they_do_not_pass_it_on(
    seated: Person, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer = NotedLayer()
    settings.REDIS_URL = "redis://made.up"
    monkeypatch.setattr(cluster_module, "get_channel_layer", lambda: layer)
    here, elsewhere = MatchServer(), MatchServer()
    for each in (here, elsewhere):
        each.cluster.open()
    room = await elsewhere.relay.enter(CODE, socket())
    await in_thread(fill_seat)()
    await here.events.emit(TableChanged(CODE))
    async with asyncio.timeout(PATIENCE):
        while room.info.seats[1].kind != "bot" or elsewhere.relay._tasks:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await here.events.emit(ChatPosted(CODE, ChatLine(room="all", n=1, name="x", person=1, seat=0, text="y", at=0)))
        while "chat" not in layer.kinds:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert layer.kinds.count("table") == 1
    for each in (here, elsewhere):
        each.cluster.close()
        each.relay.close()


async def test_a_notice_that_redis_does_not_take_is_sent_again(
    seated: Person, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unreachable(NotedLayer):
        """Redis that refuses the first notice about a table."""

        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            first = "table" not in self.kinds
            await super().group_send(group, message)
            if first and "table" in self.kinds:
                raise ConnectionError("Redis is gone.")

    layer = Unreachable()
    settings.REDIS_URL = "redis://made.up"
    monkeypatch.setattr(cluster_module, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(cluster_module, "AGAIN", 0.0)
    here = MatchServer()
    here.cluster.open()
    await here.events.emit(TableChanged(CODE))
    async with asyncio.timeout(PATIENCE):
        while layer.kinds.count("table") < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
    here.cluster.close()


async def test_a_table_where_nothing_has_been_played_names_no_match(seated: Person, relay: Relay) -> None:
    room = await relay.enter(CODE, socket())
    assert (room.info.match, room.info.number) == (0, 0)


async def test_an_empty_room_is_given_up(seated: Person, relay: Relay) -> None:
    for person in (0, seated.pk):
        visitor = socket(person)
        await relay.enter(CODE, visitor)
        await relay.leave(CODE, visitor)
        assert relay.rooms == {}


async def test_a_match_is_unwatched_when_its_last_socket_has_left_and_not_before(seated: Person) -> None:
    unwatched: list[int] = []
    events = Events()
    events.subscribe(MatchUnwatched, lambda event: unwatched.append(event.match))
    relay = Relay(Referee(events), events)
    first = await in_thread(do_start_match)(CODE, None)
    player, spectator = socket(seated.pk), socket()
    await relay.enter(CODE, player)
    await relay.enter(CODE, spectator)
    await relay.leave(CODE, player)
    await relay.refresh(CODE)
    assert unwatched == []
    second = await in_thread(next_match)()
    await relay.refresh(CODE)
    assert unwatched == [first]
    await relay.leave(CODE, spectator)
    assert unwatched == [first, second]


async def test_spectators_at_other_processes_are_counted_as_each_last_said(
    seated: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "SPECTATORS_PAUSE", 0.0)
    sent: asyncio.Queue[SpectatorsChanged] = asyncio.Queue()
    events = Events()
    events.subscribe(SpectatorsChanged, sent.put)
    relay = Relay(Referee(events), events)
    spectator = Listening()
    room = await relay.enter(CODE, spectator)
    room.greet(spectator)
    async with asyncio.timeout(PATIENCE):
        assert (await sent.get()).new
    spectator.received.clear()
    for process, spectators, all_together in (("b", 3, 4), ("b", 2, 3), ("c", 5, 8), ("b", 0, 6), ("c", 0, 1)):
        relay.spectators_elsewhere(CODE, process, Spectators(spectators, {}))
        assert relay.spectators(room) == all_together
    assert [json.loads(message) for message in spectator.received] == [
        {"t": "spectators", "spectators": n, "people": [], "barred": []} for n in (4, 3, 8, 6, 1)
    ]
    relay.spectators_elsewhere("elsewhere", "b", Spectators(7, {}))
    # A process that knows the number of spectators here is not sent it again.
    assert (relay.spectators(room), room.spectators_task) == (1, None)
    relay.spectators_elsewhere(CODE, "d", Spectators(1, {}), new=True)
    async with asyncio.timeout(PATIENCE):  # a new process is sent how many spectators are here
        assert await sent.get() == SpectatorsChanged(CODE, Spectators(1, {}), new=False)


async def test_spectators_can_be_counted_in_a_thread_while_others_come_and_go(seated: Person, relay: Relay) -> None:
    room = await relay.enter(CODE, socket())

    class Overtaken:
        """A spectator; while this one is counted, another one comes and another process says how many it has."""

        seat, preview, person, host = None, False, 0, False

        def __getattribute__(self, name: str) -> Any:
            room.sockets.add(socket())
            return object.__getattribute__(self, name)

    class OvertakenCount:
        """The number of spectators of another process; while it is read, a third process says how many it has."""

        @property
        def number(self) -> int:
            relay.rooms[CODE].elsewhere["third"] = Spectators(1, {})
            return 2

    room.sockets = {Overtaken()}  # type: ignore[arg-type]
    room.elsewhere = {"other": OvertakenCount()}  # type: ignore[dict-item]
    assert relay.spectators_at(CODE) == 3


async def test_a_closed_table_has_no_room(seated: Person, relay: Relay) -> None:
    present = socket()
    await relay.enter(CODE, present)
    await in_thread(Table.objects.update)(status="closed")
    await relay.refresh(CODE)
    with pytest.raises(Table.DoesNotExist):
        await relay.enter(CODE, socket())
    await relay.leave(CODE, present)
    assert relay.rooms == {}
    with pytest.raises(Table.DoesNotExist):
        await relay.enter(CODE, socket())
    assert relay.rooms == {}


async def test_of_a_move_players_are_notified_before_a_crowd_and_spectators_in_order_a_few_at_a_time(
    seated: Person, relay: Relay
) -> None:
    player = Listening(seated.pk)
    room = await relay.enter(CODE, player)
    spectators = [Listening() for _ in range(3 * SLICE)]
    for each in [player, *spectators]:
        room.sockets.add(each)
        room.greet(each)

    def move(text: str) -> None:
        room.broadcast_ply({seat: text if seat is None else f"{text} with a hand" for seat in room.audiences})

    def deliveries() -> int:
        return sum(len(spectator.received) for spectator in spectators)

    move("first")
    assert (player.received, deliveries()) == (["first with a hand"], 0)
    for _ in range(2):
        before = deliveries()
        await asyncio.sleep(0)
        assert before <= deliveries() <= before + SLICE
    waiting = [spectator for spectator in spectators if not spectator.received]
    assert 0 < len(waiting) < len(spectators)
    waiting[0].seat = 1
    room.remove(waiting[1])
    move("second")
    room.flush()
    everybody = [spectator for spectator in spectators if spectator not in waiting[:2]]
    assert all(spectator.received == ["first", "second"] for spectator in everybody)
    assert waiting[0].received == []
    for n in range(20):  # nobody waits between these, and what is to be sent is not queued without end
        move(str(n))
    assert {len(spectator.received) for spectator in everybody} == {2 + 20 - MOVES_BEHIND}
    for _ in range(4 * MOVES_BEHIND):
        await asyncio.sleep(0)
    assert all(spectator.received == ["first", "second", *map(str, range(20))] for spectator in everybody)
