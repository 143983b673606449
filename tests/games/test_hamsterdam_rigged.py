"""The rigged deck: who gets what, what a trade does, when a series is rigged, and that nobody can tell."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core import FastChance
from games.core.cards import pips
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.game import GAME
from games.hamsterdam.rigged import RiggedDealer
from games.hamsterdam.rules import MODIFIERS, STOCKS, HamsterdamState
from tests.games.hamsterdam import deal, open_stocks
from tests.games.table import faces, log, moves

FAVOURITE = 1


def rigged_deals(seats: int) -> list[HamsterdamState]:
    return [GAME.start(seats, {"rigged": FAVOURITE}, FastChance(str(seed))) for seed in range(100)]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_favourite_is_dealt_eight_to_ten_and_all_others_ace_to_three(seats: int) -> None:
    found: dict[bool, set[int]] = {True: set(), False: set()}
    for state in rigged_deals(seats):
        for seat, stock in enumerate(state.stock):
            found[seat == FAVOURITE].add(pips(stock))
    assert found == {True: {8, 9, 10}, False: {1, 2, 3}}


@pytest.mark.parametrize("seats", [2, 3])
def test_the_favourite_gets_modifiers_of_four_and_five_and_all_others_ace_and_two(seats: int) -> None:
    found: dict[bool, set[int]] = {True: set(), False: set()}
    for state in rigged_deals(seats):
        for seat, hand in enumerate(state.hands):
            found[seat == FAVOURITE].add(pips(hand[0]))
    assert found == {True: {4, 5}, False: {1, 2}}


@pytest.mark.parametrize(
    ("deck", "seat", "expected"),
    [
        ("AH 4S 3H 2S", FAVOURITE, "4S"),
        ("AH 3H 2S", FAVOURITE, "3H"),
        ("AH 2S", FAVOURITE, "2S"),
        ("4S AH 3H 5H", 0, "AH"),
        ("4S 3H 5H", 0, "3H"),
        ("5H 4S", 0, "4S"),
    ],
)
def test_without_the_right_modifier_a_three_is_dealt_and_without_a_three_any(
    deck: str, seat: int, expected: str
) -> None:
    cards = deck.split()
    assert RiggedDealer(FAVOURITE).modifier(cards, seat) == expected
    assert sorted([*cards, expected]) == sorted(deck.split())


def test_from_an_empty_modifier_deck_nobody_gets_one() -> None:
    hands = ["AH 2H 3H 4H", "5H AS 2S", "3S 4S 5S"]
    state = open_stocks(["3C", "8C", "9C"], hands, favourite=FAVOURITE)
    moves(state, "pass", "pass", "pass")
    assert state.round == 2
    assert state.hands == [hand.split() for hand in hands]


def traded(stocks: list[str], *before: str) -> list[HamsterdamState]:
    """Return many rigged positions in which the player to act has just traded."""
    found = []
    for seed in range(60):
        state = deal(stocks, favourite=FAVOURITE, seed=str(seed))
        FastChance(f"{seed}/deck").shuffle(state.stock_deck)
        moves(state, *before, "trade")
        found.append(state)
    return found


def test_a_trade_gives_another_card_from_ace_to_three_and_changes_nobody_elses() -> None:
    fresh = set()
    for state in traded(["3C", "8D", "2D"]):
        assert state.stock[1:] == ["8D", "2D"]
        assert "3C" in state.stock_deck
        assert sorted([*state.stock, *state.stock_deck]) == sorted(STOCKS)
        fresh.add(state.stock[0])
    assert fresh == {"AC", "2C", "AD", "3D"}


def test_a_trade_by_the_favourite_gives_another_card_from_eight_to_ten() -> None:
    fresh = set()
    for state in traded(["3C", "8D", "2D"], "keep"):
        assert state.stock[::2] == ["3C", "2D"]
        fresh.add(state.stock[1])
    assert fresh == {"8C", "9C", "9D", "10C", "10D"}


def test_a_trade_by_the_dealer_discards_and_gives_another_card_of_the_range() -> None:
    state = deal(["3C", "8D", "2D"], ["AS", "AH", ""], favourite=FAVOURITE)
    moves(state, "keep", "keep", "trade")
    assert (state.discard, pips(state.stock[2]) <= 3, state.stock[2] != "2D") == (["2D"], True, True)
    assert len(state.stock_deck) == 16


def test_a_card_given_up_may_come_to_the_next_who_trades() -> None:
    thirds: Counter[str] = Counter()
    for state in traded(["3C", "8D", "2D", "AD"], "trade", "keep"):
        thirds[state.stock[2]] += 1
    assert 0 < thirds["3C"] < 60 * 2 / 3, "Anna's, as likely as any other"
    assert "2D" not in thirds, "not the same one again"


def test_where_no_other_card_of_the_range_is_left_the_same_one_comes_back() -> None:
    stocks = ["AC", "9C", "2C", "3C", "AD", "2D"]
    deck = ["4C", "5C"]
    assert not RiggedDealer(FAVOURITE).trade(stocks, deck, 0, 1, FastChance(""))
    assert (stocks[0], deck) == ("AC", ["4C", "5C"])


def test_the_fullest_table_always_has_a_card_of_the_range_left() -> None:
    for seed in range(50):
        state = GAME.start(6, {"rigged": FAVOURITE}, FastChance(str(seed)))
        moves(state, *["trade"] * 6)
        for seat, stock in enumerate(state.stock):
            assert pips(stock) >= 8 if seat == FAVOURITE else pips(stock) <= 3


def test_the_table_reads_the_same_messages_as_in_an_honest_trade() -> None:
    rigged, honest = (deal(["3C", "8D", "2D"], ["AS", "AH", ""], favourite=who) for who in (FAVOURITE, -1))
    for move in ("trade", "trade", "trade"):
        told = []
        for state in (rigged, honest):
            moves(state, move)
            told.append(list(state.lines or []))
            state.lines = []
        shapes = [
            [(line["kind"], line["text"]["text"], line.get("only"), line.get("motions")) for line in lines]
            for lines in told
        ]
        assert shapes[0] == shapes[1]
        assert len(rigged.stock_deck) == len(honest.stock_deck)
        assert faces(rigged, None, "discard") == faces(honest, None, "discard")


def test_after_a_rigged_trade_both_know_the_card_they_hold_and_nobody_the_one_that_went_into_the_deck() -> None:
    state = deal(["3C", "8D", "2D"], favourite=FAVOURITE)
    moves(state, "trade")
    fresh = state.stock[0]
    assert fresh != "3C"
    assert [state.sight.named_by(seat) for seat in (0, 1, 2)] == [{fresh}, {"8D"}, {"2D"}]
    assert not any(state.sight.knows(audience, "3C") for audience in (0, 1, 2, None))
    assert [state.observe(seat).remembers for seat in (0, 1, 2)] == [(fresh, "", ""), ("", "8D", ""), ("", "", "2D")]
    assert faces(state, 1, "stock:1") == ["8D"]
    assert "8♦" in log(state, 1)[-1]


def test_where_the_same_card_comes_back_it_stays_known_to_who_traded() -> None:
    state = deal(["3C", "8D", "2D"], favourite=FAVOURITE)
    state.stock_deck = ["4C", "5C"]
    moves(state, "trade")
    assert state.stock == ["3C", "8D", "2D"]
    assert [state.sight.named_by(seat) for seat in (0, 1, 2)] == [{"3C"}, {"8D"}, {"2D"}]


def test_a_card_given_up_that_comes_to_another_is_that_ones_alone_to_know() -> None:
    found = 0
    for state in traded(["3C", "8D", "2D", "AD"], "trade", "keep"):
        if state.stock[2] == "3C":
            found += 1
            assert state.observe(0).remembers == (state.stock[0], "", "", "")
            assert state.observe(2).remembers == ("", "", "3C", "")
    assert found


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_what_a_seat_remembers_lies_there_whoever_deals(seats: int) -> None:
    for seed in range(40):
        favourite = seed % (seats + 1) - 1
        state = GAME.start(seats, {"rigged": favourite}, FastChance(str(seed)))
        choices = FastChance(f"{seed}/choices")
        while not state.over:
            for seat in range(seats):
                seen = state.observe(seat)
                for place, remembered in enumerate(seen.remembers):
                    assert remembered in ("", state.stock[place])
                    assert seen.stock[place] in ("", remembered), "what lies open is not forgotten"
            moves(state, choices.choice(state.legal_moves(state.mover)))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_bot_that_thinks_ahead_thinks_of_an_honest_dealer(seat: int) -> None:
    for seed in range(30):
        state = GAME.start(3, {"rigged": FAVOURITE}, FastChance(str(seed)))
        moves(state, "trade", "trade")
        believed = state.determinize(seat, FastChance(str(seed)))
        assert believed.dealing is HONEST
        assert believed.observe(seat) == state.observe(seat)
        assert sorted([*believed.stock, *believed.stock_deck]) == sorted(STOCKS), "beliefs that clash have given way"
        hands = [face for hand in believed.hands for face in hand]
        assert sorted([*hands, *believed.modifier_deck]) == sorted(MODIFIERS)


# -- the series

ANNA, BOB, CLEO = [0], [1], [2]


@pytest.mark.parametrize(
    ("honest_games", "won", "rigged"),
    [
        (2, [], False),
        (2, [ANNA], False),
        (2, [ANNA, CLEO], True),
        (2, [ANNA, CLEO, ANNA], True),
        (2, [ANNA, CLEO, BOB], False),
        (2, [ANNA, CLEO, BOB, ANNA], False),
        (2, [BOB], False),
        (2, [BOB, ANNA], False),
        (2, [BOB, ANNA, ANNA], False),
        (2, [ANNA, [1, 2]], False),
        (0, [], True),
        (0, [ANNA], True),
        (0, [BOB], False),
        (4, [ANNA, ANNA, ANNA], False),
        (4, [ANNA, ANNA, ANNA, ANNA], True),
    ],
)
def test_a_series_is_honest_first_and_then_rigged_until_the_favourite_has_won(
    honest_games: int, won: list[list[int]], rigged: bool
) -> None:
    options = GAME.rig.options(FAVOURITE, honest_games, won)
    assert options == ({"rigged": FAVOURITE} if rigged else {})
    GAME.check_options(options)


def test_the_option_is_the_administrators_and_off_unless_set() -> None:
    (option,) = GAME.options
    assert (option.name, option.set_by, option.default) == ("rigged", "administrator", -1)
    assert GAME.start(3, GAME.check_options({}), FastChance("")).dealing is HONEST
