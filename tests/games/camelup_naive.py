"""The series' simulation, told once more from its published behaviour: slow, plain, and sharing nothing with the house.

It draws from the module ``random`` in the order in which the series does, so that the same seed must give the same
games. Moves are the tuples of its bot API.
"""

from __future__ import annotations

import random
from typing import Any

SPACES, CAMELS = 16, 5
FIRST, SECOND = (5, 3, 2), (1, 1, 1)

Row = dict[str, Any]


class Naive:
    """A game of the series under way."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.track: list[list[int]] = [[] for _ in range(2 * SPACES)]
        self.traps: dict[int, tuple[int, int]] = {}  # player: (square, type)
        self.round_bets: list[tuple[int, int]] = []
        self.bets: dict[str, list[tuple[int, int]]] = {"win": [], "lose": []}
        self.money = [2] * players
        self.waiting = [True] * CAMELS
        self.over = False
        self.pips = 0  # what was rolled last
        camels = list(range(CAMELS))
        while camels:
            camel = camels.pop(random.randint(0, len(camels) - 1))
            self.track[random.randint(1, 3) - 1].append(camel)

    def ranking(self) -> list[int]:
        return [camel for stack in reversed(self.track) for camel in reversed(stack)]

    def moves(self, player: int) -> list[tuple[Any, ...]]:
        squares = []
        for square in range(1, SPACES):
            near = [place for owner, (place, _) in self.traps.items() if owner != player and abs(place - square) <= 1]
            own = player in self.traps and self.traps[player][0] == square
            if not self.track[square] and not near and not own:
                squares.append(square)
        found: list[tuple[Any, ...]] = [(0,)]
        found += [(1, kind, square) for kind in (1, -1) for square in squares]
        for camel in range(CAMELS):
            if sum(named == camel for named, _ in self.round_bets) < len(FIRST):
                found.append((2, f"c_{camel}"))
        free = [camel for camel in range(CAMELS) if (camel, player) not in self.bets["win"] + self.bets["lose"]]
        return found + [(3, kind, f"c_{camel}") for kind in ("win", "lose") for camel in free]

    def make(self, player: int, move: tuple[Any, ...]) -> Row:
        if move[0] == 0:
            camel, distance = self.roll(player)
            return {"action_type": "move_camel", "camel": f"c_{camel}", "distance": distance}
        if move[0] == 1:
            self.traps[player] = (move[2], move[1])
            return {"action_type": "move_trap", "trap_type": move[1], "trap_location": move[2]}
        if move[0] == 2:
            self.round_bets.append((int(move[1][2:]), player))
            return {"action_type": "round_winner_bet", "camel": move[1]}
        self.bets[move[1]].append((int(move[2][2:]), player))
        return {"action_type": "game_bet", "bet_type": move[1], "camel": move[2]}

    def roll(self, player: int) -> tuple[int, int]:
        camel = random.choice([index for index in range(CAMELS) if self.waiting[index]])
        self.pips = pips = random.randint(1, 3)
        here = next(square for square, stack in enumerate(self.track) if camel in stack)
        cut = self.track[here].index(camel)
        unit, self.track[here] = self.track[here][cut:], self.track[here][:cut]
        there, under = here + pips, False
        for owner, (square, kind) in self.traps.items():
            if square == here + pips:
                self.money[owner] += 1
                there, under = there + kind, kind < 0
        self.track[there] = unit + self.track[there] if under else self.track[there] + unit
        self.money[player] += 1
        self.waiting[camel] = False
        finished = any(self.track[SPACES:])
        if finished or not any(self.waiting):
            self.end_round()
        if finished:
            self.end_game()
        return camel, there - here

    def end_round(self) -> None:
        first, second = self.ranking()[:2]
        right = {first: 0, second: 0}
        for camel, player in self.round_bets:
            if camel in right:
                self.money[player] += (FIRST if camel == first else SECOND)[right[camel]]
                right[camel] += 1
            else:
                self.money[player] -= 1
        self.round_bets = []
        self.waiting = [True] * CAMELS

    def end_game(self) -> None:
        for kind, camel in (("win", self.ranking()[0]), ("lose", self.ranking()[-1])):
            payouts = [8, 5, 3]
            for named, player in self.bets[kind]:
                if named == camel:
                    self.money[player] += payouts.pop(0) if payouts else 1
                else:
                    self.money[player] -= 1
        self.over = True

    def standing(self) -> Row:
        row: Row = {}
        for camel in range(CAMELS):
            square = next(square for square, stack in enumerate(self.track) if camel in stack)
            row[f"camel_c_{camel}_location"] = square
            row[f"camel_c_{camel}_stack_location"] = self.track[square].index(camel)
        for owner, (square, kind) in sorted(self.traps.items(), key=lambda trap: trap[1][0]):
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
