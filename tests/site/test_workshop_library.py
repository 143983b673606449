"""The library of visitors' games: what is found, by whom, in which order, and at what cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsite.workshop import library, services
from cardsite.workshop.library import PAGE, Wanted
from cardsite.workshop.models import Text, Version
from cardsite.workshop.trial import Trial
from games.core.messages import NONE, message
from tests.site.conftest import Actor, boss
from tests.site.stored_texts import keep

Publish = Callable[..., Version]


@pytest.fixture
def publish(host: Actor) -> Publish:
    """A function that has somebody (the host) publish a game with a title, and more of what its trial found."""

    def one(title: str, by: Actor = host, seats: tuple[int, int] = (2, 4), minutes: int = 10, **more: Any) -> Version:
        tried = Trial(True, NONE, seats, title, minutes=minutes, description=None, **more)
        version = keep(by, "(game)", tried)
        services.do_publish(by.person, version.text.code, version.number)
        return version

    return one


def titles(client: Client, address: str = "") -> list[str]:
    """Return the titles of the games on a page of the library, in their order."""
    answer = client.get(f"/workshop/{address}")
    assert answer.status_code == 200
    return [version.title for version in answer.context["games"]]


def test_a_game_is_found_by_words_kind_players_and_length(publish: Publish, guest: Actor, newcomer: Client) -> None:
    publish("Quiet Fox", summary="Take turns.", kind="Shedding", seats=(2, 3), minutes=4)
    publish("Loud Fox", by=guest, summary="Take tricks.", kind="Tricks", seats=(3, 6), minutes=25)
    for address, expected in {
        "": ["Loud Fox", "Quiet Fox"],
        "?q=FOX": ["Loud Fox", "Quiet Fox"],
        "?q=fox+tricks": ["Loud Fox"],
        "?q=shed": ["Quiet Fox"],
        f"?q={guest.person.name}": ["Loud Fox"],
        "?q=%25": [],
        "?kind=Tricks": ["Loud Fox"],
        "?players=2": ["Quiet Fox"],
        "?players=3": ["Loud Fox", "Quiet Fox"],
        "?players=7": [],
        "?minutes=5": ["Quiet Fox"],
        "?q=fox&players=5&kind=Shedding": [],
    }.items():
        assert titles(newcomer, address) == expected, address
    publish("Große ÜBERRASCHUNG", kind="Élevage")
    for address in ("?q=überraschung", "?q=große+Überr", "?q=élevage", "?q=ÉLEVAGE"):
        assert titles(newcomer, address) == ["Große ÜBERRASCHUNG"], address
    assert "No games match. Try fewer filters." in newcomer.get("/workshop/?q=bear").content.decode()


def test_a_text_that_is_not_published_or_was_taken_away_is_in_no_list(
    publish: Publish, host: Actor, guest: Actor, newcomer: Client, admin: Actor
) -> None:
    keep(host, "(game)", Trial(True, NONE, (2, 2), "Drafted"))
    taken: dict[str, Callable[[Version], object]] = {
        "Hidden": lambda version: services.do_hide([version.text_id], True, boss()),
        "Stopped": lambda version: services.do_stop([version.text_id], boss()),
        "Withdrawn": lambda version: services.do_withdraw(host.person, version.text.code),
        "Unpublished": lambda version: services.do_unpublish(host.person, version.text.code),
        "Costly": lambda version: Version.objects.filter(pk=version.pk).update(overruns=services.MAX_OVERRUNS),
    }
    open_one = publish("Open")
    for title, take in taken.items():
        version = publish(title)
        services.do_like(guest.person, version.text.code, True)
        take(version)
    services.do_like(guest.person, open_one.text.code, True)
    lists = ["", "?list=liked", "?order=played", "?order=liked", "?players=2", "?minutes=20", "?kind=", "?page=2"]
    for address in lists:
        assert titles(guest.client, address) == ["Open"], address
    for title in ("Drafted", *taken):
        assert titles(newcomer, f"?q={title}") == []
    everything = "".join(guest.client.get(f"/workshop/{address}").content.decode() for address in lists)
    for code in Text.objects.exclude(pk=open_one.text_id).values_list("code", flat=True):
        assert code not in everything


def test_people_find_their_own_games_and_those_they_like(
    publish: Publish, host: Actor, guest: Actor, newcomer: Client
) -> None:
    publish("Published")
    keep(host, "(game)", Trial(False, message("Not finished.")))
    theirs = publish("Theirs", by=guest)
    services.do_like(host.person, theirs.text.code, True)
    assert titles(host.client, "?list=mine") == ["Untitled", "Published"]
    assert titles(host.client, "?list=mine&q=publ") == ["Published"]
    assert titles(host.client, "?list=mine&minutes=20") == ["Published"]
    assert titles(host.client, "?list=liked") == ["Theirs"]
    for client in (guest.client, newcomer):
        assert titles(client, "?list=liked") == []
    assert titles(guest.client, "?list=mine") == ["Theirs"]
    assert titles(newcomer, "?list=mine") == []


def test_games_are_in_the_order_that_is_asked_for(
    publish: Publish, host: Actor, guest: Actor, newcomer: Client
) -> None:
    for title, plays in (("Old", 5), ("Liked", 0), ("New", 1)):
        version = publish(title)
        Text.objects.filter(pk=version.text_id).update(plays=plays)
        if title == "Liked":
            services.do_like(guest.person, version.text.code, True)
    assert titles(newcomer) == ["New", "Liked", "Old"]
    assert titles(newcomer, "?order=played") == ["Old", "New", "Liked"]
    assert titles(newcomer, "?order=liked") == ["Liked", "New", "Old"]
    services.do_feature([Text.objects.get(title="Old").pk], True, boss())
    assert titles(newcomer) == ["Old", "New", "Liked"]


def test_every_game_is_on_one_page_and_a_page_costs_the_same_queries(
    publish: Publish, newcomer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "GUEST", services.REGISTERED)  # who may save more than ten games
    publish("Game 0")
    newcomer.get("/workshop/")
    with CaptureQueriesContext(connection) as few:
        newcomer.get("/workshop/")
    for number in range(1, 2 * PAGE + 1):
        publish(f"Game {number}")
    with CaptureQueriesContext(connection) as many:
        first = newcomer.get("/workshop/").content.decode()
    assert len(many) == len(few)
    assert '<a class="button button-small" rel="next" href="?page=2">' in first
    seen = [title for page in (1, 2, 3) for title in titles(newcomer, f"?page={page}")]
    assert sorted(seen) == sorted(f"Game {number}" for number in range(2 * PAGE + 1))
    assert titles(newcomer, "?page=99999") == titles(newcomer, "?page=3") == ["Game 0"]
    assert "?q=game&amp;players=2&amp;page=2" in newcomer.get("/workshop/?q=game&players=2").content.decode()


@pytest.mark.parametrize(("order", "index"), [("", "listed_by_time"), ("played", "listed_by_plays")])
def test_the_database_reads_published_games_from_an_index(order: str, index: str, db: None) -> None:
    plan = library.found(Wanted(order=order), None)[:PAGE].explain()
    assert index in plan
    assert "USE TEMP B-TREE" not in plan  # nothing is sorted


@pytest.mark.parametrize(
    "address",
    [
        "?q=" + "x" * 10_000,
        "?q=" + "x+" * 5_000,
        "?q=%00&kind=%00",
        "?q=%F0%9F%90%B9%ED%A0%80",
        "?page=-1",
        "?page=x",
        "?players=1e3&minutes=-5&order=title&list=all&of=../..",
        "?kind=" + "k" * 10_000,
        "?q=%27%3Cscript%3Ealert(1)%3C/script%3E",
    ],
)
def test_an_address_that_makes_no_sense_is_a_page(address: str, publish: Publish, newcomer: Client) -> None:
    publish("Game")
    answer = newcomer.get(f"/workshop/{address}")
    assert answer.status_code == 200
    assert len(answer.context["wanted"].q) <= library.LONGEST
    assert "<script>alert" not in answer.content.decode()


def test_a_copy_names_what_it_was_copied_from_while_that_is_published(
    publish: Publish, host: Actor, guest: Actor, newcomer: Client
) -> None:
    origin = publish("Origin")
    copy = services.do_fork(guest.person, origin)
    services.do_publish(guest.person, copy.text.code, 1)
    link = f'A copy of <a href="/workshop/{origin.text.code}/">Origin</a>'
    assert link in newcomer.get("/workshop/").content.decode()
    copies = f"/workshop/?of={origin.text.code}"
    assert f'href="{copies}"' in newcomer.get(f"/workshop/{origin.text.code}/").content.decode()
    shown = newcomer.get(copies)
    assert [version.text.code for version in shown.context["games"]] == [copy.text.code]
    assert "Copies of Origin" in shown.content.decode()
    services.do_unpublish(host.person, origin.text.code)
    for page in (newcomer.get("/workshop/"), newcomer.get(copies)):
        assert link not in page.content.decode()
        assert "Copies of" not in page.content.decode()
