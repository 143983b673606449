"""What `make check` chooses to run after an edit."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.affected import BROWSER, ROOT, Affected, browser_tests
from tests.tiers import full


def test_a_template_is_tested_in_the_browser_by_its_part_of_the_site_and_by_no_game() -> None:
    files = Affected(["templates/lab/report.html"]).files
    assert {"tests/browser/test_lab.py", "tests/browser/test_charts.py", "tests/site/test_pages.py"} <= files
    assert not any(file.startswith("tests/games/") or file.endswith("test_workshop.py") for file in files)


def test_what_all_pages_share_is_tested_by_all_of_them() -> None:
    every = {f"tests/browser/{path.name}" for path in (ROOT / "tests/browser").glob("test_*.py")}
    assert set().union(*map(browser_tests, (*BROWSER, "table"))) == every
    assert Affected(["static/css"]).files >= every


@full
def test_a_game_is_tested_by_its_own_files_and_by_no_other_game_nor_the_site() -> None:
    affected = Affected(["games/camelup/rules.py"])
    assert affected.names == {"camelup"}
    assert {"tests/games/test_camelup_rules.py", "tests/games/test_camelup_engines.py"} <= affected.files
    assert all(file.startswith("tests/games/") for file in affected.files)
    assert "tests/games/test_hamsterdam_rules.py" not in affected.files


def test_the_core_is_tested_by_all_games_and_not_by_the_site() -> None:
    files = Affected(["games/core/state.py"]).files
    assert {"tests/games/test_every_game.py", "tests/games/test_thief_rules.py"} <= files
    assert all(file.startswith("tests/games/") for file in files)


def test_a_module_of_the_site_is_tested_by_all_that_imports_it() -> None:
    files = Affected(["cardsite/people/services.py"]).files
    assert {"tests/site/test_people.py", "tests/site/test_privacy.py", "tests/browser/test_admin_site.py"} <= files
    assert not any(file.startswith("tests/games/") for file in files)


def test_a_helper_of_the_tests_runs_the_files_that_use_it() -> None:
    assert "tests/games/test_thief_rules.py" in Affected(["tests/games/thief.py"]).files
    assert Affected(["tests/site/test_rig.py"]).files == {"tests/site/test_rig.py"}


def test_an_edit_that_concerns_the_whole_project_leaves_nothing_out() -> None:
    assert Affected(["pyproject.toml"]).everything


def test_a_path_that_does_not_exist_is_named() -> None:
    with pytest.raises(pytest.UsageError, match="there is no games/chess"):
        Affected(["games/chess"])


@full
def test_in_other_test_files_only_the_cases_of_the_game_are_run() -> None:
    asked = ["tests/games/test_every_game.py", "tests/games/test_thief_rules.py", "--collect-only", "-q"]
    command = [sys.executable, "-m", "pytest", *asked, "--affected-by=games/camelup", "-o", "addopts="]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    chosen = [line for line in listed if "::" in line]
    assert chosen
    assert all("camelup" in line for line in chosen)
