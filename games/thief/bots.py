"""Bots for Card Thief. They see every path there is, and nothing of what the deck will bring."""

from __future__ import annotations

from games.core import Bot, Information
from games.thief.cards import HIDE_RESTORES
from games.thief.end_of_turn import caught, rested, settle
from games.thief.path import Path, legal_paths
from games.thief.rules import Observation

# The weights of the sum. Only the order of paths matters, so the unit is the value of one gem.
GEM = 1
CARD = 10  # each card taken: what is gone can hurt no more
STEALTH = 20  # each point kept, up to what a hide restores
SPARE = 5  # each point above that,
MOST_SPARE = 5  # up to so many
OUT_OF_STEALTH = -300
STRONGBOX = 200
AWAY = 10_000  # with the Strongbox, or without
CAUGHT = -20_000


class GreedyBot(Bot):
    """Takes the path with the highest sum, the first of equal ones, and slips only if it must."""

    name = "greedy"
    title = "Greedy"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        paths = legal_paths(seen.position)
        if not paths:
            return info.legal_moves[0]
        return max(paths, key=lambda path: worth(path, boxed=seen.box > 0)).move


class HouseBot(GreedyBot):
    """Takes empty seats, and those of people who are away: plays greedily."""

    name = "house"
    title = "House AI"


def worth(path: Path, *, boxed: bool) -> int:
    """Return the sum for a path; ``boxed``: the Strongbox was held before."""
    if path.step.escapes:
        return AWAY if boxed or path.box else -AWAY
    stealth = rested(path.stealth, refuge=path.step.refuge, cleared=not path.left)
    if stealth <= 0 and caught(settle(path.board, path.here, stealth, refuge=False).board, path.here, stealth):
        return CAUGHT
    total = GEM * path.gems + CARD * len(path.cells)
    total += STEALTH * min(stealth, HIDE_RESTORES) + SPARE * min(max(stealth - HIDE_RESTORES, 0), MOST_SPARE)
    return total + STRONGBOX * (path.box > 0) + OUT_OF_STEALTH * (stealth <= 0)
