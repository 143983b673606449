"""The audit of the engine: the result of each move, computed a second time from what is public.

It is the second half of the rules engine: ``rules_engine`` decides before a move what is legal; this module computes
after it where every camel must be and how many coins everybody must have. It starts from the beginning of a race, uses
only the moves and the dice that were shown, and calls nothing of the engine, so a fault in either one is found. It runs
at every table, in every replay, and in simulations (unless ``--no-audit`` is given), but not in the forks in which bots
search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from games.camelup.position import HIDDEN, NO_CAMEL, Bets, LegScore, Position, Scored
from games.camelup.terms import LEG_BET, ROLL, TILE, Terms
from games.core.moves import RulesFailed

NOBODY = -1

Numbers = tuple[int, ...]
# The parts of a position that are audited, in the order of ``PARTS``.
Parts = tuple[
    Terms, int, Numbers, Numbers, Numbers, Numbers, tuple[int, int], Numbers, Bets, Bets, Bets,
    Numbers, Numbers, int, int, int, int, bool, LegScore | None,
]  # fmt: skip
PARTS = (
    "terms", "seats", "order", "place", "left", "dice", "last_die", "tiles", "leg_bets", "winner_bets", "loser_bets",
    "money", "pyramids", "mover", "opener", "leg", "still", "over", "last_score",
)  # fmt: skip


def parts(race: Position) -> Parts:
    """Return all of a position but the engine's derived fields, which the rules engine checks at every turn."""
    return (
        race.terms, race.seats, race.order, race.place, race.left, race.dice, race.last_die, race.tiles, race.leg_bets,
        race.winner_bets, race.loser_bets, race.money, race.pyramids, race.mover, race.opener, race.leg, race.still,
        race.over, race.last_score,
    )  # fmt: skip


def check_start(race: Position) -> Parts:
    """Return the parts of a race that begins.

    Raises RulesFailed unless each camel is where its die can have put it, and nothing else has changed.
    """
    terms, seats = race.terms, race.seats
    camels, order, place = tuple(range(terms.camels)), race.order, race.place
    nothing = (0,) * seats
    expected: Parts = (
        terms, seats, tuple(sorted(order, key=place.__getitem__)), place, camels, (0,) * terms.camels, (NO_CAMEL, 0),
        nothing, (), (), (), (terms.money,) * seats, nothing, race.mover, race.mover, 1, 0, False, None,
    )  # fmt: skip
    _compare(expected, parts(race), "at the start")
    if tuple(sorted(order)) != camels or not 0 <= race.mover < seats:
        raise _fault(f"At the start its camels are {order}, and it is the turn of seat {race.mover} of {seats}.")
    for camel, square in enumerate(place):
        _check_die(terms, camels, camel, square + 1)
    return expected


def check_turn(before: Parts, move: str, race: Position) -> Parts:
    """Return the parts of a race after a move, as computed here; the next call starts from them.

    Raises RulesFailed unless ``race`` agrees: stacks, coins, bets, dice and whose turn it is.
    """
    actual = parts(race)
    expected = result(before, move, race.last_die)
    if expected != actual:
        _compare(expected, actual, f"after {move!r} of seat {before[PARTS.index('mover')]}")
    return actual  # not ``expected``, because identical objects are compared faster at the next move


def result(before: Parts, move: str, die: tuple[int, int]) -> Parts:
    """Return the parts of a position after a legal move.

    ``die``: which camel's die was drawn and what it shows, if the move is a roll. Raises RulesFailed for a die that was
    not in the pyramid, and for a face that it does not have.
    """
    (
        terms, seats, order, place, left, dice, last_die, tiles, leg_bets, winner_bets, loser_bets,
        money, pyramids, mover, opener, leg, still, over, last_score,
    ) = before  # fmt: skip
    kind, first, second = terms.notation.meaning[move]
    seat = mover
    mover = (seat + 1) % seats
    still += 1
    if kind == TILE:
        tiles = _with(tiles, seat, first * second)
    elif kind == LEG_BET:
        leg_bets += ((first, seat),)
    elif kind != ROLL:
        if second:
            winner_bets += ((first, seat),)
        else:
            loser_bets += ((first, seat),)
    else:
        camel, pips = last_die = die
        _check_die(terms, left, camel, pips)
        still = 0
        left = tuple([other for other in left if other != camel])
        dice = _with(dice, camel, pips)
        order, place, owner = _moved(order, place, camel, pips, tiles)
        if owner != NOBODY:
            money = _with(money, owner, money[owner] + terms.tile_pay)
        if terms.pay_at_once:
            money = _with(money, seat, money[seat] + terms.roll_pay)
        else:
            pyramids = _with(pyramids, seat, pyramids[seat] + 1)
        over = max(place) >= terms.spaces
        if over or not left:
            last_score = _scores(terms, leg, order[::-1], leg_bets, pyramids, winner_bets, loser_bets, over)
            money = _settled(terms, money, last_score)
            leg += 1
            leg_bets = ()
            left, dice = tuple(range(terms.camels)), (0,) * terms.camels
            pyramids = (0,) * seats
            if not terms.tiles_stay:
                tiles = (0,) * seats
            opener = mover
    return (
        terms, seats, order, place, left, dice, last_die, tiles, leg_bets, winner_bets, loser_bets,
        money, pyramids, mover, opener, leg, still, over, last_score,
    )  # fmt: skip


def _with(numbers: Numbers, index: int, value: int) -> Numbers:
    changed = list(numbers)
    changed[index] = value
    return tuple(changed)


# -- the track


def _check_die(terms: Terms, left: Numbers, camel: int, pips: int) -> None:
    if camel not in left or not terms.die_low <= pips <= terms.die_high:
        raise _fault(
            f"The die of camel {camel} shows {pips}. Faces are {terms.die_low} to {terms.die_high}, and in the pyramid "
            f"were the dice of {left}."
        )


def _moved(order: Numbers, place: Numbers, camel: int, pips: int, tiles: Numbers) -> tuple[Numbers, Numbers, int]:
    """Return the row of camels and their squares after a die, and whose desert tile they landed on.

    A unit that arrives is put last in the row, or first after a mirage; then the row is sorted by squares. Sorting
    leaves camels of one square as they are, so that the unit is on top of them, or under them.
    """
    here = place[camel]
    unit = [other for other in order[order.index(camel) :] if place[other] == here]
    rest = [other for other in order if other not in unit]
    landing = target = here + pips
    owner = NOBODY
    if landing in tiles:
        owner, target = tiles.index(landing), landing + 1
    elif -landing in tiles:
        owner, target = tiles.index(-landing), landing - 1
    squares = list(place)
    for rider in unit:
        squares[rider] = target
    row = unit + rest if target < landing else rest + unit
    row.sort(key=squares.__getitem__)
    return tuple(row), tuple(squares), owner


# -- coins


def _scores(
    terms: Terms,
    leg: int,
    ranking: Numbers,
    leg_bets: Bets,
    pyramids: Numbers,
    winner_bets: Bets,
    loser_bets: Bets,
    over: bool,
) -> LegScore:
    """Return what bets and pyramid tiles earn when a leg has ended, and with the last one the race."""
    # A race of the series may have one camel, and then nobody is second.
    pays = {camel: iter(coins) for camel, coins in zip(ranking, (terms.leg_first, terms.leg_second), strict=False)}
    scored = [(camel, seat, next(pays[camel]) if camel in pays else terms.leg_other) for camel, seat in leg_bets]
    return LegScore(
        leg,
        ranking,
        tuple(scored),
        tuple([count * terms.roll_pay for count in pyramids]),
        over,
        _cards(terms, winner_bets, ranking[0]) if over else (),
        _cards(terms, loser_bets, ranking[-1]) if over else (),
    )


def _cards(terms: Terms, pile: Bets, right: int) -> Scored:
    """Return what each race card of a pile earns; in a player's copy, those of others are left out."""
    pays: Iterator[int] = chain(terms.race, repeat(1))
    known = [(camel, seat) for camel, seat in pile if camel != HIDDEN]
    return tuple([(camel, seat, next(pays) if camel == right else terms.race_wrong) for camel, seat in known])


def _settled(terms: Terms, money: Numbers, scores: LegScore) -> Numbers:
    """Return the coins after three scorings: of the leg, of the winner's pile, and of the loser's.

    By the rules of the first edition nobody falls below 0: after each scoring, unpaid debts are forgiven.
    """
    purse = [coins + gain for coins, gain in zip(money, scores.rolls, strict=True)]
    for scored in (scores.leg_bets, scores.winner_bets, scores.loser_bets):
        for _, seat, coins in scored:
            purse[seat] += coins
        if terms.floor:
            purse = [max(coins, 0) for coins in purse]
    return tuple(purse)


# -- comparing


def _compare(expected: Parts, actual: Parts, when: str) -> None:
    for part, should, does in zip(PARTS, expected, actual, strict=True):
        if should != does:
            raise _fault(f"Its {part} {when} is {does}, not {should}.")


def _fault(text: str) -> RulesFailed:
    return RulesFailed("engine at fault", text)
