"""An analysis that grows: figures after a second, then more and more matches, so that the intervals shrink."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from games.lab.analyse import Analysis, analyse
from games.lab.publish import REPORT
from games.lab.report_library import read
from games.lab.report_types import AnalysisReport
from games.lab.reports import report
from games.lab.saved import claim, write_whole

# (random matches, matches with search); each step has at least as many as the one before.
STEPS = ((20, 0), (100, 0), (100, 1), (200, 3), (400, 6), (400, 12), (800, 25), (800, 50), (1600, 100), (1600, 200))


def grow(analysis: Analysis, folder: Path, seconds: float) -> Iterator[AnalysisReport]:
    """Yield a report after each step, also written to ``folder``, until this many CPU seconds are used.

    An existing report is yielded first, and saved matches are not played again. A started step is finished. Raises
    BadOption if the folder has matches of other settings; OSError.
    """
    began = process_time()
    claim(folder, analysis.settings())
    done = (0, 0)
    if (folder / REPORT).is_file():
        before = read(folder)
        done = before["matches"], before["search_matches"]
        yield before
        if process_time() - began >= seconds:
            return
    for matches, searched in (step for step in STEPS if step > done):
        played = analyse(analysis, matches, folder, searched=searched)
        made = report(analysis, matches, played, searched)
        write_whole(folder / REPORT, json.dumps(made, ensure_ascii=False))
        yield made
        if process_time() - began >= seconds:
            return
