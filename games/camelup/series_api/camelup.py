"""The bot API of the series "Camel Up": same names, same behaviour, same draws.

It is for bots that were written for it. They run in a process of their own, where this folder is on the path and
``camelup``, ``actionids``, ``playerinterface`` and ``bots`` are top-level modules.

A ``GameState`` is plain data that bots read, copy, replace and modify, and they play whole games on it for every move
they consider. So the functions here work directly on its lists. They implement the rules of the series a second time; a
test compares them with our engine, position by position.

Two bugs of the original are fixed: any number of camels works, and bets of others, ``[None, None]`` in a player's copy,
are skipped when a roll-out scores the race.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from actionids import GAME_BET_ACTION_ID, MOVE_CAMEL_ACTION_ID, MOVE_TRAP_ACTION_ID, ROUND_BET_ACTION_ID
from playerinterface import PlayerInterface

from games.camelup import logs
from games.camelup.rules_engine import PATIENCE
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

        squares = max(2 * board_size, board_size + move_range[1] + 1)
        self.camel_track: list[list[str]] = [[] for _ in range(squares)]
        self.trap_track: list[list[int]] = [[] for _ in range(squares)]
        self.round_bets: list[list[Any]] = []
        self.game_winner_bets: list[list[Any]] = []
        self.game_loser_bets: list[list[Any]] = []
        self.player_money_values = [2] * num_players
        self.camel_yet_to_move = [True] * num_camels
        self.active_game = True
        self.game_winner: list[int] = []
        self._still = 0  # turns since the last roll: see PATIENCE of the rules engine

        waiting = self.CAMELS[:]
        while waiting:
            camel = waiting.pop(random.randint(0, len(waiting) - 1))
            self.camel_track[random.randint(*move_range) - 1].append(camel)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.isupper() and name in self.__dict__:
            raise TypeError("Game constants cannot be changed")
        super().__setattr__(name, value)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameState:
        twin = object.__new__(type(self))
        memo[id(self)] = twin
        for name, value in self.__dict__.items():
            if type(value) not in _PLAIN:
                value = _copied(value, memo) if name in _LISTS else copy.deepcopy(value, memo)
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
        return self.GAME_END_PAYOUT[index] if index < len(self.GAME_END_PAYOUT) else 1

    def get_player_copy(self, player: int) -> GameState:
        """Return an independent copy in which the game bets of others are ``[None, None]``."""
        seen: GameState = copy.deepcopy(self)
        seen.game_winner_bets = [bet if bet[1] == player else [None, None] for bet in seen.game_winner_bets]
        seen.game_loser_bets = [bet if bet[1] == player else [None, None] for bet in seen.game_loser_bets]
        return seen


# Most of a copy of a game is this: attributes that are lists, or lists of lists, of immutable values.
_PLAIN = frozenset({int, bool, str, type(None)})
_LISTS = frozenset(
    {
        "CAMELS", "camel_track", "trap_track", "round_bets", "game_winner_bets", "game_loser_bets",
        "player_money_values", "camel_yet_to_move", "game_winner",
    }
)  # fmt: skip


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """Return an independent copy of such a list, or of anything a bot has put in its place."""
    if type(value) is not list:
        return copy.deepcopy(value, memo)
    return [
        part[:] if type(part) is list else part if type(part) in _PLAIN else copy.deepcopy(part, memo) for part in value
    ]


# -- the rules engine


def get_valid_moves(g: GameState, player: int) -> list[Move]:
    """Return all moves open to a player: the roll, traps +1, traps -1, round bets, bets to win, bets to lose.

    Raises RuntimeError when no camel is left to move.
    """
    if not any(g.camel_yet_to_move):
        raise RuntimeError("No camel is left to move in this round.")
    squares = []
    if g._still < PATIENCE:
        before: list[int] = g.trap_track[0]
        traps = g.trap_track
        for square, stack in enumerate(g.camel_track[1 : g.BOARD_SIZE], 1):
            here = traps[square]
            if not stack and not here and (not before or before[1] == player):
                after = traps[square + 1]
                if not after or after[1] == player:
                    squares.append(square)
            before = here
    taken = [bet[0] for bet in g.round_bets]
    most = len(g.FIRST_PLACE_ROUND_PAYOUT)
    own = g.get_player_bets(player)
    free = [camel for camel in g.CAMELS if camel not in own]
    return [
        (MOVE_CAMEL_ACTION_ID,),
        *[(MOVE_TRAP_ACTION_ID, 1, square) for square in squares],
        *[(MOVE_TRAP_ACTION_ID, -1, square) for square in squares],
        *[(ROUND_BET_ACTION_ID, camel) for camel in g.CAMELS if taken.count(camel) < most],
        *[(GAME_BET_ACTION_ID, "win", camel) for camel in free],
        *[(GAME_BET_ACTION_ID, "lose", camel) for camel in free],
    ]


# -- the engine


def roll_dice(move_range: tuple[int, int]) -> int:
    """Return what a die shows."""
    return random.randint(*move_range)


def move_camel(g: GameState, player: int) -> tuple[str, int]:
    """Move a random camel that has not moved in this round; score what that ends.

    Returns the camel and by how many squares it moved, with a trap's push.
    """
    index = random.choice([index for index, waiting in enumerate(g.camel_yet_to_move) if waiting])
    camel = g.CAMELS[index]
    distance = roll_dice(g.MOVE_RANGE)
    track = g.camel_track
    here = _square_of(g, camel)
    level = track[here].index(camel)
    unit, track[here] = track[here][level:], track[here][:level]
    trap = g.trap_track[here + distance]
    if trap:
        push, owner = trap
        g.player_money_values[owner] += 1
        distance += push
    there = here + distance
    track[there] = unit + track[there] if trap and push < 0 else track[there] + unit
    g.player_money_values[player] += 1
    g.camel_yet_to_move[index] = False
    g._still = 0
    if g.verbose:
        print_update(f"Player {player} moves {camel} by {distance}.")
    finished = any(track[g.BOARD_SIZE :])  # any camel: a bot may have put another one there before
    if finished or not any(g.camel_yet_to_move):
        end_of_round(g)
        if finished:
            end_of_game(g)
    return camel, distance


def _square_of(g: GameState, camel: str) -> int:
    for square, stack in enumerate(g.camel_track):
        if camel in stack:
            return square
    raise ValueError(f"{camel} is not on the track.")


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
    for trap in g.trap_track[trap_place - 1 : trap_place + 2]:
        if trap and trap[1] != player:
            raise ValueError(f"Square {trap_place} is on or next to another player's trap.")
    for square, trap in enumerate(g.trap_track):
        if trap and trap[1] == player:
            g.trap_track[square] = []
    g.trap_track[trap_place] = [trap_type, player]
    g._still += 1
    if g.verbose:
        print_update(f"Player {player} puts a trap of type {trap_type} on square {trap_place}.")
    return True


def place_round_winner_bet(g: GameState, camel: str, player: int) -> bool:
    """Bet on a camel for this round. Raises ValueError if that is not a valid move."""
    taken = sum([bet[0] == camel for bet in g.round_bets])
    if camel not in g.CAMELS or taken >= len(g.FIRST_PLACE_ROUND_PAYOUT):
        raise ValueError(f"No bet on {camel!r} is left for this round.")
    g.round_bets.append([camel, player])
    g._still += 1
    if g.verbose:
        print_update(f"Player {player} bets on {camel} for this round.")
    return True


def place_game_bet(g: GameState, camel: str, bet_type: str, player: int) -> None:
    """Bet on a camel to win or lose the game. Raises ValueError for the same camel twice and a bad type."""
    if bet_type not in ("win", "lose"):
        raise ValueError(f"A bet on the game is to 'win' or to 'lose', not {bet_type!r}.")
    if camel not in g.CAMELS or camel in g.get_player_bets(player):
        raise ValueError(f"Player {player} cannot bet on {camel!r} for the game, or has done so already.")
    (g.game_winner_bets if bet_type == "win" else g.game_loser_bets).append([camel, player])
    g._still += 1
    if g.verbose:
        print_update(f"Player {player} bets on {camel} to {bet_type}.")


def find_camel_in_nth_place(g: GameState, n: int) -> str:
    """Return the camel in ``n``-th place; the leader is in place 1. Raises ValueError if there is no such place."""
    if not 1 <= n <= g.NUM_CAMELS:
        raise ValueError(f"Places are numbered from 1 to {g.NUM_CAMELS}, not {n!r}.")
    return _ranking(g)[n - 1]


def _ranking(g: GameState) -> list[str]:
    """Return the camels, first to last: further squares first, in one stack from the top."""
    return [camel for stack in reversed(g.camel_track) for camel in reversed(stack)]


def end_of_round(g: GameState) -> None:
    """Score the round bets and begin a new round."""
    ranking = _ranking(g)
    payouts = dict(zip(ranking, (g.FIRST_PLACE_ROUND_PAYOUT, g.SECOND_PLACE_ROUND_PAYOUT), strict=False))
    correct = dict.fromkeys(payouts, 0)
    for camel, player in g.round_bets:
        coins = g.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT
        if camel in payouts:
            coins = payouts[camel][correct[camel]]
            correct[camel] += 1
        g.player_money_values[player] += coins
    g.round_bets = []
    g.camel_yet_to_move = [True] * g.NUM_CAMELS


def end_of_game(g: GameState) -> bool:
    """Score the bets on the game, as far as they are known here, and end it."""
    ranking = _ranking(g)
    _score_bets(g, g.game_winner_bets, ranking[0])
    _score_bets(g, g.game_loser_bets, ranking[-1])
    g.active_game = False
    most = max(g.player_money_values)
    g.game_winner = [player for player, coins in enumerate(g.player_money_values) if coins == most]
    return True


def _score_bets(g: GameState, bets: list[list[Any]], right: str) -> None:
    correct = 0
    for camel, player in bets:
        if player is None:
            continue
        if camel == right:
            g.player_money_values[player] += g.get_game_bets_payout(correct)
            correct += 1
        else:
            g.player_money_values[player] += g.BAD_GAME_END_BET


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
        return logs.rolled(*move_camel(g, player))
    if action[0] == MOVE_TRAP_ACTION_ID:
        move_trap(g, action[1], action[2], player)
        return logs.tile_put(action[1], action[2])
    if action[0] == ROUND_BET_ACTION_ID:
        place_round_winner_bet(g, action[1], player)
        return logs.leg_bet(action[1])
    place_game_bet(g, action[2], action[1], player)
    return logs.race_bet(action[1], action[2])


# -- looking at it


def summarize_game_state(g: GameState) -> dict[str, Any]:
    """Return the places of everything, as the columns of a game log."""
    stacks = [(square, stack) for square, stack in enumerate(g.camel_track) if stack]
    camels = {camel: (square, level) for square, stack in stacks for level, camel in enumerate(stack)}
    traps = [(square, trap[0], trap[1]) for square, trap in enumerate(g.trap_track) if trap]
    return dict(logs.placement_columns([(camel, *camels[camel]) for camel in g.CAMELS], traps, g.player_money_values))


def display_game_state(g: GameState) -> None:
    """Print the game, if it is verbose."""
    if not g.verbose:
        return
    display_track_state(g, g.camel_track)
    display_track_state(g, g.trap_track)
    print(f"Coins: {g.player_money_values}")
    print(f"Bets on the round: {g.round_bets}")
    print(f"Bets on the winner: {g.game_winner_bets}, on the loser: {g.game_loser_bets}")


def display_track_state(g: GameState, track: list[list[Any]]) -> None:
    """Print one of the tracks of a game, that of camels or that of traps, if the game is verbose.

    A line for each square that has something on it.
    """
    if not g.verbose:
        return
    for square, there in enumerate(track):
        if there:
            print(f"{square:3}: {' '.join(map(str, there))}")


def print_update(msg: str, display_updates: bool = True) -> None:
    """Print a message, if updates are wanted."""
    if display_updates:
        print(msg)
