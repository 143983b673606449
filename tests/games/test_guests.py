"""Bots from somebody's own file: whatever they do, they do it to themselves."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.__main__ import main
from games.core import BadOption
from games.lab import guests
from games.lab.guests import GuestFailed, Limits
from games.lab.simulate import Plan, play, simulate

HONEST = """
from games.core import Bot

class Last(Bot):
    def choose(self, info):
        return info.legal_moves[-1]
"""

SERIES = """
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

MISFITS = """
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
    def write(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    yield write
    guests.close_all()


def plan(*bots: str, game: str = "camelup", seed: str = "1", limits: Limits = guests.USUAL) -> Plan:
    options = {"spaces": "8"} if game == "camelup" else {}
    return Plan.checked(game, list(bots), options, seed, limits)


# -- bots that work


@pytest.mark.parametrize("game", ["camelup", "hamsterdam"])
def test_a_bot_from_a_file_plays_any_game(file: Callable[[str], Path], game: str) -> None:
    played = play(plan(f"{file(HONEST)}:Last", "random", game=game), 0)
    assert not played.failures
    assert any(seat == 0 for seat, _ in played.moves)


def test_a_bot_of_the_series_plays_at_our_tables(file: Callable[[str], Path]) -> None:
    played = play(plan(f"{file(SERIES)}:First", "RandomBot", "random", "house"), 0)
    assert not played.failures
    assert {move for seat, move in played.moves if seat == 0} == {"roll"}


def test_a_bot_of_the_series_may_lie_in_a_folder_of_the_series(file: Callable[[str], Path]) -> None:
    path = file("from greedy import wanted\n" + SERIES.replace("player)[0]", "player)[wanted]"))
    for name in ("camelup", "actionids", "playerinterface"):
        path.with_name(f"{name}.py").write_text("raise ImportError('another engine')")
    path.with_name("greedy.py").write_text("wanted = 0")
    played = play(plan(f"{path}:First", "random"), 0)
    assert not played.failures
    as_bots = path.rename(path.with_name("bots.py"))
    assert not play(plan(f"{as_bots}:First", "random"), 0).failures


def test_the_same_seed_gives_the_same_match_though_the_bot_draws_by_itself(file: Callable[[str], Path]) -> None:
    bot = f"{file(SERIES)}:Chancer"
    first = [play(plan(bot, "random"), index).moves for index in range(3)]
    guests.close_all()
    assert [play(plan(bot, "random"), index).moves for index in range(3)] == first
    assert len(set(map(str, first))) == 3


def test_no_two_seats_share_a_process(file: Callable[[str], Path]) -> None:
    bot = f"{file(SERIES)}:First"
    plan_of_two = plan(bot, bot)
    first, second = plan_of_two.seat_bots()
    assert first is not second
    assert first is plan_of_two.seat_bots()[0], "but from match to match each keeps its own"


SPY = """
import pickle
from games.core import Bot

class Spy(Bot):
    def choose(self, info):
        race = info._state.position
        mine = {camel for bets in (race.winner_bets, race.loser_bets) for camel, seat in bets if seat != info.seat}
        open(__file__ + ".seen", "a").write("".join(str(camel) for camel in sorted(mine)) + "\\n")
        return "roll"
"""

PILER = """
from games.core import Bot

class Piler(Bot):
    def choose(self, info):
        return next((move for move in info.legal_moves if move == "race white win"), "roll")
"""


def test_what_a_bot_is_handed_holds_nothing_that_its_seat_may_not_know(file: Callable[[str], Path]) -> None:
    """A card that lies face down is another one each time the bot looks under it."""
    path = file(SPY + PILER)
    game = plan(f"{path}:Piler", f"{path}:Spy")
    for index in range(6):
        play(game, index)
    seen = Path(f"{path}.seen").read_text().split()
    assert len(set(seen)) >= 4, "not always white"


# -- bots that do not


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("Crash", "KeyError"),
        ("Leave", "its process died"),
        ("Eat", "MemoryError"),
        ("Lister", "IllegalMoveException"),
        ("Stranger", "IllegalMoveException"),
    ],
)
def test_a_bot_that_fails_is_reported_and_its_turn_becomes_a_roll(
    file: Callable[[str], Path], kind: str, failure: str
) -> None:
    bot = f"{file(MISFITS)}:{kind}"
    played = play(plan(bot, "random", limits=Limits(megabytes=500)), 0)
    own = [move for seat, move in played.moves if seat == 0]
    assert set(own) == {"roll"}
    assert played.failures == {f"{bot}: {failure}": len(own)}


def test_the_report_has_the_name_and_the_traceback_of_the_bot(file: Callable[[str], Path]) -> None:
    bot = f"{file(MISFITS)}:Crash"
    (report,) = play(plan(bot, "random"), 0).reports.values()
    assert "mine.py" in report
    assert "KeyError: 'my own fault'" in report


def test_a_bot_that_thinks_for_ever_is_cut_off_and_its_process_ended(file: Callable[[str], Path]) -> None:
    bot = f"{file(MISFITS)}:Hang"
    hanging = plan(bot, "house", limits=Limits(seconds=0.2))
    guest = hanging.seat_bots()[0]
    assert isinstance(guest, guests.Guest)
    played = play(hanging, 0)
    turns = sum(seat == 0 for seat, _ in played.moves)
    assert played.failures == {f"{bot}: too slow": turns}
    assert guest not in guests._running


@pytest.mark.parametrize("kind", ["Babble", "Spoiler"])
def test_what_a_bot_prints_or_spoils_changes_nothing(file: Callable[[str], Path], kind: str) -> None:
    path = file(MISFITS)
    played = play(plan(f"{path}:{kind}", "random"), 0)
    assert not played.failures
    path = file(SERIES)
    assert play(plan(f"{path}:First", "random"), 0).scores == played.scores


def test_a_bot_that_forges_answers_plays_them_itself_or_fails_alone(file: Callable[[str], Path]) -> None:
    played = play(plan(f"{file(MISFITS)}:Forger", "random", limits=Limits(seconds=1)), 0)
    assert {move for seat, move in played.moves if seat == 0} == {"roll"}


def test_a_failure_ends_the_run_if_asked_to(file: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    bot = f"{file(MISFITS)}:Crash"
    with pytest.raises(GuestFailed, match="my own fault"):
        simulate(plan(bot, "random", limits=Limits(abort=True)), 3)
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
        ("def Mine(): pass", "Mine", "no class Mine"),
        ("(", "Mine", "SyntaxError"),
    ],
)
def test_a_file_that_holds_no_bot_is_refused_before_the_first_match(
    file: Callable[[str], Path], text: str, kind: str, why: str
) -> None:
    with pytest.raises(BadOption, match=why):
        plan(f"{file(text)}:{kind}", "random")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="no file"):
        plan(f"{tmp_path}/none.py:Mine", "random")


def test_a_guest_knows_little_of_the_machine(file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden")
    text = HONEST.replace("return info", "assert 'SECRET_KEY' not in __import__('os').environ; return info")
    assert not play(plan(f"{file(text)}:Last", "random"), 0).failures


def test_no_process_is_left_when_all_are_closed(file: Callable[[str], Path]) -> None:
    game = plan(f"{file(HONEST)}:Last", "random")
    play(game, 0)
    guest = game.seat_bots()[0]
    assert isinstance(guest, guests.Guest)
    assert guest._process
    pid = guest._process.pid
    os.kill(pid, 0)
    guests.close_all()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
    raise AssertionError("its process lives on")


# -- the page about bots


def examples() -> dict[str, str]:
    """The files on the page, by name."""
    page = (guests.ROOT / "docs/writing-a-bot.md").read_text()
    blocks = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == page.count("```python")
    return dict(blocks)


@pytest.mark.parametrize(
    ("name", "kind", "game"),
    [
        ("mine.py", "Cautious", "hamsterdam"),
        ("ahead.py", "Ahead", "hamsterdam"),
        ("camels.py", "Backer", "camelup"),
        ("series.py", "Gambler", "camelup"),
    ],
)
def test_the_bots_on_the_page_about_bots_play(tmp_path: Path, name: str, kind: str, game: str) -> None:
    assert len(examples()) == 4
    path = tmp_path / name
    path.write_text(examples()[name])
    played = play(plan(f"{path}:{kind}", "random", game=game), 0)
    assert not played.failures
    guests.close_all()
