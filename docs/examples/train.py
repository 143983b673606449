"""Train an agent from results alone; does it beat a random one? ``python docs/examples/train.py [GAME [MATCHES]]``.

REINFORCE (Williams, 1992): a linear policy over what the seat sees; moves of matches that went well become likelier.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2]))  # in a clone; an installed package comes first

from games.env.zoo import MatchEnv

game, matches, trial = (*sys.argv[1:], *("agram", "2000", "400")[len(sys.argv) - 1 :])
env = MatchEnv(game, seats=2)
chance = np.random.default_rng(1)
weights = np.zeros((len(env.coding.words), env.coding.size), np.float32)  # by action and number observed


def play(seed: int, learn: bool) -> float:
    """Play a match as one seat against a random one, and return the reward."""
    env.reset(seed)
    me, taken, result = env.possible_agents[seed % 2], [], 0.0
    for agent in env.agent_iter():
        observed, reward, done, cut, _ = env.last()
        if done or cut:
            result = reward if agent == me else result
            env.step(None)
            continue
        legal = np.flatnonzero(observed["action_mask"])
        policy = np.full(len(legal), 1 / len(legal))
        if agent == me:
            seen = np.flatnonzero(observed["observation"])
            facts = observed["observation"][seen]
            logits = weights[np.ix_(legal, seen)] @ facts
            policy = np.exp(logits - logits.max())
            policy /= policy.sum()
        action = chance.choice(len(legal), p=policy)
        if agent == me:
            taken.append((legal, seen, facts, policy, action))
        env.step(legal[action])
    for legal, seen, facts, policy, action in taken if learn else []:
        towards = (np.arange(len(legal)) == action) - policy
        weights[np.ix_(legal, seen)] += 0.05 * result * np.outer(towards, facts / np.linalg.norm(facts))
    return result


before = np.mean([play(seed, learn=False) for seed in range(1_000_000, 1_000_000 + int(trial))])
for seed in range(int(matches)):
    play(seed, learn=True)
after = np.mean([play(seed, learn=False) for seed in range(1_000_000, 1_000_000 + int(trial))])
print(f"{env.game.title}: mean reward against random {before:+.2f} before, {after:+.2f} after {matches} matches")
