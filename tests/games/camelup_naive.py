"""The series' simulation, written again from its published behaviour: slow, plain, and sharing no code with ``games``.

It draws from the module ``random`` in the order in which the series does, so that the same seed must give the same
games. Moves are the tuples of its bot API.
"""

from __future__ import annotations

import random
from typing import Any

Row = dict[str, Any]


class Naive:
    """A game of the series under way."""

    def __init__(
        self,
        players: int,
        *,
        camels: int = 5,
        spaces: int = 16,
        die: tuple[int, int] = (1, 3),
        first: tuple[int, ...] = (5, 3, 2),
        second: tuple[int, ...] = (1, 1, 1),
        third: int = -1,
        right: tuple[int, ...] = (8, 5, 3),
        wrong: int = -1,
    ) -> None:
        self.players, self.camels, self.spaces, self.die = players, camels, spaces, die
        self.first, self.second, self.third = first, second, third
        self.right, self.wrong = right, wrong
        self.track: list[list[int]] = [[] for _ in range(2 * spaces + die[1])]
        self.traps: dict[int, tuple[int, int]] = {}  # square: (type, player)
        self.round_bets: list[tuple[int, int]] = []
        self.bets: dict[str, list[tuple[int, int]]] = {"win": [], "lose": []}
        self.money = [2] * players
        self.waiting = [True] * camels
        self.over = False
        self.pips = 0  # what was rolled last
        left = list(range(camels))
        while left:
            camel = left.pop(random.randint(0, len(left) - 1))
            self.track[random.randint(*die) - 1].append(camel)

    @classmethod
    def of(cls, g: Any) -> Naive:
        """Return the game that a ``GameState`` holds, whatever a bot has put there, without bets that it cannot see."""
        game = cls(
            g.NUM_PLAYERS,
            camels=g.NUM_CAMELS,
            spaces=g.BOARD_SIZE,
            die=g.MOVE_RANGE,
            first=g.FIRST_PLACE_ROUND_PAYOUT,
            second=g.SECOND_PLACE_ROUND_PAYOUT,
            third=g.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT,
            right=g.GAME_END_PAYOUT,
            wrong=g.BAD_GAME_END_BET,
        )
        game.track = [[int(camel[2:]) for camel in stack] for stack in g.camel_track]
        game.traps = {square: (trap[0], trap[1]) for square, trap in enumerate(g.trap_track) if trap}
        game.round_bets = [(int(camel[2:]), player) for camel, player in g.round_bets]
        for kind, bets in (("win", g.game_winner_bets), ("lose", g.game_loser_bets)):
            game.bets[kind] = [(int(camel[2:]), player) for camel, player in bets if camel is not None]
        game.money = list(g.player_money_values)
        game.waiting = list(g.camel_yet_to_move)
        game.over = not g.active_game
        return game

    def ranking(self) -> list[int]:
        return [camel for stack in reversed(self.track) for camel in reversed(stack)]

    def moves(self, player: int) -> list[tuple[Any, ...]]:
        squares = []
        for square in range(1, self.spaces):
            near = [owner for place, (_, owner) in self.traps.items() if abs(place - square) <= 1]
            if not self.track[square] and square not in self.traps and all(owner == player for owner in near):
                squares.append(square)
        moves: list[tuple[Any, ...]] = [(0,)]
        moves += [(1, kind, square) for kind in (1, -1) for square in squares]
        for camel in range(self.camels):
            if sum(named == camel for named, _ in self.round_bets) < len(self.first):
                moves.append((2, f"c_{camel}"))
        free = [camel for camel in range(self.camels) if (camel, player) not in self.bets["win"] + self.bets["lose"]]
        return moves + [(3, kind, f"c_{camel}") for kind in ("win", "lose") for camel in free]

    def make(self, player: int, move: tuple[Any, ...]) -> Row:
        if move[0] == 0:
            camel, distance = self.roll(player)
            return {"action_type": "move_camel", "camel": f"c_{camel}", "distance": distance}
        if move[0] == 1:
            self.traps = {square: trap for square, trap in self.traps.items() if trap[1] != player}
            self.traps[move[2]] = (move[1], player)
            return {"action_type": "move_trap", "trap_type": move[1], "trap_location": move[2]}
        if move[0] == 2:
            self.round_bets.append((int(move[1][2:]), player))
            return {"action_type": "round_winner_bet", "camel": move[1]}
        self.bets[move[1]].append((int(move[2][2:]), player))
        return {"action_type": "game_bet", "bet_type": move[1], "camel": move[2]}

    def roll(self, player: int) -> tuple[int, int]:
        camel = random.choice([index for index in range(self.camels) if self.waiting[index]])
        self.pips = pips = random.randint(*self.die)
        here = next(square for square, stack in enumerate(self.track) if camel in stack)
        cut = self.track[here].index(camel)
        unit, self.track[here] = self.track[here][cut:], self.track[here][:cut]
        there, under = here + pips, False
        if here + pips in self.traps:
            kind, owner = self.traps[here + pips]
            self.money[owner] += 1
            there, under = there + kind, kind < 0
        self.track[there] = unit + self.track[there] if under else self.track[there] + unit
        self.money[player] += 1
        self.waiting[camel] = False
        finished = any(self.track[self.spaces :])
        if finished or not any(self.waiting):
            self.end_round()
        if finished:
            self.end_game()
        return camel, there - here

    def end_round(self) -> None:
        payouts = dict(zip(self.ranking(), (list(self.first), list(self.second)), strict=False))
        for camel, player in self.round_bets:
            self.money[player] += payouts[camel].pop(0) if camel in payouts else self.third
        self.round_bets = []
        self.waiting = [True] * self.camels

    def end_game(self) -> None:
        for kind, camel in (("win", self.ranking()[0]), ("lose", self.ranking()[-1])):
            payouts = list(self.right)
            for named, player in self.bets[kind]:
                if named == camel:
                    self.money[player] += payouts.pop(0) if payouts else 1
                else:
                    self.money[player] += self.wrong
        self.over = True

    def standing(self) -> Row:
        row: Row = {}
        for camel in range(self.camels):
            square = next(square for square, stack in enumerate(self.track) if camel in stack)
            row[f"camel_c_{camel}_location"] = square
            row[f"camel_c_{camel}_stack_location"] = self.track[square].index(camel)
        for square, (kind, owner) in sorted(self.traps.items()):
            row[f"player_{owner}_trap_location"] = square
            row[f"player_{owner}_trap_type"] = kind
        for player in range(self.players):
            row[f"player_{player}_coins"] = self.money[player]
        return row


def random_bot(moves: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Two draws: a kind, then a move of it."""
    kind = random.choice(tuple({move[0] for move in moves}))
    return random.choice([move for move in moves if move[0] == kind])


def random_game(players: int) -> list[Row]:
    """Return the log of a game of random bots."""
    game = Naive(players)
    rows: list[Row] = [{"round_id": 0, **game.standing()}]
    while not game.over:
        player = (len(rows) - 1) % players
        did = game.make(player, random_bot(game.moves(player)))
        rows.append({"round_id": len(rows), "active_player": player, **did, **game.standing()})
    return rows
