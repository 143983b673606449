"""Why something on the table of Card Thief cannot be used."""

from __future__ import annotations

from games.core.view import Text, say
from games.thief.rules import Observation


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why what was touched is no part of a legal move; None: nothing to say of it."""
    if seen.seat != 0 or seen.ending:
        return None
    if touched.startswith("piece:card:") or touched.startswith("zone:cell"):
        return say("A path goes on to a card that touches the last one, diagonals too, and to none twice.")
    if touched == "piece:thief":
        return say("Here you stand. A path begins at a card beside you.")
    return None
