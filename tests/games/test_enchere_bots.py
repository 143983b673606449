"""The house bot of Enchère: what it fights for, what it leaves, and what it may know."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import FastChance, Information, State
from games.core.cards import JOKER
from games.enchere.auction import VERSIONS
from games.enchere.bots import HouseBot, Rivals, Stakes
from games.enchere.game import GAME
from games.lab.simulate import Plan, simulate
from tests.games.enchere import bid, lay


def decision(state: State[Any], seat: int = 0) -> str:
    return HouseBot().choose(Information.of(GAME, state, seat, FastChance("unused"), HouseBot.needs))


OTHERS = ["4C 5C 6C 7C", "4S 5S 6S 7S"]


def test_an_ace_among_queens_is_fought_for_and_a_queen_among_aces_is_left() -> None:
    assert decision(lay("enchere", ["2D 3D 6D JD", *OTHERS], "AS", coming="QC QD QH")) == "bid JD"
    assert decision(lay("enchere", ["2D 3D 6D JD", *OTHERS], "QS", coming="AC AD AH")) in ("bid 2D", "bid 3D")


def test_the_last_prize_is_worth_the_best_card_left() -> None:
    state = lay("enchere", ["2D JD", *OTHERS], "QS", won=["AC AD AH AS", "KC KD KH KS", "QC QD QH"])
    assert decision(state) == "bid JD"


def test_nobody_wants_the_joker() -> None:
    assert decision(lay("avancee", ["2D 6D JD", *OTHERS], JOKER, spare="9H", coming="QC QD")) == "bid 2D"


def test_the_king_of_hearts_is_worth_the_rank_of_the_spare() -> None:
    assert decision(lay("avancee", ["3H 9S 4H", *OTHERS], "KH", spare="9H", coming="QC QD AS")) == "bid 9S"


def test_in_originale_a_prize_that_fits_the_own_hand_is_worth_more() -> None:
    won = ["AC AD", "QC QD", "KC KD"]
    fitting = lay("originale", ["2C", *OTHERS], "AS", spare="9H", coming="QH KH", won=won)
    other = lay("originale", ["2C", *OTHERS], "KS", spare="9H", coming="QH KH", won=won)
    assert Stakes(fitting.observe(0), 0).now() > Stakes(other.observe(0), 0).now() > 0


def test_keeping_a_prize_from_the_others_is_worth_something_too() -> None:
    won = ["QC QD QH AC", "QS AD AH", "KC KD KH"]
    state = lay("originale", ["2C", *OTHERS], "KS", spare="9H", coming="AS", won=won)
    assert Stakes(state.observe(1), 1).now() > 0, "a king alone adds nothing to Bob's pair, but much to Cleo's three"


def test_a_void_is_remembered() -> None:
    state = lay("avancee", ["9D 2C 3C", "5S 6S 8S", "4D 6D 8D"], "KD", spare="9H", coming="QD AD QS")
    state.spent = []
    before = Rivals(state.observe(0), 0).bids[0]
    bid(state, "9D", "5S", "4D")
    state.prize = "QD"
    after = Rivals(state.observe(0), 0).bids[0]
    assert any(in_suit for _, in_suit in before)
    assert not any(in_suit for _, in_suit in after)


@pytest.mark.parametrize("version", VERSIONS)
def test_it_knows_no_more_than_its_own_observation(version: str) -> None:
    for index in range(15):
        chance = FastChance(f"{version}/{index}")
        state = GAME.new(3, {"version": version}, chance)
        for _ in range(chance.randbelow(30)):
            seat = chance.choice(state.to_act())
            state.play(seat, chance.choice(state.legal_moves(seat)))
        seat = state.to_act()[0]
        decisions = {decision(state.determinize(seat, chance), seat) for _ in range(5)}
        assert len(decisions) == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_it_beats_two_random_players_in_each_version(version: str) -> None:
    plan = Plan.checked(GAME, ["random", "house", "random"], {"version": version}, "fixed")
    tally = simulate(plan, 40)
    assert not tally.failures
    assert tally.wins[1, 1] >= 24  # by chance alone that many would be one in ten thousand
