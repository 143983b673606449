"""What Camel Up explains at the table: tips, meanings of numbers and marks, and why a tap does nothing."""

from __future__ import annotations

from games.camelup import places
from games.camelup.rules import Observation
from games.camelup.rules_engine import PATIENCE
from games.core.teaching import tip
from games.core.view import Sentence, say, seat_arg

TIPS = (
    tip(
        "goal",
        "counter:coins",
        say("Have the most coins when the first camel crosses the finish line. You own no camel: you bet on them."),
    ),
    tip(
        "stack",
        "track",
        say("Camels on one space form a stack. One that moves carries all those above it; the top one is ahead."),
    ),
    tip(
        "roll",
        "zone:pyramid",
        say("On your turn you do one of four things. First: tap the pyramid to roll a die. A roll earns a coin."),
        "move:roll",
    ),
    tip(
        "leg",
        "zone:leg:*",
        say(
            "Second: take a leg tile. It pays its number if that camel leads at the end of the leg, 1 if it is second."
        ),
        "move:bet*",
    ),
    tip(
        "race",
        "zone:cards:{me}",
        say("Third: put a race card on the pile for the winner or the loser of the whole race. Early cards pay most."),
        "move:race*",
    ),
    tip(
        "tile",
        "zone:desert:{me}",
        say(
            "Fourth: place your tile on a space. Camels that stop there move one space on or back, and you get a coin."
        ),
        "move:tile*",
    ),
    tip(
        "scoring",
        "scoring",
        say("A leg ends when all five dice have been rolled. Right bets pay, wrong ones cost a coin."),
    ),
)

ABOUT = {
    "counter:coins": say("The player with the most coins at the end of the race wins."),
    "counter:pyramids": say("Dice rolled in this leg. Each earns a coin when the leg is scored."),
    "mark:first": say("Took the first turn, drawn by lot."),
    "badge:leg:*": say("Coins for the player who holds this tile if its camel leads at the end of the leg."),
    "badge:bets:*": say(
        "Coins at the end of the leg if this camel leads. If it is second, 1; if not, the tile costs a coin."
    ),
    "badge:desert:*": say(
        "How far this side moves camels that stop on it: an oasis one space on, a mirage one space back."
    ),
    "badge:piece:oasis": say("An oasis: camels that stop here move one space on. Its owner gets a coin."),
    "badge:piece:mirage": say(
        "A mirage: camels that stop here move one space back, under any camels there. Its owner gets a coin."
    ),
    "badge:rolled": say("The number rolled. The camel has moved this far, and is not rolled again in this leg."),
    "size:leg:*": say("Leg tiles left of this camel."),
    "size:race:*": say("Race cards placed here. The first correct one earns 8 coins, later ones fewer."),
    "space:finish": say("The race is over as soon as a camel gets here."),
}


def why_not(seen: Observation, touched: str) -> Sentence | None:
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
        return say("You cannot choose a die. Tap the pyramid to roll one at random.")
    if family in ("leg", "bets"):
        return say("Only the top leg tile of a colour can be taken. Players keep their tiles until the leg ends.")
    if family == "race" or name == places.hand(seat):
        return say("First tap one of your race cards, then the pile for the winner or the loser.")
    if family == "cards":
        return say("These race cards belong to another player.")
    return None


def _tile(seen: Observation, seat: int, owner: int) -> Sentence:
    if owner != seat:
        return say("This is the desert tile of {seat}.", seat=seat_arg(owner))
    if seen.position.still >= PATIENCE:
        return say("Nobody has rolled for a long time. Tiles cannot be moved until somebody does.")
    return say("To move your tile, tap the one in front of you, then a highlighted space.")


def _space(seen: Observation, seat: int, name: str) -> Sentence:
    race = seen.position
    if name == places.FINISH:
        return say("You cannot place a tile on the finish.")
    square = int(name.split(":")[1]) - 1
    if square == 0:
        return say("You cannot place a tile on the first space.")
    if square in race.place:
        return say("You cannot place a tile where camels stand.")
    if square in map(abs, race.tiles):
        return say("There is already a tile here.")
    if any(tile and owner != seat and abs(abs(tile) - square) == 1 for owner, tile in enumerate(race.tiles)):
        return say("You cannot place your tile next to another player's.")
    return say("First tap a side of your desert tile, then this space.")
