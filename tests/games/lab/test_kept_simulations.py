"""Simulations that are kept in a folder: interrupted and gone on with, and what is written of them."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from games import catalogue
from games.__main__ import main
from games.core import BadOption
from games.core.ranks import win_shares
from games.lab import tables
from games.lab.saved import PLAYED, SETTINGS
from games.lab.simulate import LINES, PlayedMatch, Simulation, play_match, report, simulate
from tests.games.lab.interrupted import check_that_it_continues
from tests.games.text_game import read
from tests.tiers import full

BOTS = ["house", "random", "house"]
SIMULATION = Simulation.checked(catalogue.find("hamsterdam"), BOTS, {}, "a seed")
MATCHES = 120


def outcome(
    folder: Path, simulation: Simulation = SIMULATION, matches: int = MATCHES, **settings: Any
) -> dict[str, bytes]:
    """Simulate and return all files but the lines of the matches, whose order does not matter."""
    made = report(simulation, simulate(simulation, matches, folder=folder, **settings))
    tables.publish(simulation, matches, made, folder, parquet=True)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def kept(folder: Path) -> list[str]:
    return (folder / PLAYED / LINES).read_text().splitlines()


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return outcome(tmp_path_factory.mktemp("once"))


def test_a_saved_simulation_has_the_same_figures(at_once: dict[str, bytes]) -> None:
    data = json.loads(json.dumps(report(SIMULATION, simulate(SIMULATION, MATCHES))))
    assert json.loads(at_once["report.json"]) == data


class Stop(Exception):
    pass


@pytest.mark.parametrize(("after", "workers"), [(0, 1), (1, 1), (60, 2)])
def test_an_interrupted_simulation_continues_to_the_same_files(
    tmp_path: Path, at_once: dict[str, bytes], after: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0
    played: list[int] = []

    def noted(simulation: Simulation, index: int) -> PlayedMatch:
        played.append(index)
        return play_match(simulation, index)

    def stop(more: int) -> None:
        nonlocal counted
        counted += more
        if counted > after:
            raise Stop

    with pytest.raises(Stop):
        simulate(SIMULATION, MATCHES, folder=tmp_path, workers=workers, progress=stop)
    before = kept(tmp_path)
    assert after < len(before) == counted < MATCHES
    counts: list[int] = []
    monkeypatch.setattr("games.lab.simulate.play_match", noted)
    assert outcome(tmp_path, progress=counts.append) == at_once
    assert counts[0] == len(before), "those that were there are reported first"
    assert sum(counts) == MATCHES
    assert kept(tmp_path)[: len(before)] == before
    assert sorted(played) == sorted({*range(MATCHES)} - {json.loads(line)["index"] for line in before}), (
        "what was done is not played again"
    )
    assert len(kept(tmp_path)) == MATCHES


def test_more_matches_are_added_and_fewer_are_counted(tmp_path: Path, at_once: dict[str, bytes]) -> None:
    outcome(tmp_path, matches=30)
    assert outcome(tmp_path) == at_once
    assert json.loads(outcome(tmp_path, matches=30)["report.json"])["matches"] == 30
    assert len(kept(tmp_path)) == MATCHES


def test_the_match_of_an_incomplete_last_line_is_played_again(tmp_path: Path, at_once: dict[str, bytes]) -> None:
    outcome(tmp_path)
    path = tmp_path / PLAYED / LINES
    path.write_bytes(path.read_bytes()[:-20])
    assert outcome(tmp_path) == at_once


@full
def test_failures_are_reported_alike_when_a_simulation_continues(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from games.core import Bot\n\n\nclass Bad(Bot):\n    name, title, needs = 'bad', 'Bad', 'moves'\n\n"
        "    def choose(self, info):\n        return 1 / (len(info.legal_moves) - 2)\n"
    )
    game = read("sticks", "sticks 4\ntake 1 2\nbreak apply 1")
    simulation = Simulation.checked(game, ["random", "random"], {}, "1")
    whole = report(simulation, simulate(simulation, 30))
    assert whole["broken"]
    simulate(simulation, 10, folder=tmp_path / "rules")
    assert report(simulation, simulate(simulation, 30, folder=tmp_path / "rules")) == whole
    simulation = Simulation.checked(catalogue.find("kuhn"), [f"{mine}:Bad", "random"], {}, "1")
    whole = report(simulation, simulate(simulation, 3))
    assert whole["failures"]
    simulate(simulation, 1, folder=tmp_path / "bots")
    assert report(simulation, simulate(simulation, 3, folder=tmp_path / "bots")) == whole


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (Simulation.checked(SIMULATION.game, BOTS, {}, "another"), "seed"),
        (Simulation.checked(SIMULATION.game, ["random", *BOTS[1:]], {}, "a seed"), "bots"),
        (Simulation.checked(SIMULATION.game, BOTS, {"rigged": "1"}, "a seed"), "options"),
        (Simulation.checked(catalogue.find("bundles"), BOTS, {}, "a seed"), "game, rules, options"),
    ],
)
def test_a_folder_with_matches_of_other_settings_is_refused(tmp_path: Path, other: Simulation, named: str) -> None:
    simulate(SIMULATION, 3, folder=tmp_path)
    before = kept(tmp_path)
    with pytest.raises(BadOption, match=f"other settings: {named}. Choose another folder"):
        simulate(other, 3, folder=tmp_path)
    assert kept(tmp_path) == before


def test_matches_of_another_program_or_of_a_bot_that_was_changed_are_not_mixed(tmp_path: Path) -> None:
    simulate(SIMULATION, 3, folder=tmp_path / "program")
    path = tmp_path / "program" / SETTINGS
    path.write_text(path.read_text().replace(SIMULATION.settings()["program"], "0" * 16))
    with pytest.raises(BadOption, match="other settings: program"):
        simulate(SIMULATION, 5, folder=tmp_path / "program")
    mine = tmp_path / "mine.py"
    text = "from games.core import RandomBot\n\n\nclass Mine(RandomBot):\n    name, title = 'mine', 'Mine'\n"
    mine.write_text(text)
    simulation = Simulation.checked(catalogue.find("kuhn"), [f"{mine}:Mine", "random"], {}, "1")
    simulate(simulation, 2, folder=tmp_path / "plugin")
    mine.write_text(f"{text}    # better now\n")
    with pytest.raises(BadOption, match="other settings: plugins"):
        simulate(simulation, 2, folder=tmp_path / "plugin")


def test_matches_that_were_kept_without_a_log_are_played_again_for_it(tmp_path: Path) -> None:
    simulation = Simulation.checked(catalogue.find("camelup"), ["random"] * 2, {"rules": "series"}, "1")
    logs, at_once = tmp_path / "logs", tmp_path / "once"
    simulate(simulation, 3, log_dir=at_once)
    simulate(simulation, 2, folder=tmp_path / "kept")
    tally = simulate(simulation, 3, folder=tmp_path / "kept", log_dir=logs)
    assert {path.name: path.read_bytes() for path in logs.iterdir()} == {
        path.name: path.read_bytes() for path in at_once.iterdir()
    }
    assert tally.matches == len(kept(tmp_path / "kept")) == 3, "and are counted once"


# -- the table


def test_the_table_has_a_row_for_each_match_in_both_formats(tmp_path: Path, at_once: dict[str, bytes]) -> None:
    rows = list(csv.DictReader(at_once["matches.csv"].decode().splitlines()))
    (tmp_path / "matches.parquet").write_bytes(at_once["matches.parquet"])
    packed = pyarrow.parquet.read_table(tmp_path / "matches.parquet").to_pylist()
    assert [int(row["match"]) for row in rows] == list(range(MATCHES))
    for index, (row, other) in enumerate(zip(rows, packed, strict=True)):
        played = play_match(SIMULATION, index)
        assert list(row) == list(other) == list(tables.columns(3))
        assert {name: "" if value is None else str(value) for name, value in other.items()} == row
        assert other["seed"] == SIMULATION.match_seed(index).hex()
        assert other["decisions"] == len(played.moves)
        assert [other[f"score_{seat}"] for seat in range(3)] == played.scores
        assert [other[f"rank_{seat}"] for seat in range(3)] == played.ranks
        assert [other[f"win_{seat}"] for seat in range(3)] == win_shares(played.winners, 3)
        assert [other[f"bot_{seat}"] for seat in range(3)] == BOTS


def test_a_match_without_an_end_has_a_row_that_says_so(tmp_path: Path) -> None:
    simulation = Simulation.checked(read("sticks", "sticks 4\ntake 1 2\nbreak apply 1"), ["random"] * 2, {}, "1")
    files = outcome(tmp_path, simulation, 30)
    rows = list(csv.DictReader(files["matches.csv"].decode().splitlines()))
    broken = [row for row in rows if row["broken"]]
    assert 0 < len(broken) < 30
    assert {row["score_0"] + row["rank_0"] + row["win_0"] for row in broken} == {""}
    assert all(row["score_0"] and row["win_1"] for row in rows if not row["broken"])
    packed = pyarrow.parquet.read_table(tmp_path / "matches.parquet").to_pylist()
    assert [row["score_1"] is None for row in packed] == [bool(row["broken"]) for row in rows]


# -- the command


def test_the_command_continues_with_the_seed_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "hamsterdam", "--out", str(tmp_path / "out"), "--json"]
    assert main([*command, "20"]) == 0
    seed = json.loads(capsys.readouterr().out)["seed"]
    assert main([*command, "30", "--parquet"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["seed"], data["matches"]) == (seed, 30)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        SETTINGS, PLAYED, "report.json", "matches.csv", "matches.parquet"
    }  # fmt: skip
    assert main([*command, "30", "--seed", f"{seed}?"]) == 2
    assert "other settings: seed" in capsys.readouterr().err


def test_the_package_missing_for_parquet_is_named_before_a_match_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["simulate", "hamsterdam", "20", "--parquet"]) == 2
    assert "--out" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert main(["simulate", "hamsterdam", "20", "--parquet", "--out", str(tmp_path / "out")]) == 2
    assert "--parquet needs pyarrow, which is not installed: pip install pyarrow" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["simulate", "hamsterdam", "20", "--out", str(tmp_path / "out")]) == 0


@full
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_finished_matches_and_the_same_command_continues(tmp_path: Path, workers: str) -> None:
    command = ["simulate", "hamsterdam", "1000000", "--workers", workers, "--out", str(tmp_path)]
    check_that_it_continues(command, tmp_path, tmp_path / PLAYED / LINES, 5000)
