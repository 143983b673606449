"""Every game as an environment of PettingZoo: its own tests of environments, and what an agent may know."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from games import catalogue
from games.core import FastChance
from games.env import MatchEnv, encoded, numbered
from tests.games.cases import CASES, Case, likely_match
from tests.running_site import ROOT
from tests.tiers import full, sampled

NATIVE = catalogue.providers[0].names()
TEXTS = ["golf-patience", "gops", "hearts", "kuhn", "president", "rummy"]


# PettingZoo wonders at observations with a mask in them, which is how its own card games give theirs.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("name", sampled([*NATIVE, *TEXTS], 4))
def test_pettingzoo_finds_no_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(MatchEnv(name), num_cycles=40)
    seed_test(lambda: MatchEnv(name), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


def play(env: MatchEnv, seed: int) -> dict[str, float]:
    """Play at random to the end; return the sum of what each agent was rewarded with."""
    env.reset(seed)
    choices, result = FastChance(str(seed)), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, done, cut, _ = env.last()
        result[agent] += reward
        env.step(None if done or cut else choices.choice(np.flatnonzero(observed["action_mask"]).tolist()))
    return result


@pytest.mark.parametrize("name", ["hamsterdam", "enchere", "kuhn"])
def test_a_player_who_wins_alone_gets_one_and_what_is_won_is_lost(name: str) -> None:
    for seed in range(5):
        env = MatchEnv(name)
        result = play(env, seed)
        winners = [env.possible_agents[seat] for seat in env.match.winners()]
        best = max(result.values())
        assert [agent for agent in result if result[agent] == best] == winners
        assert (best == 1) == (len(winners) == 1)
        assert sum(result.values()) == pytest.approx(0)


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_text], ids=str)
def test_numbers_stand_for_all_legal_moves_and_for_the_same_ones_each_time(case: Case) -> None:
    match = likely_match(case, "env", 6)
    for seat in match.to_act():
        moves = match.legal_moves(seat)
        result = numbered(moves, 1 << 14)
        assert sorted(result.values()) == sorted(moves)
        assert numbered(moves, 1 << 14) == result


def test_a_match_whose_rules_fail_is_truncated_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    env = MatchEnv("bundles")
    env.reset(1)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("by a rule")

    monkeypatch.setattr(type(env.match.state), "apply", broken)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert set(env.truncations.values()) == {True}
    assert "by a rule" in env.infos[env.agents[0]]["failed"]
    assert set(env.rewards.values()) == {0.0}
    assert not env.observe(env.agents[0])["observation"].any()


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    env = MatchEnv("bundles")
    env.reset(1)
    mask = env.last()[0]["action_mask"]
    with pytest.raises(ValueError, match=f"no legal move of {env.agent_selection}"):
        env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.match.ply == 0


def test_a_seat_observes_the_same_whatever_others_hold() -> None:
    for case in (case for case in CASES if case.name in ("hamsterdam-4", "enchere-3", "bundles-4", "hearts-4")):
        match = likely_match(case, "hidden", 5)
        sample = match.state.determinize(0, FastChance("other"))
        views = [case.game.view(state, seat) for state in (match.state, sample) for seat in (0, 1)]
        here, other, same, differs = (encoded(view, 4096) for view in views)
        assert (here == same).all()
        assert (other != differs).any(), "what the other seat sees is other cards"


@full
def test_the_example_trains_a_player() -> None:
    command = [sys.executable, "docs/examples/train.py", "kuhn", "20", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}, check=True)
    assert "after 20 matches" in done.stdout
