"""The back room's page "Now": who is here, what is played, what failed, and what waits."""

from __future__ import annotations

import re
from datetime import timedelta

from django.test import RequestFactory
from django.utils import timezone

from cardsite import costs
from cardsite.circles.models import Circle, CircleReport
from cardsite.front.server_errors import failed
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, Message
from cardsite.table.services.chores import do_note_backup
from cardsite.table.services.matches import do_start_match
from cardsite.workshop.models import Report
from tests.site.conftest import Actor
from tests.site.hostile_texts import small
from tests.site.stored_texts import keep


def figures(admin: Actor) -> dict[str, object]:
    """Return the figures at the top of the page, by label."""
    return {fact.label: fact.value for fact in admin.client.get("/admin/now/").context["facts"]}


# Figures that earlier tests of this process may have changed.
OF_PROCESS = {"Failed bots and commits, this process", "Server errors, this process"}


def bad(admin: Actor) -> set[str]:
    """Return the labels of the figures that an administrator should look at, but for those of the process."""
    return {fact.label for fact in admin.client.get("/admin/now/").context["facts"] if fact.bad} - OF_PROCESS


def test_tables_with_people_or_a_running_match_are_listed_with_their_players(
    table: Table, host: Actor, guest: Actor, admin: Actor
) -> None:
    Seat.objects.update(seen=None)
    assert "Nobody is at a table now." in admin.client.get("/admin/now/").content.decode()
    Seat.objects.filter(person=guest.person).update(seen=timezone.now())
    page = admin.client.get("/admin/now/").content.decode()
    assert table.code in page
    assert "Guest" in page
    assert figures(admin)["People at tables"] == 1
    Seat.objects.update(seen=None)
    do_start_match(table.code, host.person)
    assert "match 1" in admin.client.get("/admin/now/").content.decode()
    assert figures(admin)["Matches being played"] == 1


def test_abandoned_matches_reports_chat_and_the_last_backup_are_counted(
    table: Table, host: Actor, admin: Actor
) -> None:
    assert bad(admin) == {"Last backup"}
    do_note_backup()
    assert bad(admin) == set()
    match = do_start_match(table.code, host.person)
    now = timezone.now()
    Match.objects.filter(pk=match).update(status="dropped", dropped="no_end", finished=now)
    text = keep(host, small()).text
    for _ in range(2):
        Report.objects.create(text=text, person=None, number=1, why="rude")
    CircleReport.objects.create(circle=Circle.objects.create(name="Friends"), why="rude")
    for hours in (1, 25):
        at = (now - timedelta(hours=hours)).timestamp() * 1000
        Message.objects.create(table=table, room="players", name="Guest", text="Hello", at=int(at))
    assert bad(admin) == {"Abandoned matches, last 24 hours", "Reported games", "Reported messages"}
    found = figures(admin)
    assert (found["Reported games"], found["Chat messages, last 24 hours"]) == (1, 1)
    assert "it did not end" in admin.client.get("/admin/now/").content.decode()
    Match.objects.filter(pk=match).update(finished=now - timedelta(days=2))
    assert "None in the last 24 hours." in admin.client.get("/admin/now/").content.decode()


def test_matches_are_counted_by_the_day_of_their_end(table: Table, host: Actor, admin: Actor) -> None:
    match = do_start_match(table.code, host.person)
    Match.objects.filter(pk=match).update(status="over", finished=timezone.now() - timedelta(days=1))
    assert [day.number for day in admin.client.get("/admin/now/").context["days"]] == [0, 1, 0, 0, 0, 0, 0]
    Table.objects.update(house=True)
    assert [day.number for day in admin.client.get("/admin/now/").context["days"]] == [0] * 7


def test_who_costs_most_is_named(table: Table, guest: Actor, admin: Actor) -> None:
    costs.book("replay", [f"person {guest.person.pk}", "203.0.113.7"], table.code, 2.0)
    page = admin.client.get("/admin/now/").content.decode()
    named = re.findall(r'<th scope="row">(.*?)</th>', page)
    assert f">{guest.person.name}</a>" in "".join(named)
    assert "203.0.113.0/24" in named
    assert f">{table.code}</a>" in "".join(named)
    assert "" not in named


def test_matches_are_counted_by_the_hour_and_new_people_by_the_day(table: Table, host: Actor, admin: Actor) -> None:
    match = do_start_match(table.code, host.person)
    Match.objects.filter(pk=match).update(status="over", finished=timezone.now() - timedelta(hours=3))
    hours = admin.client.get("/admin/now/").context["hours"]
    assert [bar.number for bar in hours] == [0, 0, 0, 1, *[0] * 20]
    assert hours[3].share == 100
    known = Person.objects.count()
    Person.objects.filter(pk=host.person.pk).update(created=timezone.now() - timedelta(days=2))
    newcomers = admin.client.get("/admin/now/").context["newcomers"]
    assert [bar.number for bar in newcomers] == [known - 1, 0, 1, 0, 0, 0, 0]


def test_a_page_that_failed_is_counted(admin: Actor) -> None:
    label = "Server errors, this process"
    before = figures(admin)[label]
    request = RequestFactory().get("/")
    request.resolver_match = None
    assert failed(request).status_code == 500
    assert figures(admin)[label] == int(str(before)) + 1
    facts = admin.client.get("/admin/now/").context["facts"]
    assert [fact.bad for fact in facts if fact.label == label] == [True]


def test_each_table_that_can_be_rigged_leads_to_its_rig(table: Table, admin: Actor) -> None:
    Seat.objects.update(seen=timezone.now())
    for fields in ({}, {"sealed": True}, {"story": True}, {"what_if": True}, {"game": "thief"}):
        Table.objects.update(**{"sealed": False, "story": False, "what_if": False, "game": "hamsterdam", **fields})
        for page in ("/admin/now/", f"/admin/moderation/table/{table.code}/"):
            shown = admin.client.get(page).content.decode()
            assert table.code in shown
            assert (f'href="/admin/rig/{table.code}/"' in shown) == (not fields)
            assert ("· sealed" in shown) == ("sealed" in fields)
