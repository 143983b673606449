"""Find the Chromium that the browser tests drive; as a program, also fetch one where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
ADVICE = """\
The browser tests need Chromium, and none was found. Do one of these, then run the command again:
  install it from your system's packages (Debian: sudo apt install chromium),
  .venv/bin/playwright install --with-deps chromium,
  or set CHROMIUM to the path of a Chromium or Chrome that you have."""


class NoChromium(Exception):
    """There is no Chromium that starts; the text says what to do."""


def find() -> str:
    """Return the path of a Chromium that starts: the one ``CHROMIUM`` names, the system's, or Playwright's own.

    Raises NoChromium.
    """
    if named := os.environ.get("CHROMIUM"):
        if not _starts(named):
            raise NoChromium(f"CHROMIUM={named} does not start. Name a Chromium that does, or unset it.")
        return named
    for path in _candidates():
        if _starts(path):
            return path
    raise NoChromium(ADVICE)


def fetch() -> str:
    """Return what ``find`` does, after installing a Chromium if need be. Raises NoChromium."""
    try:
        return find()
    except NoChromium:
        if os.environ.get("CHROMIUM"):
            raise
    for commands in _ways_to_install():
        print(f"No Chromium found. Trying: {' && '.join(' '.join(command) for command in commands)}", flush=True)
        if all(subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0 for command in commands):
            try:
                return find()
            except NoChromium:
                continue  # installed but cannot start, as without the system's libraries
    raise NoChromium(ADVICE)


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield from filter(os.path.exists, MAC_PATHS)
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    yield own


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _ways_to_install() -> Iterator[list[list[str]]]:
    yield [[sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        yield [["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"]]


if __name__ == "__main__":
    try:
        print(f"Browser tests run in {fetch()}.")
    except NoChromium as none:
        sys.exit(str(none))
