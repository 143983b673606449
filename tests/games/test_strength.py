"""The benchmark of bots takes those of files, too."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
