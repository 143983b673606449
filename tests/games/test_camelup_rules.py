"""Camel Up, first edition: every rule and ruling by name."""

from __future__ import annotations

import json

import pytest

from games.camelup.game import GAME
from games.camelup.rules_engine import PATIENCE, get_valid_moves
from games.core import BadOption, FastChance, Match, Record, SealedChance
from games.core.options import OptionValue
from games.lab.records import replay, transcript
from tests.games.camelup import Loaded, coins, faces, finish_leg, lay, roll, start_after, track, view, zone
from tests.games.table import log, moves, refusal

SPREAD = {1: "blue", 3: "green", 5: "orange", 7: "yellow", 9: "white"}


# -- setup


def test_at_the_start_each_camel_stands_on_what_it_rolled_and_later_ones_on_top() -> None:
    # which of the camels left, and its die: orange 2, blue 2, white 1, green 3, yellow 1
    race = start_after(Loaded((2, 2), (0, 2), (2, 1), (0, 3), (0, 1)))
    assert race.stacks() == {0: [4, 3], 1: [2, 0], 2: [1]}


def test_everybody_starts_with_three_coins_five_race_cards_and_a_desert_tile() -> None:
    state = GAME.new(3, {}, FastChance("1"))
    assert coins(state) == [3, 3, 3]
    assert len(faces(state, 1, "cards:1")) == 5
    assert faces(state, None, "desert:2") == ["oasis", "mirage"]


def test_who_begins_is_drawn_by_lot() -> None:
    openers = {GAME.new(4, {}, FastChance(str(seed))).to_act() for seed in range(60)}
    assert openers == {(0,), (1,), (2,), (3,)}


# -- moving


def test_a_camel_carries_what_is_above_it_and_leaves_what_is_below() -> None:
    state = lay({2: "blue green orange", 9: "yellow white"})
    roll(state, "green", 2)
    assert track(state) == {2: "blue", 4: "green orange", 9: "yellow white"}


def test_a_unit_that_arrives_on_others_goes_on_top() -> None:
    state = lay({2: "blue green", 4: "orange yellow", 9: "white"})
    roll(state, "blue", 2)
    assert track(state) == {4: "orange yellow blue green", 9: "white"}


def test_an_oasis_sends_a_unit_one_on_and_on_top() -> None:
    state = lay({2: "blue green", 5: "orange", 9: "yellow white"})
    moves(state, "tile + on 4")
    roll(state, "blue", 2)
    assert track(state) == {5: "orange blue green", 9: "yellow white"}


def test_a_mirage_sends_a_unit_one_back_and_under() -> None:
    state = lay({2: "blue green", 4: "orange", 9: "yellow white"})
    moves(state, "tile - on 5")
    roll(state, "blue", 3)
    assert track(state) == {4: "blue green orange", 9: "yellow white"}


def test_a_mirage_just_ahead_sends_a_unit_back_under_the_camels_it_left() -> None:
    state = lay({4: "orange blue green", 9: "yellow white"})
    moves(state, "tile - on 5")
    roll(state, "blue", 1)
    assert track(state) == {4: "blue green orange", 9: "yellow white"}


def test_passing_a_tile_does_nothing() -> None:
    state = lay({2: "blue", 9: "green orange yellow white"})
    moves(state, "tile + on 3")
    roll(state, "blue", 3)
    assert track(state) == {5: "blue", 9: "green orange yellow white"}
    assert coins(state) == [3, 3, 3, 3]


def test_a_tile_pays_its_owner_at_once_and_once_for_the_whole_unit() -> None:
    state = lay({2: "blue green orange", 9: "yellow white"})
    moves(state, "tile - on 4")
    roll(state, "blue", 2)
    assert coins(state) == [4, 3, 3, 3]


def test_a_tile_pays_its_owner_when_the_owner_rolled_too() -> None:
    state = lay({2: "blue", 9: "green orange yellow white"})
    moves(state, "tile + on 4", "bet blue", "bet blue", "bet blue")
    roll(state, "blue", 2)
    assert coins(state) == [4, 3, 3, 3]


# -- desert tiles


def tile_spaces(state_moves: list[str]) -> list[int]:
    return [int(move.split()[-1]) for move in state_moves if move.startswith("tile +")]


def test_a_tile_needs_a_space_without_camels_and_never_the_first() -> None:
    state = lay(SPREAD)
    assert tile_spaces(state.legal_moves(0)) == [2, 4, 6, 8, 10, 11, 12, 13, 14, 15, 16]
    state = lay({16: "blue green orange yellow white"})
    assert tile_spaces(state.legal_moves(0)) == list(range(2, 16))
    assert "open for your desert tile: 2, 3," in refusal(state, "tile + on 1")


def test_a_tile_may_not_lie_on_or_next_to_anothers() -> None:
    state = lay(SPREAD)
    moves(state, "tile + on 12")
    assert tile_spaces(state.legal_moves(1)) == [2, 4, 6, 8, 10, 14, 15, 16]


def test_ones_own_tile_may_move_next_to_where_it_lies_but_not_be_turned_over_there() -> None:
    state = lay(SPREAD)
    moves(state, "tile + on 12", "bet blue", "bet blue", "bet blue")
    assert {11, 13} <= set(tile_spaces(state.legal_moves(0)))
    assert "tile + on 12" not in state.legal_moves(0)
    assert "tile - on 12" not in state.legal_moves(0)
    moves(state, "tile - on 13")
    assert state.position.tiles == (-12, 0, 0, 0)


def test_both_sides_of_a_tile_may_be_placed_on_the_same_spaces() -> None:
    legal = lay(SPREAD).legal_moves(0)
    assert tile_spaces(legal) == [int(move.split()[-1]) for move in legal if move.startswith("tile -")]


def test_after_a_hundred_turns_without_a_roll_tiles_stay_until_somebody_rolls() -> None:
    state = lay({16: "blue green orange yellow white"}, seats=2)
    spots = ["tile + on 2", "tile + on 5", "tile + on 3", "tile + on 6"]
    for turn in range(PATIENCE):
        moves(state, spots[turn % 4])
    assert not tile_spaces(state.legal_moves(0))
    assert "until somebody rolls" in refusal(state, "tile + on 9")
    moves(state, "bet blue")
    assert not tile_spaces(state.legal_moves(1))


def test_a_race_of_players_who_never_want_to_roll_ends() -> None:
    state = lay(SPREAD, seats=2)
    turns = 0
    while not state.over:
        legal = state.legal_moves(state.to_act()[0])
        moves(state, legal[-1] if len(legal) == 1 else next(move for move in reversed(legal) if move != "roll"))
        turns += 1
    assert turns < 5000


# -- leg bets


def test_leg_tiles_of_a_camel_go_five_three_two_and_are_then_gone() -> None:
    state = lay(SPREAD)
    assert [piece.get("badge") for piece in zone(state, None, "leg:blue")["pieces"]] == ["2", "3", "5"]
    moves(state, "bet blue", "bet blue", "bet blue")
    assert "bet blue" not in state.legal_moves(3)
    assert "taken" in refusal(state, "bet blue")
    assert [piece.get("badge") for piece in zone(state, None, "bets:1")["pieces"]] == ["3"]


def test_a_player_may_take_several_leg_tiles_of_one_colour() -> None:
    state = lay(SPREAD, seats=2)
    moves(state, "bet blue", "roll", "bet blue")
    assert [piece.get("badge") for piece in zone(state, 1, "bets:0")["pieces"]] == ["5", "3"]


def test_a_leg_pays_its_first_second_and_other_tiles_and_each_pyramid_tile() -> None:
    state = lay({1: "blue", 2: "green", 3: "orange", 4: "yellow", 5: "white"})
    moves(state, "bet white", "bet yellow", "bet white", "bet blue")
    moves(state, "bet white", "bet yellow", "bet yellow", "tile + on 16")
    finish_leg(state, {"white": 3, "yellow": 3, "orange": 1, "green": 1, "blue": 1})
    # White leads on 8, yellow is second on 7. Seats 0 to 3 rolled 2, 1, 1, 1 dice.
    assert coins(state) == [3 + 5 + 2 + 2, 3 + 1 + 1 + 1, 3 + 3 + 1 + 1, 3 - 1 + 1]


def test_in_one_stack_the_higher_camel_is_ahead() -> None:
    state = lay({1: "blue green orange", 5: "yellow white"}, seats=2)
    moves(state, "bet white", "bet yellow")
    finish_leg(state, {"blue": 1, "green": 1, "orange": 1, "yellow": 1, "white": 1})
    assert track(state) == {2: "blue", 3: "green", 4: "orange", 6: "yellow", 7: "white"}
    state = lay({5: "yellow white"}, seats=2)
    assert state.position.ranking()[:2] == (4, 3)


def test_after_a_leg_tiles_dice_and_desert_tiles_go_back_and_play_goes_on_round_the_table() -> None:
    state = lay(SPREAD)
    moves(state, "bet blue", "tile + on 16")
    finish_leg(state, {"blue": 1, "green": 1, "orange": 1, "yellow": 1, "white": 1})
    race = state.position
    assert (race.tiles, race.leg_bets, race.left, race.pyramids) == ((0, 0, 0, 0), (), (0, 1, 2, 3, 4), (0, 0, 0, 0))
    assert race.mover == race.opener == 3
    assert race.leg == 2
    assert "bet blue" in state.legal_moves(3)


def test_a_pyramid_tile_pays_only_when_the_leg_ends() -> None:
    state = lay(SPREAD)
    roll(state, "blue", 1)
    assert coins(state) == [3, 3, 3, 3]
    assert [counter["value"] for counter in view(state, None)["seats"][0]["counters"]] == [3, 1]


def test_what_cannot_be_paid_is_forgiven() -> None:
    state = lay({9: "white"}, seats=2, money="0")
    moves(state, "bet blue", "bet green", "bet blue", "bet green")
    finish_leg(state, {"white": 1, "yellow": 3, "orange": 2, "green": 1, "blue": 1})
    assert coins(state) == [1, 0], "3 pyramid tiles less 2, and 2 less 2"
    state = lay({9: "white"}, seats=2, money="0")
    moves(state, "bet blue", "bet blue", "bet green", "bet green", "bet orange", "bet blue")
    finish_leg(state, {"white": 1, "yellow": 3, "orange": 2, "green": 1, "blue": 1})
    assert coins(state) == [0, 0]


def test_gains_and_losses_of_one_scoring_are_added_up_before_anything_is_forgiven() -> None:
    state = lay({9: "white"}, seats=2, money="0")
    moves(state, "bet blue", "bet green", "bet white")
    finish_leg(state, {"white": 1, "yellow": 1, "orange": 2, "green": 1, "blue": 1})
    assert coins(state) == [0 - 1 + 5 + 2, 0 - 1 + 3]


# -- race bets


def test_each_race_card_can_be_played_once_on_one_of_the_piles() -> None:
    state = lay(SPREAD, seats=2)
    moves(state, "race blue win", "roll")
    legal = state.legal_moves(0)
    assert "race blue win" not in legal
    assert "race blue lose" not in legal
    assert "race green lose" in legal
    assert "played your card" in refusal(state, "race blue lose")


def test_a_race_card_is_seen_by_its_player_alone() -> None:
    state = lay(SPREAD, seats=3)
    moves(state, "race blue win", "race white lose")
    assert faces(state, 0, "race:win") == ["race-blue"]
    assert faces(state, 1, "race:win") == faces(state, None, "race:win") == ["?"]
    assert zone(state, 1, "race:win")["pieces"][0].get("back") == "race-0", "whose it is, everybody saw"
    assert faces(state, 1, "race:lose") == ["race-white"]
    assert len(zone(state, 2, "cards:0")["pieces"]) == 4
    logs = [log(state.clone(), audience) for audience in (0, 2)]
    assert logs == [[], []]
    state = lay(SPREAD, seats=3)
    moves(state, "race blue win")
    twin = state.log
    assert log(state, 0) == ["Anna puts a race card on the winner's pile.", "Your card says: blue wins."]
    state.log = twin
    assert log(state, 2) == ["Anna puts a race card on the winner's pile."]


def test_a_replay_while_the_race_runs_shows_a_race_card_to_its_player_alone() -> None:
    seed = bytes(32)
    match = Match.start(GAME, 2, {}, SealedChance(seed))
    mover = match.state.to_act()[0]
    running: Record = {
        "game": "camelup",
        "rules": GAME.rules_version,
        "seats": 2,
        "options": {},
        "seed": seed.hex(),
        "moves": [(mover, "race white lose")],
    }
    names = ["Anna", "Ben"]
    card = "Your card says: white comes last."
    logs = {seat: "\n".join(transcript(replay(running), names, seat)) for seat in (mover, 1 - mover, None)}
    assert card in logs[mover]
    assert "says" not in logs[1 - mover] + logs[None]
    again = replay(running)
    assert f"card:{mover}:white" in json.dumps(again.view(mover))
    assert f"card:{mover}:" not in json.dumps([again.view(1 - mover), again.view(None)])


def test_a_copy_for_a_player_does_not_contain_race_cards_of_others() -> None:
    state = lay(SPREAD, seats=3)
    moves(state, "race blue win", "race green win", "race white lose")
    seen = state.observe(1).position
    assert seen.winner_bets == ((-1, 0), (1, 1))
    assert seen.loser_bets == ((-1, 2),)
    assert len([move for move in get_valid_moves(seen, 0) if move.startswith("race")]) == 10
    assert len([move for move in get_valid_moves(seen, 1) if move.startswith("race")]) == 8


def test_correct_cards_pay_eight_five_three_two_one_in_the_order_placed_and_wrong_ones_cost_one() -> None:
    state = lay({15: "blue", 2: "green"}, seats=8)
    moves(state, *["race blue win", "race green win", *["race blue win"] * 6])
    roll(state, "blue", 2)
    assert state.over
    assert coins(state) == [3 + 8 + 1, 3 - 1, 3 + 5, 3 + 3, 3 + 2, 3 + 1, 3 + 1, 3 + 1]


def test_the_loser_is_the_bottom_camel_of_the_last_space() -> None:
    state = lay({15: "blue", 1: "green orange", 4: "yellow white"}, seats=2)
    moves(state, "race orange lose", "race green lose")
    roll(state, "blue", 3)
    assert coins(state) == [3 - 1 + 1, 3 + 8]


def test_each_pile_is_a_scoring_of_its_own() -> None:
    state = lay({15: "blue", 1: "green"}, seats=2, money="0")
    moves(state, "race orange win", "race green win", "race green lose")
    roll(state, "blue", 2)
    # Seat 0: nothing to lose on the winner's pile, then 8 of the loser's. Seat 1: a pyramid tile, then a wrong card.
    assert coins(state) == [8, 0]


def test_the_race_ends_at_once_and_the_unfinished_leg_is_scored() -> None:
    state = lay({16: "blue green", 3: "white"}, seats=2)
    moves(state, "bet green", "bet blue", "bet white")
    roll(state, "blue", 1)
    assert state.over
    assert state.to_act() == ()
    assert coins(state) == [3 + 5 - 1, 3 + 1 + 1]


def test_a_die_that_ends_leg_and_race_scores_the_leg_once() -> None:
    state = lay({16: "white", 2: "yellow", 1: "blue green orange"}, seats=2)
    finish_leg(state, {"blue": 1, "green": 1, "orange": 1})
    moves(state, "bet white", "bet white")
    finish_leg(state, {"yellow": 1, "white": 1})
    assert state.over
    assert coins(state) == [3 + 3 + 3, 3 + 2 + 5]


def test_a_mirage_behind_the_line_can_hold_a_camel_back() -> None:
    state = lay({14: "blue", 2: "green"}, seats=2)
    moves(state, "tile - on 16")
    roll(state, "blue", 2)
    assert not state.over
    assert track(state)[15] == "blue"


def test_an_oasis_on_the_last_space_carries_a_camel_over_the_line() -> None:
    state = lay({14: "blue", 2: "green"}, seats=2)
    moves(state, "tile + on 16")
    roll(state, "blue", 2)
    assert state.over


def test_most_coins_win_and_a_tie_is_shared() -> None:
    state = lay({16: "blue", 2: "green"}, seats=3)
    moves(state, "bet blue", "bet blue", "race blue win", "race yellow lose", "race orange win")
    roll(state, "blue", 1)
    result = view(state, None)["result"]
    assert result["scores"] == [3 + 5 - 1, 3 + 3 - 1, 3 + 8 + 1]
    assert result["winners"] == [2]
    state = lay({16: "blue", 2: "green"}, seats=3)
    moves(state, "race blue win", "bet green", "bet green")
    roll(state, "blue", 1)
    assert view(state, None)["result"]["winners"] == [0]
    state = lay({16: "blue", 2: "green"}, seats=2, roll_pay="0")
    roll(state, "blue", 1)
    assert view(state, None)["result"]["winners"] == [0, 1]


def test_after_the_race_all_cards_are_open() -> None:
    state = lay({16: "blue", 2: "green"}, seats=2)
    moves(state, "race green lose", "race green win")
    roll(state, "blue", 1)
    assert faces(state, None, "race:lose") == ["race-green"]
    assert faces(state, 0, "cards:1") == ["race-blue", "race-orange", "race-yellow", "race-white"]


# -- moves and options


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("bet", "bet blue"),
        ("bet red", "blue, green, orange, yellow, white"),
        ("race blue", "race blue win"),
        ("tile + 7", "tile + on 7"),
        ("tile + on 17", "space up to 16"),
        ("tile + on 3", "Spaces open"),
        ("pass", "no move 'pass'"),
        ("", "no move"),
    ],
)
def test_a_refusal_says_what_to_do(move: str, why: str) -> None:
    assert why in refusal(lay(SPREAD), move)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"die_low": "3", "die_high": "2"}, "die_low must not be above"),
        ({"die_high": "9", "spaces": "8"}, "past the finish"),
        ({"leg_first": "5,3"}, "the same number of entries"),
        ({"leg_first": "5,x,2"}, "whole numbers like 5,3,2"),
        ({"leg_first": "5,,2"}, "whole numbers"),
        ({"leg_first": "1,2,3,4,5,6,7"}, "up to 6"),
        ({"race": "1000"}, "from -99 to 99"),
        ({"race": f"8,5{' ' * 80},3,x"}, "whole numbers"),
        ({"race": f"8,5{' ' * 80},3,2,1,1,1,1,1"}, "up to 8"),
        ({"camels": "9"}, "from 2 to 8"),
        ({"rules": "second"}, "official, series"),
    ],
)
def test_options_without_a_possible_race_are_refused(options: dict[str, str], why: str) -> None:
    with pytest.raises(BadOption, match=why):
        GAME.new(4, options, FastChance("1"))


@pytest.mark.parametrize("camels", [2, 3, 8])
def test_every_constant_can_be_varied(camels: int) -> None:
    options: dict[str, OptionValue] = {
        "camels": camels,
        "spaces": 11,
        "die_low": 2,
        "die_high": 6,
        "leg_first": "9,-4",
        "leg_second": "2,2",
        "leg_other": 0,
        "race": "20",
        "race_wrong": -3,
        "money": 10,
        "roll_pay": 2,
        "tile_pay": 3,
    }
    match = Match.start(GAME, 3, options, SealedChance(bytes(32)))
    assert coins(match.state) == [10, 10, 10]
    chance = FastChance("1")
    while not match.over:
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    spaces = match.view(None)["tracks"][0]["spaces"]
    assert sum(piece["id"].startswith("camel") for space in spaces for piece in space["pieces"]) == camels
    assert len(spaces) == 12
    assert min(match.scores()) >= 0


def test_odds_are_in_the_view_unless_the_table_forbids_them() -> None:
    seen = view(GAME.new(4, {}, FastChance("1")), None)
    rows = {row["piece"]: row["cells"] for row in seen["odds"]["rows"]}
    assert set(rows) == {f"camel:{colour}" for colour in ("blue", "green", "orange", "yellow", "white")}
    assert "odds" not in view(GAME.new(4, {"odds": "forbidden"}, FastChance("1")), None)
