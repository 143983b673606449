"""Versions of texts are games: found by name alone, by whatever plays; and a match keeps the one it began with."""

from __future__ import annotations

import gc
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from cardsite.lobby.games import find_game, sections
from cardsite.lobby.models import Table
from cardsite.refusal import Refused
from cardsite.server.live import read
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from cardsite.workshop import provider, services
from cardsite.workshop.described import DescribedGame, describe, described
from cardsite.workshop.models import Text, Version
from cardsite.workshop.provider import PROVIDER, VersionProvider
from cardsite.workshop.trial import Trial
from games import catalogue
from games.core import FastChance
from games.core.messages import NONE, message
from games.recycle.game import RecycleGame
from tests.site import stored_texts
from tests.site.conftest import Actor, boss
from tests.site.reasons import NO_GAME, why_refused
from tests.site.test_front import FORM

KUHN = catalogue.find("kuhn")
assert isinstance(KUHN, RecycleGame)
SOURCE = KUHN.text
KEPT = describe(KUHN)
GOOD = Trial(True, NONE, (2, 2), "Kuhn of the workshop", "Bluff.", "poker", 5)


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    """No game of another test is in the provider: it would count among the remembered ones."""
    PROVIDER.__init__()  # type: ignore[misc]
    yield
    PROVIDER.__init__()  # type: ignore[misc]


def keep(actor: Actor, source: str = SOURCE, tried: Trial = GOOD, text: Text | None = None) -> Version:
    """Have somebody save a text."""
    return stored_texts.keep(actor, source, tried, text)


@pytest.fixture
def version(host: Actor) -> Version:
    """A version of a game for two of the host's, by link only."""
    return keep(host)


def set_table(version: Version, *actors: Actor) -> Table:
    """Return a table for a version at which these people sit, and bots."""
    table = Table.objects.create(game=version.game, host=actors[0].person, opened_by=actors[0].person, public=False)
    for index in range(2):
        if index < len(actors):
            table.seats.create(index=index, person=actors[index].person)
        else:
            table.seats.create(index=index, bot="house")
    return table


def start(version: Version, *actors: Actor) -> Match:
    """Begin a match."""
    table = set_table(version, *actors)
    return Match.objects.get(pk=do_start_match(table.code, actors[0].person))


# -- found


def test_a_version_is_found_by_its_name(version: Version) -> None:
    game = find_game(version.game)
    assert isinstance(game, DescribedGame)
    assert (game.name, game.title, game.listed) == (version.game, GOOD.title, False)
    assert find_game(version.game) is game
    assert [bot.name for bot in catalogue.bots(game)][-2:] == ["medium", "strong"]


def test_names_that_are_none_and_versions_that_are_not_there_are_no_games(version: Version) -> None:
    code = version.text.code
    for name in (f"w-{code}-2", f"w-{code}-0", f"w-{code}-01", f"w-{code}", f"w-{code}-1 ", "w-aaaaaaaa-1", "w-1-1",
                 f"W-{code}-1", f"w-{code}-9999999", "w-../../x-1"):  # fmt: skip
        with pytest.raises(Refused, match="no longer available"):
            find_game(name)


def test_what_failed_its_trial_is_not_played(host: Actor) -> None:
    kept = keep(host, tried=Trial(False, message("It never ends."), title="Endless"))
    with pytest.raises(Refused, match="no longer available"):
        find_game(kept.game)
    assert why_refused(host.client.post(f"/play/{kept.game}/")) == NO_GAME


def test_a_text_that_the_language_does_not_take_any_more_is_a_game_that_cannot_be_read(version: Version) -> None:
    assert version.description
    Version.objects.update(description={**version.description, "unreadable": "There is no setup."})
    with pytest.raises(catalogue.UnreadableGame, match=version.game):
        PROVIDER.find(version.game)
    with pytest.raises(Refused, match="no longer available"):
        find_game(version.game)


def test_other_processes_get_the_text(version: Version) -> None:
    again = pickle.loads(pickle.dumps(find_game(version.game)))
    assert isinstance(again, RecycleGame)
    assert (again.text, again.name) == (SOURCE, version.game)


async def test_in_the_event_loop_the_database_is_asked_in_a_thread_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def read(name: str) -> DescribedGame:
        asked.append(threading.current_thread().name)
        game = DescribedGame(name, SOURCE, "", described(KEPT))
        found._alive[name] = game
        return game

    found = VersionProvider()
    monkeypatch.setattr(found, "_read", read)
    game = found.find("w-aaaaaaaa-1")
    assert found.find("w-aaaaaaaa-1") is game
    assert [name.startswith("workshop") for name in asked] == [True]


def test_so_many_games_are_kept_and_those_that_are_being_played(
    host: Actor, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "KEPT", 5)
    held = find_game(version.game)
    for number in range(10):
        text = keep(host, text=version.text if number == 0 else Text.objects.get())
        find_game(text.game)
    gc.collect()
    assert (len(PROVIDER._kept), len(PROVIDER._alive)) == (5, 6)
    assert PROVIDER._at_hand(version.game) is held


# -- and not shown


def test_no_list_of_the_site_names_one(version: Version, host: Actor) -> None:
    services.do_publish(host.person, version.text.code, 1)
    title = GOOD.title.encode()
    assert title not in b"".join(host.client.get(path).content for path in ("/", "/games/", "/new/", "/lab/"))
    assert all(game.name != version.game for section in sections() for game in section.games)
    with pytest.raises(catalogue.UnknownGame) as found:
        catalogue.find("no-such")
    assert version.game not in str(found.value)


def test_what_is_featured_stands_among_the_games_of_the_house(version: Version, host: Actor, guest: Actor) -> None:
    services.do_publish(host.person, version.text.code, 1)
    services.do_feature([version.text_id], True, boss())
    paths = {"/": f"/workshop/{version.text.code}/", "/games/": f"/play/{version.game}/", "/new/": version.game}
    for path, link in paths.items():
        body = guest.client.get(path).content.decode()
        assert GOOD.title in body
        assert link in body
    chosen = guest.client.get(f"/new/?game={version.game}").content.decode()
    assert f'href="?game={version.game}" aria-current="page"' in chosen
    services.do_hide([version.text_id], True, boss())
    assert not any(GOOD.title in guest.client.get(path).content.decode() for path in paths)


@pytest.mark.parametrize("gone", ["hidden", "withdrawn"])
def test_of_what_was_taken_away_no_table_is_opened(gone: str, version: Version, host: Actor, guest: Actor) -> None:
    set_table(version, host, guest)
    other = Table.objects.create(game="kuhn", host=host.person, opened_by=host.person)
    Text.objects.update(**{gone: True})
    asked: list[Any] = [
        guest.client.post(f"/play/{version.game}/"),
        guest.client.get(f"/new/?game={version.game}"),
        guest.client.post(f"/new/?game={version.game}", FORM),
        host.client.post(f"/t/{other.code}/change/?game={version.game}", {"seconds": "60"}),
    ]
    assert {why_refused(answer) for answer in asked} == {
        "This game has been removed by its author or by an administrator."
    }
    assert Table.objects.count() == 2
    sitting = Table.objects.get(game=version.game)
    assert host.client.get(f"/t/{sitting.code}/change/").status_code == 200  # from there to another game


def test_a_visitor_who_plays_what_was_removed_reads_its_rules_and_of_what_is_hidden_nobody_reads(
    version: Version, host: Actor, guest: Actor
) -> None:
    match = start(version, guest, host)
    Table.objects.update(public=True)
    services.do_withdraw(host.person, version.text.code)
    assert guest.client.get(f"/rules/{version.game}/").status_code == 200
    assert match.table.code in Client().get("/").content.decode()
    services.do_hide([version.text_id], True, boss())
    assert why_refused(guest.client.get(f"/rules/{version.game}/")) == (
        "This game has been removed by an administrator."
    )
    assert match.table.code not in Client().get("/").content.decode()
    assert guest.client.get(f"/t/{match.table.code}/").status_code == 200


def test_what_is_not_published_is_at_no_table_on_the_front_page(version: Version, host: Actor, guest: Actor) -> None:
    form = {"seat0": "me", "seat1": "strong", "sealed": "no", "seconds": "60"}
    answer = guest.client.post(f"/new/?game={version.game}", {**form, "visibility": "public"})
    assert "This game is not published" in answer.content.decode()
    public = Table.objects.create(game="kuhn", host=host.person, opened_by=host.person)
    answer = host.client.post(f"/t/{public.code}/change/?game={version.game}", {"seconds": "60"})
    assert "This game is not published" in answer.content.decode()
    assert guest.client.post(f"/play/{version.game}/").status_code == 302
    assert guest.client.post(f"/new/?game={version.game}", {**form, "visibility": "link"}).status_code == 302
    assert list(Table.objects.filter(game=version.game).values_list("public", flat=True)) == [False, False]
    services.do_publish(host.person, version.text.code, 1)
    assert guest.client.post(f"/new/?game={version.game}", {**form, "visibility": "public"}).status_code == 302


# -- and played


def test_a_match_goes_on_by_the_version_it_began_with(version: Version, host: Actor, guest: Actor) -> None:
    match = start(version, host, guest)
    stored_texts.play(match, 3)
    keep(host, SOURCE.replace("CHIPS) 20)", "CHIPS) 30)"), text=version.text)
    services.do_hide([version.text_id], True, boss())
    services.do_withdraw(host.person, version.text.code)
    PROVIDER.__init__()  # type: ignore[misc]  # as in another process
    stored = read(match.pk)
    assert len(stored.moves) == 3
    assert stored.live.game.rules_version == match.rules_version
    assert guest.client.get(f"/t/{match.table.code}/").status_code == 200


def test_its_replay_is_computed_and_stored_like_any(version: Version, host: Actor, guest: Actor) -> None:
    match = start(version, host, guest)
    stored_texts.play(match)
    assert match.status == Match.Status.OVER
    services.do_withdraw(host.person, version.text.code)
    for _again in range(2):
        found = host.client.get(f"/replay/{match.pk}/frames.json?table={match.table.code}").json()
        assert (found["title"], found["remark"], len(found["frames"])) == (GOOD.title, "", match.moves.count() + 1)
    assert match.stored_replays.count() == 1


def test_the_text_plays_as_the_same_text_of_the_house_does(version: Version) -> None:
    ours, theirs = (game.new(2, {}, FastChance("same")) for game in (stored_texts.playable(version.game), KUHN))
    chance = FastChance("moves")
    while ours.to_act():
        mover = ours.to_act()[0]
        assert theirs.to_act() == (mover,)
        moves = ours.legal_moves(mover)
        assert moves == theirs.legal_moves(mover)
        move = moves[chance.randbelow(len(moves))]
        ours.apply(mover, move)
        theirs.apply(mover, move)
    assert ours.scores() == theirs.scores()
