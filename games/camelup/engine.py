"""The engine: how a race begins, changes and ends, and how a game between players goes.

It changes what it is told to change. Whether a move is legal is the rules engine's part, and ``play_game`` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from games.camelup.position import HIDDEN, Bets, Position, Reckoned, Scored, bits, plus
from games.camelup.rules_engine import get_valid_moves
from games.camelup.terms import LEG_BET, MIRAGE, OASIS, ROLL, TILE, Terms
from games.core.moves import IllegalMove


class Draws(Protocol):
    """Where the dice come from: any ``games.core.Chance``."""

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""


Player = Callable[[Position, int], str]  # sees its copy and its seat, names a move


def start(terms: Terms, seats: int, draws: Draws) -> Position:
    """Return a race about to begin, seat 0 to move. A camel is drawn and its die thrown, until all are on the track."""
    position = Position.fresh(terms, seats)
    waiting = list(range(terms.camels))
    stacks: dict[int, list[int]] = {}
    while waiting:
        camel = waiting.pop(draws.below(len(waiting)))
        stacks.setdefault(throw(terms, draws) - 1, []).append(camel)
    position.stand(stacks)
    return position


def throw(terms: Terms, draws: Draws) -> int:
    """Return what a die shows."""
    return terms.die_low + draws.below(terms.die_high - terms.die_low + 1)


# -- turns


def play_game(position: Position, players: Sequence[Player], draws: Draws) -> int:
    """Let players play to the end. Each sees its own copy; what it answers is checked as a stranger's.

    Returns how many turns there were. Raises IllegalMove, and stops, when a player names a move that the rules engine
    does not.
    """
    turns = 0
    while not position.over:
        seat = position.mover
        move = players[seat](position.seen_by(seat), seat)
        if move not in get_valid_moves(position, seat):
            raise IllegalMove(f"Seat {seat} may not do {move!r} now.")
        act(position, move, draws)
        turns += 1
    return turns


def act(position: Position, move: str, draws: Draws) -> None:
    """Make a legal move for the player to move, and pass the turn on."""
    kind, first, second = position.terms.words.meaning[move]
    player = position.mover
    if kind == ROLL:
        camel = position.left[draws.below(len(position.left))]
        roll(position, player, camel, throw(position.terms, draws))
    else:
        position.still += 1
        if kind == TILE:
            put_tile(position, player, first, second)
        elif kind == LEG_BET:
            bet_on_leg(position, player, first)
        else:
            bet_on_race(position, player, first, second == 1)
    pass_on(position)


def pass_on(position: Position) -> None:
    """Give the turn to the next player; the player who gets it after a roll that ended a leg opens the next leg."""
    position.mover = (position.mover + 1) % position.seats
    if len(position.left) == position.terms.camels and position.still == 0:
        position.opener = position.mover


def roll(position: Position, player: int, camel: int, pips: int) -> int:
    """Move ``camel``, whose die shows ``pips``, and all on it; pay for it; score what has ended.

    Returns by how many squares it moved in the end, with a desert tile's push.
    """
    terms = position.terms
    distance = ride(position, camel, pips)
    position.left = tuple([other for other in position.left if other != camel])
    position.dice = plus(position.dice, camel, pips)
    position.last_die = (camel, pips)
    position.still = 0
    if terms.pay_at_once:
        position.money = plus(position.money, player, terms.roll_pay)
    else:
        position.pyramids = plus(position.pyramids, player, 1)
    finished = position.place[position.order[-1]] >= terms.spaces
    if finished or not position.left:
        end_leg(position)
        if finished:
            end_race(position)
    return distance


def ride(position: Position, camel: int, pips: int) -> int:
    """Carry ``camel`` and all on it ``pips`` squares on, and where a desert tile lies one more or one less.

    Pays the tile's owner. Returns the distance in the end. Camels are stepped on, except after a mirage: then the
    unit goes under whatever stands there, also under those it has just left.
    """
    order = position.order
    place = position.place
    here = place[camel]
    target = here + pips
    under = False
    for owner, tile in enumerate(position.tiles):
        if tile == target:
            position.money = plus(position.money, owner, position.terms.tile_pay)
            target += OASIS
            break
        if tile == -target:
            position.money = plus(position.money, owner, position.terms.tile_pay)
            target += MIRAGE
            under = True
            break
    low = order.index(camel)
    high = low + 1
    while high < len(order) and place[order[high]] == here:
        high += 1
    unit = order[low:high]
    others = order[:low] + order[high:]
    at = 0
    for other in others:
        if place[other] > target or (under and place[other] == target):
            break
        at += 1
    position.order = others[:at] + unit + others[at:]
    now = list(place)
    for rider in unit:
        now[rider] = target
    position.place = tuple(now)
    position.occupied = bits(now)
    return target - here


def put_tile(position: Position, player: int, side: int, square: int) -> None:
    """Put the player's desert tile, oasis (1) or mirage (-1) up, on a square; take it from where it lay."""
    tiles = position.tiles
    position.lay((*tiles[:player], side * square, *tiles[player + 1 :]))


def bet_on_leg(position: Position, player: int, camel: int) -> None:
    """Give the player the top leg tile of a camel."""
    position.leg_bets = (*position.leg_bets, (camel, player))
    if position.leg_tiles_left(camel) <= 0:
        position.open_legs &= ~(1 << camel)


def bet_on_race(position: Position, player: int, camel: int, to_win: bool) -> None:
    """Put the player's card of a camel on the winner's or the loser's pile."""
    if to_win:
        position.winner_bets = (*position.winner_bets, (camel, player))
    else:
        position.loser_bets = (*position.loser_bets, (camel, player))
    position.cards = plus(position.cards, player, -(1 << camel))


# -- scoring


def end_leg(position: Position) -> None:
    """Score the leg as it stands, and take tiles and dice back.

    All that a player gets and pays in one scoring is added up before anything is forgiven.
    """
    terms = position.terms
    ranking = position.ranking()
    second = ranking[1] if len(ranking) > 1 else HIDDEN
    gains = [0] * position.seats
    scored: list[tuple[int, int, int]] = []
    right = [0] * terms.camels
    for camel, seat in position.leg_bets:
        coins = terms.leg_other
        if camel == ranking[0]:
            coins = terms.leg_first[right[camel]]
        elif camel == second:
            coins = terms.leg_second[right[camel]]
        right[camel] += 1
        gains[seat] += coins
        scored.append((seat, camel, coins))
    rolls = [tiles * terms.roll_pay for tiles in position.pyramids]
    for seat, coins in enumerate(rolls):
        gains[seat] += coins
    _pay(position, gains)
    position.reckoned = Reckoned(position.leg, ranking, tuple(scored), tuple(rolls))
    position.leg_bets = ()
    position.open_legs = terms.every_card
    position.left = tuple(range(terms.camels))
    position.dice = (0,) * terms.camels
    position.pyramids = (0,) * position.seats
    if not terms.tiles_stay:
        position.lay((0,) * position.seats)
    position.leg += 1


def end_race(position: Position) -> None:
    """Score the race bets, the winner's pile first. Bets that are HIDDEN, in a player's copy, are skipped."""
    winner = _score_pile(position, position.winner_bets, position.order[-1])
    loser = _score_pile(position, position.loser_bets, position.order[0])
    leg = position.reckoned
    if leg is not None:
        position.reckoned = Reckoned(leg.leg, leg.ranking, leg.leg_bets, leg.rolls, True, winner, loser)
    position.over = True


def _score_pile(position: Position, bets: Bets, camel: int) -> Scored:
    terms = position.terms
    gains = [0] * position.seats
    scored: list[tuple[int, int, int]] = []
    right = 0
    for named, seat in bets:
        if named == HIDDEN:
            continue
        coins = terms.race_wrong
        if named == camel:
            coins = terms.race_pay(right)
            right += 1
        gains[seat] += coins
        scored.append((seat, named, coins))
    _pay(position, gains)
    return tuple(scored)


def _pay(position: Position, gains: list[int]) -> None:
    money = [coins + gain for coins, gain in zip(position.money, gains, strict=True)]
    position.money = tuple([max(coins, 0) for coins in money] if position.terms.floor else money)
