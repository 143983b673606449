"""Helpers for tests that interrupt a command of the laboratory and repeat it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from games.lab.plugins import ROOT
from tests.patience import PATIENCE, wait_for


def check_that_it_continues(command: list[str], folder: Path, kept: Path, more: int) -> None:
    """Run a command twice, and interrupt it when ``kept``, a line for each match, has grown by ``more`` bytes.

    Both runs must say that they were interrupted. No match is played twice, and the second run adds to the first.
    """
    sizes = []
    for _ in range(2):
        before = kept.stat().st_size if kept.exists() else 0
        with subprocess.Popen(
            [sys.executable, "-m", "games", *command], cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True
        ) as going:
            try:
                wait_for(lambda: kept.exists() and kept.stat().st_size > before + more)  # noqa: B023
                going.send_signal(signal.SIGINT)
                output = going.communicate(timeout=PATIENCE)[1].decode()
                assert (
                    output == f"Finished matches are saved in {folder}; repeat the command to continue.\nInterrupted.\n"
                )
                assert going.returncode == 130
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(going.pid, signal.SIGKILL)
        sizes.append(kept.stat().st_size)
    data = [json.loads(line)["index"] for line in kept.read_text().splitlines()]
    assert len(set(data)) == len(data), "no match is played twice"
    assert 0 < sizes[0] < sizes[1]
