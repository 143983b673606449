"""Matches that are kept in a folder as they come, so that a run that was interrupted goes on where it was.

A folder has the settings of its matches, and files with a line of JSON for each match, in no order. It is for matches
of one kind: with other settings it is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from games.core import BadOption

SETTINGS = "settings.json"
PLAYED = "matches"  # the folder of the lines
QUICK = 25  # matches handed to a worker at once where nobody thinks for long: what is lost when it is interrupted


def settings_in(folder: Path) -> dict[str, Any] | None:
    """Return the settings of the matches in a folder; None where there are none. Raises BadOption, OSError."""
    try:
        found = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BadOption(f"{folder / SETTINGS} cannot be read. Choose another folder, or remove it.")
    return found


def claim(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make a folder for matches with these settings, or see that it is one. Raises BadOption, OSError."""
    mine, there = json.loads(json.dumps(settings)), settings_in(folder)
    if there is None:
        (folder / PLAYED).mkdir(parents=True, exist_ok=True)
        write_whole(folder / SETTINGS, json.dumps(mine, indent=2) + "\n")
    elif there != mine:
        other = [name for name in {**mine, **there} if there.get(name) != mine.get(name)]
        raise BadOption(f"{folder} keeps matches of other settings: {', '.join(other)}. Choose another folder.")


def write_whole(path: Path, text: str) -> None:
    """Write a file that is never seen half-written: under another name first."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8", newline="")
    os.replace(new, path)


def portions(indexes: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield some numbers of matches at a time: what is handed to a worker at once."""
    rest = iter(indexes)
    while some := list(islice(rest, size)):
        yield some


def as_line(match: Mapping[str, Any]) -> str:
    """Return a match as it is kept; its number is ``index``."""
    return json.dumps(match, separators=(",", ":"))


class MatchFile:
    """A file with a line of JSON for each match, in no order. Raises BadOption for one that is something else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[int, int] = {}  # where in the file the line of a match begins
        self._length = 0
        if path.exists():
            with path.open("rb") as lines:
                for line in lines:
                    if not line.endswith(b"\n"):  # what was being written when the power went
                        break
                    try:
                        self._places[json.loads(line)["index"]] = self._length
                    except (ValueError, TypeError, KeyError):
                        raise BadOption(f"{path} holds a line that is no match. Choose another folder.") from None
                    self._length += len(line)
            os.truncate(path, self._length)

    def __contains__(self, index: int) -> bool:
        return index in self._places

    def count(self, matches: int) -> int:
        """Return how many of matches 0 to ``matches`` - 1 are there."""
        return sum(index < matches for index in self._places)

    def add(self, indexes: Sequence[int], lines: Sequence[str]) -> int:
        """Append matches, those that are not there yet, in one piece; return how many they are."""
        new = [(index, f"{line}\n".encode()) for index, line in zip(indexes, lines, strict=True) if index not in self]
        with self.path.open("ab") as file:
            file.write(b"".join(line for _index, line in new))
        for index, line in new:
            self._places[index] = self._length
            self._length += len(line)
        return len(new)

    def first(self, matches: int) -> Iterator[dict[str, Any]]:
        """Yield those of matches 0 to ``matches`` - 1 that are there, in their order."""
        if self._places:
            with self.path.open("rb") as file:
                for index in sorted(index for index in self._places if index < matches):
                    file.seek(self._places[index])
                    yield json.loads(file.readline())
