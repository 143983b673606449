"""Dealing unseen cards: what is known of hands stays true, and every deal that fits is as likely."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.core import FastChance
from games.core.cards import deck, suit
from games.core.dealing import deal_among


def test_every_deal_that_fits_is_as_likely() -> None:
    cards = ["2C", "3C", "2D", "3D", "2H", "2S"]
    void = ["C", "D", ""]
    deals: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for index in range(6000):
        hands = deal_among(cards, [2, 3, 1], void, FastChance(str(index)))
        deals[tuple(tuple(sorted(hand)) for hand in hands)] += 1
    expected = set()
    for first in combinations(cards, 2):
        for second in combinations([card for card in cards if card not in first], 3):
            third = tuple(card for card in cards if card not in (*first, *second))
            if not any(suit(card) == "C" for card in first) and not any(suit(card) == "D" for card in second):
                expected.add((tuple(sorted(first)), tuple(sorted(second)), third))
    assert set(deals) == expected
    usual = 6000 / len(expected)
    assert all(0.7 * usual < count < 1.3 * usual for count in deals.values())


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.integers(0, 13), min_size=2, max_size=4),
    void=st.lists(st.sets(st.sampled_from("CDHS"), max_size=2), min_size=4, max_size=4),
)
def test_everybody_gets_their_number_of_cards_and_none_of_a_suit_they_lack(
    seed: int, sizes: list[int], void: list[set[str]]
) -> None:
    assume(sum(sizes) <= 52)
    chance = FastChance(str(seed))
    cards = deck()
    chance.shuffle(cards)
    sizes.append(52 - sum(sizes))  # the last takes what is left, whatever it is
    void = [*void[: len(sizes) - 1], set()]
    try:
        hands = deal_among(cards, sizes, void, chance)
    except ValueError:
        assume(False)
        raise
    assert [len(hand) for hand in hands] == sizes
    assert sorted(card for hand in hands for card in hand) == sorted(cards)
    assert not any(suit(card) in lacks for hand, lacks in zip(hands, void, strict=True) for card in hand)


@pytest.mark.parametrize(
    ("cards", "sizes", "void"),
    [
        (["2C", "3C"], [1, 1], ["C", ""]),
        (["2C", "3D"], [1, 1], ["CD", ""]),
        (["2C", "3D"], [1, 2], ["", ""]),
        (["2C", "3D"], [1, 0], ["", ""]),
        ([], [1], [""]),
    ],
    ids=["nobody may have the second", "void in everything", "too few", "too many", "none at all"],
)
def test_a_deal_that_cannot_be_is_refused(cards: list[str], sizes: list[int], void: list[str]) -> None:
    with pytest.raises(ValueError, match=" deal"):
        deal_among(cards, sizes, void, FastChance("any"))


def test_more_deals_than_one_draw_can_tell_apart_are_still_drawn_from() -> None:
    """Thirty-nine cards to three players with a void each: far more than 2**32 ways."""
    cards = deck(suits="CDH")
    for index in range(20):
        hands = deal_among(cards, [13, 13, 13], ["C", "D", "H"], FastChance(str(index)))
        assert [{suit(card) for card in hand} for hand in hands] == [{"D", "H"}, {"C", "H"}, {"C", "D"}]
