"""What the table of Enchère teaches: tips of a first match, by version, and what its numbers and marks mean."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import say
from games.enchere.auction import VERSIONS

SIMPLE, ADVANCED, ORIGINAL = (f"phase:{VERSIONS[name].title}" for name in ("enchere", "avancee", "originale"))

TIPS = (
    tip("goal", "zone:prize", say("Prizes are sold one by one. All three bid one card each, in secret and at once.")),
    tip(
        "worth-simple",
        "counter:points",
        say("An ace counts 4, a king 2, a queen 1. Whoever reaches the target first wins."),
        SIMPLE,
    ),
    tip(
        "worth-advanced",
        "counter:points",
        say("Each prize counts 1, a heart 2, the king of hearts 7. The Joker costs 10: leave it to the others."),
        ADVANCED,
    ),
    tip(
        "worth-original",
        "counter:points",
        say("A round counts only your best poker hand of prizes: from 1 for a pair to 15 for four aces."),
        ORIGINAL,
    ),
    tip(
        "highest",
        "zone:hand:{me}",
        say("The highest rank wins, the jack above all. A bid is spent, won or lost."),
        "moves",
    ),
    tip(
        "tie",
        "zone:prize",
        say("Of tied bids the one in the prize's suit wins. Without it two block each other, and the lowest bid wins."),
        "moves",
    ),
    tip(
        "spare",
        "zone:spare",
        say(
            "A bid of the spare's rank beats all others and is always allowed. Else follow the prize's suit if you can."
        ),
        "moves",
    ),
    tip("settled", "settled", say("Why the last bid won is told here, and the bids lie open until the next ones.")),
    tip("void", "mark:void-*", say("A suit here means: this player did not follow it, and has none left of it.")),
)

ABOUT = {
    "counter:points": say("Points from the rounds that are over. The first to reach the target wins."),
    "mark:void-*": say("Has shown to have none left of this suit."),
    "total:won:*": say("What these prizes are worth as they lie here."),
    "decides:won": say("The bid that wins the prize."),
    "size:prizes": say("Prizes still to come in this round."),
    "size:cash": say("Cash that is out of play: spent, or never dealt in this round."),
}
