"""Dealing unseen cards: what is known of hands stays true, and every deal that fits is as likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.core import FastChance, Sight
from games.core.cards import Pack, deck, suit
from games.core.dealing import MayHold, deal_among, redeal
from tests.tiers import examples


def lacking(void: Sequence[Collection[str]]) -> MayHold[str]:
    """Return which cards may be held where holders lack suits."""
    return lambda holder, card: suit(card) not in void[holder]


# -- dealing cards to holders


def test_every_possible_deal_is_equally_likely() -> None:
    cards = ["2C", "3C", "2D", "3D", "2H", "2S"]
    may_hold = lacking(["C", "D", ""])
    deals: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for index in range(6000):
        hands = deal_among(cards, [2, 3, 1], may_hold, FastChance(str(index)))
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


@examples(30)
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
        hands = deal_among(cards, sizes, lacking(void), chance)
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
def test_an_impossible_deal_is_refused(cards: list[str], sizes: list[int], void: list[str]) -> None:
    with pytest.raises(ValueError, match=" deal"):
        deal_among(cards, sizes, lacking(void), FastChance("any"))


def test_more_deals_than_one_draw_can_distinguish_are_still_equally_likely() -> None:
    """Thirty-nine cards to three players with a void each: far more than 2**32 ways."""
    cards = deck(suits="CDH")
    for index in range(20):
        hands = deal_among(cards, [13, 13, 13], lacking(["C", "D", "H"]), FastChance(str(index)))
        assert [{suit(card) for card in hand} for hand in hands] == [{"D", "H"}, {"C", "H"}, {"C", "D"}]


# -- redealing what a seat cannot know

SMALL = Pack.of(["1", "2", "3", "4"], back="red") + Pack.of(["a", "b", "c"], back="blue")
PILES = [["1", "", "a"], ["2", "b", "3"], [], ["c", "4"]]


def dealt(
    piles: Sequence[Sequence[str]], sight: Sight, seed: str, may_hold: MayHold[str] | None = None
) -> list[list[str]]:
    """Return copies of the piles as a determinization for seat 0 has them."""
    fresh = [list(pile) for pile in piles]
    redeal(fresh, sight.copy(), 0, FastChance(seed), back=SMALL.backs.__getitem__, may_hold=may_hold)
    return fresh


def as_text(piles: Sequence[Sequence[str]]) -> str:
    return " | ".join("".join(card or "." for card in pile) for pile in piles)


def test_cards_change_places_with_those_of_the_same_back_and_every_deal_is_equally_likely() -> None:
    deals = Counter(as_text(dealt(PILES, Sight(SMALL, 2), str(index))) for index in range(6000))
    expected = {
        f"{red[0]}.{blue[0]} | {red[1]}{blue[1]}{red[2]} |  | {blue[2]}{red[3]}"
        for red in permutations("1234")
        for blue in permutations("abc")
    }
    assert set(deals) == expected
    assert all(15 < count < 80 for count in deals.values()), "6000 among 144 are 42 each"


def test_what_the_seat_has_seen_stays_where_it_is() -> None:
    sight = Sight(SMALL, 2)
    sight.show("3", 0)
    sight.show_all("b")
    sight.show("1", 1)
    deals = [dealt(PILES, sight, str(index)) for index in range(200)]
    assert all(deal[1][1:] == ["b", "3"] for deal in deals)
    assert {deal[0][0] for deal in deals} == {"1", "2", "4"}, "what others have seen is no help"


def test_a_pile_gets_only_what_it_may_hold() -> None:
    # Nobody asks of a pile in which no card of that back lies.
    red, blue = {0: "12", 1: "1234", 3: "34"}, {0: "abc", 1: "ac", 3: "b"}
    may = {"red": red, "blue": blue}
    for index in range(100):
        piles = dealt(PILES, Sight(SMALL, 2), str(index), lambda pile, card: card in may[SMALL.backs[card]][pile])
        for number, pile in enumerate(piles):
            assert all(not card or card in may[SMALL.backs[card]][number] for card in pile)


def test_an_impossible_redeal_is_refused() -> None:
    with pytest.raises(ValueError, match="no such deal"):
        dealt(PILES, Sight(SMALL, 2), "any", lambda pile, card: pile == 0)


@pytest.mark.parametrize("may_hold", [None, lambda pile, card: card != "4" or pile > 0], ids=["anything", "some"])
def test_states_that_a_seat_cannot_distinguish_are_determinized_equally(may_hold: MayHold[str] | None) -> None:
    sight = Sight(SMALL, 2)
    sight.show("2", 0)
    other = [["3", "", "c"], ["2", "a", "1"], [], ["b", "4"]]
    for index in range(50):
        assert dealt(PILES, sight, str(index), may_hold) == dealt(other, sight, str(index), may_hold)


def test_a_player_who_could_name_the_card_of_a_place_can_name_the_one_that_is_dealt_there() -> None:
    for index in range(50):
        piles = [list(pile) for pile in PILES]
        sight = Sight(SMALL, 3)
        for seat, card in ((1, "2"), (2, "2"), (2, "c"), (0, "1")):
            sight.show(card, seat)
        redeal(piles, sight, 0, FastChance(str(index)), back=SMALL.backs.__getitem__)
        assert [sight.named_by(audience) for audience in (0, 1, 2, None)] == [
            {"1"},
            {piles[1][0]},
            {piles[1][0], piles[3][0]},
            set(),
        ]
