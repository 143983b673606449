"""A match without a clock waits for its people. It is suspended while they are away, and bots end it after a month."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from cardsite.database import in_thread
from cardsite.lobby.games import NO_CLOCK
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services import hosting, lifecycle, seat_requests, seating
from cardsite.refusal import Refused
from cardsite.server import live as live_module
from cardsite.server import scheduler as scheduler_module
from cardsite.server.bots import BotPool
from cardsite.server.events import Events
from cardsite.server.live import occupants_of
from cardsite.server.referee import Referee
from cardsite.server.scheduler import Scheduler
from cardsite.server.table_info import read_table
from cardsite.table.models import Match, Move, ServerProcess
from cardsite.table.services.beginnings import do_play_now
from cardsite.table.services.matches import do_start_match
from cardsite.table.services.processes import ABANDONED, do_claim, do_end_abandoned, do_suspend, this_process
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.copies import load
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import full


def alone(table: Table) -> Table:
    """Return the table when only its host is left there, among bots."""
    Seat.objects.filter(table=table).exclude(index=0).update(person=None, bot="house")
    return table


def come(table: Table, index: int = 0, ago: timedelta = timedelta()) -> None:
    """Note that the occupant of a seat was there so long ago."""
    Seat.objects.filter(table=table, index=index).update(seen=timezone.now() - ago)


@pytest.fixture
def row(db: None, monkeypatch: pytest.MonkeyPatch) -> ServerProcess:
    """The row of this process, which runs the matches that a test starts."""
    monkeypatch.setattr(this_process, "row", ServerProcess.objects.create(name="here", seen=timezone.now()))
    assert this_process.row
    return this_process.row


# -- where a clock runs


@pytest.mark.parametrize(
    ("seconds", "people", "runs"), [(60, 2, True), (60, 4, True), (60, 1, False), (60, 0, False), (0, 4, False)]
)
def test_a_clock_runs_for_two_people_and_more_unless_the_table_has_none(
    table: Table, host: Actor, seconds: int, people: int, runs: bool
) -> None:
    Table.objects.filter(pk=table.pk).update(seconds=seconds)
    guests = [host.person, *(type(host.person).objects.create(name=f"Guest {n}") for n in (1, 2, 3))]
    Seat.objects.filter(table=table).update(person=None, bot="house")
    for taken in Seat.objects.filter(table=table, index__lt=people):
        taken.person, taken.bot = guests[taken.index], ""
        taken.save()
    live = load(do_start_match(table.code, None))
    for seat, occupant in enumerate(live.occupants):
        live.since = {seat: 1_000}
        waits = 1_000 + seconds * 1000 if runs else None
        assert live.due(seat) == (waits if occupant.person else 1_000), "bots never wait"
        assert live.deadlines() == ({str(seat): waits} if occupant.person and runs else {})
    assert read_table(table.code).info.clock is runs


def test_a_player_who_was_alone_has_the_whole_clock_when_somebody_sits_down(
    table: Table, host: Actor, guest: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = load(do_start_match(alone(table).code, host.person))
    live.since = {0: live.since.popitem()[1]}
    later = live.since[0] + 10_000_000  # long after a clock would have run out
    monkeypatch.setattr(live_module, "now_ms", lambda: later)
    seat_requests.do_request_seat(table.code, guest.person)
    seat_requests.do_answer_request(table.code, host.person, guest.person.pk, "now", 1)
    live.update_occupants(occupants_of(table.pk, "house"))
    assert live.deadlines() == {"0": later + 60_000}
    monkeypatch.setattr(live_module, "now_ms", lambda: later + 5_000)
    live.update_occupants(occupants_of(table.pk, "house"))
    assert live.deadlines() == {"0": later + 60_000}


def test_a_table_is_set_without_a_clock_and_gets_one_by_its_host(host: Actor, db: None) -> None:
    game = catalogue.find("hamsterdam")
    table = lifecycle.do_create_table(host.person, game, ["me", "open"], seconds=NO_CLOCK)
    assert do_start_match(table.code, host.person)
    assert Match.objects.get(table=table).seconds == 0
    lifecycle.do_end_playing(table.pk)
    hosting.do_change_game(table.code, host.person, game, {}, 30)
    assert Table.objects.get().seconds == 30
    with pytest.raises(Refused, match="no clock"):
        hosting.do_change_game(table.code, host.person, game, {}, 7)


def test_a_table_without_a_clock_is_set_by_the_form_and_says_so(site: RunningSite) -> None:
    host = Visitor(site, "Hostess")
    code = host.open_table("me", "open", seconds=0)
    with host.connect(code) as one:
        assert (one.table["seconds"], one.table["clock"]) == (0, False)
        begin(code, host, one)
        one.until(one.my_turn)
        play_on([one])
        assert {by for m in one.messages if m["t"] == "change" for by in [m["by"]]} == {"person", "bot"}
        assert all(m["deadlines"] == {} for m in one.messages if m["t"] in ("change", "snapshot", "table"))


# -- nobody is here


def test_a_match_is_suspended_only_where_none_of_its_people_is_here(
    table: Table, host: Actor, row: ServerProcess
) -> None:
    match = do_start_match(alone(table).code, host.person)
    come(table)
    assert do_suspend(row, {match: None}) == []
    come(table, ago=2 * HERE)
    other = ServerProcess.objects.create(name="there", seen=timezone.now())
    assert do_suspend(other, {match: None}) == [], "another process keeps it"
    assert do_suspend(row, {match: None}) == [match]
    assert Match.objects.get().process is None


def stands(table: Table, host: Actor) -> None:
    seating.do_stand(table.code, host.person)


def comes_back(table: Table, host: Actor) -> None:
    come(table)


@pytest.mark.parametrize("happens", [stands, comes_back])
def test_no_process_runs_a_suspended_match_until_something_happens_at_its_table(
    table: Table, host: Actor, row: ServerProcess, happens: Callable[[Table, Actor], None]
) -> None:
    match = do_start_match(alone(table).code, host.person)
    assert do_suspend(row, {match: None}) == [match]
    assert do_claim(row, alone=True) == []
    happens(table, host)
    assert do_claim(row, alone=True) == [match]
    assert Match.objects.get().suspended_since is None


def test_the_time_of_a_suspended_match_does_not_count(table: Table, host: Actor, row: ServerProcess) -> None:
    match = do_start_match(alone(table).code, host.person)
    hours = timedelta(hours=5)
    Match.objects.update(started=timezone.now() - hours)
    do_suspend(row, {match: None})
    come(table)
    do_claim(row, alone=True)
    [since] = set(load(match).since.values())
    assert abs(since - timezone.now().timestamp() * 1000) < 60_000


def test_after_a_month_bots_play_a_match_to_its_end(table: Table, host: Actor, row: ServerProcess) -> None:
    match = do_start_match(alone(table).code, host.person)
    do_suspend(row, {match: None})
    Match.objects.update(suspended_since=timezone.now() - ABANDONED + timedelta(minutes=1))
    Table.objects.update(touched=timezone.now() - ABANDONED)
    do_end_abandoned()
    assert do_claim(row, alone=True) == []
    Match.objects.update(suspended_since=timezone.now() - ABANDONED - timedelta(minutes=1))
    do_end_abandoned()
    assert do_claim(row, alone=True) == [match]
    assert not any(occupant.decides for occupant in load(match).occupants)


def test_a_player_who_leaves_many_unfinished_matches_keeps_the_last_ones(host: Actor, row: ServerProcess) -> None:
    game = catalogue.find("hamsterdam")
    codes = []
    for _ in range(2 * lifecycle.MAX_TABLES):
        table = do_play_now(host.person, game)
        codes.append(table.code)
        Table.objects.filter(pk=table.pk).update(created=timezone.now() - timedelta(minutes=5))
        do_suspend(row, dict.fromkeys(Match.objects.filter(table=table).values_list("pk", flat=True)))
        for left in Match.objects.filter(suspended_since=None, status=Match.Status.RUNNING).exclude(table=table):
            assert not any(occupant.decides for occupant in load(left.pk).occupants)
            Match.objects.filter(pk=left.pk).update(status=Match.Status.OVER)  # as bots play it
            lifecycle.do_end_playing(left.table_id)
    suspended = Match.objects.filter(suspended_since__isnull=False).values_list("table__code", flat=True)
    assert set(suspended) == set(codes[-1 - lifecycle.KEPT_SOLO :])


# -- the scheduler


@pytest.mark.django_db(transaction=True)
def test_the_scheduler_releases_a_suspended_match_and_takes_it_over_when_a_player_is_back(
    table: Table, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler_module, "IDLE", -60_000)  # at once
    match = do_start_match(alone(table).code, host.person)
    [first] = load(match).since
    Seat.objects.filter(table=table).update(person=None, bot="house")
    Seat.objects.filter(table=table, index=first).update(person=host.person, bot="")
    come(table, first)
    changed: dict[str, Any] = {}

    async def rounds() -> None:
        referee = Referee(Events())
        scheduler = Scheduler("here", referee, Events(), BotPool(1), BotPool(1))
        try:
            await scheduler.round()
            changed["here"] = match in scheduler.running
            await in_thread(come)(table, first, 2 * HERE)
            await scheduler.round()
            changed["gone"] = match in scheduler.running or match in referee.lives
            await scheduler.resume(table.code)
            changed["watched"] = match in scheduler.running
            await in_thread(come)(table, first)
            await scheduler.resume(table.code)
            changed["back"] = match in scheduler.running
        finally:
            await scheduler.close()

    async_to_sync(rounds)()
    assert changed == {"here": True, "gone": False, "watched": False, "back": True}
    assert not Move.objects.filter(by="clock").exists()


# -- why a bot decided


@full
def test_the_log_distinguishes_who_was_away_from_whose_time_was_up(site: RunningSite, site_db: str) -> None:
    code, host, _ = two_at_a_table(site)
    Table.objects.using(site_db).filter(code=code).update(seconds=1)
    with host.connect(code) as one:
        begin(code, host, one)
        one.until(one.over)
        plies = [message for message in one.messages if message["t"] == "change"]
    why = {"clock": "Time is up: the house decides for {seat}.", "away": "{seat} is away: the house decides."}
    assert {ply["by"] for ply in plies} == set(why)
    for ply in plies:
        sentences = [line["text"]["text"] for line in ply["log"]]
        assert [by for by, words in why.items() if words in sentences] == [ply["by"]]
