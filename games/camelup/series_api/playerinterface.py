"""What a bot of the series is: a class with one static method."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camelup import GameState, Move


class PlayerInterface:
    """Extend it and define ``move``. Bots are passed as classes, which are never instantiated."""

    @staticmethod
    def move(active_player: int, game_state: GameState) -> Move:
        """Return the move of ``active_player``, whose copy of the game ``game_state`` is.

        One of ``(0,)`` to roll, ``(1, type, square)`` with type 1 or -1, ``(2, camel)``, ``(3, "win" or "lose",
        camel)``; ``camelup.get_valid_moves`` lists them.
        """
        raise NotImplementedError("A bot defines a static method move(active_player, game_state).")
