"""The house bot, point by point as its source describes it."""

from __future__ import annotations

import pytest

from games.core import FastChance, Information
from games.hamsterdam.bots import HouseBot
from games.hamsterdam.game import GAME
from games.hamsterdam.rules import HamsterdamState
from tests.games.hamsterdam import deal, open_stocks
from tests.games.table import moves


def decision(state: HamsterdamState) -> str:
    """Return the house bot's move for the player to act."""
    return HouseBot().choose(Information.of(GAME, state, state.mover, FastChance("unused"), HouseBot.needs))


# -- markets open


@pytest.mark.parametrize(("stock", "move"), [("AC", "trade"), ("5D", "trade"), ("6D", "keep"), ("10C", "keep")])
def test_a_stock_of_five_or_less_is_traded(stock: str, move: str) -> None:
    assert decision(deal([stock, "8D", "9C"])) == move


def test_the_dealer_trades_by_the_same_rule() -> None:
    state = deal(["7C", "8D", "5C"])
    moves(state, "keep", "keep")
    assert decision(state) == "trade"


@pytest.mark.parametrize(
    ("taken", "given", "move"),
    [("2D", "4C", "keep"), ("4D", "4C", "trade"), ("5D", "4C", "trade"), ("9D", "6C", "keep")],
    ids=["a lower one", "one as low", "a higher one", "a good one for a good one"],
)
def test_a_poor_stock_is_kept_if_the_player_before_took_a_lower_one_in_trade(taken: str, given: str, move: str) -> None:
    state = deal([given, taken, "9C"])
    moves(state, "trade")  # Anna takes Bob's card and gives hers
    assert decision(state) == move


def test_the_exception_holds_over_a_player_who_is_out() -> None:
    state = deal(["4C", "", "2D", "9C"])
    moves(state, "trade")
    assert decision(state) == "keep"


def test_the_exception_needs_a_trade() -> None:
    state = deal(["2D", "4C", "9C"])
    moves(state, "keep")
    assert decision(state) == "trade"


def test_the_exception_needs_the_trade_to_be_with_the_player_itself() -> None:
    state = deal(["4C", "2D", "3C"])
    moves(state, "trade", "keep")  # Anna took the 2, but Bob, who is before Cleo, kept
    assert decision(state) == "trade"


def test_at_a_rigged_table_it_decides_by_what_it_was_shown() -> None:
    state = deal(["3C", "2D", "9C"], favourite=2)
    moves(state, "trade")  # Anna really took Bob's 2
    assert state.stock[1] == "3C"
    assert decision(state) == "keep"
    state = deal(["9C", "2D", "AC"], favourite=0)
    moves(state, "trade")  # Bob is shown that he has what he had, and that the favourite took the same
    assert state.stock[1] == "2D"
    assert decision(state) == "trade"


# -- adjustment


def test_it_passes_when_strictly_above_somebody() -> None:
    assert decision(open_stocks(["6C", "5D", "9C"], ["4S 5S"])) == "pass"


def test_players_who_are_out_do_not_count_as_lower() -> None:
    assert decision(open_stocks(["6C", "", "9C"], ["4S", "", ""])) == "play 4S on 0"


def test_lowest_it_plays_its_smallest_spade_on_itself() -> None:
    assert decision(open_stocks(["3C", "5D", "9C"], ["5S 2S AH 4S"])) == "play 2S on 0"


def test_lowest_without_a_spade_it_plays_its_smallest_heart_on_the_next_lowest() -> None:
    assert decision(open_stocks(["3C", "9D", "6C"], ["5H 3H"])) == "play 3H on 2"


def test_of_several_next_lowest_the_first_to_the_left_gets_the_heart() -> None:
    assert decision(open_stocks(["3C", "9D", "6C", "6D"], ["3H"])) == "play 3H on 2"
    state = open_stocks(["6C", "6D", "3C", "9D"], ["", "", "3H"])
    assert state.mover == 2
    assert decision(state) == "play 3H on 0"


def test_tied_for_lowest_it_plays() -> None:
    assert decision(open_stocks(["5C", "5D", "9C"], ["2S"])) == "play 2S on 0"
    assert decision(open_stocks(["5C", "5D", "9C"], ["2H"])) == "play 2H on 1"


def test_a_tie_for_last_counts_as_saved() -> None:
    assert decision(open_stocks(["3C", "6D", "9C"], ["3S"])) == "play 3S on 0"


def test_it_passes_when_no_combination_saves_it() -> None:
    assert decision(open_stocks(["3C", "7D", "9C"], ["3S"])) == "pass"
    assert decision(open_stocks(["3C", "10D", "9C"], ["3H AS AH"])) == "pass"


def test_spades_on_itself_and_hearts_on_another_count_together() -> None:
    assert decision(open_stocks(["3C", "10D", "8C"], ["3H AS AH"])) == "play AS on 0"


def test_modifiers_on_the_table_count() -> None:
    state = open_stocks(["3C", "5D", "9C"], ["4S", "4H 2S", ""])
    moves(state, "play 4S on 0")
    assert decision(state) == "play 2S on 1"
    moves(state, "play 4H on 0")
    assert state.legal_moves(1) == ["play 2S on 0", "play 2S on 1", "play 2S on 2", "pass"]
    assert decision(state) == "pass"
