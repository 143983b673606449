"""Evenings of a circle: the score over all matches, matches that count double, and the date of the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from cardsite.circles import calendar, evenings, services
from cardsite.circles.models import Circle, Evening, Plan
from cardsite.lobby.models import Table
from cardsite.lobby.services import seating
from cardsite.lobby.services.hosting import do_change_game, do_close
from cardsite.people.services import do_rename
from cardsite.refusal import Refused
from cardsite.table.ending import Ending
from cardsite.table.models import Match, Player
from cardsite.table.services.leaving import do_leave
from cardsite.table.services.matches import do_end_match, do_start_match
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.reasons import NOT_A_MEMBER, why_refused
from tests.site.test_circles import SECRET
from tests.site.visitor import Visitor, begin, play_on


@pytest.fixture
def evening(host: Actor, guest: Actor, stranger: Actor) -> Evening:
    """An evening of the hostess, a guest and a stranger, who is at the table but not in the circle, and a bot."""
    circle = services.do_make(host.person, SECRET)
    services.do_join(guest.person, circle.token)
    game = catalogue.find("hamsterdam")
    table = services.do_start_evening(circle.code, host.person, game, ["me", "open", "open", "house"])
    seating.do_sit(table.code, guest.person)
    seating.do_sit(table.code, stranger.person)
    return Evening.objects.select_related("table", "circle").get()


def play(evening: Evening, places: Sequence[int], *, own: Sequence[int] = (9, 9, 9, 0)) -> Match:
    """Play a match at the table that ends with these places. In each seat ``own`` of 10 decisions were the person's."""
    match = Match.objects.get(pk=do_start_match(evening.table.code, None))
    deciders = [(seat, "person" if n < own[seat] else "bot") for seat in range(len(places)) for n in range(10)]
    winners = [seat for seat, place in enumerate(places) if place == 1]
    do_end_match(match.pk, match.table_id, [-place for place in places], winners, Ending(ranks=places), deciders)
    return match


def standings(evening: Evening) -> list[tuple[int, str, float]]:
    """Return the standings of an evening: place, name and points."""
    [score] = evenings.scores(evening.circle, evening.pk)
    return [(one.place, one.name, one.points) for one in score.standings]


# -- points


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ("1 2 3 4", [4, 3, 2, 1]),
        ("2 1", [1, 2]),
        ("1 1 3 4", [3.5, 3.5, 2, 1]),
        ("1 2 2 2", [4, 2, 2, 2]),
        ("1 1 3 3", [3.5, 3.5, 1.5, 1.5]),
        ("1 1 1", [2, 2, 2]),
        ("b1 2 3", [None, 2, 1]),  # a bot is first, and takes nobody's place
        ("1 b2 b2 4", [2, None, None, 1]),
        ("a1 2 3", [None, 2, 1]),  # a bot played for a person who was away
        ("1 b2", [None, None]),  # alone with a bot
        ("b1 b2", [None, None]),
        ("1", [None]),
    ],
)
def test_points_are_by_place_among_people_and_ties_share_them(seats: str, expected: list[float | None]) -> None:
    players = [
        Player(
            seat=index,
            place=int(seat.strip("ab")),
            bot="house" if "b" in seat else "",
            decisions=10,
            own_decisions=0 if "a" in seat else 10,
            score=0,
        )
        for index, seat in enumerate(seats.split())
    ]
    once, twice = evenings.points(players), evenings.points(players, double=True)
    assert [once.get(seat) for seat in range(len(players))] == expected
    assert twice == {seat: 2 * given for seat, given in once.items()}


def test_an_evening_adds_up_all_matches_at_its_table_whatever_the_game(evening: Evening, host: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    do_change_game(evening.table.code, host.person, catalogue.find("bundles"), {}, 60)
    play(evening, [4, 1, 2, 2])
    running = Match.objects.get(pk=do_start_match(evening.table.code, None))
    assert standings(evening) == [(1, "Guest", 5), (2, "Hostess", 4), (3, "Stranger", 3)]
    [score] = evenings.scores(evening.circle)
    assert [(match.game, match.status, bool(match.seats)) for match in score.matches] == [
        ("bundles", "running", False),
        ("bundles", "over", True),
        ("hamsterdam", "over", True),
    ]
    assert running.pk == score.matches[0].id


def test_a_match_that_a_bot_played_for_somebody_gives_them_nothing(evening: Evening) -> None:
    play(evening, [1, 2, 3, 4], own=[2, 9, 9, 0])
    assert standings(evening) == [(1, "Guest", 2), (2, "Stranger", 1)]


def test_a_dropped_match_gives_no_points(evening: Evening) -> None:
    match = play(evening, [1, 2, 3, 4])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.DROPPED)
    assert standings(evening) == []


def test_the_points_of_others_stay_when_somebody_leaves_the_site(evening: Evening, host: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    do_leave(host.person)
    assert standings(evening) == [(1, "Guest", 2), (2, "Stranger", 1)]


def test_people_are_called_as_in_their_last_match(evening: Evening, host: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    do_rename(host.person, "Duchess")
    play(evening, [1, 2, 3, 4])
    assert standings(evening)[0] == (1, "Duchess", 6)


# -- double


def press_double(actor: Actor, evening: Evening, **fields: object) -> str:
    """Press the button for the next match. Return the page after it."""
    path = f"/circles/{evening.circle.code}/evenings/{evening.pk}/double/"
    return str(actor.client.post(path, fields, follow=True).content.decode())


@pytest.mark.parametrize("fields", [{}, {"match": 2}])
def test_nothing_counts_double_at_a_closed_table(evening: Evening, host: Actor, fields: dict[str, int]) -> None:
    play(evening, [1, 2, 3, 4])
    do_close(evening.table.code, host.person)
    assert "The table of this evening is closed." in press_double(host, evening, **fields)
    assert Evening.objects.get().doubled == []


def test_the_next_match_counts_double_if_the_host_says_so_before_it(evening: Evening, host: Actor) -> None:
    play(evening, [1, 2, 3, 4])
    assert "The next match counts double" in press_double(host, evening, match=2)
    play(evening, [3, 2, 1, 4])
    play(evening, [1, 2, 3, 4])
    [score] = evenings.scores(evening.circle)
    assert [match.double for match in score.matches] == [False, True, False]
    assert {one.name: one.points for one in score.standings} == {"Hostess": 8, "Guest": 8, "Stranger": 8}
    assert len(score.leaders) == 3


def test_a_match_that_has_begun_does_not_become_double(evening: Evening, host: Actor) -> None:
    do_start_match(evening.table.code, None)
    assert "That match has already started." in press_double(host, evening, match=1)
    evening.refresh_from_db()
    assert evening.doubled == []


def test_the_choice_can_be_taken_back(evening: Evening, host: Actor) -> None:
    press_double(host, evening, match=1)
    press_double(host, evening, match=1, double="no")
    evening.refresh_from_db()
    assert evening.doubled == []


def test_of_other_members_only_the_host_chooses_what_counts_double(evening: Evening, guest: Actor) -> None:
    assert "Only the host of the table and the owner" in press_double(guest, evening, match=1)
    Table.objects.update(host=guest.person)
    assert "The next match counts double" in press_double(guest, evening, match=1)


# -- the page


def test_the_page_says_who_leads_and_after_the_table_is_closed_who_has_won(
    evening: Evening, host: Actor, guest: Actor, stranger: Actor
) -> None:
    match = play(evening, [2, 1, 3, 4])
    path = f"/circles/{evening.circle.code}/evenings/{evening.pk}/"
    text = guest.client.get(path).content.decode()
    assert "In the lead:" in text
    assert f"/replay/{match.pk}/" in text
    do_close(evening.table.code, host.person)
    text = guest.client.get(path).content.decode()
    assert "The evening was won by" in text
    assert "won by" in guest.client.get(f"/circles/{evening.circle.code}/").content.decode()
    assert why_refused(stranger.client.get(path)) == NOT_A_MEMBER  # played, but is no member


def test_members_can_open_the_replays_of_a_table_with_a_link(evening: Evening, host: Actor, admin: Actor) -> None:
    Table.objects.update(public=False)
    services.do_join(admin.person, evening.circle.token)
    match = play(evening, [1, 2, 3, 4])
    text = host.client.get(f"/circles/{evening.circle.code}/evenings/{evening.pk}/").content.decode()
    assert f"/replay/{match.pk}/?table={evening.table.code}" in text


def test_an_evening_of_another_circle_is_not_found(evening: Evening, host: Actor) -> None:
    other = services.do_make(host.person, "Another")
    answer = host.client.get(f"/circles/{other.code}/evenings/{evening.pk}/")
    assert why_refused(answer) == NOT_A_MEMBER
    pressed = host.client.post(f"/circles/{other.code}/evenings/{evening.pk}/double/", {"match": 1})
    assert why_refused(pressed) == NOT_A_MEMBER


def test_many_evenings_cost_as_few_queries_as_one(
    evening: Evening, host: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = catalogue.find("hamsterdam")
    for _ in range(4):
        seats = ["me", "open", "open", "house"]
        services.do_start_evening(evening.circle.code, host.person, game, seats)
    for each in Evening.objects.select_related("table"):
        play(each, [1, 2, 3, 4])
    with django_assert_num_queries(3):
        assert [len(score.matches) for score in evenings.scores(evening.circle)] == [1] * 5


def test_an_evening_that_ended_without_a_match_is_not_listed(evening: Evening, host: Actor) -> None:
    assert len(evenings.scores(evening.circle)) == 1
    do_close(evening.table.code, host.person)
    assert evenings.scores(evening.circle) == []


def test_two_people_play_an_evening_and_a_stranger_at_the_table_learns_of_no_circle(site: RunningSite) -> None:
    host, guest, stranger = (Visitor(site, name) for name in ("Hostess", "Guest", "Stranger"))
    circle = host.post("/circles/", circle=SECRET, name="Hostess").headers["Location"]
    link = re.search(r"/circles/join/[\w-]+/", host.get(circle).text)
    assert link
    assert guest.post(link[0], name="Guest").headers["Location"] == circle
    name = circle.strip("/").split("/")[1]
    code = host.open_table("me", "open", game=f"bundles&circle={name}")
    guest.must(code, "sit")
    with host.connect(code) as first, guest.connect(code) as second, stranger.connect(code) as watching:
        assert "at a table" in guest.get(circle).text
        match = begin(code, host, first, second)
        play_on([first, second])
        watching.until(watching.over)
        evening = re.search(rf"{circle}evenings/\d+/", host.get(circle).text)
        assert evening
        text = guest.get(evening[0]).text
        assert f"/replay/{match}/" in text
        assert re.findall(r"<td>([\d.]+)</td></tr>", text) in (["2", "1"], ["1.5", "1.5"])
        said = [*watching.frames, stranger.get(f"/t/{code}/").text, stranger.get(f"/replay/{match}/").text]
        assert not [frame for frame in said if name in frame or SECRET in frame or "/circles/j" in frame]
        assert stranger.get(evening[0]).status == stranger.get(circle).status == 404


# -- the next evening


@pytest.fixture
def circle(host: Actor) -> Circle:
    """A circle of the hostess alone, with a name that a calendar must escape."""
    return services.do_make(host.person, "Ganz, ganz späte; \\ Runde 🐹🐹🐹🐹🐹🐹🐹🐹🐹")


def properties(content: bytes) -> dict[str, str]:
    """Return the properties of a calendar, unfolded, after checking its lines."""
    assert content.endswith(b"\r\n")
    lines = content.split(b"\r\n")[:-1]
    assert max(map(len, lines)) <= 75
    assert b"\n" not in b"".join(lines)
    assert [line.decode() for line in lines]  # no character is split
    unfolded = content.replace(b"\r\n ", b"").decode().splitlines()
    assert (unfolded[0], unfolded[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    return dict(line.split(":", 1) for line in unfolded if not line.startswith(("BEGIN", "END")))


def test_the_date_of_the_next_evening_is_a_file_for_calendars(circle: Circle, host: Actor) -> None:
    at = (timezone.now() + timedelta(days=3)).replace(microsecond=0)
    path = f"/circles/{circle.code}/"
    assert why_refused(host.client.get(f"{path}evening.ics")) == "No evening is planned."
    host.client.post(f"{path}plan/", {"when": "2001-01-01T00:00", "utc": at.isoformat()})
    answer = host.client.get(f"{path}evening.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    first = properties(answer.content)
    assert first["DTSTART"] == f"{at:%Y%m%dT%H%M%SZ}"
    assert first["DTEND"] == f"{at + timedelta(hours=3):%Y%m%dT%H%M%SZ}"
    assert first["SUMMARY"] == "Card evening: Ganz\\, ganz späte\\; \\\\ Runde 🐹🐹🐹🐹🐹🐹🐹🐹🐹"
    assert first["URL"] == f"http://testserver{path}"
    assert circle.token not in answer.content.decode()
    later = at + timedelta(days=1)
    host.client.post(f"{path}plan/", {"when": f"{later:%Y-%m-%dT%H:%M}"})
    changed = properties(host.client.get(f"{path}evening.ics").content)
    assert (changed["UID"], changed["SEQUENCE"]) == (first["UID"], "1")  # calendars move the event
    assert changed["DTSTART"] == f"{later:%Y%m%dT%H%M}00Z"
    Plan.objects.update(at=timezone.now() - timedelta(days=1))
    services.do_plan(circle.code, host.person, at)
    assert properties(host.client.get(f"{path}evening.ics").content)["UID"] != first["UID"]  # another evening
    host.client.post(f"{path}cancel-plan/")
    assert not Plan.objects.exists()


def test_a_long_line_of_a_calendar_is_folded_between_characters() -> None:
    for length in range(50, 80):
        start = datetime(2026, 11, 27, 20, tzinfo=UTC)
        name = "x" * length + "é🐹" * 40 + "\nend"
        content = calendar.event(
            uid="a@b", sequence=0, changed=start, start=start, length=timedelta(hours=1), summary=name, url="http://h/"
        )
        assert properties(content)["SUMMARY"] == name.replace("\n", "\\n")


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("", "Enter a date and a time."),
        ("soon", "Enter a date and a time."),
        ("2026-99-99T10:00", "Enter a date and a time."),
        ("2001-01-01T10:00", "Choose a date in the future"),
        ("9999-12-31T23:59:59-23:59", "Choose a date in the future, at most a year from now."),
    ],
)
def test_what_is_no_date_in_the_next_year_is_refused(circle: Circle, host: Actor, when: str, why: str) -> None:
    answer = host.client.post(f"/circles/{circle.code}/plan/", {"when": when}, follow=True)
    assert why in answer.content.decode()
    assert not Plan.objects.exists()
    with pytest.raises(Refused, match="at most a year"):
        services.do_plan(circle.code, host.person, timezone.now() + timedelta(days=400))
