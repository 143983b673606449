"""The real site in processes of its own, as ``make play`` runs it, on a folder and a port of its own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from tests.leftovers import RUN, run_folder
from tests.patience import PATIENCE
from tests.running_postgres import is_empty, new_database, replace_by_copy

ROOT = Path(__file__).resolve().parent.parent
SQLITE = "hamsterdam.sqlite3*"
OPENED = "opened"  # the database that those of new sites on a PostgreSQL server are copied from

COVERAGE = "COVERAGE_PROCESS_CONFIG"  # set by coverage.py for the processes that it is to measure


class RunningSite:
    """A site that can be started, killed like a machine that loses power, and started again."""

    def __init__(self, folder: Path, **environment: str) -> None:
        """Prepare a site that keeps everything in ``folder``; ``environment`` adds to its variables."""
        self.folder = folder
        self.root = ROOT  # of its code
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_path = folder / "site.log"
        kept = {
            name: os.environ[name] for name in ("HOME", "LANG", "PATH", "TMPDIR", RUN, COVERAGE) if name in os.environ
        }
        self.environment = kept | {
            "DJANGO_SETTINGS_MODULE": "cardsite.settings",
            "HAMSTERDAM_VAR": str(folder / "var"),
            "HAMSTERDAM_LOCAL": "1",
            "BOT_PACE": "0",
            "REVEAL_PACE": "0",
            "HOUSE_TABLE": "0",
            "RATE_LIMITS": "0",
            **environment,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._groups: list[int] = []

    def manage(self, *arguments: str) -> str:
        """Run ``manage.py`` on this site and return what it prints. Raises AssertionError if it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=self.root,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == 0, f"manage.py {' '.join(arguments)} failed:\n{done.stdout}"
        return done.stdout

    def open(self) -> str:
        """Make the database and the administrator, as ``make play`` does, and return what that prints.

        That takes seconds and comes to the same for every new site, whatever its variables. So it is done once in a
        run of the suite, and once on each PostgreSQL server; a new site gets a copy. What is made of it is tested by
        ``manage("open_house")`` itself.
        """
        var = Path(self.environment["HAMSTERDAM_VAR"])
        url = self.environment.get("DATABASE_URL")
        if var.exists() or (url and not is_empty(url)):
            return self.manage("open_house")
        template, printed = _opened_folder()
        shutil.copytree(template, var, ignore=shutil.ignore_patterns("static", *([SQLITE] if url else [])))
        (var / "static").symlink_to(template / "static")
        if url:
            printed = _opened_database(urlsplit(url)._replace(path="").geturl())
            replace_by_copy(url, copy_of=OPENED)
        return printed

    def command(self) -> list[str]:
        """Return what starts the serving process."""
        return [sys.executable, "manage.py", "serve", "--port", str(self.port)]

    def start(self) -> None:
        """Start serving and wait until the site reports that it is healthy."""
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                cwd=self.root,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._groups.append(self._process.pid)
        deadline = time.monotonic() + PATIENCE
        while not self.healthy():
            assert self._process.poll() is None, f"The site stopped at its start:\n{self.log}"
            assert time.monotonic() < deadline, f"The site is not well after {PATIENCE:.0f} s:\n{self.log}"
            time.sleep(0.05)

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """Open and start the site, for as long as the block lasts. Yields what the opening printed."""
        printed = self.open()
        try:
            self.start()
            yield printed
        finally:
            self.close()

    def healthy(self) -> bool:
        """Say whether the health page answers 200."""
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=PATIENCE) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def handshake(self, code: str, *more: str) -> bytes:
        """Return the bytes with which a page of the site opens a table's socket, with ``more`` headers."""
        head = [
            f"GET /ws/table/{code}/ HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: {self.url}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        return "\r\n".join([*head, *more, "", ""]).encode()

    @property
    def pid(self) -> int:
        """The id of the serving process."""
        assert self._process is not None, "The site is not running."
        return self._process.pid

    @property
    def log(self) -> str:
        """All that the site has written to its log."""
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def kill(self) -> None:
        """End the serving process at once, as ``kill -9`` or a power cut would: nothing is sent or saved."""
        os.kill(self.pid, signal.SIGKILL)
        self._wait()

    def stop(self) -> int:
        """Press Ctrl-C: every process of the site gets the interrupt. Return the exit code of the serving one."""
        os.killpg(self.pid, signal.SIGINT)
        return self._wait()

    def restart(self) -> None:
        """Kill the site and start it again on the same folder and port."""
        self.kill()
        self.start()

    def close(self) -> None:
        """Leave nothing running, not even what a killed site left behind."""
        if self._process is not None and COVERAGE in os.environ:
            self.stop()  # what was covered is written at the end of a process
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self._process is not None:
            self._wait()

    def _wait(self) -> int:
        assert self._process is not None
        code = self._process.wait(timeout=PATIENCE)
        self._process = None
        return code


@cache
def _opened_folder() -> tuple[Path, str]:
    """Return the folder of a site on SQLite that has been opened and never run, and what that printed.

    All processes of a run share it; the first one makes it.
    """
    folder = run_folder() / "opened"
    folder.mkdir(exist_ok=True)
    printed = folder / "printed"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not printed.exists():
            output = RunningSite(folder).manage("open_house")
            printed.write_text(output)
    return folder / "var", printed.read_text()


@cache
def _opened_database(server: str) -> str:
    """Make the database that those of new sites on a server are copied from. Return what opening it printed."""
    with tempfile.TemporaryDirectory() as name:
        site = RunningSite(Path(name), DATABASE_URL=new_database(server, name=OPENED))
        template, _ = _opened_folder()
        shutil.copytree(template, site.environment["HAMSTERDAM_VAR"], ignore=shutil.ignore_patterns(SQLITE))
        return site.manage("open_house")


def free_port() -> int:
    """Return a port of this machine on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
