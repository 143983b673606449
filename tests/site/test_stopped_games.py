"""Stopped matches: all of a game by staff, or one whose rules compute for too long."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from cardsite.events import MatchDropped
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.dropped import WORDS, Dropped, too_much
from cardsite.table.models import DropReason, Match
from cardsite.table.services.matches import do_drop_match, do_end_match, do_start_match
from cardsite.workshop import services
from cardsite.workshop.models import Text, Version
from cardsite.workshop.services import MAX_OVERRUNS
from games.core.messages import message
from tests.site.conftest import Actor
from tests.site.reasons import why_refused
from tests.site.test_workshop_provider import empty, keep, set_table, start

__all__ = ["empty"]  # a fixture


@pytest.fixture
def version(host: Actor) -> Version:
    """A published game for two of the host's."""
    version = keep(host)
    services.do_publish(host.person, version.text.code, 1)
    return version


def page(actor: Actor, version: Version) -> str:
    """Return the page of a version's game as somebody sees it."""
    return str(actor.client.get(f"/workshop/{version.text.code}/").content.decode())


def overrun(match: Match, work: str = "Move 12") -> None:
    """Have a match dropped because its rules take too much computing time."""
    do_drop_match(match.pk, too_much(message(work), 0.5, "a traceback of the process"))


# -- by staff


def test_staff_stop_all_matches_of_a_game_with_one_action(
    version: Version, host: Actor, guest: Actor, admin: Actor
) -> None:
    second = keep(host, text=version.text)
    other = start(keep(guest), guest)
    running = [start(version, host), start(version, guest), start(second, guest)]
    over = start(version, guest)
    do_end_match(over.pk, over.table_id, [1.0, 0.0], [0])
    form = {"action": "stop", "_selected_action": [version.text.pk]}
    answer = admin.client.post("/admin/workshop/text/", form, follow=True)
    assert "3 matches stopped." in answer.content.decode()
    for match in running:
        match.refresh_from_db()
        assert (match.status, match.dropped, match.process) == ("dropped", "stopped", None)
        info = read_table(match.table.code).info
        assert (info.status, info.dropped, info.notice) == ("over", "stopped", WORDS[DropReason.STOPPED])
    for match, status in ((other, "running"), (over, "over")):
        match.refresh_from_db()
        assert match.status == status
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_id) == ("boss", str(version.text.pk))
    assert entry.get_change_message() == "Changed stopped: no → yes."


def test_of_a_stopped_game_no_match_begins_until_staff_allow_it(
    version: Version, host: Actor, guest: Actor, admin: Actor
) -> None:
    there = set_table(version, host)
    admin.client.post(f"/workshop/{version.text.code}/judge/", {"do": "stop"})
    assert Text.objects.get().stopped
    assert "An administrator has stopped this game." in page(guest, version)
    assert version.text.code not in guest.client.get("/workshop/").content.decode()
    assert why_refused(guest.client.post(f"/play/{version.game}/")).startswith(
        "An administrator has stopped this game."
    )
    with pytest.raises(Refused) as refusal:  # at a table that was there before
        do_start_match(there.code, host.person)
    assert refusal.value.code == "stopped"
    refused = guest.client.post(f"/workshop/{version.text.code}/play/", follow=True)
    assert 'message-error">An administrator has stopped this game.' in refused.content.decode()
    assert not Match.objects.exists()
    admin.client.post(f"/workshop/{version.text.code}/judge/", {"do": "allow"})
    assert "An administrator has stopped" not in page(guest, version)
    do_start_match(there.code, host.person)
    assert Match.objects.get().status == "running"


@pytest.mark.parametrize("do", ["stop", "allow"])
def test_nobody_but_staff_stops_a_game(do: str, version: Version, host: Actor) -> None:
    match = start(version, host)
    answer = host.client.post(f"/workshop/{version.text.code}/judge/", {"do": do})
    assert why_refused(answer) == "Only administrators can moderate games."
    match.refresh_from_db()
    assert match.status == "running"


# -- for its computing time


def test_players_and_author_are_shown_that_a_match_took_too_much_computing_time(
    version: Version, host: Actor, guest: Actor
) -> None:
    match = start(version, guest)
    overrun(match)
    info = read_table(match.table.code).info
    assert (info.dropped, info.notice) == ("too_much", WORDS[DropReason.TOO_MUCH])
    reason = "Move 12 took more than 0.5 seconds of computing time, which is the limit."
    assert reason in page(host, version)
    assert "traceback" not in page(host, version)
    assert reason not in page(guest, version)


def test_after_some_such_matches_a_version_is_not_offered_and_another_one_is(
    version: Version, host: Actor, guest: Actor
) -> None:
    there = set_table(version, host)
    for _ in range(MAX_OVERRUNS):
        services.require_open(version.game)
        overrun(start(version, guest))
    reason = f"This version of the game used too much computing time in {MAX_OVERRUNS} matches"
    assert reason in page(guest, version)
    assert version.text.code not in guest.client.get("/workshop/").content.decode()
    assert version.text.code in host.client.get("/workshop/?list=mine").content.decode()
    with pytest.raises(Refused, match=reason):
        services.require_open(version.game)
    with pytest.raises(Refused, match=reason):
        do_start_match(there.code, host.person)
    better = keep(host, text=version.text)
    assert start(better, host).status == "running"


def test_staff_allow_a_version_that_took_too_much(version: Version, guest: Actor, admin: Actor) -> None:
    for _ in range(MAX_OVERRUNS):
        overrun(start(version, guest))
    admin.client.post("/admin/workshop/text/", {"action": "allow", "_selected_action": [version.text.pk]})
    services.require_open(version.game)
    line = f"Changed matches of version 1 over the CPU limit: {MAX_OVERRUNS} → 0."
    assert LogEntry.objects.get().get_change_message() == line


@pytest.mark.parametrize(
    "why", [DropReason.RULES_FAILED, DropReason.NO_END, DropReason.STOPPED, DropReason.OTHER_RULES]
)
def test_a_match_that_is_dropped_for_another_reason_is_not_counted(why: Any, version: Version, guest: Actor) -> None:
    do_drop_match(start(version, guest).pk, Dropped(why, "something"))
    version.refresh_from_db()
    assert version.overruns == 0


def test_a_match_counts_once_and_also_when_only_its_end_takes_too_much(version: Version, guest: Actor) -> None:
    match = start(version, guest)
    do_end_match(match.pk, match.table_id, [1.0, 0.0], [0])
    for _ in range(2):
        overrun(match, "Drawing the table after move 5")
    version.refresh_from_db()
    match.refresh_from_db()
    assert (version.overruns, version.last_overrun[:7], match.status) == (1, "Drawing", "over")
    assert "its result counts" in read_table(match.table.code).info.notice


def test_an_overrun_of_a_built_in_game_is_only_reported(guest: Actor, version: Version) -> None:
    dropped = MatchDropped("kuhn", DropReason.TOO_MUCH, message("Move 1 took too long."))
    services.do_count_overrun(Match, dropped)
    version.refresh_from_db()
    assert version.overruns == 0


def test_what_took_too_long_is_said_in_the_language_of_the_author(version: Version, host: Actor, guest: Actor) -> None:
    overrun(start(version, guest), "Showing the table")
    assert "Showing the table took more than 0.5 seconds of computing time" in page(host, version)
    host.client.cookies["django_language"] = "de"
    assert "0,5 Sekunden Rechenzeit gebraucht." in page(host, version)
