"""The rigged deck: who gets what, what a trade does, when a series is rigged, and that nobody can notice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from games.core import FastChance, Sight
from games.core.cards import pips
from games.core.view import card_arg, plain
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.game import GAME
from games.hamsterdam.rigged import RiggedDealer
from games.hamsterdam.rules import MODIFIERS, PACK, STOCKS, HamsterdamState, left_of
from tests.games.hamsterdam import deal, open_stocks
from tests.games.table import NAMES, everything, faces, log, moves
from tests.tiers import tiered

FAVOURITE = 1


def rigged_deals(seats: int) -> list[HamsterdamState]:
    return [GAME.start(seats, {"rigged": FAVOURITE}, FastChance(str(seed))) for seed in range(100)]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_favourite_is_dealt_eight_to_ten_and_all_others_ace_to_three(seats: int) -> None:
    results: dict[bool, set[int]] = {True: set(), False: set()}
    for state in rigged_deals(seats):
        for seat, stock in enumerate(state.stock):
            results[seat == FAVOURITE].add(pips(stock))
    assert results == {True: {8, 9, 10}, False: {1, 2, 3}}


@pytest.mark.parametrize("seats", [2, 3])
def test_the_favourite_gets_modifiers_of_four_and_five_and_all_others_ace_and_two(seats: int) -> None:
    results: dict[bool, set[int]] = {True: set(), False: set()}
    for state in rigged_deals(seats):
        for seat, hand in enumerate(state.hands):
            results[seat == FAVOURITE].add(pips(hand[0]))
    assert results == {True: {4, 5}, False: {1, 2}}


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


def traded(stocks: list[str], *before: str, hands: Sequence[str] = ()) -> list[HamsterdamState]:
    """Return many rigged positions in which the player to act has just traded."""
    results = []
    for seed in range(60):
        state = deal(stocks, hands, favourite=FAVOURITE, seed=str(seed))
        FastChance(f"{seed}/deck").shuffle(state.stock_deck)
        moves(state, *before, "trade")
        results.append(state)
    return results


def test_two_who_are_not_the_favourite_really_swap() -> None:
    state = deal(["3C", "2D", "8D", "AD"], favourite=2)
    deck = state.stock_deck[:]
    moves(state, "trade")
    assert state.stock == ["2D", "3C", "8D", "AD"]
    assert (state.stock_deck, state.discard) == (deck, [])
    private = [(entry["only"], plain(entry["text"], NAMES)) for entry in state.log or [] if "only" in entry]
    assert private == [(0, "Your stock is now 2♦."), (1, "Your stock is now 3♣.")]
    known = [{"2D", "3C"}, {"2D", "3C"}, {"8D"}, {"AD"}]
    assert [state.sight.named_by(seat) for seat in range(4)] == known
    assert state.observe(1).remembers == ("2D", "3C", "", "")


def test_a_trade_with_the_favourite_gives_another_card_from_ace_to_three_and_changes_nobody_elses() -> None:
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


def test_a_card_given_up_may_come_to_the_dealer() -> None:
    drawn: Counter[str] = Counter()
    for state in traded(["3C", "8D", "2D"], "trade", "keep", hands=["AS"]):
        drawn[state.stock[2]] += 1
    assert 0 < drawn["3C"] < 60 * 2 / 3, "Anna's, as likely as any other"
    assert "2D" not in drawn, "not the same one again"


def test_if_no_other_card_of_the_range_is_left_the_same_one_comes_back() -> None:
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


# -- what is sent


def honest_twin(state: HamsterdamState) -> HamsterdamState:
    """Return the position as an honest dealer could have dealt it: the next to draw from the deck finds the same."""
    twin = state.clone()
    twin.dealing, twin.memory, twin.log = HONEST, None, []
    return twin


def prepare(twin: HamsterdamState, state: HamsterdamState, move: str) -> None:
    """Put on top of the twin's deck what the rigged dealer is about to give the dealer of the round."""
    if state.phase == "market" and state.mover == state.dealer and move == "trade":
        ahead = state.clone()
        ahead.play(state.mover, move)
        twin.stock_deck.remove(ahead.stock[state.mover])
        twin.stock_deck.append(ahead.stock[state.mover])


def sent(state: HamsterdamState) -> list[dict[str, Any]]:
    """Return the log entries of a move as they are sent, without the wording for others if all may read them."""
    return [{key: value for key, value in entry.items() if key != "others"} for entry in state.log or []]


def received(state: HamsterdamState, audience: int | None) -> str:
    """Return every byte that an audience and its bots get after a move."""
    entries = [entry for entry in sent(state) if entry.get("only", audience) == audience]
    return json.dumps([entries, GAME.view(state, audience)]) + repr(state.observe(audience))


@pytest.mark.parametrize("seats", tiered([2, 3, 4, 6], lambda seats: seats < 4))
def test_a_rigged_table_sends_the_same_messages_as_an_honest_one(seats: int) -> None:
    """Play a match and an honestly dealt twin. Only the two players of a trade with the favourite can notice."""
    compared = fakes = swaps = 0
    for seed in range(30):
        favourite = seed % seats
        state = GAME.start(seats, {"rigged": favourite}, FastChance(str(seed)))
        choices = FastChance(f"{seed}/choices")
        while not state.over:
            if state.phase == "market" and state.mover == state.order[0]:
                twin = honest_twin(state)
            trader, left = state.mover, left_of(state.mover, state.certificates)
            move = choices.choice(state.legal_moves(trader))
            fake = move == "trade" and trader != state.dealer and favourite in (trader, left)
            swaps += move == "trade" and trader != state.dealer and not fake
            round_before = state.round
            prepare(twin, state, move)
            for table in (state, twin):
                table.log = []
                table.play(trader, move)
            if state.round != round_before:
                twin = honest_twin(state)  # the next deal is the other dealer's own
                continue
            for audience in (None, *range(seats)):
                if not (fake and audience in (trader, left)):
                    assert received(state, audience) == received(twin, audience)
                    compared += 1
                    continue
                texts = [[entry for entry in sent(table) if entry.get("only") == audience] for table in (state, twin)]
                held = {"args": {"card": card_arg(state.stock[audience])}}
                assert [[{**entry, "text": {**entry["text"], **held}} for entry in entries] for entries in texts] == [
                    texts[0]
                ] * 2, "the same words for what they now hold"
                remembered = [table.observe(audience).remembers for table in (state, twin)]
                assert {place for place, pair in enumerate(zip(*remembered, strict=True)) if pair[0] != pair[1]} <= {
                    audience
                }, "and each remembers what it gave as in an honest trade"
                fakes += 1
            if fake:  # the hidden cards of the two differ now: continue with equal cards
                resettle(twin, state)
    assert compared > 300
    assert fakes > 50
    assert swaps > 10 or seats == 2


def resettle(twin: HamsterdamState, state: HamsterdamState) -> None:
    """Give the honest twin the cards of a rigged table after a faked trade."""
    remembered = [list(twin._remembered(seat)) for seat in range(twin.seats)]
    for seat in range(twin.seats):
        remembered[seat][seat] = state.stock[seat]
    twin.memory = [tuple(known) for known in remembered]
    twin.stock, twin.stock_deck = state.stock[:], state.stock_deck[:]
    twin.chance, twin.sight = state.chance.clone(), state.sight.copy()


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_determinizations_at_a_rigged_table_are_those_of_an_honest_one(seats: int) -> None:
    """After a trade with the favourite on the left nothing contradicts the trader, so even search cannot notice."""
    for seed in range(30):
        state = GAME.start(seats, {"rigged": 1}, FastChance(str(seed)))
        state.dealer, state.order, state.mover = seats - 1, list(range(seats)), 0
        fresh = state.clone()
        moves(fresh, "trade")
        truth = honest_twin(state)  # where the favourite held what the trader draws
        there = truth.stock_deck.index(fresh.stock[0])
        truth.stock[1], truth.stock_deck[there] = truth.stock_deck[there], truth.stock[1]
        truth.sight = Sight(PACK, seats)
        for seat in range(seats):
            for face in (truth.stock[seat], *truth.hands[seat]):
                truth.sight.show(face, seat)
        moves(truth, "trade")
        for table in (fresh, truth):
            moves(table, "keep", *["keep"] * (seats - 3))
        assert fresh.observe(0) == truth.observe(0)
        for draws in "abc":
            samples = [table.determinize(0, FastChance(draws)) for table in (fresh, truth)]
            assert everything(samples[0]) == everything(samples[1])


def test_after_a_trade_with_the_favourite_each_remembers_what_an_honest_trade_would_leave() -> None:
    state = deal(["3C", "8D", "2D"], favourite=FAVOURITE)
    moves(state, "trade")
    fresh = state.stock[0]
    assert fresh != "3C"
    assert [state.sight.named_by(seat) for seat in (0, 1, 2)] == [{fresh}, {"8D"}, {"2D"}], "as it is in truth"
    assert not any(state.sight.knows(audience, "3C") for audience in (0, 1, 2, None))
    assert [state.observe(seat).remembers for seat in (0, 1, 2)] == [
        (fresh, "3C", ""),
        ("8D", "8D", ""),
        ("", "", "2D"),
    ]
    assert faces(state, 1, "stock:1") == ["8D"]
    assert log(state, 1)[-1] == "Your stock is now 8♦.", "the one thing by which the favourite can notice"


def test_a_discarded_stock_is_remembered_unless_it_lies_open_elsewhere() -> None:
    state = deal(["8C", "2C", "3D"], ["AS", "AS", "AS"], favourite=0)
    moves(state, "trade")  # the favourite seems to give Bob its 8
    assert state.observe(0).remembers == (state.stock[0], "8C", "")
    moves(state, "trade")  # and Bob to give it to Cleo, who lays aside what is in truth his 2
    assert state.observe(0).remembers == (state.stock[0], "", "8C")
    moves(state, "trade")
    assert state.discard == ["2C"]
    assert [state.observe(seat).laid_aside for seat in (0, 1, 2, None)] == ["8C", "2C", "2C", ""]
    assert state.observe(1).remembers == tuple(state.stock)

    state = deal(["3C", "8D"], ["AS", "AH"], favourite=1)
    moves(state, "trade")  # the favourite seems to take the 3, and keeps its 8
    moves(state, "trade")
    assert state.discard == ["8D"]
    assert [state.observe(seat).laid_aside for seat in (0, 1)] == ["3C", "8D"]

    state = deal(["3C", "8D", "2D"], ["AS", "AH"], favourite=1)
    moves(state, "trade", "trade")  # what Anna gave seems to have gone on to Cleo, who lays it aside
    state.stock_deck.append(state.stock_deck.pop(state.stock_deck.index("3C")))
    moves(state, "trade")
    assert (state.stock[2], state.discard) == ("3C", ["2D"])
    assert state.observe(0).laid_aside == "", "it is face up before Cleo"


def test_a_card_that_comes_back_stays_known_to_the_player_who_traded() -> None:
    state = deal(["3C", "8D", "2D"], favourite=FAVOURITE)
    state.stock_deck = ["4C", "5C"]
    moves(state, "trade")
    assert state.stock == ["3C", "8D", "2D"]
    assert [state.sight.named_by(seat) for seat in (0, 1, 2)] == [{"3C"}, {"8D"}, {"2D"}]


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_seat_can_name_only_true_cards_and_its_memory_follows_the_trades_it_saw(seats: int) -> None:
    for seed in range(40):
        favourite = seed % (seats + 1) - 1
        state = GAME.start(seats, {"rigged": favourite}, FastChance(str(seed)))
        choices = FastChance(f"{seed}/choices")
        while not state.over:
            if state.phase == "market" and not any(state.decided):
                learned = [
                    ["" if seat != place else state.stock[seat] for place in range(seats)] for seat in range(seats)
                ]
            for seat in range(seats):
                seen = state.observe(seat)
                assert all(face in ("", *seen.remembers) for face in seen.stock), "what is face up stays known"
                if state.phase == "market":
                    assert list(seen.remembers) == learned[seat]
                if favourite < 0:
                    assert all(
                        remembered in ("", face) for remembered, face in zip(seen.remembers, state.stock, strict=True)
                    )
            trader, left = state.mover, left_of(state.mover, state.certificates)
            move = choices.choice(state.legal_moves(trader))
            moves(state, move)
            if move == "trade":
                for seat in range(seats):
                    known = learned[seat]
                    known[trader], known[left] = (
                        (known[left], known[trader]) if trader != state.dealer else ("", known[left])
                    )
                    if seat == trader or (seat == left and trader != state.dealer):
                        known[seat] = state.stock[seat]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_searching_bot_assumes_an_honest_dealer(seat: int) -> None:
    for seed in range(30):
        state = GAME.start(3, {"rigged": FAVOURITE}, FastChance(str(seed)))
        moves(state, "trade", "trade")
        sample = state.determinize(seat, FastChance(str(seed)))
        assert sample.dealing is HONEST
        assert sample.observe(seat) == state.observe(seat)
        assert sorted([*sample.stock, *sample.stock_deck]) == sorted(STOCKS), (
            "memories that contradict the deal are dropped"
        )
        hands = [face for hand in sample.hands for face in hand]
        assert sorted([*hands, *sample.modifier_deck]) == sorted(MODIFIERS)


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


def test_only_administrators_can_set_the_option_and_it_is_off_by_default() -> None:
    (option,) = GAME.options
    assert (option.name, option.set_by, option.default) == ("rigged", "administrator", -1)
    assert GAME.start(3, GAME.check_options({}), FastChance("")).dealing is HONEST


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_in_a_determinization_others_remember_the_cards_that_lie_there(seats: int) -> None:
    """A seat may remember what is impossible; then the others remember what fits its determinization."""
    checked = 0
    for seed in range(12):
        state = GAME.start(seats, {"rigged": FAVOURITE}, FastChance(f"samples {seed}"))
        pick = FastChance(f"moves {seed}")
        for _ in range(3 * seats):
            if state.over:
                break
            seat = state.mover
            sample = state.determinize(seat, FastChance("sample"))
            if sample.memory is not None:
                checked += 1
                assert state.memory is not None
                assert sample.memory[seat] == state.memory[seat]
                lie = (*sample.stock, *(sample.discard or [""]))
                for other in set(range(seats)) - {seat}:
                    assert sample.memory[other][other] == sample.stock[other]
                    assert [
                        face for face, there in zip(sample.memory[other], lie, strict=True) if face not in ("", there)
                    ] == []
            state.apply(seat, pick.choice(state.legal_moves(seat)))
    assert checked > 10
