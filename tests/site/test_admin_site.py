"""The administrators' lists and pages: each opens with data, in few queries, and in readable words."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib import admin as administration
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from cardsite.circles.models import Circle, CircleMessage, Evening, Member
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.playtests.models import Opinion
from cardsite.table.models import Match, Message, Move, Player
from cardsite.table.services.matches import do_start_match
from cardsite.tournaments.models import Entrant, Tournament
from cardsite.workshop.models import Report, Text, Version
from games import catalogue
from tests import words
from tests.site.conftest import Actor, block
from tests.tiers import full

ROWS = 20  # of each kind
QUERIES = 24  # that a page may make, however many rows it shows
REGISTERED = sorted(administration.site._registry, key=lambda model: model._meta.label)


def page_of(model: type[models.Model], which: str = "changelist", *arguments: object) -> str:
    """Return the address of a list, or of a row."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{which}", args=arguments)


@pytest.fixture
def furnished(table: Table, host: Actor, admin: Actor) -> Match:
    """A site with many of everything; a match of four at ``table``."""
    circle = Circle.objects.create(name="Friends")
    tournament = Tournament.objects.create(name="Cup", game="hamsterdam", table_size=2, seconds=60)
    for number in range(ROWS):
        user = User.objects.create_user(f"user{number}", password=None)
        person = Person.objects.create(name=f"Person {number}", user=user)
        Group.objects.create(name=f"group {number}")
        Member.objects.create(circle=circle, person=person)
        CircleMessage.objects.create(circle=circle, person=person, text="hi")
        Entrant.objects.create(tournament=tournament, person=person)
        other = Table.objects.create(
            game="hamsterdam", host=person, sealed=False, rigged=True, favourite=1, honest_games=0
        )
        for seat in range(3):
            sitting = {"bot": "house"} if seat else {"person": person}
            Seat.objects.create(table=other, index=seat, **sitting)
        Evening.objects.create(circle=circle, table=other)
        match = Match.objects.create(
            table=other, number=1, game="hamsterdam", seed="00", seconds=0, sealed=False, favourite=1, status="over"
        )
        for seat in range(3):
            Player.objects.create(match=match, seat=seat, name=f"Player {seat}", person=person, share=seat == 1)
        Message.objects.create(table=other, room="players", person=person, name=person.name, seat=0, text="hi", at=0)
        Opinion.objects.create(match=match, person=person, seat=0, fun=4, fair=5, note="Nice.")
        text = Text.objects.create(owner=person, title=f"Game {number}", latest=1, published=1)
        Version.objects.create(text=text, number=1, source="()", size=2, playable=True, title=text.title)
        Table.objects.create(game=f"w-{text.code}-1", host=person)
        for reporter in Person.objects.all()[:3]:
            Report.objects.create(text=text, person=reporter, number=1, why="rude")
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    for ply in range(ROWS):
        Move.objects.create(match=match, ply=ply, seat=ply % 4, text="pass", by="bot", at=0)
    return match


def shown(page: str) -> str:
    """Return what of a page is read, without its forms' choices of other things."""
    return re.sub(r"<[^>]+>", " ", page.partition('<div id="content')[2])


@pytest.mark.parametrize("model", REGISTERED, ids=lambda model: model._meta.label)
def test_each_list_and_each_page_opens_with_data_in_few_queries(
    furnished: Match, admin: Actor, model: type[models.Model]
) -> None:
    row = furnished if model is Match else furnished.table if model is Table else model._default_manager.first()
    assert row
    for path in (page_of(model), page_of(model, "change", row.pk)):
        admin.client.get(path)  # what is looked up once in a process is known by now
        with CaptureQueriesContext(connection) as asked:
            answer = admin.client.get(path)
        assert answer.status_code == 200
        assert len(asked) <= QUERIES, "\n".join(each["sql"][:120] for each in asked)


@pytest.mark.parametrize("model", [Table, Match, Message], ids=lambda model: model._meta.label)
def test_seats_are_counted_as_people_count_them(furnished: Match, admin: Actor, model: type[models.Model]) -> None:
    words_shown = ""
    of_each: dict[type[models.Model], list[int]] = {
        Table: [furnished.table_id, Table.objects.filter(rigged=True)[0].pk],
        Match: [furnished.pk, Match.objects.filter(favourite=1)[0].pk],
        Message: [Message.objects.all()[0].pk],
    }
    pages = [page_of(model), *(page_of(model, "change", row) for row in of_each[model])]
    for path in pages:
        page = admin.client.get(path).content.decode()
        words_shown += shown(page)
        numbers = re.findall(r'<td class="field-number">\s*<p>(\d+)</p>', page)
        assert "0" not in numbers
    assert "seat 0" not in words_shown.lower()
    if model is not Message:
        assert "seat 2" in words_shown.lower()  # for which they are stacked, kept as 1
    page = admin.client.get(page_of(Match, "change", furnished.pk)).content.decode()
    seats = re.findall(r'<td class="field-number">\s*<p>(\d+)</p>', page)
    assert seats[:4] == ["1", "2", "3", "4"]
    assert seats[4:9] == ["1", "2", "3", "4", "1"]  # of its moves


def links(client: Client, path: str) -> dict[str, str]:
    """Return the links of a page, by address."""
    anchors = re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', client.get(path).content.decode(), re.DOTALL)
    return {html.unescape(address): words for address, words in anchors}


def test_a_table_leads_to_its_page_its_matches_and_its_rig_and_they_lead_back(
    furnished: Match, admin: Actor, newcomer: Client
) -> None:
    table = furnished.table
    its_page, its_matches = f"/t/{table.code}/", f"/admin/table/match/?table__id__exact={table.pk}&house=all"
    change, match = page_of(Table, "change", table.pk), page_of(Match, "change", furnished.pk)
    listed = links(admin.client, page_of(Table))
    assert {its_page, its_matches, change} <= set(listed)
    assert "honest" in listed[change]  # the rig is one click away, and comes first there
    page = admin.client.get(change).content.decode()
    assert page.index('id="id_rigged"') < page.index('id="id_public"')
    assert {its_page, its_matches, match, f"/replay/{furnished.pk}/"} <= set(links(admin.client, change))
    for path in (its_matches, match):
        assert {change, its_page, f"/replay/{furnished.pk}/"} <= set(links(admin.client, path)), path
    moderation = f"/admin/moderation/table/{table.code}/"
    assert moderation in admin.client.get(its_page).content.decode()
    assert {change, its_page} <= set(links(admin.client, moderation))
    assert "/admin/" not in newcomer.get(its_page).content.decode()
    person = links(admin.client, page_of(Person, "change", furnished.table.host_id))
    for path in person:
        if path.startswith("/admin/") and "=" in path:
            assert admin.client.get(path).status_code == 200
    assert f"/admin/table/match/?players__person__id__exact={table.host_id}&house=all" in person


def rows(client: Client, path: str) -> int:
    """Return how many rows a list shows."""
    answer: Any = client.get(path)
    return len(answer.context["cl"].result_list)


def test_matches_at_the_house_table_are_hidden_until_they_are_selected(furnished: Match, admin: Actor) -> None:
    house = Table.objects.create(game="agram", house=True)
    for number in (1, 2, 3):
        Match.objects.create(table=house, number=number, game="agram", seed="00", seconds=0, sealed=True)
    everything, base = Match.objects.count(), page_of(Match)
    assert rows(admin.client, base) == everything - 3
    assert rows(admin.client, f"{base}?house=yes") == 3
    assert rows(admin.client, f"{base}?house=all") == everything
    assert rows(admin.client, f"{base}?q={house.code}") == 3  # who searches means all
    assert rows(admin.client, f"{base}?house=no&q={house.code}") == 0
    filters = links(admin.client, base)
    assert {"?house=no", "?house=yes", "?house=all"} <= set(filters)


@pytest.mark.parametrize("model", [Table, Match], ids=lambda model: model._meta.label)
def test_filters_name_sections_of_texts_and_not_each_game_on_them(
    furnished: Match, admin: Actor, model: type[models.Model]
) -> None:
    base = page_of(model)
    filters = admin.client.get(base).content.decode().partition('id="changelist-filter"')[2]
    assert not re.search(r"\bw-[a-z0-9]{8}-1", filters)
    assert len(re.findall(r"\?game=", filters)) == len(catalogue.listed(catalogue.providers[0])) + 2
    results = {
        which: rows(admin.client, f"{base}?game={which}") for which in ("hamsterdam", "section:0", "others", "x")
    }
    others = ROWS if model is Table else 0
    assert results == {"hamsterdam": ROWS + 1, "section:0": 0, "others": others, "x": 0}


def left_in_english(page: str, language: str) -> set[str]:
    """Return what we say on an administrators' page in English, though it is translated."""
    ours = {key for name in ("admin.py", "models.py", "rig.py", "apps.py") for _, key in words.of_python(name)}
    ours |= words.of_rigs()
    sentence = {
        str(message.id): str(message.string) for message in words.catalog_of(language, "site") if message.id in ours
    }
    translated = {each.lower() for each in sentence.values()}
    english = {each.lower() for each in sentence} - translated
    texts = re.findall(r">([^<>]+)<|(?:title|alt)=\"([^\"]+)\"", page.partition("<body")[2])
    read = {html.unescape(text).strip(" :\n").removeprefix("by ").lower() for pair in texts for text in pair}
    return read & english


@full
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_administrators_pages_are_in_their_own_language(furnished: Match, admin: Actor, language: str) -> None:
    table = Table.objects.filter(rigged=True).first()
    assert table
    pages = ["/admin/", *(page_of(model) for model in REGISTERED)]
    for model in REGISTERED:
        row = furnished if model is Match else table if model is Table else model._default_manager.first()
        assert row
        pages.append(page_of(model, "change", row.pk))
    read = {path: admin.client.get(path).content.decode() for path in pages}
    assert any(left_in_english(page, language) for page in read.values())  # so that what follows can fail
    admin.client.cookies["django_language"] = language
    read = {path: admin.client.get(path).content.decode() for path in pages}
    left = {path: left_in_english(page, language) for path, page in read.items()}
    assert {path: result for path, result in left.items() if result} == {}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_explains_a_field_is_in_the_administrators_own_language(
    furnished: Match, admin: Actor, language: str
) -> None:
    rows_of = [
        (model, model._default_manager.first()) for model in REGISTERED if model.__module__.startswith("cardsite.")
    ]
    paths = [page_of(model, "change", row.pk) for model, row in rows_of if row]

    def explanations() -> set[str]:
        pages = [admin.client.get(path).content.decode() for path in paths]
        return {text for page in pages for text in re.findall(r'class="help"[^>]*>\s*<div>([^<]+)<', page)}

    english = explanations()
    assert len(english) > 10
    admin.client.cookies["django_language"] = language
    left = english & explanations()
    assert left == set()


def test_the_log_says_whose_block_was_lifted_and_no_list_blocks_without_a_reason(
    admin: Actor, guest: Actor, host: Actor
) -> None:
    block(host.person)
    chosen = {"_selected_action": [guest.person.pk, host.person.pk]}
    admin.client.post("/admin/people/person/", {"action": "block", **chosen})  # as before, in an old tab
    assert not guest.person.restrictions.exists()
    admin.client.post("/admin/people/person/", {"action": "lift", **chosen})
    logged = [(entry.object_id, entry.get_change_message()) for entry in LogEntry.objects.order_by("pk")]
    assert logged == [(str(host.person.pk), "Changed restriction: may not sit down or chat → none.")]


@pytest.mark.parametrize("model", REGISTERED, ids=lambda model: model._meta.label)
def test_no_page_of_the_back_room_hides_one_of_the_data(model: type[models.Model]) -> None:
    paths = [page_of(model), page_of(model, "change", 1), reverse("admin:app_list", args=[model._meta.app_label])]
    assert [resolve(path).namespace for path in paths] == ["admin"] * 3
