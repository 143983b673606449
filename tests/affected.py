"""Which tests an edit can break, for ``make check``: ``pytest --affected-by="games/camelup templates/lab"``.

The import contracts in ``pyproject.toml`` keep the parts of the project apart, so what an edit can break follows from
what imports what. Three things cannot be read from imports, and are rules here: the site knows games by the catalogue
alone, so a game is tested in ``tests/games`` and wherever a case carries its name; a page is found by its address, so
a view is tested by all files that import anything of its app; and scripts, styles and templates are tested in the
browser, by the part of the site that they belong to.

It is a choice of what to run first. ``make test`` runs everything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grimp
import pytest

from tests.tiers import keep

ROOT = Path(__file__).parents[1]

# The browser tests of each part of the site; those of the table are all others.
BROWSER = {
    "front": {"axe", "front", "installable", "languages", "lan", "people"},
    "circles": {"axe", "circles", "people"},
    "tournaments": {"axe", "tournaments"},
    "people": {"axe", "admin_site", "front", "people"},
    "admin": {"admin_site"},
    "backroom": {"backroom"},
    "lab": {"axe", "charts", "lab"},
    "workshop": {"recycle", "workshop", "workshop_walk"},
    "replay": {"replay", "render_table", "spectator_pace"},
}
AT_A_TABLE = {"axe", "spectator_pace", "people", "recycle", "render_table"}  # those that are tests of the table, too
DOCS = {"tests/test_documentation.py", "tests/test_deployment.py", "tests/games/test_written_game.py"}


class Affected:
    """What is to run after an edit of some files or folders, named from the root of the project.

    ``files`` are test files that run whole. Of all others, the cases run that carry one of the ``names`` (of games).
    ``everything`` is whether no choice can be made: the edit concerns the whole project.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """Work out what ``paths`` can break. Raises ``pytest.UsageError`` for one that does not exist."""
        self.files: set[str] = set()
        self.names: set[str] = set()
        self.everything = False
        for path in paths:
            self._add(path.strip("/"))

    def _add(self, path: str) -> None:
        if not (ROOT / path).exists():
            raise pytest.UsageError(f"--affected-by: there is no {path}")
        top, *below = path.split("/")
        if top == "tests" and below:
            self._add_tests(path)
        elif below and below[0] == "locale":
            self.files |= {"tests/test_words.py", *(f"tests/browser/test_{name}.py" for name in ("boxes", "languages"))}
        elif top in ("games", "cardsite") and below:
            self._add_modules(path, top, below[0])
        elif top in ("templates", "static") and below:
            self._add_page(below)
        elif top in ("docs", "README.md", "CONTRIBUTING.md"):
            self.files |= DOCS
        elif top == "bench":
            self.files |= DOCS | {"tests/test_siege.py", "tests/games/recycle/test_costly_texts.py"}
        else:
            self.everything = True

    def _add_tests(self, path: str) -> None:
        changed = {module for module, file in test_modules().items() if file == path or file.startswith(path + "/")}
        if not changed or any(module.endswith("conftest") for module in changed):
            changed |= {module for module, file in test_modules().items() if file.startswith(str(Path(path).parent))}
        self.files |= {file for file, (tests, _) in reach().items() if tests & changed}

    def _add_modules(self, path: str, top: str, part: str) -> None:
        package = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        changed = {name for name in imports().modules if name == package or name.startswith(package + ".")}
        broken = changed.union(*map(imports().find_downstream_modules, changed))
        results = {file for file, (_, names) in reach().items() if names & broken}
        if (top, part) in (("games", "core"), ("games", "catalogue.py")):
            results = {file for file in reach() if file.startswith("tests/games/")}
        elif top == "games" and (ROOT / top / part / "game.py").exists():
            self.names.add(part)
        elif top == "cardsite" and not results:  # a view, say, which is found by its address
            app = f"cardsite.{part}."
            results = {file for file, (_, names) in reach().items() if any(name.startswith(app) for name in names)}
        self.files |= results | (browser_tests(part) if top == "cardsite" and part in BROWSER else set())

    def _add_page(self, below: list[str]) -> None:
        named = [Path(part).stem for part in below]
        part = next((part for part in named if part in BROWSER or part == "table"), "")
        self.files |= browser_tests(part) if part else set().union(*map(browser_tests, (*BROWSER, "table")))
        self.files |= {"tests/site/test_pages.py", "tests/site/test_static.py", "tests/test_words.py"}

    def has(self, item: pytest.Item) -> bool:
        """Return whether a test is to run."""
        if self.everything or str(item.path.relative_to(ROOT)) in self.files:
            return True
        case = item.nodeid.partition("[")[2]
        return not self.names.isdisjoint(re.split(r"[^a-z0-9]+", case.lower()))


def browser_tests(part: str) -> set[str]:
    """Return the browser test files of one part of the site: a key of ``BROWSER``, or "table" for all others."""
    files = {
        path.stem.removeprefix("test_"): f"tests/browser/{path.name}" for path in ROOT.glob("tests/browser/test_*.py")
    }
    elsewhere = set().union(*BROWSER.values()) - AT_A_TABLE
    names = BROWSER.get(part, files.keys() - elsewhere)
    return {files[name] for name in names}


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the edit that the command line names cannot break, if it names one."""
    paths = config.getoption("--affected-by")
    if paths is not None:
        keep(config, items, Affected(paths.split()).has)


@cache
def imports() -> grimp.ImportGraph:
    """Return which module of the project imports which, without the catalogue, which loads games by name."""
    graph = grimp.build_graph("games", "cardsite", cache_dir=None)
    graph.remove_module("games.catalogue")  # it loads each game by the name of its folder
    return graph


@cache
def test_modules() -> dict[str, str]:
    """Return all modules below ``tests``, by name, with their files."""
    files = [path.relative_to(ROOT) for path in ROOT.glob("tests/**/*.py") if "node_modules" not in path.parts]
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): str(path) for path in files}


@cache
def reach() -> dict[str, tuple[set[str], set[str]]]:
    """Return for each test file the modules of ``tests`` that it uses, itself included, and what these import of ours.

    What a ``conftest.py`` imports is left out: a file uses some of its fixtures, not all.
    """
    modules = test_modules()
    direct = {module: imported_by(ROOT / file) for module, file in modules.items()}
    reached: dict[str, tuple[set[str], set[str]]] = {}
    for module, file in modules.items():
        if not Path(file).name.startswith("test_"):
            continue
        tests, waiting = {module}, [module]
        while waiting:
            for name in direct[waiting.pop()] & modules.keys() - tests:
                if not name.endswith("conftest"):
                    tests.add(name)
                    waiting.append(name)
        reached[file] = tests, {name for test in tests for name in direct[test]} & imports().modules
    return reached


def imported_by(path: Path) -> set[str]:
    """Return the names that a file imports: those of modules, and those of what is in them."""
    results: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            results |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            results |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return results
