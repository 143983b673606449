"""What the table of Stealing Bundles teaches: tips of a first match, and what its numbers and marks mean."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import say

TIPS = (
    tip(
        "goal",
        "counter:cards",
        say("Have the largest bundle when all cards are played. This counts the cards in yours."),
    ),
    tip(
        "catch",
        "zone:pool",
        say("Play a card, and it takes all cards of its rank from the pool. Suits do not matter."),
        "moves",
    ),
    tip(
        "badge",
        "badge:hand:{me}",
        say("The small number says by how much this card would make your bundle grow now."),
        "moves",
    ),
    tip(
        "feed", "zone:hand:{me}", say("A card that matches nothing joins the pool. You must play one even so."), "moves"
    ),
    tip(
        "rob",
        "zone:bundle:*",
        say("Match the top card of somebody else's bundle, and all of it is yours."),
        "moves",
    ),
    tip(
        "robbed",
        "zone:bundle:{me}",
        say("Whoever plays the rank of your own top card takes your bundle. Mind what you leave on top."),
    ),
    tip("seen", "odds", say("Open this to see which ranks have gone. A rank that is all played is safe on top.")),
)

ABOUT = {
    "counter:cards": say("The cards in this bundle. The largest bundle wins."),
    "mark:first": say("Played first, as it was drawn by lot."),
    "badge:hand:*": say("By how much this card would make the bundle grow if it were played now."),
    "size:bundle:*": say("The cards in this bundle. Whoever matches its top card takes them all."),
    "size:stock": say("Cards still to be dealt: four for everybody whenever all hands are empty."),
}
