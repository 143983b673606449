"""Logs of matches as CSV files, one for each match, and a merged one.

The files are what pandas would write: a nameless first column counts the rows, columns are in the order in which they
first occur, a missing value is empty, and whole numbers in a column with gaps end in ".0".
"""

from __future__ import annotations

import csv
import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from games.core.game import LogRow

MERGED = "GameLogs.csv"
_FILE = re.compile(r"game_(\d+)\.csv")


class BadLogs(ValueError):
    """Logs that cannot be merged; the message names the file and the problem."""


def file_name(match: int) -> str:
    """Return the name of the log of a match."""
    return f"game_{match}.csv"


def write(path: Path, rows: Iterable[LogRow]) -> None:
    """Write the log of a match, atomically."""
    table = list(rows)
    columns = list(dict.fromkeys(name for row in table for name in row))
    gaps = {name for name in columns if any(name not in row for row in table)}
    with _whole_file(path) as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["", *columns])
        for index, row in enumerate(table):
            out.writerow([index, *(_cell(row.get(name, ""), name in gaps) for name in columns)])


def _cell(value: int | float | str, gaps: bool) -> int | float | str:
    return float(value) if gaps and not isinstance(value, str) else value


@contextmanager
def _whole_file(path: Path) -> Iterator[TextIO]:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


# -- many into one


def merge(folder: Path, out: Path) -> int:
    """Merge all logs of a folder into one file, and return their number.

    Columns: game_id, round_id, then all others by name; rows are sorted by these two. Files are read twice, row by row:
    first for their columns, then for their rows. Raises BadLogs.
    """
    files = sorted((int(match[1]), path) for path in folder.iterdir() if (match := _FILE.fullmatch(path.name)))
    if not files:
        raise BadLogs(f"There is no game_0.csv, game_1.csv, ... in {folder}.")
    columns: dict[str, _Column] = {}
    for _, path in files:
        _survey(path, columns)
    for column in columns.values():
        column.gaps |= column.files < len(files)
    names = ["round_id", *sorted(name for name in columns if name != "round_id")]
    with _whole_file(out) as file:
        merged = csv.writer(file, lineterminator="\n")
        merged.writerow(["game_id", *names])
        for game, path in files:
            for row in sorted(_rows(path), key=lambda row: float(row["round_id"])):
                merged.writerow([game, *(columns[name].show(row.get(name, "")) for name in names)])
    return len(files)


@dataclass
class _Column:
    """What the values of a column have in common."""

    files: int = 0  # number of files that have it
    gaps: bool = False  # whether a value is missing in some row or file
    numbers: bool = True  # whether each value is a number ...
    whole: bool = True  # ... and a whole one

    def add(self, value: str) -> None:
        if value == "":
            self.gaps = True
        elif self.numbers:
            self.whole = self.whole and value.removeprefix("-").isdecimal()
            self.numbers = self.whole or _is_number(value)

    def show(self, value: str) -> str:
        """Return a value of this column as pandas writes it."""
        if value == "" or not self.numbers or (self.whole and not self.gaps):
            return value
        return str(float(value))


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _survey(path: Path, columns: dict[str, _Column]) -> None:
    counted = False
    for row in _rows(path):
        for name, value in row.items():
            column = columns.setdefault(name, _Column())
            column.files += not counted
            column.add(value)
        counted = True


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if "round_id" not in (reader.fieldnames or []):
                raise BadLogs(f"{path} has no column round_id: it is not the log of a match.")
            for row in reader:
                row.pop("", None)
                if None in row or None in row.values():
                    raise BadLogs(f"{path}, line {reader.line_num}, does not have as many values as there are columns.")
                if not _is_number(row["round_id"]) or math.isnan(float(row["round_id"])):
                    raise BadLogs(
                        f"{path}, line {reader.line_num}: the round_id is {row['round_id']!r}, which is not a number."
                    )
                yield row
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadLogs(f"{path} is not a CSV file in UTF-8: {error}.") from None
