"""Matches saved in a folder as they are played, so that an interrupted run can continue.

A folder has the settings of its matches, and files with one line of JSON for each match, in no order. Other settings
are refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from games.core import BadOption

SETTINGS = "settings.json"
PLAYED = "matches"  # the folder of the lines
QUICK = 25  # matches per task if no bot searches; as many are lost by an interruption


def settings_in(folder: Path) -> dict[str, Any] | None:
    """Return the settings of the matches in a folder; None if there are none. Raises BadOption, OSError."""
    try:
        stored = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        stored = None
    if not isinstance(stored, dict):
        raise BadOption(f"{folder / SETTINGS} cannot be read. Choose another folder, or remove the file.")
    return stored


def claim(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make a folder for matches with these settings, or check that it is one. Raises BadOption, OSError."""
    mine, there = json.loads(json.dumps(settings)), settings_in(folder)
    if there is None:
        (folder / PLAYED).mkdir(parents=True, exist_ok=True)
        write_whole(folder / SETTINGS, json.dumps(mine, indent=2) + "\n")
    elif there != mine:
        other = [name for name in {**mine, **there} if there.get(name) != mine.get(name)]
        raise BadOption(f"{folder} has matches with other settings: {', '.join(other)}. Choose another folder.")


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: see ``replace_whole``."""
    replace_whole(path, lambda new: new.write_text(text, encoding="utf-8", newline=""))


def replace_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Replace a file atomically by what ``write`` writes at the path of a temporary file. Raises what it raises."""
    new = path.with_name(f".{path.name}.new")
    try:
        write(new)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def portions(indexes: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield the match numbers in lists of ``size``, one for each task."""
    rest = iter(indexes)
    while some := list(islice(rest, size)):
        yield some


def as_line(match: Mapping[str, Any]) -> str:
    """Return a match as a line of JSON; its number is ``index``."""
    return json.dumps(match, separators=(",", ":"))


class MatchFile:
    """A file with one line of JSON for each match, in no order. Raises BadOption for other contents."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[int, int] = {}  # offset of each match's line in the file
        self._length = 0
        if path.exists():
            with path.open("rb") as lines:
                for line in lines:
                    if not line.endswith(b"\n"):  # incomplete: the process was killed while writing it
                        break
                    try:
                        self._places[json.loads(line)["index"]] = self._length
                    except (ValueError, TypeError, KeyError):
                        raise BadOption(f"{path} has a line that is not a match. Choose another folder.") from None
                    self._length += len(line)
            os.truncate(path, self._length)

    def __contains__(self, index: int) -> bool:
        return index in self._places

    def count(self, matches: int) -> int:
        """Return how many of the matches 0 to ``matches`` - 1 are there."""
        return sum(index < matches for index in self._places)

    def add(self, indexes: Sequence[int], lines: Sequence[str]) -> int:
        """Append the matches that are not there yet, in one write; return their number."""
        new = [(index, f"{line}\n".encode()) for index, line in zip(indexes, lines, strict=True) if index not in self]
        with self.path.open("ab") as file:
            file.write(b"".join(line for _index, line in new))
        for index, line in new:
            self._places[index] = self._length
            self._length += len(line)
        return len(new)

    def first(self, matches: int) -> Iterator[dict[str, Any]]:
        """Yield the matches 0 to ``matches`` - 1 that are there, in order."""
        if self._places:
            with self.path.open("rb") as file:
                for index in sorted(index for index in self._places if index < matches):
                    file.seek(self._places[index])
                    yield json.loads(file.readline())
