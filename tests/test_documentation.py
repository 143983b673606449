"""What the pages say about the code that can be checked by reading both."""

from __future__ import annotations

import os
import re
from pathlib import Path

from games import catalogue

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-redis.lock")


# Words of our old dialect that are plain English in a sentence, but not as part of a name: names say send, notify,
# receive, determinization, sandbox, section, clock compensation.
DIALECT = {
    "bench", "credit", "gallery", "hear", "heard", "hears", "knock", "shelf", "tell", "telling", "tells",
    "told", "whoever", "worlds",
}  # fmt: skip
ALLOWED = {
    "credit_ms": "a column of an older database, in the test of upgrades",
    "credit_ply": "a column of an older database, in the test of upgrades",
    "keeper_id": "a column of an older database, in the test of upgrades",
}


def files(*suffixes: str) -> list[Path]:
    """Return the files of the project with these suffixes. An archive has them too, so git is not asked."""
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    results: list[Path] = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if not name.startswith(".") and f"{name}/" not in ignored]
        results += [Path(folder, name) for name in names if name.endswith(suffixes)]
    return sorted(results)


def test_every_file_that_a_page_links_to_is_there() -> None:
    links = [(page, link) for page in files(".md") for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())]
    assert len(links) > 50
    assert not [(page, link) for page, link in links if "://" not in link and not (page.parent / link).exists()]


def test_every_path_that_a_page_names_is_there() -> None:
    folders = "games|cardsite|static|templates|tests|bench|docs"
    named = {
        (page, path)
        for page in files(".md")
        for path in re.findall(rf"`((?:{folders})/[\w./@-]*\w)`", page.read_text())
    }
    assert len(named) > 100
    placeholders = re.compile(r"NAME|LANGUAGE|CODE")
    assert not [(page, path) for page, path in named if not placeholders.search(path) and not (ROOT / path).exists()]


def test_no_line_is_too_long() -> None:
    """Except rows of tables, code and web addresses, which cannot be wrapped."""
    folders = ("docs", "bench", "games", "cardsite")
    found = []
    for page in files(".md"):
        inside = page.relative_to(ROOT)
        if inside.parts[0] not in folders and inside.name not in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
            continue
        prose = re.sub(r"^```.*?^```$", lambda code: "\n" * code[0].count("\n"), page.read_text(), flags=re.M | re.S)
        for number, line in enumerate(prose.splitlines(), 1):
            if len(line) > 120 and not line.lstrip().startswith("|") and "://" not in line:
                found.append(f"{inside}:{number}")
    assert not found


def test_no_lock_names_a_registry() -> None:
    for lock in LOCKS:
        assert not re.search(r"://|--(extra-)?index|--find-links", (ROOT / lock).read_text()), lock


def test_the_site_runs_on_the_same_releases_that_the_tests_run_on() -> None:
    site, development = (set(re.findall(r"^\S+==.*$", (ROOT / lock).read_text(), re.MULTILINE)) for lock in LOCKS[:2])
    assert site < development


def test_every_built_in_game_is_in_the_list_of_pages() -> None:
    page = (ROOT / "docs" / "README.md").read_text()
    for game in catalogue.listed(catalogue.providers[0]):
        assert f"[{game.title}](../games/{game.name}/rules.md)" in page


def test_no_name_in_the_code_has_a_word_that_is_not_plain() -> None:
    """Codespell reads whole words, so it does not see the parts of compound names."""
    words = DIALECT | {line.partition("->")[0] for line in (ROOT / "docs" / "wording.txt").read_text().splitlines()}
    others = re.compile("/migrations/|/static/bundles/|/static/vendor/")  # of history, generated, of others
    code = [path for path in files(".py", ".js", ".html") if not others.search(path.as_posix())]
    assert len(code) > 1000
    wrong: dict[str, Path] = {}
    for path in code:
        for name in set(re.findall(r"\w+", path.read_text())) - ALLOWED.keys():
            parts = {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
            if len(parts) > 1 and parts & words:
                wrong[name] = path
    assert not wrong, sorted(wrong)
