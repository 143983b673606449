"""End what a run of the suite has started, even if the run itself is killed with ``kill -9``.

Every process that a run starts inherits a variable with the folder of that run. A cleaner, in a session of its own,
waits until pytest is gone, kills all processes that carry the variable, and removes the folder.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

RUN = "HAMSTERDAM_TEST_RUN"  # the variable; its value is a folder that the processes of a run share
POLL = 0.5  # seconds between two looks at whether pytest still runs
ROUNDS = 20  # a process may start another one while it is being killed


def watch() -> Path:
    """Begin a run: make its folder, start its cleaner, and mark all processes that are started from now on."""
    # Others may enter: PostgreSQL runs as a system user where the suite runs as root.
    folder = Path(tempfile.mkdtemp(prefix="hamsterdam-run-"))
    folder.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name != RUN}
    subprocess.Popen(
        [sys.executable, __file__, str(os.getpid()), str(folder)],
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # a Ctrl-C or a hang-up of the terminal is for pytest
    )
    os.environ[RUN] = str(folder)
    return folder


def run_folder() -> Path:
    """Return the folder that the processes of this run share. Begins a run for a program that is not pytest."""
    return Path(os.environ[RUN]) if RUN in os.environ else watch()


def started_by(folder: str) -> Iterator[psutil.Process]:
    """Yield the processes of a run that are still there."""
    for process in psutil.process_iter():
        try:
            if process.environ().get(RUN) == folder and process.status() != psutil.STATUS_ZOMBIE:
                yield process
        except (psutil.Error, OSError):  # gone meanwhile, or somebody else's
            continue


def _end(pid: int, folder: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while _runs(pid):
        time.sleep(POLL)
    for _ in range(ROUNDS):
        left = list(started_by(folder))
        if not left:
            break
        for process in left:
            try:
                process.kill()
            except psutil.Error:
                continue
        psutil.wait_procs(left, timeout=1)
    shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    """Return whether pytest, the parent of this process, is still there."""
    return os.getppid() == pid


if __name__ == "__main__":
    _end(int(sys.argv[1]), sys.argv[2])
