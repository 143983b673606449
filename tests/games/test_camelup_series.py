"""The rules and the bot API of the series: against a second implementation, and name by name."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.camelup.rules import CAMEL_UP
from games.core import FastChance
from games.lab.guests import ROOT
from tests.games.camelup import coins, lay, roll
from tests.games.camelup_naive import Naive, random_bot, random_game
from tests.games.table import moves

API = CAMEL_UP.guest_path[0]


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module ``camelup``, as a bot imports it."""
    flat = ("camelup", "bots", "playerinterface", "actionids")
    monkeypatch.syspath_prepend(str(API))
    import camelup

    yield camelup
    for name in flat:
        sys.modules.pop(name, None)


def test_the_flat_names_are_importable_from_their_folder_alone() -> None:
    asked = "import camelup, actionids, playerinterface, bots; print(actionids.GAME_BET_ACTION_ID)"
    environment = {"PYTHONPATH": f"{API}:{ROOT}"}
    assert subprocess.check_output([sys.executable, "-c", asked], env=environment, text=True) == "3\n"
    asked = (
        "from camelup import *; print(random.random, copy.deepcopy, get_valid_moves, MOVE_CAMEL_ACTION_ID, GameState)"
    )
    subprocess.run([sys.executable, "-c", asked], env=environment, check=True, stdout=subprocess.DEVNULL)
    assert not any((Path(entry) / "camelup.py").exists() for entry in sys.path if entry)


# -- same seed, same games


@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 2), (3, 3), (4, 1), (5, 8), (6, 4)])
def test_a_seed_gives_the_series_of_games_that_it_gives_in_the_series(api: Any, seed: int, players: int) -> None:
    from bots import RandomBot

    random.seed(seed)
    expected = [random_game(players) for _ in range(25)]
    after = random.random()
    random.seed(seed)
    found = [api.play_game([RandomBot] * players)[0] for _ in range(25)]
    assert found == expected
    assert [[list(row) for row in log] for log in found] == [[list(row) for row in log] for log in expected]
    assert random.random() == after, "not a draw more or less"


COLOURS = ("blue", "green", "orange", "yellow", "white")


def as_tuple(move: str) -> tuple[Any, ...]:
    words = move.split()
    if words[0] == "roll":
        return (0,)
    if words[0] == "tile":
        return (1, 1 if words[1] == "+" else -1, int(words[3]) - 1)
    camel = f"c_{COLOURS.index(words[1])}"
    return (2, camel) if words[0] == "bet" else (3, words[2], camel)


def test_the_rules_of_the_house_are_those_of_the_series_move_by_move() -> None:
    """Series' rules at our tables, and the naive game, told the same dice."""
    for seed in range(20):
        random.seed(seed)
        naive = Naive(3)
        state = CAMEL_UP.start(3, CAMEL_UP.check_options({"rules": "series"}), FastChance("any"))
        state.position.stand({square: stack for square, stack in enumerate(naive.track) if stack})
        while not naive.over:
            player = state.to_act()[0]
            legal = state.legal_moves(player)
            as_tuples = [as_tuple(move) for move in legal]
            assert as_tuples == naive.moves(player)
            chosen = random_bot(as_tuples)
            did = naive.make(player, chosen)
            if chosen == (0,):
                camel = int(did["camel"][2:])
                roll(state, COLOURS[camel], naive.pips)
            else:
                state.play(player, legal[as_tuples.index(chosen)])
            assert list(state.position.money) == naive.money
            assert state.position.ranking() == tuple(naive.ranking())
        assert state.over


# -- where the series differs from the first edition


def test_in_series_everybody_starts_with_two_coins_and_seat_0_begins() -> None:
    for seed in range(10):
        state = CAMEL_UP.new(4, {"rules": "series"}, FastChance(str(seed)))
        assert coins(state) == [2, 2, 2, 2]
        assert state.to_act() == (0,)


def test_in_series_a_roll_pays_at_once() -> None:
    state = lay({9: "white"}, rules="series")
    roll(state, "blue", 1)
    assert coins(state) == [3, 2, 2, 2]


def test_in_series_coins_may_fall_below_nothing() -> None:
    state = lay({9: "white"}, seats=2, rules="series", money="0")
    moves(state, "bet blue", "bet green", "bet blue", "bet green", "bet blue", "bet green")
    for colour, pips in {"white": 1, "yellow": 3, "orange": 2, "green": 1, "blue": 1}.items():
        roll(state, colour, pips)
    assert coins(state) == [3 - 3, 2 - 3]


def test_in_series_desert_tiles_stay_when_a_leg_ends() -> None:
    state = lay({9: "white"}, seats=2, rules="series")
    moves(state, "tile - on 16")
    for colour in COLOURS:
        roll(state, colour, 1)
    assert state.position.leg == 2
    assert state.position.tiles == (-15, 0)
    moves(state, "bet blue")
    assert "tile + on 15" not in state.legal_moves(1)
    assert "tile + on 14" in state.legal_moves(1)


def test_in_series_a_fourth_correct_race_card_earns_one() -> None:
    state = lay({16: "blue"}, seats=5, rules="series")
    moves(state, *["race blue win"] * 5)
    roll(state, "blue", 1)
    assert coins(state) == [2 + 8 + 1, 2 + 5, 2 + 3, 2 + 1, 2 + 1]


# -- the API, name by name


def test_a_game_state_starts_with_all_camels_on_the_first_three_squares(api: Any) -> None:
    g = api.GameState()
    assert sorted(camel for stack in g.camel_track[:3] for camel in stack) == ["c_0", "c_1", "c_2", "c_3", "c_4"]
    assert len(g.camel_track) == len(g.trap_track) == 32
    assert (g.player_money_values, g.camel_yet_to_move, g.active_game, g.game_winner) == ([2] * 4, [True] * 5, True, [])


def test_constants_cannot_be_changed_and_payouts_must_be_equally_long(api: Any) -> None:
    g = api.GameState()
    with pytest.raises(TypeError, match="Game constants cannot be changed"):
        g.NUM_CAMELS = 4
    with pytest.raises(ValueError, match="equally long"):
        api.GameState(first_place_round_payout=(5, 3))


def test_a_player_copy_is_independent_and_hides_the_game_bets_of_others(api: Any) -> None:
    g = api.GameState(num_players=2)
    api.place_game_bet(g, "c_1", "win", 0)
    api.place_game_bet(g, "c_2", "win", 1)
    api.place_game_bet(g, "c_3", "lose", 0)
    seen = g.get_player_copy(1)
    assert seen.game_winner_bets == [[None, None], ["c_2", 1]]
    assert seen.game_loser_bets == [[None, None]]
    seen.player_money_values[0] = 99
    where = {camel: square for square, stack in enumerate(g.camel_track) for camel in stack}
    seen.camel_track[where["c_0"]].remove("c_0")
    seen.camel_track[12].append("c_0")
    seen.game_winner_bets[1][0] = "c_4"
    assert g.player_money_values == [2, 2]
    assert "c_0" in g.camel_track[where["c_0"]]
    assert g.game_winner_bets == [["c_1", 0], ["c_2", 1]]
    assert g.get_player_bets(0) == ["c_1", "c_3"]
    assert len([move for move in api.get_valid_moves(seen, 0) if move[0] == 3]) == 10


def rollout_copy(api: Any, g: Any) -> Any:
    """A copy as third-party bots make it: the constructor, then seven assignments."""
    twin = api.GameState(
        num_camels=g.NUM_CAMELS,
        num_players=g.NUM_PLAYERS,
        board_size=g.BOARD_SIZE,
        move_range=g.MOVE_RANGE,
        first_place_round_payout=g.FIRST_PLACE_ROUND_PAYOUT,
        second_place_round_payout=g.SECOND_PLACE_ROUND_PAYOUT,
        third_or_worse_place_round_payout=g.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT,
        game_end_payout=g.GAME_END_PAYOUT,
        bad_game_end_bet=g.BAD_GAME_END_BET,
    )
    for name in ("camel_track", "trap_track", "round_bets", "game_winner_bets", "game_loser_bets"):
        setattr(twin, name, copy.deepcopy(getattr(g, name)))
    twin.player_money_values = copy.deepcopy(g.player_money_values)
    twin.camel_yet_to_move = copy.deepcopy(g.camel_yet_to_move)
    return twin


def test_rollouts_of_a_copy_run_to_the_end_though_it_hides_bets(api: Any) -> None:
    random.seed(3)
    g = api.GameState()
    for player, camel in enumerate(g.CAMELS[:4]):
        api.place_game_bet(g, camel, "win" if player % 2 else "lose", player)
    for make in (rollout_copy, lambda _, seen: copy.deepcopy(seen), lambda _, seen: pickle.loads(pickle.dumps(seen))):
        twin = make(api, g.get_player_copy(2))
        player = 2
        while twin.active_game:
            kind, *rest = random.choice(api.get_valid_moves(g=twin, player=player))
            if kind == 0:
                whole_round = sum(twin.camel_yet_to_move) == 1
                api.move_camel(twin, player)
                assert all(twin.camel_yet_to_move) or not (whole_round or not twin.active_game)
            elif kind == 1:
                assert api.move_trap(twin, rest[0], rest[1], player) is True
            elif kind == 2:
                assert api.place_round_winner_bet(twin, rest[0], player) is True
            else:
                assert api.place_game_bet(twin, rest[1], rest[0], player) is None
            player = (player + 1) % 4
        assert twin.game_winner == [p for p in range(4) if twin.player_money_values[p] == max(twin.player_money_values)]
    assert g.active_game


def test_moving_a_camel_uses_the_modules_dice_and_returns_the_net_distance(
    api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = api.GameState()
    g.camel_track = [[] for _ in range(32)]
    g.camel_track[2], g.camel_track[4] = ["c_3", "c_0"], ["c_1", "c_2", "c_4"]
    api.move_trap(g, -1, 5, 1)
    monkeypatch.setattr("random.choice", lambda camels: camels[0])
    monkeypatch.setattr(api, "roll_dice", lambda move_range: move_range[1])
    assert api.move_camel(g, 0) == ("c_0", 2)
    assert g.camel_track[4] == ["c_0", "c_1", "c_2", "c_4"]
    assert g.player_money_values == [3, 3, 2, 2]
    assert g.camel_yet_to_move == [False, True, True, True, True]
    assert [api.find_camel_in_nth_place(g, n) for n in range(1, 6)] == ["c_4", "c_2", "c_1", "c_0", "c_3"]
    for place in (0, 6):
        with pytest.raises(ValueError, match="from 1 to 5"):
            api.find_camel_in_nth_place(g, place)


def test_move_trap_is_wider_than_the_valid_moves_and_says_no_to_the_rest(api: Any) -> None:
    g = api.GameState()
    g.camel_track = [[] for _ in range(32)]
    g.camel_track[3] = ["c_0", "c_1", "c_2", "c_3", "c_4"]
    assert api.move_trap(g, 1, 16, 0)
    assert api.move_trap(g, -1, 16, 0), "turning it over"
    assert g.trap_track[16] == [-1, 0]
    assert api.move_trap(g, 1, 9, 0)
    assert g.trap_track[16] == []
    assert g.has_player_placed_trap(0)
    assert not g.has_player_placed_trap(1)
    for trap_type, square, player in (
        (1, 9, 0),
        (1, 3, 0),
        (1, 9, 1),
        (1, 8, 1),
        (1, 10, 1),
        (2, 6, 1),
        (1, 0, 1),
        (1, 17, 1),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            api.move_trap(g, trap_type, square, player)
    assert (1, 1, 9) not in api.get_valid_moves(g, 0)
    assert (1, -1, 9) not in api.get_valid_moves(g, 0)
    assert (1, 1, 10) in api.get_valid_moves(g, 0)


def test_bets_that_are_not_open_raise_value_errors(api: Any) -> None:
    g = api.GameState()
    for player in range(3):
        api.place_round_winner_bet(g, "c_1", player)
    with pytest.raises(ValueError, match="c_1"):
        api.place_round_winner_bet(g, "c_1", 3)
    api.place_game_bet(g, "c_1", "win", 0)
    for camel, kind in (("c_1", "lose"), ("c_2", "draw"), ("c_9", "win")):
        with pytest.raises(ValueError, match=r"\S"):
            api.place_game_bet(g, camel, kind, 0)


def test_ends_score_what_is_known(api: Any) -> None:
    g = api.GameState(num_players=3, num_camels=6)
    g.camel_track = [[] for _ in range(32)]
    g.camel_track[5], g.camel_track[7] = ["c_2", "c_1", "c_5"], ["c_0", "c_4", "c_3"]
    g.round_bets = [["c_3", 0], ["c_4", 1], ["c_3", 2], ["c_0", 1]]
    api.end_of_round(g)
    assert g.player_money_values == [7, 2, 5]
    assert g.round_bets == []
    assert g.camel_yet_to_move == [True] * 6
    g.game_winner_bets = [["c_3", 0], [None, None], ["c_3", 1], ["c_1", 2]]
    g.game_loser_bets = [[None, None], ["c_2", 2]]
    assert api.end_of_game(g) is True
    assert g.player_money_values == [15, 7, 12]
    assert (g.active_game, g.game_winner) == (False, [0])
    assert [g.get_game_bets_payout(index) for index in range(5)] == [8, 5, 3, 1, 1]


def test_no_camel_left_to_move_is_an_error(api: Any) -> None:
    g = api.GameState()
    g.camel_yet_to_move = [False] * 5
    with pytest.raises(RuntimeError, match="No camel is left"):
        api.get_valid_moves(g, 0)


def test_a_game_is_aborted_by_a_move_that_is_not_valid_and_refused_to_what_is_no_player(api: Any) -> None:
    from playerinterface import PlayerInterface

    class Lister(PlayerInterface):
        @staticmethod
        def move(active_player: int, game_state: Any) -> Any:
            return [0]

    with pytest.raises(api.IllegalMoveException, match="Lister"):
        api.play_game([Lister])
    with pytest.raises(NotImplementedError):
        api.play_game([PlayerInterface])
    for players in ([object], [Lister()]):
        with pytest.raises(ValueError, match="extend PlayerInterface"):
            api.play_game(players)


def test_bots_that_never_roll_come_to_an_end_all_the_same(api: Any) -> None:
    from playerinterface import PlayerInterface

    class Idler(PlayerInterface):
        @staticmethod
        def move(active_player: int, game_state: Any) -> Any:
            return api.get_valid_moves(game_state, active_player)[-1]

    class Shuffler(PlayerInterface):
        @staticmethod
        def move(active_player: int, game_state: Any) -> Any:
            valid = api.get_valid_moves(game_state, active_player)
            return next((move for move in valid if move[0] == 1), valid[-1])

    log, g = api.play_game([Shuffler, Idler])
    assert not g.active_game
    assert len(log) < 5000


def test_only_a_verbose_game_is_displayed(api: Any, capsys: pytest.CaptureFixture[str]) -> None:
    quiet, loud = api.GameState(), api.GameState(verbose=True)
    api.display_game_state(quiet)
    assert capsys.readouterr().out == ""
    api.display_game_state(loud)
    assert "c_0" in capsys.readouterr().out
    api.move_camel(loud, 0)
    assert "moves" in capsys.readouterr().out


def test_the_summary_is_plain_data_in_the_order_of_the_logs(api: Any) -> None:
    g = api.GameState(num_players=2)
    api.move_trap(g, 1, 9, 1)
    api.move_trap(g, -1, 5, 0)
    keys = list(json.loads(json.dumps(api.summarize_game_state(g))))
    assert keys[10:] == [
        "player_0_trap_location",
        "player_0_trap_type",
        "player_1_trap_location",
        "player_1_trap_type",
        "player_0_coins",
        "player_1_coins",
    ]
