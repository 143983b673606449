"""The rules engine: which moves are legal. The final word, asked by a bot and asked again by the engine."""

from __future__ import annotations

from games.camelup.position import Position

PATIENCE = 100  # turns in a row without a roll, after which desert tiles stay where they are until somebody rolls


def get_valid_moves(position: Position, player: int) -> list[str]:
    """Return every move that ``player`` may make, were it their turn.

    In this order: the roll, oases by space, mirages by space, leg bets by camel, race cards to win and then to lose by
    camel.

    Raises RuntimeError when no die is left in the pyramid, which no leg that is still running knows.
    """
    rolls, tiles, legs, races = get_valid_kinds(position, player)
    return [*rolls, *tiles, *legs, *races]


def get_valid_kinds(position: Position, player: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the same moves by kind: rolls, tiles, leg bets, race bets. They are lists of the words': change none."""
    if not position.left:
        raise RuntimeError("No camel is left to move in this leg.")
    words = position.terms.words
    squares = 0
    if position.still < PATIENCE:
        squares = position.board & ~(position.occupied | position.shadows[player])
    return words.rolls, words.tiles(squares), words.legs(position.open_legs), words.races(position.cards[player])
