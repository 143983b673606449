"""The bot API of the series, row by row: what bots that were written for it rely on.

Source: the contract in the design page of Camel Up, which lists every name, and who uses it.
"""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.camelup import plugins
from games.lab import logs
from games.lab.plugins import ROOT
from tests.games.camelup import series_api
from tests.tiers import full

API = plugins.API


@pytest.fixture
def api() -> Iterator[Any]:
    """The module ``camelup``, as a bot imports it."""
    with series_api() as module:
        yield module


# -- modules


def test_the_modules_of_the_api_are_importable_from_their_folder_alone() -> None:
    asked = "import camelup, actionids, playerinterface, bots; print(actionids.GAME_BET_ACTION_ID)"
    environment = {"PYTHONPATH": f"{API}:{ROOT}"}
    assert subprocess.check_output([sys.executable, "-c", asked], env=environment, text=True) == "3\n"
    asked = (
        "from camelup import *; print(random.random, copy.deepcopy, get_valid_moves, MOVE_CAMEL_ACTION_ID, GameState)"
    )
    subprocess.run([sys.executable, "-c", asked], env=environment, check=True, stdout=subprocess.DEVNULL)
    assert not any((Path(entry) / "camelup.py").exists() for entry in sys.path if entry)


def test_action_ids_are_four_numbers_and_nothing_else(api: Any) -> None:
    brought: dict[str, Any] = {}
    exec("from actionids import *", brought)
    brought.pop("__builtins__")
    assert brought == {
        "MOVE_CAMEL_ACTION_ID": 0,
        "MOVE_TRAP_ACTION_ID": 1,
        "ROUND_BET_ACTION_ID": 2,
        "GAME_BET_ACTION_ID": 3,
    }


def test_a_player_is_a_class_with_a_static_method_that_must_be_defined(api: Any) -> None:
    from playerinterface import PlayerInterface

    assert isinstance(inspect.getattr_static(PlayerInterface, "move"), staticmethod)
    assert list(inspect.signature(PlayerInterface.move).parameters) == ["active_player", "game_state"]
    with pytest.raises(NotImplementedError):
        PlayerInterface.move(0, api.GameState())


def test_the_random_bot_draws_twice_first_over_the_tuple_of_the_kinds(
    api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bots import RandomBot
    from playerinterface import PlayerInterface

    assert issubclass(RandomBot, PlayerInterface)
    asked: list[Any] = []

    def last(items: Any) -> Any:
        asked.append(items)
        return items[-1]

    g = api.GameState()
    monkeypatch.setattr("random.choice", last)
    assert RandomBot.move(0, g) == (3, "lose", "c_4")
    assert asked[0] == (0, 1, 2, 3)
    assert asked[1] == [move for move in api.get_valid_moves(g, 0) if move[0] == 3]


# -- names and signatures

GAME_STATE = {
    "num_camels": 5,
    "num_players": 4,
    "board_size": 16,
    "move_range": (1, 3),
    "first_place_round_payout": (5, 3, 2),
    "second_place_round_payout": (1, 1, 1),
    "third_or_worse_place_round_payout": -1,
    "game_end_payout": (8, 5, 3),
    "bad_game_end_bet": -1,
    "verbose": False,
}
NEEDED = inspect.Parameter.empty
SIGNATURES: dict[str, dict[str, Any]] = {
    "GameState": GAME_STATE,
    "get_valid_moves": {"g": NEEDED, "player": NEEDED},
    "move_camel": {"g": NEEDED, "player": NEEDED},
    "move_trap": {"g": NEEDED, "trap_type": NEEDED, "trap_place": NEEDED, "player": NEEDED},
    "place_round_winner_bet": {"g": NEEDED, "camel": NEEDED, "player": NEEDED},
    "place_game_bet": {"g": NEEDED, "camel": NEEDED, "bet_type": NEEDED, "player": NEEDED},
    "find_camel_in_nth_place": {"g": NEEDED, "n": NEEDED},
    "end_of_round": {"g": NEEDED},
    "end_of_game": {"g": NEEDED},
    "summarize_game_state": {"g": NEEDED},
    "display_game_state": {"g": NEEDED},
    "display_track_state": {"g": NEEDED, "track": NEEDED},
    "print_update": {"msg": NEEDED, "display_updates": True},
    "roll_dice": {"move_range": NEEDED},
    "play_game": {"players": NEEDED},
    "GameState.get_player_bets": {"self": NEEDED, "player": NEEDED},
    "GameState.has_player_placed_trap": {"self": NEEDED, "player": NEEDED},
    "GameState.get_game_bets_payout": {"self": NEEDED, "index": NEEDED},
    "GameState.get_player_copy": {"self": NEEDED, "player": NEEDED},
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_name_takes_what_it_takes_in_the_series_by_position_and_by_keyword(api: Any, name: str) -> None:
    result: Any = api
    for part in name.split("."):
        result = getattr(result, part)
    parameters = inspect.signature(result).parameters.values()
    assert {parameter.name: parameter.default for parameter in parameters} == SIGNATURES[name]
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}


def test_attributes_that_tests_of_bots_patch_belong_to_the_module(api: Any) -> None:
    assert api.random is random
    assert api.copy is copy
    assert issubclass(api.IllegalMoveException, Exception)


# -- GameState: constants and state

CONSTANTS = {
    "NUM_CAMELS": 5,
    "CAMELS": ["c_0", "c_1", "c_2", "c_3", "c_4"],
    "NUM_PLAYERS": 4,
    "BOARD_SIZE": 16,
    "MOVE_RANGE": (1, 3),
    "FIRST_PLACE_ROUND_PAYOUT": (5, 3, 2),
    "SECOND_PLACE_ROUND_PAYOUT": (1, 1, 1),
    "THIRD_OR_WORSE_PLACE_ROUND_PAYOUT": -1,
    "GAME_END_PAYOUT": (8, 5, 3),
    "BAD_GAME_END_BET": -1,
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_constant_is_as_in_the_series_and_cannot_be_changed(api: Any, name: str) -> None:
    g = api.GameState()
    assert getattr(g, name) == CONSTANTS[name]
    assert type(getattr(g, name)) is type(CONSTANTS[name])
    with pytest.raises(TypeError, match=r"^Game constants cannot be changed$"):
        setattr(g, name, CONSTANTS[name])


def test_a_keyword_argument_becomes_a_constant(api: Any) -> None:
    given = {
        "num_camels": 9,
        "num_players": 1,
        "board_size": 10,
        "move_range": (2, 4),
        "first_place_round_payout": (9, 8),
        "second_place_round_payout": (3, 2),
        "third_or_worse_place_round_payout": -2,
        "game_end_payout": (7, 6),
        "bad_game_end_bet": -3,
        "verbose": True,
    }
    g = api.GameState(**given)
    assert [getattr(g, name) for name in CONSTANTS if name != "CAMELS"] == list(given.values())[:-1]
    assert g.verbose is True
    assert [f"c_{number}" for number in range(9)] == g.CAMELS


def test_payouts_of_a_round_must_be_equally_long(api: Any) -> None:
    with pytest.raises(ValueError, match="equally long"):
        api.GameState(first_place_round_payout=(5, 3))


@pytest.mark.parametrize("camels", [1, 2, 8, 9, 12])
def test_a_game_with_any_number_of_camels_can_be_played_to_its_end(api: Any, camels: int) -> None:
    random.seed(camels)
    g = api.GameState(num_camels=camels, num_players=2)
    player = 0
    while g.active_game:
        action = random.choice(api.get_valid_moves(g, player))
        make(api, g, player, action)
        player = 1 - player
    assert g.game_winner
    assert len(json.loads(json.dumps(api.summarize_game_state(g)))) >= 2 * camels + 2


def make(api: Any, g: Any, player: int, action: tuple[Any, ...]) -> Any:
    """Make a move, with positional arguments as bots give them."""
    if action[0] == 0:
        return api.move_camel(g, player)
    if action[0] == 1:
        return api.move_trap(g, action[1], action[2], player)
    if action[0] == 2:
        return api.place_round_winner_bet(g, action[1], player)
    return api.place_game_bet(g, action[2], action[1], player)


def test_a_game_state_starts_with_all_camels_on_the_first_three_squares(api: Any) -> None:
    g = api.GameState()
    assert sorted(camel for stack in g.camel_track[:3] for camel in stack) == ["c_0", "c_1", "c_2", "c_3", "c_4"]
    assert len(g.camel_track) == len(g.trap_track) == 32
    assert (g.player_money_values, g.camel_yet_to_move, g.active_game, g.game_winner) == ([2] * 4, [True] * 5, True, [])


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


def test_move_trap_allows_more_than_the_valid_moves_and_refuses_the_rest(api: Any) -> None:
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


def test_the_end_scores_known_bets_only(api: Any) -> None:
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


def test_an_invalid_move_aborts_a_game_and_an_invalid_player_is_refused(api: Any) -> None:
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


def test_a_copy_of_a_subclass_is_one_with_all_that_it_holds(api: Any) -> None:
    class Mine(api.GameState):  # type: ignore[misc]
        pass

    g = Mine(num_players=2)
    g.notes = [{"best": [1, 2]}]
    for twin in (copy.deepcopy(g), g.get_player_copy(1)):
        assert type(twin) is Mine
        assert twin.notes == g.notes
        twin.notes[0]["best"].append(3)
        twin.camel_track[0].append("c_9")
        assert g.notes == [{"best": [1, 2]}]
        assert "c_9" not in g.camel_track[0]


@pytest.mark.parametrize("name", ["camel_track", "round_bets", "player_money_values", "camel_yet_to_move"])
def test_a_copy_shares_no_list_with_the_original(api: Any, name: str) -> None:
    g = api.GameState()
    g.round_bets = [["c_0", 1], ("c_1", 2)]
    twin = copy.deepcopy(g)
    for mine, other in zip(vars(g).values(), vars(twin).values(), strict=True):
        assert mine == other
        if isinstance(mine, list):
            assert mine is not other
            assert not any(a is b for a, b in zip(mine, other, strict=True) if isinstance(a, list))
    getattr(twin, name).clear()
    assert getattr(g, name)


def test_the_seven_parts_may_be_assigned_in_any_order_and_not_all_of_them(api: Any) -> None:
    g = api.GameState()
    api.move_trap(g, 1, 9, 1)
    api.place_round_winner_bet(g, "c_2", 0)
    lists = ["camel_track", "trap_track", "round_bets", "game_winner_bets", "game_loser_bets"]
    parts = [*lists, "player_money_values", "camel_yet_to_move"]
    for seed in range(20):
        order = random.Random(seed).sample(parts, random.Random(seed).randint(0, 7))
        twin = api.GameState()
        for name in order:
            setattr(twin, name, copy.deepcopy(getattr(g, name)))
            assert len(api.get_valid_moves(twin, 0)) > 20
        if len(order) == 7:
            assert api.get_valid_moves(twin, 0) == api.get_valid_moves(g, 0)


def test_valid_moves_are_a_list_of_ones_own_that_may_be_shuffled(api: Any) -> None:
    g = api.GameState()
    valid = api.get_valid_moves(g=g, player=0)
    kinds = [move[:2] if move[0] in (1, 3) else move[:1] for move in valid]
    assert list(dict.fromkeys(kinds)) == [(0,), (1, 1), (1, -1), (2,), (3, "win"), (3, "lose")], "in this order"
    assert all(type(move) is tuple for move in valid)
    assert [move[2] for move in valid if move[:2] == (1, 1)] == sorted(s for s in range(1, 16) if not g.camel_track[s])
    again = list(valid)
    np.random.shuffle(valid)
    valid.pop()
    assert api.get_valid_moves(g, 0) == again


def test_either_track_of_a_verbose_game_is_printed(api: Any, capsys: pytest.CaptureFixture[str]) -> None:
    g = api.GameState(num_camels=2, num_players=2, board_size=8)
    g.camel_track = [[] for _ in g.camel_track]
    g.camel_track[3] = ["c_1", "c_0"]
    api.move_trap(g, -1, 5, 1)
    api.display_track_state(g, g.camel_track)
    assert capsys.readouterr().out == "", "only when it is verbose"
    g.verbose = True
    api.display_track_state(g, g.camel_track)
    assert capsys.readouterr().out == "  3: c_1 c_0\n"
    api.display_track_state(g=g, track=g.trap_track)
    assert capsys.readouterr().out == "  5: -1 1\n"
    api.display_game_state(g)
    assert capsys.readouterr().out.startswith("  3: c_1 c_0\n  5: -1 1\nCoins: [2, 2]\n")


def test_updates_are_printed_on_request(api: Any, capsys: pytest.CaptureFixture[str]) -> None:
    api.print_update("nothing", False)
    assert capsys.readouterr().out == ""
    api.print_update("printed")
    assert capsys.readouterr().out == "printed\n"


def test_a_round_ends_inside_the_roll_that_ends_it(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    g = api.GameState()
    g.camel_track = [[] for _ in range(32)]
    g.camel_track[2] = list(g.CAMELS)
    api.place_round_winner_bet(g, "c_4", 2)
    monkeypatch.setattr(api, "roll_dice", lambda move_range: 1)
    monkeypatch.setattr("random.choice", lambda camels: camels[0])  # each time all that are still above ride on
    for rolled in range(5):
        assert all(g.camel_yet_to_move) == (rolled == 0)
        api.move_camel(g, 0)
    assert g.camel_yet_to_move == [True] * 5
    assert g.round_bets == []
    assert g.player_money_values == [2 + 5, 2, 2 + 5, 2]


def test_play_game_returns_a_row_a_turn_and_the_end(api: Any) -> None:
    from bots import RandomBot

    random.seed(5)
    action_log, g = api.play_game([RandomBot, RandomBot])
    assert [row["round_id"] for row in action_log] == list(range(len(action_log)))
    assert [row["active_player"] for row in action_log[1:5]] == [0, 1, 0, 1]
    assert {row["action_type"] for row in action_log[1:]} <= {"move_camel", "move_trap", "round_winner_bet", "game_bet"}
    assert (g.NUM_PLAYERS, g.active_game) == (2, False)
    assert g.game_winner == [p for p in (0, 1) if g.player_money_values[p] == max(g.player_money_values)]
    assert action_log[-1]["player_1_coins"] == g.player_money_values[1]


# -- the two scripts


def script(name: str, *arguments: str, folder: Path, code: int = 0) -> str:
    """Run one of the scripts of the series in a folder, and return what it prints."""
    command = [sys.executable, str(API / name), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == code
    return done.stdout


@full
def test_games_are_run_and_logged_and_merged_as_in_the_series(tmp_path: Path) -> None:
    output = script("rungame.py", "102", "RandomBot", "RandomBot", folder=tmp_path).splitlines()
    assert output[0].startswith("Simulating 102 games  with 2 players: [")
    assert output[1:] == ["Simulating game 0 out of 102", "Simulating game 100 out of 102"]
    result = sorted(path.name for path in (tmp_path / "game_logs").iterdir())
    assert result == sorted(f"game_{game}.csv" for game in range(102))
    first = (tmp_path / "game_logs/game_0.csv").read_text().splitlines()
    assert first[0].startswith(",round_id,camel_c_0_location,camel_c_0_stack_location,camel_c_1_location")
    assert first[1].startswith("0,0,")
    script("merge_game_logs.py", "game_logs", folder=tmp_path)
    merged = (tmp_path / "game_logs/GameLogs.csv").read_text().splitlines()
    assert merged[0].startswith("game_id,round_id,action_type,active_player,")
    assert merged[-1].startswith("101,")


def test_logs_of_any_folder_are_merged_into_the_current_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    logs.write(tmp_path / "elsewhere" / "game_0.csv", [{"round_id": 0, "player_0_coins": 2}])
    script("merge_game_logs.py", "elsewhere", folder=tmp_path)
    assert (tmp_path / "game_logs/GameLogs.csv").read_text() == "game_id,round_id,player_0_coins\n0,0,2\n"


def test_a_bot_in_the_current_folder_is_run(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(
        "from playerinterface import PlayerInterface\n"
        "class Roller(PlayerInterface):\n"
        "    @staticmethod\n"
        "    def move(active_player, game_state):\n"
        "        return (0,)\n"
    )
    for ours in ("camelup", "actionids", "playerinterface"):
        (tmp_path / f"{ours}.py").write_text("raise ImportError('another engine')")
    script("rungame.py", "1", "Roller", folder=tmp_path)
    assert "move_trap" not in (tmp_path / "game_logs/game_0.csv").read_text()


@pytest.mark.parametrize(
    ("name", "arguments", "code", "output"),
    [
        ("rungame.py", [], 0, "Usage: python rungame.py NUM_GAMES BOT..."),
        ("rungame.py", ["7"], 0, "Usage: python rungame.py NUM_GAMES BOT..."),
        ("rungame.py", ["many", "RandomBot"], 2, "NUM_GAMES must be an integer"),
        ("rungame.py", ["1", "Nobody"], 2, "There is no bot Nobody"),
        ("rungame.py", ["1", "PlayerInterface"], 2, "There is no bot PlayerInterface"),
        ("merge_game_logs.py", [], 0, "Usage: python merge_game_logs.py DIRECTORY"),
        ("merge_game_logs.py", ["nowhere"], 2, "No such file or directory"),
    ],
)
def test_the_reason_why_a_bot_cannot_be_run_is_printed(
    tmp_path: Path, name: str, arguments: list[str], code: int, output: str
) -> None:
    assert output in script(name, *arguments, folder=tmp_path, code=code)
    assert not list(tmp_path.glob("game_logs/*"))
