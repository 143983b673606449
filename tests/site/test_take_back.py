"""A move is taken back, with all moves after it, when everybody at the table agrees."""

from __future__ import annotations

import pytest

from cardsite.lobby.models import Table
from cardsite.lobby.services import presence, seating
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.models import Match, Move, Occupancy
from cardsite.table.services.beginnings import do_play_now
from cardsite.table.services.matches import do_end_match
from cardsite.table.services.takebacks import do_answer_take_back, do_ask_to_take_back
from cardsite.table.statistics import counted, results_of
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.test_agreed_end import three_and_a_bot
from tests.site.visitor import Visitor, begin


@pytest.fixture
def table(host: Actor, guest: Actor, stranger: Actor) -> Table:
    """Three people and a bot, each of whom has made a move, and the first two another one."""
    made = three_and_a_bot(host, guest, stranger)
    play(Match.objects.get().pk, (0, 1, 2, 3, 0, 1))
    return made


def play(match: int, seats: tuple[int, ...]) -> None:
    plies = Move.objects.filter(match=match).count()
    for ply, seat in enumerate(seats, plies + 1):
        by = "bot" if seat == 3 else "person"
        Move.objects.create(match_id=match, ply=ply, seat=seat, text=f"move {ply}", by=by, at=1_000_000 + ply)


def moves() -> list[str]:
    return [move.text for move in Move.objects.order_by("ply")]


def asked(table: Table) -> tuple[int, list[int]] | None:
    info = read_table(table.code).info.take_back
    return (info.seat, info.agreed) if info else None


def wish(table: Table, actor: Actor, agrees: bool) -> None:
    """Ask to take back one's last decision, or answer what somebody has asked."""
    info = read_table(table.code).info.take_back
    if info:
        do_answer_take_back(table.code, actor.person, info.move, agrees)
    else:
        do_ask_to_take_back(table.code, actor.person)


def test_the_last_decision_of_who_asks_and_all_later_moves_are_taken_back_when_all_agree(
    table: Table, host: Actor, guest: Actor, stranger: Actor
) -> None:
    old = Match.objects.get()
    wish(table, host, True)
    assert asked(table) == (0, [0])
    wish(table, guest, True)
    assert (asked(table), Match.objects.get()) == ((0, [0, 1]), old)
    wish(table, stranger, True)
    new = Match.objects.get()  # nothing is left of the other one
    assert moves() == ["move 1", "move 2", "move 3", "move 4"]
    assert (new.seed, new.options, new.number, new.started) == (old.seed, old.options, old.number, old.started)
    assert new.pk != old.pk
    assert (new.status, new.practice) == (Match.Status.RUNNING, False)
    assert [player.person_id for player in new.players.all()] == [
        *(actor.person.pk for actor in (host, guest, stranger)),
        None,
    ]
    assert asked(table) is None
    wish(table, stranger, True)
    assert asked(table) == (2, [2])


def test_one_who_does_not_agree_ends_the_request(table: Table, host: Actor, guest: Actor, stranger: Actor) -> None:
    wish(table, host, True)
    wish(table, guest, False)
    assert asked(table) is None
    for actor in (guest, stranger):
        wish(table, actor, True)
    assert len(moves()) == 6  # the host has not agreed to this one


def test_a_request_ends_when_who_asked_decides_again(table: Table, host: Actor, guest: Actor, stranger: Actor) -> None:
    wish(table, host, True)
    play(Match.objects.get().pk, (2, 3))
    assert asked(table) == (0, [0])
    play(Match.objects.get().pk, (0,))
    assert asked(table) is None
    for actor in (guest, stranger):
        wish(table, actor, True)
    assert asked(table) == (1, [1, 2])


def test_an_answer_is_about_the_move_that_was_asked_for(
    table: Table, host: Actor, guest: Actor, stranger: Actor
) -> None:
    wish(table, host, True)
    with pytest.raises(Refused, match=r"^Somebody has asked to take back a move already\. Answer that first\.$"):
        do_ask_to_take_back(table.code, guest.person)
    with pytest.raises(Refused, match=r"^This request no longer exists\. Look at the table\.$"):
        do_answer_take_back(table.code, guest.person, 6, True)
    wish(table, host, False)
    for move in (5, 0):
        with pytest.raises(Refused, match=r"^This request no longer exists\. Look at the table\.$"):
            do_answer_take_back(table.code, guest.person, move, True)
    assert len(moves()) == 6


def test_with_everybody_else_away_it_is_practice(table: Table, host: Actor) -> None:
    for seat in (1, 2):
        presence.do_set_away(table.code, seat, True)
    wish(table, host, True)
    assert Match.objects.get().practice


def test_for_whom_a_bot_decides_need_not_agree(table: Table, host: Actor, guest: Actor) -> None:
    presence.do_set_away(table.code, 2, True)
    for actor in (guest, host):
        wish(table, actor, True)
    assert moves() == ["move 1", "move 2", "move 3", "move 4", "move 5"]


def test_nobody_takes_back_what_somebody_else_or_a_bot_has_decided(
    table: Table, host: Actor, guest: Actor, admin: Actor
) -> None:
    match = Match.objects.get().pk
    seating.do_stand(table.code, guest.person)
    seating.do_return(table.code, guest.person)
    with pytest.raises(Refused, match=r"^You have not made a move that could be taken back\.$"):
        wish(table, guest, True)
    Move.objects.filter(match=match, seat=0).update(by="clock")
    with pytest.raises(Refused, match=r"^You have not made a move that could be taken back\.$"):
        wish(table, host, True)
    with pytest.raises(Refused, match=r"^You are not seated at this table\.$"):
        wish(table, admin, True)
    Match.objects.update(status=Match.Status.OVER)
    with pytest.raises(Refused, match=r"^No match is in progress\.$"):
        wish(table, host, True)


def test_an_own_move_can_be_taken_back_after_a_time_away(table: Table, host: Actor) -> None:
    for away in (True, False):
        presence.do_set_away(table.code, 0, away)
    wish(table, host, True)
    assert asked(table) == (0, [0])


def test_a_person_who_came_after_the_move_keeps_the_seat(
    table: Table, host: Actor, guest: Actor, stranger: Actor
) -> None:
    seating.do_stand(table.code, stranger.person)
    wish(table, host, True)
    wish(table, guest, True)
    rows = Occupancy.objects.filter(match=Match.objects.get(), seat=2).order_by("pk")
    assert [(row.ply, row.person_id, row.bot) for row in rows] == [(0, stranger.person.pk, ""), (4, None, "house")]


def test_the_clocks_go_on_from_now(table: Table, host: Actor) -> None:
    for seat in (1, 2):
        presence.do_set_away(table.code, seat, True)
    wish(table, host, True)
    match = Match.objects.get()
    assert match.compensation_ply == 4
    assert match.compensation_ms > 1_000_000_000_000  # the moves of this test were made in 1970


def test_alone_with_bots_it_is_practice_and_counts_nowhere(host: Actor) -> None:
    table = do_play_now(host.person, catalogue.find("hamsterdam"))
    match = Match.objects.get()
    play(match.pk, (0, 3))
    wish(table, host, True)
    match = Match.objects.get()
    assert (moves(), match.practice) == ([], True)
    assert read_table(table.code).info.practice
    do_end_match(match.pk, table.pk, [1, 0, 0, 0], [0], deciders=[(0, "person")])
    assert not counted(results_of(host.person)).exists()
    Match.objects.update(practice=False)
    assert counted(results_of(host.person)).exists()


def test_everybody_there_plays_on_from_the_earlier_move(site: RunningSite) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open", "house", game="bundles")
    guest.must(code, "sit")
    one, two = host.connect(code), guest.connect(code)
    match = begin(code, host, one, two)
    one.until(lambda: one.my_turn() or 1 in one.view["to_act"])
    (asker, ours), (other, theirs) = ((host, one), (guest, two)) if one.my_turn() else ((guest, two), (host, one))
    ours.until(ours.my_turn)
    before, view = ours.version, ours.view
    move = view["moves"][0]["move"]
    assert ours.move(move)["t"] == "ack"
    asker.must(code, "take-back")
    theirs.until(lambda: theirs.table["take_back"] == {"seat": ours.seat, "move": before + 1, "agreed": [ours.seat]})
    other.must(code, "take-back", move=before + 1)
    for ws in (one, two):
        ws.until(lambda ws=ws: ws.match > match and ws.version == before)  # type: ignore[misc]
    assert ours.view == view
    assert ours.move(move, match=match)["code"] == "other_match"
    assert ours.move(move)["t"] == "ack"
    for ws in (one, two):
        ws.close()
