"""The best moments of an evening, from lead histories of its matches."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from cardsite.circles import views
from cardsite.circles.models import Evening
from cardsite.circles.moments import moments_of
from cardsite.lab import services as lab_services
from cardsite.lab.models import LeadHistory
from cardsite.lab.services import LOST
from cardsite.table.models import Match
from games.lab.leads import Lead
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.test_evenings import evening, play
from tests.site.test_limits import limited
from tests.site.visitor import Visitor, begin, play_on

__all__ = ["evening", "limited"]  # fixtures

Lines = list[list[float | None]]


def analyse(match: Match, lines: Lines, state: str = LeadHistory.Status.DONE) -> None:
    """Store a lead history with a point every ten moves."""
    points = [10 * at for at in range(len(lines[0]))]
    found: Lead | None = {"points": points, "lines": lines, "rollouts": 10, "alone": False} if lines[0] else None
    LeadHistory.objects.create(
        match=match, rules_version=match.rules_version, state=state, asked=timezone.now(), found=found
    )


# The winner of a match of four is in seat 0, from the expectation of the third place (1/3) after ten moves.
BEHIND: Lines = [[0.5, 0.3333, 0.8, 1.0], [0.5, 0.9, 0.7, 0.6667], [0.5, 0.4, 0.3, 0.3333], [0.5, 0.4, 0.2, 0.0]]
# Here seat 1 led until after twenty of thirty moves.
OPEN: Lines = [[0.5, 0.5, 0.6, 1.0], [0.5, 0.6, 0.7, 0.6667], [0.5, 0.5, 0.4, 0.3333], [0.5, 0.4, 0.3, 0.0]]
# Seat 0 was never behind.
SURE: Lines = [[0.5, 0.9, 0.9, 1.0], [0.5, 0.4, 0.4, 0.6667], [0.5, 0.4, 0.4, 0.3333], [0.5, 0.3, 0.3, 0.0]]


def test_the_biggest_comeback_and_the_closest_finish_of_all_matches(evening: Evening, host: Actor) -> None:
    for lines in (SURE, BEHIND, OPEN):
        analyse(play(evening, [1, 2, 3, 4]), lines)
    found = moments_of(evening)
    assert (found.analysed, found.failed, found.working, found.missing) == (3, 0, 0, 0)
    comeback, close = found.comeback, found.close_finish
    assert comeback
    assert close
    assert (comeback.match.number, comeback.winner, comeback.ply, round(comeback.place, 1)) == (2, "Hostess", 10, 3.0)
    assert (close.match.number, close.winner, close.leader, close.ply, close.plies) == (3, "Hostess", "Guest", 20, 30)
    page = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert "<bdi>Hostess</bdi> won match 2. After move 10, place 3.0 was to be expected." in page
    assert "In match 3, <bdi>Guest</bdi> was still ahead after 20 of 30 moves." in page
    assert f"/replay/{close.match.pk}/?move=20" in page


def test_a_match_that_was_decided_early_or_shared_has_no_moment(evening: Evening, host: Actor) -> None:
    analyse(play(evening, [1, 2, 3, 4]), SURE)
    shared = [[*line[:-1], end] for line, end in zip(BEHIND, (0.8333, 0.8333, 0.3333, 0.0), strict=True)]
    analyse(play(evening, [1, 1, 3, 4]), shared)
    found = moments_of(evening)
    assert found[:2] == (None, None)
    page = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert "Every match was decided early" in page
    assert "Find the best moments" not in page


@pytest.mark.parametrize(
    ("matches", "analysed", "said"),
    [
        (1, 0, "The match has not been analysed yet."),
        (3, 0, "No match has been analysed yet."),
        (3, 1, "1 of 3 matches is analysed."),
        (3, 2, "2 of 3 matches are analysed."),
        (1, 1, ""),
        (3, 3, ""),
    ],
)
def test_it_says_how_many_matches_are_analysed_while_some_are_not(
    evening: Evening, host: Actor, matches: int, analysed: int, said: str
) -> None:
    for number in range(matches):
        match = play(evening, [1, 2, 3, 4])
        if number < analysed:
            analyse(match, SURE)
    page = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert re.findall(r"[^>]*analysed[^<.]*\.", page) == ([said] if said else [])
    assert ("A match takes some seconds." in page) == bool(said)


def test_a_match_that_could_not_be_analysed_is_not_said_to_be_dull(evening: Evening, host: Actor) -> None:
    analyse(play(evening, [1, 2, 3, 4]), [[]], LeadHistory.Status.TOO_LONG)
    page = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert "1 match could not be analysed." in page
    assert "Every match was decided early" not in page
    assert "Find the best moments" not in page


def test_an_analysis_that_was_interrupted_can_be_started_again(evening: Evening, host: Actor) -> None:
    analyse(play(evening, [1, 2, 3, 4]), [[]], LeadHistory.Status.WORKING)
    path = f"/circles/{evening.circle.code}/evenings/{evening.pk}/"
    assert "1 match is being analysed" in host.client.get(path).content.decode()
    LeadHistory.objects.update(asked=timezone.now() - LOST)
    assert "Find the best moments" in host.client.get(path).content.decode()


def test_an_analysis_whose_process_was_killed_with_the_site_can_be_started_again(evening: Evening, host: Actor) -> None:
    match = play(evening, [1, 2, 3, 4])
    analyse(match, [[]], LeadHistory.Status.WORKING)
    asked = LeadHistory.objects.get().asked
    lab_services._store(match.pk, asked, "stopped", None)
    assert moments_of(evening).missing == 1
    analyse(match, [[]], LeadHistory.Status.WORKING)
    lab_services._store(match.pk, asked, "stopped", None)  # it was requested again meanwhile
    assert moments_of(evening).working == 1


@pytest.mark.parametrize("change", [{"sealed": False}, {"rules_version": "older"}, {"status": Match.Status.DROPPED}])
def test_hands_that_are_not_open_say_nothing(evening: Evening, host: Actor, change: dict[str, object]) -> None:
    match = play(evening, [1, 2, 3, 4])
    analyse(match, BEHIND)
    Match.objects.filter(pk=match.pk).update(**change)
    assert moments_of(evening) == (None, None, 0, 0, 0, 0)
    page = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert "Best moments" not in page


def test_others_find_no_such_page(evening: Evening, stranger: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    path = f"/circles/{evening.circle.code}/evenings/{evening.pk}/analyse/"
    assert stranger.client.post(path).status_code == 404
    assert not LeadHistory.objects.exists()


@pytest.mark.usefixtures("limited")
def test_analyses_are_limited(evening: Evening, host: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(views, "do_ask_lead", lambda match, payers: asked.append(match.pk))
    for _ in range(9):
        play(evening, [1, 2, 3, 4])
    path = f"/circles/{evening.circle.code}/evenings/{evening.pk}/analyse/"
    answer = host.client.post(path, follow=True).content.decode()
    assert len(asked) == 6  # in a minute
    assert "Too many" in answer or "slow" in answer.lower() or "minute" in answer.lower()


def test_a_member_has_the_matches_of_an_evening_analysed(site: RunningSite) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    circle = host.post("/circles/", circle="Fridays", name="Hostess").headers["Location"]
    link = re.search(r"/circles/join/[\w-]+/", host.get(circle).text)
    assert link
    guest.post(link[0], name="Guest")
    code = host.open_table("me", "open", game=f"kuhn&circle={circle.strip('/').split('/')[1]}", public=False)
    guest.must(code, "sit")
    with host.connect(code) as first, guest.connect(code) as second:
        begin(code, host, first, second)
        play_on([first, second])
    link = re.search(rf"{circle}evenings/\d+/", host.get(circle).text)
    assert link
    path = link[0]
    assert "The match has not been analysed yet." in guest.get(path).text
    assert guest.post(f"{path}analyse/").headers["Location"] == path

    def analysed() -> str:
        text = guest.get(path).text
        return "" if "is being analysed" in text else text

    text = wait_for(analysed)
    assert "Find the best moments" not in text
    said = ("The biggest comeback", "The closest finish", "Every match was decided early")  # by the cards
    assert any(words in text for words in said)
