"""What Hamsterdam Exchange explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.core.teaching import tip
from games.core.view import Sentence, say, seat_arg
from games.hamsterdam.rules import MODIFIER_VALUE, Observation, left_of

TIPS = (
    tip(
        "goal",
        "counter:certificates",
        say("Be the last with a certificate. In each round the lowest stock loses one. Yours are here."),
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
        say("Now all stocks are face up. Tap a modifier, then a player: spades add to a stock, hearts take away."),
        "target",
        "move:pass",
    ),
    tip(
        "pass",
        "moves",
        say("Or pass and save your modifiers. The round ends when all have passed in a row."),
        "move:pass",
    ),
    tip(
        "scoring",
        "scoring",
        say("This was the scoring: the lowest stock loses a certificate. If several tie, each loses one."),
    ),
)

ABOUT = {
    "counter:certificates": say("Lives: the lowest stock of each round loses one. A player with none is out."),
    "mark:kept": say("Kept the stock in this round's market."),
    "mark:traded": say("Traded the stock away in this round's market."),
    "mark:passed": say("Has passed. When all have passed in a row, the round is scored."),
    "mark:dealer": say("Deals: comes last in the round, and trades with the stock deck."),
    "total:stock:*": say("This stock with all modifiers on it. The lowest loses a certificate."),
    "badge:modifiers:*": say("What this modifier does to a stock: spades add, hearts take away."),
    "badge:played:*": say("What this modifier does to the stock it lies on."),
    "known:stock:*": say("You gave this card away, so you know it until it is traded again."),
    "known:discard": say("The stock that you discarded as dealer."),
    "decides:lost": say("The lowest stock of the round: it costs a certificate."),
    "size:deck:stock": say("Stocks left in the deck. Only a dealer who trades draws one."),
    "size:deck:modifier": say("Modifiers left in the deck. Everybody gets one at each deal, as long as there are any."),
}


def why_not(seen: Observation, touched: str) -> Sentence | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    seat = seen.seat
    if seat is None or seen.mover != seat:
        return None
    kind, _, name = touched.partition(":")
    if name in ("deck:modifier", "deck:modifier#0"):
        return say("Modifiers are dealt at the start of a round. You cannot draw one.")
    if seen.phase == "market":
        return _in_market(seen, seat, kind, name)
    if kind == "piece" and name in MODIFIER_VALUE and name in seen.hands[seat]:
        return None
    if kind == "seat" and not seen.certificates[int(name)]:
        return say("{seat} is out: there is no stock to play on.", seat=seat_arg(int(name)))
    if name in MODIFIER_VALUE:
        return say("This modifier has been played. It stays where it lies until the round is over.")
    if "modifiers:" in name and name != f"modifiers:{seat}":
        return say("You can only play modifiers from your own hand.")
    if "deck:stock" in name or "discard" in name:
        return say("Trading is over for this round.")
    if not seen.hands[seat]:
        return say("You have no modifier left: pass.")
    return say("First tap one of your modifiers, then the player it is for.")


def _in_market(seen: Observation, seat: int, kind: str, name: str) -> Sentence | None:
    if kind == "piece" and name == seen.stock[seat]:
        return None
    if "modifiers:" in name or name in MODIFIER_VALUE:
        return say("Modifiers are played later, when everybody has traded and the stocks are face up.")
    if "discard" in name:
        return say("A stock that a dealer discards stays there until the round is over.")
    if seat == seen.dealer:
        if "deck:stock" in name:
            return say("First tap your stock, then the deck.")
        return say("As the dealer you keep your stock, or trade it with the stock deck.")
    left = left_of(seat, seen.certificates)
    if "deck:stock" in name:
        return say("Only the dealer trades with the stock deck. You may trade with {seat}.", seat=seat_arg(left))
    if (kind == "seat" and int(name) == left) or name.startswith(f"stock:{left}"):
        return say("First tap your own stock, then {seat}.", seat=seat_arg(left))
    return say("You can only trade with the next player to your left: {seat}.", seat=seat_arg(left))
