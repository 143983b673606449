"""What the pages for players say, compared with the rules where possible."""

from __future__ import annotations

import re

from games import catalogue
from games.enchere.auction import VERSIONS
from games.thief import cards
from games.thief.board import START
from games.thief.cards import BOX_PRICE, GUARD, HIDE_RESTORES, LEVELS, OWL, Card
from games.thief.end_of_turn import rested, settle
from games.thief.path import Position, begin, enter
from tests.games.hamsterdam import open_stocks


def page(game: str) -> str:
    """Return a rules page in one line, without its stars."""
    return " ".join(re.sub(r"\*\*|\*", "", catalogue.find(game).rules_page()).split())


def test_card_thief_says_which_levels_have_strong_guards() -> None:
    fours = [level for level in LEVELS if Card(GUARD, 4, 3) in cards.deck(level)]
    assert fours == [1, 2]
    assert "fours exist at levels 1 and 2 only" in page("thief")
    assert "strong guards" not in page("thief")


def test_card_thief_says_that_a_hide_takes_no_stealth_away() -> None:
    assert rested(14, refuge=True, cleared=False) == 14
    assert rested(3, refuge=True, cleared=False) == HIDE_RESTORES
    assert f"stealth rises to {HIDE_RESTORES}, and stays where it is if you have more" in page("thief")


def test_card_thief_says_what_the_strongbox_costs_at_first() -> None:
    assert f"The price is {BOX_PRICE} at first" in page("thief")


def test_card_thief_says_that_an_owl_falls_and_neither_turns_nor_steps() -> None:
    board: list[Card | None] = [None] * 9
    board[1] = Card(OWL, 2)
    fallen = settle(tuple(board), START, 10, refuge=False).board
    assert fallen[7] == Card(OWL, 2)
    assert "never turns and never steps, but falls like any card" in page("thief")


def test_card_thief_says_that_a_lit_wolf_taken_from_its_front_howls_and_makes_no_noise() -> None:
    board: list[Card | None] = [None] * 9
    board[5] = Card(cards.WOLF, 2, facing=2, number=1)  # looks down at the thief
    board[4] = Card(cards.TORCH, number=2)
    path = enter(begin(Position(tuple(board), START, 10)), 5)
    assert not isinstance(path, str)
    assert {"lit", "front", "howl"} <= set(path.step.why)
    assert "noise" not in path.step.why
    assert "from a lit enemy, other than a wolf, taken from its front" in page("thief")


def test_enchere_says_that_the_spare_beats_all_where_it_says_who_wins() -> None:
    section = page("enchere").split("## Who wins a prize")[1].split("## The three versions")[0]
    assert "a bid of the spare's rank is higher than any other" in section
    assert {len(version.prizes) for version in VERSIONS.values()} == {12, 13}
    assert "court card" not in page("enchere"), "aces are none, and the Joker neither"


def test_hamsterdam_says_that_a_player_who_is_out_does_not_deal() -> None:
    state = open_stocks(["9C", "AC", "8D"], dealer=0, certificates=[2, 1, 2])
    assert state.certificates[1] == 0
    assert state.dealer == 2, "and not seat 1, the next to the left"
    assert "the next player to the dealer's left who is still in deals" in page("hamsterdam")
