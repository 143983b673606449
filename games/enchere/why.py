"""Why something on the table of Enchère cannot be used by whoever is to bid."""

from __future__ import annotations

from games.core.cards import SUIT_NAMES
from games.core.view import Text, card_arg, say
from games.enchere.auction import RANK, SUIT, legal_bids
from games.enchere.rules import Observation


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why what was touched is no part of a legal move; None: nothing to say of it."""
    seat = seen.seat
    if seat is None or not seen.prize:
        return None
    if seen.has_bid[seat]:
        return say("Your bid lies on the table. It stays until all have bid.")
    kind, _, name = touched.partition(":")
    hand = seen.hands[seat]
    if kind == "piece" and name in hand:
        if name in legal_bids(hand, seen.prize, seen.spare):
            return None
        suit = SUIT_NAMES[SUIT[seen.prize]]
        return say("You have {suit}, so you must bid one, or any {rank}.", suit=suit, rank=RANK[seen.spare])
    if (kind == "piece" and name == seen.prize) or name == "prize":
        return say("To win {card}, tap a card of your own hand: that is your bid.", card=card_arg(seen.prize))
    if (kind == "piece" and name == seen.spare) or name == "spare":
        return say("The spare belongs to nobody. Bids of its rank beat all others.")
    if name.startswith("hand:"):
        return say("You bid from your own hand only.")
    if kind == "piece" and name in seen.spent:
        return say("This card has been bid and is spent.")
    return None
