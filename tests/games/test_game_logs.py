"""Logs of matches as CSV: the columns of the series, what pandas would write, and one file of many."""

from __future__ import annotations

import csv
import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from games.__main__ import main
from games.camelup.game import GAME
from games.core import SealedChance
from games.lab import logs
from games.lab.plugins import ROOT
from games.lab.pool import end_with_the_parent
from tests.patience import PATIENCE, wait_for
from tests.tiers import full

SEED = bytes(range(32))
INTERRUPTED = b"With --out DIR finished matches are saved, to continue later.\nInterrupted.\n"


def table(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def log_of(path: Path, moves: list[tuple[int, str]]) -> list[dict[str, str]]:
    rows = GAME.log_rows(2, GAME.check_options({"rules": "series"}), SealedChance(SEED), moves)
    logs.write(path, rows)
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


MOVES = [(0, "tile + on 9"), (1, "race blue lose"), (0, "bet white"), (1, "roll"), (0, "tile - on 12")]


def test_a_log_has_a_row_for_the_start_and_one_a_turn(tmp_path: Path) -> None:
    rows = log_of(tmp_path / "game_0.csv", MOVES)
    assert [row["round_id"] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert [row[""] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert [row["action_type"] for row in rows] == [
        "", "move_trap", "game_bet", "round_winner_bet", "move_camel", "move_trap",
    ]  # fmt: skip
    assert [row["active_player"] for row in rows] == ["", "0.0", "1.0", "0.0", "1.0", "0.0"]
    assert (rows[1]["trap_location"], rows[1]["trap_type"]) == ("8.0", "1.0")
    assert (rows[2]["camel"], rows[2]["bet_type"]) == ("c_0", "lose")
    assert (rows[3]["camel"], rows[3]["distance"]) == ("c_4", "")
    assert float(rows[4]["distance"]) in (0, 1, 2, 3, 4)
    assert (rows[4]["player_0_trap_location"], rows[5]["player_0_trap_location"]) == ("8.0", "11.0")
    assert [row["player_1_coins"] for row in rows] == ["2", "2", "2", "2", "3", "3"]


def test_columns_come_in_the_order_in_which_they_first_occur(tmp_path: Path) -> None:
    log_of(tmp_path / "game_0.csv", MOVES)
    camels = [f"camel_c_{camel}_{what}location" for camel in range(5) for what in ("", "stack_")]
    assert table(tmp_path / "game_0.csv")[0] == [
        "", "round_id", *camels, "player_0_coins", "player_1_coins", "active_player", "action_type", "trap_type",
        "trap_location", "player_0_trap_location", "player_0_trap_type", "bet_type", "camel", "distance",
    ]  # fmt: skip


def test_a_column_that_never_occurs_is_absent(tmp_path: Path) -> None:
    header = table(tmp_path / "game_0.csv") if log_of(tmp_path / "game_0.csv", [(0, "roll")]) else []
    assert "bet_type" not in header[0]
    assert "player_1_trap_type" not in header[0]


def test_a_simulation_writes_a_log_of_every_match_and_they_can_be_merged(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    command = ["simulate", "camelup", "12", "RandomBot", "random", "--option", "rules=series", "--seed", "1"]
    assert main([*command, "--log-dir", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"game_{index}.csv" for index in range(12))
    assert main(["merge-logs", str(folder)]) == 0
    header, *rows = table(folder / "GameLogs.csv")
    assert header[:2] == ["game_id", "round_id"]
    assert header[2:] == sorted(header[2:])
    keys = [(int(row[0]), int(row[1])) for row in rows]
    assert keys == sorted(keys)
    assert len(rows) == sum(len(table(folder / f"game_{index}.csv")) - 1 for index in range(12))
    for index in (0, 11):
        with (folder / f"game_{index}.csv").open(newline="") as file:
            own = [{**row, "game_id": str(index)} for row in csv.DictReader(file)]
        merged = [dict(zip(header, row, strict=True)) for row in rows if row[0] == str(index)]
        for one, other in zip(own, merged, strict=True):
            one.pop("")
            assert {name: value for name, value in other.items() if value} == {k: v for k, v in one.items() if v}


def write(folder: Path, index: int, text: str) -> None:
    (folder / f"game_{index}.csv").write_text(text)


def test_a_column_that_some_games_lack_has_gaps_and_so_a_decimal_point(tmp_path: Path) -> None:
    write(tmp_path, 10, ",round_id,coins,kind\n0,0,4,a\n1,1,5,b\n")
    write(tmp_path, 2, ",round_id,coins\n0,1,7\n1,0,-8\n")
    write(tmp_path, 3, ",round_id,coins,bets\n0,0,1,2\n")
    (tmp_path / "notes.txt").write_text("not a log")
    assert logs.merge(tmp_path, tmp_path / "all.csv") == 3
    assert (tmp_path / "all.csv").read_text() == (
        "game_id,round_id,bets,coins,kind\n2,0,,-8,\n2,1,,7,\n3,0,2.0,1,\n10,0,,4,a\n10,1,,5,b\n"
    )


@pytest.mark.parametrize("text", ["", ",coins\n0,1\n", ",round_id,coins\n0,1\n", ",round_id\n0,1,2\n"])
def test_an_invalid_log_is_refused_by_name_and_nothing_is_written(tmp_path: Path, text: str) -> None:
    write(tmp_path, 0, ",round_id,coins\n0,0,4\n")
    write(tmp_path, 1, text)
    with pytest.raises(logs.BadLogs, match=r"game_1\.csv"):
        logs.merge(tmp_path, tmp_path / "all.csv")
    assert not (tmp_path / "all.csv").exists()


def test_a_folder_without_logs_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["merge-logs", str(tmp_path)]) == 2
    assert "no game_0.csv" in capsys.readouterr().err
    assert main(["merge-logs", str(tmp_path / "none")]) == 2


def test_a_write_that_is_interrupted_leaves_no_file(tmp_path: Path) -> None:
    class Interrupting(dict[str, Any]):
        def get(self, *_: object) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        logs.write(tmp_path / "game_0.csv", [{"round_id": 0}, Interrupting(round_id=1)])
    assert list(tmp_path.iterdir()) == []


@full
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_leaves_whole_files_and_no_process(
    tmp_path: Path, workers: str, number: signal.Signals
) -> None:
    command = ["simulate", "camelup", "1000000", "random", "random", "--workers", workers, "--log-dir", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "games", *command], cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True
    ) as run:
        try:
            wait_for(lambda: len(list(tmp_path.iterdir())) > 20)
            run.send_signal(number)  # to the one process that was started, as a service manager does
            assert run.communicate(timeout=PATIENCE)[1] == INTERRUPTED
            assert run.returncode == 130
            wait_for(lambda: not in_group(run.pid))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
    for path in tmp_path.iterdir():
        assert logs._FILE.fullmatch(path.name)
        assert len({len(row) for row in table(path)}) == 1
        assert path.read_text().endswith("\n")


@full
def test_a_background_run_survives_the_ctrl_c_that_ends_its_script(tmp_path: Path) -> None:
    command = ["simulate", "camelup", "1000000", "random", "random", "--workers", "2", "--log-dir", str(tmp_path)]
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]  # as a script's shell does for `command &`
    with subprocess.Popen(
        [*ignoring, sys.executable, "-m", "games", *command], cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True
    ) as run:
        try:
            wait_for(lambda: len(list(tmp_path.iterdir())) > 20)
            os.killpg(run.pid, signal.SIGINT)
            then = len(list(tmp_path.iterdir()))
            wait_for(lambda: len(list(tmp_path.iterdir())) > then + 200)
            run.terminate()
            assert run.communicate(timeout=PATIENCE)[1] == INTERRUPTED
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)


def interrupted_at_its_start() -> None:
    end_with_the_parent()
    signal.raise_signal(signal.SIGTERM)


def test_a_worker_that_is_interrupted_at_its_start_ends_without_output(capfd: pytest.CaptureFixture[str]) -> None:
    context = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(1, mp_context=context, initializer=interrupted_at_its_start) as pool,
        pytest.raises(BrokenProcessPool),
    ):
        pool.submit(int).result(60)
    assert capfd.readouterr().err == ""


def test_when_a_run_is_killed_its_workers_end_too(tmp_path: Path) -> None:
    command = ["simulate", "camelup", "1000000", "random", "random", "--workers", "2", "--log-dir", str(tmp_path)]
    with subprocess.Popen([sys.executable, "-m", "games", *command], cwd=ROOT, start_new_session=True) as run:
        try:
            wait_for(lambda: len(list(tmp_path.iterdir())) > 20)
            run.kill()
            run.wait()
            wait_for(lambda: not in_group(run.pid))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
    assert all(logs._FILE.fullmatch(path.name) for path in tmp_path.iterdir())


def in_group(group: int) -> bool:
    """Return whether a process of this group still runs."""
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


def test_any_game_can_be_logged(tmp_path: Path) -> None:
    assert main(["simulate", "hamsterdam", "2", "random", "random", "--seed", "1", "--log-dir", str(tmp_path)]) == 0
    header, start, first, *_ = table(tmp_path / "game_1.csv")
    assert header[:4] == ["", "round_id", "player_0_score", "player_1_score"]
    assert {"active_player", "move", "player_0_certificates", "stock:0", "played:1", "deck:stock size"} < set(header)
    assert start[1:4] == ["0", "0.0", "0.0"]
    assert start[header.index("move")] == ""
    assert start[header.index("stock:0")] == "?"
    assert first[header.index("move")] in ("keep", "trade")
