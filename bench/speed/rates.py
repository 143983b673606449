"""What the commands share: a match just dealt, and rates in CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from games.core import Chance, Game, State

Figures = dict[str, Any]


def dealt(game: Game, seats: int, options: dict[str, Any], chance: Chance) -> State[Any]:
    """Return a match just dealt, without a log."""
    return game.start_keeping("sight", seats, game.check_options(options), chance)


def rate(work: Callable[[int], object], seconds: float) -> float:
    """Return how often ``work`` can be done in a CPU-second."""
    began = time.process_time()
    count = 0
    while time.process_time() - began < seconds:
        work(count)
        count += 1
    return count / (time.process_time() - began)
