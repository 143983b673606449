"""The subtle rig: honest shuffles, real trades, the messages of an honest table, and a favourite who wins."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from games.core import BadOption, Chance, FastChance, SealedChance
from games.core.cards import pips
from games.core.options import OptionValue
from games.hamsterdam import subtle
from games.hamsterdam.bots import choose
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.game import GAME
from games.hamsterdam.rules import MODIFIERS, STOCKS, HamsterdamState, left_of
from games.hamsterdam.subtle import SubtleDealer
from tests.games.table import everything
from tests.tiers import tiered

FAVOURITE = 1


def started(seats: int, seed: str, rigged: OptionValue = f"subtle-{FAVOURITE}") -> HamsterdamState:
    return GAME.start(seats, GAME.check_options({"rigged": rigged}), FastChance(seed))


def house(state: HamsterdamState) -> str:
    return choose(state.observe(state.mover), state.mover)


def share_of_wins(seats: int, rigged: OptionValue, matches: int) -> float:
    won = 0.0
    for number in range(matches):
        state = started(seats, f"{number}", rigged)
        while not state.over:
            state.apply(state.mover, house(state))
        won += (FAVOURITE in state.winners()) / len(state.winners())
    return won / matches


@pytest.mark.parametrize("seats", tiered([2, 3, 6], lambda seats: seats < 6))
def test_the_favourite_wins_nearly_always_where_an_honest_deal_gives_it_its_share(seats: int) -> None:
    assert share_of_wins(seats, -1, 60) < 1 / seats + 0.2
    assert share_of_wins(seats, f"subtle-{FAVOURITE}", 60) > 0.8


def test_the_favourite_and_all_others_are_dealt_cards_of_every_value() -> None:
    stocks: dict[bool, set[int]] = defaultdict(set)
    modifiers: dict[bool, set[str]] = defaultdict(set)
    for number in range(150):
        state = started(3, f"{number}")
        for seat in range(3):
            stocks[seat == FAVOURITE].add(pips(state.stock[seat]))
            modifiers[seat == FAVOURITE].update(state.hands[seat])
    assert stocks[False] == set(range(1, 11))
    assert stocks[True] >= set(range(2, 11)), "an ace, too, if its modifier can save it"
    assert modifiers[False] == modifiers[True] == set(MODIFIERS)


def test_equal_seeds_and_moves_give_equal_deals_whatever_is_observed() -> None:
    for seed in (bytes(32), bytes(range(32))):
        results = []
        for look in (False, True):
            state = GAME.start(4, {"rigged": "subtle-2"}, SealedChance(seed))
            deals = [(state.stock[:], state.stock_deck[:], state.modifier_deck[:])]
            while not state.over:
                if look:  # at a copy that is played on, and a determinization
                    state.clone().rollout(FastChance("elsewhere"))
                    state.determinize(0, FastChance("elsewhere")).rollout(FastChance("there"))
                before = state.round
                state.apply(state.mover, house(state))
                if state.round != before:
                    deals.append((state.stock[:], state.stock_deck[:], state.modifier_deck[:]))
            results.append((deals, state.winners()))
        assert results[0] == results[1]
        assert len(results[0][0]) > 3


def received(state: HamsterdamState, audience: int | None) -> str:
    """Return every byte that an audience and its bots get after a move."""
    entries = [entry for entry in state.log or [] if entry.get("only", audience) == audience]
    return json.dumps([entries, GAME.view(state, audience)]) + repr(state.observe(audience))


@pytest.mark.parametrize("seats", tiered([2, 3, 6], lambda seats: seats < 6))
def test_a_subtly_rigged_round_is_byte_for_byte_an_honest_round_of_the_same_cards(seats: int) -> None:
    compared = with_favourite = 0
    for number in range(12):
        state = started(seats, f"{number}")
        choices = FastChance(f"{number}/choices")
        while not state.over:
            twin = state.clone()
            twin.dealing, twin.log = HONEST, []
            current = state.round
            while state.round == current and not state.over:
                seat = state.mover
                for place in range(seats):
                    samples = [table.determinize(place, FastChance("draws")) for table in (state, twin)]
                    assert everything(samples[0]) == everything(samples[1])
                    assert samples[0].dealing is HONEST, "no search can see into the rig"
                move = choices.choice(state.legal_moves(seat))
                if move == "trade" and seat != state.dealer:
                    with_favourite += FAVOURITE in (seat, left_of(seat, state.certificates))
                for table in (state, twin):
                    table.log = []
                    table.play(seat, move)
                if state.round == current and not state.over:
                    for audience in (None, *range(seats)):
                        assert received(state, audience) == received(twin, audience)
                        compared += 1
    assert compared > 200
    assert with_favourite > 10


def test_a_deal_stays_within_its_limit_of_roll_outs(monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[int] = []
    keeps, shuffle = SubtleDealer.keeps_certificates, SubtleDealer.shuffle

    def counted(self: SubtleDealer, table: HamsterdamState, chance: Chance, *, mistakes: bool) -> bool:
        spent[-1] += 1
        return keeps(self, table, chance, mistakes=mistakes)

    def begun(self: SubtleDealer, table: HamsterdamState) -> None:
        spent.append(0)
        shuffle(self, table)

    monkeypatch.setattr(SubtleDealer, "keeps_certificates", counted)
    monkeypatch.setattr(SubtleDealer, "shuffle", begun)
    share_of_wins(6, f"subtle-{FAVOURITE}", 10)
    assert len(spent) > 60
    assert max(spent) < subtle.MOST + subtle.EACH
    assert min(spent) == subtle.EACH, "the first shuffle may pass"


def test_if_no_shuffle_passes_the_decks_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SubtleDealer, "keeps_certificates", lambda *_, **__: False)
    state = started(3, "any")
    hands = [face for hand in state.hands for face in hand]
    assert sorted([*state.stock, *state.stock_deck]) == sorted(STOCKS)
    assert sorted([*hands, *state.modifier_deck]) == sorted(MODIFIERS)


def test_once_the_favourite_is_out_it_deals_as_an_honest_dealer_would() -> None:
    state = started(4, "any")
    state.certificates[FAVOURITE] = 0
    twin = state.clone()
    twin.dealing = HONEST
    for table in (state, twin):
        table.stock_deck, table.modifier_deck = list(STOCKS), list(MODIFIERS)
        table.dealing.shuffle(table)
    assert (state.stock_deck, state.modifier_deck) == (twin.stock_deck, twin.modifier_deck)
    assert state.chance.randbelow(1000) == twin.chance.randbelow(1000)


def test_a_series_is_rigged_in_the_chosen_way() -> None:
    assert GAME.rig.options(2, 2, [[0], [1]], "subtle") == {"rigged": "subtle-2"}
    assert GAME.rig.options(2, 2, [[0], [1]], "stacked") == GAME.rig.options(2, 2, [[0], [1]]) == {"rigged": 2}
    assert GAME.rig.options(2, 2, [[0], [2]], "subtle") == {}
    with pytest.raises(BadOption, match="stacked and subtle"):
        GAME.rig.options(2, 0, [], "clumsy")


@pytest.mark.parametrize(
    ("written", "value"),
    [("1", 1), (1, 1), ("-1", -1), ("subtle-3", "subtle-3"), (" subtle-03 ", "subtle-3"), ("subtle", "subtle-0")],
)
def test_the_option_is_a_seat_or_a_seat_with_how(written: OptionValue, value: OptionValue) -> None:
    assert GAME.check_options({"rigged": written}) == {"rigged": value}
    assert GAME.check_options(GAME.check_options({"rigged": written})) == {"rigged": value}


@pytest.mark.parametrize("written", ["subtle-6", "subtle--1", "subtle-", "subtle-1-2", "Subtle-1", "stacked-1"])
def test_an_invalid_seat_is_refused(written: str) -> None:
    with pytest.raises(BadOption, match=r"subtle-0( to subtle-|\.\.)5, not"):
        GAME.check_options({"rigged": written})
