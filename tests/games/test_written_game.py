"""The game of docs/writing-a-game.md works as other games do, and nothing outside its folder mentions it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import full

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "writing-a-game.md"
PARTS = ("bench", "cardsite", "docs", "games", "static", "templates", "tests", "manage.py", "pyproject.toml")
RULES = "# Mouse Market\n\n" + "Lay out your cards, or guess what somebody else holds and have it. " * 30 + "\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this repository with the game of the page added, and nothing else."""
    copy = tmp_path_factory.mktemp("copy")
    junk = shutil.ignore_patterns("__pycache__", "node_modules", "failures")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy / part, ignore=junk)
        else:
            shutil.copy(ROOT / part, copy / part)
    files = re.findall(r"```python\n# (games/market/\w+\.py)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert [name for name, _ in files] == [f"games/market/{name}.py" for name in ("rules", "table", "bots", "game")]
    (copy / "games/market").mkdir()
    for name, text in files:
        (copy / name).write_text(text)
    (copy / "games/market/__init__.py").touch()
    (copy / "games/market/rules.md").write_text(RULES)
    run(copy, "-m", "tests.playthroughs")
    return copy


def run(project: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@full
def test_it_passes_every_test_that_games_have_to_pass(project: Path) -> None:
    output = run(project, "-m", "pytest", "tests/games", "-k", "market", "-p", "no:cacheprovider")
    passed = re.search(r"(\d+) passed", output)
    assert passed, output
    assert int(passed[1]) > 60


@full
def test_it_passes_the_style_and_type_checks_and_import_contracts(project: Path) -> None:
    bin_folder = Path(sys.executable).parent
    for command in (
        [str(bin_folder / "ruff"), "check", "games/market"],
        [str(bin_folder / "mypy"), "--config-file=", "--strict", "--python-version=3.11", "games/market"],
        [str(bin_folder / "lint-imports"), "--no-cache"],
    ):
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@full
def test_it_is_known_to_the_command_line(project: Path) -> None:
    assert "market: Mouse Market, 2 to 4 seats (usually 3)" in run(project, "-m", "games", "list")
    output = run(project, "-m", "games", "simulate", "market", "100", "house", "random", "house", "--seed", "1")
    assert "market: 100 matches, seed 1" in output


@full
def test_nothing_outside_its_folder_and_its_tests_has_changed(project: Path) -> None:
    mine = ("games/market/", "tests/playthroughs/")
    for path in project.rglob("*"):
        name = str(path.relative_to(project))
        if path.is_file() and "__pycache__" not in name and not name.startswith((*mine, ".")):
            assert path.read_bytes() == (ROOT / name).read_bytes(), name
