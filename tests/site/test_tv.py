"""What the TV shows: the best public table, or those of a table, a player or a circle."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsite.circles import services
from cardsite.circles.models import Evening, Invitation
from cardsite.lobby.models import Table
from tests.site.conftest import Actor
from tests.site.reasons import NOT_A_MEMBER, why_refused
from tests.site.test_spectators import play_at


def shown_now(client: Client, **choice: Any) -> dict[str, Any]:
    """Return the answer of /tv/now.json. ``choice``: its query."""
    answer = client.get("/tv/now.json", choice)
    assert answer.status_code == 200
    shown: dict[str, Any] = answer.json()
    return shown


def test_the_best_table_comes_first(host: Actor, guest: Actor, newcomer: Client) -> None:
    play_at("aaaaaaaaaa")
    play_at("bbbbbbbbbb", host, guest)
    play_at("cccccccccc", guest)
    assert shown_now(newcomer)["tables"] == ["bbbbbbbbbb", "cccccccccc", "aaaaaaaaaa"]


def test_private_tables_are_shown_to_those_with_the_code_only(host: Actor, newcomer: Client) -> None:
    play_at("aaaaaaaaaa", host, public=False)
    assert shown_now(newcomer) == {"tables": [], "nothing": "No public table is in play right now.", "evening": []}
    assert shown_now(newcomer, person=host.person.pk)["tables"] == []
    assert shown_now(newcomer, table="aaaaaaaaaa")["tables"] == ["aaaaaaaaaa"]


def test_the_tv_of_a_player_shows_their_public_table(host: Actor, guest: Actor, newcomer: Client) -> None:
    play_at("aaaaaaaaaa", host)
    play_at("bbbbbbbbbb", guest)
    assert shown_now(newcomer, person=host.person.pk)["tables"] == ["aaaaaaaaaa"]


def test_if_a_player_is_at_no_public_table_the_tv_says_who(host: Actor, newcomer: Client) -> None:
    nothing = shown_now(newcomer, person=host.person.pk)
    assert nothing == {"tables": [], "nothing": f"{host.person.name} is not at a public table now.", "evening": []}


@pytest.mark.parametrize(
    "choice", [{"table": "zzzzzzzzzz"}, {"table": "a\0"}, {"person": "0"}, {"person": "x"}, {"person": "9" * 30}]
)
def test_what_does_not_exist_is_not_found(newcomer: Client, db: None, choice: dict[str, str]) -> None:
    for path in ("/tv/", "/tv/now.json"):
        assert newcomer.get(path, choice).status_code == 404


def test_a_closed_table_is_not_found(host: Actor, newcomer: Client) -> None:
    table = play_at("aaaaaaaaaa", host)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSED)
    assert newcomer.get("/tv/", {"table": table.code}).status_code == 404


def test_the_evening_of_a_circle_is_shown_to_its_members_only(host: Actor, guest: Actor, newcomer: Client) -> None:
    circle = services.do_make(host.person, "Thursdays")
    assert shown_now(host.client, circle=circle.code) == {"tables": [], "nothing": "No evening is on.", "evening": []}
    for code in ("aaaaaaaaaa", "bbbbbbbbbb"):
        Evening.objects.create(circle=circle, table=play_at(code, host, public=False))
    assert shown_now(host.client, circle=circle.code)["tables"] == ["bbbbbbbbbb", "aaaaaaaaaa"]
    Table.objects.filter(code="bbbbbbbbbb").update(status=Table.Status.OVER)
    assert shown_now(host.client, circle=circle.code)["tables"] == ["aaaaaaaaaa", "bbbbbbbbbb"]
    assert "Thursdays" in host.client.get("/tv/", {"circle": circle.code}).content.decode()
    Invitation.objects.create(circle=circle, table=play_at("cccccccccc", host, public=False))  # to no evening
    assert "cccccccccc" not in shown_now(host.client, circle=circle.code)["tables"]
    for client in (guest.client, newcomer):
        for path in ("/tv/", "/tv/now.json"):
            answer = client.get(path, {"circle": circle.code})
            assert why_refused(answer) == NOT_A_MEMBER
            if path.endswith("/"):
                assert "Circle not found" in answer.content.decode()
