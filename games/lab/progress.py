"""How far a run is, as bars on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

Name = TypeVar("Name", bound=str)


@contextmanager
def bars(totals: Mapping[Name, int], *, show: bool = True) -> Iterator[Callable[[Name, int], object]]:
    """Show a bar for each name, and yield what is called with a name and how much more of it is done.

    Nothing is shown unless somebody reads errors on a terminal; nor when ``show`` is false.
    """
    if not (show and sys.stderr.isatty()):
        yield lambda name, more: None
        return
    from rich.console import Console  # not sooner: it takes its time
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    titles = [TextColumn("{task.description}")] if any(totals) else []
    columns = *titles, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {name: bar.add_task(name, total=total) for name, total in totals.items()}
        yield lambda name, more: bar.advance(tasks[name], more)
