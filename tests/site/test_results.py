"""What is stored when a match ends or is abandoned: the results, and whose cards are shown afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import seat_requests, seating
from cardsite.people.names import BOT_NAMES
from cardsite.table import replay
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match, Move, Player, ServerProcess
from cardsite.table.services import processes
from cardsite.table.services.matches import do_drop_match, do_end_match, do_start_match
from cardsite.table.services.processes import do_claim
from tests.site.conftest import Actor
from tests.site.copies import advance, at_once, load, rules_of
from tests.site.reasons import NOT_FINISHED, why_refused


@pytest.fixture
def match(table: Table, host: Actor) -> Match:
    """A match of the cast that has begun."""
    return Match.objects.get(pk=do_start_match(table.code, host.person))


# -- who won how much


@pytest.mark.parametrize(
    ("winners", "shares"),
    [
        ([2], [0, 0, 1, 0]),
        ([0, 3], [0.5, 0, 0, 0.5]),
        ([0, 1, 2], [1 / 3, 1 / 3, 1 / 3, 0]),
        ([0, 1, 2, 3], [0.25, 0.25, 0.25, 0.25]),
        ([], [0, 0, 0, 0]),
    ],
)
def test_a_shared_win_is_shared_at_the_table_and_in_everybodys_history(
    table: Table, match: Match, winners: list[int], shares: Sequence[float]
) -> None:
    do_end_match(match.pk, table.pk, [1.0, 2.0, 3.0, 4.0], winners)
    players = Player.objects.filter(match=match)
    assert [player.share for player in players] == pytest.approx(shares)
    assert [player.score for player in players] == [1.0, 2.0, 3.0, 4.0]
    assert [seat.wins for seat in Seat.objects.filter(table=table)] == pytest.approx(shares)


def test_wins_of_a_series_add_up(table: Table, match: Match, host: Actor) -> None:
    do_end_match(match.pk, table.pk, [1.0] * 4, [0, 3])
    do_end_match(do_start_match(table.code, host.person), table.pk, [1.0] * 4, [0])
    assert [seat.wins for seat in Seat.objects.filter(table=table)] == [1.5, 0, 0, 0.5]


# -- whose line it is


def lines(match: Match) -> list[tuple[str, str]]:
    """Return the name and the kind of bot on each line of a match."""
    return [(player.name, player.bot) for player in Player.objects.filter(match=match)]


def test_a_player_who_came_late_has_the_line_of_the_seat_they_finished(
    table: Table, match: Match, host: Actor, stranger: Actor
) -> None:
    before = lines(match)
    seat_requests.do_request_seat(table.code, stranger.person)
    seat_requests.do_answer_request(table.code, host.person, stranger.person.pk, "now", 2)
    assert lines(match) == before
    do_end_match(match.pk, table.pk, [1.0, 2.0, 3.0, 4.0], [2])
    assert lines(match) == [before[0], before[1], ("Stranger", ""), before[3]]
    won = Player.objects.get(match=match, person=stranger.person)
    assert (won.seat, won.share, won.score) == (2, 1, 3.0)
    # Replays and lists show the same.
    replayed = stranger.client.get(f"/replay/{match.pk}/frames.json").json()
    assert len(faces(replayed["frames"][0]["view"])) == 2
    assert [player["name"] for player in replay.names(match)] == [name for name, _ in lines(match)]
    page = stranger.client.get("/people/me/").content.decode()
    assert f"/replay/{match.pk}/" in page


def test_a_player_who_left_before_the_end_keeps_the_line_that_a_bot_has_finished(
    table: Table, match: Match, guest: Actor
) -> None:
    before = lines(match)
    seating.do_stand(table.code, guest.person)
    do_end_match(match.pk, table.pk, [1.0, 2.0, 3.0, 4.0], [1])
    assert lines(match) == before
    assert Player.objects.get(match=match, person=guest.person).share == 1


def test_a_player_who_comes_back_on_another_seat_has_that_line_and_no_other(
    table: Table, match: Match, host: Actor, guest: Actor
) -> None:
    seating.do_stand(table.code, guest.person)
    seat_requests.do_request_seat(table.code, guest.person)
    seat_requests.do_answer_request(table.code, host.person, guest.person.pk, "now", 3)
    do_end_match(match.pk, table.pk, [1.0, 2.0, 3.0, 4.0], [3])
    assert [player.seat for player in Player.objects.filter(match=match, person=guest.person)] == [3]
    assert lines(match)[1] == (BOT_NAMES[1], "house")


# -- where the points came from


def test_the_table_and_the_replay_show_where_the_points_came_from(table: Table, match: Match) -> None:
    live = load(match.pk)
    while not live.over:
        [seat, *_] = live.since
        advance(live, seat, rules_of(live).legal_moves(seat)[0], "person", 1)
        Move.objects.create(match=match, ply=live.version, seat=seat, text=live.moves[-1][1], by="person", at=1)
    do_end_match(match.pk, table.pk, *at_once(live.end()))
    replayedds = json.loads(at_once(live.snapshot(None)))["view"]["result"]["rounds"]
    assert len(replayedds) > 2
    assert json.loads(at_once(load(match.pk).snapshot(1)))["view"]["result"]["rounds"] == replayedds
    frames, whole = replay.frames(match, None, face_up=False)
    assert whole
    assert json.loads(bytes(frames[-1]))["view"]["result"]["rounds"] == replayedds


# -- whose cards are shown


def end(match: Match) -> None:
    """End a match as if it had been played."""
    do_end_match(match.pk, match.table_id, [1.0, 0.0, 0.0, 0.0], [0])


def drop(match: Match) -> None:
    """Give a match up."""
    do_drop_match(match.pk, Dropped(DropReason.RULES_FAILED, "what happened"))


def go_on(match: Match) -> None:
    """Leave a match as it is."""


def faces(view: dict[str, Any]) -> list[str]:
    """Return the cards in a view's zones that can be read."""
    return [piece["face"] for zone in view["zones"] for piece in zone["pieces"] if piece.get("face")]


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("become", [end, drop, go_on])
def test_hands_and_seed_are_open_to_all_after_a_sealed_match_that_was_played_to_its_end_and_after_no_other(
    table: Table, host: Actor, stranger: Actor, newcomer: Client, sealed: bool, become: Any
) -> None:
    Table.objects.filter(pk=table.pk).update(sealed=sealed)
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    become(match)
    opened = sealed and become is end
    for client, own in ((newcomer, 0), (stranger.client, 0), (host.client, 2)):
        replayed = client.get(f"/replay/{match.pk}/frames.json").json()
        assert replayed["face_up"] is opened
        assert (replayed["seed"] == match.seed) is opened
        [deal] = replayed["frames"]
        assert len(faces(deal["view"])) == (8 if opened else own)
        assert (match.seed in client.get(f"/verify/{match.pk}/").content.decode()) is opened
        record = client.get(f"/replay/{match.pk}/record.json")
        assert record.status_code == 200 if opened else why_refused(record) == NOT_FINISHED


# -- time while nobody kept the match


NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def kept(match: Match) -> Match:
    """The match, begun an hour before noon."""
    Match.objects.filter(pk=match.pk).update(started=NOON - timedelta(hours=1), process=None)
    return Match.objects.get(pk=match.pk)


def taken_over(match: Match, monkeypatch: pytest.MonkeyPatch, *, last_seen: int, now: int) -> Match:
    """Have another process take over a match whose process was last seen then (seconds after noon)."""
    moment = NOON + timedelta(seconds=now)
    monkeypatch.setattr(processes, "timezone", SimpleNamespace(now=lambda: moment))
    lost = ServerProcess.objects.create(name=f"lost {last_seen}", seen=NOON + timedelta(seconds=last_seen))
    Match.objects.filter(pk=match.pk).update(process=lost)
    assert do_claim(ServerProcess.objects.create(name=f"other {now}", seen=moment), alone=False) == [match.pk]
    return Match.objects.get(pk=match.pk)


def test_compensation_adds_up_over_two_takeovers_of_the_same_decision(
    kept: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = taken_over(kept, monkeypatch, last_seen=0, now=40)
    assert (once.compensation_ply, once.compensation_ms) == (0, 40_000)
    twice = taken_over(kept, monkeypatch, last_seen=50, now=80)
    assert (twice.compensation_ply, twice.compensation_ms) == (0, 70_000)
    started = int(kept.started.timestamp() * 1000)
    assert set(load(kept.pk).since.values()) == {started + 70_000}


def test_compensation_of_one_decision_does_not_pass_to_the_next(kept: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    taken_over(kept, monkeypatch, last_seen=0, now=40)
    [seat] = load(kept.pk).since
    at = int(NOON.timestamp() * 1000) + 45_000
    Move.objects.create(match=kept, ply=1, seat=seat, text="keep", by="person", at=at)
    assert set(load(kept.pk).since.values()) == {at}
    second = taken_over(kept, monkeypatch, last_seen=50, now=80)
    assert (second.compensation_ply, second.compensation_ms) == (1, 30_000)
    assert set(load(kept.pk).since.values()) == {at + 30_000}


def test_a_process_last_seen_before_the_last_move_costs_only_the_time_after_that_move(
    kept: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    [seat] = load(kept.pk).since
    at = int(NOON.timestamp() * 1000) + 10_000
    Move.objects.create(match=kept, ply=1, seat=seat, text="keep", by="person", at=at)
    after = taken_over(kept, monkeypatch, last_seen=3, now=40)
    assert (after.compensation_ply, after.compensation_ms) == (1, 30_000)
