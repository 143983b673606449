"""What the log of a text leaves out: cards that the rules put away, in order or together.

Cards that the rules put together and shuffle are one sentence, wherever they were before, and what a player has just
taken is not said again when the rules sort it into that player's places. A step in which somebody sees a card for the
first time is said all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.recycle.machine import Action, Event, Op, Position


@dataclass
class Gathered:
    """Cards that the rules have put into a place and shuffled there.

    ``steps``: by event, their moves that need no entry of their own. ``ways``: (card, last source, place).
    ``all``: no player has a card any more.
    """

    place: int
    steps: set[int] = field(default_factory=set)
    ways: list[tuple[int, int, int]] = field(default_factory=list)
    all: bool = False


def shuffled(s: Position, events: Sequence[Event], own: int) -> dict[int, Gathered]:
    """Return by the shuffle of a place which cards the rules have put there before it, and where they were.

    ``own``: the number of events that the player chose, which come first.
    """
    found: dict[int, Gathered] = {}
    moves: dict[int, list[int]] = {}  # by card: its moves, by event
    lies = dict(enumerate(s.W))
    for action, note in reversed(events):
        if action[0] == Op.MOVE:
            lies[action[2]] = note
    for at, (action, _) in enumerate(events):
        if action[0] == Op.MOVE:
            lies[action[2]] = action[3]
            if at >= own:
                moves.setdefault(action[2], []).append(at)
        elif action[0] == Op.SHUFFLE and not isinstance(action[2], list) and s.owners[action[2]] < 0:
            place, gathered = action[2], Gathered(action[2])
            for card, its in moves.items():
                if lies[card] == place and events[its[0]][1] != place:
                    gathered.steps.update(step for step in its if _shows_nothing(s, *events[step]))
                    gathered.ways.append((card, events[its[-1]][1], place))
            gathered.all = not any(place >= 0 and _is_held(s, card, place) for card, place in lies.items())
            moves.clear()
            if gathered.ways:
                found[at] = gathered
    return found


def kept_by_taker(s: Position, events: Sequence[Event], own: int) -> set[int]:
    """Return the moves in which the rules sort what a player has just taken into that player's places.

    ``own``: the number of events that the player chose, which come first.
    """
    owners, taken, found = s.owners, dict[int, int](), set[int]()
    for at, (action, note) in enumerate(events):
        if action[0] != Op.MOVE:
            continue
        if at < own:
            if owners[action[3]] >= 0 and owners[note] != owners[action[3]]:
                taken[action[2]] = owners[action[3]]
        elif taken.get(action[2]) == owners[action[3]] == owners[note] and _shows_nothing(s, action, note):
            found.add(at)
    return found


def _is_held(s: Position, card: int, place: int) -> bool:
    """Return whether a place is a player's, and what lies there is a card."""
    return s.owners[place] >= 0 and s.program.cards.kinds[card] == "deck"


def _shows_nothing(s: Position, action: Action, source: int) -> bool:
    """Return whether a move of a card shows it to nobody who did not see it before."""
    return not s.sees[action[3]] & ~s.sees[source]
