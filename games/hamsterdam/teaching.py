"""What the table of Hamsterdam Exchange teaches: tips of a first match, and what its numbers and marks mean."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import say

TIPS = (
    tip(
        "goal",
        "counter:certificates",
        say("Be the last with a certificate. In each round the lowest stock loses one, and here are yours."),
    ),
    tip(
        "stock",
        "zone:stock:{me}",
        say("This is your stock, ace to ten. It need not be the highest: only the lowest loses."),
    ),
    tip(
        "market",
        "moves",
        say("Keep your stock, or trade it with the next player to your left. Nobody can refuse a trade."),
        "move:keep",
    ),
    tip(
        "dealer",
        "mark:dealer",
        say("The dealer comes last, and trades with the deck instead of a neighbour."),
    ),
    tip(
        "adjust",
        "zone:modifiers:{me}",
        say("Now all stocks are open. Tap a modifier, then a player: spades add to a stock, hearts take away."),
        "target",
        "move:pass",
    ),
    tip(
        "pass",
        "moves",
        say("Or pass and save your modifiers. The round ends when all have passed in a row."),
        "move:pass",
    ),
    tip("reckoning", "reckoning", say("This was the reckoning: everybody tied for lowest loses a certificate.")),
)

ABOUT = {
    "counter:certificates": say("Lives: whoever has none is out. The lowest stock of a round loses one."),
    "mark:kept": say("Kept the stock in this round's market."),
    "mark:traded": say("Traded the stock away in this round's market."),
    "mark:passed": say("Has passed. When all have passed in a row, the round is reckoned."),
    "mark:dealer": say("Deals: comes last in the round, and trades with the stock deck."),
    "total:stock:*": say("This stock with all modifiers on it. The lowest loses a certificate."),
    "badge:modifiers:*": say("What this modifier does to a stock: spades add, hearts take away."),
    "badge:played:*": say("What this modifier does to the stock it lies on."),
    "known:stock:*": say("You gave this card away, so you know what lies here, as long as it is not traded on."),
    "known:discard": say("The stock that you laid aside as dealer."),
    "decides:lost": say("The lowest stock of the round: it costs a certificate."),
    "size:deck:stock": say("Stocks left in the deck. Only a dealer who trades draws one."),
    "size:deck:modifier": say("Modifiers left in the deck. Everybody gets one at each deal, while there are any."),
}
