"""The history of a match, as plain data: what the measures are computed from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DIGITS = 9  # decimals of saved estimates, so that the order of summation does not matter


@dataclass(frozen=True)
class DecisionRecord:
    """A decision. Without search, there are no estimates and no means."""

    mover: int
    move: str
    options: int  # legal moves
    estimates: tuple[float, ...] = ()  # by seat: mean scaled rank over the roll-outs of the chosen move
    means: tuple[float, ...] = ()  # by option: mean scaled rank of the mover
    kinds: tuple[str, ...] = ()  # by option: see ``State.move_kinds``; () in matches saved by older versions
    apart: float | None = None  # the squared distance of two options: see ``measures.apart``


@dataclass(frozen=True)
class History:
    """A finished match."""

    index: int  # in its run
    decisions: tuple[DecisionRecord, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    deals: tuple[int, ...] = ()  # by deal: the number of its first decision; () in matches saved by older versions

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.scores)

    def own_estimates(self, seat: int) -> list[float]:
        """Return a seat's estimates of itself at each of its decisions."""
        return [decision.estimates[seat] for decision in self.decisions if decision.mover == seat]


def as_json(history: History) -> dict[str, Any]:
    """Return a history as plain data; ``of_json`` is the inverse."""
    data = asdict(history)
    for each in data["decisions"]:
        if each["apart"] is None:
            del each["apart"]
        if not each["kinds"]:
            del each["kinds"]
    return data


def of_json(data: dict[str, Any]) -> History:
    """Return the history that ``as_json`` encoded. Raises TypeError, KeyError for invalid data."""
    decisions = tuple(
        DecisionRecord(
            each["mover"],
            each["move"],
            each["options"],
            tuple(each["estimates"]),
            tuple(each["means"]),
            tuple(each.get("kinds", ())),
            each.get("apart"),
        )
        for each in data["decisions"]
    )
    scores, ranks, winners = (tuple(data[name]) for name in ("scores", "ranks", "winners"))
    return History(data["index"], decisions, scores, ranks, winners, tuple(data.get("deals", ())))
