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


def interrupted(module: str, command: list[str], folder: Path, more: int) -> str:
    """Run a command, interrupt it when the matches in ``folder`` have grown by ``more`` bytes, and return its output.

    It must say that it was interrupted, and how to go on.
    """

    def size() -> int:
        return sum(path.stat().st_size for path in folder.rglob("*.jsonl"))

    before = size()
    with subprocess.Popen(
        [sys.executable, "-m", module, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as going:
        try:
            wait_for(lambda: size() > before + more)
            going.send_signal(signal.SIGINT)
            output, errors = (each.decode() for each in going.communicate(timeout=PATIENCE))
            assert errors == f"Finished matches are saved in {folder}; repeat the command to continue.\nInterrupted.\n"
            assert going.returncode == 130
        finally:
            with suppress(ProcessLookupError):
                os.killpg(going.pid, signal.SIGKILL)
    return output


def check_that_it_continues(command: list[str], folder: Path, kept: Path, more: int) -> None:
    """Run a command twice, and interrupt it when ``kept``, a line for each match, has grown by ``more`` bytes.

    Both runs must say that they were interrupted. No match is played twice, and the second run adds to the first.
    """
    sizes = []
    for _ in range(2):
        interrupted("games", command, folder, more)
        sizes.append(kept.stat().st_size)
    data = [json.loads(line)["index"] for line in kept.read_text().splitlines()]
    assert len(set(data)) == len(data), "no match is played twice"
    assert 0 < sizes[0] < sizes[1]
