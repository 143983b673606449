"""Find the Chromium for the browser tests; as a program, also install missing parts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

# The first is the same engine without windows: it needs a quarter less CPU time.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
NO_CHROMIUM = """\
The browser tests need Chromium, and none was found. Do one of these, then run the command again:
  install it from your system's packages (Debian: sudo apt install chromium),
  .venv/bin/playwright install --with-deps chromium,
  or set CHROMIUM to the path of a Chromium or Chrome that you have."""
NO_DRIVER = """\
The browser tests need Playwright, and its driver does not start:
  {fault}
Install what it lacks from your system's packages (Debian: sudo apt install {packages}), then run the command again."""
# Playwright brings a Node.js of its own, which needs this; other libraries that it needs are on every Debian.
DRIVER_PACKAGE = "libatomic1"


class NoChromium(Exception):
    """No Chromium starts, or nothing can drive it. The text says what to do, ``packages`` what to install on Debian."""

    def __init__(self, text: str, *packages: str) -> None:
        super().__init__(text)
        self.packages = packages


def find(*, windows: bool = False) -> str:
    """Return the path of a Chromium that starts: the one ``CHROMIUM`` names, the system's, or Playwright's own.

    ``windows``: one that has windows, which it needs for notifications. Raises NoChromium, also where Playwright cannot
    drive it.
    """
    named = os.environ.get("CHROMIUM")
    if named and not _starts(named):
        raise NoChromium(f"CHROMIUM={named} does not start. Name a Chromium that does, or unset it.")
    fault = _driver_fault()
    result = named or next((path for path in _of_the_system(windows) if _starts(path)), None)
    if fault:
        packages = [DRIVER_PACKAGE] if result else [DRIVER_PACKAGE, "chromium"]
        raise NoChromium(NO_DRIVER.format(fault=fault, packages=" ".join(packages)), *packages)
    if not result:
        own = _of_playwright()
        if not _starts(own):
            raise NoChromium(NO_CHROMIUM, "chromium")
        result = own
    return result


def fetch(*, windows: bool = False) -> str:
    """Return what ``find`` does, after installing what is missing if need be. Raises NoChromium."""
    try:
        return find(windows=windows)
    except NoChromium as none:
        missing = none
    for commands in _ways_to_install(missing.packages, windows):
        attempt = " && ".join(" ".join(command) for command in commands)
        print(f"Missing for the browser tests: {' '.join(missing.packages)}. Trying: {attempt}", flush=True)
        if all(subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0 for command in commands):
            try:
                return find(windows=windows)
            except NoChromium as none:
                missing = none  # installed but cannot start, as without the system's libraries
    raise missing


def _of_the_system(windows: bool) -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES[1:] if windows else NAMES))
    yield from filter(os.path.exists, MAC_PATHS)


def _of_playwright() -> str:
    """Return where Playwright keeps its own Chromium, asked in another process: a driver may be open in this one."""
    ask = "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _driver_fault() -> str | None:
    """Return why Playwright's driver does not start, None if it does."""
    command = [sys.executable, "-m", "playwright", "--version"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return "it does not answer"
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"it ends with {done.returncode}"])[-1]


def _ways_to_install(packages: tuple[str, ...], windows: bool) -> Iterator[list[list[str]]]:
    if packages == ("chromium",):
        yield [[sys.executable, "-m", "playwright", "install", "--no-shell", "chromium"]]
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        lighter = tuple(SHELL if name == "chromium" else name for name in packages)  # not every Debian has it
        for names in dict.fromkeys((packages,) if windows else (lighter, packages)):
            yield [["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", "--no-install-recommends", *names]]


if __name__ == "__main__":
    try:
        print(f"Browser tests run in {fetch()}.")
        if "--windows" in sys.argv[1:]:  # some tests of the full tier need one
            print(f"Those of notifications run in {fetch(windows=True)}.")
    except NoChromium as none:
        sys.exit(str(none))
