"""Tournaments: who takes part, rounds that begin and end by themselves, points, and what happens to the missing."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardsite.circles.services import do_close as do_close_circle
from cardsite.circles.services import do_join as do_join_circle
from cardsite.circles.services import do_leave as do_leave_circle
from cardsite.circles.services import do_make as do_make_circle
from cardsite.front.tables import public_rows
from cardsite.limits import MAX_ENTRANTS
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import hosting, presence, seat_requests, seating
from cardsite.people.models import Person
from cardsite.people.services import do_adopt
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match, Player
from cardsite.table.services.beginnings import EACH_ROUND
from cardsite.table.services.leaving import do_leave as do_leave_site
from cardsite.table.services.matches import do_agree, do_agree_to_end, do_drop_match, do_end_match, do_start_match
from cardsite.table.services.moderation import do_close_table
from cardsite.table.services.takebacks import do_ask_to_take_back
from cardsite.tournaments import page_data
from cardsite.tournaments.models import Entrant, Pairing, Result, Tournament
from cardsite.tournaments.services import entering, finding, rounds
from cardsite.tournaments.services.rounds import AT_ONCE, PAUSE, STALE, WAIT, do_run_tournaments
from games import catalogue
from tests.site.conftest import Actor, block, new_guest

GAME = "hamsterdam"  # for 2 to 6 players


@pytest.fixture
def people(db: None) -> list[Actor]:
    return [new_guest(name) for name in ("Ann", "Ben", "Cas", "Dee")]


def create(actor: Actor, game: str = GAME, **changed: Any) -> Tournament:
    settings: dict[str, Any] = {"size": 2, "system": "swiss", "seconds": 60, **changed}
    return entering.do_create(actor.person, "Cup", catalogue.find(game), **settings)


def begin(people: list[Actor], bots: int = 0, **changed: Any) -> Tournament:
    """Start a tournament of these people, the first of whom organizes it, and some bots."""
    made = create(people[0], **changed)
    for actor in people[1:]:
        entering.do_join(made.code, actor.person)
    if bots:
        entering.do_add_bots(made.code, people[0].person, "random", bots)
    entering.do_start(made.code, people[0].person)
    return fresh(made)


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def come(*tables: Table) -> None:
    """Let the people at some tables be there, or at all."""
    seats = Seat.objects.filter(table__in=tables) if tables else Seat.objects.all()
    seats.exclude(person=None).update(seen=timezone.now())


def later(by: timedelta) -> None:
    """Let so much time pass for all tournaments."""
    Pairing.objects.update(made=F("made") - by)
    Tournament.objects.exclude(next_round=None).update(next_round=F("next_round") - by)


def pairings(tournament: Tournament) -> list[Pairing]:
    """Return the tables of the current round."""
    return list(tournament.pairings.filter(round=fresh(tournament).round, bye=False).select_related("table"))


def finish(pairing: Pairing, winner: int = 0, *, own: bool = True) -> None:
    """End the match of a pairing. ``own``: its people have made their decisions themselves."""
    match = Match.objects.get(table=pairing.table, status=Match.Status.RUNNING)
    seats = match.players.count()
    deciders = [
        (seat.index, "bot" if seat.bot else "person" if own else "away")
        for seat in Seat.objects.filter(table=match.table)
    ]
    scores = [float(seat == winner) for seat in range(seats)]
    do_end_match(match.pk, match.table_id, scores, [winner], deciders=deciders)


def play_round(tournament: Tournament, winner: Callable[[Pairing], int] = lambda pairing: 0) -> None:
    """Play the current round to its end, and begin the next one."""
    come()
    run_all()
    for pairing in pairings(tournament):
        finish(pairing, winner(pairing))
    run_all()
    later(PAUSE)
    do_run_tournaments()


def run_all() -> None:
    """Run as many rounds of the scheduler as the largest tournament needs for all its tables."""
    for _ in range(0, MAX_ENTRANTS // 2 + 1, AT_ONCE):
        do_run_tournaments()


def points(tournament: Tournament) -> dict[str, float]:
    table = page_data.standings(tournament, page_data.entrants_of(tournament))
    return {row.name: row.points for row in table}


def refused(code: str, act: Callable[..., object], *arguments: object) -> str:
    """Check that something is refused with a code, and return the words."""
    with pytest.raises(Refused) as refusal:
        act(*arguments)
    assert refusal.value.code == code
    return refusal.value.text


# -- a whole tournament


def test_eight_people_and_bots_play_a_swiss_tournament_to_its_end(people: list[Actor]) -> None:
    made = begin(people[:3], bots=5)
    assert (made.status, made.round, made.rounds) == ("running", 1, 3)
    chance = random.Random(1)
    met: list[frozenset[int]] = []
    for number in (1, 2, 3):
        assert fresh(made).round == number
        tables = pairings(made)
        assert len(tables) == 4
        met += [frozenset(pairing.results.values_list("entrant", flat=True)) for pairing in tables]
        for pairing in tables:
            table = pairing.table
            assert table
            assert (table.tournament, table.public, table.sealed, table.host, table.seconds) == (
                True,
                True,
                True,
                None,
                60,
            )
            assert [seat.kind for seat in table.seats.all()].count("open") == 0
        play_round(made, lambda pairing: chance.randrange(2))
    made = fresh(made)
    assert (made.status, made.round, made.next_round) == ("over", 3, None)
    assert made.ended
    assert len(set(met)) == len(met)  # nobody has met twice
    standings = page_data.standings(made, page_data.entrants_of(made))
    assert sorted((row.points for row in standings), reverse=True) == [3, 2, 2, 2, 1, 1, 1, 0]
    assert [row.place for row in standings][:1] == [1]
    assert sum(row.wins for row in standings) == 12
    assert Match.objects.filter(status="over").count() == 12
    assert set(Table.objects.filter(pairing__round__lt=3).values_list("status", flat=True)) == {"closed"}
    do_run_tournaments()  # nothing follows
    assert Table.objects.count() == 12


def test_a_round_robin_lets_everybody_meet_everybody_with_byes(people: list[Actor]) -> None:
    made = begin(people[:3], bots=2, system="robin", rounds=9)
    assert made.rounds == 5  # whatever was asked for
    for _ in range(5):
        play_round(made)
    assert fresh(made).status == "over"
    met = [frozenset(one.results.values_list("entrant", flat=True)) for one in made.pairings.filter(bye=False)]
    assert len(met) == len(set(met)) == 10
    byes = made.pairings.filter(bye=True)
    assert len({one.results.get().entrant_id for one in byes}) == 5
    assert set(Result.objects.filter(pairing__in=byes).values_list("points", flat=True)) == {1.0}


def test_tables_of_four_share_the_points_between_first_and_last(people: list[Actor]) -> None:
    made = begin(people, bots=5, size=4, rounds=2)
    assert sorted(one.results.count() for one in pairings(made)) == [3, 3, 3]
    come()
    do_run_tournaments()
    [first, *_] = pairings(made)
    match = Match.objects.get(table=first.table)
    do_end_match(match.pk, match.table_id, [5, 9, 5], [1])
    do_run_tournaments()
    assert list(first.results.values_list("seat", "points", "place")) == [(0, 0.25, 2), (1, 1.0, 1), (2, 0.25, 2)]


@pytest.mark.parametrize(
    ("places", "points"),
    [([1, 2], [1, 0]), ([1, 1], [0.5, 0.5]), ([1, 2, 3], [1, 0.5, 0]), ([1, 2, 2, 4], [1, 0.5, 0.5, 0]), ([1], [1])],
)
def test_points_by_place(places: list[int], points: list[float]) -> None:
    assert [rounds.points_of(place, places) for place in places] == points


# -- beginning


def test_a_match_starts_when_its_people_are_there_and_that_of_bots_at_once(people: list[Actor]) -> None:
    made = begin(people[:3], bots=5)
    do_run_tournaments()
    alone = [one for one in pairings(made) if one.table and not one.table.seats.exclude(person=None).exists()]
    assert set(Match.objects.values_list("table", flat=True)) == {one.table_id for one in alone}
    [waiting, *_] = [one for one in pairings(made) if one.status == "waiting"]
    assert waiting.table
    come(waiting.table)
    do_run_tournaments()
    assert Match.objects.get(table=waiting.table).status == "running"
    assert not Seat.objects.filter(table=waiting.table, away=True).exists()
    assert Pairing.objects.get(pk=waiting.pk).status == "playing"


def test_the_house_plays_for_who_is_missing_after_a_minute_and_that_gives_no_points(people: list[Actor]) -> None:
    made = begin(people[:2], bots=1, size=3, rounds=1)
    [pairing] = pairings(made)
    assert pairing.table
    ann, ben = (actor.person for actor in people[:2])
    Seat.objects.filter(person=ann).update(seen=timezone.now())
    later(WAIT / 2)
    do_run_tournaments()
    assert not Match.objects.exists()
    later(WAIT / 2)
    do_run_tournaments()
    assert list(Seat.objects.filter(away=True).values_list("person", flat=True)) == [ben.pk]
    seats = {seat.person_id: seat.index for seat in Seat.objects.all()}
    match = Match.objects.get()
    deciders = [(seats[ann.pk], "person"), (seats[None], "bot"), (seats[ben.pk], "away")]
    scores = {seats[ben.pk]: 9.0, seats[ann.pk]: 5.0, seats[None]: 1.0}
    do_end_match(match.pk, match.table_id, [scores[seat] for seat in range(3)], [seats[ben.pk]], deciders=deciders)
    do_run_tournaments()
    missing = Result.objects.get(entrant__person=ben)
    assert (missing.place, missing.points, missing.missing) == (1, 0, True)
    assert points(made) == {"Ann": 0.5, "Ben": 0, "Aagje": 0}  # second and last, after who was played by the house
    assert [row.wins for row in page_data.standings(made, page_data.entrants_of(made))] == [0, 0, 0]


@pytest.mark.parametrize(("late", "got"), [("person", 1.0), ("away", 0.0)])
def test_a_person_who_comes_late_gets_the_points_for_a_match_in_which_they_made_most_decisions(
    people: list[Actor], late: str, got: float
) -> None:
    made = begin(people[:1], bots=3, rounds=1)
    later(WAIT)
    do_run_tournaments()
    result = Result.objects.get(entrant__person=people[0].person)
    table = result.pairing.table
    assert table
    presence.do_end_away(table.code, people[0].person.pk)
    match = Match.objects.get(table=table)
    deciders = [(result.seat, "away"), (result.seat, late), (result.seat, late)]
    scores = [float(seat == result.seat) for seat in range(2)]
    do_end_match(match.pk, match.table_id, scores, [result.seat], deciders=deciders)
    do_run_tournaments()
    assert points(made)["Ann"] == got


def test_the_clock_runs_for_one_person_among_bots(people: list[Actor]) -> None:
    made = begin(people[:1], bots=2, size=3)
    [pairing] = pairings(made)
    assert pairing.table
    info = read_table(pairing.table.code).info
    assert (info.clock, info.tournament) == (True, True)


def test_people_are_notified_of_their_round(
    people: list[Actor], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[list[int], Notification]] = []
    monkeypatch.setattr(rounds, "send", lambda whom, notification: sent.append((list(whom), notification)))
    with django_capture_on_commit_callbacks(execute=True):
        made = begin(people[:2], bots=2)
    people_of_round = {number for whom, _ in sent for number in whom}
    assert people_of_round == {actor.person.pk for actor in people[:2]}
    tables = {f"/t/{one.table.code}/" for one in pairings(made) if one.table}
    assert {notification.path for _, notification in sent} <= tables
    said = {(notification.kind, str(notification.title)) for _, notification in sent}
    assert said == {(NotificationKind.TOURNAMENT, "Round 1 begins")}


def test_two_processes_do_everything_once(people: list[Actor]) -> None:
    made = begin(people[:3], bots=1)
    come()
    first, second = (Tournament.objects.get(pk=made.pk) for _ in range(2))
    do_run_tournaments()
    do_run_tournaments()
    assert Match.objects.count() == 2
    for pairing in pairings(made):
        finish(pairing)
        rounds.do_run_pairing(pairing.pk)
        rounds.do_run_pairing(pairing.pk)
    do_run_tournaments()
    later(PAUSE)
    for _ in (first, second):
        rounds.do_run_tournament(made.pk)
    assert fresh(made).round == 2
    assert made.pairings.count() == 4
    assert sum(points(made).values()) == 2


def test_a_tournament_whose_game_is_gone_ends_after_its_round(
    people: list[Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = begin(people[:3], bots=1)
    come()
    do_run_tournaments()
    for pairing in pairings(made):
        finish(pairing)

    def gone(name: str) -> None:
        raise Refused("no_game", "This game is no longer available.")

    monkeypatch.setattr(rounds, "find_game", gone)
    do_run_tournaments()
    later(PAUSE)
    do_run_tournaments()
    made = fresh(made)
    assert (made.status, made.round) == ("over", 1)
    assert sum(points(made).values()) == 2


def test_the_front_page_lists_the_tables_of_a_tournament_last_and_only_those_with_people(people: list[Actor]) -> None:
    table = Table.objects.create(game=GAME, host=people[3].person)
    Seat.objects.create(table=table, index=0, person=people[3].person)
    made = begin(people[:2], bots=6)
    come()
    do_run_tournaments()
    listed = [row["code"] for row in public_rows()]
    with_people = Table.objects.filter(pairing__tournament=made, seats__person__isnull=False).distinct()
    assert set(listed) == {table.code, *with_people.values_list("code", flat=True)}
    assert len(listed) < 5


def test_the_scheduler_runs_tournaments() -> None:
    assert do_run_tournaments in EACH_ROUND


def test_without_tournaments_a_round_of_the_scheduler_asks_the_database_once(db: None) -> None:
    with CaptureQueriesContext(connection) as asked:
        do_run_tournaments()
    assert len(asked) == 1


def test_many_matches_are_started_in_several_rounds_of_the_scheduler(people: list[Actor]) -> None:
    made = begin(people[:1], bots=63)
    come()
    for started in (16, 32):
        do_run_tournaments()
        assert Match.objects.count() == started
    for pairing in pairings(made):
        finish(pairing)
    do_run_tournaments()
    assert made.pairings.filter(status="over").count() == 16
    assert fresh(made).next_round is None
    do_run_tournaments()
    assert fresh(made).next_round


def test_one_tournament_that_fails_does_not_stop_the_others(
    people: list[Actor], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = begin(people[:2], bots=1), begin(people[2:], bots=1)
    come()
    run = rounds.do_run_tournament
    monkeypatch.setattr(rounds, "do_run_tournament", lambda number: 1 / 0 if number == broken.pk else run(number))
    do_run_tournaments()
    assert set(Match.objects.values_list("table__pairing__tournament", flat=True)) == {sound.pk}


# -- joining and leaving


def test_a_person_who_comes_late_plays_from_the_next_round_on_without_points_for_the_others(
    people: list[Actor],
) -> None:
    made = begin(people[:3], bots=1, rounds=3)
    assert entering.do_join(made.code, people[3].person) == 2
    assert people[3].person.pk not in Seat.objects.values_list("person", flat=True)
    play_round(made)
    assert Result.objects.filter(entrant__person=people[3].person, pairing__round=2).count() == 1
    assert not Result.objects.filter(entrant__person=people[3].person, pairing__round=1).exists()
    play_round(made)
    assert fresh(made).round == 3
    late = new_guest("Eve").person
    assert refused("too_late", entering.do_join, made.code, late).startswith("The last round has begun")


def test_a_round_robin_cannot_be_joined_once_it_has_started(people: list[Actor]) -> None:
    made = begin(people[:3], system="robin")
    refused("too_late", entering.do_join, made.code, people[3].person)


def test_a_person_who_leaves_plays_on_at_the_table_or_leaves_it_to_a_bot_and_is_in_no_further_round(
    people: list[Actor],
) -> None:
    made = begin(people[:3], bots=1, rounds=3)
    come()
    do_run_tournaments()
    entering.do_leave(made.code, people[1].person)
    seat = Seat.objects.get(person=people[1].person)
    assert seat.table.status == "playing"
    seating.do_stand(seat.table.code, people[1].person)
    seat.refresh_from_db()
    assert (seat.bot, seat.held_for) == ("house", people[1].person)
    for pairing in pairings(made):
        finish(pairing)
    do_run_tournaments()
    later(PAUSE)
    do_run_tournaments()
    assert fresh(made).round == 2
    assert not Result.objects.filter(entrant__person=people[1].person, pairing__round=2).exists()
    assert made.pairings.filter(round=2, bye=True).count() == 1  # three are left
    assert entering.do_join(made.code, people[1].person) == 3  # and comes back
    play_round(made)
    assert Result.objects.filter(entrant__person=people[1].person, pairing__round=3).exists()


@pytest.mark.parametrize("left", [3, 4], ids=["an even number", "an odd number"])
@pytest.mark.parametrize("how", ["removed", "no member any more"])
def test_a_person_who_has_gone_before_the_start_has_no_place_in_a_round_robin(
    people: list[Actor], how: str, left: int
) -> None:
    circle = do_make_circle(people[0].person, "Thursdays")
    for actor in people[1:]:
        do_join_circle(actor.person, circle.token)
    made = create(people[0], system="robin", circle=circle.code)
    for actor in people[1:]:
        entering.do_join(made.code, actor.person)
    entering.do_add_bots(made.code, people[0].person, "random", left - 2)
    gone = made.entrants.get(person=people[3].person)
    if how == "removed":
        entering.do_remove(made.code, people[0].person, gone.pk)
    else:
        do_leave_circle(circle.code, people[3].person)
    entering.do_start(made.code, people[0].person)
    there = set(made.entrants.exclude(pk=gone.pk).values_list("pk", flat=True))
    while fresh(made).status == "running":
        play_round(made)
    met = [frozenset(one.results.values_list("entrant", flat=True)) for one in made.pairings.filter(bye=False)]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(sorted(there), 2)))
    assert made.pairings.filter(bye=True).count() == (len(there) if len(there) % 2 else 0)


def test_the_opponent_of_who_has_left_a_round_robin_is_free(people: list[Actor]) -> None:
    made = begin(people, system="robin")
    entering.do_leave(made.code, people[3].person)
    for _ in range(3):
        play_round(made)
    assert fresh(made).status == "over"
    later_byes = made.pairings.filter(bye=True)
    assert [one.round for one in later_byes] == [2, 3]


@pytest.mark.parametrize("other", [0, 1])
def test_a_round_robin_goes_on_after_a_round_in_which_nobody_has_an_opponent(people: list[Actor], other: int) -> None:
    made = begin(people, system="robin")
    play_round(made)
    first, second = (
        list(Entrant.objects.filter(results__pairing=pairing)) for pairing in made.pairings.filter(round=1, bye=False)
    )
    for one in (first[0], second[other]):
        assert one.person
        entering.do_leave(made.code, one.person)
    for _ in range(2):
        play_round(made)
    assert (fresh(made).status, fresh(made).round) == ("over", 3)
    left = {first[1].pk, second[1 - other].pk}
    met = [set(pairing.results.values_list("entrant", flat=True)) for pairing in made.pairings.filter(round__gt=1)]
    assert left in met


def test_a_person_who_was_removed_cannot_join_again(people: list[Actor]) -> None:
    made = create(people[0])
    entering.do_join(made.code, people[1].person)
    entering.do_remove(made.code, people[0].person, made.entrants.get(person=people[1].person).pk)
    assert refused("removed", entering.do_join, made.code, people[1].person) == (
        "The organizer has removed you from this tournament."
    )
    assert [entrant.person for entrant in page_data.entrants_of(made)] == [people[0].person]


def test_a_guest_who_still_takes_part_does_so_after_logging_in(people: list[Actor], admin: Actor) -> None:
    made = begin([*people[:2], admin], bots=1, rounds=3)
    entering.do_leave(made.code, admin.person)
    user = admin.person.user
    assert user
    do_adopt(people[1].person, user)
    assert made.entrants.get(person=admin.person).active


def test_ones_own_seats_and_no_others_are_marked(people: list[Actor]) -> None:
    made = begin(people[:2], bots=1, rounds=1)
    names = page_data.names_of(page_data.entrants_of(made))
    for me in (people[0].person, people[2].person, None):
        [row] = page_data.rounds(made, names, me, current=True)
        mine = [seat.name for table in row.tables for seat in table.seats if seat.mine]
        free = names[Entrant.objects.get(person=people[0].person).pk] in row.byes
        assert mine == ([people[0].person.name] if me == people[0].person and not free else [])


def test_bots_that_take_over_at_one_table_have_different_names(people: list[Actor]) -> None:
    begin(people, bots=2, size=6)
    names = [seat.called for seat in Seat.objects.all()]
    assert len(names) == len(set(names)) == 6


def test_a_tournament_without_people_or_opponents_ends(people: list[Actor]) -> None:
    made = begin(people[:1], bots=3, rounds=5)
    entering.do_leave(made.code, people[0].person)
    play_round(made)
    assert (fresh(made).status, fresh(made).round) == ("over", 1)


def test_before_the_start_entries_and_bots_come_and_go(people: list[Actor]) -> None:
    made = create(people[0])
    entering.do_join(made.code, people[1].person)
    refused("yours", entering.do_join, made.code, people[1].person)
    entering.do_add_bots(made.code, people[0].person, "strong", 9)
    names = [str(one) for one in made.entrants.exclude(bot="")]
    assert names == ["Aagje", "Bram", "Cato", "Dirk", "Elsje", "Floris", "Griet", "Hendrik", "Aagje 2"]
    entering.do_leave(made.code, people[1].person)
    bram = made.entrants.get(name="Bram")
    entering.do_remove(made.code, people[0].person, bram.pk)
    entering.do_add_bots(made.code, people[0].person, "random", 1)
    assert made.entrants.get(name="Bram").bot == "random"
    assert refused("full", entering.do_add_bots, made.code, people[0].person, "random", 55) == (
        "A tournament has at most 64 players; 10 take part."
    )
    refused("bad_option", entering.do_add_bots, made.code, people[0].person, "nobody", 1)
    refused("range", entering.do_add_bots, made.code, people[0].person, "random", 0)
    refused("gone", entering.do_leave, made.code, people[1].person)
    refused("gone", entering.do_remove, made.code, people[0].person, bram.pk)
    refused("not_owner", entering.do_remove, made.code, people[1].person, made.entrants.all()[0].pk)


def test_a_start_needs_three_of_whom_one_is_a_person_and_enough_for_a_table(people: list[Actor]) -> None:
    made = create(people[0])
    entering.do_join(made.code, people[1].person)
    words = refused("seats", entering.do_start, made.code, people[0].person)
    assert words == "A tournament of this game needs at least 3 players. Wait for more, or add bots."
    refused("not_owner", entering.do_start, made.code, people[1].person)
    bots = create(people[0], plays=False)
    entering.do_add_bots(bots.code, people[0].person, "random", 4)
    assert refused("seats", entering.do_start, bots.code, people[0].person) == "Only bots take part. Wait for a person."
    four = create(people[0], game="hearts", size=4)
    entering.do_add_bots(four.code, people[0].person, "random", 2)
    assert "at least 4 players" in refused("seats", entering.do_start, four.code, people[0].person)
    entering.do_add_bots(four.code, people[0].person, "random", 1)
    entering.do_start(four.code, people[0].person)
    refused("running", entering.do_start, four.code, people[0].person)
    refused("running", entering.do_add_bots, four.code, people[0].person, "random", 1)


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("seats", {"size": 7}),
        ("seats", {"size": 1}),
        ("seats", {"game": "hearts", "size": 2}),
        ("no_game", {"game": "thief"}),
        ("range", {"rounds": 16}),
        ("range", {"rounds": 0}),
        ("bad_option", {"seconds": 3600}),
        ("bad_option", {"seconds": 0}),
        ("bad_option", {"system": "knockout"}),
    ],
)
def test_settings_that_cannot_be(people: list[Actor], code: str, changed: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refusal:
        create(people[0], **changed)
    assert refusal.value.code == code
    assert not Tournament.objects.exists()


def test_one_person_organizes_three_at_once(people: list[Actor]) -> None:
    made = [create(people[0]) for _ in range(3)]
    with pytest.raises(Refused, match="You organize 3 tournaments"):
        create(people[0])
    entering.do_cancel(made[0].code, people[0].person)
    create(people[0])


@pytest.mark.parametrize("name", ["", "   ", "x" * 41])
def test_names_of_tournaments(people: list[Actor], name: str) -> None:
    with pytest.raises(Refused):
        entering.do_create(people[0].person, name, catalogue.find(GAME), size=2, system="swiss", seconds=60)


# -- at the tables


def test_at_a_table_of_a_tournament_there_is_one_match_and_no_change(people: list[Actor]) -> None:
    made = begin(people[:2], bots=1, size=3, rounds=1)
    ann, ben, dee = (people[index].person for index in (0, 1, 3))
    [pairing] = pairings(made)
    assert pairing.table
    code = pairing.table.code

    def nobody_sits_down_or_plays_again() -> None:
        for person in (ann, ben):
            assert "tournament" in refused("tournament", do_agree, code, person, True)
        refused("tournament", seating.do_sit, code, dee)
        refused("tournament", seat_requests.do_request_seat, code, dee)
        refused("not_host", do_start_match, code, ann)
        refused("not_host", hosting.do_add_seat, code, ann)
        refused("not_host", hosting.do_close, code, ann)

    nobody_sits_down_or_plays_again()
    come()
    do_run_tournaments()
    refused("tournament", do_ask_to_take_back, code, ann)
    refused("tournament", do_agree_to_end, code, ann, True)
    refused("tournament", seat_requests.do_request_seat, code, dee)
    refused("playing", seating.do_sit, code, dee)
    finish(pairing)
    nobody_sits_down_or_plays_again()
    refused("tournament", do_start_match, code, None)
    do_run_tournaments()
    nobody_sits_down_or_plays_again()
    assert Match.objects.count() == 1
    assert not SeatRequest.objects.exists()


def test_a_person_who_stands_up_before_the_match_may_come_back_and_becomes_no_host(people: list[Actor]) -> None:
    made = begin(people[:2], bots=1, size=3)
    [pairing] = pairings(made)
    assert pairing.table
    code, ann = pairing.table.code, people[0].person
    seating.do_stand(code, ann)
    seat = Seat.objects.get(held_for=ann)
    assert seat.kind == "bot"
    seating.do_return(code, ann)
    seat.refresh_from_db()
    pairing.table.refresh_from_db()
    assert (seat.person, pairing.table.host) == (ann, None)


def test_bots_at_a_table_are_called_as_in_the_standings_and_no_two_alike(people: list[Actor]) -> None:
    made = begin(people[:1], bots=10, size=6, rounds=1)
    for pairing in pairings(made):
        assert pairing.table
        names = seating.seat_names(pairing.table.seats.select_related("person"))
        shown = {result.seat: result.entrant.shown for result in pairing.results.select_related("entrant")}
        assert names == shown
        for seat in pairing.table.seats.exclude(person=None):
            seating.do_stand(pairing.table.code, people[0].person)
            names = seating.seat_names(pairing.table.seats.select_related("person"))
            assert len(set(names.values())) == len(names), seat


@pytest.mark.parametrize("how", ["dropped", "table closed", "table removed", "match removed", "game stopped"])
def test_a_match_that_cannot_be_finished_gives_nobody_points_and_the_round_goes_on(
    people: list[Actor], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = begin(people[:3], bots=1, rounds=2)
    come()
    first, second = pairings(made)
    assert first.table
    code = first.table.code
    if how == "table closed":
        do_close_table(code, "Enough")
    if how == "game stopped":
        start = do_start_match

        def stopped(one: str, person: None) -> int:
            if one == code:
                raise Refused("stopped", "An administrator has stopped this game.")
            return start(one, person)

        monkeypatch.setattr(rounds, "do_start_match", stopped)
    do_run_tournaments()
    if how == "dropped":
        do_drop_match(Match.objects.get(table=first.table).pk, Dropped(DropReason.STOPPED))
    elif how == "table removed":
        first.table.delete()
    elif how == "match removed":
        Match.objects.get(table=first.table).delete()
        Table.objects.filter(code=code).update(status="over")
    finish(second)
    do_run_tournaments()
    assert Pairing.objects.get(pk=first.pk).status == "dropped"
    assert set(first.results.values_list("points", flat=True)) == {None}
    assert sum(points(made).values()) == 1
    later(PAUSE)
    do_run_tournaments()
    assert fresh(made).round == 2


# -- ends


def test_a_cancelled_tournament_goes_no_further_and_closes_its_waiting_tables(people: list[Actor]) -> None:
    made = begin(people[:3], bots=1)
    first, second = pairings(made)
    assert first.table
    assert second.table
    come(first.table)
    do_run_tournaments()
    entering.do_cancel(made.code, people[0].person)
    assert fresh(made).status == "cancelled"
    assert Table.objects.get(code=first.table.code).status == "playing"
    assert Table.objects.get(code=second.table.code).status == "closed"
    refused("over", entering.do_cancel, made.code, people[0].person)
    refused("over", entering.do_join, made.code, people[3].person)
    refused("over", entering.do_leave, made.code, people[0].person)
    later(WAIT)
    do_run_tournaments()
    assert fresh(made).round == 1


def test_what_never_starts_is_cancelled_and_removed_later(people: list[Actor], settings: Any) -> None:
    made = create(people[0])
    do_run_tournaments()
    assert fresh(made).status == "open"
    Tournament.objects.update(created=timezone.now() - STALE)
    do_run_tournaments()
    assert fresh(made).status == "cancelled"
    assert not page_data.cancelled(30).exists()
    Tournament.objects.update(ended=timezone.now() - timedelta(days=31))
    assert list(page_data.cancelled(30)) == [made]


# -- people


def test_a_blocked_person_takes_part_no_longer(people: list[Actor]) -> None:
    running = begin(people[:3], bots=1)
    waiting = create(people[3])
    entering.do_join(waiting.code, people[1].person)
    block(people[1].person)
    assert Entrant.objects.get(tournament=running, person=people[1].person).withdrawn
    assert not Entrant.objects.filter(tournament=waiting, person=people[1].person).exists()
    assert Seat.objects.filter(table__pairing__tournament=running, person=people[1].person).count() == 0
    refused("blocked", entering.do_join, running.code, people[1].person)
    with pytest.raises(Refused):
        create(people[1])


def test_of_who_leaves_the_site_the_results_stay_without_a_name(people: list[Actor]) -> None:
    made = begin(people[:3], bots=1)
    play_round(made)
    before = points(made)
    do_leave_site(people[1].person)
    after = points(made)
    assert after["a former player"] == before["Ben"]
    assert "Ben" not in after
    for pairing in pairings(made):
        if Match.objects.filter(table=pairing.table, status="running").exists():
            finish(pairing)
    do_run_tournaments()
    later(PAUSE)
    do_run_tournaments()
    waiting = create(people[3])
    entering.do_join(waiting.code, people[2].person)
    do_leave_site(people[2].person)
    entering.do_add_bots(waiting.code, people[3].person, "random", 2)
    entering.do_start(waiting.code, people[3].person)
    assert Result.objects.filter(entrant__tournament=waiting, entrant__bot="", entrant__person=None).count() == 0


def test_a_guest_who_logs_in_keeps_one_entry(people: list[Actor], admin: Actor) -> None:
    waiting, running = create(people[0]), create(people[0])
    for tournament in (waiting, running):
        for actor in (people[1], people[2], admin):
            entering.do_join(tournament.code, actor.person)
    alone = create(people[2])
    entering.do_join(alone.code, people[1].person)
    entering.do_start(running.code, people[0].person)
    do_adopt(people[1].person, User.objects.get(username="boss"))
    assert waiting.entrants.count() == 3
    assert running.entrants.get(person=admin.person).withdrawn is False
    assert running.entrants.get(person=None).withdrawn is True
    assert alone.entrants.filter(person=admin.person).exists()
    assert not Person.objects.filter(pk=people[1].person.pk).exists()


# -- circles


def test_a_circles_tournament_is_for_its_members(people: list[Actor]) -> None:
    circle = do_make_circle(people[0].person, "Thursdays")
    for actor in people[1:3]:
        do_join_circle(actor.person, circle.token)
    made = begin(people[:3], bots=1, circle=circle.code)
    assert not Table.objects.filter(public=True).exists()
    refused("no_tournament", entering.do_join, made.code, people[3].person)
    refused("no_tournament", finding.find, made.code, None)
    assert made not in finding.listed()
    do_leave_circle(circle.code, people[1].person)
    refused("no_tournament", entering.do_leave, made.code, people[1].person)
    play_round(made)
    assert not Result.objects.filter(pairing__round=2, entrant__person=people[1].person).exists()
    page = people[2].client.get(f"/circles/{circle.code}/").content.decode()
    assert f"/tournaments/{made.code}/" in page
    do_close_circle(circle.code, people[0].person)
    assert not Tournament.objects.exists()
    assert Table.objects.exists()


def test_the_owner_of_the_circle_may_cancel_what_a_member_organizes(people: list[Actor]) -> None:
    circle = do_make_circle(people[0].person, "Thursdays")
    do_join_circle(people[1].person, circle.token)
    made = create(people[1], circle=circle.code)
    entering.do_cancel(made.code, people[0].person)
    assert fresh(made).status == "cancelled"
    with pytest.raises(Refused):
        create(people[3], circle=circle.code)


# -- pages


FORM = {"title": "Cup", "game": GAME, "size": "2", "system": "swiss", "rounds": "", "seconds": "60", "plays": "on"}


def test_a_newcomer_creates_a_tournament_and_another_one_joins(newcomer: Client, db: None) -> None:
    answer = newcomer.post("/tournaments/", {**FORM, "name": "Ann"})
    made = Tournament.objects.get()
    assert answer["Location"] == f"/tournaments/{made.code}/"
    other = Client()
    assert "Cup" in other.get("/tournaments/").content.decode()
    assert "Nobody" not in other.get(f"/tournaments/{made.code}/").content.decode()
    other.post(f"/tournaments/{made.code}/join/", {"name": "Ben"})
    assert [str(one) for one in made.entrants.all()] == ["Ann", "Ben"]
    newcomer.post(f"/tournaments/{made.code}/add-bots/", {"kind": "random", "count": "2"})
    newcomer.post(f"/tournaments/{made.code}/start/")
    page = other.get(f"/tournaments/{made.code}/").content.decode()
    assert "Go to your table" in page
    assert "Round 1 of 2" in page
    later(WAIT)
    do_run_tournaments()
    for pairing in pairings(made):
        finish(pairing)
    do_run_tournaments()
    now = other.get(f"/tournaments/{made.code}/now.json")
    assert "The next round begins in" in now.json()["parts"]["now"]
    assert now.json()["state"] == "running 1"
    later(PAUSE)
    do_run_tournaments()
    page = other.get(f"/tournaments/{made.code}/").content.decode()
    assert "Earlier rounds" in page
    assert 'class="own-row"' in page


def test_the_updates_have_an_etag(people: list[Actor]) -> None:
    made = begin(people[:3], bots=1)
    answer = people[0].client.get(f"/tournaments/{made.code}/now.json")
    again = people[0].client.get(f"/tournaments/{made.code}/now.json", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    play_round(made)
    again = people[0].client.get(f"/tournaments/{made.code}/now.json", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 200


def test_the_form_says_what_is_wrong(people: list[Actor]) -> None:
    answer = people[0].client.post("/tournaments/", {**FORM, "game": "hearts"})
    assert answer.status_code == 400
    assert "Hearts is for 4 players at a table. Choose that number." in answer.content.decode()
    answer = people[0].client.post("/tournaments/", {**FORM, "rounds": "99"})
    assert answer.status_code == 400
    assert not Tournament.objects.exists()


def test_a_table_leads_to_its_tournament(people: list[Actor]) -> None:
    circle = do_make_circle(people[0].person, "Thursdays")
    made = begin(people[:1], bots=3, circle=circle.code)
    code = next(one.table.code for one in pairings(made) if one.table)
    assert f"/tournaments/{made.code}/" in people[0].client.get(f"/t/{code}/").content.decode()
    assert "/tournaments/" not in people[3].client.get(f"/t/{code}/").content.decode().split('id="boot"')[-1]


def test_pages_ask_the_database_as_often_for_many_as_for_few(people: list[Actor]) -> None:
    counts = []
    for bots in (3, 60):
        made = begin(people[:1], bots=bots)
        play_round(made)
        people[0].client.get(f"/tournaments/{made.code}/")
        with CaptureQueriesContext(connection) as asked:
            assert people[0].client.get(f"/tournaments/{made.code}/").status_code == 200
        counts.append(len(asked))
        entering.do_cancel(made.code, people[0].person)
    assert counts[0] == counts[1] < 30


def test_standings_break_ties_by_opponents_then_wins_then_share_a_place(people: list[Actor]) -> None:
    made = create(people[0], plays=False)
    for actor in people:
        entering.do_join(made.code, actor.person)
    ann, ben, cas, dee = made.entrants.all()
    for number, (one, other, got) in enumerate([(ann, ben, 1.0), (cas, dee, 1.0)], 1):
        pairing = Pairing.objects.create(tournament=made, round=1, number=number, status="over")
        Result.objects.create(pairing=pairing, entrant=one, seat=0, points=got, place=1)
        Result.objects.create(pairing=pairing, entrant=other, seat=1, points=1 - got, place=2)
    rows = page_data.standings(made, page_data.entrants_of(made))
    assert [(row.name, row.place) for row in rows] == [("Ann", 1), ("Cas", 1), ("Ben", 3), ("Dee", 3)]
    pairing = Pairing.objects.create(tournament=made, round=2, number=1, status="over")
    Result.objects.create(pairing=pairing, entrant=ann, seat=0, points=0.5, place=1)
    Result.objects.create(pairing=pairing, entrant=dee, seat=1, points=0.5, place=1)
    rows = page_data.standings(made, page_data.entrants_of(made))
    assert [(row.name, row.place, row.points, row.opponents) for row in rows] == [
        ("Ann", 1, 1.5, 0.5),
        ("Cas", 2, 1, 0.5),
        ("Dee", 3, 0.5, 2.5),
        ("Ben", 4, 0, 1.5),
    ]
    assert Player.objects.count() == 0


# -- who misses two rounds


def miss(pairing: Pairing, seat: int, *, some: bool = False) -> None:
    """End the match of a pairing, in which a bot has decided for a person; ``some``: not always."""
    match = Match.objects.get(table=pairing.table, status=Match.Status.RUNNING)
    by = ["away", "away", "person" if some else "away"]
    deciders = [(seat, one) for one in by] + [(1 - seat, "person")]
    do_end_match(match.pk, match.table_id, [1.0, 0.0], [0], deciders=deciders)


def rounds_missed_by(actor: Actor, tournament: Tournament, *, some: bool = False) -> None:
    """Play the current round to its end, in which a person makes no decision, or few, and begin the next one."""
    come()
    run_all()
    for pairing in pairings(tournament):
        mine = pairing.results.filter(entrant__person=actor.person).first()
        if mine:
            miss(pairing, mine.seat, some=some)
        else:
            finish(pairing)
    run_all()


def entry(tournament: Tournament, actor: Actor) -> tuple[bool, bool]:
    mine = tournament.entrants.get(person=actor.person)
    return mine.withdrawn, mine.absent


def after_the_pause() -> None:
    later(PAUSE)
    do_run_tournaments()


def test_a_person_who_makes_no_decision_in_two_rounds_is_withdrawn_and_can_come_back(people: list[Actor]) -> None:
    gone = people[3]
    made = begin(people, rounds=6)
    rounds_missed_by(gone, made)
    assert entry(made, gone) == (False, False)
    after_the_pause()
    rounds_missed_by(gone, made)
    assert entry(made, gone) == (True, True)
    page = gone.client.get(f"/tournaments/{made.code}/").content.decode()
    assert "You made no decision in two rounds in a row" in page
    assert "missed two rounds" in people[0].client.get(f"/tournaments/{made.code}/").content.decode()
    after_the_pause()
    assert not any(pairing.results.filter(entrant__person=gone.person).exists() for pairing in pairings(made))
    assert gone.client.post(f"/tournaments/{made.code}/join/").status_code == 302
    assert entry(made, gone) == (False, False)
    for pairing in pairings(made):
        come()
        run_all()
        finish(pairing)
    run_all()
    after_the_pause()
    rounds_missed_by(gone, made)  # the rounds before count no longer: it is the first one
    assert entry(made, gone) == (False, False)


def test_rounds_that_an_account_missed_count_no_longer_once_its_guest_logs_in(
    people: list[Actor], admin: Actor
) -> None:
    made = begin([*people[:3], admin], rounds=6)
    for _ in range(2):
        rounds_missed_by(admin, made)
        after_the_pause()
    assert entry(made, admin) == (True, True)
    user = admin.person.user
    assert user
    do_adopt(people[1].person, user)
    rounds_missed_by(admin, made)  # the round without them, which had begun
    after_the_pause()
    rounds_missed_by(admin, made)
    assert entry(made, admin) == (False, False)


def test_one_decision_in_two_rounds_is_enough(people: list[Actor]) -> None:
    made = begin(people, rounds=5)
    for some in (False, True, False):
        rounds_missed_by(people[3], made, some=some)
        after_the_pause()
    assert entry(made, people[3]) == (False, False)
    assert people[3].person.tournament_entries.get().results.filter(missing=True).count() == 3


def test_after_the_last_round_nobody_is_withdrawn(people: list[Actor]) -> None:
    made = begin(people, rounds=2)
    rounds_missed_by(people[3], made)
    after_the_pause()
    rounds_missed_by(people[3], made)
    assert (fresh(made).status, entry(made, people[3])) == ("over", (False, False))
