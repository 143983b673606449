"""``games`` installs alone: its wheel runs in an environment that has no Django."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tiers import full

ROOT = Path(__file__).resolve().parents[2]
SITE_ONLY = ("django", "channels", "daphne", "redis", "psycopg")

Run = Callable[..., str]


@pytest.fixture(scope="module")
def install(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Return a function that installs the wheel and its dependencies alone, with an extra such as "[env]" or "".

    It returns a function that runs Python there with arguments.
    """
    folder = tmp_path_factory.mktemp("alone")
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "games", source / "games", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    uv = Path(sys.executable).with_name("uv")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", folder, source)
    [wheel] = folder.glob("*.whl")

    def install(extra: str) -> Run:
        place, known = folder / f"venv{extra}", ROOT / "requirements-dev.lock"
        python = place / "bin" / "python"
        run(uv, "venv", "--quiet", "--python", sys.executable, place)
        run(uv, "pip", "install", "--quiet", "--python", python, "--constraint", known, f"{wheel}{extra}")
        return lambda *arguments: run(python, *arguments)

    return install


@pytest.fixture(scope="module")
def installed(install: Callable[[str], Run]) -> Run:
    """Return a function that runs Python with arguments where only the wheel and its dependencies are installed."""
    return install("")


@full  # builds a wheel and downloads what it needs
def test_a_wheel_without_django_simulates_every_kind_of_game(installed: Run) -> None:
    result = f"from importlib.util import find_spec; print([name for name in {SITE_ONLY} if find_spec(name)])"
    assert installed("-c", result) == "[]\n"
    for command in ("hamsterdam 4 house random random", "camelup 2 strong easy", "agram 4 house random"):
        assert "matches, seed" in installed("-m", "games", "simulate", *command.split())


@full
def test_a_wheel_has_the_rules_pages_and_translations(installed: Run) -> None:
    code = """
from games import catalogue
for name in ("thief", "agram"):
    game = catalogue.find(name)
    pages = {game.rules_page(language) for language in ("en", "nl", "fr", "de")}
    assert len(pages) == 4, name
"""
    installed("-c", code)


@full
def test_the_example_trains_a_player_from_a_wheel(install: Callable[[str], Run], tmp_path: Path) -> None:
    example = shutil.copy(ROOT / "docs" / "examples" / "train.py", tmp_path)  # no clone is around it there
    assert "after 20 matches" in install("[env]")(example, "kuhn", "20", "20")
