"""For spectators: the best table to watch, the next one, and an up-to-date list."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.front.tables import best_to_watch, closeness, public_rows
from cardsite.lobby.models import Seat, Table
from cardsite.table.models import Match
from cardsite.table.services.chores import do_keep_house_table
from cardsite.table.services.matches import do_start_match
from games.core.view import Standings
from tests.site.conftest import Actor


def play_at(code: str, *people: Actor, public: bool = True) -> Table:
    """Set a table that plays, bots on the seats that are left."""
    table = Table.objects.create(
        code=code, game="hamsterdam", public=public, opened_by=people[0].person if people else None
    )
    for index in range(3):
        occupant: dict[str, Any] = {"person": people[index].person} if index < len(people) else {"bot": "house"}
        Seat.objects.create(table=table, index=index, **occupant)
    do_start_match(code, people[0].person if people else None)
    return table


def ask(client: Client, **headers: str) -> Any:
    """Ask how the tables stand."""
    return client.get("/tables.json", headers=headers)


def led_to(client: Client, after: str = "") -> str:
    """Return the address that *Watch a game*, or *Next table*, leads to."""
    return str(client.get("/watch/", {"after": after} if after else {}).headers["Location"])


# -- the list


def test_the_list_is_named_and_sent_again_only_when_something_has_changed(
    table: Table, host: Actor, guest: Actor, newcomer: Client
) -> None:
    Seat.objects.update(seen=timezone.now())
    first = ask(newcomer)
    [card] = first.json()["tables"]
    assert (card["code"], card["free"]) == (table.code, 1)
    assert f"/t/{table.code}/" in card["html"]
    assert "Waiting for players" in card["html"]
    same = ask(newcomer, **{"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    packed = ask(newcomer, **{"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(first.content) / 2
    assert ask(newcomer, **{"Accept-Encoding": "gzip", "If-None-Match": packed["ETag"]}).status_code == 304
    do_start_match(table.code, host.person)
    other = ask(newcomer, **{"If-None-Match": first["ETag"]})
    assert other.status_code == 200
    assert "Playing" in other.json()["tables"][0]["html"]


def test_ones_own_tables_are_marked_as_ones_own_and_for_nobody_else(
    table: Table, host: Actor, newcomer: Client
) -> None:
    Table.objects.update(public=False)
    mine = ask(host.client).json()
    assert [card["code"] for card in mine["mine"]] == [table.code]
    assert "Back to your table" in mine["mine"][0]["html"]
    assert mine["tables"] == []
    assert ask(newcomer).json() == {"tables": [], "mine": [], "invited": [], "watch": "", "turns": 0}
    Table.objects.update(public=True)
    do_start_match(table.code, host.person)
    assert [card["code"] for card in ask(host.client).json()["tables"]] == []
    assert [card["code"] for card in ask(newcomer).json()["tables"]] == [table.code]


def test_what_the_page_shows_and_what_comes_a_moment_later_are_the_same_cards(host: Actor, newcomer: Client) -> None:
    play_at("aaaaaaaaaa", host)
    page = newcomer.get("/").content.decode()
    [card] = ask(newcomer).json()["tables"]
    assert card["html"].strip() in page


# -- where it leads


def test_people_are_better_to_watch_than_bots_an_end_than_an_opening_and_the_house_table_comes_last() -> None:
    def row(code: str, people: int, spectators: int, stage: int = 0, **more: Any) -> dict[str, Any]:
        known = {"code": code, "people": people, "spectators": spectators, "stage": stage, "close": 0}
        return known | {"status": "playing", "house": False} | more

    rows = [
        row("house", 0, 9, 2, status="over", house=True),
        row("waits", 3, 0, status="open"),
        row("bots", 0, 5, 2),
        row("one, near a clear end", 1, 9, 2, close=0.1),
        row("one, near a close end", 1, 0, 2, close=0.9),
        row("one, a close opening", 1, 0, 0, close=1),
        row("one", 1, 0),
        row("two", 2, 0),
        row("two and a spectator", 2, 1),
    ]
    order = ["one, near a close end", "one, near a clear end", "one, a close opening"]
    order += ["two and a spectator", "two", "one", "bots", "house"]
    assert [one["code"] for one in best_to_watch(rows)] == order


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (None, 0),
        (Standings(scores=[0, 0, 0], leaders=[]), 1),
        (Standings(scores=[10, 9, 2], leaders=[0]), 0.9),
        (Standings(scores=[10, 5, 2], leaders=[0]), 0.5),
        (Standings(scores=[30, 12, 15], leaders=[1]), 0.9),  # the lowest score wins
        (Standings(scores=[-5, 5], leaders=[1]), 0),
    ],
)
def test_a_match_is_the_closer_the_smaller_the_lead(standings: Standings | None, expected: float) -> None:
    assert closeness(standings) == pytest.approx(expected)


def test_how_far_a_match_is_is_judged_by_the_usual_length_of_its_game(host: Actor) -> None:
    play_at("aaaaaaaaaa", host)
    stages = []
    for minutes in (0, 4, 6, 200):  # of 10
        Match.objects.update(started=timezone.now() - timedelta(minutes=minutes))
        stages.append(public_rows()[0]["stage"])
    assert stages == [0, 1, 1, 2]


def test_watching_goes_from_table_to_table_and_round(host: Actor, guest: Actor, newcomer: Client) -> None:
    play_at("aaaaaaaaaa", host)
    play_at("bbbbbbbbbb", guest)
    play_at("cccccccccc", public=False)
    way = [led_to(newcomer)]
    for _ in range(2):
        way.append(led_to(newcomer, after=way[-1].strip("/").split("/")[-1]))
    assert way == ["/t/aaaaaaaaaa/", "/t/bbbbbbbbbb/", "/t/aaaaaaaaaa/"]
    assert led_to(newcomer, after="cccccccccc") == "/t/aaaaaaaaaa/"
    assert led_to(host.client) == led_to(host.client, after="bbbbbbbbbb") == "/t/bbbbbbbbbb/"  # the other one is theirs


def test_the_way_to_watch_stays_while_the_house_table_rests(newcomer: Client, db: None, settings: Settings) -> None:
    assert "Watch a match" not in newcomer.get("/").content.decode()
    assert led_to(newcomer) == "/"
    settings.HOUSE_TABLE = True
    assert "Watch a match" in newcomer.get("/").content.decode()  # just opened: there is no table yet
    do_keep_house_table()
    house = Table.objects.get(house=True)
    for status in ("playing", "over"):
        Table.objects.update(status=status, touched=timezone.now() - timedelta(seconds=1))
        assert "Watch a match" in newcomer.get("/").content.decode()
        assert led_to(newcomer) == f"/t/{house.code}/"
