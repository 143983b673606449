"""The bot that comes with the series."""

from __future__ import annotations

import random

from camelup import GameState, Move, get_valid_moves
from playerinterface import PlayerInterface


class RandomBot(PlayerInterface):
    """Any kind of move that is open, then any move of that kind. Two draws of ``random.choice``, in this order."""

    @staticmethod
    def move(active_player: int, game_state: GameState) -> Move:
        moves = get_valid_moves(game_state, active_player)
        kind = random.choice(tuple({move[0] for move in moves}))
        return random.choice([move for move in moves if move[0] == kind])
