"""What the studies publish: figures as JSON, charts, and the figures in their pages.

A page is written by hand, but its figures are between ``<!-- (name) -->`` and ``<!-- / -->``: a table, a few words or a
number that the command inserts. So none differs from the stored figures.
"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from games.lab.intervals import wilson
from games.lab.report_types import Figure
from games.lab.saved import write_whole

SHIPPED = Path(__file__).parent
FIGURES = "figures.json"
LONGEST_ROW = 200  # characters in FIGURES
_PLACEHOLDER = re.compile(r"(<!-- \((?P<name>[\w-]+)\) -->).*?(<!-- / -->)", re.DOTALL)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return a page with values for its placeholders. Raises KeyError for a placeholder without a value.

    >>> fill("It is <!-- (rate) --><!-- / -->.", {"rate": "5 %"})
    'It is <!-- (rate) -->5 %<!-- / -->.'
    """
    return _PLACEHOLDER.sub(lambda match: match[1] + values[match["name"]] + match[3], text)


def publish(
    name: str, figures: Mapping[str, Any], values: Mapping[str, str], charts: Mapping[str, str], into: Path = SHIPPED
) -> None:
    """Write the figures and charts of a study, and fill the placeholders of its page, if there is one."""
    folder = into / name
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / FIGURES, in_rows(figures) + "\n")
    for file, svg in charts.items():
        write_whole(folder / file, svg)
    text = into / f"{name}.md"
    if text.exists():
        write_whole(text, fill(text.read_text(encoding="utf-8"), values))


def in_rows(value: Any, indent: str = "") -> str:
    """Return JSON with each object or list on one line if it fits there, and lists of numbers in paragraphs.

    >>> print(in_rows({"seats": [2, 3], "wins": [{"value": 0.5, "low": 0.4}]}))
    {"seats": [2, 3], "wins": [{"value": 0.5, "low": 0.4}]}
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) < LONGEST_ROW or not isinstance(value, dict | list):
        return line
    deeper = indent + " "
    if '"' not in line:
        return textwrap.fill(line, LONGEST_ROW, subsequent_indent=deeper)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {in_rows(each, deeper)}" for key, each in value.items()]
        first, last = "{}"
    else:
        parts = [in_rows(each, deeper) for each in value]
        first, last = "[]"
    return f"{first}\n{deeper}" + f",\n{deeper}".join(parts) + f"\n{indent}{last}"


def shipped(name: str, into: Path = SHIPPED) -> Any:
    """Return the stored figures of a study."""
    return json.loads((into / name / FIGURES).read_text(encoding="utf-8"))


def command(
    parser: argparse.ArgumentParser, usual: Any, about: Mapping[str, str]
) -> tuple[dict[str, Any], int, Path, bool]:
    """Read a study's command line. Return its settings, how many processes, the folder, and whether to measure nothing.

    Each setting, a field of the dataclass ``usual``, is an option; one that is a tuple takes several values. ``about``:
    the help of an option.
    """
    for field in fields(usual):
        value = getattr(usual, field.name)
        first = value[0] if isinstance(value, tuple) else value
        several = "*" if isinstance(value, tuple) else None
        option = "--" + field.name.replace("_", "-")
        parser.add_argument(option, type=type(first), nargs=several, default=value, help=about.get(field.name))
    parser.add_argument("--workers", type=int, default=1, help="processes to use")
    parser.add_argument("--into", type=Path, default=SHIPPED, help="the folder of the studies")
    parser.add_argument(
        "--again", action="store_true", help="measure nothing: write page and charts by the stored figures"
    )
    asked: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in vars(parser.parse_args()).items()
    }
    return asked, asked.pop("workers"), asked.pop("into"), asked.pop("again")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, with a blank line before and after."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n\n" + "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n\n"


def counted(wins: float, matches: int) -> Figure:
    """Return a rate with Wilson's interval."""
    low, high = wilson(wins, matches)
    return {"value": rounded(wins / matches), "low": rounded(low), "high": rounded(high), "matches": matches}


def rounded(value: float) -> float:
    """Return a figure rounded for the file."""
    return round(value, 5)


def percent(figure: Figure) -> str:
    """Return a rate for readers: "93.1 % (91.2 - 94.6)"."""
    value = f"{100 * figure['value']:.1f} %"
    if figure["low"] is None or figure["high"] is None:
        return value
    return f"{value} ({100 * figure['low']:.1f} - {100 * figure['high']:.1f})"


def number(figure: Figure, digits: int = 2) -> str:
    """Return a mean with its interval: "3.21 (3.15 - 3.27)"."""
    value = f"{figure['value']:.{digits}f}"
    if figure["low"] is None or figure["high"] is None:
        return value
    return f"{value} ({figure['low']:.{digits}f} - {figure['high']:.{digits}f})"
