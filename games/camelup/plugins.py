"""An adapter for bots written for the API of the series.

Only used in the process of a plug-in bot, where ``camelup``, ``playerinterface`` and the others are top-level modules:
see ``series_api``.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from games.camelup.position import HIDDEN, Position
from games.camelup.rules import Observation
from games.core import BadOption, Bot, Information

API = Path(__file__).with_name("series_api")  # the folder of the modules that such bots import
OURS = ("actionids", "playerinterface", "camelup")  # always ours, even if the bot's folder has modules of these names


def adapted(kind: type) -> Bot:
    """Return a bot that asks ``kind``, a class that extends PlayerInterface. Raises BadOption for any other class."""
    if not issubclass(kind, importlib.import_module("playerinterface").PlayerInterface):
        raise BadOption(
            f"{kind.__name__} is no bot for Camel Up: a bot extends games.core.Bot, or PlayerInterface of the series."
        )
    return SeriesBot(kind)


class SeriesBot(Bot):
    """A class of the series: it gets its own copy of the game, and answers with a tuple."""

    name = "series"
    title = "Bot of the series"

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.api = importlib.import_module("camelup")

    def choose(self, info: Information) -> str:
        """Return its move as a string. Raises IllegalMoveException of the API for anything but a valid one."""
        seen: Observation = info.observation
        game = game_state(self.api, seen.position, info.seat)
        valid = self.api.get_valid_moves(game, info.seat)  # in the order of the legal moves
        action = self.kind.move(info.seat, game)
        if action not in valid:
            raise self.api.IllegalMoveException(f"{self.kind.__name__} may not do {action!r} now.")
        moves: dict[Any, str] = dict(zip(valid, info.legal_moves, strict=True))
        return moves[action]


def game_state(api: Any, race: Position, seat: int) -> Any:
    """Return a position, seen by ``seat``, as a ``GameState``: others' race bets are ``[None, None]``."""
    terms = race.terms
    game = api.GameState(
        num_camels=terms.camels,
        num_players=race.seats,
        board_size=terms.spaces,
        move_range=(terms.die_low, terms.die_high),
        first_place_round_payout=terms.leg_first,
        second_place_round_payout=terms.leg_second,
        third_or_worse_place_round_payout=terms.leg_other,
        game_end_payout=terms.race,
        bad_game_end_bet=terms.race_wrong,
    )
    game.camel_track = [[] for _ in game.trap_track]
    for square, stack in race.stacks().items():
        game.camel_track[square] = [game.CAMELS[camel] for camel in stack]
    for owner, tile in enumerate(race.tiles):
        if tile:
            game.trap_track[abs(tile)] = [1 if tile > 0 else -1, owner]
    game.round_bets = [[game.CAMELS[camel], better] for camel, better in race.leg_bets]
    for bets, seen in ((game.game_winner_bets, race.winner_bets), (game.game_loser_bets, race.loser_bets)):
        bets += [[None, None] if camel == HIDDEN else [game.CAMELS[camel], better] for camel, better in seen]
    game.player_money_values = list(race.money)
    game.camel_yet_to_move = [camel in race.left for camel in range(terms.camels)]
    game._still = race.still
    return game
