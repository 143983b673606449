"""Where games come from: folders, texts, and how a worker process gets the game of a text."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from games import catalogue
from games.core import FastChance, Game, Information, Match, SealedChance
from games.lab.simulate import Simulation, report, simulate
from tests.games.text_game import read

STICKS = "sticks 9\ntake 1 2 3"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of texts that is one of the catalogue's providers, besides the built-in games."""
    (tmp_path / "sticks.txt").write_text(STICKS)
    provider = catalogue.TextFolder("Texts", tmp_path, ".txt", read)
    monkeypatch.setattr(catalogue, "providers", [*catalogue.providers, provider])
    return tmp_path


def test_every_folder_with_rules_and_a_game_is_a_built_in_game() -> None:
    folders = {path.parent.name for path in catalogue.GAMES.glob("*/rules.md")}
    built_in = catalogue.listed(catalogue.providers[0])
    assert {game.name for game in built_in} == folders
    assert all(game.folder == catalogue.GAMES / game.name for game in built_in)


def test_the_featured_game_is_first_and_the_others_are_sorted_by_title() -> None:
    games = catalogue.listed(catalogue.providers[0])
    assert catalogue.featured() is games[0]
    assert games[0].featured
    titles = [game.title for game in games[1:]]
    assert titles == sorted(titles)


def test_a_text_in_a_folder_is_a_game(texts: Path) -> None:
    game = catalogue.find("sticks")
    assert (game.title, game.rules_version) == ("Sticks", STICKS)
    assert game in catalogue.listed()
    assert catalogue.listed(catalogue.providers[-1]) == [game]
    with pytest.raises(catalogue.UnknownGame, match="sticks"):
        catalogue.find("stones")


def test_a_text_that_has_changed_is_another_game(texts: Path) -> None:
    before = catalogue.find("sticks")
    (texts / "sticks.txt").write_text("sticks 12\ntake 1 2")
    assert catalogue.find("sticks").rules_version != before.rules_version
    (texts / "sticks.txt").unlink()
    with pytest.raises(catalogue.UnknownGame):
        catalogue.find("sticks")


def test_a_text_that_is_not_a_game_is_skipped_and_the_reason_given_on_request(texts: Path) -> None:
    (texts / "nonsense.txt").write_text("sticks many")
    assert [game.name for game in catalogue.listed(catalogue.providers[-1])] == ["sticks"]
    with pytest.raises(catalogue.UnreadableGame, match=r"nonsense\.txt is not a valid game: .*many"):
        catalogue.find("nonsense")


@pytest.mark.parametrize("name", ["core", "lab", "__pycache__", "..", "bundles/..", "bundles.rules", "", "x" * 500])
def test_an_unknown_game_is_not_found(name: str) -> None:
    with pytest.raises(catalogue.UnknownGame) as caught:
        catalogue.find(name)
    known = ", ".join(name for provider in catalogue.providers for name in provider.names())
    assert len(str(caught.value)) < len(known) + 100


@pytest.mark.parametrize("game", catalogue.listed(catalogue.providers[0]), ids=lambda game: game.name)
def test_a_built_in_game_is_pickled_by_name(game: Game) -> None:
    sent = pickle.dumps(game)
    assert pickle.loads(sent) is game
    assert len(sent) < 100


def choose_in_worker(game: Game, bot: str, info: Information) -> str:
    """Return a move, as a bot worker of the site does."""
    return game.bot(bot).choose(info)


def test_a_text_handed_to_a_worker_at_run_time_plays() -> None:
    """The worker was started before the text was read, and none of its providers has the text."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(len, "started").result(60) == 7
        match = Match.start(read("written just now", STICKS), 2, {}, SealedChance(bytes(32)))
        while not match.over:
            seat = match.to_act()[0]
            bot = match.game.bot("house")
            info = Information.of(match.game, match.state, seat, FastChance("any"), bot.needs)
            match.advance(seat, pool.submit(choose_in_worker, match.game, "house", info).result(60))
    assert [move for _, move in match.moves] == ["take 3"] * 3


def test_a_text_is_simulated_in_several_processes_as_in_one() -> None:
    simulation = Simulation.checked(read("of no provider", STICKS), ["house", "random"], {}, "1")
    assert report(simulation, simulate(simulation, 60, workers=2)) == report(simulation, simulate(simulation, 60))
