"""The command that takes a game's screenshot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.running_site import ROOT
from tests.tiers import full


@full
@pytest.mark.parametrize("game", ["hamsterdam", "thief"])  # cards and bots; a board, and nobody else
def test_the_picture_of_a_game_is_a_webp_of_a_table_720_pixels_wide(tmp_path: Path, game: str) -> None:
    path = tmp_path / "table.webp"
    command = [sys.executable, "-m", "tests.browser.picture", game, "--to", str(path)]
    subprocess.run(command, cwd=ROOT, check=True)
    picture = path.read_bytes()
    assert (picture[:4], picture[8:16]) == (b"RIFF", b"WEBPVP8X")
    width, height = (int.from_bytes(picture[at : at + 3], "little") + 1 for at in (24, 27))
    assert (width, height) == (720, 432)
    assert 10_000 < len(picture) < 60_000


def test_an_unknown_game_has_no_screenshot() -> None:
    command = [sys.executable, "-m", "tests.browser.picture", "nonesuch"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "nonesuch" in done.stderr
