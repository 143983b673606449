"""The files of a simulation: the report as JSON, and a row for each match as CSV and Parquet.

The table is the same, byte for byte, for any number of workers and interruptions.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.core import BadOption
from games.core.ranks import win_shares
from games.lab.saved import replace_whole, write_whole
from games.lab.simulate import Simulation, SimulationReport, lines_in

if TYPE_CHECKING:
    import pyarrow

REPORT, CSV, PARQUET = "report.json", "matches.csv", "matches.parquet"
GROUP = 50_000  # rows per Parquet row group

Cell = int | float | str | None


def columns(seats: int) -> dict[str, type]:
    """Return the columns of the table with their types, of the match and then of each seat; None without a result.

    ``seed`` is that of the single match, in hexadecimal. ``win`` is the seat's share of the win. ``failures`` are those
    of bots.
    """
    named: dict[str, type] = {
        "match": int, "seed": str, "decisions": int, "options": int, "forced": int, "failures": int, "broken": str,
    }  # fmt: skip
    for seat in range(seats):
        named |= {f"bot_{seat}": str, f"score_{seat}": float, f"rank_{seat}": int, f"win_{seat}": float}
    return named


def rows(simulation: Simulation, folder: Path, matches: int) -> Iterator[list[Cell]]:
    """Yield the rows of the table, ordered by match."""
    for each in lines_in(folder).first(matches):
        counted = each["decisions"], each["options"], each["forced"], sum(each["failures"].values())
        row: list[Cell] = [each["index"], simulation.match_seed(each["index"]).hex(), *counted, each["broken"]]
        seats: Sequence[tuple[Cell, Cell, Cell]] = [(None, None, None)] * len(simulation.bots)
        if not each["broken"]:
            shares = win_shares(each["winners"], len(simulation.bots))
            seats = list(zip(map(float, each["scores"]), each["ranks"], shares, strict=True))
        for bot, seat in zip(simulation.bots, seats, strict=True):
            row += [bot, *seat]
        yield row


def publish(
    simulation: Simulation, matches: int, report: SimulationReport, folder: Path, *, parquet: bool
) -> list[Path]:
    """Write the report and the table into the folder of a simulation, and return the files. Raises OSError.

    ``parquet``: also as Parquet. Call ``check_parquet`` before the simulation.
    """
    write_whole(folder / REPORT, json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    made = [folder / REPORT, folder / CSV]
    replace_whole(folder / CSV, lambda path: _write_csv(path, simulation, folder, matches))
    if parquet:
        made.append(folder / PARQUET)
        replace_whole(folder / PARQUET, lambda path: _write_parquet(path, simulation, folder, matches))
    return made


def check_parquet() -> None:
    """Check that Parquet can be written. Raises BadOption, which says what to install."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise BadOption("--parquet needs pyarrow, which is not installed: pip install pyarrow") from None


def _write_csv(path: Path, simulation: Simulation, folder: Path, matches: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns(len(simulation.bots)))
        out.writerows(rows(simulation, folder, matches))


def _write_parquet(path: Path, simulation: Simulation, folder: Path, matches: int) -> None:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    kinds: dict[type, pyarrow.DataType] = {int: pa.int64(), float: pa.float64(), str: pa.string()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns(len(simulation.bots)).items()])
    all_rows = rows(simulation, folder, matches)
    with ParquetWriter(path, schema) as out:
        while some := list(islice(all_rows, GROUP)):
            values: list[tuple[Any, ...]] = list(zip(*some, strict=True))
            out.write_table(pa.table(values, schema=schema))
