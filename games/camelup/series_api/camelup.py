"""The bot API of the series "Camel Up" over the engine of this house: same names, same behaviour, same draws.

For bots that were written for it, in a process of their own, where this folder is on the path and ``camelup``,
``actionids``, ``playerinterface`` and ``bots`` are top-level modules. It holds no rules: every function puts the game
state into a ``Position``, asks the engine or the rules engine, and writes back what has changed.

A ``GameState`` is plain data that bots read, copy, replace and change as they like. Where the original has a fault it
is mended: any number of camels works, and bets of others, ``[None, None]`` in a player's copy, are skipped when a
roll-out scores the race.
"""

from __future__ import annotations

import copy
import random
from typing import Any, ClassVar

from actionids import GAME_BET_ACTION_ID, MOVE_CAMEL_ACTION_ID, MOVE_TRAP_ACTION_ID, ROUND_BET_ACTION_ID
from playerinterface import PlayerInterface

from games.camelup import engine, logs, rules_engine
from games.camelup.position import HIDDEN, Position, bits
from games.camelup.terms import LEG_BET, ROLL, TILE, Terms
from games.core.game import LogRow

# What ``from camelup import *`` brings along, with the modules that bots expect to come with it.
__all__ = [
    "GAME_BET_ACTION_ID",
    "MOVE_CAMEL_ACTION_ID",
    "MOVE_TRAP_ACTION_ID",
    "ROUND_BET_ACTION_ID",
    "GameState",
    "IllegalMoveException",
    "PlayerInterface",
    "copy",
    "display_game_state",
    "display_track_state",
    "end_of_game",
    "end_of_round",
    "find_camel_in_nth_place",
    "get_valid_moves",
    "move_camel",
    "move_trap",
    "place_game_bet",
    "place_round_winner_bet",
    "play_game",
    "print_update",
    "random",
    "roll_dice",
    "summarize_game_state",
]

Move = tuple[Any, ...]


class IllegalMoveException(Exception):
    """A bot has named a move that is not valid: the game is aborted."""


class GameState:
    """A game: constants in capitals, which cannot be changed, and plain lists."""

    NUM_CAMELS: int
    CAMELS: list[str]
    NUM_PLAYERS: int
    BOARD_SIZE: int
    MOVE_RANGE: tuple[int, int]
    FIRST_PLACE_ROUND_PAYOUT: tuple[int, ...]
    SECOND_PLACE_ROUND_PAYOUT: tuple[int, ...]
    THIRD_OR_WORSE_PLACE_ROUND_PAYOUT: int
    GAME_END_PAYOUT: tuple[int, ...]
    BAD_GAME_END_BET: int

    def __init__(
        self,
        num_camels: int = 5,
        num_players: int = 4,
        board_size: int = 16,
        move_range: tuple[int, int] = (1, 3),
        first_place_round_payout: tuple[int, ...] = (5, 3, 2),
        second_place_round_payout: tuple[int, ...] = (1, 1, 1),
        third_or_worse_place_round_payout: int = -1,
        game_end_payout: tuple[int, ...] = (8, 5, 3),
        bad_game_end_bet: int = -1,
        verbose: bool = False,
    ) -> None:
        """Set the camels on the track by chance. Raises ValueError when the round payouts differ in length."""
        if len(first_place_round_payout) != len(second_place_round_payout):
            raise ValueError("The first and second place round payouts must be equally long.")
        self.NUM_CAMELS = num_camels
        self.CAMELS = [logs.camel_id(camel) for camel in range(num_camels)]
        self.NUM_PLAYERS = num_players
        self.BOARD_SIZE = board_size
        self.MOVE_RANGE = move_range
        self.FIRST_PLACE_ROUND_PAYOUT = first_place_round_payout
        self.SECOND_PLACE_ROUND_PAYOUT = second_place_round_payout
        self.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT = third_or_worse_place_round_payout
        self.GAME_END_PAYOUT = game_end_payout
        self.BAD_GAME_END_BET = bad_game_end_bet
        self.verbose = verbose

        self.camel_track: list[list[str]] = [[] for _ in range(2 * board_size)]
        self.trap_track: list[list[int]] = [[] for _ in range(2 * board_size)]
        self.round_bets: list[list[Any]] = []
        self.game_winner_bets: list[list[Any]] = []
        self.game_loser_bets: list[list[Any]] = []
        self.player_money_values = [2] * num_players
        self.camel_yet_to_move = [True] * num_camels
        self.active_game = True
        self.game_winner: list[int] = []
        self._still = 0  # turns since the last roll: see PATIENCE of the rules engine
        self._api = _Api.of(self)

        start = engine.start(self._api.terms, num_players, _StartDraws(num_camels, move_range))
        for square, stack in start.stacks().items():
            self.camel_track[square] = [self.CAMELS[camel] for camel in stack]

    def __setattr__(self, name: str, value: Any) -> None:
        if name.isupper() and name in self.__dict__:
            raise TypeError("Game constants cannot be changed")
        super().__setattr__(name, value)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameState:
        twin = GameState.__new__(GameState)
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if type(value) is list:  # lists of plain values, and lists of those
                value = [part[:] if type(part) is list else part for part in value]
            elif type(value) not in _UNCHANGING:
                value = copy.deepcopy(value, memo)
            twin.__dict__[name] = value
        return twin

    def get_player_bets(self, player: int) -> list[str]:
        """Return the camels that a player has bet on for the whole game: to win, then to lose."""
        return [camel for camel, whose in (*self.game_winner_bets, *self.game_loser_bets) if whose == player]

    def has_player_placed_trap(self, player: int) -> bool:
        """Return whether a player's trap lies on the track."""
        return any(trap and trap[1] == player for trap in self.trap_track)

    def get_game_bets_payout(self, index: int) -> int:
        """Return what the ``index``-th correct bet on the game earns, from 0."""
        return self._api.terms.race_pay(index)

    def get_player_copy(self, player: int) -> GameState:
        """Return an independent copy in which the game bets of others are ``[None, None]``."""
        seen: GameState = copy.deepcopy(self)
        seen.game_winner_bets = [bet if bet[1] == player else [None, None] for bet in seen.game_winner_bets]
        seen.game_loser_bets = [bet if bet[1] == player else [None, None] for bet in seen.game_loser_bets]
        return seen


# -- the rules engine


def get_valid_moves(g: GameState, player: int) -> list[Move]:
    """Return all moves open to a player: the roll, traps +1, traps -1, round bets, bets to win, bets to lose.

    Raises RuntimeError when no camel is left to move.
    """
    tuples = g._api.tuples
    return [tuples[move] for move in rules_engine.get_valid_moves(_position(g), player)]


# -- the engine


def roll_dice(move_range: tuple[int, int]) -> int:
    """Return what a die shows."""
    return random.randint(*move_range)


def move_camel(g: GameState, player: int) -> tuple[str, int]:
    """Move a random camel that has not moved in this round; score what that ends.

    Returns the camel and by how many squares it moved, with a trap's push.
    """
    camel = random.choice([index for index, waiting in enumerate(g.camel_yet_to_move) if waiting])
    position = _position(g)
    distance = engine.roll(position, player, camel, roll_dice(g.MOVE_RANGE))
    for square, stack in enumerate(g.camel_track):
        if stack:
            g.camel_track[square] = []
    for square, camels in position.stacks().items():
        g.camel_track[square] = [g.CAMELS[index] for index in camels]
    g._still = 0
    _write_scores(g, position)
    print_update(f"Player {player} moves {g.CAMELS[camel]} by {distance}.", g.verbose)
    return g.CAMELS[camel], distance


def move_trap(g: GameState, trap_type: int, trap_place: int, player: int) -> bool:
    """Place a player's trap, or move or turn it over. Wider than the valid moves: see the errors.

    Raises ValueError for a type but 1 and -1, a square but 1 to BOARD_SIZE, one with camels, one on or next to
    another's trap, and the trap that lies there already.
    """
    if trap_type not in (1, -1):
        raise ValueError(f"A trap is of type 1 or -1, not {trap_type!r}.")
    if not 1 <= trap_place <= g.BOARD_SIZE:
        raise ValueError(f"A trap lies on a square from 1 to {g.BOARD_SIZE}, not {trap_place!r}.")
    if g.camel_track[trap_place]:
        raise ValueError(f"Square {trap_place} has camels on it.")
    if g.trap_track[trap_place] == [trap_type, player]:
        raise ValueError("The trap lies there already.")
    for square in (trap_place - 1, trap_place, trap_place + 1):
        if square < len(g.trap_track) and g.trap_track[square] and g.trap_track[square][1] != player:
            raise ValueError(f"Square {trap_place} is on or next to another player's trap.")
    for square, trap in enumerate(g.trap_track):
        if trap and trap[1] == player:
            g.trap_track[square] = []
    g.trap_track[trap_place] = [trap_type, player]
    g._still += 1
    print_update(f"Player {player} puts a trap of type {trap_type} on square {trap_place}.", g.verbose)
    return True


def place_round_winner_bet(g: GameState, camel: str, player: int) -> bool:
    """Bet on a camel for this round. Raises ValueError when that is no valid move."""
    if (ROUND_BET_ACTION_ID, camel) not in get_valid_moves(g, player):
        raise ValueError(f"No bet on {camel!r} is left for this round.")
    g.round_bets.append([camel, player])
    g._still += 1
    print_update(f"Player {player} bets on {camel} for this round.", g.verbose)
    return True


def place_game_bet(g: GameState, camel: str, bet_type: str, player: int) -> None:
    """Bet on a camel to win or lose the game. Raises ValueError for the same camel twice and a bad type."""
    if bet_type not in ("win", "lose"):
        raise ValueError(f"A bet on the game is to 'win' or to 'lose', not {bet_type!r}.")
    if camel not in g.CAMELS or camel in g.get_player_bets(player):
        raise ValueError(f"Player {player} cannot bet on {camel!r} for the game, or has done so already.")
    (g.game_winner_bets if bet_type == "win" else g.game_loser_bets).append([camel, player])
    g._still += 1
    print_update(f"Player {player} bets on {camel} to {bet_type}.", g.verbose)


def find_camel_in_nth_place(g: GameState, n: int) -> str:
    """Return the camel in ``n``-th place, the leader's being 1. Raises ValueError when there is no such place."""
    if not 1 <= n <= g.NUM_CAMELS:
        raise ValueError(f"Places are numbered from 1 to {g.NUM_CAMELS}, not {n!r}.")
    return g.CAMELS[_position(g).ranking()[n - 1]]


def end_of_round(g: GameState) -> None:
    """Score the round bets and begin a new round."""
    position = _position(g)
    engine.end_leg(position)
    _write_scores(g, position)


def end_of_game(g: GameState) -> bool:
    """Score the bets on the game, as far as they are known here, and end it."""
    position = _position(g)
    engine.end_race(position)
    _write_scores(g, position)
    return True


def play_game(players: list[type[PlayerInterface]]) -> tuple[list[dict[str, Any]], GameState]:
    """Play a game and return its log, one dictionary a turn after one for the start, and its end.

    Raises ValueError unless all players are classes that extend PlayerInterface, and IllegalMoveException when one of
    them names a move that is not valid.
    """
    if not all(isinstance(player, type) and issubclass(player, PlayerInterface) for player in players):
        raise ValueError("Players are classes that extend PlayerInterface.")
    g = GameState(num_players=len(players))
    action_log: list[dict[str, Any]] = [{"round_id": 0, **summarize_game_state(g)}]
    while g.active_game:
        turn = len(action_log)
        player = (turn - 1) % g.NUM_PLAYERS
        action = players[player].move(player, g.get_player_copy(player))
        if action not in get_valid_moves(g, player):
            raise IllegalMoveException(f"{players[player].__name__}, player {player}, may not do {action!r}.")
        did = _perform(g, player, action)
        action_log.append({"round_id": turn, "active_player": player, **did, **summarize_game_state(g)})
    return action_log, g


def _perform(g: GameState, player: int, action: Move) -> LogRow:
    if action[0] == MOVE_CAMEL_ACTION_ID:
        camel, distance = move_camel(g, player)
        return logs.rolled(_number(camel), distance)
    if action[0] == MOVE_TRAP_ACTION_ID:
        move_trap(g, action[1], action[2], player)
        return logs.tile_put(action[1], action[2])
    if action[0] == ROUND_BET_ACTION_ID:
        place_round_winner_bet(g, action[1], player)
        return logs.leg_bet(_number(action[1]))
    place_game_bet(g, action[2], action[1], player)
    return logs.race_bet(action[1], _number(action[2]))


# -- looking at it


def summarize_game_state(g: GameState) -> dict[str, Any]:
    """Return where everything stands, as the columns of a game log."""
    return dict(logs.standing(_position(g)))


def display_game_state(g: GameState) -> None:
    """Print the game, if it is verbose."""
    if not g.verbose:
        return
    display_track_state(g)
    print(f"Coins: {g.player_money_values}")
    print(f"Bets on the round: {g.round_bets}")
    print(f"Bets on the winner: {g.game_winner_bets}, on the loser: {g.game_loser_bets}")


def display_track_state(g: GameState) -> None:
    """Print the track: every square that has something on it."""
    for square, (camels, trap) in enumerate(zip(g.camel_track, g.trap_track, strict=True)):
        if camels or trap:
            print(f"{square:3}: {' '.join(camels)}{f'trap {trap}' if trap else ''}")


def print_update(msg: str, display_updates: bool = True) -> None:
    """Print a message, if updates are wanted."""
    if display_updates:
        print(msg)


# -- between a game state and a position


class _StartDraws:
    """The draws of the start, in the order in which a series makes them: which camel, what it rolls, which ..."""

    def __init__(self, camels: int, move_range: tuple[int, int]) -> None:
        self._left = camels
        self._range = move_range
        self._die_is_next = False

    def below(self, n: int) -> int:
        if self._die_is_next:
            self._die_is_next = False
            return random.randint(*self._range) - self._range[0]
        self._die_is_next = True
        self._left -= 1
        return random.randint(0, self._left)


class _Api:
    """What all game states with the same constants share: the engine's terms, and the API's words for its moves."""

    _known: ClassVar[dict[Terms, _Api]] = {}

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.tuples = {move: _tuple(*meaning) for move, meaning in terms.words.meaning.items()}

    @staticmethod
    def of(g: GameState) -> _Api:
        low, high = g.MOVE_RANGE
        terms = Terms.known(
            camels=g.NUM_CAMELS,
            spaces=g.BOARD_SIZE,
            die_low=low,
            die_high=high,
            leg_first=tuple(g.FIRST_PLACE_ROUND_PAYOUT),
            leg_second=tuple(g.SECOND_PLACE_ROUND_PAYOUT),
            leg_other=g.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT,
            race=tuple(g.GAME_END_PAYOUT),
            race_wrong=g.BAD_GAME_END_BET,
            money=2,
            roll_pay=1,
            tile_pay=1,
            pay_at_once=True,
            floor=False,
            tiles_stay=True,
        )
        if terms not in _Api._known:
            _Api._known[terms] = _Api(terms)
        return _Api._known[terms]


_UNCHANGING = (_Api, tuple, int, bool)


def _tuple(kind: int, first: int, second: int) -> Move:
    if kind == ROLL:
        return (MOVE_CAMEL_ACTION_ID,)
    if kind == TILE:
        return (MOVE_TRAP_ACTION_ID, first, second)
    if kind == LEG_BET:
        return (ROUND_BET_ACTION_ID, logs.camel_id(first))
    return (GAME_BET_ACTION_ID, "win" if second else "lose", logs.camel_id(first))


def _number(camel: str) -> int:
    return int(camel[2:])


def _position(g: GameState) -> Position:
    """Return the engine's form of a game state. Whoever is to move is not in it."""
    terms = g._api.terms
    position = Position.fresh(terms, g.NUM_PLAYERS)
    position.stand({square: [_number(c) for c in stack] for square, stack in enumerate(g.camel_track) if stack})
    tiles = [0] * g.NUM_PLAYERS
    for square, trap in enumerate(g.trap_track):
        if trap:
            tiles[trap[1]] = trap[0] * square
    position.lay(tuple(tiles))
    position.leg_bets = tuple((_number(camel), player) for camel, player in g.round_bets)
    position.open_legs = bits(camel for camel in range(terms.camels) if position.leg_tiles_left(camel) > 0)
    position.winner_bets = _race_bets(g.game_winner_bets)
    position.loser_bets = _race_bets(g.game_loser_bets)
    cards = [terms.every_card] * g.NUM_PLAYERS
    for camel, player in (*position.winner_bets, *position.loser_bets):
        if camel != HIDDEN:
            cards[player] &= ~(1 << camel)
    position.cards = tuple(cards)
    position.money = tuple(g.player_money_values)
    position.left = tuple(camel for camel, waiting in enumerate(g.camel_yet_to_move) if waiting)
    position.still = g._still
    return position


def _race_bets(bets: list[list[Any]]) -> tuple[tuple[int, int], ...]:
    return tuple((HIDDEN, HIDDEN) if camel is None else (_number(camel), player) for camel, player in bets)


def _write_scores(g: GameState, position: Position) -> None:
    g.player_money_values[:] = position.money
    g.camel_yet_to_move[:] = [camel in position.left for camel in range(g.NUM_CAMELS)]
    if not position.leg_bets:
        g.round_bets = []
    if position.over:
        g.active_game = False
        most = max(position.money)
        g.game_winner = [player for player, coins in enumerate(position.money) if coins == most]
