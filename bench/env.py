"""Steps a second of environments to train agents in: ours, and OpenSpiel's and RLCard's in Python.

    python -m bench.env [GAME ...] [--seconds 2]

A step is the observation and the legal actions of the player to act, and a random one of these actions. CPU time of
this process counts. The environments run alternately, so that other work of the machine slows all of them alike.
OpenSpiel's Kuhn poker and RLCard's Leduc Hold'em are left out if they are not installed (``pip install open-spiel
rlcard``). Prints JSON.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.harness.command import parser_of, show
from games.core import FastChance
from games.env.play import Coding, Play
from games.env.zoo import MatchEnv

LEDUC = "docs/examples/leduc.rcy"
GAMES = ("kuhn", LEDUC, "agram", "hearts", "hamsterdam", "bundles")
ROUNDS = 4  # runs of each environment

PlayMatch = Callable[[int], int]  # plays a random match by a seed, and returns its number of steps


def matches_of(name: str) -> PlayMatch:
    """Return a function that plays matches of a game by ``games.env.play``, which all our environments use."""
    coding = Coding(name)
    out, chance = np.zeros(coding.size, np.float32), FastChance("choices")

    def play_match(seed: int) -> int:
        play, steps = Play(coding, FastChance(str(seed))), 0
        while not play.over:
            play.write(play.seat, out)
            play.choose(chance.choice(play.offered))
            steps += 1
        return steps

    return play_match


def kuhn_by_pettingzoo() -> PlayMatch:
    """Return a function that plays Kuhn poker in our environment for PettingZoo."""
    env, chance = MatchEnv("kuhn"), FastChance("choices")

    def play_match(seed: int) -> int:
        steps = 0
        env.reset(seed)
        for _ in env.agent_iter():
            observed, _, over, _, _ = env.last()
            env.step(None if over else chance.choice(observed["action_mask"].nonzero()[0].tolist()))
            steps += not over
        return steps

    return play_match


def openspiels_kuhn() -> dict[str, PlayMatch]:
    """Return functions that play OpenSpiel's Kuhn poker in Python, by its states and by its environment, by name.

    Empty if OpenSpiel is not installed.
    """
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.games import kuhn_poker
        from open_spiel.python.observation import make_observation
    except ImportError:
        return {}
    game: Any = kuhn_poker.KuhnPokerGame()
    observer: Any = make_observation(game)
    env: Any = rl_environment.Environment(kuhn_poker.KuhnPokerGame())
    chance = FastChance("choices")

    def by_states(_seed: int) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice([outcome for outcome, _ in state.chance_outcomes()]))
                continue
            observer.set_from(state, state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
        return steps

    def by_environment(_seed: int) -> int:
        now, steps = env.reset(), 0
        while not now.last():
            legal = now.observations["legal_actions"][now.observations["current_player"]]
            now = env.step([chance.choice(legal)])
            steps += 1
        return steps

    return {"kuhn of OpenSpiel": by_states, "kuhn of OpenSpiel, by its environment": by_environment}


def steps_a_second(play_match: PlayMatch, seconds: float) -> float:
    """Return how many steps a second of CPU time has room for, measured over so many seconds."""
    steps, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        steps += play_match(steps)
    return steps / spent


def rlcards_leduc() -> dict[str, PlayMatch]:
    """Return a function that plays RLCard's Leduc Hold'em, by its name; empty if RLCard is not installed."""
    try:
        from rlcard.envs.leducholdem import LeducholdemEnv
    except ImportError:
        return {}
    env: Any = LeducholdemEnv({"allow_step_back": False, "seed": 1})
    chance = FastChance("choices")

    def play_match(_seed: int) -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(chance.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return {"leduc of RLCard": play_match}


def main() -> None:
    """Print the steps a second of each environment."""
    parser = parser_of("env", __doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time for each (default: %(default)s)")
    asked = parser.parse_args()
    environments = {name: matches_of(name) for name in asked.games}
    environments |= {"kuhn by PettingZoo": kuhn_by_pettingzoo(), **openspiels_kuhn(), **rlcards_leduc()}
    rates: dict[str, list[float]] = {name: [] for name in environments}
    for _ in range(ROUNDS):
        for name, play_match in environments.items():
            rates[name].append(steps_a_second(play_match, asked.seconds / ROUNDS))
    show({"steps_a_second": {name: round(sum(found) / ROUNDS) for name, found in rates.items()}})


if __name__ == "__main__":
    main()
