"""Why something on the table of Camel Up cannot be used by whoever is to act."""

from __future__ import annotations

from games.camelup import places
from games.camelup.rules import Observation
from games.camelup.rules_engine import PATIENCE
from games.core.view import Text, say, seat_arg


def why_not(seen: Observation, touched: str) -> Text | None:
    """Return why what was touched is no part of a legal move; None: nothing to say of it."""
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
