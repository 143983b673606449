"""The deal of the day: the same for everybody, one scored try, a board of scores, and a secret seed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.utils import timezone

from cardsite.lobby.models import Seat, Table
from cardsite.server.table_info import read_table
from cardsite.table import daily
from cardsite.table.models import DailyTry, Match, Move, Player
from games import catalogue
from games.core.view import path_moves
from tests.running_site import RunningSite
from tests.site.conftest import Actor, block
from tests.site.copies import load, rules_of
from tests.site.reasons import BY_LINK, NO_GAME, why_refused
from tests.site.visitor import Visitor

THIEF = "/daily/thief/"


def finish(match: Match, score: float) -> None:
    """Store the end of a match, as the referee does."""
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER, finished=timezone.now())
    Table.objects.filter(pk=match.table_id).update(status=Table.Status.OVER)
    Player.objects.filter(match=match).update(score=score)


def play(actor: Actor, score: float | None = None) -> Match:
    """Start the deal of the day, and finish it if ``score`` is given."""
    answer = actor.client.post(THIEF)
    match = DailyTry.objects.get(person=actor.person).match
    assert answer.headers["Location"] == f"/t/{match.table.code}/"
    if score is not None:
        finish(match, score)
    return match


def test_the_page_is_open_to_all_and_creates_no_person(newcomer: Client, host: Actor) -> None:
    for client in (newcomer, host.client):
        page = client.get(THIEF)
        assert page.status_code == 200
        assert "Nobody has played it yet" in page.content.decode()
    assert not DailyTry.objects.exists()


def test_a_game_without_a_deal_of_the_day_has_no_page(newcomer: Client, db: None) -> None:
    assert why_refused(newcomer.get("/daily/hamsterdam/")) == "Hamsterdam Exchange has no deal of the day."
    assert why_refused(newcomer.get("/daily/chess/")) == NO_GAME
    front = newcomer.get("/games/").content.decode()
    assert THIEF in front
    assert "/daily/hamsterdam/" not in front


def test_everybody_gets_the_same_deal_of_the_day_s_level(host: Actor, guest: Actor) -> None:
    one, other = play(host), play(guest)
    assert one.table_id != other.table_id
    assert (
        rules_of(load(one.pk)).view(0, face_up=True)["zones"] == rules_of(load(other.pk)).view(0, face_up=True)["zones"]
    )
    deal = catalogue.find("thief").daily
    assert deal
    assert one.options["level"] == deal.options(daily.today())["level"]


def test_a_day_s_table_is_neither_sealed_nor_listed_and_shows_no_seed(
    host: Actor, guest: Actor, newcomer: Client
) -> None:
    match = play(host, 20)
    assert not match.sealed
    assert not match.table.public
    assert match.table.code not in newcomer.get("/").content.decode()
    for client in (guest.client, newcomer):
        assert why_refused(client.get(f"/replay/{match.pk}/frames.json")) == BY_LINK
    for client in (host.client, guest.client, newcomer):
        for path in ("frames.json", "record.json", ""):
            answer = client.get(f"/replay/{match.pk}/{path}?table={match.table.code}")
            assert match.seed not in answer.content.decode()
        assert match.seed not in client.get(f"/t/{match.table.code}/").content.decode()


def test_there_is_one_try_and_it_can_be_continued(host: Actor) -> None:
    match = play(host)
    assert "Continue playing" in host.client.get(THIEF).content.decode()
    assert host.client.post(THIEF).headers["Location"] == f"/t/{match.table.code}/"
    finish(match, 12)
    assert "You have already played today" in host.client.get(THIEF).content.decode()
    host.client.post(THIEF)
    assert DailyTry.objects.count() == Match.objects.count() == 1


def test_playing_again_at_the_table_deals_again_and_is_not_on_the_board(host: Actor) -> None:
    match = play(host, 12)
    info = read_table(match.table.code).info.daily
    assert info
    assert (info.day, info.counts) == (daily.today().isoformat(), True)
    assert f"{THIEF}{info.day}/" in host.client.get(f"/t/{match.table.code}/").content.decode()
    host.client.post(f"/t/{match.table.code}/start/")
    info = read_table(match.table.code).info.daily
    assert info
    assert not info.counts  # the second match is not scored
    again = Match.objects.exclude(pk=match.pk).get()
    assert again.seed != match.seed
    finish(again, 99)
    assert [row.score for row in daily.leaderboard(catalogue.find("thief"), daily.today())] == [12]


def test_the_board_puts_the_best_first_and_ties_share_a_rank(host: Actor, guest: Actor, stranger: Actor) -> None:
    play(host, 12)
    play(guest, 31)
    play(stranger, 12)
    rows = daily.leaderboard(catalogue.find("thief"), daily.today())
    assert [(row.rank, row.score) for row in rows] == [(1, 31), (2, 12), (2, 12)]
    assert rows[0].person == guest.person.pk
    page = guest.client.get(THIEF).content.decode()
    assert page.index("<td>31</td>") < page.index(f"<bdi>{host.person.name}</bdi>")


@pytest.mark.parametrize("decider", ["clock", "away", "bot"])
def test_a_try_that_a_bot_finished_gets_no_place(host: Actor, guest: Actor, stranger: Actor, decider: str) -> None:
    for actor, score, deciders in ((host, 42, ("person", decider)), (guest, 20, ("person",)), (stranger, 5, ())):
        match = play(actor, score)
        for ply, by in enumerate(deciders, 1):
            Move.objects.create(match=match, ply=ply, seat=0, text="path 4 0", by=by, at=0)
    rows = daily.leaderboard(catalogue.find("thief"), daily.today())
    assert [(row.rank, row.score, row.helped) for row in rows] == [(1, 20, False), (2, 5, False), (0, 42, True)]
    assert "42 (played in part by the house)" in host.client.get(THIEF).content.decode()


def test_a_player_who_is_still_playing_stands_last_without_a_score(host: Actor, guest: Actor) -> None:
    play(host)
    play(guest, 0)
    rows = daily.leaderboard(catalogue.find("thief"), daily.today())
    assert [(row.rank, row.score) for row in rows] == [(1, 0), (0, None)]
    assert "still playing" in host.client.get(THIEF).content.decode()


@pytest.mark.parametrize("days", [1, 2])
def test_another_day_is_another_deal_and_another_try(host: Actor, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    first = play(host, 12)
    later: date = daily.today() + timedelta(days=days)
    monkeypatch.setattr("cardsite.front.views.today", lambda: later)
    assert "Nobody has played it yet" in host.client.get(THIEF).content.decode()
    host.client.post(THIEF)
    second = DailyTry.objects.get(day=later).match
    assert second.seed != first.seed


def test_a_visitor_who_is_blocked_may_look_and_not_play(host: Actor) -> None:
    block(host.person)
    alone = Table.objects.create(game="hamsterdam", host=host.person, opened_by=host.person)
    Seat.objects.create(table=alone, index=0, person=host.person)
    refused = host.client.post(THIEF)
    assert "you may watch, but not sit down" in next(map(str, get_messages(refused.wsgi_request)))
    assert host.client.get(THIEF).status_code == 200
    assert not DailyTry.objects.exists()
    assert Table.objects.get() == alone
    assert Table.objects.get().status == Table.Status.OPEN  # not closed for a try that has not begun


def test_a_heist_is_played_over_the_socket_as_its_paths_say(site: RunningSite) -> None:
    thief, other = Visitor(site, "Tess"), Visitor(site, "Gus")
    code = thief.post(THIEF).headers["Location"].split("/")[2]
    with thief.connect(code) as ws, other.connect(code) as spectator:
        assert ws.table["sealed"] is False
        while not ws.over():
            slips = [legal["move"] for legal in ws.view["moves"]]
            ack = ws.move([*path_moves(ws.view["paths"]), *slips][0])
            assert ack["t"] == "ack", ack
            ws.until(lambda version=ack["version"]: ws.version >= version)  # type: ignore[misc]
        spectator.until(spectator.over)
        assert all("paths" not in m["view"] for m in spectator.messages if "view" in m)
        assert all(not m.get("seed") for m in [*ws.messages, *spectator.messages])
