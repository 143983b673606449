"""Finding Chromium on machines where parts of it are missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from tests.tiers import full

ROOT = Path(__file__).parents[2]
NODE = compute_driver_executable()[0]
FAULT = "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file"


class Machine:
    """What the search sees of a machine: its programs, and a driver of Playwright, which does not start at first."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.node = folder / "node"
        self.environment = {
            "HOME": str(folder),
            "PATH": str(self.programs),
            "PLAYWRIGHT_NODEJS_PATH": str(self.node),
            "PLAYWRIGHT_BROWSERS_PATH": str(folder / "browsers"),
        }
        script(self.node, f"echo '{FAULT}' >&2; exit 127")

    def fetch(self, user: int) -> subprocess.CompletedProcess[str]:
        """Run the search as somebody: 0 is root, who may install."""
        prologue = f"import os, runpy; os.geteuid = lambda: {user}; "
        run = "runpy.run_path('tests/browser/chromium.py', run_name='__main__')"
        return subprocess.run(
            [sys.executable, "-c", prologue + run], cwd=ROOT, env=self.environment, text=True, capture_output=True
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def script(path: Path, commands: str) -> None:
    path.write_text(f"#!/bin/sh\n{commands}\n")
    path.chmod(0o755)


def test_a_driver_that_does_not_start_is_reported_with_what_to_install_instead_of_a_traceback(machine: Machine) -> None:
    done = machine.fetch(user=1000)
    assert done.returncode == 1
    assert FAULT in done.stderr
    assert "sudo apt install libatomic1 chromium" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_chromium_is_looked_for_without_the_driver(machine: Machine) -> None:
    script(machine.programs / "chromium", "exit 0")
    done = machine.fetch(user=1000)
    assert done.returncode == 1
    assert "sudo apt install libatomic1)" in done.stderr


def test_for_root_the_missing_packages_are_installed(machine: Machine) -> None:
    chromium, fixed, asked = (machine.programs / name for name in ("chromium", "fixed", "asked"))
    script(machine.node, f"[ -e {fixed} ] && exec {NODE} \"$@\"; echo '{FAULT}' >&2; exit 127")
    install = f": > {fixed}; {shutil.which('ln')} -s {shutil.which('true')} {chromium}"
    script(machine.programs / "apt-get", f'echo "$*" >> {asked}; case "$*" in install*) {install} ;; esac')
    done = machine.fetch(user=0)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"Browser tests run in {chromium}.\n")
    assert asked.read_text() == "update -q\ninstall -q -y --no-install-recommends libatomic1 chromium-headless-shell\n"


@full
def test_where_only_chromium_is_missing_playwright_is_asked_for_one_first(machine: Machine) -> None:
    asked = machine.programs / "asked"
    script(machine.node, f'echo "$*" >> {asked}; case "$*" in *"install "*) exit 1 ;; esac; exec {NODE} "$@"')
    done = machine.fetch(user=1000)
    assert done.returncode == 1
    assert any(line.endswith("install --no-shell chromium") for line in asked.read_text().splitlines())
    assert ".venv/bin/playwright install --with-deps chromium" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_chromium_that_is_named_and_does_not_start_is_reported_and_not_replaced(machine: Machine) -> None:
    machine.environment["CHROMIUM"] = str(machine.programs / "nothing")
    done = machine.fetch(user=0)
    assert done.returncode == 1
    assert (
        done.stderr == f"CHROMIUM={machine.programs}/nothing does not start. Name a Chromium that does, or unset it.\n"
    )
