"""Games as those of OpenSpiel: the published values of two games of poker. Skipped where OpenSpiel is not installed."""

from __future__ import annotations

from typing import Any

import pytest

from games import catalogue
from games.core.moves import RulesFailed
from games.env.play import Coding
from games.recycle.game import RecycleGame
from tests.running_site import ROOT
from tests.tiers import full

pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.games import kuhn_poker

from games.env.spiel import NoTree, SpielGame

LEDUC = ROOT / "docs/examples/leduc.rcy"


def kuhn() -> SpielGame:
    """Return Kuhn poker of one hand, in chips won."""
    text = catalogue.find("kuhn").text.replace("(== (game sto HANDS) 10)", "(== (game sto HANDS) 1)")
    return SpielGame(Coding(RecycleGame("kuhn-1", text), 2), scores=True)


def leduc() -> SpielGame:
    return SpielGame(Coding(catalogue.find_or_read(str(LEDUC)), 2), scores=True)


def nodes(state: Any) -> int:
    if state.is_terminal():
        return 1
    chance = state.is_chance_node()
    actions = [action for action, _ in state.chance_outcomes()] if chance else state.legal_actions()
    return 1 + sum(nodes(state.child(action)) for action in actions)


def solved(game: Any, iterations: int, *, plus: bool = False) -> tuple[float, float]:
    """Return the value for the first player and the exploitability after some iterations of CFR."""
    solver = cfr.CFRPlusSolver(game) if plus else cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    return float(value), float(exploitability.exploitability(game, policy))


def test_kuhn_has_the_tree_and_after_each_iteration_the_exploitability_of_openspiels_own() -> None:
    theirs = kuhn_poker.KuhnPokerGame()
    assert nodes(kuhn().new_initial_state()) == nodes(theirs.new_initial_state()) == 58
    for iterations in (1, 10):
        assert solved(kuhn(), iterations) == pytest.approx(solved(theirs, iterations))
    value, exploitable = solved(kuhn(), 300)
    assert value == pytest.approx(-1 / 18, abs=0.002)
    assert exploitable < 0.005


def test_the_tree_of_leduc_has_as_many_nodes_as_openspiels_own() -> None:
    assert nodes(leduc().new_initial_state()) == 9457


@full
def test_the_value_of_leduc_is_the_published_one() -> None:
    value, exploitable = solved(leduc(), 150, plus=True)
    assert value == pytest.approx(-0.0856, abs=0.005)
    assert exploitable < 0.05


def test_a_match_is_played_to_its_end_by_draws_and_actions() -> None:
    game = SpielGame(Coding(catalogue.find("agram"), 2), keep=False)
    state = game.new_initial_state()
    copies = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[-1][0])
            continue
        copy, action = state.clone(), state.legal_actions()[0]
        copy.apply_action(action)
        copies += 1
        assert state.information_state_string() != copy.information_state_string(state.current_player())
        state.apply_action(action)
    assert copies
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) == 1


def test_a_game_that_draws_from_several_streams_is_refused() -> None:
    with pytest.raises((NoTree, RulesFailed), match="stream"):
        SpielGame(Coding(catalogue.find("thief")))
