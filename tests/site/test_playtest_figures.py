"""Figures of matches of people: which matches count, what is counted, and who sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from cardsite.lab import library
from cardsite.lobby.models import Seat, Table
from cardsite.playtests import figures, pages
from cardsite.playtests.figures import FEWEST, Subject
from cardsite.playtests.models import Opinion
from cardsite.table.daily import today
from cardsite.table.models import DailyTry, Match, Move, Occupancy, Player
from cardsite.table.services.matches import do_start_match
from cardsite.workshop.models import Version
from games import catalogue
from tests.site.conftest import Actor
from tests.site.stored_texts import keep
from tests.site.stored_texts import play as play_text
from tests.site.test_stored_replays import play

GAME, RULES = "agram", "1"
SUBJECT = Subject(GAME, RULES)


def a_match(*people: Actor, share: tuple[float, ...] = (1, 0), game: str = GAME, **fields: Any) -> Match:
    """Store a match of 10 minutes that is over: a person or a bot in each of two seats, 4 decisions in each."""
    kind = {name: fields.pop(name, False) for name in ("story", "what_if")}
    table = Table.objects.create(game=game, public=True, **kind)
    rest = {"status": Match.Status.OVER, "seconds": 60, "rules_version": RULES, "sealed": True, **fields}
    match = Match.objects.create(table=table, number=1, game=game, seed="00" * 32, **rest)
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(started=now - timedelta(minutes=10), finished=now)
    for seat in range(2):
        person = people[seat].person if seat < len(people) else None
        bot, name = ("", person.name) if person else ("house", "Bram")
        own = 4 if person else 0
        Player.objects.create(
            match=match, seat=seat, person=person, bot=bot, name=name, share=share[seat], decisions=4, own_decisions=own
        )
        Occupancy.objects.create(match=match, ply=0, seat=seat, person=person, bot=bot, name=name)
    match.refresh_from_db()
    return match


def found(subject: Subject = SUBJECT) -> figures.HumanFigures | None:
    """Return the figures."""
    return figures.figures(subject, figures.newest(subject))


def test_length_and_wins_by_seat_are_those_of_people(host: Actor, guest: Actor) -> None:
    for number in range(6):
        a_match(host, guest, share=(1, 0) if number < 4 else (0, 1))
    for _number in range(FEWEST):
        a_match(host, share=(0, 1))  # the bot's win in seat 2 is nobody's
    seen = found()
    assert seen
    assert (seen.matches, seen.ended) == (11, 11)
    assert seen.minutes
    assert [round(each) for each in seen.minutes] == [10, 10, 10]
    assert seen.own == (4, 4, 4)
    assert seen.length
    assert seen.length["value"] == 8
    first, second = seen.seats[2]
    assert first
    assert second
    assert (round(first["value"], 3), first["matches"]) == (0.364, 11)
    assert (round(second["value"], 3), second["matches"]) == (0.333, 6)
    assert first["low"] is not None
    assert first["low"] < 4 / 11
    assert seen.abandoned == []


def test_a_seat_with_few_people_has_no_rate(host: Actor) -> None:
    for _number in range(FEWEST):
        a_match(host)
    seen = found()
    assert seen
    assert seen.seats[2][0]
    assert seen.seats[2][1] is None


def test_nothing_is_said_below_five_matches(host: Actor, guest: Actor) -> None:
    for _number in range(FEWEST - 1):
        Opinion.objects.create(match=a_match(host, guest), person=host.person, seat=0, fun=5)
    assert found() is None
    a_match(host, guest)
    seen = found()
    assert seen
    assert seen.fun is None, "four answers are still too few"


NOT_COUNTED: dict[str, dict[str, Any]] = {
    "practice": {"practice": True},
    "what if": {"what_if": True},
    "a story": {"story": True},
    "stacked": {"favourite": 1},
    "other rules": {"rules_version": "0"},
    "still played": {"status": Match.Status.RUNNING},
}


@pytest.mark.parametrize("why", NOT_COUNTED)
def test_matches_that_are_no_playtests_are_left_out(host: Actor, guest: Actor, why: str) -> None:
    a_match(host, guest, **NOT_COUNTED[why])
    assert figures.newest(SUBJECT) == []


def test_matches_of_the_author_alone_and_of_bots_are_left_out(host: Actor, guest: Actor) -> None:
    own = Subject(GAME, RULES, author=host.person.pk)
    a_match()
    a_match(host)
    assert figures.newest(own) == []
    both = a_match(host, guest)
    assert figures.newest(own) == [both.pk]
    assert list(figures.results(own).values_list("seat", flat=True)) == [1]
    Player.objects.filter(match=both).update(person=None)  # former players are people, too
    assert figures.newest(own) == [both.pk]


def test_matches_with_other_options_or_players_are_not_those_of_a_report(host: Actor, guest: Actor) -> None:
    match = a_match(host, guest, options={"hand-size": 6, "secret": 1})
    for subject, wanted in (
        (Subject(GAME, RULES, seats=2), [match.pk]),
        (Subject(GAME, RULES, seats=3), []),
        (Subject(GAME, RULES, seats=1), []),
        (Subject(GAME, RULES, options={"hand-size": 6}), [match.pk]),
        (Subject(GAME, RULES, options={"hand-size": 7}), []),
    ):
        assert figures.newest(subject) == wanted


def test_drop_outs_are_counted_also_of_matches_that_do_not_count(host: Actor, guest: Actor) -> None:
    for _number in range(FEWEST):
        a_match(host, guest)
    dropped = [a_match(host, guest, status="dropped", dropped=why) for why in ("agreed", "agreed", "no_end")]
    Occupancy.objects.create(match=dropped[0], ply=3, seat=0, person=host.person, away=True, name="Hostess")
    gone = a_match(host, guest)
    Occupancy.objects.create(match=gone, ply=2, seat=1, bot="house", name="Bram")
    Player.objects.filter(match=gone, seat=1).update(own_decisions=1)
    seen = found()
    assert seen
    assert (seen.matches, seen.ended, seen.away, seen.left) == (6, 9, 1, 1)
    assert seen.abandoned == [("its players ended it", 2), ("it did not end", 1)]


def test_answers_are_averaged_by_match_without_the_authors(host: Actor, guest: Actor) -> None:
    for number in range(6):
        match = a_match(host, guest)
        Opinion.objects.create(match=match, person=guest.person, seat=1, fun=1 + number % 2)
        Opinion.objects.create(match=match, person=host.person, seat=0, fun=5)
    seen = found(Subject(GAME, RULES, author=host.person.pk))
    assert seen
    assert seen.fun
    assert (seen.fun["value"], seen.fun["matches"]) == (1.5, 6)
    low, high = seen.fun["low"], seen.fun["high"]
    assert low is not None
    assert high is not None
    assert 1 <= low < 1.5 < high < 5
    assert seen.fair is None


# -- choices


def test_choices_of_people_are_counted_by_kind_in_matches_played_again(table: Table, host: Actor) -> None:
    for _number in range(2):
        play(Match.objects.get(pk=do_start_match(table.code, host.person)))
    rules = catalogue.find("hamsterdam").rules_version
    seen = figures.choices(Subject("hamsterdam", rules))
    assert seen.matches == 2
    assert seen.offered["trade"] == seen.offered["keep"] == seen.chosen["keep"] + seen.chosen["trade"]
    kept = Move.objects.filter(text="keep", seat__in=(0, 1))  # the bots' seats are 2 and 3
    assert 0 < seen.chosen["keep"] == kept.count()
    of_the_guest = figures.choices(Subject("hamsterdam", rules, author=host.person.pk))
    assert of_the_guest.chosen["keep"] == kept.filter(seat=1).count()


def test_matches_by_other_rules_are_not_played_again(table: Table, host: Actor) -> None:
    play(Match.objects.get(pk=do_start_match(table.code, host.person)))
    Match.objects.update(rules_version="0")
    assert figures.choices(Subject("hamsterdam", "0")).matches == 0


# -- who sees it


@pytest.fixture
def version(guest: Actor) -> Version:
    """A text of the guest."""
    return keep(guest, catalogue.find("agram").text)


@pytest.fixture
def played(version: Version, host: Actor, stranger: Actor) -> list[Match]:
    """Five matches of it by two others, with answers and one note each."""
    rules = catalogue.find(version.game).rules_version
    matches = [a_match(host, stranger, game=version.game, rules_version=rules) for _number in range(FEWEST)]
    for number, match in enumerate(matches):
        Opinion.objects.create(
            match=match, person=host.person, seat=0, fun=4, fair=2, note=f"Remark <{number}>", ply=number or None
        )
    return matches


def page_of(actor: Actor, version: Version, query: str = "") -> str:
    """Return the page of a text as somebody sees it."""
    return actor.client.get(f"/workshop/{version.text.code}/{query}").content.decode()


def test_the_author_and_administrators_see_figures_and_notes_and_nobody_else(
    version: Version, played: list[Match], guest: Actor, host: Actor, stranger: Actor, admin: Actor
) -> None:
    for actor in (guest, admin):
        page = page_of(actor, version)
        assert "Played by people" in page
        assert "Remark &lt;3&gt;" in page
        assert f"/replay/{played[3].pk}/?move=3" in page
        assert "version 1, the whole match" in page
        section = page.partition('<section class="panel playtests"')[2].partition("</section>")[0]
        assert "Hostess" not in section
        assert "4.0 (" in section
        assert "figures, measure the game on this page" in section
    for actor in (host, stranger):
        page = page_of(actor, version)
        assert "Remark" not in page
        assert "Played by people" not in page


def test_a_note_on_a_private_match_has_no_link_that_the_author_could_not_follow(
    version: Version, played: list[Match], guest: Actor
) -> None:
    Table.objects.update(public=False)
    page = page_of(guest, version)
    assert "Remark &lt;3&gt;" in page
    assert "/replay/" not in page
    for table in Table.objects.all():
        assert table.code not in page
    Table.objects.filter(matches=played[3]).update(host=guest.person)
    assert f"/replay/{played[3].pk}/?move=3&amp;table=" in page_of(guest, version)


def test_a_note_on_todays_deal_waits_until_nobody_can_play_it(played: list[Match], host: Actor) -> None:
    game = Q(game=played[0].game)
    DailyTry.objects.create(game="agram", day=today(), person=host.person, match=played[0])
    assert len(figures.notes(game, None)) == FEWEST - 1
    DailyTry.objects.update(day=today() - timedelta(days=1))
    assert len(figures.notes(game, None)) == FEWEST


def test_notes_of_all_versions_are_shown_with_their_version(
    version: Version, played: list[Match], guest: Actor
) -> None:
    second = keep(guest, catalogue.find("agram").text.replace("(game", "(game ;; changed\n", 1), text=version.text)
    page = page_of(guest, second)
    assert "0 matches so far." in page
    assert "version 1, move 3" in page


def test_the_author_counts_choices_by_pressing_a_button(version: Version, guest: Actor, host: Actor) -> None:
    for _number in range(FEWEST):
        table = Table.objects.create(game=version.game, host=host.person, sealed=True)
        for index in range(2):
            sitting = {"bot": "easy"} if index else {"person": host.person}
            Seat.objects.create(table=table, index=index, **sitting)
        play_text(Match.objects.get(pk=do_start_match(table.code, host.person)))
    page = page_of(guest, version)
    assert "Count the choices of people" in page
    assert "Counted in" not in page
    counted = page_of(guest, version, "?choices=1")
    assert f"Counted in {FEWEST} matches" in counted
    assert "Count the choices of people" not in counted


def test_a_report_shows_playtests_to_administrators_only(host: Actor, guest: Actor, admin: Actor) -> None:
    for actor, wanted in ((admin, True), (guest, False)):
        page = actor.client.get("/lab/reports/agram/").content.decode()
        assert ("Played by people" in page) is wanted


def test_figures_of_people_stand_beside_those_of_the_bots(host: Actor, guest: Actor) -> None:
    stored = library.find("agram")
    assert stored
    report = stored.report
    for _number in range(FEWEST):
        a_match(host, guest)
    seen = found()
    assert seen
    table = {row.title: row for row in pages.rows(seen, {**report, "seats": 2}, 7)}
    assert table["Minutes"].people.startswith("10 (10")
    assert table["Minutes"].bots == "expected: 7"
    assert table["Decisions in a match"].people.startswith("8.000")
    assert table["Decisions in a match"].bots != pages.NONE
    assert table["Seat 1 of 2 wins"].people.startswith("100 %")
    assert "%" in table["Seat 1 of 2 wins"].bots
    assert table["Was it fun? (1 to 5)"].people == "fewer than 5 answers"
