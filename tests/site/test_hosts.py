"""What a host may change about seats, games and people, before, between and during matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import lifecycle, presence, seat_requests
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table

Pressed = Callable[..., str]


@pytest.fixture
def press(request: pytest.FixtureRequest, table: Table) -> Pressed:
    """A function that has an actor press a button at ``table``: returns the code of the refusal, "" for none."""

    def by(role: str, action: str, **fields: object) -> str:
        actor: Any = request.getfixturevalue(role)
        client = actor if isinstance(actor, Client) else actor.client
        answer: dict[str, str] = client.post(f"/t/{table.code}/{action}/", fields).json()
        table.refresh_from_db()
        return answer.get("code", "")

    return by


def kinds(table: Table) -> list[str]:
    """Return who sits where: "open", a bot's kind, or a person's name."""
    return [seat.person.name if seat.person else seat.bot or "open" for seat in table.seats.select_related("person")]


def play(table: Table, host: Actor) -> None:
    """Begin a match."""
    do_start_match(table.code, host.person)
    table.refresh_from_db()


def end(table: Table, winner: int = 0) -> None:
    """End the match with a winner."""
    Match.objects.filter(table=table).update(status=Match.Status.OVER)
    lifecycle.do_end_playing(table.pk, {winner: table.seats.get(index=winner).person_id}, 1.0)
    table.refresh_from_db()


# -- the host


def test_the_host_makes_another_player_the_host_even_during_a_match(
    press: Pressed, table: Table, host: Actor, guest: Actor
) -> None:
    play(table, host)
    assert press("guest", "make-host", seat=1) == "not_host"
    for nobody in (2, 3):
        assert press("host", "make-host", seat=nobody) == "bad_option"
    assert press("host", "make-host", seat=1) == ""
    assert table.host == guest.person
    assert press("host", "make-host", seat=0) == "not_host"


def test_a_host_who_is_gone_for_a_while_is_replaced_by_a_person_who_is_here(
    table: Table, host: Actor, guest: Actor
) -> None:
    def host_now(gone: timedelta, guest_gone: timedelta | None) -> Any:
        now = timezone.now()
        Table.objects.update(host=host.person, host_seen=now - gone)
        seen = None if guest_gone is None else now - guest_gone
        Seat.objects.filter(index=1).update(seen=seen)
        presence.do_pass_hosts()
        return Table.objects.get().host

    here, away = timedelta(seconds=5), timedelta(minutes=10)
    assert host_now(here, here) == host.person
    assert host_now(away, away) == host.person
    assert host_now(away, None) == host.person
    assert host_now(away, here) == guest.person


def test_a_host_without_a_seat_who_watches_stays_the_host(site: RunningSite, site_db: str) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("open", "open")
    guest.must(code, "sit")
    rows = Table.objects.using(site_db).filter(code=code)
    rows.update(host_seen=timezone.now() - timedelta(hours=1))
    with host.connect(code):
        assert rows.get().host_seen > timezone.now() - timedelta(minutes=1)


# -- people


def test_a_player_who_is_removed_watches_and_does_not_sit_down_unasked(
    press: Pressed, table: Table, host: Actor, guest: Actor
) -> None:
    assert press("guest", "remove-person", seat=0) == "not_host"
    assert press("host", "remove-person", seat=0) == "bad_option"  # oneself
    assert press("host", "remove-person", seat=1) == ""
    assert kinds(table) == ["Hostess", "house", "house", "open"]
    assert press("guest", "sit") == "removed"
    assert press("guest", "request-seat") == ""
    assert press("host", "answer-request", person=guest.person.pk, answer="now") == ""
    assert kinds(table) == ["Hostess", "house", "house", "Guest"]
    assert not SeatRequest.objects.exists()


def test_a_player_who_is_removed_from_a_match_cannot_take_the_seat_back(
    press: Pressed, table: Table, host: Actor
) -> None:
    play(table, host)
    assert press("host", "remove-person", seat=1) == ""
    assert kinds(table)[1] == "house"
    assert press("guest", "come-back") == "removed"


def test_a_player_who_stands_up_in_mid_match_may_come_back_with_what_was_won(
    press: Pressed, table: Table, host: Actor, stranger: Actor
) -> None:
    play(table, host)
    Seat.objects.filter(index=1).update(wins=2)
    press("guest", "stand")
    assert kinds(table)[1] == "house"
    assert table.seats.get(index=1).wins == 0  # a bot's
    assert press("stranger", "come-back") == "taken"
    assert press("guest", "come-back") == ""
    assert kinds(table)[1] == "Guest"
    assert table.seats.get(index=1).wins == 2
    assert press("guest", "come-back") == "taken"


@pytest.mark.parametrize("taken", ["by a bot of the host's choice", "by somebody else"])
def test_a_seat_that_the_host_has_given_away_is_not_kept(
    press: Pressed, table: Table, host: Actor, stranger: Actor, taken: str
) -> None:
    play(table, host)
    press("guest", "stand")
    if taken == "by somebody else":
        press("stranger", "request-seat")
        assert press("host", "answer-request", person=stranger.person.pk, answer="now", seat=1) == ""
    else:
        end(table)
        assert press("host", "set-seat", seat=1, kind="random") == ""
    assert press("guest", "come-back") == "taken"


# -- who comes late


def test_a_visitor_who_asks_in_mid_match_is_seated_in_place_of_a_bot(
    press: Pressed, table: Table, host: Actor, stranger: Actor
) -> None:
    play(table, host)
    assert press("stranger", "sit") == "playing"
    assert press("guest", "request-seat") == "seated"
    assert press("stranger", "request-seat") == ""
    number = stranger.person.pk
    assert press("guest", "answer-request", person=number, answer="now") == "not_host"
    assert press("host", "answer-request", person=number, answer="now", seat=1) == "taken"  # a person's
    assert press("host", "answer-request", person=number, answer="now", seat=2) == ""
    assert kinds(table) == ["Hostess", "Guest", "Stranger", "house"]
    assert press("host", "answer-request", person=number, answer="now") == "no_request"


def test_a_visitor_who_is_promised_the_next_match_sits_down_when_it_begins(
    press: Pressed, table: Table, host: Actor, stranger: Actor
) -> None:
    play(table, host)
    press("stranger", "request-seat")
    assert press("host", "answer-request", person=stranger.person.pk, answer="next") == ""
    end(table)
    assert kinds(table) == ["Hostess", "Guest", "house", "house"]  # as the match was played: its result is shown
    play(table, host)
    assert kinds(table) == ["Hostess", "Guest", "house", "Stranger"]
    assert not SeatRequest.objects.exists()


def test_a_seat_is_added_for_a_promise_if_people_have_all_seats(
    press: Pressed, table: Table, host: Actor, stranger: Actor, admin: Actor
) -> None:
    Seat.objects.filter(table=table, index__gt=1).delete()
    play(table, host)
    press("stranger", "request-seat")
    press("host", "answer-request", person=stranger.person.pk, answer="next")
    end(table)
    play(table, host)
    assert kinds(table) == ["Hostess", "Guest", "Stranger"]


def test_an_answer_is_no_or_is_not_wanted_any_more(press: Pressed, table: Table, host: Actor, stranger: Actor) -> None:
    play(table, host)
    press("stranger", "request-seat")
    assert press("host", "answer-request", person=stranger.person.pk, answer="perhaps") == "bad_option"
    assert press("host", "answer-request", person=stranger.person.pk, answer="no") == ""
    press("stranger", "request-seat")
    assert press("stranger", "withdraw-request") == ""
    assert press("host", "answer-request", person=stranger.person.pk, answer="now") == "no_request"
    assert not SeatRequest.objects.exists()


def test_where_nobody_is_host_nobody_can_be_asked(press: Pressed, table: Table) -> None:
    Table.objects.update(host=None, house=True)
    assert press("stranger", "request-seat") == "no_host"


@pytest.mark.parametrize("number", ["", "x", "-1", "0", "9" * 30, "9" * 5000, "1.5", "\0", "³"])
def test_a_number_that_is_nobodys_changes_nothing(press: Pressed, table: Table, stranger: Actor, number: str) -> None:
    press("stranger", "request-seat")
    before = kinds(table)
    for answer in ("now", "next", "no"):
        assert press("host", "answer-request", person=number, answer=answer) in ("no_request", "bad_option")
    assert press("host", "answer-request", person=stranger.person.pk, answer="now", seat=number or "x") in (
        "taken",
        "bad_option",
    )
    for action in ("make-host", "remove-person", "remove-seat"):
        assert press("host", action, seat=number if number != "0" else "7") in ("no_seat", "bad_option")
    assert kinds(table) == before


def test_only_so_many_ask_at_one_table(press: Pressed, table: Table) -> None:
    codes = [
        Client().post(f"/t/{table.code}/request-seat/").json().get("code", "")
        for _ in range(seat_requests.MAX_REQUESTS + 1)
    ]
    assert codes == [""] * seat_requests.MAX_REQUESTS + ["wait"]


def test_nobody_is_left_asking_at_a_table_that_is_closed(press: Pressed, table: Table, stranger: Actor) -> None:
    press("stranger", "request-seat")
    assert press("host", "close") == ""
    assert not SeatRequest.objects.exists()


# -- seats, games, the clock


def test_seats_are_added_and_removed_between_matches_within_the_limits_of_the_game(
    press: Pressed, table: Table, host: Actor
) -> None:
    assert press("guest", "add-seat") == "not_host"
    assert press("host", "remove-seat", seat=0) == "taken"
    assert press("host", "remove-seat", seat=2) == ""
    assert kinds(table) == ["Hostess", "Guest", "open"]
    assert [seat.index for seat in table.seats.all()] == [0, 1, 2]
    most = catalogue.find("hamsterdam").max_seats
    assert [press("host", "add-seat") for _ in range(most - 2)] == [""] * (most - 3) + ["bad_option"]
    assert [press("host", "remove-seat", seat=2) for _ in range(most - 1)] == [""] * (most - 2) + ["no_seat"]
    assert press("host", "add-seat") == ""
    play(table, host)
    for action in ("add-seat", "remove-seat"):
        assert press("host", action, seat=2) == "playing"


def test_after_a_change_of_seats_the_last_match_is_not_shown_any_more_and_can_still_be_replayed(
    site: RunningSite,
) -> None:
    code, host, guest = two_at_a_table(site, "random")
    with host.connect(code) as one, guest.connect(code) as two:
        match = begin(code, host, one, two)
        play_on([one, two])
        one.until(lambda: one.table["status"] == "over")
        host.must(code, "remove-seat", seat=2)
        two.until(lambda: (two.table["status"], two.table["match"], len(two.table["seats"])) == ("open", 0, 2))
        assert guest.press(code, "ready")["code"] == "not_host"
        host.must(code, "add-seat")
        assert guest.get(f"/replay/{match}/frames.json").json["names"][2]["kind"] == "bot"
        with guest.connect(code, hello=False) as late:
            assert late.hello()["table"]["match"] == 0
        begin(code, host, one, two)
        one.until(lambda: one.table["number"] == 2)


def change(actor: Actor, table: Table, game: str, **fields: object) -> int:
    """Send the form that changes the game. Return the status."""
    options = {f"option_{one.name}": one.default for one in catalogue.find(game).options if one.set_by == "host"}
    answer = actor.client.post(f"/t/{table.code}/change/", {"game": game, "seconds": 60, **options, **fields})
    table.refresh_from_db()
    return answer.status_code


def test_the_host_changes_the_game_and_all_stay_where_they_sit(table: Table, host: Actor, guest: Actor) -> None:
    page = host.client.get(f"/t/{table.code}/change/?game=enchere").content.decode()
    assert "Enchère" in page
    assert change(guest, table, "enchere") == 302
    assert table.game == "hamsterdam"
    version = catalogue.find("enchere").options[0]
    choice = version.choices[-1]
    assert change(host, table, "enchere", seconds=300, **{f"option_{version.name}": choice}) == 302
    assert (table.game, table.seconds, table.options[version.name]) == ("enchere", 300, choice)
    assert kinds(table)[:2] == ["Hostess", "Guest"]
    assert host.client.get(f"/t/{table.code}/change/").content.decode().count(f'value="{choice}" selected') == 1


def test_a_game_that_takes_fewer_loses_open_seats_and_bots_and_never_people(
    table: Table, host: Actor, guest: Actor
) -> None:
    for index in (4, 5):
        Seat.objects.create(table=table, index=index)
    two = next(game for game in catalogue.listed(catalogue.providers[1]) if game.max_seats == 2)
    assert change(host, table, two.name) == 302
    assert kinds(table) == ["Hostess", "Guest"]
    assert change(host, table, "thief") == 400  # a game for one
    assert kinds(table) == ["Hostess", "Guest"]
    four = next(game for game in catalogue.listed(catalogue.providers[1]) if game.min_seats >= 4)
    assert change(host, table, four.name) == 302
    assert kinds(table) == ["Hostess", "Guest", "open", "open"]


def test_nothing_is_changed_in_mid_match_nor_by_a_form_that_is_wrong(table: Table, host: Actor) -> None:
    assert change(host, table, "enchere", seconds=7) == 400
    play(table, host)
    assert change(host, table, "enchere") == 302
    assert (table.game, table.seconds) == ("hamsterdam", 60)


def test_a_rig_ends_with_the_game_or_the_seat_it_was_set_for(press: Pressed, table: Table, host: Actor) -> None:
    def rigged(favourite: int) -> None:
        Table.objects.update(rigged=True, favourite=favourite)

    rigged(3)
    press("host", "remove-seat", seat=2)
    assert (table.rigged, table.favourite) == (True, 2)  # the same seat has another number now
    press("host", "remove-seat", seat=2)
    assert not table.rigged
    rigged(0)
    change(host, table, "enchere")
    assert not table.rigged


# -- over real sockets


def test_a_player_who_stands_up_and_comes_back_plays_on(site: RunningSite) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        guest.must(code, "stand")
        you = two.wait("you")
        assert you["seat"] is None
        two.until(lambda: two.view["seat"] is None)
        two.until(lambda: two.table["seats"][1]["held_for"] == you["person"])
        guest.must(code, "come-back")
        two.until(lambda: two.seat == 1 and two.view["seat"] == 1)
        play_on([one, two], plies=2)
        assert {m["by"] for m in one.messages if m["t"] == "change" and m["seat"] == 1} <= {"person", "bot"}


def test_a_late_arrival_is_announced_to_the_host_and_plays_in_place_of_a_bot(site: RunningSite) -> None:
    code, host, _guest = two_at_a_table(site, "random")
    late = Visitor(site, "Late")
    late.post("/people/me/name/", name="Late")
    with host.connect(code) as one, late.connect(code) as three:
        begin(code, host, one)
        late.must(code, "request-seat")
        one.until(lambda: bool(one.table["seat_requests"]))
        [asking] = one.table["seat_requests"]
        assert (asking["name"], asking["next"]) == ("Late", False)
        host.must(code, "answer-request", person=asking["person"], answer="now", seat=2)
        three.until(lambda: three.seat == 2 and three.view["seat"] == 2)
        one.until(lambda: not one.table["seat_requests"] and one.table["seats"][2]["here"])
