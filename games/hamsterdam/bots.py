"""The house bot of Hamsterdam Exchange: a few simple decisions, as in the game it comes from.

Source: "Hamsterdam Exchange", SeaLeft Studios, 27 September 2019, the three points of section "Development".
"""

from __future__ import annotations

from games.core import Bot, Information
from games.core.cards import pips, suit
from games.hamsterdam.rules import Observation, total

MOST_TRADED_AWAY = 5  # pips of a stock


class HouseBot(Bot):
    """Trades poor stocks, and fights with modifiers only while it is lowest."""

    name = "house"
    title = "House AI"

    def choose(self, info: Information) -> str:
        return choose(info.observation, info.seat)


def choose(seen: Observation, me: int) -> str:
    """Return the move of a seat that is to act."""
    return market(seen, me) if seen.phase == "market" else adjustment(seen, me)


def market(seen: Observation, me: int) -> str:
    """Trade a stock of 5 or less, unless the player before me traded with me and took a lower card than I hold now."""
    own = pips(seen.stock[me])
    if own > MOST_TRADED_AWAY:
        return "keep"
    seats = len(seen.certificates)
    before = next(other % seats for other in range(me + seats - 1, me, -1) if seen.certificates[other % seats])
    # The dealer trades last and with the deck. So a player before me who has traded did so with me, and I know the
    # card.
    taken = seen.remembers[before]
    if seen.decided[before] == "trade" and taken and pips(taken) < own:
        return "keep"
    return "trade"


def adjustment(seen: Observation, me: int) -> str:
    """Pass unless I am lowest, or tied for it, and my modifiers can save me from being lowest alone."""
    hand = seen.hands[me]
    seats = len(seen.certificates)
    others = [other % seats for other in range(me + 1, me + seats) if seen.certificates[other % seats]]
    totals = {seat: total(seen.stock[seat], seen.played[seat]) for seat in (me, *others)}
    # Of several lowest, the first to my left: others are in that order.
    lowest = min(others, key=totals.__getitem__)
    if not hand or totals[me] > totals[lowest]:
        return "pass"
    spades = [face for face in hand if suit(face) == "S"]
    hearts = [face for face in hand if suit(face) == "H"]
    # No combination does more than all spades on me and all hearts on the next lowest.
    if totals[me] + sum(map(pips, spades)) < totals[lowest] - sum(map(pips, hearts)):
        return "pass"
    if spades:
        return f"play {min(spades, key=pips)} on {me}"
    return f"play {min(hearts, key=pips)} on {lowest}"
