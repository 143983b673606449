"""The page about a person: results, bests, rates, streaks; and what others see of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table import daily, statistics
from cardsite.table.ending import in_words, ranks_of
from cardsite.table.models import DailyTry, Match, Player
from cardsite.table.services.matches import do_end_match, do_start_match
from games import catalogue
from games.core.view import card_arg, path_moves, plain, say, seat_arg
from tests.site.conftest import Actor
from tests.site.copies import advance, at_once, load, rules_of
from tests.site.reasons import NO_PAGE, why_refused


def page(client: Client, path: str = "/people/me/") -> str:
    """Return a page as it is read: no tags, single spaces."""
    text = client.get(path).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", text[text.index("<main") :]).split())


def over(
    table: Table,
    *seats: tuple[Person | str, float, float],
    status: str = "over",
    game: str = "bundles",
    times: int = 1,
    **fields: object,
) -> list[Match]:
    """Write down matches as they end: for each seat a person or a kind of bot, score and share."""
    first = table.matches.count() + 1
    made = Match.objects.bulk_create(
        Match(table=table, number=first + n, game=game, status=status, seconds=0, sealed=False, seed="00", **fields)
        for n in range(times)
    )
    Player.objects.bulk_create(
        Player(
            match=match,
            seat=seat,
            person=actor if isinstance(actor, Person) else None,
            bot="" if isinstance(actor, Person) else actor,
            name=actor.name if isinstance(actor, Person) else f"Bot {seat}",
            score=score,
            share=share,
        )
        for match in made
        for seat, (actor, score, share) in enumerate(seats)
    )
    return made


@pytest.fixture
def tables(db: None) -> tuple[Table, Table]:
    """A public one and one that is found by link only."""
    return Table.objects.create(game="bundles"), Table.objects.create(game="bundles", public=False)


# -- the game's own words


def test_a_game_for_one_is_described_in_its_own_words(host: Actor) -> None:
    table = Table.objects.create(game="thief", host=host.person, opened_by=host.person, sealed=False)
    Seat.objects.create(table=table, index=0, person=host.person)
    live = load(do_start_match(table.code, host.person))
    while not live.over:
        view = rules_of(live).view(0)
        moves = [*path_moves(view["paths"]), *[legal["move"] for legal in view["moves"]]]
        advance(live, 0, moves[0], "person", 0)
    do_end_match(live.id, table.pk, *at_once(live.end()))
    result = plain(rules_of(live).view(0)["result"]["text"], ["Hostess"])
    assert result.startswith("Hostess ")
    read = page(host.client)
    assert result in read
    assert "Score" in read
    assert "Place" not in read
    assert "Not won" not in read


def test_a_sentence_that_was_kept_is_read_with_names_cards_and_numbers() -> None:
    text = say("{seat} takes {card} for {n}: {seat}", seat=seat_arg(1), card=card_arg("10C"), n=3)
    assert in_words(text, ["A", "{n}"], {}) == "{n} takes 10♣ for 3: {n}"
    assert in_words(None, ["A"], {}) == ""


@pytest.mark.parametrize(
    ("scores", "shares", "places"),
    [
        ([3, 7, 5], [0, 1, 0], [3, 1, 2]),
        ([3, 7, 5], [1, 0, 0], [1, 3, 2]),  # low scores were the good ones
        ([7, 7, None], [0.5, 0.5, 0], [1, 1, 3]),
        ([0], [0], [1]),
    ],
)
def test_places_are_found_for_matches_of_which_none_were_kept(
    scores: Sequence[float | None], shares: Sequence[float], places: list[int]
) -> None:
    assert ranks_of(scores, shares) == places


def test_a_match_is_listed_with_scores_and_ones_place(host: Actor, guest: Actor, tables: tuple[Table, Table]) -> None:
    over(tables[0], (guest.person, 31, 1), (host.person, 12.5, 0), ("house", 4, 0))
    read = page(host.client)
    assert "Place 2 of 3" in read
    assert "Score 12.5" in read
    assert "Guest 31 ★" in read or "Guest 31" in read
    assert "Bot 2 (bot) 4" in read
    assert "Not won" not in read


# -- numbers


def test_bests_and_rates_count_what_was_played_to_its_end(
    host: Actor, guest: Actor, tables: tuple[Table, Table]
) -> None:
    public, private = tables
    me, other = host.person, guest.person
    over(public, (me, 10, 1), ("house", 2, 0), ("house", 3, 0))  # two of a kind count once
    best = over(public, (other, 0, 0), (me, 22, 0.5), ("house", 22, 0.5))[0]
    over(private, (me, 1, 0), (other, 9, 1))
    over(public, (me, 99, 0), (other, 0, 0), status="dropped")
    over(public, (me, 99, 0), (other, 0, 0), status="running")
    low = over(public, (me, 50, 0), ("random", 3, 1), game="enchere", low_wins=True)[0]
    over(public, (me, 60, 0), ("random", 3, 1), game="enchere", low_wins=True)
    mine = statistics.results_of(me)
    assert [(g.game, g.played, g.won, g.rate, g.best) for g in statistics.by_game(mine)] == [
        ("bundles", 3, 1.5, 50, 22),
        ("enchere", 2, 0, 0, 50),
    ]
    assert [g.best_match for g in statistics.by_game(mine)] == [best.pk, low.pk]
    assert [(a.name, a.played, a.won, a.theirs) for a in statistics.against_people(mine, me)] == [("Guest", 2, 0.5, 1)]
    assert [(a.bot, a.played, a.won) for a in statistics.against_bots(mine, me)] == [
        ("house", 2, 1.5),
        ("random", 2, 0),
    ]
    with override("de"):
        in_german = [each.name for each in statistics.against_bots(mine, me)]
        assert in_german == ["Haus", "Zufall"], "as their games call them"
    # What others read is what was played at public tables.
    seen = statistics.results_of(me, public=True)
    assert [(g.game, g.played) for g in statistics.by_game(seen)] == [("bundles", 2), ("enchere", 2)]
    assert [a.played for a in statistics.against_people(seen, me)] == [1]
    assert page(Client(), f"/people/{me.pk}/").count("Place") == page(host.client).count("Place") - 1


def work(client: Client) -> int:
    """Return how much work one's page is for the database, in thousands of SQLite's steps."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    connection.connection.set_progress_handler(step, 1000)
    client.get("/people/me/")
    connection.connection.set_progress_handler(None, 0)
    return steps


def test_a_year_of_play_costs_as_many_queries_as_an_evening_and_no_more_for_each_match(
    host: Actor, guest: Actor, tables: tuple[Table, Table]
) -> None:
    seats = ((host.person, 10, 1), (guest.person, 2, 0), ("house", 3, 0))
    over(tables[0], *seats, times=2)
    with CaptureQueriesContext(connection) as evening:
        host.client.get("/people/me/")
    over(tables[0], *seats, times=198)
    month = work(host.client)
    over(tables[0], *seats, times=600)
    year = work(host.client)
    with CaptureQueriesContext(connection) as captured:
        read = page(host.client)
    assert "800" in read
    assert len(captured) <= len(evening) + 1  # a page of many has another one after it
    assert len(captured) <= 20
    assert year < 7 * month  # four times as many: what is looked up match by match would be sixteen times the work


# -- days in a row


def tried(person: Person, table: Table, *ago: int) -> None:
    """Write down that somebody tried the deal of the day so many days ago."""
    for number in ago:
        match = over(table, (person, 5, 1), game="thief")[0]
        DailyTry.objects.create(game="thief", day=daily.today() - timedelta(days=number), person=person, match=match)


def test_days_in_a_row_are_shown_on_the_board_and_on_ones_page(
    host: Actor, guest: Actor, stranger: Actor, tables: tuple[Table, Table]
) -> None:
    tried(host.person, tables[1], 0, 1, 2, 5, 6, 7, 8)
    tried(guest.person, tables[1], 1)
    tried(stranger.person, tables[1], 0, 2)
    rows = {row.person: row.days for row in daily.leaderboard(catalogue.find("thief"), daily.today())}
    assert rows == {host.person.pk: 3, stranger.person.pk: 1}
    assert "3 days in a row (longest: 4)" in page(host.client)
    assert "1 day in a row (longest: 1)" in page(guest.client)  # today's is still to come
    assert statistics.streaks(guest.person, daily.today() + timedelta(days=1))[0].now == 0
    assert "3 days in a row (longest: 4)" in page(Client(), f"/people/{host.person.pk}/")


def test_the_board_of_an_earlier_day_stays_and_nothing_is_played_there(
    host: Actor, newcomer: Client, tables: tuple[Table, Table]
) -> None:
    tried(host.person, tables[1], 1)
    yesterday = daily.today() - timedelta(days=1)
    board = f"/daily/thief/{yesterday.isoformat()}/"
    assert "Hostess" in page(newcomer, board)
    assert f"{yesterday.day} {yesterday:%B %Y}" in page(newcomer, board)  # not as in America
    assert "Play the deal of the day" not in page(newcomer, board)
    newcomer.post(board)
    assert DailyTry.objects.count() == 1
    for other in (yesterday - timedelta(days=1), daily.today() + timedelta(days=1)):
        assert (
            why_refused(newcomer.get(f"/daily/thief/{other.isoformat()}/")) == "Nobody has played the deal of that day."
        )
    assert why_refused(newcomer.get("/daily/thief/2026-02-31/")) == NO_PAGE
    assert newcomer.get(f"/daily/thief/{daily.today().isoformat()}/").status_code == 200


# -- what else is there


def test_times_are_machine_readable_and_say_their_zone(host: Actor, tables: tuple[Table, Table]) -> None:
    match = over(tables[0], (host.person, 1, 1), ("house", 0, 0))[0]
    moment = timezone.now().replace(year=2026, month=3, day=4, hour=15, minute=6)
    Match.objects.filter(pk=match.pk).update(started=moment)
    text = host.client.get("/people/me/").content.decode()
    assert f'<time datetime="{moment.isoformat()[:16]}' in text
    assert ">4 March 2026, 15:06 UTC</time>" in text
