"""The rules engine: it alone decides which moves are legal, for a bot that chooses and again before its move is made.

It looks only at what lies on the table (camels, desert tiles, bets) and not at the fields that the engine derives from
that, so a fault in either one is found: see ``engine.agreed``. ``audit`` computes what a move must result in.
"""

from __future__ import annotations

from games.camelup.position import HIDDEN, Position
from games.camelup.terms import Open

PATIENCE = 100  # turns in a row without a roll after which desert tiles stay where they are until the next roll


def get_valid_moves(position: Position, seat: int) -> list[str]:
    """Return every move that ``player`` may make, as if it was their turn.

    In this order: the roll, oases by space, mirages by space, leg bets by camel, race cards to win and then to lose by
    camel.

    Raises RuntimeError if no die is left in the pyramid, which never happens during a leg.
    """
    return position.terms.notation.moves(*open_by_rules(position, seat))


def get_valid_kinds(position: Position, seat: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the same moves by kind: rolls, tiles, leg bets, race bets. Callers must not modify these lists."""
    return position.terms.notation.kinds(*open_by_rules(position, seat))


def open_by_rules(position: Position, seat: int) -> Open:
    """Return the squares that a player may put the desert tile on, the camels with leg tiles, and those with cards.

    Raises RuntimeError when no die is left.
    """
    if not position.left:
        raise RuntimeError("No camel is left to move in this leg.")
    return squares_open(position, seat), camels_open(position), cards_left(position, seat)


def squares_open(position: Position, seat: int) -> int:
    """Return the squares, as bits, where a player may put the desert tile.

    Not the first one, none with a camel or a tile, none beside another player's tile.
    """
    if position.still >= PATIENCE:
        return 0
    closed = 1
    for square in position.place:
        closed |= 1 << square
    for owner, tile in enumerate(position.tiles):
        if tile:
            closed |= (0b010 if owner == seat else 0b111) << abs(tile) - 1
    return ~closed & ((1 << position.terms.spaces) - 1)


def camels_open(position: Position) -> int:
    """Return the camels, as bits, of which a leg tile is left: there are as many of each as payouts."""
    mask = (1 << position.terms.camels) - 1
    tiles = len(position.terms.leg_first)
    if len(position.leg_bets) < tiles:
        return mask
    taken = [0] * position.terms.camels
    for camel, _ in position.leg_bets:
        taken[camel] += 1
        if taken[camel] >= tiles:
            mask &= ~(1 << camel)
    return mask


def cards_left(position: Position, seat: int) -> int:
    """Return the camels, as bits, whose race card a player has on neither pile, as far as this copy knows."""
    mask = (1 << position.terms.camels) - 1
    for pile in (position.winner_bets, position.loser_bets):
        for camel, whose in pile:
            if whose == seat and camel != HIDDEN:
                mask &= ~(1 << camel)
    return mask
