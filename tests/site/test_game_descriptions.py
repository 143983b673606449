"""The description of a visitor's game, made in the sandbox and stored, so that the site need not read the text."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from cardsite.refusal import Refused
from cardsite.workshop import described as module
from cardsite.workshop import provider, services, trial_worker
from cardsite.workshop.described import (
    MOST_MEANINGS,
    DescribedGame,
    PlayedElsewhere,
    describe,
    described,
    edition,
)
from cardsite.workshop.models import Version
from cardsite.workshop.provider import PROVIDER
from cardsite.workshop.trial import Trial, trial
from games import catalogue
from games.core import BadOption, FastChance
from games.core.messages import message
from games.recycle.game import RecycleGame
from tests.running_site import ROOT
from tests.site.conftest import Actor
from tests.site.test_workshop_provider import SOURCE, empty, keep
from tests.tiers import tiered

__all__ = ["empty"]  # a fixture

TEXTS = catalogue.providers[1].names()
QUICK = ("agram", "kuhn", "cuckoo")
FACTS = (
    "name", "title", "summary", "kind", "minutes", "min_seats", "max_seats", "default_seats", "rules_version", "text",
    "options", "bots", "longest", "guide", "guided", "rig", "daily", "story", "featured", "watched", "folder",
    "seats_in_words",
)  # fmt: skip
TABLE = """
[tips]
goal = ["prompt", "Win.", "moves"]
[about]
"counter:player:COINS" = "What you have left."
"""


@pytest.fixture(autouse=True)
def quiet(empty: None, db: None) -> Iterator[None]:
    """Nothing is described any more when a test ends."""
    yield
    with PROVIDER._describing:
        pass


def by_hand(source: str = SOURCE, table: str = TABLE, name: str = "w-aaaaaaaa-1") -> tuple[DescribedGame, RecycleGame]:
    """Return a game as the site knows it, through JSON, and as it is played."""
    game = RecycleGame(name, source, table)
    stored = json.loads(json.dumps(describe(game)))
    return DescribedGame(name, source, table, described(stored)), game


@pytest.fixture
def version(host: Actor) -> Version:
    """A game of the host's, described by the sandbox."""
    return services.do_save_version(host.person, None, SOURCE, TABLE, None, trial(SOURCE, TABLE))


def until_described(version: Version) -> Version:
    """Wait until the background has described a version."""
    deadline = time.monotonic() + 120
    version.refresh_from_db()
    while (version.description or {}).get("edition") != edition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
        version.refresh_from_db()
    return version


# -- the same answers


@pytest.mark.parametrize("name", tiered(TEXTS, QUICK.__contains__))
def test_a_described_game_answers_as_the_game_itself(name: str) -> None:
    text = catalogue.find(name)
    assert isinstance(text, RecycleGame)
    here, there = by_hand(text.text, text.table, name)
    for fact in FACTS:
        assert getattr(here, fact) == getattr(there, fact), fact
    assert here.teaching() == there.teaching()
    assert here.words("nl") == there.words("nl") != {}
    assert here.rules_page() == there.rules_page()
    assert here.check_options({}) == there.check_options({})
    with pytest.raises(BadOption, match="not 21"):
        here.check_seats(21)
    assert (here.untrusted, there.untrusted, here.listed) == (True, False, False)


def test_what_a_table_file_teaches_is_described(version: Version) -> None:
    game = PROVIDER.find(version.game)
    assert game is not None
    assert game.teaching() == RecycleGame("any", SOURCE, TABLE).teaching()
    assert game.tips[0]["text"]["text"] == "Win."
    assert game.rules_page() == RecycleGame("any", SOURCE, TABLE).rules_page()


def test_its_rules_are_not_played_here() -> None:
    here, there = by_hand()
    state = there.new(2, {}, FastChance("1"))
    for play in (
        lambda: here.new(2, {}, FastChance("1")),
        lambda: here.start(2, {}, FastChance("1")),
        lambda: here.view(state, None),
        lambda: here.render(state.observe(0)),
        lambda: here.why_not(state.observe(0), "seat:1"),
        lambda: list(here.log_rows(2, {}, FastChance("1"), [])),
    ):
        with pytest.raises(PlayedElsewhere, match="A visitor wrote w-aaaaaaaa-1"):
            play()


def test_a_worker_without_django_gets_the_game_that_can_be_played() -> None:
    here, _there = by_hand()
    code = (
        "import pickle, sys; from games.core import FastChance\n"
        "game = pickle.load(sys.stdin.buffer); state = game.new(2, {}, FastChance('1'))\n"
        "print(type(game).__name__, game.name, game.rules_version, state.to_act(), 'django' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(here), capture_output=True, cwd=ROOT, check=True
    )
    assert result.stdout.decode().strip() == f"RecycleGame w-aaaaaaaa-1 {here.rules_version} (0,) False"


# -- made in the sandbox, and stored


def test_a_trial_describes_a_text_and_its_copies_know_the_same(version: Version, guest: Actor) -> None:
    assert version.description == describe(RecycleGame("game", SOURCE, TABLE))
    assert services.do_fork(guest.person, version).description == version.description


def test_a_copy_of_a_text_of_the_house_is_described_without_the_page_written_for_it(
    guest: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "find_game", lambda name: RecycleGame(name, SOURCE, TABLE, "# Written by hand"))
    copy = services.do_copy_game(guest.person, "kuhn")
    assert copy.description is not None
    assert copy.description["rules"] == RecycleGame("any", SOURCE, copy.table).rules_page()
    assert PROVIDER.find(copy.game) is not None


def test_what_is_no_game_is_not_described(host: Actor) -> None:
    kept = keep(host, tried=Trial(False, message("It never ends.")))
    assert kept.description is None
    assert PROVIDER.find(kept.game) is None


def test_nothing_of_a_text_is_read_here(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the text is read")

    monkeypatch.setattr(RecycleGame, "__init__", refuse)
    game = PROVIDER.find(version.game)
    assert game is not None
    assert game.title == "Kuhn Poker"
    assert catalogue.bots(game)[0].name == "house"


def test_a_description_that_is_none_is_no_game(version: Version) -> None:
    assert version.description is not None
    for stored in ({}, {**version.description, "min_seats": 0}, {**version.description, "title": "x" * 81}):
        Version.objects.update(description=stored)
        with pytest.raises(catalogue.UnreadableGame, match="not a description of a game"):
            PROVIDER.find(version.game)


# -- by another edition of the language


@pytest.mark.django_db(transaction=True)  # another thread writes
def test_what_another_edition_described_serves_until_it_is_described_again(version: Version) -> None:
    assert version.description is not None
    now = version.description
    Version.objects.update(
        description={**now, "edition": "of yesterday", "rules": "Old words.", "rules_version": "0.ab"}
    )
    game = PROVIDER.find(version.game)
    assert game is not None
    assert (game.rules_page(), game.rules_version) == ("Old words.", "1.ab")
    assert until_described(version).description == now


@pytest.mark.parametrize("field", ["translated", "phrases", "places"])
def test_a_description_from_before_a_field_was_added_is_one(version: Version, field: str) -> None:
    assert version.description is not None
    Version.objects.update(description={name: value for name, value in version.description.items() if name != field})
    game = PROVIDER.find(version.game)
    assert game is not None
    assert all(game.words(language) for language in ("nl", "de", "fr"))
    assert game.rules_page("de")


@pytest.mark.django_db(transaction=True)
def test_a_text_that_cannot_be_read_any_more_is_no_game_until_an_edition_reads_it(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert version.description is not None
    Version.objects.update(source="(game of yesterday)", description={**version.description, "edition": "before"})
    assert PROVIDER.find(version.game) is not None
    until_described(version)
    assert version.title == "Kuhn Poker"
    with pytest.raises(catalogue.UnreadableGame, match="Expected the setup here"):
        PROVIDER.find(version.game)
    Version.objects.update(source=SOURCE)
    monkeypatch.setattr(module, "edition", lambda: "after")
    monkeypatch.setattr(provider, "edition", lambda: "after")
    game = PROVIDER.find(version.game)
    assert game is not None
    assert game.title == "Kuhn Poker"


@pytest.mark.django_db(transaction=True)
def test_what_another_process_has_described_is_only_read(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    now = version.description
    assert now is not None
    Version.objects.update(description={**now, "edition": "before", "rules": "Old words."})
    with PROVIDER._describing:
        game = PROVIDER.find(version.game)
    assert game is not None
    Version.objects.update(description=now)
    monkeypatch.delattr(provider, "describe_again")
    PROVIDER.find(version.game)
    with PROVIDER._describing:
        pass
    game = PROVIDER.find(version.game)
    assert game is not None
    assert game.rules_page() == now["rules"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("code", ["busy", "broken"])
def test_what_is_known_stays_when_the_sandbox_cannot_answer(
    code: str, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse(source: str, table: str) -> Any:
        asked.append(source)
        raise Refused(code, "Not now.")  # type: ignore[arg-type]

    assert version.description is not None
    old = {**version.description, "edition": "before"}
    Version.objects.update(description=old)
    monkeypatch.setattr(provider, "describe_again", refuse)
    for count in (1, 2):
        assert PROVIDER.find(version.game) is not None
        with PROVIDER._describing:  # it has had its turn
            pass
        assert len(asked) == (count if code == "busy" else 1)  # what breaks it down is not tried for ever
    version.refresh_from_db()
    assert version.description == old


def test_all_are_described_by_one_command(version: Version, capsys: pytest.CaptureFixture[str]) -> None:
    Version.objects.update(description=None)
    call_command("describe_games")
    call_command("describe_games")
    assert capsys.readouterr().out.splitlines() == ["1 games described.", "0 games described."]
    version.refresh_from_db()
    assert version.description == describe(RecycleGame("any", SOURCE, TABLE))


def test_versions_from_before_are_known_by_their_heads(version: Version, host: Actor) -> None:
    unfit = keep(host, tried=Trial(False, message("It never ends.")))
    Version.objects.update(description=None)
    import_module("cardsite.workshop.migrations.0003_description").describe_heads(apps, None)
    unfit.refresh_from_db()
    assert unfit.description is None
    with PROVIDER._describing:  # so that nothing is described meanwhile
        game = PROVIDER.find(version.game)
    assert game is not None
    itself = RecycleGame(version.game, SOURCE, TABLE)
    for fact in ("title", "summary", "kind", "minutes", "min_seats", "max_seats", "default_seats", "rules_version"):
        assert getattr(game, fact) == getattr(itself, fact), fact
    assert game.rules_page() == "The rules page is being prepared. Reload in a moment.\n"
    assert isinstance(pickle.loads(pickle.dumps(game)), RecycleGame)


# -- words without end


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (
            "[about]\n" + "".join(f'"counter:{n}" = "It."\n' for n in range(MOST_MEANINGS + 1)),
            "things. The limit is 300.",
        ),
        (f'[about]\n"{"x" * 101}" = "It."', "too long. The limit is 100 characters."),
        (f'[tips]\none = ["{"x" * 101}", "It."]', "too long. The limit is 100 characters."),
        (f'[tips]\n{"x" * 101} = ["prompt", "It."]', "too long. The limit is 100 characters."),
        ("[tips]\none = ['prompt', 'It.'" + ", 'moves'" * 10 + "]", "waits for more than 9 signs"),
    ],
    ids=["meanings", "a meaning", "a tip", "its name", "what it waits for"],
)  # fmt: skip
def test_a_table_file_that_says_too_much_is_not_played_and_says_why(table: str, reason: str) -> None:
    answer = trial_worker.try_out(SOURCE, table)
    assert not answer["ok"]
    assert reason in answer["why"]


def test_no_character_0_is_stored() -> None:
    table = '[labels]\nHAND = "H\\u0000ND"\n[about]\n"counter:\\u0000" = "\\u0000"\n[tips]\na = ["prompt", "\\u0000"]'
    assert "\\u0000" not in json.dumps(trial_worker.try_out(SOURCE, table)["description"])
