"""Bots wait while reveals are shown, until all people who are there have seen them."""

from __future__ import annotations

import pytest

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import presence
from cardsite.people.models import Person
from cardsite.server import transport
from cardsite.server.live import LiveMatch, now_ms
from cardsite.server.server import MatchServer
from cardsite.table.services.matches import do_start_match
from tests.site.listener import Listener

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
BOT = 2  # the seat of the bot, after those of the two people
LONG = 3_600_000  # milliseconds of reveals that are still to come


def seat_all() -> tuple[list[Person], int]:
    """Begin a match of two people and a bot. Return the people and its number."""
    people = [Person.objects.create(name=name) for name in ("Hostess", "Guest")]
    table = Table.objects.create(code=CODE, game="hamsterdam", host=people[0])
    for index, person in enumerate(people):
        Seat.objects.create(table=table, index=index, person=person)
    Seat.objects.create(table=table, index=BOT, bot="house")
    return people, do_start_match(CODE, people[0])


@pytest.fixture
async def table(monkeypatch: pytest.MonkeyPatch) -> tuple[list[Listener], LiveMatch]:
    """Two people at a table where the reveals of the last move are still shown, and a bot is next."""
    match_server = MatchServer()
    monkeypatch.setattr(transport, "match_server", match_server)
    people, match = await in_thread(seat_all)()
    listeners = [Listener(match_server, CODE, person) for person in people]
    for listener in listeners:
        await listener.hello()
    await match_server.relay.refresh(CODE)
    live = await match_server.referee.live(match)
    live.since = {BOT: now_ms() + LONG}
    return listeners, live


def waits(live: LiveMatch) -> bool:
    """Return whether the bot still waits for people who look at the reveals."""
    return (live.due(BOT) or 0) > now_ms()


async def test_bots_go_on_when_everybody_has_seen_the_reveals(table: tuple[list[Listener], LiveMatch]) -> None:
    (host, guest), live = table
    await host.say(t="seen", match=live.id, version=live.version)
    assert waits(live), "the guest is still looking"
    await guest.say(t="seen", match=live.id, version=live.version)
    assert not waits(live)


async def test_nobody_waits_for_people_who_are_away(table: tuple[list[Listener], LiveMatch]) -> None:
    (host, _guest), live = table
    await in_thread(presence.do_set_away)(CODE, 1, True)
    await host.match_server.relay.refresh(CODE)
    live.since = {BOT: now_ms() + LONG}
    await host.say(t="seen", match=live.id, version=live.version)
    assert not waits(live)


@pytest.mark.parametrize(("match", "version"), [(0, 1), (1, 0)])
async def test_another_move_or_match_is_not_this_one(
    table: tuple[list[Listener], LiveMatch], match: int, version: int
) -> None:
    listeners, live = table
    for listener in listeners:
        await listener.say(t="seen", match=live.id + match, version=live.version + version)
    assert waits(live)


async def test_spectators_have_no_say_and_people_have_their_own_time(table: tuple[list[Listener], LiveMatch]) -> None:
    (host, guest), live = table
    spectator = Listener(host.match_server, CODE, await in_thread(Person.objects.create)(name="Spectator"))
    await spectator.hello()
    live.since[0] = live.since[BOT]
    before = live.since[0]
    for listener in (host, spectator):
        await listener.say(t="seen", match=live.id, version=live.version)
    assert waits(live)
    await guest.say(t="seen", match=live.id, version=live.version)
    assert not waits(live)
    assert live.since[0] == before
