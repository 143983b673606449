"""What if: an ended match is continued from one of its steps, at a table where nothing counts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.daily import today
from cardsite.table.models import DailyTry, Match, Move
from cardsite.table.moves import moves_of
from cardsite.table.services.chores import do_pack_moves
from cardsite.table.services.matches import do_agree, do_end_match
from cardsite.table.what_if import opening
from cardsite.workshop.models import Text
from games import core
from tests.site.conftest import Actor
from tests.site.copies import advance, at_once, load, rules_of
from tests.site.reasons import BY_LINK, why_refused
from tests.site.stored_texts import playable
from tests.site.test_stored_replays import play
from tests.site.test_workshop_positions import end, keep, start


def over(game: str, *actors: Actor, sealed: bool = True, public: bool = True) -> Match:
    """Play a match of two to its end."""
    return end(start(game, *actors, sealed=sealed, public=public))


def press(client: Client, match: Match, move: int, seat: int = 0, **query: str) -> Any:
    """Press *Play from here*."""
    return client.post(f"/replay/{match.pk}/play/", {"move": move, "seat": seat}, query_params=query)


def begun(client: Client, match: Match, move: int, seat: int = 0) -> Match:
    """Press *Play from here*, and return the match that has begun with it."""
    answer = press(client, match, move, seat).json()
    assert answer["ok"], answer
    code = answer["url"].strip("/").split("/")[-1]
    return Match.objects.select_related("table").get(table__code=code)


def position(match: Match, ply: int) -> core.Match:
    """Return how a match stood after so many moves."""
    game = playable(match.game)
    moves = [(move.seat, move.text) for move in moves_of(match.pk)[:ply]]
    seats = match.players.count()
    return core.Match.replay(game, seats, match.options, bytes.fromhex(match.seed), moves)


@pytest.fixture
def workshop_game(host: Actor) -> str:
    """A game that somebody has written, published."""
    version = keep(host)
    Text.objects.filter(pk=version.text_id).update(published=version.number)
    return version.game


@pytest.mark.parametrize("kind", ["a house game", "a text of the library", "a version of the workshop"])
def test_the_match_stands_at_that_step_and_the_person_on_that_seat_among_bots(
    kind: str, host: Actor, guest: Actor, stranger: Actor, workshop_game: str
) -> None:
    games = {"a house game": "hamsterdam", "a text of the library": "kuhn"}
    match = over(games.get(kind, workshop_game), host, guest)
    do_pack_moves(Match.objects.filter(pk=match.pk), 1)
    plays = Text.objects.get().plays
    ply = len(moves_of(match.pk)) // 2
    made = begun(stranger.client, match, ply, seat=1)
    assert load(made.pk).version == ply > 0
    now, before = position(made, ply), position(match, ply)
    assert [now.view(seat) for seat in (0, 1, None)] == [before.view(seat) for seat in (0, 1, None)]
    assert [(seat.person, bool(seat.bot)) for seat in made.table.seats.all()] == [
        (None, True),
        (stranger.person, False),
    ]
    assert (made.table.public, made.table.sealed, made.table.what_if) == (False, False, True)
    assert (made.origin, made.origin_ply, made.rules_version) == (match, ply, match.rules_version)
    assert Text.objects.get().plays == plays


def test_nothing_that_is_played_there_is_on_anybodys_page_or_the_front_page(
    host: Actor, guest: Actor, stranger: Actor, newcomer: Client
) -> None:
    match = over("hamsterdam", host, guest)
    made = begun(stranger.client, match, 2)
    assert made.table.code not in newcomer.get("/").content.decode()
    Move.objects.filter(match=made, ply__gt=2).delete()
    live = load(made.pk)
    while not live.over:
        seat = min(live.since)
        advance(live, seat, rules_of(live).legal_moves(seat)[0], "person", 1000)
    do_end_match(made.pk, made.table_id, *at_once(live.end()))
    for page in ("/people/me/", f"/people/{stranger.person.pk}/"):
        assert f"/replay/{made.pk}/" not in stranger.client.get(page).content.decode()
    assert stranger.client.get(f"/replay/{made.pk}/").status_code == 200  # it can still be viewed


def test_the_next_match_there_begins_at_the_same_step_even_when_the_first_one_is_gone(
    host: Actor, guest: Actor, stranger: Actor
) -> None:
    match = over("kuhn", host, guest)
    made = begun(stranger.client, match, 1)
    play(made, plies=1)  # no more than is there
    live = load(made.pk)
    while not live.over:
        seat = min(live.since)
        advance(live, seat, rules_of(live).legal_moves(seat)[-1], "person", 1000)
    do_end_match(made.pk, made.table_id, *at_once(live.end()))
    match.delete()
    again = Match.objects.get(pk=do_agree(made.table.code, stranger.person, True))
    assert again != made
    assert (again.seed, again.origin, again.origin_ply) == (made.seed, None, 1)
    assert [move.text for move in moves_of(again.pk)] == [move.text for move in moves_of(made.pk)][:1]


def test_game_and_seats_cannot_be_changed_there(host: Actor, guest: Actor, stranger: Actor) -> None:
    made = begun(stranger.client, over("hamsterdam", host, guest), 1)
    Table.objects.filter(pk=made.table_id).update(status=Table.Status.OVER)
    for button in ("add-seat", "remove-seat"):
        answer = stranger.client.post(f"/t/{made.table.code}/{button}/", {"seat": 1})
        assert answer.json()["code"] == "what_if"
    stranger.client.post(f"/t/{made.table.code}/change/", {"game": "bundles", "seconds": 60})
    assert Table.objects.get(pk=made.table_id).game == "hamsterdam"
    assert Seat.objects.filter(table=made.table_id).count() == 2


def test_two_clicks_are_one_table(host: Actor, guest: Actor, stranger: Actor) -> None:
    match = over("hamsterdam", host, guest)
    assert begun(stranger.client, match, 1) == begun(stranger.client, match, 1)
    assert begun(stranger.client, match, 1, seat=1) != begun(stranger.client, match, 1)


def test_somebody_new_may_play_on_too(host: Actor, guest: Actor, newcomer: Client) -> None:
    made = begun(newcomer, over("hamsterdam", host, guest), 1)
    assert Person.objects.filter(seats__table=made.table).exists()


# -- what is refused, with a sentence


def refusal(answer: Any) -> str:
    """Return why something was refused."""
    body = answer.json()
    assert not body["ok"]
    assert body["text"].endswith(".")
    assert not Table.objects.filter(what_if=True).exists()
    return str(body["code"])


def test_a_match_that_is_being_played_is_refused(host: Actor, guest: Actor, stranger: Actor) -> None:
    assert refusal(press(stranger.client, start("kuhn", host, guest, sealed=True, public=True), 0)) == "playing"


def test_a_deal_that_stays_closed_is_refused_and_ones_own_is_not(host: Actor, guest: Actor, stranger: Actor) -> None:
    together = over("hamsterdam", host, guest, sealed=False)
    for actor in (host, guest, stranger):
        assert refusal(press(actor.client, together, 1)) == "not_open"
        assert '"play_on": ""' in actor.client.get(f"/replay/{together.pk}/").content.decode()
    alone = over("hamsterdam", host, sealed=False, public=False)
    assert why_refused(press(guest.client, alone, 1)) == BY_LINK
    assert refusal(press(guest.client, alone, 1, table=alone.table.code)) == "not_open"
    assert begun(host.client, alone, 1)


def test_a_match_by_other_rules_is_refused(host: Actor, guest: Actor, stranger: Actor) -> None:
    match = over("hamsterdam", host, guest)
    Match.objects.filter(pk=match.pk).update(rules_version="archived")
    assert refusal(press(stranger.client, match, 1)) == "other_rules"


def test_the_deal_of_today_is_refused_until_tomorrow(host: Actor) -> None:
    match = over("hamsterdam", host, sealed=False, public=False)
    DailyTry.objects.create(game="hamsterdam", day=today(), person=host.person, match=match)
    assert refusal(press(host.client, match, 1)) == "daily"


def test_the_deal_of_today_is_no_opening_for_a_text_of_ones_own(host: Actor) -> None:
    match = over("hamsterdam", host, sealed=False, public=False)
    assert opening(match, host.person, 1)
    DailyTry.objects.create(game="hamsterdam", day=today(), person=host.person, match=match)
    assert opening(match, host.person, 1) is None


def test_a_step_or_a_seat_that_there_is_not_is_refused(host: Actor, guest: Actor, stranger: Actor) -> None:
    match = over("kuhn", host, guest)
    last = len(moves_of(match.pk))
    assert [refusal(press(stranger.client, match, move)) for move in (last, last + 1, -1)] == ["bad_option"] * 3
    assert refusal(press(stranger.client, match, 0, seat=2)) == "no_seat"


def test_a_game_that_staff_have_hidden_is_refused(host: Actor, guest: Actor, workshop_game: str) -> None:
    match = over(workshop_game, host, guest)
    Text.objects.update(hidden=True)
    assert refusal(press(guest.client, match, 0)) == "no_game"


# -- the link to a step


def test_the_link_to_a_step_names_the_match(host: Actor, guest: Actor, newcomer: Client) -> None:
    match = over("hamsterdam", host, guest)
    page = newcomer.get(f"/replay/{match.pk}/?move=3&seat=1").content.decode()
    assert 'property="og:title" content="Move 3 of Hamsterdam Exchange: Hostess, Guest"' in page
    assert f"/replay/{match.pk}/?move=3&amp;seat=1" in page
    assert "Won by " in page
    assert "Move 0" not in newcomer.get(f"/replay/{match.pk}/?move=soon").content.decode()


def test_the_link_that_a_player_copies_opens_for_others_too(host: Actor, guest: Actor, newcomer: Client) -> None:
    match = over("hamsterdam", host, guest, public=False)
    page = host.client.get(f"/replay/{match.pk}/").content.decode()
    [shared] = re.findall(r'"shared": "([^"]+)"', page)
    assert newcomer.get(shared).status_code == 200
    assert why_refused(newcomer.get(f"/replay/{match.pk}/")) == BY_LINK


def test_the_link_to_a_closed_table_offers_its_replay(host: Actor, guest: Actor, newcomer: Client) -> None:
    match = over("hamsterdam", host, guest, public=False)
    Table.objects.update(status=Table.Status.CLOSED)
    answer = newcomer.get(f"/t/{match.table.code}/")
    assert answer.status_code == 410
    assert newcomer.get(f"/replay/{match.pk}/?table={match.table.code}").status_code == 200
    assert f"/replay/{match.pk}/?table={match.table.code}" in answer.content.decode()
