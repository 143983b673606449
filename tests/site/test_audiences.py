"""Who is sent what: a hand is sent to its current occupant only, and nothing is sent before it is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import OperationalError

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import seating
from cardsite.people.models import Person
from cardsite.people.services import do_adopt
from cardsite.server import live as live_module
from cardsite.server import transport
from cardsite.server.events import ChatPosted
from cardsite.server.live import LiveMatch
from cardsite.server.protocol import ChatLine, ChatRoom
from cardsite.server.room import Room
from cardsite.server.server import MatchServer
from cardsite.table.services.matches import do_start_match
from tests.site import copies
from tests.site.copies import at_once, load, rules_of
from tests.site.listener import Listener, move
from tests.site.visitor import put_into

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"


@pytest.fixture
def people() -> list[Person]:
    """Three people who sit at a table of Hamsterdam Exchange, the first its host."""
    people = [Person.objects.create(name=name) for name in ("Hostess", "Guest", "Third")]
    table = Table.objects.create(code=CODE, game="hamsterdam", host=people[0])
    for index, person in enumerate(people):
        Seat.objects.create(table=table, index=index, person=person)
    return people


@pytest.fixture
def match(people: list[Person]) -> int:
    """Their match, which has begun."""
    return do_start_match(CODE, None)


@pytest.fixture
def match_server(monkeypatch: pytest.MonkeyPatch) -> MatchServer:
    """A match server of this test's own without its rounds: only the test causes events."""
    made = MatchServer()
    monkeypatch.setattr(transport, "match_server", made)
    return made


# -- who sits there now


def stand_up(person: Person) -> None:
    """Give up the seat."""
    seating.do_stand(CODE, person)


def turn_out_to_be_registered(person: Person) -> None:
    """Log in elsewhere: the seat is the account's from then on, and the guest is nobody."""
    do_adopt(person, User.objects.create_user("known", password="x"))


def change_places(person: Person) -> None:
    """Swap seats with a neighbour, as only an administrator's database tool could."""
    Seat.objects.filter(person=person).update(person=None)
    neighbour = Seat.objects.get(index=2)
    third, neighbour.person = neighbour.person, person
    neighbour.save()
    Seat.objects.filter(index=1).update(person=third)


@pytest.mark.parametrize(("leave", "seat"), [(stand_up, None), (turn_out_to_be_registered, None), (change_places, 2)])
async def test_a_player_who_leaves_a_seat_during_a_match_is_no_longer_sent_its_hand(
    match_server: MatchServer, match: int, people: list[Person], leave: Callable[[Person], None], seat: int | None
) -> None:
    leaver, stays = Listener(match_server, CODE, people[1]), Listener(match_server, CODE, people[0])
    for listener in (leaver, stays):
        await listener.hello()
    await move(match_server.referee, match)
    await leaver.settle()
    assert [message["view"]["seat"] for message in leaver.all("snapshot", "change")] == [1, 1]
    await in_thread(leave)(people[1])
    await match_server.relay.refresh(CODE)
    last = max([await move(match_server.referee, match) for _ in range(4)])
    await leaver.settle()
    you = next(n for n, message in enumerate(leaver.received) if message["t"] == "you")
    shown = [message for message in leaver.received[you:] if "view" in message]
    assert {message["view"]["seat"] for message in shown} == {seat}
    assert [message["version"] for message in shown] == [1, *range(2, last + 1)]  # a snapshot, and each ply once
    await stays.settle()
    assert {message["view"]["seat"] for message in stays.all("snapshot", "change")} == {0}


async def test_the_players_chat_is_no_longer_sent_to_a_player_who_has_stood_up(
    match_server: MatchServer, match: int, people: list[Person]
) -> None:
    leaver = Listener(match_server, CODE, people[1])
    await leaver.hello()
    await in_thread(stand_up)(people[1])
    await match_server.relay.refresh(CODE)
    rooms: tuple[ChatRoom, ChatRoom] = ("players", "spectators")
    for room in rooms:
        await match_server.events.emit(
            ChatPosted(CODE, ChatLine(room=room, n=1, name="x", person=1, seat=0, text="y", at=0))
        )
    await leaver.settle()
    assert [message["line"]["room"] for message in leaver.all("chat")] == ["spectators"]


async def test_a_match_that_continues_while_a_table_cannot_be_read_is_sent_to_the_players_afterwards(
    match_server: MatchServer, match: int, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who stands up while the database is gone is not lost: the match server reads the table until it can."""
    monkeypatch.setattr("cardsite.server.relay.AGAIN", 0.01)
    leaver = Listener(match_server, CODE, people[1])
    await leaver.hello()
    await in_thread(stand_up)(people[1])
    failures = 0

    async def broken(code: str) -> None:
        nonlocal failures
        failures += 1
        if failures < 4:
            raise OperationalError("no connection")
        await whole(code)

    whole = match_server.relay._read_again
    monkeypatch.setattr(match_server.relay, "_read_again", broken)
    match_server.relay.refresh_soon(CODE)
    await leaver.until(lambda: bool(leaver.all("you")))
    assert leaver.all("you")[-1]["seat"] is None


# -- nothing before it is stored


class Latch:
    """Stands where the ledger appends: a move waits there until the latch is opened, and then fails or is stored."""

    def __init__(self, append: Callable[..., Awaitable[None]]) -> None:
        self._append = append
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        self.fails = True

    async def __call__(self, *given: Any) -> None:
        self.reached.set()
        await self.opened.wait()
        if self.fails:
            raise OperationalError("the disk is full")
        await self._append(*given)


async def says_hello(match_server: MatchServer, people: list[Person], newcomer: Listener) -> None:
    """Somebody comes who has nothing yet."""
    await newcomer.hello()


async def is_placed_anew(match_server: MatchServer, people: list[Person], newcomer: Listener) -> None:
    """A player who is there already becomes a spectator."""
    await match_server.relay.refresh(CODE)


@pytest.mark.parametrize("fails", [True, False])
@pytest.mark.parametrize("look", [says_hello, is_placed_anew])
async def test_a_snapshot_never_shows_a_move_that_is_not_stored_yet(
    match_server: MatchServer,
    match: int,
    people: list[Person],
    monkeypatch: pytest.MonkeyPatch,
    look: Callable[[MatchServer, list[Person], Listener], Coroutine[Any, Any, None]],
    fails: bool,
) -> None:
    listener = Listener(match_server, CODE, people[1] if look is is_placed_anew else None)
    if look is is_placed_anew:
        await listener.hello()
        await listener.settle()
        listener.received.clear()
        await in_thread(stand_up)(people[1])
    latch = Latch(match_server.referee._ledger.append)
    latch.fails = fails
    monkeypatch.setattr(match_server.referee._ledger, "append", latch)
    moving = asyncio.create_task(move(match_server.referee, match))
    await latch.reached.wait()
    looking = asyncio.create_task(look(match_server, people, listener))
    await asyncio.wait({looking}, timeout=0.3)  # it has to wait; where it does not, it may be done by now
    assert not listener.all("snapshot", "change")
    latch.opened.set()
    await asyncio.gather(moving, return_exceptions=True)
    await looking
    await listener.settle()
    assert {message["version"] for message in listener.all("snapshot")} == {0 if fails else 1}
    assert isinstance(moving.exception(), OperationalError) is fails


async def test_a_new_match_is_sent_once_when_its_first_move_is_made_before_anybody_has_it(
    match_server: MatchServer, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that decides at once is faster than the reading of the table."""
    listeners = [Listener(match_server, CODE, person) for person in (people[0], None)]
    for listener in listeners:
        await listener.hello()
    match = await in_thread(do_start_match)(CODE, None)
    latch = Latch(match_server.referee._ledger.append)
    latch.fails = False
    monkeypatch.setattr(match_server.referee._ledger, "append", latch)
    broadcast, table_read = match_server.relay._broadcast_table, asyncio.Event()

    async def note_and_broadcast(room: Room) -> None:
        table_read.set()
        await broadcast(room)

    monkeypatch.setattr(match_server.relay, "_broadcast_table", note_and_broadcast)
    moving = asyncio.create_task(move(match_server.referee, match))
    await latch.reached.wait()
    reading = asyncio.create_task(match_server.relay.refresh(CODE))
    await table_read.wait()
    latch.opened.set()
    await asyncio.gather(moving, reading)
    for listener in listeners:
        await listener.settle()
        shown = listener.all("snapshot", "change")
        assert [(message["t"], message["version"]) for message in shown] == [("snapshot", 1)]


# -- what was missed


@pytest.fixture
def live(match: int) -> LiveMatch:
    """The copy of that match."""
    return load(match)


def play(live: LiveMatch, *audiences: int | None) -> dict[int | None, str]:
    """Make a move in a copy, and render it for some audiences. Return the message of each."""
    seat = next(iter(live.since))
    copies.advance(live, seat, rules_of(live).legal_moves(seat)[0], "person", live_module.now_ms())
    return at_once(live.move_messages(audiences))


def since(live: LiveMatch, audience: int | None, version: int) -> list[tuple[str, int]]:
    """Return type and version of each message that brings a client up to date."""
    return kinds(at_once(live.since_version(audience, version)))


def kinds(messages: Iterable[str]) -> list[tuple[str, int]]:
    """Return type and version of each message."""
    return [(message["t"], message["version"]) for message in map(msgspec.json.decode, messages)]


def test_a_visitor_who_has_a_view_from_before_a_restart_is_sent_the_next_move_as_a_change_of_it(
    live: LiveMatch,
) -> None:
    assert since(live, 0, 0) == []
    assert kinds(play(live, 0, None).values()) == [("change", 1), ("snapshot", 1)]  # of the spectator nothing is known
    assert kinds(play(live, 0, None).values()) == [("change", 2), ("change", 2)]


def test_a_player_who_missed_a_few_plies_gets_just_those(live: LiveMatch) -> None:
    for audience in (0, None):
        at_once(live.snapshot(audience))
    for _ in range(3):
        play(live, 0, None)
    assert since(live, 0, 1) == [("change", 2), ("change", 3)]
    assert since(live, None, 0) == [("change", 1), ("change", 2), ("change", 3)]
    assert since(live, 0, 3) == []


def test_a_change_put_in_is_the_view_by_the_rules_with_every_moment_before_it(match: int, settings: Any) -> None:
    settings.REVEAL_PACE = 1.0
    live = load(match)
    audiences: list[int | None] = [None, 0, 1, 2]
    views = {audience: msgspec.json.decode(at_once(live.snapshot(audience)))["view"] for audience in audiences}
    reveals = 0
    while not live.over:
        for audience, text in play(live, *audiences).items():
            shown = put_into(views[audience], msgspec.json.decode(text))
            rules = rules_of(live)
            assert (shown["t"], shown["version"]) == ("change", rules.ply)
            expected = rules.view(audience), rules.reveals(audience), rules.entries(audience, rules.ply)
            assert [shown["view"], shown["reveals"], shown["log"]] == msgspec.json.decode(msgspec.json.encode(expected))
            views[audience] = shown["view"]
            reveals += len(shown["reveals"])
    assert reveals > 0


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_gap_is_never_handed_out_with_a_ply_missing(live: LiveMatch, missing: int) -> None:
    """A ply that was rendered for another audience only, or for nobody, can only be made good by a snapshot."""
    for shown in ([0], []):
        behind = live.version
        for ply in (1, 2, 3):
            play(live, *(shown if ply == missing else [0, None]))
        assert since(live, None, behind) == [("snapshot", live.version)]


def test_a_gap_that_reaches_further_back_than_what_is_kept_is_a_snapshot(
    match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "KEPT_MESSAGES", 3)
    live = load(match)
    for _ in range(5):
        play(live, 0)
    assert since(live, 0, 2) == [("change", 3), ("change", 4), ("change", 5)]
    assert since(live, 0, 1) == [("snapshot", 5)]


@pytest.mark.parametrize("version", [-1, -7, 4, 99])
def test_a_version_that_never_was_is_answered_by_a_snapshot(live: LiveMatch, version: int) -> None:
    for _ in range(3):
        play(live, 0)
    assert since(live, 0, version) == [("snapshot", 3)]
