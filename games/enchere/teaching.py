"""What Enchère explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.core.cards import SUIT_NAMES
from games.core.teaching import tip
from games.core.view import Sentence, card_arg, say
from games.enchere.auction import RANK, SUIT, VERSIONS
from games.enchere.rules import Observation

SIMPLE, ADVANCED, ORIGINAL = (f"phase:{VERSIONS[name].title}" for name in ("enchere", "avancee", "originale"))

TIPS = (
    tip(
        "goal",
        "zone:prize",
        say("Prizes are sold one by one. All three players bid one card each, in secret and at the same time."),
    ),
    tip(
        "worth-simple",
        "counter:points",
        say("An ace is worth 4, a king 2, a queen 1. The first player to reach the target wins."),
        SIMPLE,
    ),
    tip(
        "worth-advanced",
        "counter:points",
        say("Each prize is worth 1, a heart 2, the king of hearts 7. The Joker costs 10: leave it to the others."),
        ADVANCED,
    ),
    tip(
        "worth-original",
        "counter:points",
        say("A round scores only your best poker hand of prizes, from 1 for a pair to 15 for four aces."),
        ORIGINAL,
    ),
    tip(
        "highest",
        "zone:hand:{me}",
        say("The highest rank wins; the jack is highest. A bid is spent, whether it wins or loses."),
        "moves",
    ),
    tip(
        "tie",
        "zone:prize",
        say(
            "If bids tie, the one in the prize's suit wins. Two that tie without it block each other: the lowest wins."
        ),
        "moves",
    ),
    tip(
        "spare",
        "zone:spare",
        say("A bid of the spare's rank beats all others and is always allowed. Otherwise, follow suit if you can."),
        "moves",
    ),
    tip("settled", "settled", say("This shows why the last bid won. The bids stay face up until the next ones.")),
    tip("void", "mark:void-*", say("A suit here means that this player did not follow it, and has none left.")),
)

ABOUT = {
    "counter:points": say("Points from the rounds that are over. The first to reach the target wins."),
    "mark:void-*": say("Did not follow this suit, so has none left."),
    "total:won:*": say("What these prizes are worth so far."),
    "decides:won": say("The bid that wins the prize."),
    "size:prizes": say("Prizes still to come in this round."),
    "size:cash": say("Cash that is out of play: spent, or never dealt in this round."),
}


def why_not(seen: Observation, touched: str) -> Sentence | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    seat = seen.seat
    if seat is None or not seen.prize:
        return None
    if seen.has_bid[seat]:
        return say("Your bid is on the table. It stays there until everybody has bid.")
    kind, _, name = touched.partition(":")
    if kind == "piece" and name in seen.hands[seat]:  # legal bids are not asked about
        suit = SUIT_NAMES[SUIT[seen.prize]]
        return say("You have {suit}, so you must bid one, or any {rank}.", suit=suit, rank=RANK[seen.spare])
    if (kind == "piece" and name == seen.prize) or name == "prize":
        return say("To win {card}, tap a card in your own hand: that is your bid.", card=card_arg(seen.prize))
    if (kind == "piece" and name == seen.spare) or name == "spare":
        return say("The spare belongs to nobody. Bids of its rank beat all others.")
    if name.startswith("hand:") and name != f"hand:{seat}":
        return say("You can only bid cards from your own hand.")
    if kind == "piece" and name in seen.spent:
        return say("This card has been spent on a bid.")
    return None
