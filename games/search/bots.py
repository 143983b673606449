"""The bots that can play any game, and the names they have on the command line.

easy  medium  strong        the levels that people choose at a table
pimc-10                     flat Monte Carlo, 10 roll-outs of each move
ismcts-500                  tree search, 500 roll-outs per decision
helper-0  helper-0-500      tree search for a win of seat 0, with 500 roll-outs per decision
blind-10  selfish-10  greedy-10  without=pass-10  always=pass-10
                            flat Monte Carlo with a restriction: see ``games.search.restricted``

The number of roll-outs may be left out, except after a kind of move.

The levels have the same budgets for every game. A decision takes from a few hundredths of a second to several seconds,
depending on how expensive the game's roll-outs are. At a table ``Information.enough`` also limits the time, so a slow
game gets fewer roll-outs.
"""

from __future__ import annotations

from games.core import BadOption, Bot, Information
from games.core.bot import Needs
from games.core.options import whole
from games.search import ismcts, pimc, restricted
from games.search.ismcts import Ismcts, decide
from games.search.pimc import Pimc

MOST_ROLLOUTS = 1_000_000  # that a name may ask for
LAST_SEAT = 99  # that a helper may have if the number of seats is not known
EXAMPLES = (f"pimc-{pimc.ROLLOUTS}", f"ismcts-{ismcts.ROLLOUTS}", "helper-0")  # names, for error messages


class Helper(Bot):
    """Searches for the move after which seat ``favourite`` wins most often. In that seat it plays for its own result.

    It assumes that the other players play for their own results. It maximises wins instead of ranks: it could improve
    the rank of its favourite simply by losing itself.
    """

    name = "helper"
    title = "Helper"
    needs: Needs = "determinizations"

    def __init__(self, favourite: int = 0, rollouts: int = ismcts.ROLLOUTS) -> None:
        self.favourite = favourite
        self.rollouts = rollouts

    def choose(self, info: Information) -> str:
        return decide(info, self.rollouts, self.favourite)


class _Level(Bot):
    """Tree search with ``rollouts`` roll-outs, or fewer if the budget of the decision is smaller."""

    needs: Needs = "determinizations"
    rollouts: int

    def choose(self, info: Information) -> str:
        return decide(info, min(self.rollouts, info.budget))


class Easy(_Level):
    """Searches a little."""

    name = "easy"
    title = "Easy"
    rollouts = 40


class Medium(_Level):
    """Searches more."""

    name = "medium"
    title = "Medium"
    rollouts = 200


class Strong(_Level):
    """Searches as much as the budget allows."""

    name = "strong"
    title = "Strong"
    rollouts = 1000


LEVELS: tuple[type[Bot], ...] = (Easy, Medium, Strong)


def bot_named(name: str, seats: int | None = None) -> Bot | None:
    """Return the search bot of a name; None if no search bot has such a name.

    ``seats`` is the number of seats at its table, if known: a helper cannot help a seat that does not exist. Raises
    BadOption if the name begins like that of a search bot, but its numbers or its kind of move are wrong.
    """
    for level in LEVELS:
        if level.name == name:
            return level()
    kind, *numbers = name.split("-")
    if kind in restricted.SIMPLE:
        return restricted.SIMPLE[kind](*_numbers(name, numbers, [(1, MOST_ROLLOUTS)]))
    which, equals, rest = name.partition("=")
    if equals and which in restricted.OF_KIND:
        move_kind, dash, number = rest.rpartition("-")
        if not (dash and move_kind):
            raise BadOption(f"Write {which}=KIND-ROLLOUTS, as in {which}=pass-10, not {name[:40]!r}.")
        return restricted.OF_KIND[which](move_kind, *_numbers(name, [number], [(1, MOST_ROLLOUTS)]))
    if kind == Pimc.name:
        return Pimc(*_numbers(name, numbers, [(1, MOST_ROLLOUTS)]))
    if kind == Ismcts.name:
        return Ismcts(*_numbers(name, numbers, [(1, MOST_ROLLOUTS)]))
    if kind == Helper.name:
        last = LAST_SEAT if seats is None else seats - 1
        return Helper(*_numbers(name, numbers, [(0, last), (1, MOST_ROLLOUTS)]))
    return None


def _numbers(name: str, written: list[str], limits: list[tuple[int, int]]) -> list[int]:
    """Return the numbers ``written`` in a bot's name; there may be fewer than ``limits``.

    ``limits`` are the lowest and the highest value of each. Raises BadOption.
    """
    kind = name.partition("-")[0].partition("=")[0]
    if len(written) > len(limits):
        raise BadOption(f"{kind} takes {len(limits)} number{'s' if len(limits) > 1 else ''}, not {name[:40]!r}.")
    numbers = []
    for text, (low, high) in zip(written, limits, strict=False):
        number = whole(text)
        if number is None or not low <= number <= high:
            raise BadOption(f"{kind} takes a number from {low} to {high:,}, not {text[:40]!r} as in {name[:40]!r}.")
        numbers.append(number)
    return numbers
