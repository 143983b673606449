"""Redealing unseen cards at random, consistent with what is known about who may hold them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import product
from math import comb
from typing import Any, TypeVar

from games.core.chance import Chance
from games.core.sight import Sight

C = TypeVar("C")
MayHold = Callable[[int, C], bool]  # whether a card may lie in the pile of that index
_Hidden = tuple[int, Sequence[int], list[Any]]  # index of a pile, indices in it, and the cards that lie there

NO_CARD = ""  # an empty place, such as an empty slot
_WORD = 32  # most bits that a chance draws at once


def redeal(
    piles: Sequence[list[Any]],
    sight: Sight,
    seat: int,
    chance: Chance,
    *,
    back: Callable[[Any], Hashable] | None = None,
    may_hold: MayHold[Any] | None = None,
) -> None:
    """Redeal, in place, every card in ``piles`` that ``seat`` cannot name.

    Each goes to a place that had a card of the same ``back`` (None: all backs are equal) and, if ``may_hold`` is given,
    only into piles that may hold it; that is asked for piles with an unseen card of that back. Every such deal is
    equally likely. The result depends on what the seat knows and on the chance alone, not on the true places. Raises
    ValueError if there is no such deal.
    """
    fixed = sight.named_by(seat)
    fixed.add(NO_CARD)
    hidden: list[_Hidden] = []  # of one back, if all are equal
    unseen: dict[Hashable, list[_Hidden]] = {None: hidden}  # by back
    indices: Sequence[int]
    for number, pile in enumerate(piles):
        if fixed.isdisjoint(pile):  # true for most piles, and faster than looking at each card
            indices, cards = range(len(pile)), pile[:]
        else:
            indices = [index for index, card in enumerate(pile) if card not in fixed]
            cards = [pile[index] for index in indices]
        if not cards:
            continue
        if back is None:
            hidden.append((number, indices, cards))
            continue
        backs = list(map(back, cards))
        if backs.count(backs[0]) == len(backs):  # true for most piles
            unseen.setdefault(backs[0], []).append((number, indices, cards))
            continue
        for one in dict.fromkeys(backs):
            those = [index for index, its_back in zip(indices, backs, strict=True) if its_back == one]
            unseen.setdefault(one, []).append((number, those, [pile[index] for index in those]))
    for alike in unseen.values():
        if alike:
            _redeal(piles, alike, sight, chance, may_hold)


def _redeal(
    piles: Sequence[list[Any]], hidden: Sequence[_Hidden], sight: Sight, chance: Chance, may_hold: MayHold[Any] | None
) -> None:
    """Redeal the cards of all ``hidden`` positions among these positions."""
    lay: list[Any] = []
    for _, _, cards in hidden:
        lay += cards
    lies = sight.in_order(lay)
    if may_hold is None:
        chance.shuffle(lies)
    else:
        numbers = [number for number, _, _ in hidden]
        sizes = [len(indices) for _, indices, _ in hidden]
        hands = deal_among(lies, sizes, lambda holder, card: may_hold(numbers[holder], card), chance)
        lies = []
        for hand in hands:
            chance.shuffle(hand)
            lies += hand
    at = 0
    for number, indices, _ in hidden:
        pile = piles[number]
        if len(indices) == len(pile):
            end = at + len(indices)
            pile[:] = lies[at:end]
            at = end
        else:
            for index in indices:
                pile[index] = lies[at]
                at += 1
    sight.redraw(lay, lies)


def deal_among(cards: Iterable[C], sizes: Sequence[int], may_hold: MayHold[C], chance: Chance) -> list[list[C]]:
    """Deal all ``cards``: holder ``h`` gets ``sizes[h]`` of them, and only cards for which ``may_hold(h, card)``.

    Every such deal is equally likely; the order within a hand has no meaning. Raises ValueError if there is none.
    """
    # Group cards that the same holders may have. Groups that few may have leave little choice, so they come first.
    groups: dict[tuple[bool, ...], list[C]] = {}
    holders = range(len(sizes))
    for card in cards:
        groups.setdefault(tuple([may_hold(holder, card) for holder in holders]), []).append(card)
    kinds = sorted(groups.items(), key=lambda kind: sum(kind[0]))

    @cache
    def shares_of(kind: int, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """List how many of a group each holder may get, with the number of deals of it and of the groups after it."""
        may, faces = kinds[kind]
        if kind == len(kinds) - 1:
            fits = sum(room) == len(faces) and all(ok or not left for ok, left in zip(may, room, strict=True))
            return [(_deals(room), room)] if fits else []
        counted = []
        *most, last = (min(left, len(faces)) if ok else 0 for ok, left in zip(may, room, strict=True))
        for others in product(*(range(share + 1) for share in most)):
            if 0 <= len(faces) - sum(others) <= last:
                shares = (*others, len(faces) - sum(others))
                rest = tuple(left - share for left, share in zip(room, shares, strict=True))
                counted.append((_deals(shares) * sum(after for after, _ in shares_of(kind + 1, rest)), shares))
        return counted

    hands: list[list[C]] = [[] for _ in sizes]
    room = tuple(sizes)
    for kind, (_, faces) in enumerate(kinds):
        chance.shuffle(faces)
        shares = _draw(shares_of(kind, room), chance)
        for hand, share in zip(hands, shares, strict=True):
            hand += faces[:share]
            del faces[:share]
        room = tuple(left - share for left, share in zip(room, shares, strict=True))
    if any(room):
        raise ValueError("There are too few cards to deal.")
    return hands


def _deals(shares: Sequence[int]) -> int:
    """Return the number of ways to deal different cards in shares of these sizes."""
    dealt, ways = 0, 1
    for share in shares:
        dealt += share
        ways *= comb(dealt, share)
    return ways


def _draw(weighted: Sequence[tuple[int, tuple[int, ...]]], chance: Chance) -> tuple[int, ...]:
    """Return one of the shares, chosen by weight. Raises ValueError if all weights are 0."""
    whole = sum(weight for weight, _ in weighted)
    if not whole:
        raise ValueError("There is no such deal.")
    drawn = _randbelow(whole, chance)
    for weight, shares in weighted:
        drawn -= weight
        if drawn < 0:
            return shares
    raise AssertionError("The weights add up to the whole.")


def _randbelow(n: int, chance: Chance) -> int:
    """Draw a whole number from 0 to n - 1, however large ``n`` is."""
    bits = n.bit_length()
    if bits <= _WORD:
        return chance.randbelow(n)
    words = -(-bits // _WORD)
    while True:
        value = 0
        for _ in range(words):
            value = value << _WORD | chance.randbelow(1 << _WORD)
        value >>= words * _WORD - bits
        if value < n:
            return value
