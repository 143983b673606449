"""Handicaps at a table: the host chooses them, matches keep them, and they do not count on a ladder."""

from __future__ import annotations

import pytest

from cardsite.circles import services
from cardsite.circles.models import Evening
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services.hosting import do_change_game, do_remove_seat, do_set_handicap, do_set_seat
from cardsite.playtests.figures import Subject, newest
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.models import Match
from cardsite.table.replay import record
from cardsite.table.services.matches import do_agree, do_start_match
from games import catalogue
from games.core.handicap import OPTION
from tests.site.conftest import Actor
from tests.site.copies import load, rules_of
from tests.site.test_evenings import evening, play, standings
from tests.site.test_ladder import listed
from tests.site.test_what_if import begun, over

__all__ = ["evening"]  # a fixture


def give(table: Table, host: Actor, *amounts: int) -> None:
    for seat, amount in enumerate(amounts):
        do_set_handicap(table.code, host.person, seat, amount)


def test_the_next_match_starts_with_what_the_host_gave_each_seat(table: Table, host: Actor) -> None:
    give(table, host, -1, 2)  # a person each; the others have none
    info = read_table(table.code).info
    assert [seat.handicap for seat in info.seats] == [-1, 2, 0, 0]
    assert info.handicap
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    assert match.options[OPTION] == "-1 2 0 0"
    view = rules_of(load(match.pk)).view(None)
    assert [seat["counters"][0]["value"] for seat in view["seats"]] == [1, 4, 2, 2]
    assert view["handicap"]["amounts"] == [-1, 2, 0, 0]


def test_without_one_a_match_has_no_such_option(table: Table, host: Actor) -> None:
    give(table, host, 1)
    give(table, host, 0)
    assert OPTION not in Match.objects.get(pk=do_start_match(table.code, host.person)).options


def test_bots_may_have_one_and_a_seat_keeps_it_when_others_are_removed(table: Table, host: Actor) -> None:
    do_set_seat(table.code, host.person, 2, "house")
    do_set_seat(table.code, host.person, 3, "random")
    give(table, host, 0, 0, 0, 2)
    do_remove_seat(table.code, host.person, 2)
    assert [seat.handicap for seat in table.seats.all()] == [0, 0, 2]


@pytest.mark.parametrize("amount", ["3", "-2", "99999999999", "", "x", "1.5"])
def test_a_handicap_that_the_game_does_not_offer_is_refused(table: Table, host: Actor, amount: str) -> None:
    answer = host.client.post(f"/t/{table.code}/set-handicap/", {"seat": 1, "amount": amount})
    assert (answer.status_code, answer.json()["code"]) == (409, "bad_option")
    assert answer.json()["text"] == "A handicap must be from -1 to 2."
    assert not Seat.objects.exclude(handicap=0).exists()


def test_a_game_without_handicaps_refuses_them_and_forgets_those_of_another(table: Table, host: Actor) -> None:
    give(table, host, 2)
    do_change_game(table.code, host.person, catalogue.find("bundles"), {}, 60)
    assert not Seat.objects.exclude(handicap=0).exists()
    assert read_table(table.code).info.handicap is None
    with pytest.raises(Refused, match="All seats of this game start alike"):
        give(table, host, 1)


def test_nobody_starts_a_match_unaware_that_a_handicap_has_changed(evening: Evening, host: Actor, guest: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    do_agree(evening.table.code, guest.person, True)
    give(evening.table, host, 0, -1)
    with pytest.raises(Refused, match="The host starts the first match"):
        do_agree(evening.table.code, host.person, True)


def test_a_match_continued_from_a_replay_has_the_handicaps_of_that_match(host: Actor, stranger: Actor) -> None:
    match = over("hamsterdam", host, stranger)
    Match.objects.filter(pk=match.pk).update(options={**match.options, OPTION: "0 2"})
    made = begun(stranger.client, match, 0)
    assert made.options[OPTION] == "0 2"
    assert record(Match.objects.get(pk=match.pk))["options"][OPTION] == "0 2"


def test_a_match_with_handicaps_counts_for_the_evening_and_not_on_the_ladder(
    evening: Evening, host: Actor, guest: Actor
) -> None:
    services.do_set_ladder(evening.circle.code, guest.person, True)
    give(evening.table, host, -1)
    match = play(evening, [2, 1, 3, 4])
    assert OPTION in match.options
    assert standings(evening)[0][1] == "Guest"
    assert listed(evening) == {}
    give(evening.table, host, 0)
    play(evening, [2, 1, 3, 4])
    assert listed(evening) == {"hamsterdam": [("Guest", True)]}


def test_a_match_with_handicaps_is_not_compared_with_those_of_bots(evening: Evening, host: Actor) -> None:
    give(evening.table, host, -1)
    play(evening, [2, 1, 3, 4])
    give(evening.table, host, 0)
    match = play(evening, [2, 1, 3, 4])
    assert newest(Subject("hamsterdam", match.rules_version)) == [match.pk]
