"""Stealing Bundles: every rule and ruling, by name."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bundles.game import GAME
from games.bundles.rules import CARDS, ORDER, BundlesState
from games.core import BadOption, FastChance, SealedChance
from games.core.cards import rank
from games.core.ranks import leaders
from games.core.view import LegalMove, plain
from tests.games.bundles import lay
from tests.games.table import NAMES, check_determinize, faces, log, moves, refusal, view, zone
from tests.tiers import examples

# -- the deal


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_four_cards_lie_in_the_pool_and_four_in_each_hand(seats: int) -> None:
    state = GAME.start(seats, {}, SealedChance(bytes(32)))
    assert len(state.pool) == 4
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert sorted([*state.pool, *state.stock, *(face for hand in state.hands for face in hand)]) == sorted(CARDS)
    assert len(CARDS) == 52


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_may_play(seats: int) -> None:
    with pytest.raises(BadOption, match="takes 2 to 4 seats"):
        GAME.new(seats, {}, FastChance(""))


def test_who_begins_is_drawn_by_lot() -> None:
    assert {GAME.start(4, {}, FastChance(str(seed))).mover for seed in range(60)} == {0, 1, 2, 3}


def test_it_goes_round_to_the_left() -> None:
    state = lay(["AC 2C", "3C 4C", "5C 6C"], mover=1)
    order = []
    while not state.over:
        order.append(state.mover)
        moves(state, state.legal_moves(state.mover)[0])
    assert order == [1, 2, 0, 1, 2, 0]


def test_everybody_gets_four_more_when_all_hands_are_empty() -> None:
    state = lay(["AC", "2C"], stock="3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AD 2D 3D 4D 5D")
    moves(state, "play AC")
    assert [len(hand) for hand in state.hands] == [0, 1], "not before the last hand is empty"
    moves(state, "play 2C")
    assert state.hands == [["2D", "3D", "4D", "5D"], ["AD", "JC", "QC", "KC"]]
    assert len(state.stock) == 8
    assert state.pool == ["AC", "2C"], "the pool gets nothing"
    assert state.mover == 0
    assert "Everybody gets 4 cards." in log(state)


@pytest.mark.parametrize(("seats", "deals"), [(2, 6), (3, 4), (4, 3)])
def test_a_match_has_as_many_deals_as_the_stock_lasts(seats: int, deals: int) -> None:
    state = GAME.start(seats, {}, FastChance("any"))
    phases = []
    while not state.over:
        phases.append(plain(view(state, None)["phase"], NAMES))
        moves(state, state.legal_moves(state.mover)[0])
    assert phases == [f"Deal {deal} of {deals}" for deal in range(1, deals + 1) for _ in range(4 * seats)]


# -- playing a card


def test_a_card_takes_all_pool_cards_of_its_rank() -> None:
    state = lay(["7C KC", "2C 2D"], pool="7D 3S 7H JC")
    moves(state, "play 7C")
    assert state.bundles == [["7D", "7H", "7C"], []]
    assert state.pool == ["3S", "JC"]
    assert log(state) == ["Anna plays 7♣ and takes 7♦ and 7♥ from the pool."]


def test_a_card_that_matches_nothing_joins_the_pool() -> None:
    state = lay(["7C KC", "2C 2D"], pool="3S JC")
    moves(state, "play 7C")
    assert state.bundles == [[], []]
    assert state.pool == ["3S", "JC", "7C"]
    assert log(state) == ["Anna plays 7♣. It takes nothing and joins the pool."]


def test_the_ten_and_the_jack_are_no_match_and_suits_mean_nothing() -> None:
    state = lay(["10C", "2C"], pool="JC AC 9C")
    moves(state, "play 10C")
    assert state.pool == ["JC", "AC", "9C", "10C"]


def test_a_card_steals_a_whole_bundle_with_its_rank_on_top() -> None:
    state = lay(["7C KC", "2C 2D"], bundles=["5C 5D", "3C 3D 7D"])
    moves(state, "play 7C")
    assert state.bundles == [["5C", "5D", "3C", "3D", "7D", "7C"], []], "in its order, the played card on top"
    assert log(state) == ["Anna plays 7♣ and steals Bob's bundle of 3."]


def test_a_stolen_bundle_comes_first_then_pool_cards_then_the_played_card() -> None:
    state = lay(["7C KC", "2C 2D"], pool="7H 4S 7S", bundles=["5C 5D", "3C 3D 7D"])
    moves(state, "play 7C")
    assert state.bundles == [["5C", "5D", "3C", "3D", "7D", "7H", "7S", "7C"], []]
    assert state.pool == ["4S"]
    assert log(state) == ["Anna plays 7♣, takes 7♥ and 7♠ from the pool and steals Bob's bundle of 3."]


def test_only_the_top_of_a_bundle_can_be_matched() -> None:
    state = lay(["3C KC", "2C 2D"], bundles=["", "3H 3D 7D"])
    moves(state, "play 3C")
    assert state.bundles == [[], ["3H", "3D", "7D"]]
    assert state.pool == ["3C"]


def test_the_top_of_ones_own_bundle_is_no_match() -> None:
    state = lay(["7C KC", "7S 2D"], bundles=["3C 7D", ""])
    moves(state, "play 7C")
    assert state.bundles == [["3C", "7D"], []]
    assert state.pool == ["7C"]
    moves(state, "play 7S")
    assert state.bundles == [[], ["3C", "7D", "7C", "7S"]], "the next of the rank takes both"


def test_a_card_one_does_not_hold_is_refused_with_those_one_holds() -> None:
    state = lay(["7C KC", "2C 2D"])
    assert refusal(state, "play 2C") == "You do not hold 2C. Your cards: 7C, KC."
    assert refusal(state, "2C") == "A card is played as in 'play 7C'. Your cards: 7C, KC."


# -- what a card would take, before it is played


def legal_move(state: BundlesState, face: str) -> LegalMove:
    return next(legal for legal in view(state, state.mover)["moves"] if legal["move"] == f"play {face}")


@pytest.mark.parametrize(
    ("face", "label", "takes", "badge"),
    [
        ("2C", "Play 2♣: take nothing", [], None),
        ("4C", "Play 4♣: take 2 from the pool", ["4D", "4H"], "+3"),
        ("7C", "Play 7♣: take Bob's bundle of 3", ["7D"], "+4"),
        ("9C", "Play 9♣: take 1 from the pool and Cleo's bundle of 2", ["9S", "9D"], "+4"),
        ("KC", "Play K♣: take nothing", [], None),
    ],
)
def test_the_table_shows_what_a_card_would_take(face: str, label: str, takes: list[str], badge: str | None) -> None:
    hand = "2C 4C 7C 9C KC"
    state = lay([hand, "2D", "2H"], pool="4D 4H 9S JC", bundles=["KD KS", "3C 3D 7D", "9H 9D"])
    result = legal_move(state, face)
    assert plain(result["label"], NAMES) == label
    assert result["pieces"] == [face]
    assert result.get("takes", []) == takes
    assert next(piece for piece in zone(state, 0, "hand:0")["pieces"] if piece["id"] == face).get("badge") == badge
    before = len(state.bundles[0])
    moves(state, f"play {face}")
    assert len(state.bundles[0]) - before == int(badge or 0)


def test_of_a_bundle_only_the_top_card_and_the_size_are_shown_and_all_is_remembered() -> None:
    state = lay(["2C", "2D"], bundles=["5C 5D", "3C 3D 7D"])
    for audience in (0, 1, None):
        assert faces(state, audience, "bundle:1") == ["7D"]
        assert zone(state, audience, "bundle:1")["size"] == 3
        assert state.observe(audience).bundles == (("5C", "5D"), ("3C", "3D", "7D"))


def test_hands_are_their_owners_alone() -> None:
    state = lay(["2C 4C", "2D 4D"])
    assert faces(state, 0, "hand:0") == ["2C", "4C"]
    assert faces(state, 1, "hand:0") == faces(state, None, "hand:0") == ["?", "?"]


# -- the end


def test_the_largest_bundle_wins() -> None:
    state = lay(["2C", "3C"], pool="3D KD", bundles=["5C 5D", "4C 4D"])
    moves(state, "play 2C")
    log(state)
    moves(state, "play 3C")
    assert state.over
    assert [state.observe(audience).mover for audience in (None, 0, 1)] == [-1, -1, -1], "nobody is to play"
    assert state.scores() == [2, 4]
    assert log(state) == [
        "Bob plays 3♣ and takes 3♦ from the pool.",
        "All cards are played: the bundles are counted.",
        "Anna has 2 cards.",
        "Bob has 4 cards.",
        "Bob has the largest bundle and wins.",
    ]
    seen = view(state, None)
    assert plain(seen["result"]["text"], NAMES) == "Bob wins with a bundle of 4"
    assert [place["state"] for place in seen["seats"]] == ["in", "won"]


def test_cards_left_in_the_pool_belong_to_nobody() -> None:
    state = lay(["2C", "3C"], pool="KD KH KS QD QH", bundles=["5C 5D", ""])
    moves(state, "play 2C", "play 3C")
    assert state.scores() == [2, 0]


def test_equal_largest_bundles_share_the_win() -> None:
    state = lay(["2C", "3C", "QC"], bundles=["5C 5D", "4C 4D", ""])
    moves(state, "play 2C", "play 3C", "play QC")
    assert view(state, None)["result"]["winners"] == [0, 1]
    assert plain(view(state, None)["result"]["text"], NAMES) == "2 players share the win with bundles of 2"
    assert log(state)[-2:] == ["Anna shares the win.", "Bob shares the win."]


# -- who has seen what


def test_cards_shown_once_are_known_to_all_even_under_others_and_hands_to_their_owner() -> None:
    state = lay(["7C KC", "2C 2D"], pool="7D 3S", bundles=["", "5C 5D"], stock="9C 9D 9H 9S 10C 10D 10H 10S")
    moves(state, "play 7C")
    known = {"7C", "7D", "3S", "5C", "5D"}
    assert [state.sight.named_by(audience) for audience in (0, 1, None)] == [
        {*known, "KC"},
        {*known, "2C", "2D"},
        known,
    ]
    moves(state, "play 2C", "play KC", "play 2D")
    assert state.sight.named_by(0) == {*known, "2C", "KC", "2D", *state.hands[0]}


@examples(30)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4), plies=st.integers(0, 48))
def test_what_is_determinized_depends_on_what_the_seat_knows_alone(seed: int, seats: int, plies: int) -> None:
    state = GAME.start(seats, {}, FastChance(str(seed)))
    choices = FastChance(f"{seed}/choices")
    for _ in range(plies):
        moves(state, choices.choice(state.legal_moves(state.mover)))
    for seat in range(seats):
        check_determinize(state, seat)


def test_the_stock_may_lie_in_any_order_and_any_of_it_in_another_hand() -> None:
    state = lay(["7C KC", "2C 2D"], pool="7D 3S", stock="9C 9D 9H 9S 10C 10D 10H 10S")
    samples = [state.determinize(0, FastChance(str(index))) for index in range(200)]
    unseen = {*state.stock, *state.hands[1]}
    assert (
        {sample.stock[-1] for sample in samples} == {face for sample in samples for face in sample.hands[1]} == unseen
    )
    assert all(sample.hands[1] == sorted(sample.hands[1], key=ORDER.__getitem__) for sample in samples)


# -- what always holds


@examples(60)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_no_card_is_ever_lost_and_no_two_bundles_show_the_same_rank(seed: int, seats: int) -> None:
    state = GAME.start(seats, {}, FastChance(str(seed)))
    choices = FastChance(f"{seed}/choices")
    played = 0
    while not state.over:
        places = [state.stock, state.pool, *state.hands, *state.bundles]
        assert sorted(face for place in places for face in place) == sorted(CARDS)
        tops = Counter(rank(bundle[-1]) for bundle in state.bundles if bundle)
        assert all(count == 1 for count in tops.values())
        assert all(len(bundle) != 1 for bundle in state.bundles)
        state.play(state.mover, choices.choice(state.legal_moves(state.mover)))
        played += 1
    assert played == 48
    assert state.scores() == [len(bundle) for bundle in state.bundles]
    assert leaders(state.scores()) == view(state, None)["result"]["winners"]
