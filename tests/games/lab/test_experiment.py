"""Experiments as files: what is played and written, stopped, continued and refused."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import yaml

from games.__main__ import main
from games.core import BadOption
from games.lab.experiment import MOST_CASES, Experiment, publish, run
from tests.games.lab.interrupted import check_that_it_continues
from tests.tiers import full

TWO_GAMES: dict[str, Any] = {
    "games": ["kuhn", "bundles"],
    "bots": [["house", "random"], ["random"]],
    "seeds": [1],
    "matches": 12,
}
ONE: dict[str, Any] = {"games": ["kuhn"], "bots": [["house", "random"]], "matches": 40}


def written(folder: Path, **given: Any) -> Path:
    """Write an experiment's file."""
    path = folder / "study.yaml"
    path.write_text(yaml.safe_dump(given), encoding="utf-8")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def played(path: Path, folder: Path, workers: int = 1) -> int:
    """Run an experiment, write its files, and return how many matches were new."""
    counted = 0

    def advance(more: int) -> None:
        nonlocal counted
        counted += more

    before = saved(folder)
    experiment = Experiment.read(path)
    results = run(experiment, folder, workers=workers, progress=advance)
    publish(experiment, results, folder, parquet=True)
    assert counted == sum(result.matches + result.broken.total() for result in results)
    return saved(folder) - before


def saved(folder: Path) -> int:
    """Return how many matches a folder has saved."""
    return sum(len(lines.read_text().splitlines()) for lines in folder.rglob("*.jsonl"))


def test_a_folder_has_tables_charts_a_page_and_a_manifest_that_agree(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    assert played(written(tmp_path, title="Two games", **TWO_GAMES), folder) == 48
    results, matches = rows(folder / "results.csv"), rows(folder / "matches.csv")
    assert [(row["case"], row["bot"], row["copies"]) for row in results] == [
        ("1", "house", "1"), ("1", "random", "1"), ("2", "random", "2"),
        ("3", "house", "1"), ("3", "random", "3"), ("4", "random", "4"),
    ]  # fmt: skip
    for row in results:
        mine = [each for each in matches if each["case"] == row["case"] and each["bot"] == row["bot"]]
        assert float(row["wins"]) == pytest.approx(sum(float(each["win"]) for each in mine))
        assert float(row["mean_score"]) == pytest.approx(sum(float(each["score"]) for each in mine) / len(mine))
        assert float(row["low"]) <= float(row["share"]) <= float(row["high"])
    seats = [each["seat"] for each in matches if each["case"] == "3" and each["bot"] == "house"]
    assert sorted(seats) == sorted("0123" * 3)  # equally often
    assert pyarrow.parquet.read_table(folder / "matches.parquet").num_rows == len(matches)
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert {"wins-kuhn.svg", "wins-bundles.svg", "report.html"} < manifest["files"].keys()
    assert yaml.safe_load(manifest["experiment"])["title"] == "Two games"
    assert "Two games" in (folder / "report.html").read_text()


def test_the_tables_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    path = written(tmp_path, **TWO_GAMES)
    played(path, tmp_path / "one")
    played(path, tmp_path / "two", workers=2)
    for name in ("results.csv", "matches.csv", "wins-kuhn.svg", "report.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_an_edited_file_plays_only_what_is_new(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    assert played(written(tmp_path, **ONE, seeds=["a"]), folder) == 40
    assert played(written(tmp_path, **ONE, seeds=["b", "a"]), folder) == 40
    assert played(written(tmp_path, **(ONE | {"matches": 50}), seeds=["b", "a"]), folder) == 20
    assert played(written(tmp_path, **(ONE | {"matches": 10}), seeds=["a"]), folder) == 0
    assert [row["matches"] for row in rows(folder / "results.csv")] == ["10", "10"]


def test_a_case_stops_when_its_interval_is_narrow_enough(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"games": ["kuhn"], "bots": [["random", "random"], ["house", "random"]], "matches": 900}
    played(written(tmp_path, **asked, until={"half_width": 5}), tmp_path / "made")
    surely, equal = 0, 0
    for row in rows(tmp_path / "made" / "results.csv"):
        if row["case"] == "1":  # all wins are those of random players
            surely = int(row["matches"])
        elif row["bot"] == "house":
            equal = int(row["matches"])
            assert float(row["high"]) - float(row["low"]) <= 0.1
    assert surely == 60
    assert 200 < equal < 900


def test_paths_are_those_beside_the_file(tmp_path: Path) -> None:
    library = Path(__file__).parents[3] / "games" / "recycle" / "library" / "kuhn.rcy"
    (tmp_path / "mine.rcy").write_text(library.read_text(encoding="utf-8"), encoding="utf-8")
    bot = (
        "from games.core import Bot",
        "class First(Bot):",
        "    def choose(self, info):",
        "        return info.legal_moves[0]",
    )
    (tmp_path / "bots.py").write_text("\n".join(bot))
    experiment = Experiment.read(written(tmp_path, games=["mine.rcy"], bots=[["bots.py:First", "random"]], matches=4))
    (result,) = run(experiment, tmp_path / "made")
    assert (result.matches, result.failures.total(), result.case.game) == (4, 0, "mine.rcy")


def test_a_switch_may_be_written_as_yaml_reads_it(tmp_path: Path) -> None:
    path = written(tmp_path, games=["thief"], seats=[1], bots=[["random"]], options=[{"director": False}, {"level": 2}])
    off, on = (case.arrangements[0].options for case in Experiment.read(path).cases)
    assert (off["director"], on["director"], on["level"]) == ("off", "on", "2")


def test_bots_from_files_do_not_play_on_a_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, games=["kuhn"], bots=[["bots.py:First"]])
    (tmp_path / "bots.py").write_text("from games.core import Bot\nclass First(Bot):\n    choose = None\n")
    assert main(["experiment", str(path), "--dask", "tcp://127.0.0.1:9"]) != 0
    assert "play on this machine only" in capsys.readouterr().err


def test_matches_that_break_off_are_counted(tmp_path: Path) -> None:
    (tmp_path / "endless.rcy").write_text(
        "(game (setup (create players 2) (create deck (game vloc STOCK) (deck (RANK (A, TWO)))))"
        " (stage player (end (== 0 1)) (do ((set ((current player) sto A) 1)))) (scoring max 0))",
        encoding="utf-8",
    )
    folder = tmp_path / "made"
    assert played(written(tmp_path, games=["endless.rcy"], bots=[["random"]], matches=2), folder) == 2
    (row,) = rows(folder / "results.csv")
    assert (row["matches"], row["broken"], row["share"]) == ("0", "2", "")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"bots": [["random"]]}, "games must be a list that is not empty"),
        ({"games": "kuhn", "bots": [["random"]]}, "games must be a list that is not empty"),
        ({"games": ["kuhn"]}, "bots must be a list that is not empty"),
        ({"games": ["kuhn"], "bots": ["random"]}, "must be a list such as"),
        ({"games": ["kuhn"], "bots": [["random"]], "seats": ["two"]}, "must be a whole number, not 'two'"),
        ({"games": ["kuhn"], "bots": [["random"]], "seats": [9]}, "takes 2 seats, not 9"),
        ({"games": ["kuhn"], "bots": [["random"] * 3]}, "3 bots do not fit at a table of 2"),
        ({"games": ["kuhn"], "bots": [["genius"]]}, "genius"),
        ({"games": ["no-such-game"], "bots": [["random"]]}, "no-such-game"),
        ({"games": ["kuhn"], "bots": [["random"]], "options": [{"speed": 3}]}, "speed"),
        ({"games": ["kuhn"], "bots": [["random"]], "options": ["speed"]}, "must be a mapping such as"),
        ({"games": ["kuhn"], "bots": [["random"]], "matches": 0}, "matches must be a whole number of 1 or more"),
        ({"games": ["kuhn"], "bots": [["random"]], "until": {"width": 3}}, "until must be as in"),
        ({"games": ["kuhn"], "bots": [["random"]], "until": {"half_width": 0}}, "a number of points between 0 and 50"),
        ({"games": ["kuhn"], "bots": [["random"]], "until": {"half_width": True}}, "points between 0 and 50"),
        ({"games": ["kuhn", "kuhn"], "bots": [["random"]]}, "has a case twice: kuhn, 2 players: random"),
        ({"games": ["kuhn"], "bots": [["random"]], "bot": 1}, "the unknown key 'bot'"),
        ({"games": ["kuhn"], "bots": [["random"]], "seeds": list(range(MOST_CASES + 1))}, "1,001 cases"),
    ],
)  # fmt: skip
def test_a_bad_experiment_is_refused_with_the_reason(tmp_path: Path, given: dict[str, Any], reason: str) -> None:
    with pytest.raises((BadOption, LookupError), match=reason):
        Experiment.read(written(tmp_path, **given))


@pytest.mark.parametrize("text", ["a: [", "- 1", "!!python/object/apply:os.getcwd []", "\x00"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadOption, match=r"is not YAML|must be a mapping"):
        Experiment.read(path)


def test_the_command_says_what_came_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, **ONE)
    assert main(["experiment", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1. kuhn, 2 players: house, random (seed study): 40 matches\n   house: ")
    assert (tmp_path / "study" / "report.html").is_file()
    assert main(["experiment", str(tmp_path / "none.yaml")]) != 0


@full
def test_an_interrupted_experiment_continues(tmp_path: Path) -> None:
    path = written(tmp_path, games=["kuhn"], bots=[["random"]], matches=200_000)
    folder = tmp_path / "made"
    case = folder / "cases" / Experiment.read(path).cases[0].folder
    kept = case / "0" / "matches" / "simulation.jsonl"
    check_that_it_continues(["experiment", str(path), "--out", str(folder)], folder, kept, 20_000)
