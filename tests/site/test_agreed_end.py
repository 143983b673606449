"""People who play together may end their match before its end, without a result, if all of them agree."""

from __future__ import annotations

import pytest

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import presence, seating
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.models import Match, Player
from cardsite.table.services.matches import do_agree_to_end, do_start_match
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.visitor import Visitor, begin, play_on


@pytest.fixture
def table(host: Actor, guest: Actor, stranger: Actor) -> Table:
    return three_and_a_bot(host, guest, stranger)


def three_and_a_bot(host: Actor, guest: Actor, stranger: Actor) -> Table:
    """Start a match of three people and a bot, and return its table."""
    made = Table.objects.create(game="hamsterdam", host=host.person)
    for index, actor in enumerate((host, guest, stranger)):
        Seat.objects.create(table=made, index=index, person=actor.person)
    Seat.objects.create(table=made, index=3, bot="house")
    do_start_match(made.code, host.person)
    return made


def agreements(table: Table) -> list[bool]:
    return [seat.ends for seat in read_table(table.code).info.seats]


def test_a_match_ends_without_a_result_when_all_people_agree(
    table: Table, host: Actor, guest: Actor, stranger: Actor
) -> None:
    for actor in (guest, host):
        do_agree_to_end(table.code, actor.person, True)
        assert Match.objects.get().status == Match.Status.RUNNING
    assert agreements(table) == [True, True, False, False]
    do_agree_to_end(table.code, stranger.person, True)
    match = Match.objects.get()
    assert (match.status, match.dropped) == (Match.Status.DROPPED, "agreed")
    info = read_table(table.code).info
    assert (info.status, info.notice) == ("over", "The players have ended this match. It has no result.")
    assert agreements(table) == [False] * 4
    assert not Player.objects.exclude(share=0).exists()
    do_start_match(table.code, host.person)  # the next match begins without any agreement to end it
    assert agreements(table) == [False] * 4


def test_one_who_wants_to_play_on_cancels_all_agreements(table: Table, host: Actor, guest: Actor) -> None:
    for actor in (guest, host):
        do_agree_to_end(table.code, actor.person, True)
    do_agree_to_end(table.code, guest.person, False)
    assert agreements(table) == [False] * 4
    assert Match.objects.get().status == Match.Status.RUNNING


def test_absent_players_need_not_agree_but_two_people_must(
    table: Table, host: Actor, guest: Actor, stranger: Actor
) -> None:
    presence.do_set_away(table.code, 2, True)
    do_agree_to_end(table.code, host.person, True)
    presence.do_set_away(table.code, 1, True)
    do_agree_to_end(table.code, host.person, True)
    assert Match.objects.get().status == Match.Status.RUNNING  # one person alone would escape a defeat
    presence.do_set_away(table.code, 1, False)
    do_agree_to_end(table.code, guest.person, True)
    assert Match.objects.get().dropped == "agreed"


def test_a_player_who_stands_up_and_returns_has_not_agreed(table: Table, host: Actor, guest: Actor) -> None:
    do_agree_to_end(table.code, guest.person, True)
    seating.do_stand(table.code, guest.person)
    seating.do_return(table.code, guest.person)
    assert agreements(table) == [False] * 4


def test_there_is_no_agreement_alone_with_bots_or_between_matches(table: Table, host: Actor) -> None:
    Seat.objects.filter(table=table, index__in=(1, 2)).update(person=None, bot="house")
    with pytest.raises(Refused, match=r"^You play alone with bots\. Stand up if you do not want to play on\.$"):
        do_agree_to_end(table.code, host.person, True)
    Match.objects.update(status=Match.Status.OVER)
    with pytest.raises(Refused, match=r"^No match is in progress\.$"):
        do_agree_to_end(table.code, host.person, True)


def test_all_players_are_notified_and_later_moves_are_refused(site: RunningSite) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open")
    guest.must(code, "sit")
    one, two = host.connect(code), guest.connect(code)
    match = begin(code, host, one, two)
    play_on([one, two], plies=2)
    guest.must(code, "end")
    one.until(lambda: one.table["seats"][1]["ends"])
    host.must(code, "end")
    for ws in (one, two):
        ws.until(lambda ws=ws: ws.table["dropped"] == "agreed")  # type: ignore[misc]
        assert ws.table["status"] == "over"
    answers = [ws.ask("move", match=match, decision=99, move="x").get("code") for ws in (one, two)]
    assert answers == ["agreed", "agreed"]
    host.must(code, "ready")
    guest.must(code, "ready")
    for ws in (one, two):
        ws.until(lambda ws=ws: ws.table["number"] == 2 and ws.table["status"] == "playing")  # type: ignore[misc]
        ws.close()
