"""What is kept of a match for the measures: plain data, of matches with search and without."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DIGITS = 9  # of estimates that are kept: what differs by less is the same number, added up in another order


@dataclass(frozen=True)
class Decision:
    """One decision. Where nobody searched, there are no estimates and no means."""

    mover: int
    move: str
    options: int  # legal moves
    estimates: tuple[float, ...] = ()  # of each player: the mean scaled rank over the roll-outs of the chosen move
    means: tuple[float, ...] = ()  # of each option: the mover's mean scaled rank


@dataclass(frozen=True)
class History:
    """A match that came to its end."""

    index: int  # in its run
    decisions: tuple[Decision, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        """How many played."""
        return len(self.scores)

    def own_estimates(self, player: int) -> list[float]:
        """Return what ``player`` thought of itself, at each of its decisions."""
        return [decision.estimates[player] for decision in self.decisions if decision.mover == player]


def as_json(history: History) -> dict[str, Any]:
    """Return a history as plain data: ``of_json`` makes an equal one of it."""
    return asdict(history)


def of_json(found: dict[str, Any]) -> History:
    """Return the history that ``as_json`` described. Raises TypeError, KeyError for what is none."""
    decisions = tuple(
        Decision(each["mover"], each["move"], each["options"], tuple(each["estimates"]), tuple(each["means"]))
        for each in found["decisions"]
    )
    scores, ranks, winners = (tuple(found[name]) for name in ("scores", "ranks", "winners"))
    return History(found["index"], decisions, scores, ranks, winners)
