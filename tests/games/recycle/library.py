"""The texts that tests read from files, with their table files."""

from __future__ import annotations

from pathlib import Path

from games.recycle.game import RecycleGame
from games.recycle.labels import Labels
from games.recycle.provider import FOLDER

LIBRARY = sorted(FOLDER.glob("*.rcy"))
WORKSHOP = Path(__file__).parents[3] / "cardsite" / "workshop"
PATTERNS = sorted((WORKSHOP / "patterns").glob("*.rcy"))
STRANGERS = sorted((Path(__file__).parent / "strangers").glob("*.rcy"))  # texts that nobody tuned the site for


def table_of(path: Path) -> str:
    """Return the table file of a text, "" if it has none."""
    table = path.with_suffix(".toml")
    return table.read_text("utf-8") if table.exists() else ""


def labels_of(path: Path) -> Labels:
    """Return the labels of a text, from its table file if it has one."""
    return Labels.read(table_of(path))


def game_of(path: Path) -> RecycleGame:
    """Return the game of a text, with its table file if it has one."""
    return RecycleGame(path.stem, path.read_text("utf-8"), table_of(path))
