"""What the pages say about the code that can be checked by reading both."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from games import catalogue

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-redis.lock")


def pages() -> list[Path]:
    """Return the pages of the project. Who downloads an archive has them too, so git is not asked."""
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    found: list[Path] = []
    for folder, inner, files in os.walk(ROOT):
        inner[:] = [name for name in inner if not name.startswith(".") and f"{name}/" not in ignored]
        found += [Path(folder, name) for name in files if name.endswith(".md")]
    return sorted(found)


def test_the_deployment_page_lists_every_variable_that_the_settings_read() -> None:
    read = re.findall(r'(?:environ\.get\(|_switch\()"([A-Z_]+)"', (ROOT / "cardsite/settings.py").read_text())
    told = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/deployment.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(set(read))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_registry(lock: str) -> None:
    assert not re.search(r"://|--(extra-)?index|--find-links", (ROOT / lock).read_text())


def test_the_site_runs_on_the_same_releases_that_the_tests_run_on() -> None:
    site, development = (set(re.findall(r"^\S+==.*$", (ROOT / lock).read_text(), re.MULTILINE)) for lock in LOCKS[:2])
    assert site < development


def test_every_game_of_the_house_stands_in_the_list_of_pages() -> None:
    page = (ROOT / "docs" / "README.md").read_text()
    for game in catalogue.listed(catalogue.shelves[0]):
        assert f"[{game.title}](../games/{game.name}/rules.md)" in page
