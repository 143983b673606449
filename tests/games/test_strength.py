"""The benchmark of bots takes those of files, too."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

from bench.strength import alone, meet
from games import catalogue
from tests.running_site import ROOT

BOT = """from games.core import Bot


class First(Bot):
    name = "first"

    def choose(self, info):
        return info.legal_moves[0]
"""


def test_a_pair_may_name_classes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    pairs = [f"{path}:First:random", f"random:{path}:First", f"{path}:First:{path}:First"]
    command = [sys.executable, "-m", "bench.strength", "pairs", "agram", "2", "--json", "--workers", "1", "--pairs"]
    done = subprocess.run([*command, *pairs], cwd=ROOT, capture_output=True, text=True, check=True)
    met = [(figure["bot"], figure["other"]) for figure in json.loads(done.stdout)["figures"]]
    mine = f"{path}:First"
    assert met == [(mine, "random"), ("random", mine), (mine, mine)]


def test_a_bot_wins_half_of_its_matches_against_itself() -> None:
    together = meet(catalogue.find("agram"), 2, "random", "random", {}, deals=2, workers=1)
    assert (together["matches"], together["share"]) == (4, 0.5)
    each_alone = alone(catalogue.find("thief"), "random", "random", {}, deals=4, seconds=math.inf)
    assert (each_alone["matches"], each_alone["share"]) == (4, 0.5)


def test_a_single_match_is_played_with_the_seats_swapped_too() -> None:
    command = [sys.executable, "-m", "bench.strength", "pairs", "agram", "1", "--json", "--pairs", "random:random"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [figure["matches"] for figure in json.loads(done.stdout)["figures"]] == [2]
