"""``python -m games``: what it does, and how it behaves as a process of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import catalogue
from tests.games import commands
from tests.games.commands import Done
from tests.tiers import full

RULES = catalogue.find("hamsterdam").rules_version
ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "games"]


def run(*arguments: str, code: int = 0) -> Done:
    """Run a command to its end, and check its exit code."""
    done = commands.run(*arguments)
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    return done


def simulate(*arguments: str) -> dict[str, Any]:
    """Return what a simulation of Hamsterdam Exchange found, without the time it took."""
    data: dict[str, Any] = json.loads(run("simulate", "hamsterdam", *arguments, "--json").out)
    assert data.pop("seconds") > 0
    return data


def test_the_list_names_games_seats_options_and_bots() -> None:
    lines = run("list").out.splitlines()
    assert lines[:2] == ["House games", "hamsterdam: Hamsterdam Exchange, 2 to 6 seats (usually 3)"]
    assert any(line.startswith("    option rigged=-1..5|subtle-0..5, default -1: ") for line in lines)
    assert "    bot house: House AI" in lines


def test_a_simulation_reports_wins_scores_and_decisions_as_json() -> None:
    result = simulate("200", "house", "random", "house", "--seed", "7")
    assert (result["game"], result["matches"], result["failures"]) == ("hamsterdam", 200, {})
    assert [seat["bot"] for seat in result["seats"]] == ["house", "random", "house"]
    assert sum(seat["wins"] for seat in result["seats"]) == pytest.approx(200), "a tie is shared"
    assert result["seats"][0]["wins"] > result["seats"][1]["wins"]
    assert 0 < result["seats"][1]["mean_score"] < result["seats"][0]["mean_score"]
    assert 10 < result["decisions_per_match"] < 60
    assert 2 < result["options_per_decision"] < 15


def test_the_same_seed_gives_the_same_result_with_any_number_of_workers() -> None:
    plan = ["230", "house", "random", "random", "--seed", "any text", "--lost-by", "1"]
    alone = simulate(*plan)
    assert simulate(*plan) == alone
    assert simulate(*plan, "--workers", "2") == alone
    assert simulate(*plan, "--workers", "3") == alone
    assert simulate(*plan[:4], "--seed", "another", "--lost-by", "1") != alone


def test_options_may_come_before_the_bots_and_house_bots_are_the_default() -> None:
    plan = ["4", "house", "house", "house", "--seed", "7", "--workers", "2"]
    assert simulate("4", "--seed", "7", "--workers", "2", *plan[1:4]) == simulate(*plan)
    assert simulate("4", "--seed", "7") == simulate(*plan)


def test_a_subtly_rigged_simulation_is_mostly_won_by_the_favourite() -> None:
    result = simulate("40", "house", "house", "house", "--seed", "1", "--option", "rigged=subtle-1")
    assert result["options"] == {"rigged": "subtle-1"}
    assert result["seats"][1]["wins"] > 32, "of 40; 13 by an honest deal"
    bare = simulate("2", "house", "house", "--seed", "1", "--option", "rigged=subtle")
    assert bare["options"] == {"rigged": "subtle-0"}


def test_a_rigged_simulation_is_won_by_the_favourite() -> None:
    result = simulate("100", "house", "house", "house", "--seed", "1", "--option", "rigged=1")
    assert [seat["wins"] for seat in result["seats"]] == [0, 100, 0]


def test_the_printed_table_has_the_same_figures() -> None:
    lines = run("simulate", "hamsterdam", "100", "house", "house", "--seed", "1", "--option", "rigged=1").out
    assert "hamsterdam rigged=1: 100 matches, seed 1" in lines
    assert "100.00%" in lines
    assert "matches a second" in lines


@full
def test_a_match_of_a_simulation_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    players = ["house", "random", "house", "--seed", "5"]
    lost = simulate("60", *players, "--lost-by", "0")["lost"]
    won = next(index for index in range(60) if index not in lost)
    for index in (lost[0], won):
        path = tmp_path / f"{index}.json"
        run("record", "hamsterdam", *players, "--match", str(index), "--out", str(path))
        result = run("replay", str(path)).out.splitlines()
        assert any("house 0" in line and "win" in line for line in result) == (index == won)
        assert result[-1].startswith("Scores: house 0 ")


def test_a_replay_shows_each_audience_what_it_may_see(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(run("record", "hamsterdam", "house", "house", "--seed", "3").out)
    spectator = run("replay", str(path)).out
    assert "You get" not in spectator
    assert run("replay", str(path), "--seat", "1").out.count("  You get ") >= 2
    opened = run("replay", str(path), "--open").out
    assert "(house 0) You get " in opened
    assert "(house 1) You get " in opened


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["simulate", "poker", "9", "house"], "There is no game 'poker'. There are: hamsterdam"),
        (["simulate", "hamsterdam", "9", "house"], "takes 2 to 6 seats, not 1"),
        (["simulate", "hamsterdam", "9", "house", "deep"], "no bot 'deep'. It has: house, random"),
        (["simulate", "hamsterdam", "0", "house", "house"], "must be 1 or more"),
        (["simulate", "hamsterdam", "many", "house", "house"], "must be a whole number, not 'many'"),
        (["simulate", "hamsterdam", "9", "house", "house", "--workers", "0"], "must be 1 or more"),
        (["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged"], "Write an option as NAME=VALUE"),
        (
            ["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged=x"],
            "rigged must be one of -1..5, subtle-0..5, not 'x'",
        ),
        (["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged=4"], "a seat from 0 to 1"),
        (["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged=subtle-2"], "a seat from 0 to 1"),
        (["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged=subtle-6"], "to subtle-5"),
        (
            ["simulate", "hamsterdam", "9", "house", "house", "--option", "rigged=subtle-x"],
            "rigged must be one of -1..5, subtle-0..5, not",
        ),
        (["simulate", "hamsterdam", "9", "house", "house", "--option", "speed=4"], "has no option 'speed'"),
        (["simulate", "hamsterdam", "9", "house", "house", "--lost-by", "2"], "must be a seat from 0 to 1"),
        (["record", "hamsterdam", "house", "house", "--match", "-1"], "must be 0 or more"),
        (["simulate", "hamsterdam", "9", "--fast", "house", "house"], "unrecognized arguments: --fast"),
        (["simulate", "hamsterdam", "9", "house", "--seed", "1", "house"], "unrecognized arguments: house"),
        (["replay", "nowhere.json"], "No such file"),
        (["replay", "nowhere.json", "house"], "unrecognized arguments: house"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "required: COMMAND"),
    ],
)
def test_an_impossible_request_is_explained_and_exits_with_2(arguments: list[str], answer: str) -> None:
    done = run(*arguments, code=2)
    assert answer in done.err
    assert done.out == ""


GOOD: dict[str, Any] = {"game": "hamsterdam", "rules": RULES, "seats": 2, "options": {}, "seed": "00" * 32, "moves": []}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("nonsense", "this is not JSON"),
        ("[]", "A record is a JSON object."),
        (json.dumps({}), "A record needs 'game', which must be a text."),
        (json.dumps(GOOD | {"seats": "two"}), "A record needs 'seats', which must be a whole number."),
        (json.dumps(GOOD | {"game": "poker"}), "There is no game 'poker'"),
        (json.dumps(GOOD | {"seats": 9}), "takes 2 to 6 seats"),
        (json.dumps(GOOD | {"seed": "12"}), "64 hexadecimal digits"),
        (json.dumps(GOOD | {"seed": "x" * 64}), "64 hexadecimal digits"),
        (json.dumps(GOOD | {"options": {"rigged": 7}}), "must be from -1 to 5"),
        (json.dumps(GOOD | {"moves": [[0, 1]]}), "Move 1 must be a seat and a text"),
        (json.dumps(GOOD | {"moves": [[0, "fly"]]}), "Move 1 ('fly' by seat 0) cannot be played"),
        (json.dumps(GOOD | {"names": ["one"]}), "one per seat"),
        (json.dumps(GOOD | {"rules": 7}), "The rules of a record must be a text"),
        (
            json.dumps(GOOD | {"rules": "long ago"}),
            f"played by version long ago of the rules. Under the current version, {RULES}",
        ),
        (json.dumps({key: value for key, value in GOOD.items() if key != "rules"}), "an older version of the rules"),
    ],
)
def test_an_invalid_record_is_refused_with_the_reason(tmp_path: Path, text: str, answer: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    assert answer in run("replay", str(path), code=2).err


def test_a_record_of_other_rules_is_replayed_only_on_request_and_with_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(GOOD | {"rules": "long ago"}))
    lines = run("replay", str(path), "--other-rules").out.splitlines()
    assert lines[0].startswith(f"Played by version long ago of the rules, replayed by version {RULES}: it may differ")
    path.write_text(json.dumps(GOOD))
    assert run("replay", str(path), "--other-rules").out.splitlines() == lines[1:]


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", "hamsterdam", "100", "house", "house"],
        ["simulate", "hamsterdam", "100", "house", "house", "--json"],
        ["record", "hamsterdam", "house", "house"],
        ["replay", "docs/records/rigged-but-lost.json", "--open"],
        ["list"],
    ],
    ids=" ".join,
)
def test_it_ends_without_output_when_nobody_reads_on(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # as "head -1" leaves it
    try:
        done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])  # what is printed may wait for the end of the program, or not
def test_help_ends_without_output_when_nobody_reads(unbuffered: str) -> None:
    """Argparse then prints nothing and exits with 0; before Python 3.11.3 the program has to do that."""
    reader, writer = os.pipe()
    os.close(reader)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [*COMMAND, "--help"], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False, env=environment
    )
    os.close(writer)
    assert done.returncode in (0, 128 + signal.SIGPIPE)
    assert done.stderr == b""


def test_a_full_disk_is_reported_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "list"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["python -m games list: [Errno 28] No space left on device"]


def test_a_terminal_without_suit_symbols_gets_escape_sequences(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    run("record", "hamsterdam", "house", "house", "--seed", "3", "--out", str(path))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*COMMAND, "replay", str(path)], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2663" in done.stdout


@full
@pytest.mark.parametrize("workers", ["1", "2"])
def test_on_a_terminal_a_bar_shows_progress_and_ctrl_c_ends_it_cleanly(workers: str) -> None:
    ours, theirs = pty.openpty()
    arguments = ["simulate", "hamsterdam", "100000000", "house", "house", "--workers", workers]
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, text=True, process_group=0
    ) as running:
        os.close(theirs)
        try:
            shown = ""
            while not re.search(r"[1-9]\d*/100000000", shown):
                shown += os.read(ours, 4096).decode(errors="replace")
            os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
            while chunk := _read(ours):
                shown += chunk
            assert running.stdout
            assert running.stdout.read() == ""
            assert running.wait() == 130
        finally:
            running.kill()
    assert "Interrupted." in shown
    assert "Traceback" not in shown


def _read(terminal: int) -> str:
    """Return what a terminal shows next, "" when nobody has it open any more."""
    try:
        return os.read(terminal, 4096).decode(errors="replace")
    except OSError:
        return ""


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "records").glob("*.json")), ids=lambda path: path.name)
def test_a_record_the_documentation_shows_can_be_replayed_to_its_end(path: Path) -> None:
    assert run("replay", str(path), "--open").out.splitlines()[-1].startswith("Scores: ")
