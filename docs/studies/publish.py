"""What the studies publish: figures as JSON, charts, and the figures in their pages.

A page is written by hand, but its figures are between ``<!-- (name) -->`` and ``<!-- / -->``: a table, a few words or a
number that the command inserts. So none differs from the stored figures.

With ``--work FOLDER`` the command of a study keeps what it has measured there, and continues after an interruption.
With ``--into FOLDER`` it writes a copy of the page with its own figures there, and leaves the shipped ones alone.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from games.lab.intervals import wilson
from games.lab.pool import in_workers, program
from games.lab.printed import bars
from games.lab.report_types import Figure
from games.lab.saved import claim, write_whole

SHIPPED = Path(__file__).parent
FIGURES = "figures.json"
NOT_MEASURED = "not measured"
LONGEST_ROW = 200  # characters in FIGURES
_PLACEHOLDER = re.compile(r"(<!-- \((?P<name>[\w-]+)\) -->).*?(<!-- / -->)", re.DOTALL)


def fill(text: str, values: Mapping[str, str], missing: str | None = None) -> str:
    """Return a page with values for its placeholders.

    Those without a value get ``missing``. Raises KeyError if that is None.

    >>> fill("It is <!-- (rate) --><!-- / -->.", {"rate": "5 %"})
    'It is <!-- (rate) -->5 %<!-- / -->.'
    """

    def value(name: str) -> str:
        return values[name] if missing is None else values.get(name, missing)

    return _PLACEHOLDER.sub(lambda match: match[1] + value(match["name"]) + match[3], text)


def publish(
    name: str, figures: Mapping[str, Any], values: Mapping[str, str], charts: Mapping[str, str], into: Path = SHIPPED
) -> None:
    """Write the figures and charts of a study, and its page with these figures.

    Raises KeyError, before anything is written, if the page that comes with the project would lack a figure. A page
    elsewhere says "not measured" there: it may be of fewer games.
    """
    missing = None if into.resolve() == SHIPPED.resolve() else NOT_MEASURED
    text = fill((SHIPPED / f"{name}.md").read_text(encoding="utf-8"), values, missing)
    folder = into / name
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / FIGURES, in_rows(figures) + "\n")
    for file, svg in charts.items():
        write_whole(folder / file, svg)
    write_whole(into / f"{name}.md", text)


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


Task = TypeVar("Task", bound=tuple[Any, ...])


def command(
    name: str,
    usual: Any,
    about: Mapping[str, str],
    measure: Callable[[Any, Path, int], Mapping[str, Any]],
    page_values: Callable[[Mapping[str, Any]], dict[str, str]],
    charts: Callable[[Mapping[str, Any]], dict[str, str]],
) -> None:
    """Run the command of a study: measure, and write the figures, the charts and the values in the page.

    Each setting, a field of the dataclass ``usual``, is an option; one that is a tuple takes several values. ``about``:
    the help of an option. ``measure`` gets the settings, the folder for what is kept, and how many processes to use.
    """
    parser = argparse.ArgumentParser(prog=f"python -m docs.studies.{name}", description=f"The study {name}.md.")
    for field in fields(usual):
        value = getattr(usual, field.name)
        first = value[0] if isinstance(value, tuple) else value
        several = "*" if isinstance(value, tuple) else None
        option = "--" + field.name.replace("_", "-")
        usually = " ".join(map(str, value)) if isinstance(value, tuple) else value
        line = f"{about.get(field.name, '')} (default: {usually})".strip()
        parser.add_argument(option, type=type(first), nargs=several, default=value, help=line)
    parser.add_argument("--workers", type=int, default=1, help="processes to use")
    parser.add_argument(
        "--work", type=Path, help="a folder that keeps what is measured, so that an interrupted run can continue"
    )
    parser.add_argument(
        "--into",
        type=Path,
        default=SHIPPED,
        help="a folder for a copy of the page, its figures and charts (default: the shipped ones are replaced)",
    )
    parser.add_argument(
        "--again", action="store_true", help="measure nothing: write page and charts by the stored figures"
    )
    asked: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in vars(parser.parse_args()).items()
    }
    workers, work, into, again = (asked.pop(key) for key in ("workers", "work", "into", "again"))
    if again:
        figures = shipped(name, into)
    else:
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(type(usual)(**asked), work or Path(folder), workers)
    publish(name, figures, page_values(figures), charts(figures), into)
    print(f"The page is {into / name}.md; its figures and charts are in {into / name}.")


def resumed(
    work: Callable[[Task], Any], tasks: Sequence[Task], folder: Path, name: str, seed: str, workers: int
) -> dict[Task, Any]:
    """Return what ``work`` returns for each task, as plain data; what ``folder`` keeps of it is not done again.

    The result of a task must depend on the task and the seed alone. ``name`` is that of the file with a line of JSON
    for each task. Raises BadOption if the folder is of another seed, or of another version of the program.
    """
    claim(folder, {"program": program(), "seed": seed})
    path = folder / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    if lines and not lines[-1].endswith("\n"):  # incomplete: the process was killed while writing it
        lines.pop()
        write_whole(path, "".join(lines))
    known = {json.dumps(each["task"]): each["result"] for each in map(json.loads, lines)}
    left = [task for task in tasks if json.dumps(task) not in known]
    with path.open("a", encoding="utf-8") as file, bars({name: len(left)}) as advance:
        for task, result in in_workers(partial(_with_task, work), left, workers):
            line = json.dumps({"task": task, "result": result}, separators=(",", ":"))
            file.write(line + "\n")
            file.flush()
            known[json.dumps(task)] = json.loads(line)["result"]  # the same types as if it had been kept
            advance(name, 1)
    return {task: known[json.dumps(task)] for task in tasks}


def _with_task(work: Callable[[Task], Any], task: Task) -> tuple[Task, Any]:
    return task, work(task)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, with a blank line before and after."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n\n" + "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n\n"


def short(figure: Figure) -> Figure:
    """Return a figure rounded for the file."""
    low, high = figure["low"], figure["high"]
    return {
        "value": rounded(figure["value"]),
        "low": None if low is None else rounded(low),
        "high": None if high is None else rounded(high),
        "matches": figure["matches"],
    }


def counted(wins: float, matches: int) -> Figure:
    """Return a rate with Wilson's interval."""
    low, high = wilson(wins, matches)
    return {"value": rounded(wins / matches), "low": rounded(low), "high": rounded(high), "matches": matches}


def rounded(value: float) -> float:
    """Return a number rounded for the file."""
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
