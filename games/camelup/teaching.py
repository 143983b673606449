"""What Camel Up explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.camelup import places
from games.camelup.rules import Observation
from games.camelup.rules_engine import PATIENCE
from games.core.teaching import tip
from games.core.view import Text, say, seat_arg

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
    "badge:leg:*": say("Coins for the player who holds this tile if its camel leads at the end of the leg."),
    "badge:bets:*": say("Coins at the end of the leg if this camel leads. It is 1 if it is second, else a coin lost."),
    "badge:desert:*": say("Camels that end on this side move so much: +1 is one space on, the mirage one back."),
    "badge:piece:oasis": say("An oasis: camels that end here move one space on. Its owner gets a coin."),
    "badge:piece:mirage": say("A mirage: camels that end here move one back, and under. Its owner gets a coin."),
    "badge:rolled": say("What this die showed: its camel has moved this far, and does not move again in this leg."),
    "size:leg:*": say("Leg tiles left of this camel."),
    "size:race:*": say("Race cards laid here. Of the right ones the first earns 8 coins, the next ones less."),
    "space:finish": say("The race is over as soon as a camel is here."),
}


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why the touched thing is not part of a legal move; None if there is nothing to say about it."""
    race, seat = seen.position, seen.seat
    if seat is None or race.over or race.mover != seat:
        return None
    kind, _, name = touched.partition(":")
    family = name.split(":", 1)[0]
    if kind == "zone" and (family == "space" or name == places.FINISH):
        return _space(seen, seat, name)
    if family in ("oasis", "mirage"):
        return _tile(seen, seat, int(name.split(":")[1]))
    if family == "camel":
        return say("Camels belong to nobody. Bet on them with a leg tile or a race card.")
    if family in ("die", places.DICE, places.ROLLED):
        return say("Chance picks the die: tap the pyramid to roll.")
    if family in ("leg", "bets"):
        return say("Only the top leg tile of a colour can be taken. What somebody holds stays until the leg ends.")
    if family == "race":
        return say("First tap one of your race cards, then the pile for the winner or the loser.")
    if family == "cards":
        return say("These are the race cards of somebody else.")
    return None


def _tile(seen: Observation, seat: int, owner: int) -> Text:
    if owner != seat:
        return say("This is the desert tile of {seat}.", seat=seat_arg(owner))
    if seen.position.still >= PATIENCE:
        return say("Nobody has rolled for so long that tiles stay where they are until somebody does.")
    return say("To move your tile, tap the one that lies before you, then a lit space.")


def _space(seen: Observation, seat: int, name: str) -> Text:
    race = seen.position
    if name == places.FINISH:
        return say("No tile can lie at the finish.")
    square = int(name.split(":")[1]) - 1
    if square == 0:
        return say("No tile can lie on the first space.")
    if square in race.place:
        return say("No tile can lie where camels stand.")
    if square in map(abs, race.tiles):
        return say("A tile lies here already.")
    if any(tile and owner != seat and abs(abs(tile) - square) == 1 for owner, tile in enumerate(race.tiles)):
        return say("No tile can lie next to that of another player.")
    return say("First tap a side of your desert tile, then this space.")
