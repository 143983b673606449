"""Moves that are all selections of some things: they are recognised, and searched by what the things are worth."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.core import Bot, FastChance, Information
from games.core.selections import selection_of
from games.recycle.bots import HouseBot
from games.recycle.game import RecycleGame
from games.search.ismcts import Ismcts
from games.search.pimc import Pimc

CARDS = [f"{rank}{suit}" for suit in "CDHS" for rank in (2, 3, 4)]
TRIPLES = [" ".join(cards) for cards in combinations(CARDS, 3)]

# Each of two players keeps three of twelve cards, which are worth 1 to 12. Who has the higher sum wins.
KEEP = """
(game
  (setup (create players 2)
    (create deck ((0 player) iloc HAND) (deck (SUIT (CLUBS, DIAMONDS, HEARTS, SPADES)) (RANK (TWO, THREE, FOUR))))
    (create deck ((1 player) iloc HAND) (deck (SUIT (CLUBS, DIAMONDS, HEARTS, SPADES)) (RANK (FIVE, SIX, SEVEN)))))
  (do ((set (game points P)
    (((SUIT : DIAMONDS) 3) ((SUIT : HEARTS) 6) ((SUIT : SPADES) 9) ((RANK : TWO) 1) ((RANK : THREE) 2)
     ((RANK : FOUR) 3) ((RANK : FIVE) 1) ((RANK : SIX) 2) ((RANK : SEVEN) 3)))))
  (together player
    (choice ((any (subsets 3 ((current player) iloc HAND)) 'S
      (repeat all (move (top 'S) (top ((current player) vloc KEPT))))))))
  (scoring max (sum ((current player) vloc KEPT) using (game points P))))
"""


@pytest.mark.parametrize("move", ["{} HAND>PASS", "pass {}", "lay {} away", "{}"])
def test_all_ways_to_take_three_of_some_cards_are_a_selection(move: str) -> None:
    selection = selection_of([move.format(cards) for cards in TRIPLES])
    assert selection is not None
    assert selection.count == 3
    assert selection.things == tuple(sorted(CARDS))
    number = selection.best({card: float(card in ("2C", "4D", "4S")) for card in CARDS})
    assert TRIPLES[number] == "2C 4D 4S"


@pytest.mark.parametrize(
    "moves",
    [
        TRIPLES[:-1],  # one is missing
        TRIPLES[:-1] + TRIPLES[:1],  # another one is there twice
        [*TRIPLES, "pass"],
        [f"{card} HAND>PASS" for card in [str(number) for number in range(40)]],  # one of each
        [f"{cards} {number}" for number, cards in enumerate(TRIPLES)],
        TRIPLES[:6],
    ],
)
def test_other_moves_are_none(moves: list[str]) -> None:
    assert selection_of(moves) is None


@pytest.mark.parametrize(("bot", "least"), [(Ismcts(150), 23), (HouseBot(), 29)], ids=["ismcts", "house"])
def test_good_cards_are_found_with_fewer_roll_outs_than_there_are_moves(bot: Bot, least: int) -> None:
    """Tried one by one, these moves gave 13 and 26."""
    game = RecycleGame("keep", KEEP)
    kept: list[str] = []
    for seed in range(8):
        state = game.new(2, {}, FastChance(f"{seed}"))
        assert len(state.legal_moves(0)) == 220
        kept += bot.choose(Information.of(game, state, 0, FastChance(f"{seed}"), bot.needs)).split()[:3]
    worth = {card: 3 * "CDHS".index(card[1]) + int(card[0]) - 1 for card in kept}
    assert sum(worth[card] for card in kept) / 8 > least, "of at most 33, and 19.5 on average"


def test_flat_search_tries_every_move() -> None:
    game = RecycleGame("keep", KEEP)
    state = game.new(2, {}, FastChance("x"))
    chosen = Pimc(1).choose(Information.of(game, state, 0, FastChance("x"), Pimc.needs))
    assert chosen in state.legal_moves(0)
