"""What administrators do about people in a running match, what these people read, and undo."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import models
from django.utils import timezone
from django.utils.formats import date_format

from cardsite.circles.models import Circle, CircleReport
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import seating
from cardsite.people.audit import log_change
from cardsite.people.models import Restriction
from cardsite.people.restrictions import BLOCKED, MUTED, active_restrictions, is_blocked, restriction_of
from cardsite.people.services import do_lift, do_restrict
from cardsite.refusal import Refused
from cardsite.table.models import ChatReport, Match, Message
from cardsite.table.services.chat import MAX_REPORTS, do_post_message
from cardsite.table.services.matches import do_start_match
from tests.running_site import RunningSite
from tests.site.conftest import Actor, boss
from tests.site.hostile_texts import small
from tests.site.stored_texts import keep
from tests.site.visitor import TableSocket, Visitor, begin, two_at_a_table


def ruling(ws: TableSocket) -> dict[str, Any]:
    """Return what a socket was last sent about what was decided about its person."""
    ws.settle()
    last = [one for one in ws.messages if one["t"] in ("welcome", "you")][-1]
    return {name: last[name] for name in ("standing", "by_administrator", "reason", "until")}


def number_of(ws: TableSocket) -> int:
    """Return the public number of the person of a socket."""
    numbers: list[int] = [one["person"] for one in ws.messages if one["t"] == "welcome"]
    return numbers[-1]


# -- in a running match


def test_a_person_who_is_blocked_in_a_match_loses_the_seat_to_a_bot_and_reads_why(
    site: RunningSite, administrator: Visitor
) -> None:
    code, host, guest = two_at_a_table(site, "house")
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        person = number_of(two)
        page = f"/admin/moderation/person/{person}/?table={code}"
        assert administrator.post(page, what="blocked", how_long="day", reason="Rude in the chat").status == 302
        two.until(lambda: ruling(two)["standing"] == "blocked")
        shown = ruling(two)
        assert (shown["by_administrator"], shown["reason"]) == (True, "Rude in the chat")
        assert abs(shown["until"] / 1000 - (timezone.now() + timedelta(days=1)).timestamp()) < 600
        one.until(lambda: one.table["seats"][1]["kind"] == "bot")
        assert "Rude" not in str(one.messages)  # nobody else reads it
        for action in ("sit", "come-back", "request-seat"):
            refused = guest.press(code, action)
            assert refused["code"] == "blocked"
            assert "Rude in the chat" in refused["text"]
        assert two.ask("chat", text="Hello")["code"] == "blocked"
        with guest.connect(code) as again:
            assert ruling(again) == shown
        assert page.split("?")[0] in administrator.get(f"/admin/moderation/table/{code}/").text
        [restriction] = administrator.get(page).text.split("/admin/moderation/lift/")[1:]
        assert administrator.post(f"/admin/moderation/lift/{restriction.split('/')[0]}/").status == 302
        two.until(lambda: ruling(two)["standing"] == "")
        assert two.ask("chat", text="Hello")["t"] == "ack"
        guest.must(code, "request-seat")


def test_a_person_who_is_muted_plays_on_and_reads_why_when_chatting(site: RunningSite, administrator: Visitor) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        form = {"what": "muted", "how_long": "", "reason": "Advertising"}
        assert administrator.post(f"/admin/moderation/person/{number_of(two)}/", **form).status == 302
        two.until(lambda: ruling(two)["standing"] == "muted")
        assert ruling(two) == {"standing": "muted", "by_administrator": True, "reason": "Advertising", "until": 0}
        refused = two.ask("chat", text="Buy this")
        assert refused["code"] == "muted"
        assert refused["text"].endswith("The reason: Advertising")
        assert one.table["seats"][1]["kind"] == "person"
        assert one.ask("chat", text="Well played!")["t"] == "ack"


def test_an_administrator_removes_a_player_and_lets_them_back_in(site: RunningSite, administrator: Visitor) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        person = number_of(one)
        page = f"/admin/moderation/person/{person}/?table={code}"
        assert administrator.post(page, what="remove", how_long="", reason="Plays for two").status == 302
        one.until(lambda: ruling(one)["standing"] == "removed")
        assert ruling(one) == {"standing": "removed", "by_administrator": True, "reason": "Plays for two", "until": 0}
        two.until(lambda: two.table["seats"][0]["kind"] == "bot" and two.table["seats"][1]["host"])
        assert host.press(code, "come-back")["code"] == "removed"
        assert administrator.post(f"/admin/moderation/table/{code}/readmit/{person}/").status == 302
        one.until(lambda: ruling(one)["standing"] == "")
        assert administrator.post(f"/admin/moderation/table/{code}/readmit/{person}/").status == 302
        assert "This person was not removed from the table." in administrator.get("/admin/moderation/").text


def test_a_table_that_is_closed_says_why_to_everybody_there_and_later(
    site: RunningSite, administrator: Visitor
) -> None:
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        assert administrator.post(f"/admin/moderation/table/{code}/", notice="Maintenance until nine").status == 302
        for ws in (one, two):
            ws.until(lambda ws=ws: ws.table["status"] == "closed")  # type: ignore[misc]
            assert ws.table["closed_because"] == "Maintenance until nine"
    closed = guest.get(f"/t/{code}/")
    assert closed.status == 410
    assert "Maintenance until nine" in closed.text
    page = administrator.get(f"/admin/moderation/table/{code}/")
    assert page.status == 200
    assert "Close this table" not in page.text


# -- reports


def write(table: Table, by: Actor, text: str, seat: int | None = None) -> int:
    """Have somebody write a message at a table. Return its number."""
    return do_post_message(table.code, by.person.pk, seat, text, 0).pk


def report(table: Table, by: Actor, *numbers: object, why: str = "Rude") -> Any:
    """Report messages as the page of the table does. Return the answer."""
    form = {"messages": ",".join(map(str, numbers)), "why": why}
    return by.client.post(f"/t/{table.code}/report-chat/", form).json()


def test_people_report_messages_of_others_that_they_can_read(
    host: Actor, guest: Actor, stranger: Actor, table: Table
) -> None:
    said = write(table, guest, "Loser", 1)
    own = write(table, host, "Stop that", 0)
    watching = write(table, stranger, "They lose")
    for numbers in ([], [own], [watching], [said + 100], ["x", "1" * 30, "-1"]):
        answer = report(table, host, *numbers)
        assert answer["text"] == "Choose the messages of others that you want to report."
    assert report(table, stranger, said)["code"] == "bad_option"  # the players' room
    assert report(table, host, said, why=" \x00 ")["text"] == "Describe in a few words what is wrong."
    assert not ChatReport.objects.exists()
    assert report(table, host, said, own, watching, why="Insults\x00 me")["ok"]
    made = ChatReport.objects.get()
    assert ([one.pk for one in made.messages.all()], made.why, made.person) == ([said], "Insults me", host.person)
    data = host.client.get("/people/me/data.json").json()
    assert data["messages_reported"][0]["why"] == "Insults me"


def test_one_table_has_a_limited_number_of_reports(host: Actor, guest: Actor, table: Table) -> None:
    said = write(table, guest, "Loser", 1)
    ChatReport.objects.bulk_create(ChatReport(table=table, why="x") for _ in range(MAX_REPORTS))
    assert report(table, host, said)["text"].startswith("The administrators have many reports about this table already")
    assert ChatReport.objects.count() == MAX_REPORTS


@pytest.mark.parametrize("remove", [False, True])
def test_an_administrator_reads_reported_messages_and_resolves_the_report(
    admin: Actor, host: Actor, guest: Actor, table: Table, remove: bool
) -> None:
    said = write(table, guest, "<b>Loser</b>", 1)
    kept = write(table, guest, "Hello", 1)
    assert report(table, host, said, why="Rude")["ok"]
    shown = admin.client.get("/admin/moderation/").content.decode()
    assert "&lt;b&gt;Loser&lt;/b&gt;" in shown
    assert f"reported by {host.person.name}" in shown
    assert "Hello" not in shown
    assert f"/admin/moderation/person/{guest.person.pk}/?table={table.code}" in shown
    form = {"remove": "yes"} if remove else {}
    admin.client.post(f"/admin/moderation/report/{ChatReport.objects.get().pk}/", form)
    assert not ChatReport.objects.exists()
    assert {one.pk for one in Message.objects.all()} == ({kept} if remove else {said, kept})
    done = "resolved, messages removed" if remove else "resolved"
    assert LogEntry.objects.latest("pk").get_change_message() == f"Changed report of messages: open → {done}."


def test_messages_of_a_closed_table_can_be_read_by_administrators(admin: Actor, host: Actor, table: Table) -> None:
    write(table, host, "Before it was closed", 0)
    Table.objects.update(status=Table.Status.CLOSED)
    shown = admin.client.get(f"/admin/moderation/table/{table.code}/").content.decode()
    assert "Before it was closed" in shown
    assert "Close this table" not in shown


def test_a_table_shows_the_block_of_a_person_who_is_muted_as_well(admin: Actor, host: Actor, table: Table) -> None:
    do_restrict(host.person, BLOCKED, "", None, None)
    do_restrict(host.person, MUTED, "", None, None)
    Seat.objects.filter(table=table, index=0).update(person=host.person)
    shown = admin.client.get(f"/admin/moderation/table/{table.code}/").content.decode()
    assert "<strong>may not sit down or chat</strong>" in shown


# -- rules


def test_the_longest_block_counts_and_a_restriction_ends_by_itself(host: Actor) -> None:
    person, now = host.person, timezone.now()
    assert restriction_of(person.pk) is None
    do_restrict(person, MUTED, "", None, None)
    short = do_restrict(person, BLOCKED, "short", now + timedelta(hours=1), None)
    long = do_restrict(person, BLOCKED, "long", now + timedelta(hours=2), None)
    assert restriction_of(person.pk) == long
    Restriction.objects.filter(pk=long.pk).update(until=now - timedelta(seconds=1))
    assert restriction_of(person.pk) == short
    assert do_lift(short)
    assert not do_lift(short)
    found = restriction_of(person.pk)
    assert found is not None
    assert (found.kind, is_blocked(person.pk)) == (MUTED, False)


def test_a_refusal_says_how_long_it_lasts(host: Actor, table: Table) -> None:
    do_restrict(host.person, MUTED, "", timezone.now() + timedelta(days=2, minutes=1), None)
    with pytest.raises(Refused) as refused:
        do_post_message(table.code, host.person.pk, 0, "Hello", 0)
    assert refused.value.code == "muted"
    assert refused.value.text == "An administrator has muted you: you may play, but not chat. This ends in 2\xa0days."


def test_a_block_takes_away_all_seats_and_tables(host: Actor, guest: Actor, table: Table) -> None:
    other = Table.objects.create(game="hamsterdam", host=host.person)
    Seat.objects.create(table=other, index=0, person=host.person)
    Seat.objects.create(table=other, index=1, bot="house")
    do_start_match(table.code, host.person)
    seating.do_stand(table.code, guest.person)
    do_restrict(guest.person, BLOCKED, "", None, None)
    do_restrict(host.person, BLOCKED, "", None, None)
    assert not Seat.objects.exclude(person=None, held_for=None).exists()
    assert {one.kind for one in table.seats.all()} == {"bot"}
    assert [one.kind for one in other.seats.all()] == ["open", "bot"]  # no match is played there
    assert not Table.objects.exclude(host=None).exists()
    assert Match.objects.get().status == Match.Status.RUNNING


# -- the pages


@pytest.fixture
def pages(table: Table, host: Actor) -> list[tuple[str, str]]:
    """The addresses of all pages about people, each with the method that it is asked by."""
    restriction = do_restrict(host.person, MUTED, "", None, None)
    reported = ChatReport.objects.create(table=table, why="x")
    in_circle = CircleReport.objects.create(circle=Circle.objects.create(name="Friends"), why="x")
    return [
        ("get", "/admin/moderation/"),
        ("get", f"/admin/moderation/person/{host.person.pk}/"),
        ("post", f"/admin/moderation/person/{host.person.pk}/"),
        ("post", f"/admin/moderation/lift/{restriction.pk}/"),
        ("post", f"/admin/moderation/report/{reported.pk}/"),
        ("post", f"/admin/moderation/circle-report/{in_circle.pk}/"),
        ("get", f"/admin/moderation/table/{table.code}/"),
        ("post", f"/admin/moderation/table/{table.code}/"),
        ("post", f"/admin/moderation/table/{table.code}/readmit/{host.person.pk}/"),
    ]


def test_only_administrators_get_to_them(pages: list[tuple[str, str]], host: Actor, stranger: Actor) -> None:
    for actor in (host, stranger):
        for method, address in pages:
            form = {"what": "blocked", "how_long": "", "reason": "x", "notice": "x"}
            answer = getattr(actor.client, method)(address, form)
            assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/admin/login/"), address
    assert active_restrictions().count() == 1
    assert ChatReport.objects.exists()
    assert CircleReport.objects.exists()
    assert not Table.objects.filter(status="closed").exists()


def test_the_log_has_what_was_in_force_before_and_after(admin: Actor, host: Actor, table: Table) -> None:
    page = f"/admin/moderation/person/{host.person.pk}/?table={table.code}"
    admin.client.post(page, {"what": "muted", "how_long": "", "reason": "Noise"})
    admin.client.post(page, {"what": "remove", "how_long": "", "reason": "Again"})
    admin.client.post(f"/admin/moderation/lift/{Restriction.objects.get().pk}/")
    admin.client.post(f"/admin/moderation/table/{table.code}/", {"notice": "Done"})
    logged = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert logged == [
        "Changed in force: none → may not chat, Noise.",
        f"Changed hamsterdam {table.code}: seated → removed: Again.",
        "Changed in force: may not chat, Noise → none.",
        "Changed status: waiting for players → closed: Done.",
    ]
    shown = admin.client.get(f"/admin/moderation/person/{host.person.pk}/").content.decode()
    assert "none → may not chat, Noise" in shown
    assert "closed: Done" not in shown
    assert shown.index("Take action") < shown.index('id="log"')  # also on a phone


def test_the_log_of_all_names_people_tables_texts_and_matches_with_their_pages(
    admin: Actor, host: Actor, table: Table
) -> None:
    text = keep(host, small()).text
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    pages: dict[models.Model, str] = {
        host.person: f"/admin/moderation/person/{host.person.pk}/",
        table: f"/admin/moderation/table/{table.code}/",
        text: f"/admin/workshop/text/{text.pk}/change/",
        match: f"/admin/table/match/{match.pk}/change/",
    }
    for subject in pages:
        log_change(boss(), subject, ["this → that"])
    changes = admin.client.get("/admin/moderation/").context["log"]
    assert [change.page for change in changes] == [*pages.values()][::-1]
    assert all(admin.client.get(page).status_code == 200 for page in pages.values())
    table.matches.all().delete()
    changes = admin.client.get("/admin/moderation/").context["log"]
    assert changes[0].page == ""
    assert f'<a href="{pages[table]}"><bdi>' in admin.client.get("/admin/moderation/").content.decode()


def test_a_block_lasts_until_the_end_of_the_last_day(admin: Actor, host: Actor) -> None:
    page, today = f"/admin/moderation/person/{host.person.pk}/", timezone.localdate()
    form = {"what": "blocked", "how_long": "date", "reason": "Rude"}
    for day, why in (("", "Choose a day."), (today - timedelta(days=1), "Choose a day from today on")):
        answer = admin.client.post(page, {**form, "last_day": str(day)})
        assert answer.status_code == 400
        assert why in answer.content.decode()
    for day, why in (("9999-12-31", "within ten years"), ("soon", "Enter a valid date.")):
        assert why in admin.client.post(page, {**form, "last_day": day}).content.decode()
    assert not Restriction.objects.exists()
    admin.client.post(page, {**form, "last_day": str(today + timedelta(days=2))})
    ends = Restriction.objects.get().until
    assert ends
    assert timezone.localtime(ends).isoformat().startswith(f"{today + timedelta(days=3)}T00:00:00")
    admin.client.post(page, {**form, "how_long": "hour", "last_day": "soon"})
    admin.client.post(page, {**form, "how_long": "hour", "last_day": str(today + timedelta(days=2))})
    ends = Restriction.objects.latest("pk").until
    assert ends
    assert ends < timezone.now() + timedelta(hours=2)  # the day counts only if it was chosen


def test_the_log_of_a_second_restriction_is_not_about_the_first(admin: Actor, host: Actor) -> None:
    page = f"/admin/moderation/person/{host.person.pk}/"
    for what, reason in (("muted", "Shouting at everybody at two tables"), ("blocked", "Goes on in the same way")):
        admin.client.post(page, {"what": what, "how_long": "week", "reason": reason})
    ends = Restriction.objects.latest("pk").until
    assert ends
    until = f"{date_format(ends, 'DATETIME_FORMAT')} UTC"
    line = f"Changed in force: none → may not sit down or chat, until {until}, Goes on in the same way."
    assert LogEntry.objects.latest("pk").get_change_message() == line


def test_a_reason_is_required_and_people_are_found_by_name(admin: Actor, host: Actor) -> None:
    answer = admin.client.post(f"/admin/moderation/person/{host.person.pk}/", {"what": "blocked", "how_long": "day"})
    assert answer.status_code == 400
    assert not Restriction.objects.exists()
    found = admin.client.get("/admin/moderation/", {"q": host.person.name.upper()}).content.decode()
    assert f"/admin/moderation/person/{host.person.pk}/" in found
    assert "Nobody has a name like that." in admin.client.get("/admin/moderation/", {"q": "Zz\x00"}).content.decode()
