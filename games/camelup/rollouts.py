"""Many races at once, played to the end of the leg by players who estimate moves as the strong bot does.

Each is a *lane*: a race with its own dice and its own sample of the race cards that the asking seat cannot know. All
lanes are at the same turn of the same player, so a step is a few dozen operations on whole arrays. A player's estimates
come from tables (``standings``) that ignore desert tiles; the camels do run over tiles.

Lanes with the same number have the same dice and cards whatever was played before, so moves are compared by their
effect and not by their luck.

A player without a better move moves the desert tile and waits for others to roll. Here that is a pass. If all pass, the
player has to roll whose turn it is when desert tiles may no longer be moved: see ``PATIENCE``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.camelup.position import HIDDEN, Position
from games.camelup.rules_engine import PATIENCE
from games.camelup.standings import FIRST, LEVELS, LOSES, SECOND, WINS, PlacementOdds, standing_of, standings
from games.camelup.terms import LEG_BET, RACE_BET, TILE, Terms

Whole = NDArray[np.int64]
Real = NDArray[np.float32]

NEVER = -100.0  # coins: what cannot be done
SHARES = 20  # resolution of probabilities in the lookup of race card values
LEGS = 1  # that are played on: the one that is running
MOST_TURNS = 1000  # of a roll-out: far more than a leg has
# Coins more than others that those who open a leg, are second in it, and so on, come to have from then on: means of
# 5,800 roll-outs of four seats that went on to the end of the race, by the rules of the series.
TEMPO = (1.1, 0.1, -0.4, -0.8)


# How the players in the roll-outs choose.
SPITE = 0.9  # what a coin of the next player's counts
GOOD_TILE = 0.7  # coins that a desert tile is worth where it lies well
MOVED_TILE = 0.25  # coins that it is worth to move one
LOOKS = 4  # rolls that are tried to see what one leaves to the next player
NOISE = 0.1  # coins, up to which moves are taken for equal
FAVOUR = 1.5  # how much more likely a hidden card is on a camel of better odds: their power


@dataclass(frozen=True)
class Ended:
    """What came of roll-outs."""

    coins: Real  # [lane, seat]: what each seat has, and may hope for where the race goes on
    to_go: Whole  # [lane]: squares from the first camel to the finish; 0: the race is over


class Lanes:
    """Races that are all at the turn of the same player. The first axis of every array is the lane."""

    def __init__(self, race: Position, lanes: int, draw: np.random.Generator, noise: float) -> None:
        """Copy a race as a player sees it, with dice and others' race cards drawn for each lane.

        Players take moves that differ by up to ``noise`` coins for equal.
        """
        terms = self.terms = race.terms
        self.noise = noise
        self.draw = draw
        self.tables: PlacementOdds = standings(terms)
        self.seats, self.camels = race.seats, terms.camels
        self.mover = race.mover
        self.every = (1 << self.camels) - 1
        first, second = np.array(terms.leg_first), np.array(terms.leg_second)
        # By tiles taken: what more than a miss a leg tile earns; where there is none left it is hopeless.
        self.leg_first = np.append(first - terms.leg_other, 0).astype(np.float32)
        self.leg_second = np.append(second - terms.leg_other, 0).astype(np.float32)
        self.gone = np.append(np.zeros(len(first)), NEVER).astype(np.float32)
        self.race_pays = np.array([terms.race_pay(n) - terms.race_wrong for n in range(1 + race.seats * 5)], np.float32)
        self.card_pays = _card_pays(terms, race.seats)
        level = dict.fromkeys(race.place, -1)
        heights = np.zeros(self.camels, np.int64)
        for camel in race.order:
            level[race.place[camel]] += 1
            heights[camel] = (race.place[camel] << LEVELS) + level[race.place[camel]]

        def same(one: Any, kind: Any) -> NDArray[Any]:
            one = np.array(one, kind)
            return np.broadcast_to(one, (lanes, *one.shape)).copy()

        self.sample = np.arange(lanes)
        self.heights = same(heights, np.int64)
        self.waiting = same([camel in race.left for camel in range(self.camels)], bool)
        self.tiles = same(race.tiles, np.int64)
        self.money = same(race.money, np.float32)
        self.money += np.array(race.pyramids, np.float32) * terms.roll_pay
        self.still = same(race.still, np.int64)
        self.passes = same(0, np.int64)
        self.over = same(False, bool)
        self.leg = same(0, np.int64)
        self.die = same(0, np.int64)
        self.taken = same(np.zeros(self.camels), np.int64)
        self.on_first = same(np.zeros((self.seats, self.camels)), np.float32)
        self.on_second = same(np.zeros((self.seats, self.camels)), np.float32)
        self.bets = same(np.zeros(self.seats), np.float32)
        everyone = np.arange(lanes)
        for camel, seat in race.leg_bets:
            self._bet_on_leg(everyone, seat, np.full(lanes, camel))
        self.holds = same(np.ones((self.seats, self.camels)), bool)
        self.piles = [_Pile(lanes, self.seats, self.camels) for _ in range(2)]  # the loser's, the winner's
        self.cards = same(np.zeros(self.seats), np.float32)
        self.odds = np.zeros((lanes, 4, self.camels), np.float32)
        self.ranking = np.zeros((lanes, self.camels), np.int64)
        self.standing, self.dice, self.to_go = (np.zeros(lanes, np.int64) for _ in range(3))
        self._find_odds(everyone)
        self._draw_cards(race)
        self._draw_dice(race)

    # -- what is drawn

    def _draw_dice(self, race: Position) -> None:
        lanes = len(self.sample)
        shape = (lanes, LEGS, self.camels)
        self.order = self.draw.random(shape).argsort(axis=2)
        left = np.array(race.left)
        now = self.draw.random((lanes, len(left))).argsort(axis=1)
        self.order[:, 0, : len(left)] = left[now]
        self.pips = self.draw.integers(self.terms.die_low, self.terms.die_high + 1, shape)

    def _draw_cards(self, race: Position) -> None:
        """Put cards under the bets that are hidden: of each player different ones, likelier where the odds are good."""
        lanes = len(self.sample)
        hidden: list[tuple[list[Whole], list[Whole]]] = [([], []) for _ in range(self.seats)]
        for seat in range(self.seats):
            hides = [
                sum(1 for camel, whose in bets if whose == seat and camel == HIDDEN)
                for bets in (race.loser_bets, race.winner_bets)
            ]
            if not any(hides):
                continue
            free = np.ones((lanes, self.camels), bool)
            for to_win in (1, 0):
                odds = self.odds[:, WINS if to_win else LOSES]
                likely = FAVOUR * np.log(odds + 0.02) + self.draw.gumbel(size=(lanes, self.camels))
                ranked = np.where(free, likely, -np.inf).argsort(axis=1)[:, ::-1]
                for drawn in ranked.T[: hides[to_win]]:
                    hidden[seat][to_win].append(drawn)
                    free[np.arange(lanes), drawn] = False
        everyone = np.arange(lanes)
        for to_win, bets in enumerate((race.loser_bets, race.winner_bets)):
            for camel, seat in bets:
                camels = hidden[seat][to_win].pop(0) if camel == HIDDEN else np.full(lanes, camel)
                self._bet_on_race(everyone, seat, camels, to_win)

    # -- lanes

    def repeated(self, times: int) -> None:
        """Have each lane so many times, one row of them after the other."""
        self._take(np.tile(np.arange(len(self.sample)), times))

    def _take(self, lanes: NDArray[Any]) -> None:
        for name in PARTS:
            setattr(self, name, getattr(self, name)[lanes])
        for pile in self.piles:
            pile.take(lanes)

    # -- moves

    def pass_on(self) -> None:
        """Give the turn to the next player."""
        self.mover = (self.mover + 1) % self.seats

    def act(self, lanes: Whole, meaning: tuple[int, int, int]) -> None:
        """Make a move of the player to move in some lanes; the turn is passed on when all have moved."""
        kind, first, second = meaning
        if kind == LEG_BET:
            self._bet_on_leg(lanes, self.mover, np.full(len(lanes), first))
        elif kind == RACE_BET:
            self._bet_on_race(lanes, self.mover, np.full(len(lanes), first), second)
        elif kind == TILE:
            self.tiles[lanes, self.mover] = first * second
        else:
            self._roll(lanes)
            return
        self.still[lanes] += 1

    def _bet_on_leg(self, lanes: Whole, seat: int, camels: Whole) -> None:
        taken = self.taken[lanes, camels]
        self.on_first[lanes, seat, camels] += self.leg_first[taken]
        self.on_second[lanes, seat, camels] += self.leg_second[taken]
        self.bets[lanes, seat] += 1
        self.taken[lanes, camels] = taken + 1

    def _bet_on_race(self, lanes: Whole, seat: int, camels: Whole, to_win: int) -> None:
        pile = self.piles[to_win]
        before = pile.count[lanes, camels]
        pile.pays[lanes, seat, camels] = self.race_pays[before]
        pile.count[lanes, camels] = before + 1
        pile.size[lanes] += 1
        pile.own[lanes, seat] += 1
        self.cards[lanes, seat] += 1
        self.holds[lanes, seat, camels] = False

    def _roll(self, lanes: Whole) -> None:
        terms, seat = self.terms, self.mover
        sample, leg, die = self.sample[lanes], self.leg[lanes], self.die[lanes]
        camel = self.order[sample, leg, die]
        pips = self.pips[sample, leg, die]
        heights = self.heights[lanes]
        mover = np.take_along_axis(heights, camel[:, None], 1)
        squares = heights >> LEVELS
        here = mover >> LEVELS
        unit = (heights >= mover) & (squares == here)
        landing = here + pips[:, None]
        tiles = self.tiles[lanes]
        hit = (np.abs(tiles) == landing) & (tiles != 0)
        push = (hit * np.sign(tiles)).sum(1, keepdims=True)
        target = landing + push
        there = (squares == target) & ~unit
        under = push < 0
        rise = (target << LEVELS) - mover + np.where(under, 0, there.sum(1, keepdims=True))
        heights = heights + unit * rise + (there & under) * unit.sum(1, keepdims=True)
        self.heights[lanes] = heights
        self.waiting[lanes, camel] = False
        self.money[lanes] += hit * terms.tile_pay
        self.money[lanes, seat] += terms.roll_pay
        self.still[lanes] = 0
        self.passes[lanes] = 0
        self.die[lanes] = die + 1
        over = target[:, 0] >= terms.spaces
        leg_over = over | ~self.waiting[lanes].any(axis=1)
        if leg_over.any():
            self._end_leg(lanes[leg_over])
        if over.any():
            self._end_race(lanes[over])
            self.over[lanes[over]] = True
            lanes = lanes[~over]
        if len(lanes):
            self._find_odds(lanes)

    def _end_leg(self, lanes: Whole) -> None:
        ranked = self.heights[lanes].argsort(axis=1)
        first, second = ranked[:, -1], ranked[:, -2]
        rows = np.arange(len(lanes))
        gains = self.on_first[lanes][rows, :, first] + self.on_second[lanes][rows, :, second]
        self.money[lanes] += gains + self.bets[lanes] * self.terms.leg_other
        if self.terms.floor:
            self.money[lanes] = np.maximum(self.money[lanes], 0)
        self.on_first[lanes] = 0
        self.on_second[lanes] = 0
        self.bets[lanes] = 0
        self.taken[lanes] = 0
        self.waiting[lanes] = True
        self.leg[lanes] += 1
        self.die[lanes] = 0
        if not self.terms.tiles_stay:
            self.tiles[lanes] = 0

    def _end_race(self, lanes: Whole) -> None:
        heights = self.heights[lanes]
        rows = np.arange(len(lanes))
        for pile, camel in zip(self.piles, (heights.argmin(1), heights.argmax(1)), strict=True):
            self.money[lanes] += pile.pays[lanes][rows, :, camel]
        self.money[lanes] += self.cards[lanes] * self.terms.race_wrong

    def _find_odds(self, lanes: Whole) -> None:
        """Look up what becomes of the camels."""
        heights = self.heights[lanes]
        ranking = (-heights).argsort(axis=1)
        ranked = np.take_along_axis(heights, ranking, 1)
        waiting = np.take_along_axis(self.waiting[lanes], ranking, 1) @ (1 << np.arange(self.camels))
        standing = standing_of(ranked)
        to_go = self.terms.spaces - (ranked[:, 0] >> LEVELS)
        by_rank = self.tables.odds[self.tables.row(to_go, waiting, standing)].astype(np.float32)
        odds = np.empty_like(by_rank)
        np.put_along_axis(odds, ranking[:, None, :], by_rank, 2)
        self.odds[lanes], self.ranking[lanes], self.standing[lanes] = odds, ranking, standing
        self.dice[lanes], self.to_go[lanes] = waiting, to_go

    # -- the players in the roll-outs

    def play_on(self) -> Ended:
        """Play until this leg is over, or the race; return what came of it."""
        lanes = len(self.sample)
        worth = np.zeros((lanes, self.seats), np.float32)
        to_go = np.zeros(lanes, np.int64)
        number = np.arange(lanes)
        tempo = np.zeros(self.seats, np.float32)
        tempo[: len(TEMPO)] = TEMPO[: self.seats]
        for _ in range(MOST_TURNS):
            ended = self.over | (self.leg >= LEGS)
            if ended.any():
                coming = self.hopes()[ended] + np.roll(tempo, self.mover)
                worth[number[ended]] = self.money[ended] + np.where(self.over[ended, None], 0, coming)
                to_go[number[ended]] = np.where(self.over[ended], 0, self.to_go[ended])
                number = number[~ended]
                self._take(~ended)
                if not len(number):
                    break
            self._turn()
            self.pass_on()
        worth[number] = self.money + self.hopes()
        to_go[number] = self.to_go
        return Ended(worth, to_go)

    def hopes(self) -> Real:
        """Return what each seat may expect of its race cards."""
        hoped = self.cards * self.terms.race_wrong
        for pile, what in zip(self.piles, (LOSES, WINS), strict=True):
            hoped = hoped + (pile.pays * self.odds[:, None, what]).sum(2)
        return np.asarray(hoped, np.float32)

    def _turn(self) -> None:
        terms, seat = self.terms, self.mover
        lanes = len(self.sample)
        rows = np.arange(lanes)
        camels = self.camels
        first, second = self.odds[:, FIRST], self.odds[:, SECOND]

        def worth(taken: Whole) -> Real:
            value: Real = first * self.leg_first[taken] + second * self.leg_second[taken] + self.gone[taken]
            return value + terms.leg_other

        pay = terms.roll_pay
        legs = worth(self.taken)
        best = legs.argmax(1)
        most = legs[rows, best]
        # What is left to the next player after each leg bet.
        others = legs.copy()
        others[rows, best] = NEVER
        runner_up = others.max(1)
        left = np.maximum(most, pay)[:, None].repeat(camels, 1)
        left[rows, best] = np.maximum(runner_up, pay)
        left = np.maximum(left, worth(np.minimum(self.taken + 1, len(self.gone) - 1)))
        leaves = SPITE * np.maximum(most, pay)
        values = np.empty((lanes, 2 + 3 * camels), np.float32)
        values[:, 2 : 2 + camels] = legs - SPITE * left
        for to_win in (1, 0):
            pile = self.piles[to_win]
            odds = self.odds[:, WINS if to_win else LOSES]
            rivals = pile.size - pile.own[:, seat]
            earned = self.card_pays[rivals[:, None], (odds * SHARES).astype(np.int64)]
            card = odds * earned + (1 - odds) * terms.race_wrong - leaves[:, None]
            at = 2 + camels * (2 - to_win)
            values[:, at : at + camels] = np.where(self.holds[:, seat], card, NEVER)
        lying = np.abs(self.tiles[:, seat])
        rear = (self.heights.min(1)) >> LEVELS
        useless = lying <= rear + 1
        values[:, 1] = np.where(useless, GOOD_TILE, MOVED_TILE) - leaves
        forced = self.still >= PATIENCE
        forced |= (self.passes >= self.seats) & ((PATIENCE - self.still) % self.seats == 0)
        values[forced, 1] = NEVER
        values[:, 0] = NEVER
        ask = (values.max(1) < pay).nonzero()[0]
        if len(ask):
            values[ask, 0] = pay - SPITE * self._after_roll(ask)
        if self.noise:
            values += self.draw.random(values.shape, np.float32) * self.noise
        choice = values.argmax(1)
        self.still += 1
        self.passes += 1
        bets = choice >= 2
        self.passes[bets] = 0
        self.still[forced & bets] = PATIENCE
        kind, camel = (choice - 2) // camels, (choice - 2) % camels
        placing = ((choice == 1) & useless).nonzero()[0]
        if len(placing):
            self._place(placing)
        betting = (bets & (kind == 0)).nonzero()[0]
        if len(betting):
            self._bet_on_leg(betting, seat, camel[betting])
        for to_win in (1, 0):
            betting = (bets & (kind == 2 - to_win)).nonzero()[0]
            if len(betting):
                self._bet_on_race(betting, seat, camel[betting], to_win)
        rolling = (choice == 0).nonzero()[0]
        if len(rolling):
            self._roll(rolling)

    def _after_roll(self, lanes: Whole) -> Real:
        """Estimate what a roll leaves to the next player: the mean of what some rolls do."""
        tables, terms = self.tables, self.terms
        lanes = lanes.repeat(LOOKS)
        faces = terms.die_high - terms.die_low + 1
        dice = self.dice[lanes]
        mover = np.where(dice[:, None] >> np.arange(self.camels) & 1, self.draw.random((len(lanes), self.camels)), -1)
        rank = mover.argmax(1)
        face = self.draw.integers(0, faces, len(lanes))
        before = self.standing[lanes]
        standing = tables.after[before, rank, face]
        to_go = self.to_go[lanes] - tables.ahead[before, rank, face]
        waiting = tables.waiting[before, rank, face, dice].astype(np.int64)
        fresh = waiting == 0
        waiting[fresh] = self.every
        odds = tables.odds[tables.row(to_go, waiting, standing), :2].astype(np.float32)
        camel = np.take_along_axis(self.ranking[lanes], tables.ranks[before, rank, face].astype(np.int64), 1)
        taken = np.take_along_axis(self.taken[lanes], camel, 1)
        taken[fresh] = 0
        worth = odds[:, 0] * self.leg_first[taken] + odds[:, 1] * self.leg_second[taken] + self.gone[taken]
        best = np.maximum(worth.max(1) + terms.leg_other, terms.roll_pay)
        best[to_go <= 0] = 0
        return np.asarray(best.reshape(-1, LOOKS).mean(1), np.float32)

    def _place(self, lanes: Whole) -> None:
        """Put the mover's desert tile two squares before the first camel, or near there; either side is as likely."""
        seat = self.mover
        front = self.heights[lanes].max(1) >> LEVELS
        others = np.abs(np.delete(self.tiles[lanes], seat, 1))
        squares = np.zeros(len(lanes), np.int64)
        for step in (3, 1, 2):
            square = front + step
            free = (np.abs(others - square[:, None]) > 1) | (others == 0)
            good = free.all(1) & (square < self.terms.spaces)
            squares[good] = square[good]
        side = np.where(self.draw.random(len(lanes)) < 0.5, 1, -1)
        self.tiles[lanes, seat] = squares * side


class _Pile:
    """The race cards on a pile."""

    def __init__(self, lanes: int, seats: int, camels: int) -> None:
        self.pays = np.zeros((lanes, seats, camels), np.float32)  # what more than a wrong one each card earns
        self.count = np.zeros((lanes, camels), np.int64)
        self.size = np.zeros(lanes, np.int64)
        self.own = np.zeros((lanes, seats), np.int64)

    def take(self, lanes: NDArray[Any]) -> None:
        self.pays, self.count, self.size, self.own = (
            self.pays[lanes], self.count[lanes], self.size[lanes], self.own[lanes]
        )  # fmt: skip


PARTS = (
    "sample", "heights", "waiting", "tiles", "money", "still", "passes", "over", "leg", "die", "taken", "on_first",
    "on_second", "bets", "holds", "cards", "odds", "ranking", "standing", "dice", "to_go",
)  # fmt: skip


def _card_pays(terms: Terms, seats: int) -> Real:
    """Return what a correct card may be expected to earn: [cards of others on the pile, share of races in steps]."""
    most = seats * terms.camels + 1
    pays = np.zeros((most, SHARES + 1), np.float32)
    for cards in range(most):
        for step in range(SHARES + 1):
            share = step / SHARES
            pays[cards, step] = sum(
                comb(cards, right) * share**right * (1 - share) ** (cards - right) * terms.race_pay(right)
                for right in range(cards + 1)
            )
    return pays
