"""The benchmark of bots takes those of files, too, and goes on where it was interrupted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.strength import pair_of, pair_result
from games import catalogue
from games.lab.ladder import play
from tests.games.lab.interrupted import interrupted
from tests.running_site import ROOT
from tests.tiers import full

BOT = """from games.core import Bot


class First(Bot):
    name = "first"

    def choose(self, info):
        return info.legal_moves[0]
"""


def strength(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.strength", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_pair_may_name_classes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    pairs = [f"{path}:First:random", f"random:{path}:First", f"{path}:First:{path}:First"]
    done = strength("pairs", "agram", "2", "--json", "--workers", "1", "--pairs", *pairs)
    met = [(figure["bot"], figure["other"]) for figure in json.loads(done.stdout)["figures"]]
    mine = f"{path}:First"
    assert met == [(mine, "random"), ("random", mine), (mine, mine)]


@pytest.mark.parametrize(("game", "seats"), [("agram", 2), ("thief", 1)])
def test_a_bot_wins_half_of_its_matches_against_itself(game: str, seats: int, tmp_path: Path) -> None:
    pair = pair_of(catalogue.find(game), seats, "random", "random", {})
    met = pair_result(pair, play(pair, 8, tmp_path))
    assert (met["matches"], met["share"]) == (8 if seats > 1 else 4, 0.5)


@pytest.mark.parametrize("game", ["hamsterdam", pytest.param("thief", marks=full)])
def test_an_interrupted_measurement_prints_its_figures_and_continues_to_the_same(game: str, tmp_path: Path) -> None:
    def command(matches: int, folder: Path) -> list[str]:
        return [
            "pairs",
            game,
            str(matches),
            "--bots",
            "random",
            "greedy" if game == "thief" else "house",
            "--json",
            "--out",
            str(folder),
        ]

    once, twice = tmp_path / "once", tmp_path / "twice"
    shown = json.loads(interrupted("bench.strength", command(1000000, twice), twice, 2000))
    [figure] = shown["figures"]
    assert 0 < figure["matches"] < 1000000
    assert figure["low"] <= figure["share"] <= figure["high"]
    more = figure["matches"] + 60
    [again, uninterrupted] = (strength(*command(more, folder)) for folder in (twice, once))
    assert again.stdout == uninterrupted.stdout
    assert [each["matches"] for each in json.loads(again.stdout)["figures"]] == [more]
    [kept] = (path.read_text().splitlines() for path in twice.rglob("*.jsonl"))
    assert len({json.loads(line)["index"] for line in kept}) == len(kept), "no match is played twice"


def test_a_refusal_is_one_sentence(tmp_path: Path) -> None:
    pair = ["pairs", "agram", "2", "--bots", "random", "house", "--json", "--out", str(tmp_path)]
    assert strength(*pair).returncode == 0
    for more, why in (
        (["--seats", "4"], "has matches with other settings: seats. Choose another folder."),
        (["--seats", "40"], "takes 2 to 5 seats, not 40"),
    ):
        done = strength(*pair, *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("python -m bench.strength pairs: ")
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_single_match_is_played_with_the_seats_swapped_too() -> None:
    done = strength("pairs", "agram", "1", "--json", "--pairs", "random:random")
    assert [figure["matches"] for figure in json.loads(done.stdout)["figures"]] == [2]
