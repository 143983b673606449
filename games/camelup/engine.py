"""The engine: how a race begins, changes and ends, and how bots play a whole game.

It makes any move that it is given. The rules engine decides which moves are legal; ``play_game`` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from games.camelup import audit
from games.camelup.position import HIDDEN, Bets, LegScore, Position, Scored, bits, plus
from games.camelup.rules_engine import PATIENCE, open_by_rules
from games.camelup.terms import LEG_BET, MIRAGE, OASIS, ROLL, TILE, Open, Terms
from games.core.moves import IllegalMove, RulesFailed


class Dice(Protocol):
    """A source of random numbers for the dice: any ``games.core.Chance``."""

    def randbelow(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""


Player = Callable[[Position, int], str]  # gets its copy of the position and its seat, returns a move


def start(terms: Terms, seats: int, dice: Dice) -> Position:
    """Return a race about to begin, seat 0 to move. A camel is drawn and its die thrown, until all are on the track."""
    position = Position(terms, seats)
    waiting = list(range(terms.camels))
    stacks: dict[int, list[int]] = {}
    while waiting:
        camel = waiting.pop(dice.randbelow(len(waiting)))
        stacks.setdefault(throw(terms, dice) - 1, []).append(camel)
    position.place_camels(stacks)
    return position


def throw(terms: Terms, dice: Dice) -> int:
    """Return what a die shows."""
    return terms.die_low + dice.randbelow(terms.die_high - terms.die_low + 1)


# -- turns


def play_game(position: Position, players: Sequence[Player], dice: Dice, *, checked: bool = True) -> int:
    """Let players play to the end. Each sees its own copy, and each move is checked.

    ``checked``: moves are checked by the rules engine, with which the derived fields must agree, and their results are
    audited; otherwise by the derived fields alone, which is faster, for large runs of an engine that has been tested.

    Returns the number of turns. Raises IllegalMove, and stops, if a player returns a move that is not legal;
    RulesFailed if the engine and the rules engine disagree.
    """
    turns = 0
    parts = audit.check_start(position) if checked else None
    while not position.over:
        seat = position.mover
        move = players[seat](position.seen_by(seat), seat)
        open_now = agreed(position, seat) if checked else open_by_derived_fields(position, seat)
        if not position.terms.notation.is_among(move, open_now):
            raise IllegalMove(f"Seat {seat} may not do {move!r} now.")
        act(position, move, dice)
        if parts:
            parts = audit.check_turn(parts, move, position)
        turns += 1
    return turns


def agreed_moves(position: Position, seat: int) -> list[str]:
    """Return the legal moves of a player, by the rules engine. Raises RulesFailed as ``agreed`` does."""
    return position.terms.notation.moves(*agreed(position, seat))


def agreed(position: Position, seat: int) -> Open:
    """Return what is open to a player, by the rules engine.

    Raises RulesFailed if the derived fields give other moves: then one of the two is wrong.
    """
    valid, own = open_by_rules(position, seat), open_by_derived_fields(position, seat)
    if valid != own:
        notation = position.terms.notation
        only_valid, only_own = (
            [one & ~other for one, other in zip(*pair, strict=True)] for pair in ((valid, own), (own, valid))
        )
        raise RulesFailed(
            "engines disagree",
            f"Seat {seat} has {notation.moves(*only_valid)[1:]} only by the rules engine, and "
            f"{notation.moves(*only_own)[1:]} only by the engine's derived fields. {position}",
        )
    return valid


def open_by_derived_fields(position: Position, seat: int) -> Open:
    """Return what is open to a player by the derived fields of the position."""
    squares = 0
    if position.still < PATIENCE:
        closed = position.occupied | 1 << abs(position.tiles[seat])  # 0, the first square, while it is not laid
        for owner, near in enumerate(position.near):
            if owner != seat:
                closed |= near
        squares = ~closed & ((1 << position.terms.spaces) - 2)
    return squares, position.open_legs, position.cards[seat]


def act(position: Position, move: str, dice: Dice) -> None:
    """Make a legal move for the player to move, and pass the turn on."""
    kind, first, second = position.terms.notation.meaning[move]
    seat = position.mover
    if kind == ROLL:
        camel = position.left[dice.randbelow(len(position.left))]
        roll(position, seat, camel, throw(position.terms, dice))
    else:
        position.still += 1
        if kind == TILE:
            put_tile(position, seat, first, second)
        elif kind == LEG_BET:
            bet_on_leg(position, seat, first)
        else:
            bet_on_race(position, seat, first, second == 1)
    pass_on(position)


def roll_out(position: Position, choices: Dice, dice: Dice, cap: int) -> None:
    """Play random open moves, each equally likely, to the end of the race or for ``cap`` turns.

    Its draws from ``choices`` and ``dice`` are those of choosing from the list of moves that are open by the derived
    fields and calling ``act``, without making that list. Moves of desert tiles, two out of three, are kept in lists
    until another kind of move.
    """
    terms = position.terms
    board = (1 << terms.spaces) - 2
    others = [[other for other in range(position.seats) if other != seat] for seat in range(position.seats)]
    tiles, near = list(position.tiles), list(position.near)
    for _ in range(cap):
        if position.over:
            break
        seat = position.mover
        squares: tuple[int, ...] = ()
        if position.still < PATIENCE:
            closed = position.occupied | 1 << abs(tiles[seat])
            for other in others[seat]:
                closed |= near[other]
            squares = members(board & ~closed)
        legs, cards = members(position.open_legs), members(position.cards[seat])
        sides = 2 * len(squares)
        choice = choices.randbelow(1 + sides + len(legs) + 2 * len(cards)) - 1
        if choice < 0:
            position.tiles, position.near = tuple(tiles), tuple(near)
            camel = position.left[dice.randbelow(len(position.left))]
            roll(position, seat, camel, throw(terms, dice))
            tiles, near = list(position.tiles), list(position.near)
        else:
            position.still += 1
            if choice < sides:
                square = squares[choice % len(squares)]
                tiles[seat] = square if choice < len(squares) else -square
                near[seat] = 7 << square - 1
            elif choice < sides + len(legs):
                bet_on_leg(position, seat, legs[choice - sides])
            else:
                choice -= sides + len(legs)
                bet_on_race(position, seat, cards[choice % len(cards)], choice < len(cards))
        pass_on(position)
    position.tiles, position.near = tuple(tiles), tuple(near)


@lru_cache(1 << 16)
def members(mask: int) -> tuple[int, ...]:
    """Return what a bit mask is a set of, ascending: the inverse of ``bits``."""
    return tuple([number for number in range(mask.bit_length()) if mask >> number & 1])


def pass_on(position: Position) -> None:
    """Give the turn to the next player; the player who gets it after a roll that ended a leg opens the next leg."""
    position.mover = (position.mover + 1) % position.seats
    if len(position.left) == position.terms.camels and position.still == 0:
        position.opener = position.mover


def roll(position: Position, seat: int, camel: int, pips: int) -> int:
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
        position.money = plus(position.money, seat, terms.roll_pay)
    else:
        position.pyramids = plus(position.pyramids, seat, 1)
    finished = position.place[position.order[-1]] >= terms.spaces
    if finished or not position.left:
        end_leg(position)
        if finished:
            end_race(position)
    return distance


def ride(position: Position, camel: int, pips: int) -> int:
    """Carry ``camel`` and its riders ``pips`` squares on, and one more or less if a desert tile lies there.

    Pays the tile's owner. Returns the total distance. The unit goes on top of camels there, except after a mirage: then
    it goes under them, also under those it has just left.
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


def put_tile(position: Position, seat: int, side: int, square: int) -> None:
    """Put the player's desert tile, oasis (1) or mirage (-1) up, on a square; take it from where it lay."""
    tiles = position.tiles
    position.lay((*tiles[:seat], side * square, *tiles[seat + 1 :]))


def bet_on_leg(position: Position, seat: int, camel: int) -> None:
    """Give the player the top leg tile of a camel."""
    position.leg_bets = (*position.leg_bets, (camel, seat))
    if position.leg_tiles_left(camel) <= 0:
        position.open_legs &= ~(1 << camel)


def bet_on_race(position: Position, seat: int, camel: int, to_win: bool) -> None:
    """Put the player's card of a camel on the winner's or the loser's pile."""
    if to_win:
        position.winner_bets = (*position.winner_bets, (camel, seat))
    else:
        position.loser_bets = (*position.loser_bets, (camel, seat))
    position.cards = plus(position.cards, seat, -(1 << camel))


# -- scoring


def end_leg(position: Position) -> None:
    """Score the leg, and take tiles and dice back.

    All that a player gets and pays in one scoring is added up before debts are forgiven.
    """
    terms = position.terms
    ranking = position.ranking()
    gains = [0] * position.seats
    scored: list[tuple[int, int, int]] = []
    right = [0] * terms.camels
    for camel, seat in position.leg_bets:
        coins = terms.leg_other
        if camel == ranking[0]:
            coins = terms.leg_first[right[camel]]
        elif camel in ranking[1:2]:  # a race of the series may have one camel
            coins = terms.leg_second[right[camel]]
        right[camel] += 1
        gains[seat] += coins
        scored.append((camel, seat, coins))
    rolls = [tiles * terms.roll_pay for tiles in position.pyramids]
    for seat, coins in enumerate(rolls):
        gains[seat] += coins
    _pay(position, gains)
    position.last_score = LegScore(position.leg, ranking, tuple(scored), tuple(rolls))
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
    if position.last_score is not None:
        position.last_score = position.last_score._replace(race=True, winner_bets=winner, loser_bets=loser)
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
        scored.append((named, seat, coins))
    _pay(position, gains)
    return tuple(scored)


def _pay(position: Position, gains: list[int]) -> None:
    money = [coins + gain for coins, gain in zip(position.money, gains, strict=True)]
    position.money = tuple([max(coins, 0) for coins in money] if position.terms.floor else money)
