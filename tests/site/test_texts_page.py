"""The back room's page of visitors' games: which are listed, and what an administrator does about them."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry

from cardsite import costs
from cardsite.front import texts_page
from cardsite.workshop import services
from cardsite.workshop.models import Report, Text, Version
from tests.site.conftest import Actor, boss
from tests.site.test_stopped_games import overrun, version
from tests.site.test_workshop_provider import empty, keep, start

__all__ = ["empty", "version"]  # fixtures

PAGE = "/admin/texts/"


def listed(admin: Actor) -> list[str]:
    """Return the titles on the page, in order."""
    shown = admin.client.get(PAGE)
    return [one.text.title for one in shown.context["texts"]]


def press(admin: Actor, version: Version, button: str) -> str:
    """Press a button of a game's row. Return the page that follows."""
    answer = admin.client.post(f"{PAGE}{version.text.pk}/", {"do": button}, follow=True)
    return str(answer.content.decode())


def named(host: Actor, title: str) -> Version:
    """Store a game with this title."""
    made = keep(host)
    Text.objects.filter(pk=made.text.pk).update(title=title)
    return made


def test_games_are_listed_that_are_played_reported_or_stopped(host: Actor, guest: Actor, admin: Actor) -> None:
    assert listed(admin) == []
    named(host, "Quiet")
    played, costly, reported, slow, hidden = (
        named(host, title) for title in ("Played", "Costly", "Reported", "Slow", "Hidden")
    )
    start(played, guest)
    match = start(costly, guest)
    costs.book("move", f"person {guest.person.pk}", match.table.code, 12.5)
    services.do_report(guest.person, reported.text.code, "Rude words")
    overrun(start(slow, guest))
    services.do_hide([hidden.text.pk], True, boss())
    assert listed(admin) == ["Reported", "Costly", "Played", "Hidden", "Slow"]
    shown = admin.client.get(PAGE).content.decode()
    assert "Rude words" in shown
    assert "12.5 CPU seconds at these tables in the last hour" in shown
    assert "1 match took too much computing time" in shown
    assert "Quiet" not in shown


def test_of_many_games_those_with_reports_and_matches_are_listed(
    host: Actor, guest: Actor, admin: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts_page, "LISTED", 3)
    reported, played = named(host, "Reported"), named(host, "Played")
    services.do_report(guest.person, reported.text.code, "Rude words")
    start(played, guest)
    services.do_hide([named(host, f"Hidden {n}").text.pk for n in range(3)], True, boss())
    assert listed(admin) == ["Reported", "Played", "Hidden 2"]


def test_all_matches_of_a_game_are_stopped_and_allowed_again(version: Version, guest: Actor, admin: Actor) -> None:
    running = [start(version, guest), start(version, guest)]
    assert "2 matches are being played" in admin.client.get(PAGE).content.decode()
    assert "2 matches stopped." in press(admin, version, "stop")
    for match in running:
        match.refresh_from_db()
        assert match.dropped == "stopped"
    assert Text.objects.get().stopped
    assert "Matches of this game can begin again." in press(admin, version, "allow")
    assert not Text.objects.get().stopped
    assert listed(admin) == []


def test_a_game_that_used_too_much_computing_time_is_counted_among_those_allowed_again(
    version: Version, admin: Actor
) -> None:
    Version.objects.update(overruns=services.MAX_OVERRUNS)
    asked = {"action": "allow", "_selected_action": [version.text.pk]}
    page = admin.client.post("/admin/workshop/text/", asked, follow=True).content.decode()
    assert "1 allowed again." in page
    services.require_not_stopped(Version.objects.select_related("text").get())


def test_a_game_is_hidden_and_shown_again(version: Version, admin: Actor) -> None:
    assert "Hidden: only the author sees it." in press(admin, version, "hide")
    assert Text.objects.get().hidden
    assert "Everybody with the link sees it again." in press(admin, version, "show")
    assert not Text.objects.get().hidden


def test_reports_are_resolved(version: Version, guest: Actor, admin: Actor) -> None:
    services.do_report(guest.person, version.text.code, "Rude words")
    assert "1 report removed." in press(admin, version, "resolve")
    assert not Report.objects.exists()
    assert listed(admin) == []


LOGGED = {
    "feature": "featured: no → yes", "unfeature": "featured: yes → no", "hide": "hidden: no → yes",
    "show": "hidden: yes → no", "stop": "stopped: no → yes", "allow": "stopped: yes → no",
    "resolve": "reports: open → resolved",
}  # fmt: skip
PAGES = {
    "back room": ("hide", "show", "stop", "allow", "resolve"),
    "game's page": tuple(LOGGED),
    "Django's admin": tuple(LOGGED),
}


@pytest.mark.parametrize("page", PAGES)
def test_each_act_about_a_game_is_in_the_log_once_from_every_page(
    version: Version, guest: Actor, admin: Actor, page: str
) -> None:
    Text.objects.update(published=1)
    services.do_report(guest.person, version.text.code, "Rude words")
    for act in PAGES[page]:
        for _again in range(2):  # what changes nothing is not logged
            if page == "back room":
                press(admin, version, act)
            elif page == "game's page":
                admin.client.post(f"/workshop/{version.text.code}/judge/", {"do": act})
            else:
                admin.client.post("/admin/workshop/text/", {"action": act, "_selected_action": [version.text.pk]})
    changes = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert changes == [f"Changed {LOGGED[act]}." for act in PAGES[page]]


def test_what_is_no_button_changes_nothing(version: Version, admin: Actor) -> None:
    assert "Choose one of the buttons." in press(admin, version, "publish")
    assert admin.client.post(f"{PAGE}999/", {"do": "stop"}).status_code == 404
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("button", ["stop", "allow", "hide", "show", "resolve"])
def test_only_administrators_get_there(version: Version, host: Actor, button: str) -> None:
    for answer in (host.client.get(PAGE), host.client.post(f"{PAGE}{version.text.pk}/", {"do": button})):
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/admin/login/")
    assert not LogEntry.objects.exists()
