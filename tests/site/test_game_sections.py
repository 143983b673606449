"""The lobby lists the games of the providers, and survives games that are removed or unreadable."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import F
from django.test import Client
from django.utils import timezone

from cardsite.front import pictures
from cardsite.front.forms import NewTableForm
from cardsite.lobby.games import sections, title_of
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, seating
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.dropped import Dropped
from cardsite.table.models import Match, Player
from cardsite.table.services.chores import do_keep_house_table
from cardsite.table.services.matches import do_drop_match, do_end_match, do_start_match
from games import catalogue
from games.catalogue import featured
from games.core import BadOption, Option
from tests.games.text_game import TextGame
from tests.site.conftest import Actor, Texts
from tests.site.reasons import NO_GAME, NO_PAGE, why_refused

STICKS = ("rules 1", "sticks 9", "take 1 2 3")


@pytest.fixture
def sticks(texts: Texts) -> str:
    """A game in a folder of texts."""
    return texts.put("sticks", "title Pick-up Sticks", *STICKS)


def headings(page: str) -> list[str]:
    """Return the headings of a page, with their level: "2 Games"."""
    levels = re.findall(r"<h([1-6])[^>]*>(.*?)</h\1>", page, re.DOTALL)
    return [f"{level} {re.sub('<.*?>', '', words).strip()}" for level, words in levels]


# -- the lobby


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_one_section_needs_no_heading(newcomer: Client, db: None, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "providers", catalogue.providers[:1])
    page = newcomer.get(path).content.decode()
    assert catalogue.providers[0].title not in page
    level = 3 if path == "/" else 2
    assert f"{level} {featured().title}" in headings(page)


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_two_sections_have_a_heading_each_and_their_games_under_it(
    newcomer: Client, db: None, sticks: str, path: str
) -> None:
    page = newcomer.get(path).content.decode()
    result = headings(page)
    level = 3 if path == "/" else 2
    mine, texts = result.index(f"{level} House games"), result.index(f"{level} Texts")
    assert f"{level + 1} {featured().title}" in result[mine:texts]
    if path == "/games/":
        assert f"{level + 1} Pick-up Sticks" in result[texts:]
    else:  # there only their titles
        assert 'href="/rules/sticks/">Pick-up Sticks</a>' in page.partition(">Texts<")[2]


def test_each_game_of_a_long_section_has_what_the_filter_asks_for(
    newcomer: Client, db: None, sticks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextGame, "kind", "taking")
    game = catalogue.find(sticks)
    page = newcomer.get("/games/").content.decode()
    row = re.search(r"<li ([^>]*)>\s*<article class=\"game-row\">((?!</article>).)*Pick-up Sticks", page, re.DOTALL)
    assert row
    asked = dict(re.findall(r'data-(\w+)="([^"]*)"', row[1]))
    assert asked == {
        "least": str(game.min_seats),
        "most": str(game.max_seats),
        "minutes": str(game.minutes),
        "kind": "taking",
    }
    assert "<option>taking</option>" in page
    assert f'action="/play/{sticks}/"' in page
    # Without its script the filter is not there, and the list is whole.
    assert re.search(r'<form class="game-filter"[^>]* hidden>', page)


def test_a_section_without_a_game_to_show_is_left_out(newcomer: Client, db: None, texts: Texts) -> None:
    others = [each.title for each in catalogue.providers[:-1] if catalogue.listed(each)]
    assert catalogue.providers[-1].title == "Texts"
    assert [section.title for section in sections()] == others
    assert "Texts" not in [heading[2:] for heading in headings(newcomer.get("/games/").content.decode())]


def test_an_unlisted_game_can_be_opened_by_name(
    newcomer: Client, db: None, sticks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextGame, "listed", False)
    for path in ("/", "/games/", "/new/"):
        assert "Pick-up Sticks" not in newcomer.get(path).content.decode()
    assert "Take sticks" in newcomer.get("/rules/sticks/").content.decode()
    assert "Pick-up Sticks" in newcomer.get("/new/?game=sticks").content.decode()
    assert newcomer.post("/play/sticks/").status_code == 302
    assert Table.objects.get().game == "sticks"


def test_a_text_that_cannot_be_read_is_left_out_and_nothing_else(newcomer: Client, db: None, texts: Texts) -> None:
    texts.put("good", *STICKS, "title Good")
    texts.put("bad", "this is no game")
    for path in ("/", "/games/", "/new/"):
        page = newcomer.get(path)
        assert page.status_code == 200
        assert "Good" in page.content.decode()
    for path in ("/rules/bad/", "/new/?game=bad"):
        assert why_refused(newcomer.get(path)) == NO_GAME
    assert why_refused(newcomer.post("/play/bad/")) == NO_GAME


def test_rules_that_cannot_even_be_read_say_so(
    newcomer: Client, db: None, sticks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextGame, "rules_page", lambda self: Path("/nosuchfile").read_text())
    page = newcomer.get("/rules/sticks/")
    assert page.status_code == 200
    assert "This game has no readable rules page." in page.content.decode()


def test_the_games_that_are_good_to_watch_take_turns_at_the_house_table(db: None) -> None:
    played = []
    for _ in range(len(catalogue.watched()) + 1):
        assert do_keep_house_table() is None
        house = Table.objects.get(house=True)
        last = Match.objects.filter(table=house).order_by("-number")[0]
        assert (last.status, last.game) == ("running", house.game)
        assert house.seats.count() == last.players.count() == catalogue.find(house.game).default_seats
        played.append(last.game)
        assert do_keep_house_table() is None  # it is being played
        Match.objects.update(status="over")
        lifecycle.do_end_playing(house.pk)
        pause = do_keep_house_table()  # time to read the result, and not for long
        assert timedelta() < (pause or timedelta()) < timedelta(seconds=15)
        Table.objects.update(touched=timezone.now() - timedelta(seconds=15))
    games = [game.name for game in catalogue.watched()]
    assert played == [*games, featured().name]
    assert len(games) > 2
    assert "thief" not in games


def test_the_rest_of_the_pause_at_the_house_table_is_not_rounded_up(db: None) -> None:
    do_keep_house_table()
    Match.objects.update(status="over")
    lifecycle.do_end_playing(Table.objects.get(house=True).pk)
    pause = do_keep_house_table()
    assert pause
    Table.objects.update(touched=F("touched") - (pause - timedelta(seconds=1)))
    rest = do_keep_house_table()
    assert rest is None or rest <= timedelta(seconds=1)


def test_a_game_that_has_left_the_house_is_not_played_at_the_house_table_again(
    texts: Texts, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "watched", lambda: [catalogue.find(texts.put("sticks", *STICKS))])
    do_keep_house_table()
    house = Table.objects.get(house=True)
    assert house.game == "sticks"
    monkeypatch.undo()
    Match.objects.update(status="over")
    Table.objects.update(status="over", touched=timezone.now() - timedelta(minutes=1))
    do_keep_house_table()
    house.refresh_from_db()
    assert (house.game, house.status) == (featured().name, "playing")


@pytest.mark.parametrize(("why", "again"), [("rules_failed", False), ("no_end", False), ("other_rules", True)])
def test_a_game_whose_rules_broke_down_at_the_house_table_is_not_played_there_again_at_once(
    db: None, why: str, again: bool
) -> None:
    do_keep_house_table()
    broken = Match.objects.get()
    do_drop_match(broken.pk, Dropped(why, "so"))

    def a_round() -> list[str]:
        """Have each game play once."""
        before = list(Match.objects.values_list("pk", flat=True))
        for _ in catalogue.watched():
            Table.objects.update(status="over", touched=timezone.now() - timedelta(minutes=1))
            do_keep_house_table()
            Match.objects.filter(status="running").update(status="over")
        return list(Match.objects.exclude(pk__in=before).values_list("game", flat=True))

    assert (broken.game in a_round()) is again
    Match.objects.filter(pk=broken.pk).update(finished=timezone.now() - timedelta(hours=1))
    assert broken.game in a_round()


# -- options


def test_the_form_and_the_table_show_options_as_those_who_may_set_them_want_it(
    sticks: str, db: None, monkeypatch: pytest.MonkeyPatch, newcomer: Client
) -> None:
    options = (
        Option("length", "Length", 3, low=1, high=9),
        Option("constant", "Constant of a study", 5, low=0, high=9, set_by="study"),
        Option("rigged", "Rigged deck", -1, low=-1, high=3, set_by="administrator"),
    )
    monkeypatch.setattr(TextGame, "options", options)
    game = catalogue.find("sticks")
    assert NewTableForm(game, None).option_names == ["option_length"]
    page = newcomer.get("/new/?game=sticks").content.decode()
    assert "Length" in page
    assert "Constant of a study" not in page
    assert "Rigged deck" not in page
    plain = lifecycle.do_create_table(None, game, ["house", "house"], options={"rigged": 2})
    assert "rigged" not in plain.options
    assert [option.name for option in read_table(plain.code).info.options] == ["length"]
    study = lifecycle.do_create_table(None, game, ["house", "house"], options={"constant": 6})
    assert [option.name for option in read_table(study.code).info.options] == ["length", "constant"]
    # Even if they are in the database, they are not shown.
    Table.objects.filter(pk=study.pk).update(options={"length": 3, "constant": 5, "rigged": 2})
    assert [option.name for option in read_table(study.code).info.options] == ["length"]


def test_a_kind_of_option_of_a_game_s_own_is_a_field_that_the_game_reads(
    sticks: str, db: None, monkeypatch: pytest.MonkeyPatch, newcomer: Client
) -> None:
    class Colours(Option):
        def parse(self, raw: int | str) -> int | str:
            if set(str(raw).split()) <= {"red", "blue"}:
                return str(raw)
            raise BadOption("colours must be red or blue.")

    monkeypatch.setattr(TextGame, "options", (Colours("colours", "Colours", "red"),))
    form = {"seat0": "me", "seat1": "house", "seat2": "none", "seat3": "none", "name": "Hostess"}
    form |= {"visibility": "public", "sealed": "yes", "seconds": "60"}
    bad = newcomer.post("/new/?game=sticks", {**form, "option_colours": "green"})
    assert bad.status_code == 400
    assert "colours must be red or blue" in bad.content.decode()
    assert newcomer.post("/new/?game=sticks", {**form, "option_colours": "red blue"}).status_code == 302
    assert Table.objects.get().options == {"colours": "red blue"}


def test_a_table_whose_options_the_game_no_longer_takes_says_so(
    sticks: str, table: Table, host: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    Table.objects.update(game=sticks, options={"gone": 3})
    refusal = host.client.post(f"/t/{table.code}/start/").json()
    assert refusal["code"] == "bad_option"
    assert refusal["text"].endswith("Make a new table.")
    assert not Match.objects.exists()


# -- a game that is no longer available


@pytest.fixture
def orphan(texts: Texts, sticks: str, table: Table, host: Actor) -> Table:
    """A table with the people of the fixtures, where a match was played of a game that is gone."""
    Table.objects.update(game=sticks, sealed=True)
    match = do_start_match(table.code, host.person)
    do_end_match(match, table.pk, [1.0, 0.0, 0.0, 0.0], [0])
    Seat.objects.update(seen=timezone.now())
    texts.take_away(sticks)
    table.refresh_from_db()
    return table


def test_the_front_page_leaves_out_tables_of_lost_games_but_for_those_who_sit_there(
    orphan: Table, host: Actor, newcomer: Client
) -> None:
    assert orphan.code not in newcomer.get("/").content.decode()
    page = host.client.get("/")
    assert page.status_code == 200
    assert orphan.code in page.content.decode()
    assert "This game is no longer available" in page.content.decode()


def test_the_pages_of_a_lost_game_say_that_it_is_gone(
    orphan: Table, host: Actor, admin: Actor, newcomer: Client
) -> None:
    match = Match.objects.get()
    for client in (host.client, admin.client, newcomer):
        for path in (f"/t/{orphan.code}/", f"/replay/{match.pk}/"):
            answer = client.get(path)
            assert answer.status_code == 410
            assert "Sticks is no longer available" in answer.content.decode()
        assert "Hostess" in client.get(f"/replay/{match.pk}/").content.decode()  # who won
        frames = client.get(f"/replay/{match.pk}/frames.json").json()
        assert (frames["frames"], frames["title"]) == ([], "Sticks")
        assert "no longer available" in frames["remark"]
        verify = client.get(f"/verify/{match.pk}/")
        assert verify.status_code == 200
        assert "cannot be repeated here" in verify.content.decode()
        assert why_refused(client.get(f"/replay/{match.pk}/record.json")) == NO_GAME
        assert why_refused(client.get("/rules/sticks/")) == NO_GAME


def test_the_pages_of_people_name_a_lost_game_and_show_a_sign(orphan: Table, host: Actor, newcomer: Client) -> None:
    for page in (host.client.get("/people/me/"), newcomer.get(f"/people/{host.person.pk}/")):
        assert page.status_code == 200
        assert "Sticks" in page.content.decode()
        assert 'src="/pictures/sticks/sign.svg"' in page.content.decode()


@pytest.mark.parametrize("action", ["fill", "start"])
def test_buttons_that_need_the_game_are_refused(orphan: Table, host: Actor, action: str) -> None:
    Seat.objects.filter(index=3).update(bot="")
    assert host.client.post(f"/t/{orphan.code}/{action}/").json()["code"] == "no_game"


def test_a_lost_game_s_table_can_be_left_and_closed(orphan: Table, host: Actor, guest: Actor) -> None:
    assert guest.client.post(f"/t/{orphan.code}/stand/").json() == {"ok": True}
    assert host.client.post(f"/t/{orphan.code}/close/").json() == {"ok": True}
    Table.objects.update(status="playing")
    seating.do_stand(orphan.code, host.person)


def test_administrators_can_open_the_table_of_a_lost_game(orphan: Table, admin: Actor) -> None:
    match = Match.objects.get().pk
    change = f"/admin/lobby/table/{orphan.pk}/change/"
    for path in ("/admin/lobby/table/", change, f"/admin/table/match/{match}/change/"):
        assert admin.client.get(path).status_code == 200
    orphan.rigged = True
    with pytest.raises(ValidationError, match="no longer available"):
        orphan.clean()
    with pytest.raises(Refused, match="no longer available"):
        read_table(orphan.code)


def test_a_lost_game_is_called_by_its_name_and_a_found_one_by_its_title(sticks: str, texts: Texts) -> None:
    assert title_of("sticks") == "Pick-up Sticks"
    texts.take_away("sticks")
    assert title_of("sticks") == "Sticks"
    assert title_of("no-such-game") == "No such game"


# -- pictures


@pytest.mark.parametrize("game", catalogue.listed(catalogue.providers[0]), ids=lambda game: game.name)
def test_the_pictures_of_a_game_live_in_its_folder(game: TextGame, db: None) -> None:
    for address, file in ((pictures.sign(game.name), "sign.svg"), (pictures.table_picture(game.name), "table.webp")):
        assert address == f"/static/games/{game.name}/{file}"
        assert (game.folder / "art" / file).is_file()


def test_the_site_names_no_game() -> None:
    """Neither its code, nor its pages, nor its settings: a new game is entered nowhere."""
    house = catalogue.listed(catalogue.providers[0])
    names = "|".join(game.name for game in house if game.name != "hamsterdam")  # the site's name, too
    site, templates = (Path(settings.BASE_DIR, folder) for folder in ("cardsite", "templates"))
    for path in (*site.rglob("*.py"), *templates.rglob("*.*")):
        text = path.read_text()
        if path.parts[-2] in ("packing", "private_api"):
            text = re.sub(r"\bbundles\b", "", text)  # those of esbuild
        text = text.replace("packing.bundles", "")
        assert not re.search(rf"\b({names})\b", text), path


@pytest.mark.parametrize("kind", ["sign", "table"])
def test_a_game_without_pictures_has_them_drawn(newcomer: Client, db: None, texts: Texts, kind: str) -> None:
    texts.put("fish", *STICKS, "title Go <Fish> & Chips")
    answer = newcomer.get(f"/pictures/fish/{kind}.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "max-age" in answer.headers["Cache-Control"]
    drawn = ElementTree.fromstring(answer.content)
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "G<" in words
    assert ("Go <Fish> & Chips" in words) == (kind == "table")
    if kind == "sign":
        assert 'src="/pictures/fish/sign.svg"' in newcomer.get("/games/").content.decode()


def test_the_colour_of_a_drawn_sign_follows_from_the_name(texts: Texts) -> None:
    for name in ("fish", "chips"):
        texts.put(name, *STICKS, "title Same")
    assert pictures.drawn("fish", "sign") == pictures.drawn("fish", "sign")
    seen = {pictures.drawn(name, "sign") for name in ("fish", "chips")}
    assert len(seen) == 2
    assert {pictures.drawn(f"game{n}", "sign").count("#1c3f80") > 0 for n in range(30)} == {True, False}


@pytest.mark.parametrize("path", ["/pictures/sticks/nosuch.svg", "/pictures/a b/sign.svg", "/pictures/../sign.svg"])
def test_other_pictures_are_not_found(newcomer: Client, db: None, path: str) -> None:
    assert why_refused(newcomer.get(path)) == NO_PAGE


def test_a_deal_of_the_day_that_was_dropped_can_be_tried_again(host: Actor) -> None:
    daily = next(game for game in catalogue.listed() if game.daily)
    first = host.client.post(f"/daily/{daily.name}/").headers["Location"]
    assert host.client.post(f"/daily/{daily.name}/").headers["Location"] == first
    do_drop_match(Match.objects.get().pk, Dropped("rules_failed", "so"))
    second = host.client.post(f"/daily/{daily.name}/").headers["Location"]
    assert second != first
    assert Player.objects.filter(person=host.person).count() == 2


def test_a_running_match_that_an_administrator_removes_leaves_its_table_open_for_the_next(
    table: Table, host: Actor, admin: Actor
) -> None:
    match = do_start_match(table.code, host.person)
    admin.client.post(f"/admin/table/match/{match}/delete/", {"post": "yes"})
    assert not Match.objects.exists()
    table.refresh_from_db()
    assert table.status == "over"
    assert host.client.post(f"/t/{table.code}/start/").json() == {"ok": True}
