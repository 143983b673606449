"""The house bot of Enchère: how high it bids for what, and what it may know."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import FastChance, Information, State
from games.core.cards import JOKER
from games.enchere.auction import VERSIONS
from games.enchere.bots import NOISE, HouseBot, Rivals, RuleOfThumb, Stakes
from games.enchere.game import GAME
from games.lab.simulate import Simulation, simulate
from tests.games.enchere import bid, lay
from tests.tiers import full


def decision(state: State[Any], seat: int = 0) -> str:
    return HouseBot().choose(Information.of(GAME, state, seat, FastChance("unused"), HouseBot.needs))


OTHERS = ["4C 5C 6C 7C", "4S 5S 6S 7S"]


def test_it_bids_high_for_an_ace_among_queens_and_low_for_a_queen_among_aces() -> None:
    state = lay("enchere", ["2D 3D 6D JD", *OTHERS], "AS", coming="QC QD QH", won=["AC AD", "AH KC KD", "KH KS QS"])
    assert decision(state) == "bid JD"
    state = lay("enchere", ["2D 3D 6D JD", *OTHERS], "QS", coming="AC AD AH", won=["QC QD", "QH KC KD", "KH KS AS"])
    assert decision(state) == "bid 2D"


def test_strong_cards_are_kept_for_as_many_dear_prizes_as_are_to_come() -> None:
    hand = "2D 9D JC JD"
    few = lay("enchere", [hand, *OTHERS], "KS", coming="AC QD QH", won=["AH AD", "AS KC KD", "KH QC QS"])
    many = lay("enchere", [hand, *OTHERS], "KS", coming="AC AD AH", won=["QH QD", "AS KC KD", "KH QC QS"])
    assert decision(few) in ("bid JC", "bid JD")
    assert decision(many) == "bid 2D"


def test_the_last_prize_is_worth_the_best_card_left() -> None:
    state = lay("enchere", ["2D JD", *OTHERS], "QS", won=["AC AD AH AS", "KC KD KH KS", "QC QD QH"])
    assert decision(state) == "bid JD"


def test_it_bids_low_for_the_joker() -> None:
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


@full
@pytest.mark.parametrize("version", VERSIONS)
def test_it_beats_two_random_players_in_each_version(version: str) -> None:
    simulation = Simulation.checked(GAME, ["random", "house", "random"], {"version": version}, "fixed")
    tally = simulate(simulation, 40)
    assert not tally.failures
    assert tally.wins[1, 1] >= 24  # by chance alone that many would be one in ten thousand


def thumbs(state: State[Any]) -> set[str]:
    """Return all that the rule of thumb may bid."""
    results = set()
    for seed in range(60):
        info = Information.of(GAME, state, 0, FastChance(str(seed)), RuleOfThumb.needs)
        results.add(RuleOfThumb().choose(info).removeprefix("bid "))
    return results


def test_the_rule_of_thumb_bids_high_for_the_most_valuable_prize_and_low_for_the_least() -> None:
    hand = "2D 3D 4D 5D 6D 7D 8D 9D"
    ace = lay("enchere", [hand, *OTHERS], "AS", coming="QC QD QH KS", won=["AC AD", "AH KC KD", "KH QS"])
    queen = lay("enchere", [hand, *OTHERS], "QS", coming="AC AD AH KS", won=["QC QD", "QH KC KD", "KH AS"])
    assert thumbs(ace) == set(hand.split()[-1 - NOISE :])
    assert thumbs(queen) == set(hand.split()[: 1 + NOISE])


def test_the_rule_of_thumb_follows_suit_and_avoids_the_joker() -> None:
    suited = lay("avancee", ["3H 9S 4H", *OTHERS], "KH", spare="9H", coming="QC QD AS")
    assert thumbs(suited) == {"4H", "9S"}
    joker = lay("avancee", ["2D 3D 4D 5D 6D JD", *OTHERS], JOKER, spare="9H", coming="QC QD")
    assert thumbs(joker) == {"2D", "3D"}
