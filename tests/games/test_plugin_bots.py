"""Plug-in bots, which the command line reads from a user's file: whatever they do, only their own play suffers.

A bot *of the series* is written for the simulation of the series "Camel Up": see docs/writing-a-bot.md.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import pty
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from games import catalogue
from games.__main__ import main
from games.core import BadOption, FastChance, Information
from games.jobs import family
from games.lab import plugins
from games.lab.plugins import PluginFailed, PluginLimits
from games.lab.simulate import Simulation, play_match, simulate
from tests.patience import wait_for
from tests.tiers import full

LAST_MOVE_BOT = """
from games.core import Bot

class Last(Bot):
    def choose(self, info):
        return info.legal_moves[-1]
"""

SERIES_BOTS = """
from camelup import *
from actionids import *
from playerinterface import PlayerInterface

class First(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        return get_valid_moves(game_state, active_player)[0]

class Chancer(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        return random.choice(get_valid_moves(game_state, active_player))
"""

HARMFUL_BOTS = """
import os, sys, time
from playerinterface import PlayerInterface

class Crash(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        raise KeyError("my own fault")

class Leave(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        os._exit(7)

class Hang(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        while True:
            pass

class Eat(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        eaten = []
        while True:
            eaten.append(bytearray(10_000_000))

class Babble(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        print("x" * 100_000)
        os.write(1, b"roll")
        return (0,)

class Lister(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        return [0]

class Stranger(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        return {"roll": object()}

class Spoiler(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        game_state.player_money_values[:] = [0] * 4
        game_state.player_money_values[active_player] = 1000
        game_state.camel_track[-1].append(game_state.camel_track[:4].pop())
        game_state.active_game = False
        return (0,)

class Forger(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        for descriptor in range(3, 12):
            try:
                os.write(descriptor, b"\\x00\\x00\\x00\\x10" + b'{"move": "roll"}' * 3)
            except OSError:
                pass
        return (0,)
"""


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A function that writes a bot's file and returns its path. Bots' processes end after the test."""

    def write(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    yield write
    plugins.close_all()


def simulation_of(*bots: str, game: str = "camelup", limits: PluginLimits = plugins.USUAL) -> Simulation:
    """Return a simulation with a bot in each seat; Camel Up is played on a short track."""
    options = {"spaces": "8"} if game == "camelup" else {}
    return Simulation.checked(catalogue.find(game), list(bots), options, "1", limits)


# -- bots that work


@pytest.mark.parametrize("game", ["camelup", "hamsterdam"])
def test_a_bot_from_a_file_plays_any_game(file: Callable[[str], Path], game: str) -> None:
    played = play_match(simulation_of(f"{file(LAST_MOVE_BOT)}:Last", "random", game=game), 0)
    assert not played.failures
    assert any(seat == 0 for seat, _ in played.moves)


def test_a_bot_of_the_series_plays_with_bots_of_the_site(file: Callable[[str], Path]) -> None:
    played = play_match(simulation_of(f"{file(SERIES_BOTS)}:First", "RandomBot", "random", "house"), 0)
    assert not played.failures
    assert {move for seat, move in played.moves if seat == 0} == {"roll"}


def test_a_bot_may_be_in_a_folder_of_the_series_with_its_modules(file: Callable[[str], Path]) -> None:
    path = file("from greedy import wanted\n" + SERIES_BOTS.replace("player)[0]", "player)[wanted]"))
    for name in ("camelup", "actionids", "playerinterface"):
        path.with_name(f"{name}.py").write_text("raise ImportError('another engine')")
    path.with_name("greedy.py").write_text("wanted = 0")
    played = play_match(simulation_of(f"{path}:First", "random"), 0)
    assert not played.failures
    as_bots = path.rename(path.with_name("bots.py"))
    assert not play_match(simulation_of(f"{as_bots}:First", "random"), 0).failures


@full
def test_a_bot_may_import_the_bots_in_its_own_folder(file: Callable[[str], Path]) -> None:
    """The other modules of the series are always those of the site; bots.py may be the folder's own."""
    path = file("from bots import First as Base\nclass Mine(Base): pass")
    path.with_name("bots.py").write_text(SERIES_BOTS)
    played = play_match(simulation_of(f"{path}:Mine", "random"), 0)
    assert not played.failures
    assert {move for seat, move in played.moves if seat == 0} == {"roll"}
    path.with_name("bots.py").unlink()
    path.write_text("from bots import RandomBot\nclass Mine(RandomBot): pass")
    plugins.close_all()
    assert not play_match(simulation_of(f"{path}:Mine", "random"), 0).failures


def test_a_module_in_the_folder_of_a_bot_does_not_replace_one_of_the_site(file: Callable[[str], Path]) -> None:
    path = file(SERIES_BOTS)
    for name in ("games", "pickle", "struct"):
        path.with_name(f"{name}.py").write_text("raise ImportError('not meant')")
    assert not play_match(simulation_of(f"{path}:First", "random"), 0).failures
    path.rename(path.with_name("camelup.py"))
    with pytest.raises(BadOption, match=r"cannot be called camelup\.py"):
        simulation_of(f"{path.with_name('camelup.py')}:First", "random")


def test_one_bot_may_play_alone_where_the_rules_say_so(
    file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["simulate", "camelup", "2", f"{file(SERIES_BOTS)}:First"]
    assert main([*command, "--option", "rules=series", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 2
    assert main(command) == 2
    assert "rules=series" in capsys.readouterr().err


@full
def test_the_same_seed_gives_the_same_match_although_the_bot_uses_the_random_module(
    file: Callable[[str], Path],
) -> None:
    bot = f"{file(SERIES_BOTS)}:Chancer"
    first = [play_match(simulation_of(bot, "random"), index).moves for index in range(3)]
    plugins.close_all()
    assert [play_match(simulation_of(bot, "random"), index).moves for index in range(3)] == first
    assert len(set(map(str, first))) == 3


def test_no_two_seats_share_a_process(file: Callable[[str], Path]) -> None:
    bot = f"{file(SERIES_BOTS)}:First"
    simulation = simulation_of(bot, bot)
    first, second = simulation.seat_bots()
    assert first is not second
    assert first is simulation.seat_bots()[0], "but each seat keeps its process from match to match"


SPY_BOT = """
import pickle
from games.core import Bot

class Spy(Bot):
    needs = "determinizations"

    def choose(self, info):
        assert all(camel == -1 or seat == info.seat for camel, seat in info.observation.position.winner_bets)
        race = info._sample.position
        others = {camel for bets in (race.winner_bets, race.loser_bets) for camel, seat in bets if seat != info.seat}
        open(__file__ + ".seen", "a").write("".join(str(camel) for camel in sorted(others)) + "\\n")
        return "roll"
"""

PILER_BOT = """
from games.core import Bot

class Piler(Bot):
    def choose(self, info):
        return next((move for move in info.legal_moves if move == "race white win"), "roll")
"""


def test_a_bot_gets_nothing_that_its_seat_may_not_know(file: Callable[[str], Path]) -> None:
    """A card that is face down is a different one in each determinization."""
    path = file(SPY_BOT + PILER_BOT)
    game = simulation_of(f"{path}:Piler", f"{path}:Spy")
    for index in range(6):
        play_match(game, index)
    seen = Path(f"{path}.seen").read_text().split()
    assert len(set(seen)) >= 4, "not always white"


# -- bots that fail


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        pytest.param("Crash", "KeyError", marks=full),
        ("Leave", "its process died"),
        pytest.param("Eat", "MemoryError", marks=full),
        pytest.param("Lister", "IllegalMoveException", marks=full),
        pytest.param("Stranger", "IllegalMoveException", marks=full),
    ],
)
def test_a_bot_that_fails_is_reported_and_its_turn_becomes_a_roll(
    file: Callable[[str], Path], kind: str, failure: str
) -> None:
    bot = f"{file(HARMFUL_BOTS)}:{kind}"
    played = play_match(simulation_of(bot, "random", limits=PluginLimits(megabytes=500)), 0)
    own = [move for seat, move in played.moves if seat == 0]
    assert set(own) == {"roll"}
    assert played.failures == {f"{bot}: {failure}": len(own)}


@full
def test_the_report_has_the_name_and_the_traceback_of_the_bot(file: Callable[[str], Path]) -> None:
    bot = f"{file(HARMFUL_BOTS)}:Crash"
    (report,) = play_match(simulation_of(bot, "random"), 0).reports.values()
    assert "mine.py" in report
    assert "KeyError: 'my own fault'" in report


@full
def test_a_bot_that_computes_for_ever_is_stopped_and_its_process_ended(file: Callable[[str], Path]) -> None:
    bot = f"{file(HARMFUL_BOTS)}:Hang"
    hanging = simulation_of(bot, "house", limits=PluginLimits(seconds=0.2))
    running = hanging.seat_bots()[0]
    assert isinstance(running, plugins.PluginBot)
    played = play_match(hanging, 0)
    turns = sum(seat == 0 for seat, _ in played.moves)
    assert played.failures == {f"{bot}: too slow": turns}
    assert running not in plugins._running


SLOW_BOTS = """
import os, signal, time
from games.core import Bot

def compute(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass

class Slow(Bot):
    def choose(self, info):
        began = time.monotonic()
        compute(0.4)
        with open(__file__ + ".took", "a") as file:
            print(time.monotonic() - began, file=file)
        return "roll"

class Waiter(Bot):
    def choose(self, info):
        time.sleep(0.5)
        return "roll"

class Sleeper(Bot):
    def choose(self, info):
        time.sleep(1000)

class Disarming(Bot):
    def choose(self, info):
        signal.setitimer(signal.ITIMER_PROF, 0)
        compute(1000)

class Delegating(Bot):
    def choose(self, info):
        if os.fork() == 0:
            os.setsid()
            compute(1000)
        time.sleep(1000)
"""


@pytest.fixture
def busy() -> Iterator[None]:
    """A machine with four times as many busy processes as processors."""
    work = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    # Each in a session of its own, like a bot: Linux may give every session an equal share.
    count = 4 * (os.cpu_count() or 1)
    others = [subprocess.Popen(work, stdout=subprocess.PIPE, start_new_session=True) for _ in range(count)]
    try:
        for other in others:
            assert other.stdout
            other.stdout.readline()
        yield
    finally:
        for other in others:
            other.kill()
            other.communicate()


@full
@pytest.mark.usefixtures("busy")
def test_a_bot_that_others_slow_down_does_not_lose_its_turn(file: Callable[[str], Path]) -> None:
    path = file(SLOW_BOTS)
    slowed = simulation_of(f"{path}:Slow", "random", limits=PluginLimits(seconds=0.6))

    def longest_move() -> float:
        """Have the bot make another move. Returns the longest time in seconds that a move has taken so far."""
        assert first_move(slowed) == "roll"
        return max(float(line) for line in Path(f"{path}.took").read_text().split())

    wait_for(lambda: longest_move() > 0.6)


@full
@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("kind", ["Disarming", "Delegating"])
def test_a_bot_that_computes_for_ever_is_stopped_on_a_busy_machine_too(file: Callable[[str], Path], kind: str) -> None:
    if not family.LINUX and kind == "Delegating":
        pytest.skip("the CPU time of descendants is only known where there is a /proc")
    with pytest.raises(PluginFailed, match=r"used more than 0\.4 CPU seconds"):
        first_move(simulation_of(f"{file(SLOW_BOTS)}:{kind}", "random", limits=PluginLimits(seconds=0.4)))


@full
@pytest.mark.parametrize("game", ["camelup", "cribbage"])
def test_a_bot_that_sleeps_has_more_time_than_one_that_computes(file: Callable[[str], Path], game: str) -> None:
    """Importing the rules or compiling a text does not count either, though it takes longer than the bot's limit."""
    path = file(SLOW_BOTS)
    few = PluginLimits(seconds=0.06)
    assert first_move(simulation_of(f"{path}:Waiter", "random", game=game, limits=few)) == "roll"
    with pytest.raises(PluginFailed, match=r"did not answer in 0\.72 seconds"):
        first_move(simulation_of(f"{path}:Sleeper", "random", game=game, limits=few))


@full
def test_a_slow_decision_is_not_reported_as_a_slow_import(
    file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if a bot has as many seconds to decide as its file has to be imported."""
    monkeypatch.setattr(plugins, "START_SECONDS", 5.0)
    with pytest.raises(PluginFailed, match="It used more than 5 CPU seconds"):
        first_move(simulation_of(f"{file(HARMFUL_BOTS)}:Hang", "random", limits=PluginLimits(seconds=5.0)))


def first_move(simulation: Simulation) -> str:
    """Return the first move of a match, as the bot in seat 0 chooses it. Raises PluginFailed."""
    bot, chance = simulation.seat_bots()[0], FastChance("1")
    state = simulation.game.new(len(simulation.bots), simulation.options, chance)
    seat = state.to_act()[0]
    return bot.choose(Information.of(simulation.game, state, seat, chance, "observation"))


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf])
def test_an_invalid_time_limit_is_refused(seconds: float) -> None:
    with pytest.raises(BadOption, match="CPU seconds of a bot"):
        PluginLimits(seconds=seconds)


@full
@pytest.mark.parametrize("kind", ["Babble", "Spoiler"])
def test_what_a_bot_prints_or_modifies_changes_nothing(file: Callable[[str], Path], kind: str) -> None:
    path = file(HARMFUL_BOTS)
    played = play_match(simulation_of(f"{path}:{kind}", "random"), 0)
    assert not played.failures
    path = file(SERIES_BOTS)
    assert play_match(simulation_of(f"{path}:First", "random"), 0).scores == played.scores


def test_a_bot_that_forges_answers_affects_only_itself(file: Callable[[str], Path]) -> None:
    played = play_match(simulation_of(f"{file(HARMFUL_BOTS)}:Forger", "random", limits=PluginLimits(seconds=1)), 0)
    assert {move for seat, move in played.moves if seat == 0} == {"roll"}


@full
def test_a_failure_ends_the_run_if_asked_to(file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    bot = f"{file(HARMFUL_BOTS)}:Crash"
    with pytest.raises(PluginFailed, match="my own fault"):
        simulate(simulation_of(bot, "random", limits=PluginLimits(abort=True)), 3)
    for workers in ("1", "2"):
        assert main(["simulate", "camelup", "3", bot, "random", "--abort", "--workers", workers]) == 1
        assert "my own fault" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        ("x = 1", "Mine", "no class Mine"),
        ("import no_such_module", "Mine", "no_such_module"),
        ("class Mine: pass", "Mine", "extends games.core.Bot"),
        ("raise SystemExit(4)", "Mine", "SystemExit"),
        ("import os; os._exit(4)", "Mine", "exit code 4"),
        ("import os; os._exit(255)", "Mine", "exit code 255"),
        ("def Mine(): pass", "Mine", "no class Mine"),
        ("(", "Mine", "SyntaxError"),
    ],
)
def test_a_file_without_a_bot_is_refused_before_the_first_match(
    file: Callable[[str], Path], text: str, kind: str, why: str
) -> None:
    with pytest.raises(BadOption, match=why):
        simulation_of(f"{file(text)}:{kind}", "random")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no file"):
        simulation_of(f"{tmp_path}/none.py:Mine", "random")


def test_a_plug_in_bot_sees_little_of_the_machine(file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden")
    text = LAST_MOVE_BOT.replace("return info", "assert 'SECRET_KEY' not in __import__('os').environ; return info")
    assert not play_match(simulation_of(f"{file(text)}:Last", "random"), 0).failures


# -- processes that a bot starts

BOTS_THAT_START_PROCESSES = """
import os, signal, subprocess, sys, time
from games.core import Bot

def note():
    with open(__file__ + ".pids", "a") as file:
        print(os.getpid(), file=file)

def stay():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    note()
    while True:
        time.sleep(1000)

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            os.chdir("/")
            stay()
        os._exit(0)
    os.wait()

class Child(Bot):
    def choose(self, info):
        if os.fork() == 0:
            stay()
        return "roll"

class Daemon(Bot):
    def choose(self, info):
        daemon()
        return "roll"

class Program(Bot):
    def choose(self, info):
        note = f"import os, time; open({__file__ + '.pids'!r}, 'a').write(str(os.getpid()) + chr(10)); time.sleep(1000)"
        subprocess.Popen(["nohup", "setsid", sys.executable, "-c", note], start_new_session=True)
        return "roll"

class Breeder(Bot):
    def choose(self, info):
        if os.fork() == 0:
            os.setsid()
            note()
            while True:
                if os.fork() != 0:
                    os._exit(0)
                time.sleep(0.001)
        return "roll"

class Dying(Bot):
    def choose(self, info):
        daemon()
        while not os.path.exists(__file__ + ".pids"):
            time.sleep(0.01)
        os._exit(3)
"""
linux = pytest.mark.skipif(not family.LINUX, reason="elsewhere descendants cannot be found")


def alive(pids: list[int]) -> list[int]:
    """Return those of some processes that still run."""
    return [pid for pid in pids if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def started_by(path: Path, count: int) -> list[int]:
    """Return the processes that a bot has started, once there are at least ``count``."""
    wait_for(lambda: len(_pids(path)) >= count)
    return _pids(path)


def _pids(path: Path) -> list[int]:
    notes = Path(f"{path}.pids")
    return [int(line) for line in notes.read_text().split("\n")[:-1]] if notes.exists() else []


@linux
@pytest.mark.parametrize("kind", ["Child", "Daemon", "Program"])
def test_nothing_that_a_bot_has_started_outlives_it(file: Callable[[str], Path], kind: str) -> None:
    path = file(BOTS_THAT_START_PROCESSES)
    simulation = simulation_of(f"{path}:{kind}", "random")
    for _ in range(3):
        first_move(simulation)
    started = started_by(path, 3)
    assert alive(started) == started, "they live as long as the bot does"
    bot = simulation.seat_bots()[0]
    assert isinstance(bot, plugins.PluginBot)
    supervisor, own = bot.child.pid, bot.child._meter.pid
    assert supervisor
    bot.close()
    assert not alive([*started, supervisor, own])


@linux
def test_a_process_that_replaces_itself_all_the_time_does_not_outlive_the_bot(file: Callable[[str], Path]) -> None:
    path = file(BOTS_THAT_START_PROCESSES)
    simulation = simulation_of(f"{path}:Breeder", "random")
    first_move(simulation)
    (first,) = started_by(path, 1)
    bot = simulation.seat_bots()[0]
    assert isinstance(bot, plugins.PluginBot)
    supervisor = bot.child.pid
    assert supervisor
    wait_for(lambda: not alive([first]))
    assert len(family.family(supervisor)) >= 3, "supervisor, bot, and the process that runs now"
    bot.close()
    named = [(process.pid, process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
    assert not [pid for pid, words in named if str(path) in words]


@linux
def test_what_a_bot_that_dies_has_started_ends_with_it(file: Callable[[str], Path]) -> None:
    path = file(BOTS_THAT_START_PROCESSES)
    with pytest.raises(PluginFailed, match="exit code 3"):
        first_move(simulation_of(f"{path}:Dying", "random"))
    assert not alive(started_by(path, 1))


@full
@linux
@pytest.mark.parametrize("workers", ["1", "2"])
def test_when_a_run_is_killed_nothing_of_its_bots_lives_on(file: Callable[[str], Path], workers: str) -> None:
    path = file(BOTS_THAT_START_PROCESSES)
    command = ["simulate", "camelup", "1000", f"{path}:Daemon", "random", "--workers", workers]
    with subprocess.Popen(
        [sys.executable, "-m", "games", *command], cwd=plugins.ROOT, stderr=subprocess.DEVNULL
    ) as run:
        started = started_by(path, 3)
        run.kill()
    wait_for(lambda: not alive([*started, *_pids(path)]))


# -- what a bot can read of the run


READER_BOT = """
import os
from games.core import Bot

def text(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 20).decode(errors="replace")
    except OSError:
        return ""

def files(pid):
    try:
        return os.listdir(f"/proc/{pid}/fd")
    except OSError:  # as it is for anybody but root
        return []

def everything():
    found = []
    for pid in [name for name in os.listdir("/proc") if name.isdecimal()]:
        found += [text(f"/proc/{pid}/cmdline"), text(f"/proc/{pid}/environ")]
    pid = os.getpid()
    while pid > 1:
        for name in files(pid):
            if os.path.isfile(f"/proc/{pid}/fd/{name}"):
                found.append(text(f"/proc/{pid}/fd/{name}"))
        pid = int(text(f"/proc/{pid}/stat").rpartition(")")[2].split()[1])
    return "\\n".join(found)

class Reader(Bot):
    def choose(self, info):
        with open(__file__ + ".read", "a") as file:
            file.write(everything())
        return "roll"
"""


@linux
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["simulate", "camelup", "2"], id="simulate", marks=full),
        pytest.param(["simulate", "camelup", "2", "--workers", "2"], id="workers"),
        pytest.param(["record", "camelup"], id="record", marks=full),
    ],
)
def test_no_command_line_environment_or_open_file_shows_a_bot_the_seed(
    file: Callable[[str], Path], arguments: list[str]
) -> None:
    path, seed = file(READER_BOT), secrets.token_hex(8)
    command = [*arguments, f"{path}:Reader", "house", "--seed", seed, "--option", "spaces=8"]
    done = subprocess.run([sys.executable, "-m", "games", *command], cwd=plugins.ROOT, capture_output=True, check=True)
    read = Path(f"{path}.read").read_text()
    assert sys.executable in read, "the bot has read files of other processes"
    assert seed not in read
    assert seed.encode() in done.stdout or arguments[0] == "record"


@linux
def test_other_processes_of_a_user_cannot_read_the_memory_of_a_run_with_plug_in_bots(
    file: Callable[[str], Path],
) -> None:
    play_match(simulation_of(f"{file(LAST_MOVE_BOT)}:Last", "random"), 0)
    get_dumpable = 3  # prctl(2); what is 0 then belongs to root: memory, environment, open files
    assert ctypes.CDLL(None).prctl(get_dumpable, 0, 0, 0, 0) == 0


@full
def test_a_seed_deals_the_same_in_this_process_and_in_a_new_one(
    file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "record",
        "camelup",
        f"{file(SERIES_BOTS)}:Chancer",
        "random",
        "--seed",
        "a b\n'c'",
        "--option",
        "rules=series",
    ]
    assert main(command) == 0
    here = capsys.readouterr().out
    again = subprocess.check_output([sys.executable, "-m", "games", *command], cwd=plugins.ROOT, text=True)
    assert json.loads(again) == json.loads(here)


# -- a person at the terminal


HUMAN_AGENT = """
from camelup import *
from playerinterface import PlayerInterface

class HumanAgent(PlayerInterface):
    @staticmethod
    def move(active_player, game_state):
        valid = get_valid_moves(game_state, active_player)
        for _ in range(3_000_000):
            pass  # a while
        print("Choose from", len(valid))
        return valid[int(input("Which? "))]
"""


@full
def test_a_person_plays_through_the_terminal_and_has_time(file: Callable[[str], Path]) -> None:
    ours, of_the_run = pty.openpty()
    command = ["simulate", "camelup", "1", f"{file(HUMAN_AGENT)}:HumanAgent", "random", "--option", "spaces=8"]
    with subprocess.Popen(
        [sys.executable, "-m", "games", *command, "--terminal", "--seconds", "0.01", "--seed", "1"],
        cwd=plugins.ROOT,
        stdin=of_the_run,
        stdout=of_the_run,
        stderr=of_the_run,
    ) as run:
        os.close(of_the_run)
        shown = asked = ""
        with suppress(OSError):  # at the end, when the run has closed the terminal
            while more := os.read(ours, 4096).decode():
                shown += more
                asked += more
                if "Which? " in asked:
                    asked = ""
                    os.write(ours, b"0\n")
        assert run.wait() == 0
    assert main([*command, "--terminal", "--workers", "2"]) == 2
    assert "Choose from" in shown
    assert "matches a second" in shown
    assert "Failure" not in shown


# -- the page about bots


def examples() -> dict[str, str]:
    """Return the Python files on the page, by name."""
    page = (plugins.ROOT / "docs/writing-a-bot.md").read_text()
    blocks = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == page.count("```python")
    return dict(blocks)


@pytest.mark.parametrize(
    ("name", "kind", "game"),
    [
        ("mine.py", "Cautious", "hamsterdam"),
        pytest.param("ahead.py", "Ahead", "hamsterdam", marks=full),
        ("camels.py", "Backer", "camelup"),
        pytest.param("series.py", "Gambler", "camelup", marks=full),
    ],
)
def test_the_bots_on_the_page_about_bots_play(tmp_path: Path, name: str, kind: str, game: str) -> None:
    assert len(examples()) == 4
    path = tmp_path / name
    path.write_text(examples()[name])
    played = play_match(simulation_of(f"{path}:{kind}", "random", game=game), 0)
    assert not played.failures
    plugins.close_all()
