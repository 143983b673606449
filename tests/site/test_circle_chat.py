"""The chat of a circle: members alone read and write it, and it is limited, moderated and forgotten."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.circles import services
from cardsite.circles.models import Circle, CircleMessage, CircleReport
from cardsite.circles.services import KEPT
from cardsite.limits import LIMITS
from cardsite.people.names import MESSAGE_LENGTH
from cardsite.people.services import do_adopt, do_remove_people, do_restrict
from cardsite.table.services.chat import MAX_REPORTS
from cardsite.table.services.leaving import do_leave as do_leave_site
from tests.site.conftest import Actor, new_guest
from tests.site.reasons import NOT_A_MEMBER, why_refused
from tests.site.test_rate_limits import limited  # noqa: F401 - a fixture

SAID = "Tomorrow at eight"


@pytest.fixture
def circle(host: Actor, guest: Actor) -> Circle:
    """A circle of the hostess, with a guest as a member who has written something."""
    made = services.do_make(host.person, "Thursdays")
    services.do_join(guest.person, made.token)
    say(guest, made, SAID)
    return made


def path(circle: Circle) -> str:
    """Return the address of a circle."""
    return f"/circles/{circle.code}/"


def say(actor: Actor, circle: Circle, text: str) -> None:
    """Write a message as a browser does."""
    answer = actor.client.post(path(circle), {"text": text})
    assert (answer.status_code, answer["Location"]) == (302, f"{path(circle)}#chat")


def texts() -> list[str]:
    """Return all messages, the newest last."""
    return list(CircleMessage.objects.values_list("text", flat=True))


def chat(actor: Actor, circle: Circle) -> list[tuple[str, str]]:
    """Return (author, text) of each message that a member reads: the same on the page and in its update."""
    html = actor.client.get(f"{path(circle)}now.json").json()["parts"]["chat"]
    assert html in actor.client.get(path(circle)).content.decode()
    return re.findall(r"<strong><bdi>(.*?)</bdi></strong>.*?<br><bdi>(.*?)</bdi>", html)


def test_members_read_each_other_the_newest_last(circle: Circle, host: Actor, guest: Actor) -> None:
    say(host, circle, "  I am\n<b>there</b>\0 ")
    for actor in (host, guest):
        assert chat(actor, circle) == [("Guest", SAID), ("Hostess", "I am &lt;b&gt;there&lt;/b&gt;")]


def test_a_message_changes_the_update_and_nothing_else_does(circle: Circle, host: Actor, guest: Actor) -> None:
    now = f"{path(circle)}now.json"
    host.client.get(now)
    etag = guest.client.get(now)["ETag"]
    assert guest.client.get(now, headers={"If-None-Match": etag}).status_code == 304
    say(host, circle, "Hello")
    assert guest.client.get(now, headers={"If-None-Match": etag}).status_code == 200


def test_two_authors_of_one_name_have_distinct_names_also_after_one_has_left(circle: Circle, host: Actor) -> None:
    other = new_guest("Hostess")
    services.do_join(other.person, circle.token)
    say(other, circle, "First")
    say(host, circle, "Second")
    expected = [("Guest", SAID), ("Hostess (2)", "First"), ("Hostess", "Second")]
    assert chat(host, circle) == expected
    services.do_leave(circle.code, other.person)
    assert chat(host, circle) == expected


def test_nobody_else_reads_or_writes(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor, admin: Actor, newcomer: Client
) -> None:
    services.do_join(stranger.person, circle.token)
    assert chat(stranger, circle) == [("Guest", SAID)]
    services.do_remove_member(circle.code, host.person, stranger.person.pk)
    services.do_leave(circle.code, guest.person)
    for client in (newcomer, stranger.client, guest.client, admin.client):
        for answer in (
            client.get(path(circle)),
            client.get(f"{path(circle)}now.json"),
            client.post(path(circle), {"text": "Rude"}),
            client.post(f"{path(circle)}remove-message/", {"message": CircleMessage.objects.get().pk}),
            client.get(f"{path(circle)}report/"),
            client.post(f"{path(circle)}report/", {"message": CircleMessage.objects.get().pk, "why": "Rude"}),
        ):
            assert why_refused(answer) == NOT_A_MEMBER
            assert SAID not in answer.content.decode()
    assert not CircleReport.objects.exists()
    assert chat(host, circle) == [("Guest", SAID)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" \0 ", "Type a message first."),
        ("x" * (MESSAGE_LENGTH + 1), f"at most {MESSAGE_LENGTH} characters; yours has {MESSAGE_LENGTH + 1}."),
    ],
)
def test_a_message_is_one_line_that_is_not_too_long(circle: Circle, host: Actor, text: str, why: str) -> None:
    refused = host.client.post(path(circle), {"text": text})
    assert refused.status_code == 400
    assert why in refused.content.decode()
    assert text.strip(" \0") in refused.content.decode()  # it can be made shorter
    assert texts() == [SAID]
    say(host, circle, "x" * MESSAGE_LENGTH)


@pytest.mark.parametrize(("kind", "may_remove"), [("muted", True), ("blocked", False)])
def test_a_muted_or_blocked_person_reads_and_does_not_write(
    circle: Circle, guest: Actor, kind: str, may_remove: bool
) -> None:
    do_restrict(guest.person, kind, "Shouting", None, None)
    refused = guest.client.post(path(circle), {"text": "Rude"})
    assert refused.status_code == 400
    assert f"An administrator has {kind} you" in refused.content.decode()
    assert "The reason: Shouting" in refused.content.decode()
    assert chat(guest, circle) == [("Guest", SAID)]
    guest.client.post(f"{path(circle)}remove-message/", {"message": CircleMessage.objects.get().pk})
    assert texts() == ([] if may_remove else [SAID])


@pytest.mark.usefixtures("limited")
def test_a_person_who_writes_too_fast_waits_and_keeps_the_text(circle: Circle, host: Actor, guest: Actor) -> None:
    most = LIMITS["chat"].amount
    for number in range(most):
        say(host, circle, f"{number}")
    refused = host.client.post(path(circle), {"text": "One more"})
    assert refused.status_code == 429
    assert 'value="One more"' in refused.content.decode()
    assert "You sent too many requests." in refused.content.decode()
    say(guest, circle, "Calm")
    assert len(texts()) == 1 + most + 1


def test_the_author_and_the_owner_remove_a_message_and_nobody_else(
    circle: Circle, host: Actor, guest: Actor, stranger: Actor
) -> None:
    services.do_join(stranger.person, circle.token)
    say(guest, circle, "Second")
    first, second = CircleMessage.objects.values_list("pk", flat=True)
    button = f'name="message" value="{first}"'
    assert [button in actor.client.get(path(circle)).content.decode() for actor in (host, guest, stranger)] == [
        True,
        True,
        False,
    ]
    stranger.client.post(f"{path(circle)}remove-message/", {"message": first})
    assert texts() == [SAID, "Second"]
    guest.client.post(f"{path(circle)}remove-message/", {"message": first})
    host.client.post(f"{path(circle)}remove-message/", {"message": second})
    assert texts() == []
    again = host.client.post(f"{path(circle)}remove-message/", {"message": second}, follow=True)
    assert "That message is no longer there." in again.content.decode()


def test_a_message_of_another_circle_is_not_removed(circle: Circle, stranger: Actor) -> None:
    mine = services.do_make(stranger.person, "Mine")
    for message in (CircleMessage.objects.get().pk, "x", ""):
        stranger.client.post(f"{path(mine)}remove-message/", {"message": message})
    assert texts() == [SAID]


# -- reported


def report(actor: Actor, circle: Circle, *numbers: object, why: str = "Rude") -> str:
    """Report messages as a browser does. Return what the page says."""
    form = {"message": list(numbers), "why": why}
    return actor.client.post(f"{path(circle)}report/", form, follow=True).content.decode()


def test_a_member_reports_messages_of_others(circle: Circle, host: Actor, guest: Actor, stranger: Actor) -> None:
    said = CircleMessage.objects.get().pk
    say(host, circle, "Stop that")
    own = CircleMessage.objects.latest("pk").pk
    other = services.do_make(stranger.person, "Another")
    say(stranger, other, "Elsewhere")
    elsewhere = CircleMessage.objects.latest("pk").pk
    offered = host.client.get(f"{path(circle)}report/").content.decode()
    assert re.findall(r'name="message" value="(\d+)"', offered) == [f"{said}"]
    for numbers in ([], [own], [elsewhere], [elsewhere + 100], ["x", "-1", "1" * 30]):
        assert "Choose the messages of others that you want to report." in report(host, circle, *numbers)
    refused = host.client.post(f"{path(circle)}report/", {"message": said, "why": " \0 "})
    assert refused.status_code == 400
    assert "Describe in a few words what is wrong." in refused.content.decode()
    assert f'value="{said}" checked' in refused.content.decode()
    assert not CircleReport.objects.exists()
    assert "Reported. An administrator will look at it." in report(
        host, circle, said, own, elsewhere, why="He\0 shouts"
    )
    made = CircleReport.objects.get()
    assert ([one.pk for one in made.messages.all()], made.why, made.person) == ([said], "He shouts", host.person)
    assert "shouts" not in guest.client.get(path(circle)).content.decode()
    told = host.client.get("/people/me/data.json").json()["circle_messages_reported"]
    assert told == [
        {
            "circle": "Thursdays",
            "why": "He shouts",
            "at": told[0]["at"],
            "messages": [{"person__name": "Guest", "text": SAID}],
        }
    ]


def test_a_circle_has_a_limited_number_of_reports(circle: Circle, host: Actor) -> None:
    CircleReport.objects.bulk_create(CircleReport(circle=circle, why="x") for _ in range(MAX_REPORTS))
    said = CircleMessage.objects.get().pk
    assert "The administrators have many reports about this circle already" in report(host, circle, said)
    assert CircleReport.objects.count() == MAX_REPORTS


@pytest.mark.usefixtures("limited")
def test_a_person_who_reports_too_often_waits_and_keeps_the_report(circle: Circle, host: Actor) -> None:
    said = CircleMessage.objects.get().pk
    for _ in range(LIMITS["report"].amount):
        report(host, circle, said)
    refused = host.client.post(f"{path(circle)}report/", {"message": said, "why": "Once more"})
    assert refused.status_code == 429
    assert "You sent too many requests." in refused.content.decode()
    assert 'value="Once more"' in refused.content.decode()
    assert CircleReport.objects.count() == LIMITS["report"].amount


@pytest.mark.parametrize("how", ["removed", "newer"])
def test_administrators_read_a_reported_message_that_has_left_the_chat(
    circle: Circle, host: Actor, guest: Actor, admin: Actor, how: str
) -> None:
    said = CircleMessage.objects.get().pk
    report(host, circle, said)
    report(host, circle, said, why="Again")
    if how == "removed":
        guest.client.post(f"{path(circle)}remove-message/", {"message": said})
    else:
        for number in range(KEPT):
            services.do_post_message(circle.code, host.person, f"{number}")
    assert (said, SAID) not in [(one.pk, one.text) for one in circle.messages.filter(removed=False)]
    assert len(chat(host, circle)) == (0 if how == "removed" else KEPT)
    assert (
        "That message is no longer there."
        in guest.client.post(f"{path(circle)}remove-message/", {"message": said}, follow=True).content.decode()
    )
    assert "Choose the messages of others" in report(host, circle, said)
    assert admin.client.get("/admin/moderation/").content.decode().count(SAID) == 2
    for left, one in ((True, CircleReport.objects.first()), (False, CircleReport.objects.last())):
        assert one
        admin.client.post(f"/admin/moderation/circle-report/{one.pk}/")
        assert CircleMessage.objects.filter(pk=said).exists() == left


@pytest.mark.parametrize("how", ["closed", "left", "removed"])
def test_a_report_and_its_messages_outlive_the_circle_until_it_is_resolved(
    circle: Circle, host: Actor, guest: Actor, admin: Actor, how: str
) -> None:
    say(host, circle, "Not reported")
    report(host, circle, CircleMessage.objects.earliest("pk").pk, why="Insults")
    if how == "closed":
        services.do_close(circle.code, host.person)
    elif how == "left":
        services.do_leave(circle.code, guest.person)
        do_leave_site(host.person)
    else:
        services.do_remove_circles([circle.pk])
    assert texts() == [SAID]
    assert why_refused(guest.client.get(path(circle))) == NOT_A_MEMBER
    assert why_refused(guest.client.get(f"/circles/join/{circle.token}/")) == NOT_A_MEMBER
    shown = admin.client.get("/admin/moderation/").content.decode()
    for words in (SAID, "Insults", "circle Thursdays"):
        assert words in shown
    assert admin.client.get(f"/admin/circles/circle/{circle.pk}/change/").status_code == 200
    admin.client.post(f"/admin/moderation/circle-report/{CircleReport.objects.get().pk}/")
    assert not Circle.objects.exists()
    assert texts() == []


@pytest.mark.parametrize("reported", [True, False])
def test_closing_a_circle_takes_as_many_queries_with_many_members_as_with_one(
    host: Actor, guest: Actor, reported: bool
) -> None:
    def queries(members: int) -> int:
        """Return how many queries it takes to close a circle with so many members."""
        circle = services.do_make(host.person, "Thursdays")
        services.do_post_message(circle.code, host.person, SAID)
        for number in range(members - 1):
            services.do_join(new_guest(f"Member {number}").person, circle.token)
        if reported:
            about = circle.messages.get()
            CircleReport.objects.create(circle=circle, person=guest.person, why="Rude").messages.add(about)
        with CaptureQueriesContext(connection) as asked:
            services.do_close(circle.code, host.person)
        assert not circle.members.exists()
        assert Circle.objects.filter(pk=circle.pk).exists() is reported
        return len(asked)

    assert queries(1) == queries(12)


def test_a_circle_without_open_reports_is_gone_when_it_is_closed(circle: Circle, host: Actor, admin: Actor) -> None:
    report(host, circle, CircleMessage.objects.get().pk)
    admin.client.post(f"/admin/moderation/circle-report/{CircleReport.objects.get().pk}/")
    assert circle.members.count() == 2  # it is in use: only the report is gone
    services.do_close(circle.code, host.person)
    assert not Circle.objects.exists()


@pytest.mark.parametrize("remove", [False, True])
def test_an_administrator_reads_a_report_resolves_it_and_mutes_the_author(
    circle: Circle, host: Actor, guest: Actor, admin: Actor, remove: bool
) -> None:
    say(guest, circle, "<b>Loser</b>")
    report(host, circle, CircleMessage.objects.latest("pk").pk, why="Insults")
    shown = admin.client.get("/admin/moderation/").content.decode()
    for words in ("&lt;b&gt;Loser&lt;/b&gt;", "Insults", "reported by Hostess", "circle Thursdays"):
        assert words in shown
    assert SAID not in shown
    person = f"/admin/moderation/person/{guest.person.pk}/"
    assert f'href="{person}"' in shown
    admin.client.post(person, {"what": "muted", "how_long": "day", "reason": "Insults"})
    assert "An administrator has muted you" in guest.client.post(path(circle), {"text": "Rude"}).content.decode()
    form = {"remove": "yes"} if remove else {}
    admin.client.post(f"/admin/moderation/circle-report/{CircleReport.objects.get().pk}/", form)
    assert not CircleReport.objects.exists()
    assert texts() == ([SAID] if remove else [SAID, "<b>Loser</b>"])
    done = "resolved, messages removed" if remove else "resolved"
    assert LogEntry.objects.latest("pk").get_change_message() == f"Changed report of messages: open → {done}."


# -- forgotten


def test_each_circle_keeps_its_newest_messages(circle: Circle, host: Actor, stranger: Actor) -> None:
    other = services.do_make(stranger.person, "Another")
    for number in range(KEPT + 2):
        services.do_post_message(circle.code, host.person, f"{number}")
        services.do_post_message(other.code, stranger.person, f"{number}")
    for one in (circle, other):
        assert [message.text for message in one.messages.all()] == [f"{number}" for number in range(2, KEPT + 2)]
    assert len(chat(host, circle)) == KEPT


@pytest.mark.parametrize(("days", "left"), [(30, ["New"]), (0, [SAID, "New"])])
def test_old_messages_are_removed(circle: Circle, host: Actor, settings: Settings, days: int, left: list[str]) -> None:
    settings.KEEP_CHAT_DAYS = days
    CircleMessage.objects.update(at=timezone.now() - timedelta(days=31))
    say(host, circle, "New")
    call_command("tidy")
    assert texts() == left


@pytest.mark.parametrize("by", ["person", "administrator", "circle"])
def test_messages_go_with_their_author_and_their_circle(circle: Circle, host: Actor, guest: Actor, by: str) -> None:
    say(host, circle, "I stay")
    if by == "person":
        do_leave_site(guest.person)
    elif by == "administrator":
        do_remove_people([guest.person.pk])
    else:
        services.do_close(circle.code, host.person)
    assert texts() == ([] if by == "circle" else ["I stay"])


def test_a_guest_who_logs_in_keeps_the_messages(circle: Circle, host: Actor, guest: Actor, admin: Actor) -> None:
    do_adopt(guest.person, User.objects.get(username="boss"))
    assert chat(host, circle) == [("Boss", SAID)]


def test_an_administrator_reads_and_removes_messages(circle: Circle, admin: Actor) -> None:
    message = CircleMessage.objects.get()
    assert SAID in admin.client.get("/admin/circles/circlemessage/").content.decode()
    admin.client.post(f"/admin/circles/circlemessage/{message.pk}/delete/", {"post": "yes"})
    assert texts() == []
