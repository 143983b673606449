"""The front page: tables in play, one click to a table, opening a table, the rules."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server.table_info import read_table
from cardsite.table.models import Match, Move
from games import catalogue
from games.core import Game
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.reasons import NO_GAME, NO_PAGE, why_refused
from tests.site.visitor import Visitor
from tests.tiers import sampled

FORM = {
    "seat0": "me",
    "seat1": "house",
    "seat2": "open",
    **{f"seat{n}": "none" for n in range(3, 6)},
    "visibility": "public",
    "sealed": "yes",
    "seconds": "60",
    "name": "Hostess",
}


def make(client: Client, **changes: str) -> int:
    """Send the form for a new table. Return the status."""
    form = {name: value for name, value in {**FORM, **changes}.items() if value != "(absent)"}
    return client.post("/new/?game=hamsterdam", form).status_code


@pytest.mark.parametrize("path", ["/", "/games/", "/new/", "/new/?game=hamsterdam", "/rules/hamsterdam/", "/health"])
def test_everybody_may_look_in(
    path: str, host: Actor, stranger: Actor, newcomer: Client, admin: Actor, table: Table
) -> None:
    for client in (host.client, stranger.client, newcomer, admin.client):
        assert client.get(path).status_code == 200
    assert Person.objects.filter(user=None).count() == 3  # looking makes nobody


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/rules/chess/", NO_GAME), ("/new/?game=chess", NO_GAME), ("/nosuchpage", NO_PAGE), ("/static/x", NO_PAGE)],
)
def test_what_there_is_not_is_not_found(newcomer: Client, db: None, path: str, reason: str) -> None:
    assert why_refused(newcomer.get(path)) == reason


@pytest.mark.parametrize("game", sampled(catalogue.listed(), 3, lambda game: game.name))
def test_play_now_is_a_table_with_bots_that_plays(newcomer: Client, db: None, game: Game) -> None:
    answer = newcomer.post(f"/play/{game.name}/")
    table = Table.objects.get()
    assert answer.headers["Location"] == f"/t/{table.code}/"
    assert [seat.kind for seat in table.seats.all()] == ["person", *["bot"] * (game.default_seats - 1)]
    assert (table.status, table.public, table.sealed) == ("playing", True, True)
    assert Match.objects.get().table == table


def players(game: Game) -> str:
    """Return how many may play a game, in words."""
    if game.max_seats == 1:
        return "1 player"
    return f"{game.min_seats} to {game.max_seats} players".removeprefix(f"{game.max_seats} to ")


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_the_lobby_says_of_each_game_how_many_play_how_long_and_shows_a_picture(
    newcomer: Client, db: None, path: str
) -> None:
    page = newcomer.get(path).content.decode()
    cards = [card.partition("</article>")[0] for card in page.split('<article class="game-card">')[1:]]
    house = catalogue.listed(catalogue.providers[0])
    assert len(cards) == len(house)
    pictures = set()
    for card, game in zip(cards, house, strict=True):
        assert game.title in card
        assert f"{players(game)} · {game.minutes} minutes" in card
        assert game.summary.replace("'", "&#x27;") in card
        assert f'action="/play/{game.name}/"' in card
        assert f"A table of {game.title} in the middle of a match" in card
        images = re.findall(r'src="/static/([^"]+)"', card)
        assert len(images) == 2
        assert all(finders.find(picture) for picture in images)
        pictures.update(images)
    assert len(pictures) == 2 * len(cards)


def test_a_choice_is_offered_by_its_name_and_a_usual_number_may_be_left_out(newcomer: Client, db: None) -> None:
    page = newcomer.get("/new/?game=enchere").content.decode()
    assert '<option value="avancee">Avancée</option>' in page
    assert 'placeholder="default: 50, 42, 42"' in page
    form = {**FORM, "game": "enchere", "option_version": "avancee"}
    sentence = {-1: "default: 50, 42, 42", 0: "a single round", 30: "30"}
    for target, kept in (("", -1), ("0", 0), ("30", 30)):
        answer = newcomer.post("/new/", {**form, "option_target": target})
        table = Table.objects.get(code=answer.headers["Location"].split("/")[2])
        assert table.options == {"version": "avancee", "target": kept}
        listed = {option.name: option.shown for option in read_table(table.code).info.options}
        assert listed == {"version": "Avancée", "target": sentence[kept]}


def test_the_site_can_be_put_on_a_home_screen(newcomer: Client, db: None) -> None:
    page = newcomer.get("/").content.decode()
    named = re.search(r'rel="manifest" href="([^"]+)"', page)
    assert named
    manifest = newcomer.get(named[1]).json()
    assert newcomer.get(manifest["start_url"]).status_code == 200
    assert manifest["theme_color"] in page
    for icon in manifest["icons"]:
        assert (settings.BASE_DIR / icon["src"].removeprefix("/")).is_file()


def test_two_clicks_on_play_now_make_one_table(host: Actor) -> None:
    first, second = (host.client.post("/play/hamsterdam/").headers["Location"] for _ in range(2))
    assert first == second
    other = host.client.post("/play/bundles/").headers["Location"]
    assert other != first
    table = Table.objects.get(code=other.split("/")[2])
    match = table.matches.get()
    Move.objects.create(match=match, ply=1, seat=0, text="x", by="person", at=0)
    assert host.client.post("/play/bundles/").headers["Location"] != other  # the match has begun in earnest
    Table.objects.filter(code=first.split("/")[2]).update(created=timezone.now() - timedelta(minutes=1))
    assert host.client.post("/play/hamsterdam/").headers["Location"] != first


def test_two_clicks_at_the_same_time_make_one_table(site: RunningSite) -> None:
    visitor = Visitor(site, "Clicker")
    visitor.post("/people/me/name/", name="Clicker")
    with ThreadPoolExecutor(4) as four:
        answers = list(four.map(lambda _: visitor.post("/play/hamsterdam/").headers["Location"], range(4)))
    assert len(set(answers)) == 1


def test_a_table_that_friends_are_asked_to_is_by_link_unless_one_says_otherwise(newcomer: Client, db: None) -> None:
    page = newcomer.get("/new/").content.decode()
    assert re.search(r'value="link"[^>]*checked', page)
    assert not re.search(r'value="public"[^>]*checked', page)


def test_play_now_is_a_button_and_not_a_link(newcomer: Client, db: None) -> None:
    assert why_refused(newcomer.get("/play/hamsterdam/")) == "only POST"
    assert why_refused(newcomer.post("/play/chess/")) == NO_GAME
    assert not Table.objects.exists()


def test_a_table_is_made_as_the_form_says(newcomer: Client, db: None) -> None:
    assert make(newcomer, seconds="15") == 302
    table = Table.objects.get()
    assert table.host
    assert (table.host.name, table.seconds, table.status) == ("Hostess", 15, "open")
    assert [(s.kind, s.bot) for s in table.seats.all()] == [("person", ""), ("bot", "house"), ("open", "")]


def test_every_new_table_is_sealed_by_default_and_the_host_changes_that_between_matches(
    host: Actor, table: Table
) -> None:
    page = host.client.get("/new/?game=hamsterdam").content.decode()
    assert re.search(r'<option value="yes" selected>|value="yes"[^>]* (checked|selected)', page)
    Table.objects.update(sealed=False, rigged=True, favourite=0)
    changing = {"game": "hamsterdam", "seconds": "60"}
    page = host.client.get(f"/t/{table.code}/change/").content.decode()
    assert re.search(r'<option value="no" selected>|value="no"[^>]* (checked|selected)', page)
    host.client.post(f"/t/{table.code}/change/", {**changing, "sealed": "yes"})
    table.refresh_from_db()
    assert (table.sealed, table.rigged) == (True, False), "a sealed deal is fair"
    host.client.post(f"/t/{table.code}/change/", {**changing, "sealed": "no"})
    table.refresh_from_db()
    assert not table.sealed


@pytest.mark.parametrize(
    ("visibility", "sealed", "expected"),
    [
        ("public", "yes", (True, True)),
        ("link", "yes", (False, True)),
        ("public", "no", (True, False)),
        ("link", "no", (False, False)),
    ],
)
def test_tables_are_sealed_as_the_host_says(
    newcomer: Client, db: None, visibility: str, sealed: str, expected: tuple[bool, bool]
) -> None:
    make(newcomer, visibility=visibility, sealed=sealed)
    table = Table.objects.get()
    assert (table.public, table.sealed) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"seat0": "none"},
        {"seat1": "me"},
        {"seat1": "none"},
        {"seat1": "nosuch"},
        {"seat1": "<b>"},
        {"seat0": "(absent)"},
        {"seat5": "0"},
        {"visibility": "everybody"},
        {"visibility": "(absent)"},
        {"sealed": "perhaps"},
        {"seconds": "1"},
        {"seconds": "61"},
        {"seconds": "-60"},
        {"seconds": "9" * 4000},
        {"seconds": "1e3"},
        {"seconds": "NaN"},
        {"seconds": "(absent)"},
        {"name": "x" * 25},
        {"name": "\N{ZERO WIDTH SPACE}"},
        {"name": "a\0b"},
        {"name": "x" * 200_000},
    ],
)
def test_a_form_with_garbage_makes_no_table(newcomer: Client, db: None, changes: dict[str, str]) -> None:
    assert make(newcomer, **changes) == 400
    assert not Table.objects.exists()


@pytest.mark.parametrize("extra", ["option_rigged", "rigged", "favourite", "honest_games", "reveal", "house", "host"])
def test_a_form_cannot_set_what_it_does_not_offer(newcomer: Client, db: None, extra: str) -> None:
    assert make(newcomer, **{extra: "1", "sealed": "no"}) == 302
    table = Table.objects.get()
    assert (table.rigged, table.favourite, table.honest_games, table.reveal, table.house) == (
        False,
        None,
        2,
        False,
        False,
    )
    assert table.options == {}
    assert table.host
    assert table.host.name == "Hostess"


def test_the_name_on_the_form_is_not_markup(newcomer: Client, db: None) -> None:
    make(newcomer, name="<b>Bold</b>")
    Seat.objects.update(seen=timezone.now())
    page = newcomer.get("/").content.decode()
    assert "<b>Bold</b>" not in page
    assert "&lt;b&gt;Bold&lt;/b&gt;" in page


def test_the_front_page_shows_tables_where_somebody_is(table: Table, newcomer: Client) -> None:
    assert table.code not in newcomer.get("/").content.decode()
    Seat.objects.filter(table=table, index=0).update(seen=timezone.now())
    page = newcomer.get("/").content.decode()
    for word in ("Hostess", "Guest", table.code):
        assert word in page


def test_health_shows_no_secret(newcomer: Client, db: None) -> None:
    assert set(newcomer.get("/health").json()) == {"ok", "scheduler", "rooms", "process"}


def test_constants_for_studies_are_neither_in_the_form_nor_shown_at_the_table(
    client: Client, host: Actor, db: None
) -> None:
    page = host.client.get("/new/?game=camelup").content.decode()
    assert "option_rules" in page
    assert "option_race_wrong" not in page
    assert host.client.post("/play/camelup/").status_code == 302
    table = Table.objects.get()
    room = host.client.get(f"/t/{table.code}/").content.decode()
    assert "Wrong race card" not in room
