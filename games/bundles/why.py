"""Why something on the table of Stealing Bundles cannot be used by whoever is to act."""

from __future__ import annotations

from games.bundles.rules import Observation
from games.core.cards import rank
from games.core.view import Text, card_arg, say


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why what was touched is no part of a legal move; None: nothing to say of it."""
    seat = seen.seat
    if seat is None or seen.mover != seat:
        return None
    _, _, name = touched.partition(":")
    if name in seen.hands[seat] or name.startswith("seat") or touched.startswith("seat:"):
        return None
    if name.startswith("stock"):
        return say("Cards come from the stock by themselves, when all hands are empty.")
    if name == f"bundle:{seat}" or (seen.bundles[seat] and name == seen.bundles[seat][-1]):
        return say("Your own bundle is no catch. Play a card that matches the pool or somebody else's top card.")
    if name.startswith("hand:"):
        return say("Cards in other hands cannot be had. Only the top cards of bundles can be stolen by.")
    tops = [bundle[-1] for bundle in seen.bundles if bundle]
    if name in seen.pool or name in tops:
        fitting = [face for face in seen.hands[seat] if rank(face) == rank(name)]
        if fitting:
            return say("To take it play your {card}: it has the same rank.", card=card_arg(fitting[0]))
        return say("You would need a card of the same rank to take it.")
    return None
