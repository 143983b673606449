"""What Stealing Bundles explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.bundles.rules import Observation
from games.core.cards import rank
from games.core.teaching import tip
from games.core.view import Sentence, card_arg, say

TIPS = (
    tip(
        "goal",
        "counter:cards",
        say("Have the largest bundle when all cards are played. This is how many cards yours has."),
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
        say("The small number is how much your bundle would grow if you played this card now."),
        "moves",
    ),
    tip("feed", "zone:hand:{me}", say("A card that matches nothing joins the pool. You must still play one."), "moves"),
    tip(
        "rob",
        "zone:bundle:*",
        say("Match the top card of somebody else's bundle, and all of it is yours."),
        "moves",
    ),
    tip(
        "robbed",
        "zone:bundle:{me}",
        say("A player who plays the rank of your top card takes your bundle. Be careful what you leave on top."),
    ),
    tip(
        "seen",
        "odds",
        say("Open this to see which ranks have been played. If all four cards of a rank have, it is safe on top."),
    ),
)

ABOUT = {
    "counter:cards": say("The cards in this bundle. The largest bundle wins."),
    "mark:first": say("Played first, drawn by lot."),
    "badge:hand:*": say("How much the bundle would grow if this card were played now."),
    "size:bundle:*": say("The cards in this bundle. A player who matches its top card takes them all."),
    "size:stock": say("Cards still to be dealt: four for everybody whenever all hands are empty."),
}


def why_not(seen: Observation, touched: str) -> Sentence | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    seat = seen.seat
    if seat is None or seen.mover != seat:
        return None
    _, _, name = touched.partition(":")
    if name.startswith("stock"):
        return say("Cards are dealt from the stock automatically, when all hands are empty.")
    if name == f"bundle:{seat}" or (seen.bundles[seat] and name == seen.bundles[seat][-1]):
        return say("You cannot take your own bundle. Play a card that matches the pool or somebody else's top card.")
    if name.startswith("hand:") and name != f"hand:{seat}":
        return say("Cards in other hands cannot be taken. Only bundles can be stolen, by their top card.")
    tops = [bundle[-1] for bundle in seen.bundles if bundle]
    if name in seen.pool or name in tops:
        fitting = [face for face in seen.hands[seat] if rank(face) == rank(name)]
        if fitting:
            return say("To take it, play your {card}: it has the same rank.", card=card_arg(fitting[0]))
        return say("You would need a card of the same rank to take it.")
    return None
