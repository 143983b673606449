"""What the table of Camel Up teaches: tips of a first match, and what its numbers and marks mean."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import say

TIPS = (
    tip(
        "goal",
        "counter:coins",
        say("Have the most coins when the first camel is past the finish. You own no camel: you bet."),
    ),
    tip(
        "stack",
        "track",
        say("Camels on one space stand on each other. One that moves carries all on its back; the top one is ahead."),
    ),
    tip(
        "roll",
        "zone:pyramid",
        say("On your turn do one of four things. First: tap the pyramid to roll a die. A roll earns a coin."),
        "move:roll",
    ),
    tip(
        "leg",
        "zone:leg:*",
        say("Second: take a leg tile. It pays its number if that camel leads when all dice are rolled, 1 if second."),
        "move:bet*",
    ),
    tip(
        "race",
        "zone:cards:{me}",
        say("Third: put a card on the pile for the winner or the loser of the whole race. Early ones pay most."),
        "move:race*",
    ),
    tip(
        "tile",
        "zone:desert:{me}",
        say("Fourth: lay your tile on a space. Camels that end on it go one on or back, and you get a coin."),
        "move:tile*",
    ),
    tip(
        "reckoning",
        "reckoning",
        say("A leg is over when all five dice are rolled: right bets are paid, wrong ones cost a coin."),
    ),
)

ABOUT = {
    "counter:coins": say("The most coins at the end of the race win."),
    "counter:pyramids": say("Rolls made in this leg: each is a coin when the leg is scored."),
    "mark:first": say("Begins the race, as it was drawn by lot."),
    "badge:leg:*": say("Coins for whoever holds this tile if its camel leads at the end of the leg."),
    "badge:bets:*": say("Coins at the end of the leg if this camel leads. It is 1 if it is second, else a coin lost."),
    "badge:desert:*": say("Camels that end on this side move so much: +1 is one space on, the mirage one back."),
    "badge:piece:oasis": say("An oasis: camels that end here move one space on. Its owner gets a coin."),
    "badge:piece:mirage": say("A mirage: camels that end here move one back, and under. Its owner gets a coin."),
    "badge:rolled": say("What this die showed: its camel has moved so far, and moves no more in this leg."),
    "size:leg:*": say("Leg tiles left of this camel."),
    "size:race:*": say("Race cards laid here. Of the right ones the first earns 8 coins, the next ones less."),
    "space:finish": say("The race is over as soon as a camel is here."),
}
