"""The record of who was in which seat of a match, under which name, and whose result it is."""

from __future__ import annotations

import json
import zlib
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import hosting, presence, seat_requests, seating
from cardsite.people.services import do_rename
from cardsite.server.table_info import read_table
from cardsite.table import statistics
from cardsite.table.models import Match, Move, Occupancy, PackedMoves, Player
from cardsite.table.moves import pack
from cardsite.table.occupants import seat_results
from cardsite.table.services.leaving import do_leave
from cardsite.table.services.matches import do_end_match, do_start_match
from tests.site.conftest import Actor
from tests.site.test_person_page import page


@pytest.fixture
def match(table: Table, host: Actor) -> Match:
    """A match with the host in seat 0, the guest in seat 1, and bots."""
    return Match.objects.get(pk=do_start_match(table.code, host.person))


def add_moves(match: Match, *made: tuple[int, str]) -> None:
    """Store further moves: the seat, and who decided."""
    first = match.moves.count() + 1
    for ply, (seat, by) in enumerate(made, first):
        Move.objects.create(match=match, ply=ply, seat=seat, text="?", by=by, at=1)


def end(match: Match, winner: int) -> None:
    """End a match with a winner."""
    scores = [float(seat == winner) for seat in range(4)]
    do_end_match(match.pk, match.table_id, scores, [winner], deciders=list(match.moves.values_list("seat", "by")))


def record(match: Match, seat: int) -> list[tuple[int, str, str, bool]]:
    """Return the stored changes of a seat: (ply, name, kind of bot, away)."""
    return list(match.occupancies.filter(seat=seat).values_list("ply", "name", "bot", "away"))


def result(match: Match, seat: int) -> tuple[str, int | None, int, bool]:
    """Return the stored result of a seat: (name, decisions, own decisions, whether it counts)."""
    row = Player.objects.get(match=match, seat=seat)
    return row.name, row.decisions, row.own_decisions, row.counts


# -- what is stored


def test_every_change_in_a_seat_is_stored_with_the_ply_and_the_name_of_that_time(
    table: Table, match: Match, guest: Actor, django_capture_on_commit_callbacks: Any
) -> None:
    bot = Seat.objects.get(table=table, index=2).bot
    add_moves(match, (1, "person"))
    presence.do_set_away(table.code, 1, True)
    add_moves(match, (1, "away"))
    presence.do_set_away(table.code, 1, False)
    presence.do_set_away(table.code, 1, False)  # no change
    with django_capture_on_commit_callbacks(execute=True):
        do_rename(guest.person, "Aagtje")
    add_moves(match, (1, "person"))
    seating.do_stand(table.code, guest.person)
    seating.do_return(table.code, guest.person)
    assert record(match, 1) == [
        (0, "Guest", "", False),
        (1, "Guest", "", True),
        (2, "Guest", "", False),
        (2, "Aagtje", "", False),
        (3, "Bram", "house", False),
        (3, "Aagtje", "", False),
    ]
    assert record(match, 2) == [(0, "Cato", bot, False)]
    end(match, 0)
    seating.do_stand(table.code, guest.person)
    hosting.do_set_seat(table.code, table.host, 2, "random")  # type: ignore[arg-type]
    assert len(record(match, 1)) == 6, "the record of a match ends with it"
    shown = read_table(table.code).info
    assert [one.name for one in shown.occupancies if one.seat == 1][-1] == "Aagtje"
    assert shown.results[1].name == "Aagtje"


def test_the_record_says_who_was_removed_and_who_left(table: Table, match: Match, host: Actor, guest: Actor) -> None:
    hosting.do_remove_from_table(table.code, host.person, 1)
    seat_requests.do_request_seat(table.code, guest.person)
    seat_requests.do_answer_request(table.code, host.person, guest.person.pk, "now", 1)
    seating.do_stand(table.code, guest.person)
    assert list(match.occupancies.filter(seat=1).values_list("removed", flat=True)) == [False, True, False, False]


def test_a_match_from_before_the_record_gets_one_at_its_first_change(table: Table, match: Match, guest: Actor) -> None:
    Occupancy.objects.all().delete()
    names = [(one.ply, one.name) for one in read_table(table.code).info.occupancies]
    assert names == [(0, "Hostess"), (0, "Guest"), (0, "Cato"), (0, "Dirk")]
    add_moves(match, (0, "person"), (1, "person"))
    seating.do_stand(table.code, guest.person)
    assert record(match, 1) == [(0, "Guest", "", False), (2, "Bram", "house", False)]
    assert record(match, 0) == [(0, "Hostess", "", False)]
    end(match, 1)
    assert result(match, 1) == ("Guest", 1, 1, True)


def test_a_person_who_leaves_for_good_is_named_nowhere_in_the_record(match: Match, host: Actor, guest: Actor) -> None:
    do_leave(guest.person)
    gone = [(row.name, row.person) for row in match.occupancies.filter(seat=1, bot="")]
    assert gone == [("a former player", None)]


# -- whose result it is


def row(ply: int, person: int | None = None, bot: str = "") -> Occupancy:
    """Return an entry of the record of seat 0."""
    return Occupancy(ply=ply, seat=0, person_id=person, bot=bot, name=f"person {person}" if person else bot or "gone")


@pytest.mark.parametrize(
    ("rows", "by", "whose"),
    [
        ([row(0, 1)], "pppp", (1, 4, 4)),
        ([row(0, 1)], "pcap", (1, 4, 2)),
        ([row(0, 1)], "", (1, 0, 0)),
        ([row(0, 1), row(1, bot="house"), row(2, 2)], "pbpp", (2, 4, 2)),  # who came late decided more
        ([row(0, 1), row(3, bot="house"), row(3, 2)], "pppp", (1, 4, 3)),
        ([row(0, 1), row(1, bot="house")], "pbbb", (1, 4, 1)),
        ([row(0, 1), row(1, bot="house")], "ppbb", (1, 4, 2)),  # stored just after they stood up
        ([row(0, bot="house"), row(2, 2)], "bbpp", (2, 4, 2)),
        ([row(0, bot="house")], "bb", (None, 2, 0)),
        ([row(0), row(1, bot="house")], "pbb", (None, 3, 1)),  # a person who was removed from the site
    ],
)
def test_a_result_is_that_of_the_person_who_decided_most(
    rows: list[Occupancy], by: str, whose: tuple[int | None, int, int]
) -> None:
    words = {"p": "person", "c": "clock", "a": "away", "b": "bot"}
    found = seat_results(rows, [(0, words[one]) for one in by])[0]
    assert (found.person, found.decisions, found.own) == whose
    assert found.bot == ("house" if len(rows) == 1 and rows[0].bot else "")


def test_a_win_by_a_bot_for_a_person_counts_nowhere_and_is_called_so(
    table: Table, match: Match, host: Actor, guest: Actor
) -> None:
    add_moves(match, (1, "person"), (0, "person"), *[(1, "away")] * 2)
    presence.do_set_away(table.code, 1, True)
    end(match, 1)
    assert result(match, 1) == ("Guest", 3, 1, False)
    assert result(match, 0) == ("Hostess", 1, 1, True)
    assert Seat.objects.get(table=table, index=1).wins == 0
    assert statistics.by_game(statistics.results_of(guest.person)) == []
    assert [one.played for one in statistics.by_game(statistics.results_of(host.person))] == [1]
    assert statistics.against_people(statistics.results_of(host.person), host.person) == []
    mine = page(guest.client)
    assert "Won by a bot for Guest" in mine
    assert "Guest made 1 of 3 decisions, a bot the others. The result does not count for Guest." in mine
    assert "A bot for Guest" in page(host.client)
    replayed = guest.client.get(f"/replay/{match.pk}/frames.json").json()
    shown = read_table(table.code).info.results[1]
    assert replayed["results"][1] == {
        "seat": 1,
        "name": "Guest",
        "person": guest.person.pk,
        "decisions": 3,
        "own": 1,
        "counts": False,
    }
    assert (shown.own, shown.decisions, shown.counts) == (1, 3, False)
    assert "Won by A bot for Guest." in host.client.get(f"/replay/{match.pk}/").content.decode()


def test_a_win_counts_at_the_table_for_a_person_who_stood_up_after_deciding_most(
    table: Table, match: Match, guest: Actor
) -> None:
    add_moves(match, *[(1, "person")] * 3)
    seating.do_stand(table.code, guest.person)
    add_moves(match, (1, "bot"))
    end(match, 1)
    seat = Seat.objects.get(table=table, index=1)
    assert (seat.held_for, seat.held_wins, seat.wins) == (guest.person, 1, 0)
    assert [one.won for one in statistics.by_game(statistics.results_of(guest.person))] == [1]


def test_the_record_of_a_hidden_match_is_sent_to_nobody_else(
    table: Table, match: Match, stranger: Actor, guest: Actor
) -> None:
    Table.objects.filter(pk=table.pk).update(public=False)
    add_moves(match, (1, "person"))
    end(match, 1)
    assert stranger.client.get(f"/replay/{match.pk}/frames.json").status_code == 404
    data = json.loads(guest.client.get("/people/me/data.json").content)
    assert {one["name"] for one in data["seats_in_matches"]} == {"Guest"}, "others' names are not one's own data"


# -- matches from before


@pytest.mark.parametrize("packed", [False, True])
def test_decisions_of_older_matches_are_counted_from_their_moves(table: Table, match: Match, packed: bool) -> None:
    add_moves(match, (0, "person"), (1, "clock"), (1, "person"), (1, "away"), (2, "bot"))
    end(match, 0)
    Player.objects.update(decisions=None, own_decisions=0)
    assert Player.objects.get(match=match, seat=1).counts, "what is not known is in nobody's disfavour"
    if packed:
        rows = list(match.moves.all())
        PackedMoves.objects.create(match=match, plies=5, moves=pack(rows))
        match.moves.all().delete()
        assert zlib.decompress(pack(rows)).startswith(b"[[1,0,")  # the format that the migration reads
    import_module("cardsite.table.migrations.0013_occupancies").count_decisions(apps, None)
    assert [result(match, seat)[1:] for seat in range(4)] == [
        (1, 1, True),
        (3, 1, False),
        (1, 0, True),
        (0, 0, True),
    ]
