"""The bots that know no game, by what one writes for them on the command line: a name, and numbers that set it.

easy  medium  strong        the levels at tables
pimc-10                     flat Monte Carlo, 10 roll-outs of each move
ismcts-500                  tree search, 500 play-outs a decision
helper-0  helper-0-500      plays for the result of seat 0, with 500 play-outs a decision
"""

from __future__ import annotations

from games.core import BadOption, Bot
from games.core.options import whole
from games.search.helper import Helper
from games.search.ismcts import PLAYOUTS, Ismcts
from games.search.levels import LEVELS
from games.search.pimc import ROLLOUTS, Pimc

MOST = 1_000_000  # play-outs, or roll-outs of each move
MOST_SEAT = 99
FORMS = (f"pimc-{ROLLOUTS}", f"ismcts-{PLAYOUTS}", "helper-0")  # to show what can be written


def bot(name: str, seats: int | None = None) -> Bot | None:
    """Return the bot that ``name`` is written for, None when it is none of these. Raises BadOption for bad numbers.

    ``seats``: how many there are at its table, where that is known; nobody can help a seat that is not there.
    """
    for level in LEVELS:
        if level.name == name:
            return level()
    kind, *numbers = name.split("-")
    if kind == Pimc.name:
        return Pimc(*_numbers(name, numbers, [(1, MOST)]))
    if kind == Ismcts.name:
        return Ismcts(*_numbers(name, numbers, [(1, MOST)]))
    if kind == Helper.name:
        last = MOST_SEAT if seats is None else seats - 1
        return Helper(*_numbers(name, numbers, [(0, last), (1, MOST)]))
    return None


def _numbers(name: str, written: list[str], limits: list[tuple[int, int]]) -> list[int]:
    """Return the numbers after a name. Raises BadOption."""
    kind = name.split("-")[0]
    if len(written) > len(limits):
        raise BadOption(f"{kind} takes {len(limits)} number{'s' * (len(limits) > 1)}, not {name[:40]!r}.")
    found = []
    for text, (low, high) in zip(written, limits, strict=False):
        number = whole(text)
        if number is None or not low <= number <= high:
            raise BadOption(f"{kind} takes a number from {low} to {high:,} there, not {text[:40]!r} in {name[:40]!r}.")
        found.append(number)
    return found
