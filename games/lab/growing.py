"""An analysis that grows: first what a second tells, then ever more, so that intervals shrink while one looks on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from games.lab.analyse import Analysis, analyse
from games.lab.gallery import read
from games.lab.publish import REPORT
from games.lab.reports import AnalysisReport, report
from games.lab.saved import claim, write_whole

# Matches at random, and matches where somebody searches. Each step tells at least as much as those before.
STEPS = ((20, 0), (100, 0), (100, 1), (200, 3), (400, 6), (400, 12), (800, 25), (800, 50), (1600, 100), (1600, 200))


def grow(analysis: Analysis, folder: Path, seconds: float) -> Iterator[AnalysisReport]:
    """Yield a report after each step, also written into ``folder``, until so many CPU seconds have been spent.

    Where there is one already it comes first, and what is kept is not played again. A step that has begun is played to
    its end. Raises BadOption when the folder keeps matches of other settings; OSError.
    """
    began = process_time()
    claim(folder, analysis.settings())
    done = (0, 0)
    if (folder / REPORT).is_file():
        before = read(folder)
        done = before["matches"], before["search_matches"]
        yield before
        if process_time() - began > seconds:
            return
    for matches, searched in (step for step in STEPS if step > done):
        played = analyse(analysis, matches, folder, searched=searched)
        made = report(analysis, matches, played, searched)
        write_whole(folder / REPORT, json.dumps(made, ensure_ascii=False))
        yield made
        if process_time() - began > seconds:
            return
