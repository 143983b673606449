"""Dealing unseen cards to those who hold them, so that what is known of their hands stays true."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import product
from math import comb

from games.core.cards import suit
from games.core.chance import Chance

_WORD = 32  # bits that a chance draws at once, at most


def deal_among(
    cards: Iterable[str], sizes: Sequence[int], void: Sequence[Collection[str]], chance: Chance
) -> list[list[str]]:
    """Deal all ``cards``: holder ``h`` gets ``sizes[h]`` of them, and none of the suits in ``void[h]``.

    Every such deal is equally likely. Raises ValueError when there is none.
    """
    # Suits that the same holders may have are alike, and those that few may have leave little choice: they come first.
    groups: dict[tuple[bool, ...], list[str]] = {}
    for face in cards:
        groups.setdefault(tuple(suit(face) not in suits for suits in void), []).append(face)
    kinds = sorted(groups.items(), key=lambda kind: sum(kind[0]))

    @cache
    def shares_of(kind: int, room: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """List how many of a group each holder may get, with the number of deals, of it and the groups after it."""
        may, faces = kinds[kind]
        if kind == len(kinds) - 1:
            fits = sum(room) == len(faces) and all(ok or not left for ok, left in zip(may, room, strict=True))
            return [(_deals(room), room)] if fits else []
        found = []
        *most, last = (min(left, len(faces)) if ok else 0 for ok, left in zip(may, room, strict=True))
        for others in product(*(range(share + 1) for share in most)):
            if 0 <= len(faces) - sum(others) <= last:
                shares = (*others, len(faces) - sum(others))
                rest = tuple(left - share for left, share in zip(room, shares, strict=True))
                found.append((_deals(shares) * sum(after for after, _ in shares_of(kind + 1, rest)), shares))
        return found

    hands: list[list[str]] = [[] for _ in sizes]
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
    """Return in how many ways different cards can be dealt in shares of these sizes."""
    dealt, ways = 0, 1
    for share in shares:
        dealt += share
        ways *= comb(dealt, share)
    return ways


def _draw(weighted: Sequence[tuple[int, tuple[int, ...]]], chance: Chance) -> tuple[int, ...]:
    """Return one of the shares, each as likely as its weight says. Raises ValueError when nothing has any weight."""
    whole = sum(weight for weight, _ in weighted)
    if not whole:
        raise ValueError("There is no such deal.")
    place = _below(whole, chance)
    for weight, shares in weighted:
        place -= weight
        if place < 0:
            return shares
    raise AssertionError("The weights add up to the whole.")


def _below(n: int, chance: Chance) -> int:
    """Draw a whole number from 0 to n - 1, however large ``n`` is."""
    bits = n.bit_length()
    if bits <= _WORD:
        return chance.below(n)
    words = -(-bits // _WORD)
    while True:
        value = 0
        for _ in range(words):
            value = value << _WORD | chance.below(1 << _WORD)
        value >>= words * _WORD - bits
        if value < n:
            return value
