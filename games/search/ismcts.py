"""Information-set Monte Carlo tree search, from one seat's point of view.

Each iteration determinizes the state for the seat and goes down one tree, shared by all determinizations, by UCB1 with
availability counts. It adds one edge, and plays on to the end: at random or, if the game has one, mostly by a fast bot
of its own (``Game.guide``), which needs far fewer roll-outs to tell good moves from bad ones. At each decision the seat
to move aims at its own result. Finally the most visited move is taken. With a guide, a decision with many moves starts
with the guide's and widens: one roll-out of each of a hundred moves would show nothing.

Where the moves are all selections of so many things, as of three cards to pass, UCB1 is asked for each thing, and the
ones that it puts first are taken: 286 moves share what 13 cards have shown.

Seats that decide at the same time are asked one after the other, and none may depend on another's choice: each has its
own counts at the node where that began.

A new tree takes every answer of the others to be equally likely, where a guide knows better. So with a guide, a move
has to be tried often before the tree grows beyond it; until then all play on as the guide does (``PATIENCE``). In
solitaire games nobody answers, and the tree grows at once. Measured in November 2026, with Wilson's 95 % intervals:

- Enchère, against the house bot: a tree that grows at once wins 49 % (46 - 53) of 1,000 matches, one that waits for
  200 visits of a move 64 % (60 - 68) of 600.
- Hamsterdam Exchange, 50 roll-outs: 40.9 % (30.9 - 51.7) of 82 matches without a tree, 29.4 % (21.8 - 38.3) of 114 with
  one that grows at once. With 1,000 roll-outs it equals the house bot.
- Card Thief: random thieves are caught, so random roll-outs all score 0. With the house bot as guide, and choices of
  more than 30 moves that begin with the guide's and widen, the level *strong* beat the house bot in 7 of 8 heists.

Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2), 2012: single-observer ISMCTS; decoupled choices for simultaneous moves
as in section III of M. Lanctot, V. Lisy, M. Winands, "Monte Carlo Tree Search in Simultaneous Move Games", 2013;
progressive unpruning as in section 3 of G. Chaslot and others, "Progressive Strategies for Monte-Carlo Tree Search",
New Mathematics and Natural Computation 4 (3), 2008; selections as in W. Chen, Y. Wang, Y. Yuan, "Combinatorial
Multi-Armed Bandit", 2013, algorithm CUCB.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Any

from games.core import Bot, Chance, Information, RulesFailed, State
from games.core.bot import Needs
from games.core.selections import Selection, selection_of
from games.core.state import LONGEST_ROLLOUT
from games.search.results import rewards

ROLLOUTS = 250
SURPRISES = 5  # of a hundred moves of a guide, one that is made at random instead
PATIENCE = 200  # among several, with a guide: roll-outs of a move that it plays on from before the tree grows
FEW = 30  # moves: up to so many, each gets a roll-out before any gets a second one
WIDENING = 0.7  # with more moves and a guide: so many times the square root of the visits are tried
EXPLORATION = 0.7  # of UCB1, for results from 0 to 1: the value of the article


class _Edge:
    """A move of a seat at a node: how often it was available, was tried, and ended; and the sum of its results."""

    __slots__ = ("available", "ended", "total", "tried")

    def __init__(self) -> None:
        self.available = self.tried = self.ended = 0
        self.total = 0.0  # for the seat that moves


class _Node:
    """A node of the tree: the same moves have been made since the root."""

    __slots__ = ("after", "edges")

    def __init__(self) -> None:
        self.edges: dict[tuple[int, str], _Edge] = {}
        self.after: dict[tuple[int, str], _Node] = {}


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to, in the order of the legal moves.

    ``means``: of the roll-outs that began with a move, each seat's mean reward (see ``rewards``), None where there were
    none. ``visits``: how many they were. ``selection``: what the moves select, if it was searched by that.
    """

    moves: tuple[str, ...]
    visits: tuple[int, ...]
    means: tuple[tuple[float, ...] | None, ...]
    selection: Selection | None = None

    def best(self, seat: int) -> int | None:
        """Return the number of the move that was tried most; of equal ones the best for ``seat``, then the first.

        Of selections it is the one of the things that did best for ``seat`` in all the moves with them.
        """
        if self.selection and any(self.visits):
            pairs = zip(self.visits, self.means, strict=True)
            return self.selection.did_best((n, mean[seat] * n if mean else 0.0) for n, mean in pairs)
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
        # The range of results so far. With several seats they are from 0 to 1; in solitaire games they are scores, any
        # numbers.
        self._low, self._high = 0.0, 1.0
        self._known = False  # whether these two are scores that have been met

    def run(self, rollouts: int) -> Searched:
        """Make so many roll-outs, or as many as there is time for, and return what they came to."""
        for _ in range(rollouts):
            if self._info.enough():
                break
            try:
                self._iterate()
            except RulesFailed:  # an impossible determinization: ignore it
                continue
        moves = self._info.legal_moves
        edges = [self._root.edges.get((self._info.seat, move)) for move in moves]
        visits = tuple(edge.ended if edge else 0 for edge in edges)
        means = tuple(
            tuple(total / count for total in self._sums[move]) if count else None
            for move, count in zip(moves, visits, strict=True)
        )
        return Searched(tuple(moves), visits, means, self._selection(moves))

    def _iterate(self) -> None:
        chance, seat = self._chance, self._info.seat
        sample = self._info.determinize(chance)
        needed = PATIENCE if self._guide and sample.seats > 1 else 1
        if self._guide:
            sample.keep("sight")  # a guide needs the record of who has seen what, but no log
        else:
            sample.keep("nothing")
        node = start = self._root  # ``start``: the node where the seats that decide now began
        deciding = set(sample.to_act())
        first = ""
        path: list[tuple[int, _Edge]] = []
        while seats := sample.to_act():
            mover = seats[0] if first else seat
            if mover not in deciding:
                start, deciding = node, set(seats)
            deciding.discard(mover)
            move, edge = self._select(start, mover, sample.legal_moves(mover), sample)
            first = first or move
            path.append((mover, edge))
            edge.tried += 1
            sample.apply(mover, move)
            if edge.ended < needed:
                self._play_on(sample)
                break
            key = mover, move
            after = node.after.get(key)
            if after is None:
                after = node.after[key] = _Node()
            node = after
        if not sample.over:  # stopped at the limit of decisions: the standings then are not a result
            return
        reward = rewards(sample)
        own = reward[seat]
        if self._favourite is not None:
            winners = sample.winners()
            own = (self._favourite in winners) / max(1, len(winners))
        self._learn(path, first, reward, own)

    def _play_on(self, sample: State[Any]) -> None:
        """Play on to the end."""
        chance, guide = self._chance, self._guide
        if guide is None:
            sample.rollout(chance)
            return
        for _ in range(self._guided):
            seats = sample.to_act()
            if not seats:
                return
            seat = seats[0]
            legal = sample.legal_moves(seat)
            if len(legal) == 1 or chance.randbelow(100) < SURPRISES:
                sample.apply(seat, chance.choice(legal))
            else:
                sample.apply(seat, guide.choose(self._info.in_determinization(sample, seat, guide.needs, legal)))
        sample.rollout(chance, LONGEST_ROLLOUT - self._guided)

    def _select(self, node: _Node, mover: int, moves: list[str], sample: State[Any]) -> tuple[str, _Edge]:
        """Return the next move and its edge: one that was never tried if it is time for one, else by UCB1."""
        known = node.edges
        edges = []
        for move in moves:
            edge = known.get((mover, move))
            if edge is None:
                edge = known[mover, move] = _Edge()
            edge.available += 1
            edges.append(edge)
        if selection := self._selection(moves):
            number = self._things(selection, edges)
            return moves[number], edges[number]
        fresh = [number for number, edge in enumerate(edges) if not edge.tried]
        if fresh and self._guide and len(moves) > FEW:
            visits = sum(edge.tried for edge in edges)
            if not visits:
                info = self._info.in_determinization(sample, mover, self._guide.needs, moves)
                fresh = [moves.index(self._guide.choose(info))]
            elif len(moves) - len(fresh) > WIDENING * sqrt(visits):
                fresh = []
        if fresh:
            number = self._chance.choice(fresh)
            return moves[number], edges[number]
        low, width = self._low, (self._high - self._low) or 1.0
        best, chosen = -1.0, 0
        for number, edge in enumerate(edges):
            if not edge.tried:
                continue
            mean = ((edge.total / edge.ended if edge.ended else _usual(edges)) - low) / width
            value = mean + EXPLORATION * sqrt(log(edge.available) / edge.tried)
            if value > best:
                best, chosen = value, number
        return moves[chosen], edges[chosen]

    def _selection(self, moves: list[str]) -> Selection | None:
        """Return what moves select, if they are searched by that: a guide knows better which moves are good."""
        return None if self._guide else selection_of(moves)

    def _things(self, selection: Selection, edges: list[_Edge]) -> int:
        """Return which of the moves takes the things that UCB1 puts first, those that were never taken before all."""
        low, width = self._low, (self._high - self._low) or 1.0
        counts, means = selection.means((edge.ended, edge.total) for edge in edges)
        known = log(1 + sum(edge.ended for edge in edges))
        things = list(selection.things)
        self._chance.shuffle(things)  # of equal ones any
        return selection.best(
            {
                thing: (means[thing] - low) / width + EXPLORATION * sqrt(known / counts[thing])
                if counts[thing]
                else inf
                for thing in things
            }
        )

    def _learn(self, path: list[tuple[int, _Edge]], first: str, reward: list[float], own: float) -> None:
        """Add the result of an iteration to its edges; ``own`` is its value for the seat that searches."""
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
    """Return the mean over all edges of a choice, for a move that was tried but never ended."""
    ended = sum(edge.ended for edge in edges)
    return sum(edge.total for edge in edges) / ended if ended else 0.0


class Ismcts(Bot):
    """Searches with ``rollouts`` roll-outs. It ignores the budget, because its name says how many."""

    name = "ismcts"
    title = "Tree search"
    needs: Needs = "determinizations"

    def __init__(self, rollouts: int = ROLLOUTS) -> None:
        self.rollouts = rollouts

    def choose(self, info: Information) -> str:
        return decide(info, self.rollouts)


def decide(info: Information, rollouts: int, favourite: int | None = None) -> str:
    """Return the move that a search of so many roll-outs takes; a random one if none of them ended.

    ``favourite``: the seat for whose win it plays, by default it plays for its own result.
    """
    moves = info.legal_moves
    if len(moves) == 1:
        return moves[0]
    best = Search(info, info.chance, favourite).run(rollouts).best(info.seat if favourite is None else favourite)
    return info.chance.choice(moves) if best is None else moves[best]
