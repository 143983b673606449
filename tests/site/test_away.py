"""A person for whom a bot plays is back as soon as they do anything at the table."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, presence
from cardsite.people.models import Person
from cardsite.server import transport
from cardsite.server.protocol import PROTOCOL, Inbound
from cardsite.server.server import MatchServer
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from cardsite.table.views import BUTTONS
from tests.site.conftest import Actor
from tests.site.listener import Listener, alone_at_hamsterdam
from tests.tiers import sampled

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
# A message of each type. They need not be accepted: a person who sends one is there.
MESSAGES: dict[str, dict[str, Any]] = {
    "hello": {"protocol": PROTOCOL},
    "move": {"id": 1, "match": 1, "decision": 99, "move": "keep"},
    "chat": {"id": 1, "text": "I am here."},
    "ready": {"id": 1},
    "back": {},
    "why": {"id": 1, "match": 1, "touched": "piece:1"},
    "seen": {"match": 1, "version": 0},
    "ping": {},
}
AUTOMATIC = {"ping", "seen"}  # sent by a page that nobody touches


def is_away(person: Person) -> bool:
    """Whether a bot plays for a person."""
    return Seat.objects.get(person=person).away


@pytest.mark.parametrize("kind", [message.__struct_config__.tag for message in get_args(Inbound)])
async def test_every_message_that_a_person_causes_ends_their_absence(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_server = MatchServer()
    monkeypatch.setattr(transport, "match_server", match_server)
    host = await in_thread(alone_at_hamsterdam)(CODE)
    await in_thread(do_start_match)(CODE, host)
    listener = Listener(match_server, CODE, host)
    await listener.hello()
    await in_thread(presence.do_set_away)(CODE, 0, True)
    await match_server.relay.refresh(CODE)
    await listener.say(t=kind, **MESSAGES[kind])
    assert await in_thread(is_away)(host) is (kind in AUTOMATIC)


@pytest.fixture
def over(table: Table, host: Actor, guest: Actor) -> Table:
    """A table between two matches; its host and its guest have been marked as away."""
    Match.objects.filter(pk=do_start_match(table.code, host.person)).update(status=Match.Status.OVER)
    lifecycle.do_end_playing(table.pk)
    for seat in (0, 1):
        presence.do_set_away(table.code, seat, True)
    return table


@pytest.mark.parametrize("action", sampled(BUTTONS, 3))
def test_every_button_ends_the_absence_of_the_person_who_presses_it(over: Table, host: Actor, action: str) -> None:
    host.client.post(f"/t/{over.code}/{action.replace('_', '-')}/", {"seat": 3})
    assert not Seat.objects.filter(person=host.person, away=True).exists()
    assert Seat.objects.get(table=over, index=1).away, "nobody else is back"


def test_the_page_that_changes_the_game_ends_the_absence_of_the_host(over: Table, host: Actor) -> None:
    host.client.post(f"/t/{over.code}/change/", {"game": "hamsterdam", "seconds": "60", "sealed": "no"})
    assert not is_away(host.person)


def test_a_person_who_plays_again_decides_in_the_next_match(over: Table, host: Actor, guest: Actor) -> None:
    for actor in (guest, host):
        assert actor.client.post(f"/t/{over.code}/ready/").json() == {"ok": True}
    match = Match.objects.get(table=over, status=Match.Status.RUNNING)
    assert list(match.occupancies.filter(bot="").values_list("away", flat=True)) == [False, False]
