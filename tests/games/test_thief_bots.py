"""The greedy bot of Card Thief, and what its heists come to."""

from __future__ import annotations

import pytest

from games.core import FastChance, Information
from games.lab.simulate import Simulation, play_match, report, simulate
from games.thief.bots import GreedyBot
from games.thief.game import GAME
from tests.games.thief import heist
from tests.tiers import full


def choice(layout: str, stealth: int = 10, *, box: int = 0) -> str:
    """Return what the bot does at a layout."""
    state = heist(layout, stealth, box=box)
    return GreedyBot().choose(Information.of(GAME, state, 0, FastChance("unused"), GreedyBot.needs))


def test_it_leaves_as_soon_as_it_can_with_the_strongbox() -> None:
    assert choice("treasure3 . . . treasure3 treasure3 . hatch @", box=2).endswith("7")
    assert choice(". . . . strongbox2 treasure3 . hatch @") in ("path 4 7", "path 5 4 7", "path 4 5 7")


def test_it_does_not_leave_without_it_while_there_is_another_path() -> None:
    assert "7" not in choice("door . . . treasure3 treasure3 . hatch @")
    assert choice(". . . . . . . hatch @") == "path 7"


def test_it_keeps_out_of_what_is_sure_to_catch_it() -> None:
    # The trap would end under the torch that falls, at 0 stealth, with the guard turned round.
    assert choice("door torch door door treasure3 door guard4> trap @", 1) != "path 4 7"


def test_it_takes_the_strongbox_when_it_can_be_paid() -> None:
    assert "4" in choice("door . . . strongbox5 sneak1 . treasure1 @").split()[1:]


def test_it_slips_only_where_there_is_no_path() -> None:
    assert choice(". . . . . . . guard4v @", 0) == "slip 7"
    assert choice(". . . . . door . guard4v @", 0) == "path 5"


def plan(level: int, director: str = "on", bot: str = "greedy") -> Simulation:
    return Simulation.checked(GAME, [bot], {"level": str(level), "director": director}, "bots")


@full
def test_a_heist_is_won_with_any_score_and_lost_with_none() -> None:
    scores = [play_match(plan(4), index).scores[0] for index in range(30)]
    tally = simulate(plan(4), 30, lost_by=0)
    won = sum(score > 0 for score in scores)
    assert 0 < won < 30
    assert report(plan(4), tally)["seats"][0]["wins"] == won
    assert tally.lost == [index for index, score in enumerate(scores) if score == 0]
    assert not tally.failures


@full
@pytest.mark.parametrize("level", [1, 4])
def test_the_director_helps_and_higher_levels_are_harder(level: int) -> None:
    """``python -m bench.strength thief`` has the figures; over forty heists the gap is plain already."""
    wins = {d: simulate(plan(level, d), 40).wins.total() for d in ("on", "off")}
    assert wins["on"] > wins["off"] + 3
    if level == 4:
        assert wins["on"] < 34


def test_random_players_hardly_ever_get_away() -> None:
    assert simulate(plan(2, bot="random"), 60).wins.total() <= 3
