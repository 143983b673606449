"""The ids of places and pieces on the table, which the view and the log share."""

from __future__ import annotations

from games.camelup.terms import COLOURS, Terms

FINISH = "finish"
PYRAMID = "pyramid"
DICE = "dice"
ROLLED = "rolled"
WINNER_PILE, LOSER_PILE = "race:win", "race:lose"


def space(terms: Terms, square: int) -> str:
    """Return the id of a space of the track; all those beyond the finish line have one id."""
    return f"space:{square + 1}" if square < terms.spaces else FINISH


def camel(number: int) -> str:
    """Return the id of a camel."""
    return f"camel:{COLOURS[number]}"


def die(number: int) -> str:
    """Return the id of a camel's die."""
    return f"die:{COLOURS[number]}"


def leg_pile(number: int) -> str:
    """Return the id of the pile of a camel's leg tiles."""
    return f"leg:{COLOURS[number]}"


def leg_tile(number: int, index: int) -> str:
    """Return the id of a camel's leg tile: the ``index``-th to be taken."""
    return f"leg:{COLOURS[number]}:{index}"


def taken(seat: int) -> str:
    """Return the id of the place where a seat keeps its leg tiles."""
    return f"bets:{seat}"


def desert(seat: int) -> str:
    """Return the id of the place where a seat's desert tile waits."""
    return f"desert:{seat}"


def tile(seat: int, side: int) -> str:
    """Return the id of a side of a seat's desert tile."""
    return f"oasis:{seat}" if side > 0 else f"mirage:{seat}"


def hand(seat: int) -> str:
    """Return the id of a seat's hand of race cards."""
    return f"cards:{seat}"


def card(seat: int, number: int) -> str:
    """Return the id of a seat's race card of a camel, where it is seen."""
    return f"card:{seat}:{COLOURS[number]}"
