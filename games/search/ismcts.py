"""Information-set Monte Carlo tree search, with the eyes of one seat.

Each iteration draws afresh all that the seat cannot know, goes down one tree that all these worlds share, by UCB1 with
availability counts, adds one edge, and plays on to the end: at random, or, where a game has one, mostly by a quick bot
of its own (``Game.guide``), which takes far fewer play-outs to tell good from bad. At each decision the seat whose
turn it is goes for its own result; in the end the move that was tried most is taken. Where there is a guide, and a
choice of many moves, that begins with the guide's and widens: one play-out of each of a hundred would tell nothing.

Where several seats decide at once they are asked one after the other, and none may go by what another one chose: each
has its own counts at the place where that began.

A tree that has hardly begun takes every answer of the others for as likely, where a guide knows better. So if there is
one, a move has to have been tried often before the tree grows beyond it; until then all go on as the guide does. Who
plays alone has nobody to answer, and the tree grows at once.

Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2), 2012: single-observer ISMCTS; decoupled choices for simultaneous moves
as in section III of M. Lanctot, V. Lisy, M. Winands, "Monte Carlo Tree Search in Simultaneous Move Games", 2013;
progressive unpruning as in section 3 of G. Chaslot and others, "Progressive Strategies for Monte-Carlo Tree Search",
New Mathematics and Natural Computation 4 (3), 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from games.core import Bot, Chance, Information, RulesFailed, State
from games.core.bot import Needs
from games.core.state import LONGEST_PLAYOUT
from games.search.results import rewards

PLAYOUTS = 250
SURPRISES = 5  # of a hundred moves of a guide, one that is made at random instead
PATIENCE = 200  # among several, with a guide: play-outs of a move that it plays on from before the tree grows
FEW = 30  # moves: of no more, each gets a play-out before any gets a second one
WIDENING = 0.7  # of more, with a guide: how many are tried, for the square root of the visits
EXPLORATION = 0.7  # of UCB1, for results from 0 to 1: the value of the article


class _Edge:
    """A move of a seat at a node: how often it could have been made, was tried, came to an end, and what it brought."""

    __slots__ = ("available", "ended", "total", "tried")

    def __init__(self) -> None:
        self.available = self.tried = self.ended = 0
        self.total = 0.0  # for the seat that moves


class _Node:
    """A place in the tree: where the same moves have been made since the root."""

    __slots__ = ("after", "edges")

    def __init__(self) -> None:
        self.edges: dict[tuple[int, str], _Edge] = {}
        self.after: dict[tuple[int, str], _Node] = {}


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to, in the order of the legal moves.

    ``means``: of the play-outs that began with a move, each seat's mean reward (see ``rewards``), None where there were
    none. ``visits``: how many they were.
    """

    moves: tuple[str, ...]
    visits: tuple[int, ...]
    means: tuple[tuple[float, ...] | None, ...]

    def best(self, seat: int) -> int | None:
        """Return the number of the move that was tried most; of equal ones the best for ``seat``, then the first."""
        known = [
            (visits, mean[seat], -number)
            for number, (visits, mean) in enumerate(zip(self.visits, self.means, strict=True))
            if mean is not None
        ]
        return -max(known)[2] if known else None


class Search:
    """One search, from one decision."""

    def __init__(self, info: Information, chance: Chance, favourite: int | None = None) -> None:
        """Begin a search for the seat of ``info``, which goes for its own result, or for the win of ``favourite``."""
        self._info = info
        self._chance = chance
        self._favourite = None if favourite == info.seat else favourite
        self._guide, self._guided = info.guide, info.guided
        self._root = _Node()
        self._sums: dict[str, list[float]] = {}  # by first move, the rewards of all seats
        # What results there have been. Those of several seats go from 0 to 1; who plays alone has scores, any numbers.
        self._low, self._high = 0.0, 1.0
        self._known = False  # whether these two are scores that have been met

    def run(self, playouts: int) -> Searched:
        """Make so many play-outs, or as many as there is time for, and return what they came to."""
        for _ in range(playouts):
            if self._info.enough():
                break
            try:
                self._iterate()
            except RulesFailed:  # a world that cannot be: what it would have told is not told
                continue
        moves = self._info.legal_moves
        edges = [self._root.edges.get((self._info.seat, move)) for move in moves]
        visits = tuple(edge.ended if edge else 0 for edge in edges)
        means = tuple(
            tuple(total / count for total in self._sums[move]) if count else None
            for move, count in zip(moves, visits, strict=True)
        )
        return Searched(tuple(moves), visits, means)

    def _iterate(self) -> None:
        chance, seat = self._chance, self._info.seat
        world = self._info.determinize(chance)
        patience = PATIENCE if self._guide and world.seats > 1 else 1
        if self._guide:
            world.lines = None  # a guide has to know who has seen what
        else:
            world.unwatched()
        place = stage = self._root  # ``stage``: where those who decide now began to
        deciding = set(world.to_act())
        first = ""
        path: list[tuple[int, _Edge]] = []
        while seats := world.to_act():
            mover = seats[0] if first else seat
            if mover not in deciding:
                stage, deciding = place, set(seats)
            deciding.discard(mover)
            move, edge = self._select(stage, mover, world.legal_moves(mover), world)
            first = first or move
            path.append((mover, edge))
            edge.tried += 1
            world.apply(mover, move)
            if edge.ended < patience:
                self._play_on(world)
                break
            key = mover, move
            after = place.after.get(key)
            if after is None:
                after = place.after[key] = _Node()
            place = after
        if not world.over:  # given up after so many decisions: how it stood then is no result
            return
        reward = rewards(world)
        own = reward[seat]
        if self._favourite is not None:
            winners = world.winners()
            own = (self._favourite in winners) / max(1, len(winners))
        self._learn(path, first, reward, own)

    def _play_on(self, world: State[Any]) -> None:
        """Play on to the end."""
        chance, guide = self._chance, self._guide
        if guide is None:
            world.playout(chance)
            return
        for _ in range(self._guided):
            seats = world.to_act()
            if not seats:
                return
            seat = seats[0]
            legal = world.legal_moves(seat)
            if len(legal) == 1 or chance.randbelow(100) < SURPRISES:
                world.apply(seat, chance.choice(legal))
            else:
                world.apply(seat, guide.choose(self._info.in_world(world, seat, guide.needs, legal)))
        world.playout(chance, LONGEST_PLAYOUT - self._guided)

    def _select(self, node: _Node, mover: int, moves: list[str], world: State[Any]) -> tuple[str, _Edge]:
        """Return the move to go on with, and its edge: one that was never tried if it is time for one, else by UCB1."""
        known = node.edges
        edges = []
        for move in moves:
            edge = known.get((mover, move))
            if edge is None:
                edge = known[mover, move] = _Edge()
            edge.available += 1
            edges.append(edge)
        fresh = [number for number, edge in enumerate(edges) if not edge.tried]
        if fresh and self._guide and len(moves) > FEW:
            visits = sum(edge.tried for edge in edges)
            if not visits:
                info = self._info.in_world(world, mover, self._guide.needs, moves)
                fresh = [moves.index(self._guide.choose(info))]
            elif len(moves) - len(fresh) > WIDENING * sqrt(visits):
                fresh = []
        if fresh:
            number = self._chance.choice(fresh)
            return moves[number], edges[number]
        low, width = self._low, (self._high - self._low) or 1.0
        best, found = -1.0, 0
        for number, edge in enumerate(edges):
            if not edge.tried:
                continue
            mean = ((edge.total / edge.ended if edge.ended else _usual(edges)) - low) / width
            value = mean + EXPLORATION * sqrt(log(edge.available) / edge.tried)
            if value > best:
                best, found = value, number
        return moves[found], edges[found]

    def _learn(self, path: list[tuple[int, _Edge]], first: str, reward: list[float], own: float) -> None:
        """Note what an iteration came to along its way; ``own`` is what it is worth to the seat that searches."""
        if len(reward) == 1:
            [score] = reward
            self._low = min(self._low, score) if self._known else score
            self._high = max(self._high, score) if self._known else score
            self._known = True
        for mover, edge in path:
            edge.ended += 1
            edge.total += own if mover == self._info.seat else reward[mover]
        sums = self._sums.get(first)
        self._sums[first] = reward if sums is None else [one + more for one, more in zip(sums, reward, strict=True)]


def _usual(edges: list[_Edge]) -> float:
    """Return the mean of all edges of a choice: what to think of a move that was tried and never came to an end."""
    ended = sum(edge.ended for edge in edges)
    return sum(edge.total for edge in edges) / ended if ended else 0.0


class Ismcts(Bot):
    """Searches for ``playouts`` play-outs, whatever the budget is, for its name says it."""

    name = "ismcts"
    title = "Tree search"
    needs: Needs = "worlds"

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self.playouts = playouts

    def choose(self, info: Information) -> str:
        return decide(info, self.playouts)


def decide(info: Information, playouts: int, favourite: int | None = None) -> str:
    """Return the move that a search of so many play-outs takes; any legal one when not one of them came to an end.

    ``favourite``: the seat for whose win it plays, by default it goes for its own result.
    """
    moves = info.legal_moves
    if len(moves) == 1:
        return moves[0]
    best = Search(info, info.chance, favourite).run(playouts).best(info.seat if favourite is None else favourite)
    return info.chance.choice(moves) if best is None else moves[best]
