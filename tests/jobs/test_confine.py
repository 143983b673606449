"""What a confined child can no longer do: each thing is tried from inside, as an attacker would."""

from __future__ import annotations

import json
import os
import platform
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from games.jobs import Child, ChildDied, HandlerFailed, Limits, OutOfMemory, TooMuchCpu
from games.jobs.confine import protections
from tests.jobs.handlers import FORBIDDEN, forget_landlock, forget_seccomp, handle
from tests.patience import wait_for

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64", reason="tried as on Linux and x86-64"
)
MEMORY = 512 << 20
# What Landlock holds back by itself, where there is no seccomp.
BY_LANDLOCK = [
    "write a file", "append to a file", "truncate a file", "remove a file", "rename a file", "make a folder",
    "link a file", "read a secret", "connect by TCP", "connect to an abstract socket", "start a program",
    "kill the parent", "trace the parent", "read the memory of the parent", "read the environment of the parent",
]  # fmt: skip
# What seccomp leaves alone, where there is no Landlock: files may be read.
NOT_BY_SECCOMP = ["read a secret", "read the memory of the parent", "read the environment of the parent"]
# What a parent allows depends on the system; a child that becomes another program does not answer.
UNTRIED = ["trace the parent", "become a program"]


def ask(child: Child, name: str, argument: Any = None) -> bytes:
    return child.ask(json.dumps([name, argument]).encode()).payload


class Target:
    """Files, sockets and a process that an attacker goes for."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.file = folder / "secret"
        self.file.write_text("the key")
        self.tcp, self.udp, self.unix, self.abstract = (
            stack.enter_context(socket.socket(family, kind))
            for family, kind in (
                (socket.AF_INET, socket.SOCK_STREAM), (socket.AF_INET, socket.SOCK_DGRAM),
                (socket.AF_UNIX, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_STREAM),
            )
        )  # fmt: skip
        self.tcp.bind(("127.0.0.1", 0))
        self.udp.bind(("127.0.0.1", 0))
        self.unix.bind(str(folder / "socket"))
        name = f"hamsterdam {os.getpid()} {folder}"
        self.abstract.bind("\0" + name)
        for sock in (self.tcp, self.unix, self.abstract):
            sock.listen()
        self.known = {
            "parent": os.getpid(), "folder": str(folder), "file": str(self.file), "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1], "unix": str(folder / "socket"), "abstract": name,
        }  # fmt: skip
        self.folder = folder


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Target]:
    old = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    with ExitStack() as stack:
        yield Target(tmp_path, stack)
    signal.signal(signal.SIGUSR1, old)


@pytest.fixture
def attacker(target: Target) -> Iterator[Child]:
    child = Child(handle, Limits(memory=MEMORY, confined=True))
    ask(child, "prepare", target.known)
    yield child
    child.kill()


def attack(child: Child, what: str) -> str:
    """Return how an attack ended."""
    return ask(child, "try", what).decode()


def test_nothing_that_an_attacker_tries_works(attacker: Child, target: Target) -> None:
    results = {what: attack(attacker, what) for what in FORBIDDEN}
    assert {what: how for what, how in results.items() if how.startswith("done")} == {}
    reasons = {what: how for what, how in results.items() if "not implemented" not in how and "denied" not in how}
    assert reasons == {"start a thread": "RuntimeError: can't start new thread"}
    assert target.file.read_text() == "the key"
    assert sorted(path.name for path in target.folder.iterdir()) == ["secret", "socket"]
    assert ask(attacker, "echo", "still there") == b"still there"


def test_without_limits_each_of_these_attacks_works(target: Target) -> None:
    """Else the test above would show nothing."""
    child = Child(handle)
    ask(child, "prepare", target.known)
    try:
        for what in FORBIDDEN:
            if what in (
                "trace the parent",
                "read the memory of the parent",
                "become a program",
                "lift the limit of memory",
            ):
                continue  # what a parent allows depends on the system, and after a new program there is no answer
            result = attack(child, what)
            assert result.startswith("done"), (what, result)
            target.file.write_text("the key")
            for name in ("new", "link"):
                (target.folder / name).unlink(missing_ok=True)
            Path(f"{target.file}2").unlink(missing_ok=True)
    finally:
        child.kill()


@pytest.mark.skipif(protections().landlock < 6, reason="needs Landlock 6")
def test_landlock_alone_keeps_files_sockets_and_processes(target: Target) -> None:
    child = Child(handle, Limits(memory=MEMORY, confined=True), forget_seccomp)
    try:
        ask(child, "prepare", target.known)
        results = {what: attack(child, what) for what in BY_LANDLOCK}
        assert {
            what: how for what, how in results.items() if "ermission denied" not in how and "not permitted" not in how
        } == {}
    finally:
        child.kill()


@pytest.mark.skipif(not protections().seccomp, reason="needs seccomp")
def test_seccomp_alone_keeps_all_but_reading(target: Target) -> None:
    child = Child(handle, Limits(memory=MEMORY, confined=True), forget_landlock)
    try:
        ask(child, "prepare", target.known)
        results = {what: attack(child, what) for what in FORBIDDEN if what not in NOT_BY_SECCOMP}
        assert {what: how for what, how in results.items() if how.startswith("done")} == {}
    finally:
        child.kill()


def test_a_confined_child_has_no_keys_and_no_terminal(attacker: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "the key")
    monkeypatch.setenv("DATABASE_URL", "postgres://")
    attacker.kill()
    environment = json.loads(ask(attacker, "environment"))
    assert not {"SECRET_KEY", "DATABASE_URL"} & set(environment)
    assert attacker.pid
    assert {os.readlink(f"/proc/{attacker.pid}/fd/{number}") for number in range(3)} == {"/dev/null"}


def test_only_the_given_folder_is_writable(target: Target) -> None:
    own = target.folder / "own"
    own.mkdir()
    child = Child(handle, Limits(memory=MEMORY, confined=True, writable=(str(own),)))
    try:
        ask(child, "prepare", {**target.known, "folder": str(own)})
        assert attack(child, "write a file").startswith("done")
        assert (own / "new").read_text() == "x"
        assert attack(child, "make a folder").startswith("done")
        for what in ("append to a file", "truncate a file", "remove a file", "rename a file", "read a secret"):
            assert "ermission denied" in attack(child, what)
        for what in ("connect by TCP", "fork", "kill the parent"):
            assert "not implemented" in attack(child, what)
    finally:
        child.kill()


def test_libraries_are_found_wherever_they_are_installed_and_nothing_else_is(
    target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("installed", "lying_about"):
        (target.folder / name / f"{name}_library").mkdir(parents=True)
        (target.folder / name / f"{name}_library" / "__init__.py").touch()
        monkeypatch.syspath_prepend(str(target.folder / name))
    (target.folder / "installed" / "library-1.dist-info").mkdir()
    child = Child(handle, Limits(confined=True))
    try:
        assert b"installed_library" in ask(child, "import", "installed_library")
        with pytest.raises(HandlerFailed, match="Permission denied"):
            ask(child, "import", "lying_about_library")
    finally:
        child.kill()


def test_a_confined_child_can_be_crashed_and_interrupted_as_any(attacker: Child) -> None:
    with pytest.raises(TooMuchCpu) as slow:
        attacker.ask(b'["burn", 60]', 0.1)
    assert slow.value.where
    with pytest.raises(OutOfMemory):
        attacker.ask(b'["eat", 1000000000]')
    with pytest.raises(ChildDied):
        attacker.ask(b'["die", 1]')
    pid = int(ask(attacker, "pid"))
    attacker.kill()
    wait_for(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_what_applies_here_is_described_in_a_sentence() -> None:
    here = protections()
    assert here.seccomp
    assert "seccomp" in here.sentence
