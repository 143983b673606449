"""The rules of the series: ours against a second implementation of them, and its bot API against our engine."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.camelup import audit, engine, rules_engine
from games.camelup.game import GAME
from games.camelup.position import Position
from games.camelup.rules import CamelUpState
from games.camelup.terms import COLOURS
from games.core import BadOption, FastChance, Match, SealedChance
from tests.games.camelup import as_tuple, coins, lay, position_of, roll, series_api, terms_by
from tests.games.camelup_naive import Naive, random_bot, random_game
from tests.games.table import moves
from tests.tiers import examples

seeds = st.integers(0, 2**32)


@pytest.fixture
def api() -> Iterator[Any]:
    """The module ``camelup``, as a bot imports it."""
    with series_api() as module:
        yield module


# -- same seed, same games


@pytest.mark.parametrize(("seed", "players"), [(1, 4), (2, 2), (3, 3), (4, 1), (5, 8), (6, 4)])
def test_a_seed_gives_the_same_games_as_in_the_series(api: Any, seed: int, players: int) -> None:
    from bots import RandomBot

    random.seed(seed)
    expected = [random_game(players) for _ in range(25)]
    after = random.random()
    random.seed(seed)
    results = [api.play_game([RandomBot] * players)[0] for _ in range(25)]
    assert results == expected
    assert [[list(row) for row in log] for log in results] == [[list(row) for row in log] for log in expected]
    assert random.random() == after, "not a draw more or less"


def test_our_rules_are_those_of_the_series_move_by_move() -> None:
    """Series' rules at our tables, and the naive game, with the same dice."""
    for seed in range(20):
        random.seed(seed)
        naive = Naive(3)
        position = Position(terms_by(rules="series"), 3)
        position.place_camels({square: stack for square, stack in enumerate(naive.track) if stack})
        state = CamelUpState(position, FastChance("any"), odds=True, parts=audit.check_start(position))
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
        state = GAME.new(4, {"rules": "series"}, FastChance(str(seed)))
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
    for colour in COLOURS[:5]:
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


def test_in_series_one_may_play_alone_and_by_the_first_edition_not() -> None:
    match = Match.start(GAME, 1, {"rules": "series"}, SealedChance(bytes(32)))
    choices = FastChance("1")
    while not match.over:
        match.advance(0, choices.choice(match.legal_moves(0)))
    assert GAME.view(match.state, 0)["result"]["winners"] == ([0] if match.scores()[0] > 0 else [])
    with pytest.raises(BadOption, match="rules=series"):
        GAME.new(1, {}, FastChance("1"))


# -- the API and the engine: two implementations of the same rules


def same(g: Any, position: Position) -> bool:
    """Return whether a game state and a position agree in all that the API shows."""
    result = position_of(g)
    open_bets = (result.leg_bets, result.winner_bets, result.loser_bets)
    return (
        (result.order, result.place, result.left, result.tiles, result.money, result.over, result.still)
        == (
            position.order,
            position.place,
            position.left,
            position.tiles,
            position.money,
            position.over,
            position.still,
        )
        and open_bets == (position.leg_bets, position.winner_bets, position.loser_bets)
        and [g.CAMELS[camel] for camel in position.ranking()] == [camel_at(g, n + 1) for n in range(g.NUM_CAMELS)]
    )


def camel_at(g: Any, place: int) -> str:
    from camelup import find_camel_in_nth_place

    return find_camel_in_nth_place(g, place)


def act_in_both(api: Any, g: Any, position: Position, player: int, action: tuple[Any, ...], seed: int) -> None:
    """Make a move by the API and by the engine, with the same dice."""
    if action[0] == 0:
        random.seed(seed)
        camel = random.choice(position.left)
        pips = random.randint(*g.MOVE_RANGE)
        random.seed(seed)
        moved = api.move_camel(g, player)
        position.mover = player
        before = audit.parts(position)
        assert moved == (g.CAMELS[camel], engine.roll(position, player, camel, pips))
        engine.pass_on(position)
        audit.check_turn(before, "roll", position)
        return
    position.still += 1
    if action[0] == 1:
        assert api.move_trap(g, action[1], action[2], player) is True
        engine.put_tile(position, player, action[1], action[2])
    elif action[0] == 2:
        assert api.place_round_winner_bet(g, action[1], player) is True
        engine.bet_on_leg(position, player, int(action[1][2:]))
    else:
        assert api.place_game_bet(g, action[2], action[1], player) is None
        engine.bet_on_race(position, player, int(action[2][2:]), action[1] == "win")


@examples(40)
@given(
    seed=seeds, camels=st.integers(2, 8), players=st.integers(1, 6), board=st.integers(6, 20), high=st.integers(2, 6)
)
def test_a_game_by_the_api_is_the_game_by_the_engine_move_by_move(
    seed: int, camels: int, players: int, board: int, high: int
) -> None:
    with series_api() as api:
        random.seed(seed)
        g = api.GameState(num_camels=camels, num_players=players, board_size=board, move_range=(1, high))
        position = position_of(g)
        draws = random.Random(seed)
        for turn in range(20_000):
            player = turn % players
            valid = api.get_valid_moves(g, player)
            assert valid == [as_tuple(move) for move in rules_engine.get_valid_moves(position, player)]
            kind = draws.choice(sorted({move[0] for move in valid}))
            act_in_both(api, g, position, player, draws.choice([m for m in valid if m[0] == kind]), seed + turn)
            if not g.active_game:
                break
            assert same(g, position)
        assert position.over
        assert tuple(g.player_money_values) == position.money
        assert g.game_winner == [p for p, c in enumerate(position.money) if c == max(position.money)]


def changed_by_a_bot(api: Any, draws: random.Random, *, wild: bool = False) -> Any:
    """Return a random game state, changed in one of the ways in which bots of the series change it.

    Camels may be past the finish, traps on camels, next to each other and past the finish. ``wild``: as no position of
    the engine can be: several traps of a player, traps of other types and on the first square, dice that show 0.
    """
    camels, players, board = draws.randint(1, 8), draws.randint(1, 6), draws.randint(6, 20)
    bets = draws.randint(1, 4)
    low = draws.randint(0 if wild else 1, 2)
    g = api.GameState(
        num_camels=camels,
        num_players=players,
        board_size=board,
        move_range=(low, draws.randint(max(low, 1), 5)),
        first_place_round_payout=tuple(draws.randint(-3, 9) for _ in range(bets)),
        second_place_round_payout=tuple(draws.randint(-3, 9) for _ in range(bets)),
        third_or_worse_place_round_payout=draws.randint(-3, 3),
        game_end_payout=tuple(draws.randint(-3, 9) for _ in range(draws.randint(0, 5))),
        bad_game_end_bet=draws.randint(-3, 3),
    )
    track: list[list[str]] = [[] for _ in g.camel_track]
    farthest = board + draws.choice((0, 0, -4, len(track) - board - 8))
    for camel in draws.sample(g.CAMELS, camels):
        track[draws.randrange(farthest)].append(camel)
    traps: list[list[int]] = [[] for _ in g.trap_track]
    for player in [player for player in range(players) for _ in range(3 if wild else 1)]:
        free = [square for square in range(0 if wild else 1, board + 4) if not traps[square]]
        if free and draws.random() < 0.6:
            traps[draws.choice(free)] = [draws.choice((1, -1, 2, 0) if wild else (1, -1)), player]
    round_bets = [[camel, draws.randrange(players)] for camel in g.CAMELS for _ in range(draws.randint(0, bets))]
    draws.shuffle(round_bets)
    win: list[list[Any]] = []
    lose: list[list[Any]] = []
    for player in range(players):
        for camel in draws.sample(g.CAMELS, draws.randint(0, camels)):
            draws.choice((win, lose)).append([camel, player] if draws.random() < 0.7 else [None, None])
    waiting = [draws.random() < 0.5 for _ in range(camels)]
    waiting[draws.randrange(camels)] = True
    parts = {
        "camel_track": track,
        "trap_track": traps,
        "round_bets": round_bets,
        "game_winner_bets": win,
        "game_loser_bets": lose,
        "player_money_values": [draws.randint(-5, 30) for _ in range(players)],
        "camel_yet_to_move": waiting,
    }
    for name in draws.sample(sorted(parts), len(parts)):
        if draws.random() < 0.5:
            setattr(g, name, parts[name])
        else:
            getattr(g, name)[:] = parts[name]
    g._still = draws.choice((0, 3, 99, 100, 101))
    return g


@pytest.mark.parametrize("wild", [False, True])
@examples(150)
@given(seed=seeds)
def test_a_roll_on_lists_that_a_bot_has_changed_is_that_of_the_series(wild: bool, seed: int) -> None:
    with series_api() as api:
        g = changed_by_a_bot(api, random.Random(seed), wild=wild)
        g._still = 0  # the series knows no such limit
        naive = Naive.of(g)
        for player in range(g.NUM_PLAYERS):
            assert api.get_valid_moves(g, player) == naive.moves(player)
        random.seed(seed)
        camel, distance = naive.roll(0)
        random.seed(seed)
        assert api.move_camel(g, 0) == (f"c_{camel}", distance)
        after = Naive.of(g)
        for part in ("track", "traps", "money", "waiting", "round_bets", "over"):
            assert getattr(after, part) == getattr(naive, part), part


@examples(150)
@example(seed=405)  # one camel, so nobody is second
@given(seed=seeds)
def test_on_lists_that_a_bot_has_changed_the_api_goes_by_the_same_rules_as_the_engine(seed: int) -> None:
    with series_api() as api:
        draws = random.Random(seed)
        g = changed_by_a_bot(api, draws)
        for player in range(g.NUM_PLAYERS):
            valid = api.get_valid_moves(g, player)
            assert valid == [as_tuple(move) for move in rules_engine.get_valid_moves(position_of(g), player)]
            for action in draws.sample(valid, min(5, len(valid))):
                twin, position = copy.deepcopy(g), position_of(g)
                act_in_both(api, twin, position, player, action, seed)
                if position.over:
                    assert tuple(twin.player_money_values) == position.money
                else:
                    visible = [
                        [bet for bet in bets if bet[0]] for bets in (twin.game_winner_bets, twin.game_loser_bets)
                    ]
                    twin.game_winner_bets, twin.game_loser_bets = visible
                    assert same(twin, position)
        before = position_of(g)
        engine.end_leg(before)
        engine.end_race(before)
        api.end_of_round(g)
        assert api.end_of_game(g) is True
        assert tuple(g.player_money_values) == before.money
