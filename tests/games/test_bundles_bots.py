"""The house bot of Stealing Bundles: what it takes, what it keeps out of the pool, and what it remembers."""

from __future__ import annotations

import pytest

from games.bundles.bots import HouseBot, Memory
from games.bundles.game import GAME
from games.bundles.rules import BundlesState
from games.core import FastChance, Information
from tests.games.bundles import lay


def decision(state: BundlesState) -> str:
    return HouseBot().choose(Information.of(GAME, state, state.mover, FastChance("unused"), HouseBot.needs))


def test_it_takes_the_largest_catch() -> None:
    # All threes and sevens are in sight, so that nothing can be taken back.
    state = lay(["3C 7C KC", "8C 9C 10C"], pool="3D 7D 7H JC", bundles=["", "3H 3S 7S 5C 5D"])
    assert decision(state) == "play 7C"


def test_it_would_rather_steal_a_bundle_than_take_a_card() -> None:
    assert decision(lay(["3C 7C", "8C 9C"], pool="3D", bundles=["", "4C 4D 7D"])) == "play 7C"


def test_it_takes_less_if_that_is_safe_and_more_would_be_stolen() -> None:
    # All fives have been seen. Two eights have not, and the opponent holds all the cards that are still to come.
    others = "8H 8S AC AD AH AS 2C 2D 2H 2S"
    rest = "3C 3D 3H 3S 4C 4D 4H 4S 5S 5H JC JD JH JS QC QD QH QS KC KD KH KS 6C 6D 6H 6S"
    state = lay(["5C 8C", others], pool="5D 8D 9C", bundles=[f"{rest} 10C", ""])
    state.pool += ["7C", "7D", "7H", "7S", "9D", "9H", "9S", "10D", "10H", "10S"]
    assert decision(state) == "play 5C"


def test_without_a_catch_it_feeds_the_pool_the_rank_that_is_hardest_to_match() -> None:
    state = lay(["2C 6C 9C", "8C 8D 8H"], pool="KC QC", bundles=["", "6D 6H 4C 4D"], stock="")
    assert decision(state) == "play 6C"


def test_it_remembers_what_went_into_bundles() -> None:
    state = lay(["2C", "8C"], bundles=["", "2D 2H 2S 4C 4D"])
    assert Memory(state.observe(0), 0).threat("2") == 0
    assert Memory(state.observe(0), 0).threat("4") > 0


def test_a_threat_is_the_chance_that_somebody_else_holds_the_rank() -> None:
    known = "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S"
    known += " 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS"
    # Seven cards are unseen, four queens and three kings, and the opponent holds two of them.
    state = lay(["KC", "QC QD"], pool=known, stock="QH QS KD KH KS")
    memory = Memory(state.observe(0), 0)
    assert memory.unseen == 7
    assert memory.threat("Q") == pytest.approx(1 - (3 / 7) * (2 / 6))
    assert memory.threat("K") == pytest.approx(1 - (4 / 7) * (3 / 6))
    assert memory.threat("A") == 0


def test_it_knows_no_more_than_its_own_observation() -> None:
    state = lay(["3C 7C KC 9D", "8C 9C 10C JC", "2C 2D 2H 2S"], pool="4C 5C", stock="3D 3H 3S 7D 7H")
    for index in range(20):
        assert decision(state.determinize(0, FastChance(str(index)))) == decision(state)
