"""Roll-outs without a result: of determinizations that fail, and of matches that do not end. Searches ignore both.

The first text lets the second player move only with a certain card in hand. In a determinization where this card is
somewhere else, that player has no legal move, so the rules fail. The match goes on, so this is not how the cards lie.
"""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import Bot, FastChance, Information, RandomBot, RulesFailed
from games.recycle.game import read
from games.search.ismcts import Search
from games.search.pimc import estimate
from tests.games.search.toys import Facts, Moves
from tests.games.search.toys import asked as asked_toy
from tests.tiers import full

# The second player has something to choose from only with an A in hand.
TEXT = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (N (A, B, C, D)))))
  (do ((shuffle (game iloc STOCK)) (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (== (game sto TURN) 2))
    (choice
      (((== (game sto TURN) 0) (set ((next player) sto WON) 1))
       ((== (game sto TURN) 0) (set ((current player) sto WON) 2))
       ((and (== (game sto TURN) 1) (== (cardatt N (top ((current player) iloc HAND))) A)) (set (game sto RIGHT) 1))))
    (do ((inc (game sto TURN) 1))))
  (scoring max ((current player) sto WON)))
"""
GAME = read("failing", TEXT)


def asked(seed: str) -> Information:
    """Return the first decision of a match that can be played to its end, because the second player holds the A."""
    for number in range(100):
        state = GAME.new(2, {}, FastChance(f"{seed}/{number}"))
        try:
            state.clone().rollout(FastChance("x"))
        except RulesFailed:
            continue
        return Information.of(GAME, state, 0, FastChance(seed), "determinizations")
    raise AssertionError("no such deal in a hundred")


def test_most_determinizations_of_this_text_fail_and_not_all() -> None:
    failed = 0
    for number in range(60):
        sample = asked(str(number)).determinize(FastChance(str(number)))
        sample.apply(0, sample.legal_moves(0)[0])
        try:
            sample.rollout(FastChance("x"))
        except RulesFailed:
            failed += 1
    assert 30 < failed < 60


@pytest.mark.parametrize("name", ["house", "easy", "strong", "pimc-20", "ismcts-60", "helper-0"])
def test_searching_bots_use_possible_determinizations_only(name: str) -> None:
    for number in range(8):
        info = asked(str(number))
        assert info.legal_moves == ["WON:1=1", "WON=2"]
        assert catalogue.bot(GAME, name).choose(info) == "WON=2"


# -- matches that do not come to an end


def endless(moves: Moves) -> list[int]:
    """The first seat continues, and then the match never ends, or stops, and the win is shared."""
    return [] if moves and moves[0][1] == "stop" else [0]


ENDLESS = Facts(
    seats=2,
    to_act=endless,
    options=lambda moves, seat: ["on", "stop"] if not moves else ["on"],
    scores=lambda moves, card: (1.0, 0.0) if moves and moves[0][1] == "on" else (1.0, 1.0),
)


@full
@pytest.mark.parametrize("guide", [None, RandomBot])
def test_an_unfinished_roll_out_is_not_a_result(guide: type[Bot] | None) -> None:
    tried = estimate(asked_toy(ENDLESS, guide=guide), 2, FastChance("1"))
    assert tried.samples == (0, 2)
    assert tried.means[0] is None
    info = asked_toy(ENDLESS, guide=guide)
    searched = Search(info, info.chance).run(4)
    assert searched.visits[0] == 0
    assert searched.visits[1] > 0
    assert searched.best(0) == 1
