"""The files of an analysis: the report, the decisions as a table, and the charts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from games.lab.analyse import Analysis, Run, RunResult
from games.lab.charts import charts
from games.lab.report_types import AnalysisReport, Faculty
from games.lab.reports import decisions_table, report
from games.lab.saved import write_whole

REPORT = "report.json"
DECISIONS = "decisions.csv"


def publish(
    analysis: Analysis,
    matches: int,
    played: Mapping[Run, RunResult],
    folder: Path,
    lead: Sequence[int] = (0,),
    searched: int | None = None,
    strong: int = 0,
    faculties: Sequence[Faculty] = (),
) -> AnalysisReport:
    """Write the report of an analysis into a folder, and return it.

    ``lead`` are the matches whose lead history is drawn; older lead histories of other matches are removed. The numbers
    ``matches``, ``searched`` and ``strong`` are those given to ``analyse``; ``faculties`` are those of
    ``faculties.measure``. Raises OSError.
    """
    made = report(analysis, matches, played, searched, strong, faculties)
    write_whole(folder / REPORT, json.dumps(made, indent=2, ensure_ascii=False) + "\n")
    write_whole(folder / DECISIONS, decisions_table(played["search"].histories))
    drawn = charts(made, played, lead)
    for name, svg in drawn.items():
        write_whole(folder / name, svg)
    for old in folder.glob("lead-history-*.svg"):
        if old.name not in drawn:
            old.unlink()
    return made
