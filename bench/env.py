"""Steps a second of environments, with an observation and the mask each: ours and OpenSpiel's in Python, side by side.

    python -m bench.env [GAME ...] [--seconds 2]

A step is an action chosen at random, with what the one who is to choose sees before it. CPU time of this process
counts. All run by turns, so that what else the machine does slows all of them. OpenSpiel's Kuhn poker in Python is left
out where it is not installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.harness.command import parser_of
from games.core import FastChance
from games.env.play import Coding, Play
from games.env.zoo import MatchEnv

GAMES = ("kuhn", "agram", "hearts", "hamsterdam", "bundles")
TURNS = 4


def ours(name: str) -> Callable[[float], float]:
    """Return what plays a game for some seconds, and returns steps a second."""
    coding = Coding(name)
    out, chance = np.zeros(coding.size, np.float32), FastChance("choices")

    def run(seconds: float) -> float:
        steps, begun = 0, time.process_time()
        while time.process_time() - begun < seconds:
            play = Play(coding, FastChance(str(steps)))
            while not play.over:
                play.write(play.seat, out)
                play.choose(chance.choice(play.offered))
                steps += 1
        return steps / (time.process_time() - begun)

    return run


def theirs() -> Callable[[float], float] | None:
    """Return the same for OpenSpiel's Kuhn poker in Python; None if it is not installed."""
    try:
        from open_spiel.python.games import kuhn_poker
        from open_spiel.python.observation import make_observation
    except ImportError:
        return None
    game: Any = kuhn_poker.KuhnPokerGame()
    observer: Any = make_observation(game)
    chance = FastChance("choices")

    def run(seconds: float) -> float:
        steps, begun = 0, time.process_time()
        while time.process_time() - begun < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice([outcome for outcome, _ in state.chance_outcomes()]))
                    continue
                observer.set_from(state, state.current_player())
                state.apply_action(chance.choice(state.legal_actions()))
                steps += 1
        return steps / (time.process_time() - begun)

    return run


def zoo() -> Callable[[float], float]:
    """Return the same for Kuhn poker through PettingZoo."""
    env, chance = MatchEnv("kuhn"), FastChance("choices")

    def run(seconds: float) -> float:
        steps, begun = 0, time.process_time()
        while time.process_time() - begun < seconds:
            env.reset(steps)
            for _ in env.agent_iter():
                observed, _, over, _, _ = env.last()
                env.step(None if over else chance.choice(observed["action_mask"].nonzero()[0].tolist()))
                steps += not over
        return steps / (time.process_time() - begun)

    return run


def their_environment() -> Callable[[float], float] | None:
    """Return the same for Kuhn poker in Python through OpenSpiel's environment; None if it is not installed."""
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.games import kuhn_poker
    except ImportError:
        return None
    env: Any = rl_environment.Environment(kuhn_poker.KuhnPokerGame())
    chance = FastChance("choices")

    def run(seconds: float) -> float:
        steps, begun = 0, time.process_time()
        while time.process_time() - begun < seconds:
            now = env.reset()
            while not now.last():
                legal = now.observations["legal_actions"][now.observations["current_player"]]
                now = env.step([chance.choice(legal)])
                steps += 1
        return steps / (time.process_time() - begun)

    return run


def main() -> None:
    """Print a table."""
    parser = parser_of("env", __doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time for each")
    asked = parser.parse_args()
    runs = {name: ours(name) for name in asked.games}
    runs["kuhn by PettingZoo"] = zoo()
    peers = {"OpenSpiel's Kuhn in Python": theirs(), "the same by its environment": their_environment()}
    runs |= {name: peer for name, peer in peers.items() if peer}
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(TURNS):
        for name, run in runs.items():
            rates[name].append(run(asked.seconds / TURNS))
    for name, found in rates.items():
        print(f"{name:28} {sum(found) / TURNS:>10,.0f} steps a second")


if __name__ == "__main__":
    main()
