"""The suite runs on a machine without other programs, however it is started; ``tests/bare.py`` tries a real one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests import signals
from tests.tiers import full

ROOT = Path(__file__).resolve().parent.parent
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
SAY_WHAT_IS_IGNORED = (
    "import signal; print(*(n for n in signal.valid_signals() if signal.getsignal(n) is signal.SIG_IGN))"
)


@full
def test_the_suite_is_collected_where_no_program_is_installed_not_even_git() -> None:
    alone = {name: value for name, value in os.environ.items() if name in ("HOME", "TMPDIR")} | {"PATH": ""}
    done = subprocess.run([*PYTEST, "--collect-only"], cwd=ROOT, env=alone, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


def test_the_trial_on_a_bare_machine_names_its_requirements() -> None:
    done = subprocess.run([sys.executable, "tests/bare.py"], cwd=ROOT, env={"PATH": ""}, text=True, capture_output=True)
    assert done.returncode == 2
    assert "sudo apt install debootstrap util-linux git" in done.stderr


def test_a_child_ignores_no_signal_and_the_suite_goes_on_ignoring_its_own() -> None:
    for number in signals.ignored:
        os.kill(os.getpid(), number)
    output = subprocess.check_output([sys.executable, "-c", SAY_WHAT_IS_IGNORED], text=True)
    assert {int(number) for number in output.split()} <= {signal.SIGPIPE, signal.SIGXFSZ}  # Python's own doing


@full
def test_the_same_holds_if_the_suite_is_started_in_the_background_or_with_nohup() -> None:
    one = [*PYTEST, f"{__file__}::{test_a_child_ignores_no_signal_and_the_suite_goes_on_ignoring_its_own.__name__}"]
    start = ["sh", "-c", 'trap "" HUP INT QUIT TERM USR1 CHLD; exec "$@"', "sh", *one]
    done = subprocess.run(start, cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
