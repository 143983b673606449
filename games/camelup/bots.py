"""The bots of Camel Up. They see only their copy of the race, where others' race bets are hidden.

``RandomBot`` picks a kind of move, then a move. ``OddsBot``, the house bot, makes the move that it expects most coins
of: exactly for the leg, by many races rolled to their end for the race. ``StrongBot`` also considers what its move
leaves to the others, and keeps its race cards until they are worth a turn.

Source of the random bot: "Camel Up - Part 1", section "Player Bots".
"""

from __future__ import annotations

from itertools import groupby
from math import comb
from operator import itemgetter

from games.camelup import engine
from games.camelup.odds import LegOdds, leg_odds
from games.camelup.position import HIDDEN, Position
from games.camelup.race_odds import race_odds
from games.camelup.rules import Observation
from games.camelup.rules_engine import get_valid_kinds, get_valid_moves
from games.camelup.terms import LEG_BET, MIRAGE, OASIS, RACE_BET, TILE
from games.core import Bot, Chance, Information
from games.core.bot import Needs

TILES_TRIED = 3  # squares for a desert tile whose effect is computed exactly: those that camels land on most


class RandomBot(Bot):
    """Chooses one of the open kinds of move, each equally likely, then a move of that kind."""

    name = "random"
    title = "Random"
    needs: Needs = "moves"

    def choose(self, info: Information) -> str:
        kinds = [list(moves) for _, moves in groupby(info.legal_moves, key=_KIND)]
        return info.chance.choice(info.chance.choice(kinds))


_KIND = itemgetter(1)  # the letter by which they differ: roll, tile, bet, race


def random_move(race: Position, me: int, chance: Chance) -> str:
    """Draw a kind of valid move, then a move of that kind."""
    kinds = [moves for moves in get_valid_kinds(race, me) if moves]
    return chance.choice(chance.choice(kinds))


class OddsBot(Bot):
    """Chooses the move with the most expected coins; of equal ones, the first in the order of the rules engine."""

    name = "house"
    title = "House AI"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        coins = expected(seen.position, info.seat)
        return max(coins, key=coins.__getitem__)


class StrongBot(Bot):
    """Also subtracts a share of what the next player can gain after the move, and the value of keeping a race card."""

    name = "strong"
    title = "Strong"

    # How these four were chosen is not recorded. ``python -m bench.strength camelup 200`` measures what they are worth:
    # 200 to 400 matches of two bots with another value against two as they are (95 % intervals: 5 to 7 % to either
    # side). spite 0 wins 27 %, 0.5 43 %, 1.3 54 %; tried 1 27 %, 2 49 %, 10 50 %: both matter, and more would not help.
    # patience 0 wins 55 %, 0.1 51 %, 0.6 45 %; turn 0.5 54 %, 2.5 55 %: keeping cards has not been shown to help.
    spite = 0.9  # weight of a coin that the next player can gain
    patience = 0.25  # weight of a coin that a race card may still earn later
    turn = 1.3  # expected coins a race card must earn to be worth a turn
    tried = 5  # moves that are examined more closely

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        worth = self.weighed(seen.position, info.seat, self.tried)
        return max(worth, key=worth.__getitem__)

    def weighed(self, race: Position, me: int, tried: int) -> dict[str, float]:
        """Return what the most promising moves are worth: so many of them, and the roll."""
        coins = expected(race, me)
        for move in coins:
            kind, camel, wins = race.terms.notation.meaning[move]
            if kind == RACE_BET:
                coins[move] -= self.patience * kept_card(race, camel, to_win=wins == 1, turn=self.turn)
        best = sorted(coins, key=coins.__getitem__, reverse=True)[:tried]
        if "roll" not in best:
            best.append("roll")
        return {move: coins[move] - self.spite * self._leaves(race, move) for move in best}

    def _leaves(self, race: Position, move: str) -> float:
        """Return what the next player may expect to make in this leg after ``move``."""
        if move != "roll":
            after = race.copy()
            engine.act(after, move, NO_DICE)
            return _best_of_leg(after)
        outcomes = []
        for camel in race.left:
            for pips in range(race.terms.die_low, race.terms.die_high + 1):
                after = race.copy()
                engine.roll(after, race.mover, camel, pips)
                engine.pass_on(after)
                outcomes.append(0.0 if after.over else _best_of_leg(after))
        return sum(outcomes) / len(outcomes)


class _NoDice:
    """Dice for moves that roll none."""

    def randbelow(self, n: int) -> int:
        raise AssertionError("Only a roll draws.")


NO_DICE = _NoDice()


# -- what a move is worth


def expected(race: Position, me: int) -> dict[str, float]:
    """Return the coins that ``me``, whose copy ``race`` is, may expect of each valid move, in their order."""
    meaning = race.terms.notation.meaning
    coins: dict[str, float] = {}
    tiles: list[str] = []
    for move in get_valid_moves(race, me):
        kind, first, second = meaning[move]
        if kind == TILE:
            tiles.append(move)
            coins[move] = 0.0
        elif kind == LEG_BET:
            coins[move] = leg_bet(race, leg_odds(race), first, _taken(race, first))
        elif move == "roll":
            coins[move] = float(race.terms.roll_pay)
        else:
            coins[move] = race_bet(race, first, to_win=second == 1)
    if tiles:
        coins |= _tiles(race, me, tiles)
    return coins


def leg_bet(race: Position, odds: LegOdds, camel: int, index: int) -> float:
    """Return what the ``index``-th leg tile of a camel may be expected to earn."""
    first, second = odds.ranks[camel, 0], odds.ranks[camel, 1]
    terms = race.terms
    sure = first * terms.leg_first[index] + second * terms.leg_second[index]
    return float(sure + (odds.sequences - first - second) * terms.leg_other) / odds.sequences


def race_bet(race: Position, camel: int, *, to_win: bool) -> float:
    """Return the expected coins of a race card; hidden cards of others name a camel as often as it wins or loses."""
    odds = race_odds(race)
    return _race_card(race, camel, float((odds.wins if to_win else odds.losses)[camel]), to_win=to_win)


def kept_card(race: Position, camel: int, *, to_win: bool, turn: float) -> float:
    """Return what a race card may be expected to earn if it is kept until this leg is over, and played if worth it.

    Worth it: more than the coins that a ``turn`` earns anyway. How likely the camel is to win by then depends on who
    leads then; a race that ends in this leg leaves no time to play the card.
    """
    odds = race_odds(race)
    later = odds.wins_after if to_win else odds.losses_after
    worth = 0.0
    for then in later:
        chance = float(then.sum())
        if chance > 0:
            worth += chance * max(0.0, _race_card(race, camel, float(then[camel]) / chance, to_win=to_win) - turn)
    return worth


def _race_card(race: Position, camel: int, share: float, *, to_win: bool) -> float:
    terms = race.terms
    bets = race.winner_bets if to_win else race.loser_bets
    before = sum(1 for named, _ in bets if named == camel)
    hidden = sum(1 for named, _ in bets if named == HIDDEN)
    pay = sum(
        comb(hidden, right) * share**right * (1 - share) ** (hidden - right) * terms.race_pay(before + right)
        for right in range(hidden + 1)
    )
    return share * pay + (1 - share) * terms.race_wrong


def bets_worth(race: Position, odds: LegOdds, seat: int) -> float:
    """Return what the leg tiles that a seat holds may be expected to earn."""
    counted = [0] * race.terms.camels
    worth = 0.0
    for camel, better in race.leg_bets:
        if better == seat:
            worth += leg_bet(race, odds, camel, counted[camel])
        counted[camel] += 1
    return worth


def _tiles(race: Position, me: int, moves: list[str]) -> dict[str, float]:
    """Return what the best places for a desert tile may be expected to earn: its hits, and what it does to my bets."""
    terms = race.terms
    meaning = terms.notation.meaning
    now = leg_odds(race)
    held = bets_worth(race, now, me)
    old = abs(race.tiles[me])
    if old:
        held += _hits(race, now, old) * terms.tile_pay
    squares = sorted({meaning[move][2] for move in moves}, key=lambda square: -_hits(race, now, square))
    coins: dict[str, float] = {}
    for square in squares[:TILES_TRIED]:
        for side in (OASIS, MIRAGE):
            after = race.copy()
            engine.put_tile(after, me, side, square)
            odds = leg_odds(after)
            coins[terms.notation.tile(side, square)] = (
                _hits(after, odds, square) * terms.tile_pay + bets_worth(race, odds, me) - held
            )
    return coins


def _hits(race: Position, odds: LegOdds, square: int) -> float:
    """Return how many units may be expected to land on a square, while a tile would lie there."""
    if race.terms.tiles_stay:
        landings = race_odds(race).landings
        return float(landings[square]) if square < len(landings) else 0.0
    return odds.tile_hits(square) / odds.sequences


def _taken(race: Position, camel: int) -> int:
    return len(race.terms.leg_first) - race.leg_tiles_left(camel)


def _best_of_leg(race: Position) -> float:
    """Return the best that the player to move may expect of a leg bet or a roll."""
    odds = leg_odds(race)
    best = float(race.terms.roll_pay)
    for camel in range(race.terms.camels):
        if race.open_legs >> camel & 1:
            best = max(best, leg_bet(race, odds, camel, _taken(race, camel)))
    return best
