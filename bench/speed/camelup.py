"""The engine of Camel Up and its bots."""

from __future__ import annotations

import argparse
import copy
import importlib
import inspect
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.harness.running import ROOT
from bench.speed.rates import Figures

SECONDS = 4.0  # of CPU for each figure
SEATS = 4


def camelup(arguments: argparse.Namespace) -> Figures:
    """Return how fast Camel Up and its bots are.

    ``turns``: turns a CPU-second of four random bots with both checks. Each bot sees a copy made for it and asks the
    rules engine for its moves; the rules engine is asked again before the move is made, and the result is audited.
    ``unchecked``: the same with the engine's derived fields as the only check, and without the audit. ``simulate``: the
    same players as on the command line, from sealed streams; ``unaudited``: the same with ``--no-audit``.
    ``series_api``: the same with the API of the series, in one process. ``series_rollouts``: whole games a CPU-second
    by a bot of the series that copies the game and rolls it out, as greedy third-party bots do for each of their moves.
    ``rollouts``: the same by a bot of ours. ``odds`` and ``race_odds``: milliseconds for a fresh leg, on tracks of
    random races.

    ``--compiled`` builds the wheel in which mypyc has compiled the engine (``make wheel``) and measures that.
    """
    if arguments.compiled:
        return _of_the_wheel()
    from games.camelup import engine  # that of a wheel, if PYTHONPATH names one's contents

    return {
        "compiled": not str(engine.__file__).endswith(".py"),
        "turns": {rules: _turns(rules, checked=True) for rules in ("official", "series")},
        "unchecked": {rules: _turns(rules, checked=False) for rules in ("official", "series")},
        "simulate": _simulate(audit=True),
        "unaudited": _simulate(audit=False),
        "series_api": _series_api(),
        "series_rollouts": _series_rollouts(),
        "rollouts": _rollouts(),
        "odds": _milliseconds("leg"),
        "race_odds": _milliseconds("race"),
    }


def _of_the_wheel() -> Figures:
    subprocess.run(["make", "wheel"], check=True, cwd=ROOT, stdout=sys.stderr)
    wheel = max((ROOT / "var" / "wheels").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        # The wheel's games come first, the benchmarks from here.
        environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
        command = [sys.executable, "-m", "bench.speed", "camelup"]
        done = subprocess.run(command, check=True, env=environment, cwd=folder, stdout=subprocess.PIPE)
    figures: Figures = json.loads(done.stdout)
    return figures


def _a_second(play: Callable[[int], int]) -> int:
    """Play games, numbered, for some seconds of CPU. Return how many turns a second that is."""
    for warm_up in range(20):
        play(warm_up)
    began = time.process_time()
    turns = games = 0
    while (used := time.process_time() - began) < SECONDS:
        turns += play(games)
        games += 1
    return round(turns / used)


def _turns(rules: str, *, checked: bool) -> int:
    from games.camelup import engine
    from games.camelup.bots import random_move
    from games.camelup.game import GAME
    from games.camelup.options import terms_of
    from games.core import FastChance

    terms = terms_of(tuple(GAME.check_options({"rules": rules}).items()))
    dice, choices = FastChance("dice"), FastChance("choices")
    players = [partial(random_move, chance=choices)] * SEATS

    def play(_: int) -> int:
        return engine.play_game(engine.start(terms, SEATS, dice), players, dice, checked=checked)

    return _a_second(play)


def _simulate(*, audit: bool) -> int:
    from games.camelup.game import GAME
    from games.lab import simulate

    simulation = simulate.Simulation.checked(GAME, ["random"] * SEATS, {}, "bench", audit=audit)
    return _a_second(lambda game: len(simulate.play_match(simulation, game).choices))


def _series_api() -> int:
    api = _flat("camelup")
    bots = _flat("bots")
    random.seed(1)
    return _a_second(lambda _: len(api.play_game([bots.RandomBot] * SEATS)[0]) - 1)


def _series_rollouts() -> int:
    """Roll out the first moves of a game, one after the other, by the API of the series alone."""
    api = _flat("camelup")
    random.seed(1)
    start = api.GameState()
    seen = start.get_player_copy(0)
    constants = {
        name: getattr(seen, name.upper()) for name in inspect.signature(api.GameState).parameters if name != "verbose"
    }

    def act(g: Any, player: int, action: tuple[Any, ...]) -> None:
        if action[0] == 0:
            api.move_camel(g, player)
        elif action[0] == 1:
            api.move_trap(g, action[1], action[2], player)
        elif action[0] == 2:
            api.place_round_winner_bet(g, action[1], player)
        else:
            api.place_game_bet(g, action[2], action[1], player)

    def roll_out(number: int) -> int:
        valid = api.get_valid_moves(seen, 0)
        g = api.GameState(**constants)
        for part in PARTS:
            setattr(g, part, copy.deepcopy(getattr(seen, part)))
        act(g, 0, valid[number % len(valid)])
        player = 1
        while g.active_game:
            act(g, player, random.choice(api.get_valid_moves(g, player)))
            player = (player + 1) % SEATS
        return 1

    return _a_second(roll_out)


PARTS = (
    "camel_track", "trap_track", "round_bets", "game_winner_bets", "game_loser_bets", "player_money_values",
    "camel_yet_to_move",
)  # fmt: skip


def _rollouts() -> int:
    """Roll out the first moves of a race, one after the other."""
    from games.camelup.game import GAME
    from games.core import FastChance

    chance = FastChance("rollouts")
    state = GAME.new(SEATS, {"rules": "series"}, chance)
    legal = state.legal_moves(0)

    def roll_out(number: int) -> int:
        sample = state.determinize(0, chance)
        sample.apply(0, legal[number % len(legal)])
        sample.rollout(chance)
        return 1

    return _a_second(roll_out)


def _flat(module: str) -> Any:
    """Return a module of the bot API of the series."""
    from games.camelup import plugins

    if str(plugins.API) not in sys.path:
        sys.path.insert(0, str(plugins.API))
    return importlib.import_module(module)


def _milliseconds(what: str) -> dict[str, float]:
    """Return the mean, the median and the worst of some fresh legs, each counted once."""
    from games.camelup import odds, race_odds

    count: Any = odds.leg_odds if what == "leg" else race_odds.race_odds
    times = []
    for race in _fresh_legs(100):
        began = time.process_time()
        count(race)
        times.append((time.process_time() - began) * 1000)
    times = sorted(times[1:])
    return {
        "mean": round(sum(times) / len(times), 2),
        "median": round(times[len(times) // 2], 2),
        "worst": round(times[-1], 2),
    }


def _fresh_legs(count: int) -> list[Any]:
    from games.camelup import engine
    from games.camelup.bots import random_move
    from games.camelup.game import GAME
    from games.camelup.rules_engine import get_valid_moves
    from games.core import FastChance

    legs: list[Any] = []
    chance = FastChance("legs")
    while len(legs) < count:
        state = GAME.start(SEATS, GAME.check_options({}), chance)
        race = state.position
        leg = 1
        while not race.over:
            engine.act(race, random_move(race, race.mover, chance), chance)
            if race.leg > leg and not race.over:
                leg = race.leg
                fresh = race.copy()
                for seat in range(SEATS - chance.randbelow(SEATS)):  # and some tiles
                    tiles = [move for move in get_valid_moves(fresh, seat) if move.startswith("tile")]
                    _, side, _, space = chance.choice(tiles).split()
                    engine.put_tile(fresh, seat, 1 if side == "+" else -1, int(space) - 1)
                legs.append(fresh)
    return legs[:count]
