"""Why something on the table of Hamsterdam Exchange cannot be used by whoever is to act."""

from __future__ import annotations

from games.core.view import Text, say, seat_arg
from games.hamsterdam.rules import MODIFIER_VALUE, Observation, left_of


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why what was touched is no part of a legal move; None: nothing to say of it."""
    seat = seen.seat
    if seat is None or seen.mover != seat:
        return None
    kind, _, name = touched.partition(":")
    if name in ("deck:modifier", "deck:modifier#0"):
        return say("Modifiers are dealt at the beginning of a round. Nobody draws one.")
    if seen.phase == "market":
        return _in_market(seen, seat, kind, name)
    if kind == "piece" and name in MODIFIER_VALUE and name in seen.hands[seat]:
        return None
    if kind == "seat" and not seen.certificates[int(name)]:
        return say("{seat} is out: there is no stock to play on.", seat=seat_arg(int(name)))
    if name in MODIFIER_VALUE:
        return say("This modifier has been played. It stays where it lies until the round is over.")
    if "modifiers:" in name:
        return say("You play modifiers from your own hand only.")
    if "deck:stock" in name or "discard" in name:
        return say("Trading is over for this round.")
    if not seen.hands[seat]:
        return say("You have no modifier left: pass.")
    return say("First tap one of your modifiers, then the player it is for.")


def _in_market(seen: Observation, seat: int, kind: str, name: str) -> Text | None:
    if kind == "piece" and name == seen.stock[seat]:
        return None
    if "modifiers:" in name or name in MODIFIER_VALUE:
        return say("Modifiers are played later, when all have traded and the stocks lie open.")
    if "discard" in name:
        return say("What a dealer has laid aside stays there until the round is over.")
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
