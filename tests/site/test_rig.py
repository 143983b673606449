"""The rigged deck over a series: what is stored, what sealed tables promise, and who may set it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.test import Client, TestCase

from cardsite.events import TableChanged, after_commit
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle
from cardsite.refusal import Refused
from cardsite.table.models import Match, Player
from cardsite.table.rig import stacked_for
from cardsite.table.services.matches import do_set_reveal, do_start_match
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import sampled


def next_match(table: Table, host: Actor, won_by: int) -> Match:
    """Begin the next match of a series and write down that a seat won it."""
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    Player.objects.filter(match=match, seat=won_by).update(share=1)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    return match


def test_a_series_is_honest_first_then_stacked_until_the_favourite_has_won(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1)
    series = [next_match(table, host, won_by=won) for won in (0, 2, 0, 3, 1, 0, 1)]
    assert [(match.favourite, match.options) for match in series] == [
        (None, {"rigged": -1}),
        (None, {"rigged": -1}),
        (1, {"rigged": 1}),
        (1, {"rigged": 1}),
        (1, {"rigged": 1}),  # won at last
        (None, {"rigged": -1}),
        (None, {"rigged": -1}),
    ]


def test_a_series_is_rigged_subtly_where_the_administrator_chose_so(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_way="subtle", honest_games=1)
    series = [next_match(table, host, won_by=won) for won in (0, 2, 1, 0)]
    assert [(match.favourite, match.options) for match in series] == [
        (None, {"rigged": -1}),
        (1, {"rigged": "subtle-1"}),
        (1, {"rigged": "subtle-1"}),
        (None, {"rigged": -1}),
    ]


def test_a_favourite_who_wins_an_honest_game_needs_no_help(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1)
    series = [next_match(table, host, won_by=won) for won in (0, 1, 0, 0)]
    assert [match.favourite for match in series] == [None] * 4


def test_a_series_counts_from_the_match_the_administrator_chose(table: Table, host: Actor) -> None:
    assert next_match(table, host, won_by=1).favourite is None
    Table.objects.update(rigged=True, favourite=1, rig_from=2, honest_games=1)
    assert [next_match(table, host, won_by=0).favourite for _ in range(3)] == [None, 1, 1]


def test_switching_the_rig_on_in_mid_match_leaves_that_match_alone(table: Table, host: Actor) -> None:
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    Table.objects.update(rigged=True, favourite=1, honest_games=0)
    match.refresh_from_db()
    assert (match.favourite, match.options) == (None, {"rigged": -1})


def test_a_sealed_table_is_dealt_honestly_whatever_is_set(table: Table, host: Actor) -> None:
    Table.objects.update(sealed=True, rigged=True, favourite=1, honest_games=0, reveal=True)
    match = next_match(table, host, won_by=0)
    assert (match.favourite, match.options) == (None, {"rigged": -1})


def test_a_rig_for_one_match_is_used_up_by_it(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_lasts="once")
    series = [next_match(table, host, won_by=won) for won in (0, 0)]
    assert [match.favourite for match in series] == [1, None]
    table.refresh_from_db()
    assert (table.rigged, table.favourite) == (False, 1)


def test_a_rig_until_it_is_switched_off_goes_on_after_a_win(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_lasts="always")
    assert [next_match(table, host, won_by=1).favourite for _ in range(3)] == [1, 1, 1]
    Table.objects.update(rigged=False)
    assert next_match(table, host, won_by=1).favourite is None


# -- what is revealed, match by match


def test_what_is_chosen_for_the_next_match_says_nothing_about_earlier_ones(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_lasts="always", reveal=False)
    secret = next_match(table, host, won_by=1)
    Table.objects.update(reveal=True)
    assert stacked_for(reread(secret)) == -1
    revealed = next_match(table, host, won_by=1)
    assert stacked_for(reread(revealed)) == 1
    Table.objects.update(reveal=False)
    assert stacked_for(reread(revealed)) == 1, "what was said stays said"
    assert stacked_for(reread(secret)) == -1


def test_a_match_that_is_over_can_be_revealed_and_stays_revealed(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_lasts="once")
    match = next_match(table, host, won_by=1)
    with listening() as sent:
        do_set_reveal(match.pk, True)
    assert sent == [TableChanged(table.code)]
    assert stacked_for(reread(match)) == 1
    with pytest.raises(Refused, match="cannot be taken back"):
        do_set_reveal(match.pk, False)
    assert stacked_for(reread(match)) == 1
    honest = next_match(table, host, won_by=1)
    with pytest.raises(Refused, match="was not stacked"):
        do_set_reveal(honest.pk, True)


def test_a_decision_about_a_running_match_is_announced_to_nobody_before_its_end(table: Table, host: Actor) -> None:
    Table.objects.update(rigged=True, favourite=1, rig_lasts="once")
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    with listening() as sent:
        for reveal in (True, False, True):
            do_set_reveal(match.pk, reveal)
    assert sent == []
    assert stacked_for(reread(match)) == -1
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
    assert stacked_for(reread(match)) == 1


def reread(match: Match) -> Match:
    """Return a match as it is stored."""
    return Match.objects.select_related("table").get(pk=match.pk)


@contextmanager
def listening() -> Iterator[list[Any]]:
    """Collect the events that are published while the block runs; they are there once it has ended."""
    sent: list[Any] = []

    def listen(event: object, **_: Any) -> None:
        sent.append(event)

    after_commit.connect(listen)
    try:
        with TestCase.captureOnCommitCallbacks(execute=True):  # a test's own transaction is never committed
            yield sent
    finally:
        after_commit.disconnect(listen)


# -- what cannot be set


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"sealed": True, "rigged": True, "favourite": 1}, "promises a fair deal"),
        ({"sealed": False, "rigged": True, "favourite": None}, "Choose the seat that should win"),
        ({"sealed": False, "rigged": True, "favourite": 4}, "This table has seats 1 to 4"),
        ({"sealed": False, "rigged": True, "favourite": 3}, ""),
        ({"sealed": False, "rigged": True, "favourite": 3, "rig_way": "subtle"}, ""),
        ({"sealed": False, "rigged": True, "favourite": 3, "rig_way": "clumsy"}, "can be rigged in these ways"),
        ({"sealed": True, "rigged": True, "favourite": 3, "rig_way": "subtle"}, "promises a fair deal"),
        ({"sealed": True, "rigged": False, "favourite": None}, ""),
    ],
)
def test_a_rig_that_breaks_a_promise_cannot_be_set(table: Table, fields: dict[str, object], wrong: str) -> None:
    for name, value in fields.items():
        setattr(table, name, value)
    if wrong:
        with pytest.raises(ValidationError, match=wrong):
            table.clean()
    else:
        table.clean()


# -- the administrator's pages


def change_page(table: Table) -> str:
    """Return the address of a table's page for administrators."""
    return f"/admin/lobby/table/{table.pk}/change/"


def form(**changes: object) -> dict[str, object]:
    """Return what the administrator's form sends."""
    fields = {"public": "on", "seconds": 60, "rigged": "on", "favourite": "1", "honest_games": 0, "rig_from": 1}
    fields["rig_lasts"] = "series"
    inline = {"seats-TOTAL_FORMS": 0, "seats-INITIAL_FORMS": 0}
    return {**fields, **inline, **changes}


def test_an_administrator_rigs_a_table_on_its_page(table: Table, admin: Actor, host: Actor) -> None:
    page = admin.client.get(change_page(table))
    assert page.status_code == 200
    assert "seat 2: Guest" in page.content.decode()
    assert admin.client.post(change_page(table), form()).status_code == 302
    assert next_match(table, host, won_by=0).favourite == 1
    assert "stacked" in admin.client.get("/admin/lobby/table/").content.decode()


@pytest.mark.parametrize(
    ("way", "options"), [("stacked", {"rigged": 1}), ("subtle", {"rigged": "subtle-1"}), ("", {"rigged": 1})]
)
def test_an_administrator_chooses_how_a_table_is_rigged(
    table: Table, admin: Actor, host: Actor, way: str, options: dict[str, object]
) -> None:
    page = admin.client.get(change_page(table)).content.decode()
    assert re.findall(r'<option value="(\w+)"[^>]*>(?:stacked|subtle): ', page) == ["stacked", "subtle"]
    assert admin.client.post(change_page(table), form(rig_way=way)).status_code == 302
    assert next_match(table, host, won_by=0).options == options


def test_a_way_to_rig_that_the_game_has_not_is_refused(table: Table, admin: Actor) -> None:
    answer = admin.client.post(change_page(table), form(rig_way="clumsy"))
    assert "clumsy is not one of the available choices" in answer.content.decode()
    table.refresh_from_db()
    assert (table.rigged, table.rig_way) == (False, "")


def looks(table: Table, *clients: Client) -> list[str]:
    """Return every page that shows a table, as several people see it, and all that is stored but the rig."""
    columns = {
        column: value for column, value in Table.objects.filter(pk=table.pk).values()[0].items() if column not in RIG
    }
    results = [repr(columns), repr(list(Seat.objects.filter(table=table).order_by("index").values()))]
    for client in clients:
        for path in ("/", f"/t/{table.code}/"):
            answer = client.get(path)
            assert answer.status_code == 200
            kept = {
                name: answer.headers[name]
                for name in sorted(answer.headers)
                if name in ("ETag", "Last-Modified", "Content-Length")
            }
            results.append(PASSING.sub("", answer.content.decode()) + repr(kept))
    return results


RIG = ("rigged", "rig_way", "favourite", "rig_lasts", "honest_games", "rig_from", "reveal", "rigged_by_id")
PASSING = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]*"')  # another in every answer


@pytest.mark.parametrize("playing", [False, True])
def test_setting_a_rig_changes_no_byte_that_anybody_sees_and_is_announced_to_nobody(
    table: Table, host: Actor, guest: Actor, admin: Actor, newcomer: Client, playing: bool
) -> None:
    Seat.objects.filter(table=table, index=3).update(bot="random")
    newer = lifecycle.do_create_table(guest.person, catalogue.find("hamsterdam"), ["me", "house"], sealed=False)
    if playing:
        for one in (table, newer):
            do_start_match(one.code, one.host)
    audience = (host.client, guest.client, newcomer)
    looks(table, *audience)  # a visitor who comes for the first time is given a cookie
    before = looks(table, *audience)
    with listening() as sent:
        for fields in (
            form(reveal="on"),
            form(favourite="0", honest_games=7, rig_from=3),
            form(rig_way="subtle", rig_lasts="always"),
            form(rigged="", favourite=""),
        ):
            assert admin.client.post(change_page(table), fields).status_code == 302
            assert looks(table, *audience) == before
        for choices in (CHOICES, {**CHOICES, "reveal": "on", "favourite": "0"}, {"do": "off"}):
            assert admin.client.post(rig_page(table), choices).status_code == 302
            assert looks(table, *audience) == before
    assert sent == []
    table.refresh_from_db()
    assert (table.favourite, table.reveal, table.rig_way) == (0, True, "subtle"), "it was stored"


# -- the back room


def rig_page(table: Table) -> str:
    """Return the address of the back room's page about a table."""
    return f"/admin/rig/{table.code}/"


CHOICES: dict[str, object] = {"favourite": "1", "rig_way": "subtle", "rig_lasts": "once", "honest_games": 2}


def test_an_administrator_rigs_a_table_in_the_back_room(table: Table, admin: Actor, host: Actor) -> None:
    page = admin.client.get(rig_page(table)).content.decode()
    assert re.findall(r'name="favourite" value="(\d)"', page) == ["0", "1", "2", "3"]
    assert admin.client.post(rig_page(table), CHOICES).status_code == 302
    assert table.code in admin.client.get("/admin/rig/").content.decode()
    match = next_match(table, host, won_by=1)
    assert (match.favourite, match.options, match.reveal) == (1, {"rigged": "subtle-1"}, False)
    assert match.rigged_by
    assert match.rigged_by.get_username() == "boss"
    page = admin.client.get("/admin/rig/").content.decode()
    assert "For Guest, subtle, set by boss" in page
    assert "The favourite won." in page
    assert "Not revealed." in page
    assert admin.client.post(f"/admin/rig/reveal/{match.pk}/", {"reveal": "yes"}).status_code == 302
    assert stacked_for(reread(match)) == 1
    assert "Revealed." in admin.client.get(rig_page(table)).content.decode()


def test_a_rig_is_switched_off_in_the_back_room(table: Table, admin: Actor, host: Actor) -> None:
    admin.client.post(rig_page(table), {**CHOICES, "rig_lasts": "always"})
    assert next_match(table, host, won_by=1).favourite == 1
    assert admin.client.post(rig_page(table), {"do": "off"}).status_code == 302
    assert next_match(table, host, won_by=1).favourite is None


def test_a_series_counts_from_the_match_after_the_rig_was_set(table: Table, admin: Actor, host: Actor) -> None:
    next_match(table, host, won_by=1)
    admin.client.post(rig_page(table), {**CHOICES, "rig_lasts": "series", "honest_games": 1})
    assert [next_match(table, host, won_by=0).favourite for _ in range(2)] == [None, 1]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"favourite": "4"}, "4 is not one of the available choices"),
        ({"rig_way": "clumsy"}, "clumsy is not one of the available choices"),
        ({"rig_lasts": "ever"}, "ever is not one of the available choices"),
        ({"honest_games": "-1"}, "greater than or equal to 0"),
    ],
)
def test_the_back_room_refuses_a_rig_that_cannot_be(
    table: Table, admin: Actor, fields: dict[str, object], why: str
) -> None:
    answer = admin.client.post(rig_page(table), {**CHOICES, **fields})
    assert answer.status_code == 400
    assert why in answer.content.decode()
    table.refresh_from_db()
    assert not table.rigged


def test_the_back_room_has_no_page_for_tables_that_cannot_be_rigged(table: Table, admin: Actor) -> None:
    for fields in ({"sealed": True}, {"story": True}, {"what_if": True}, {"status": "closed"}, {"game": "thief"}):
        Table.objects.update(sealed=False, story=False, what_if=False, status="open", game="hamsterdam")
        assert admin.client.get(rig_page(table)).status_code == 200
        Table.objects.update(**fields)
        assert admin.client.get(rig_page(table)).status_code == 404
        admin.client.post(rig_page(table), CHOICES)
        table.refresh_from_db()
        assert not table.rigged
        assert table.code not in admin.client.get("/admin/rig/").content.decode()


def test_the_log_says_from_which_seat_to_which_and_names_nobody(table: Table, admin: Actor) -> None:
    admin.client.post(rig_page(table), CHOICES)
    admin.client.post(rig_page(table), {**CHOICES, "favourite": "0"})
    admin.client.post(change_page(table), form(favourite="1", rig_way="subtle", rig_lasts="always", honest_games=2))
    latest, middle, first = (entry.get_change_message() for entry in LogEntry.objects.order_by("-pk"))
    assert "favourite seat: none → 2" in first
    assert "stack the deck: no → yes" in first
    assert "favourite seat: 2 → 1" in middle
    assert "Favourite seat: 1 → 2" in latest
    assert "for the next match only → until it is switched off" in latest
    assert not any(name in line for name in ("Guest", "Hostess") for line in (latest, middle, first))


def test_the_page_of_a_sealed_table_offers_no_rig_and_takes_none(table: Table, admin: Actor) -> None:
    Table.objects.update(sealed=True)
    page = admin.client.get(change_page(table)).content.decode()
    assert "sealed" in page
    assert 'name="rigged"' not in page
    admin.client.post(change_page(table), form())
    table.refresh_from_db()
    assert not table.rigged


@pytest.mark.parametrize("game", sampled([game.name for game in catalogue.listed() if not game.rig], 6))
def test_a_game_without_a_rigged_deck_cannot_be_rigged_in_any_way(
    host: Actor, guest: Actor, admin: Actor, game: str
) -> None:
    seats = ["me", *["house"] * (catalogue.find(game).default_seats - 1)]
    table = lifecycle.do_create_table(host.person, catalogue.find(game), seats, sealed=False)
    page = admin.client.get(change_page(table)).content.decode()
    assert "This game has no rigged deck." in page
    assert 'name="rigged"' not in page
    assert 'name="favourite"' not in page
    admin.client.post(change_page(table), form(favourite="0"))
    table.refresh_from_db()
    assert (table.rigged, table.favourite) == (False, None)
    table.rigged, table.favourite, table.honest_games = True, 0, 0
    with pytest.raises(ValidationError, match="This game has no rigged deck"):
        table.clean()
    table.save()  # somebody at the database itself
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    assert match.favourite is None
    assert match.options == catalogue.find(game).check_options({})


@pytest.mark.parametrize("favourite", ["", "4", "-1", "x"])
def test_a_favourite_who_does_not_sit_there_is_refused(table: Table, admin: Actor, favourite: str) -> None:
    admin.client.post(change_page(table), form(favourite=favourite))
    table.refresh_from_db()
    assert not table.rigged


def test_nobody_else_reaches_the_administrators_pages(
    table: Table, host: Actor, guest: Actor, newcomer: Client
) -> None:
    match = do_start_match(table.code, host.person)
    paths = (
        "/admin/",
        "/admin/lobby/table/",
        change_page(table),
        "/admin/table/match/",
        f"/admin/table/match/{match}/change/",
        f"/admin/people/person/{host.person.pk}/change/",
        "/admin/table/message/",
        "/admin/now/",
        "/admin/rig/",
        rig_page(table),
        f"/admin/rig/reveal/{match}/",
    )
    host.client.post("/people/register/", {"username": "h", "password1": "a l0ng 0ne!", "password2": "a l0ng 0ne!"})
    for client in (host.client, guest.client, newcomer):
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/admin/login/")
            for fields in (form(), CHOICES, {"reveal": "yes"}):
                client.post(path, fields)
    table.refresh_from_db()
    assert not table.rigged


@pytest.mark.parametrize(
    "path",
    [
        "/admin/",
        "/admin/lobby/table/",
        "/admin/lobby/table/?rig=on",
        "/admin/lobby/table/?rig=now",
        "/admin/lobby/table/?rig=off&q=hostess",
        "/admin/table/match/",
        "/admin/table/match/?favourite__isempty=0",
        "/admin/people/person/",
        "/admin/people/person/?q=guest",
        "/admin/table/message/",
    ],
)
def test_the_administrators_lists_open(table: Table, host: Actor, admin: Actor, path: str) -> None:
    Table.objects.update(rigged=True, favourite=1, honest_games=0)
    do_start_match(table.code, host.person)
    assert admin.client.get(path).status_code == 200


def test_an_administrator_steps_through_a_match_and_its_moves(table: Table, host: Actor, admin: Actor) -> None:
    match = do_start_match(table.code, host.person)
    page = admin.client.get(f"/admin/table/match/{match}/change/").content.decode()
    assert f"/replay/{match}/" in page


# -- live


def test_a_live_rig_is_revealed_after_the_match_where_the_administrator_chose_so(
    site: RunningSite, administrator: Visitor, site_db: str
) -> None:
    code, host, guest = two_at_a_table(site, "house", sealed=False)
    table = Table.objects.using(site_db).get(code=code)
    page = administrator.get(change_page(table)).text
    seats = re.findall(r'name="(seats-[^"]+)"[^>]*value="([^"]*)"', page)
    fields = {**form(honest_games=0, reveal="on"), **dict(seats)}
    assert administrator.post(change_page(table), **fields).status == 302
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        play_on([one, two])
        one.until(lambda: one.table["status"] == "over")
        sent = [m["table"]["stacked_for"] for m in one.messages if "table" in m]
        assert sent[-1] == 1
        ended = next(i for i, m in enumerate(one.messages) if m["t"] == "change" and m["view"]["over"])
        assert {m["table"]["stacked_for"] for m in one.messages[:ended] if "table" in m} == {-1}
        match = Match.objects.using(site_db).get(table=table)
        assert (match.favourite, match.options) == (1, {"rigged": 1})
