"""What findings are made from, as far as the figures of a report do not have it: counts over all matches of a run.

They are part of a report, so that findings can be made again from the report alone, in any language.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

import numpy as np

from games.core.ranks import win_shares
from games.lab.analyse import Run, RunResult
from games.lab.histories import DIGITS, DecisionRecord, History

PART = 3  # the leader is noted after this part of a match: a third
CERTAIN = 0.95  # estimate of the winner from which the match is decided, if it stays there
EARLY = 0.8  # share of matches by which "decided" is dated
KINDS = 60  # kinds of moves that are stored
_LINE = re.compile(r"([1-9]\d*):\d+\Z")


def line_of(kind: str) -> int | None:
    """Return the line of the text where a kind of moves (``State.move_kinds``) stands; None for one that has none."""
    place = _LINE.match(kind)
    return int(place[1]) if place else None


class Counted(TypedDict):
    """How many decisions there were, and how many of them were forced."""

    decisions: int
    forced: int


class Leader(TypedDict):
    """How often the player who leads after a third of a match wins it; shared leads and wins count in part.

    ``expected`` are the wins that the seats which lead have in any case: in an unfair game the leader wins because of
    the seat. Older reports lack it.
    """

    matches: int
    wins: float
    expected: NotRequired[float]
    decision: float  # the mean number of decisions made until then
    length: float


class Decided(TypedDict):
    """The part of a match after which the winner was certain, in so many of the matches (``EARLY``)."""

    matches: int
    part: float
    decision: float  # in decisions, of a match of mean length


class MoveKind(TypedDict):
    """Moves of a kind: at how many decisions there were others beside them, and how often they were the best.

    Decisions at which all moves were equally good do not count. If moves of several kinds were the best, each kind
    counts in part, because the bot takes the first of equal moves, which says nothing about the others.
    """

    offered: int
    best: float
    move: str  # an example that was made; "" if there is none


class Lengths(TypedDict):
    """The length of matches at random, in decisions."""

    median: float
    long: float  # which a twentieth of the matches reach
    longest: int


class Evidence(TypedDict, total=False):
    """Missing keys: there is nothing to count."""

    random: Counted
    search: Counted
    seats: list[Counted]  # by seat, at random and with search
    places: list[Counted]  # by place in a round of as many decisions as there are players
    leader: Leader
    decided: Decided
    kinds: dict[str, MoveKind]
    lengths: Lengths


def evidence(played: Mapping[Run, RunResult], seats: int) -> Evidence:
    """Return the evidence of all matches."""
    random, search = played["random"].histories, played["search"].histories
    found: Evidence = {}
    if random:
        found["random"] = counted([each for history in random for each in history.decisions])
        found["lengths"] = _lengths(random)
    if search:
        found["search"] = counted([each for history in search for each in history.decisions])
        if kinds := _kinds(search):
            found["kinds"] = kinds
    if seats > 1 and (random or search):
        found["seats"] = by_seat([*random, *search], seats)
        found["places"] = by_place([*random, *search], seats)
    if seats > 1 and (long_enough := [each for each in search if len(each.decisions) >= PART]):
        found["leader"] = _leader(long_enough)
        found["decided"] = _decided(long_enough)
    return found


def counted(decisions: Sequence[DecisionRecord]) -> Counted:
    """Count decisions."""
    return {"decisions": len(decisions), "forced": sum(each.options == 1 for each in decisions)}


def by_seat(histories: Sequence[History], seats: int) -> list[Counted]:
    """Count the decisions of each seat."""
    everything = [each for history in histories for each in history.decisions]
    return [counted([each for each in everything if each.mover == seat]) for seat in range(seats)]


def by_place(histories: Sequence[History], seats: int) -> list[Counted]:
    """Count decisions by their place in a round: the first, the second, ... of as many as there are players."""
    return [
        counted([each for history in histories for each in history.decisions[place::seats]]) for place in range(seats)
    ]


def _leader(histories: Sequence[History]) -> Leader:
    shares = [win_shares(history.winners, history.seats) for history in histories]
    rates = [sum(of_seat) / len(histories) for of_seat in zip(*shares, strict=True)]
    wins = expected = 0.0
    for history, share in zip(histories, shares, strict=True):
        estimates = history.decisions[len(history.decisions) // PART].estimates
        leading = [player for player, mine in enumerate(estimates) if mine == max(estimates)]
        wins += sum(share[player] for player in leading) / len(leading)
        expected += sum(rates[player] for player in leading) / len(leading)
    lengths = [len(history.decisions) for history in histories]
    return {
        "matches": len(histories),
        "wins": wins,
        "expected": round(expected, DIGITS),
        "decision": sum(length // PART for length in lengths) / len(lengths),
        "length": sum(lengths) / len(lengths),
    }


def _decided(histories: Sequence[History]) -> Decided:
    parts = sorted(certain_from(history) for history in histories)
    part = parts[math.ceil(EARLY * len(parts)) - 1]
    length = sum(len(history.decisions) for history in histories) / len(histories)
    return {"matches": len(histories), "part": part, "decision": part * length}


def certain_from(history: History) -> float:
    """Return the part of a match after which a winner's estimates never fell below ``CERTAIN``; 1: not before the end.

    Of several winners, the one who was certain first. A match that nobody won is never certain.
    """
    latest = 1.0
    for winner in history.winners:
        number = len(history.decisions)
        while number and history.decisions[number - 1].estimates[winner] >= CERTAIN:
            number -= 1
        latest = min(latest, number / len(history.decisions))
    return latest


def _kinds(histories: Sequence[History]) -> dict[str, MoveKind]:
    """Count moves by kind, at decisions that offer several kinds; the most frequent kinds."""
    found: dict[str, MoveKind] = {}
    for history in histories:
        for each in history.decisions:
            best = max(each.means)
            if len(set(each.kinds)) < 2 or min(each.means) == best:
                continue
            winning = {kind for mean, kind in zip(each.means, each.kinds, strict=True) if mean == best}
            made = each.kinds[each.means.index(best)]
            for kind in dict.fromkeys(each.kinds):
                known = found.setdefault(kind, {"offered": 0, "best": 0.0, "move": ""})
                known["offered"] += 1
                known["best"] += (kind in winning) / len(winning)
                if kind == made and not known["move"]:
                    known["move"] = each.move
    for known in found.values():
        known["best"] = round(known["best"], DIGITS)
    often = sorted(found.items(), key=lambda item: -item[1]["offered"])[:KINDS]
    return dict(sorted(often))


def _lengths(histories: Sequence[History]) -> Lengths:
    lengths = [len(history.decisions) for history in histories]
    median, long = np.quantile(lengths, [0.5, 0.95])
    return {"median": float(median), "long": float(long), "longest": max(lengths)}
