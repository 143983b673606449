"""Camel Up's bots: how they value a move, that they know no more than they may, and how well they play."""

from __future__ import annotations

from collections import Counter

import pytest

from games.camelup import bots
from games.camelup.game import GAME
from games.camelup.odds import leg_odds
from games.camelup.position import HIDDEN
from games.camelup.race_odds import race_odds
from games.camelup.rules import CamelUpState
from games.core import BadOption, FastChance, Information
from games.lab.simulate import Simulation, report, simulate
from tests.games.camelup import lay, play_all_cards, random_position, roll
from tests.games.table import moves
from tests.tiers import full

BLUE, ORANGE, YELLOW, WHITE = 0, 2, 3, 4  # camels by their number
SPREAD = {1: "blue", 3: "green", 5: "orange", 7: "yellow", 9: "white"}


def chosen(bot: str, state: CamelUpState, seed: str = "1") -> str:
    asked, seat = GAME.bot(bot), state.to_act()[0]
    return asked.choose(Information.of(GAME, state, seat, FastChance(seed), asked.needs))


def test_the_random_bot_draws_a_kind_of_move_first() -> None:
    state = lay(SPREAD)
    drawn = Counter(chosen("random", state, str(seed)).split()[0] for seed in range(800))
    assert set(drawn) == {"roll", "tile", "bet", "race"}
    assert min(drawn.values()) > 140, "a quarter each, though there is one roll and there are 22 tiles"


def test_a_leg_bet_is_worth_its_exact_odds() -> None:
    state = lay({5: "white", 6: "yellow"})
    state.position.left = (WHITE,)  # only white is to roll: it ends ahead of yellow by 2 or 3, and on top of it by 1
    odds = leg_odds(state.position)
    assert bots.leg_bet(state.position, odds, WHITE, 0) == 5
    assert bots.leg_bet(state.position, odds, YELLOW, 0) == 1
    assert bots.leg_bet(state.position, odds, ORANGE, 2) == -1
    state.position.left = (YELLOW,)  # yellow rides away
    odds = leg_odds(state.position)
    assert [bots.leg_bet(state.position, odds, camel, 1) for camel in (YELLOW, WHITE, BLUE)] == [3, 1, -1]


def test_a_tile_is_worth_its_hits_and_its_effect_on_own_bets() -> None:
    state = lay({5: "white", 6: "yellow"})
    state.position.left = (WHITE,)
    coins = bots.expected(state.position, 0)
    assert coins["tile + on 8"] == pytest.approx(1 / 3)
    assert coins["tile - on 7"] == pytest.approx(1 / 3)
    moves(state, "bet white")
    state.position.mover = 0
    # Held: 5 for sure. A mirage on 7 sends white under yellow in one case of three: 1 instead of 5 there, and a hit.
    assert bots.expected(state.position, 0)["tile - on 7"] == pytest.approx((1 + 1 - 5) / 3)
    assert bots.expected(state.position, 1)["tile - on 7"] == pytest.approx(1 / 3)


def test_a_race_card_counts_the_cards_before_it_known_ones_and_likely_ones() -> None:
    state = lay({16: "blue", 1: "green orange yellow white"}, seats=4)
    win = race_odds(state.position).wins[BLUE]
    assert win > 0.9
    alone = bots.race_bet(state.position, BLUE, to_win=True)
    assert alone == pytest.approx(win * 8 - (1 - win))
    state.position.winner_bets = ((BLUE, 1),)  # by seat 1
    assert bots.race_bet(state.position, BLUE, to_win=True) == pytest.approx(win * 5 - (1 - win))
    state.position.winner_bets = ((HIDDEN, 1),)
    hidden = bots.race_bet(state.position, BLUE, to_win=True)
    assert hidden == pytest.approx(win * (win * 5 + (1 - win) * 8) - (1 - win))


def test_the_house_bot_takes_a_sure_thing_and_rolls_when_nothing_is_better() -> None:
    state = lay({5: "white", 6: "yellow"})
    state.position.left = (WHITE,)
    play_all_cards(state)
    assert chosen("house", state) == "bet white"
    moves(state, "bet white", "bet white", "bet white")
    assert chosen("house", state) == "roll"


def test_the_strong_bot_does_not_leave_a_fresh_leg_to_others_without_need() -> None:
    state = lay({5: "white", 6: "yellow"})
    state.position.left = (WHITE,)
    play_all_cards(state)
    assert chosen("strong", state) == "bet white"
    moves(state, "bet white", "bet white", "bet white")
    # A coin for yellow, which will be second, or a coin for the last die, and five for the first to bet on a new leg.
    assert chosen("strong", state) == "bet yellow"


def test_a_card_is_kept_only_while_it_can_still_be_played() -> None:
    ending = lay({16: "blue green orange yellow white"})
    assert bots.kept_card(ending.position, WHITE, to_win=True, turn=1.3) == 0
    fresh = lay(SPREAD)
    assert bots.kept_card(fresh.position, WHITE, to_win=True, turn=1.3) > 0
    assert bots.kept_card(fresh.position, WHITE, to_win=True, turn=1.3) < 8


@pytest.mark.parametrize("bot", ["house", "strong", "master-120"])
def test_no_bot_chooses_by_cards_that_it_cannot_see(bot: str) -> None:
    for seed in range(8):
        race = random_position(FastChance(str(seed)))
        state = CamelUpState(race, FastChance("any"), odds=True)
        seat = race.mover
        other = state.determinize(seat, FastChance("other"))
        assert chosen(bot, state) == chosen(bot, other)


@full
@pytest.mark.parametrize("bot", ["house", "strong"])
@pytest.mark.parametrize("rules", ["official", "series"])
def test_the_bots_beat_random_players_by_far(bot: str, rules: str) -> None:
    simulation = Simulation.checked(GAME, [bot, "random", "random", "random"], {"rules": rules}, "1")
    made = report(simulation, simulate(simulation, 8))
    assert made["seats"][0]["wins"] >= 7
    assert not made["failures"]


def test_bots_leave_the_race_as_it_was() -> None:
    state = lay(SPREAD)
    roll(state, "blue", 2)
    before = repr(state.position)
    for bot in ("random", "house", "strong", "master-120"):
        chosen(bot, state)
    assert repr(state.position) == before


@full
@pytest.mark.parametrize("rules", ["official", "series"])
def test_the_master_beats_random_players_with_few_rollouts(rules: str) -> None:
    simulation = Simulation.checked(
        GAME, ["master-60", "random", "random", "random"], {"rules": rules, "spaces": "9"}, "1"
    )
    made = report(simulation, simulate(simulation, 4))
    assert made["seats"][0]["wins"] >= 3
    assert not made["failures"]


def test_the_master_decides_equally_for_equal_chance_and_stops_when_asked() -> None:
    state = lay(SPREAD)
    master = GAME.bot("master-400")
    looked = 0

    def enough() -> bool:
        nonlocal looked
        looked += 1
        return True

    info = Information.of(GAME, state, 0, FastChance("1"), master.needs)
    assert master.choose(info.with_chance(FastChance("2"))) == master.choose(info.with_chance(FastChance("2")))
    assert GAME.bot("master-1000000").choose(info.with_chance(FastChance("2"), enough)) in info.legal_moves
    assert looked == 1


@full
@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"camels": "6", "die_high": "1"}, 3),
        ({"camels": "2"}, 2),
        ({"spaces": "60", "die_low": "2", "die_high": "4"}, 3),
        ({"rules": "series", "leg_first": "9,1", "leg_second": "0,0", "tile_pay": "3"}, 8),
        ({"rules": "series"}, 1),
    ],
    ids=str,
)
def test_the_master_plays_with_any_constants(options: dict[str, str], seats: int) -> None:
    state = GAME.start(seats, GAME.check_options(options), FastChance("1"))
    for seed in range(12):
        seat = state.to_act()[0]
        move = chosen("master-60", state, str(seed))
        assert move in state.legal_moves(seat)
        state.play(seat, move)


@pytest.mark.parametrize("number", ["", "0", "x", "1000001", "3-4"])
def test_the_master_is_named_with_a_sensible_number(number: str) -> None:
    with pytest.raises(BadOption, match="master takes a number from 1 to"):
        GAME.bot(f"master-{number}")


def test_the_random_bot_of_the_series_and_the_odds_go_by_their_own_names_too() -> None:
    assert GAME.bot("RandomBot").name == "random"
    assert GAME.bot("odds").name == "house"
