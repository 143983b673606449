"""A run of the suite that is killed leaves no process and no folder behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.leftovers import RUN
from tests.running_site import ROOT
from tests.tiers import full

PATIENCE = 60.0  # seconds in which a killed run is to be cleaned up, on any machine

# Two processes that nothing of pytest's own would end: in a session of their own, the second an orphan.
STARTS = """
import subprocess, sys, time
from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(1000)"]
ORPHAN = f"import subprocess; print(subprocess.Popen({SLEEP!r}, stdout=-3, start_new_session=True).pid)"

def test_it():
    child = subprocess.Popen(SLEEP, start_new_session=True)
    orphan = subprocess.check_output([sys.executable, "-c", ORPHAN], text=True).strip()
    Path(PIDS).write_text(f"{child.pid} {orphan}\\n")
    time.sleep(1000)
"""


@full
@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "workers"])
def test_a_run_that_is_killed_leaves_no_process_and_no_folder(tmp_path: Path, workers: list[str]) -> None:
    pids, test = tmp_path / "pids", tmp_path / "test_starts.py"
    test.write_text(f"PIDS = {str(pids)!r}\n{STARTS}")
    # Its conftest is the suite's own.
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", *workers, str(test)]
    environment = {name: value for name, value in os.environ.items() if name != RUN}
    run = subprocess.Popen([*command, "-c", os.devnull, "-p", "no:django"], cwd=ROOT, env=environment)
    try:
        until = time.monotonic() + PATIENCE
        while not (pids.exists() and pids.read_text().endswith("\n")):
            assert run.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        started = [psutil.Process(int(pid)) for pid in pids.read_text().split()]
        folder = Path(started[0].environ()[RUN])
        assert folder.is_dir()
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    _, alive = psutil.wait_procs(started, timeout=PATIENCE)
    assert not alive
    while folder.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
