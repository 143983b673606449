"""The laboratory's worker processes, which run at low priority. They import no Django."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

from cardsite.jobs import done, failed
from cardsite.jobs.folder import PROGRESS
from games.core import BadOption
from games.lab.analyse import Analysis, Run, analyse, counts
from games.lab.leads import TooLong, lead
from games.lab.publish import publish
from games.lab.saved import write_whole


def report(request: bytes) -> bytes:
    """Play the missing matches of a report, and write it with its intermediate results.

    ``request``: a pickled (Analysis, matches, how many of them searched, folder).
    """
    analysis, matches, searched, folder = pickle.loads(request)  # noqa: S301 - from the site
    return _report(analysis, matches, searched, Path(folder))


def _report(analysis: Analysis, matches: int, searched: int, folder: Path) -> bytes:
    played_of = dict.fromkeys(analysis.runs, 0)
    total = counts(analysis, matches, searched)

    def note(run: Run, more: int) -> None:
        played_of[run] += more
        write_whole(folder / PROGRESS, json.dumps({"done": played_of, "total": total}))

    try:
        played = analyse(analysis, matches, folder, searched=searched, progress=note)
        publish(analysis, matches, played, folder, searched=searched)
    except BadOption as error:  # the rules have changed since it was started
        return failed(str(error))
    return done()


def lead_history(request: bytes) -> bytes:
    """Return the lead history of a match, None if the match is too long.

    ``request``: a pickled (game, seats, options, seed in hex, moves, winners if it was not played to its end).
    """
    game, seats, options, seed, moves, winners = pickle.loads(request)  # noqa: S301 - from the site
    try:
        return done(lead(game, seats, options, bytes.fromhex(seed), moves, winners))
    except TooLong:
        return done(None)
