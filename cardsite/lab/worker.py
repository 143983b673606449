"""What runs in the laboratory's processes, beside the site and behind everything else. It imports no Django."""

from __future__ import annotations

import json
import os
import signal
import threading
import traceback
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from games.core import BadOption, Game
from games.core.options import OptionValue
from games.lab.analyse import Analysis, Run, analyse, counts
from games.lab.kept import write_whole
from games.lab.leads import TooLong, lead
from games.lab.publish import publish

PROGRESS = "progress.json"
TROUBLE = "trouble.txt"  # why there is no report, for staff
NICE = 19
FAILED = 1  # exit code


def begin() -> None:
    """Stand behind everything else, and go when the site goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: it is the parent's
    with suppress(OSError):
        os.nice(NICE)
    threading.Thread(target=_go_with_parent, daemon=True).start()


def _go_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(FAILED)


def report(analysis: Analysis, matches: int, searched: int, folder: Path) -> None:
    """Play what is missing of a report, write it, and what it has come to on the way."""
    begin()
    done = dict.fromkeys(analysis.runs, 0)
    total = counts(analysis, matches, searched)

    def note(run: Run, more: int) -> None:
        done[run] += more
        write_whole(folder / PROGRESS, json.dumps({"done": done, "total": total}))

    try:
        played = analyse(analysis, matches, folder, searched=searched, progress=note)
        publish(analysis, matches, played, folder, searched=searched)
    except BadOption as error:  # the rules are others than when it was begun
        write_whole(folder / TROUBLE, str(error))
        raise SystemExit(FAILED) from error
    except Exception:
        write_whole(folder / TROUBLE, traceback.format_exc())
        raise


def lead_history(
    line: Connection,
    game: Game,
    seats: int,
    options: dict[str, OptionValue],
    seed: str,
    moves: list[tuple[int, str]],
) -> None:
    """Send the lead history of a match as JSON, or b"" if it is too long; whoever fails just ends."""
    begin()
    try:
        found = json.dumps(lead(game, seats, options, bytes.fromhex(seed), moves)).encode()
    except TooLong:
        found = b""
    line.send_bytes(found)
