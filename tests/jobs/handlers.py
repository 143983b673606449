"""What the children of these tests do."""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import pickle
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardsite.jobs import done, failed
from games.jobs import confine
from games.jobs.child import ANSWER, DONE

kept: dict[str, Any] = {}


def remember() -> None:
    """A set-up."""
    kept["set up"] = os.getpid()


def fail() -> None:
    """A set-up that fails."""
    raise ValueError("nothing is ready")


def forget_seccomp() -> None:
    """A set-up of a system without seccomp."""
    result = confine.protections()
    confine.protections = lambda: confine.Protections(seccomp=False, landlock=result.landlock)


def forget_landlock() -> None:
    """A set-up of a system without Landlock."""
    result = confine.protections()
    confine.protections = lambda: confine.Protections(seccomp=result.seccomp, landlock=0)


def burn(seconds: float) -> None:
    over = time.process_time() + seconds
    while time.process_time() < over:
        pass


def handle(request: bytes) -> bytes:
    """Do what the request names: ``[name, argument]`` in JSON."""
    name, argument = json.loads(request)
    return ACTIONS[name](argument)


def _burn(seconds: float) -> bytes:
    burn(seconds)
    return b"burnt"


def _swallow(seconds: float) -> bytes:
    """Continue after any exception, as clean-up code may do."""
    over = time.process_time() + seconds
    while time.process_time() < over:
        try:
            burn(0.001)
        except Exception:
            continue
    return b"swallowed"


def _ignore(seconds: float) -> bytes:
    """Ignore the signal itself: a loop that catches everything would still be hit between two of its tries."""
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    burn(seconds)
    return b"ignored"


def _stop_once(seconds: float) -> bytes:
    with suppress(BaseException):
        burn(seconds)
    burn(seconds)
    return b"swallowed"


def _hold(count: int) -> bytes:
    """Compute in C, where no signal handler of Python runs."""
    return str(sum(range(count))).encode()


def _eat(size: int) -> bytes:
    return bytes(size)[:10]


def _eat_wrapped(size: int) -> bytes:
    try:
        return _eat(size)
    except MemoryError as error:
        raise RuntimeError("the rules failed") from error


def _fail(text: str) -> bytes:
    raise ValueError(text)


def _die(code: int) -> bytes:
    os._exit(code)


def _burn_and_die(seconds: float) -> bytes:
    burn(seconds)
    os._exit(1)


def _burn_and_fail(seconds: float) -> bytes:
    burn(seconds)
    raise ValueError("for nothing")


def _crash(number: int) -> bytes:
    os.kill(os.getpid(), number)
    return b"alive"


def _flood(size: int) -> bytes:
    """Write something to the pipe that is not an answer."""
    for descriptor in range(3, 200):
        with suppress(OSError):
            os.write(descriptor, pickle.dumps(os.getpid) + b"\xff" * size)
    return b""


def _answer_twice(_: object) -> bytes:
    return _forge(2)


def _answer_later(_: object) -> bytes:
    """Send a second answer when the first has been sent."""
    if os.fork() == 0:
        time.sleep(0.05)
        _forge()
        os._exit(0)
    return b"one"


def _forge(count: int = 1) -> bytes:
    """Send answers, in one piece, through every descriptor that takes them."""
    for descriptor in range(3, 200):
        with suppress(OSError):
            os.write(descriptor, (ANSWER.pack(DONE, 0.0, 6) + b"forged") * count)
    return b""


def _try(action: str) -> bytes:
    """Return "done", or how a forbidden thing failed."""
    try:
        return b"done: " + str(FORBIDDEN[action]()).encode()
    except Exception as error:
        return f"{type(error).__name__}: {error}".encode()


def _prepare(result: dict[str, Any]) -> bytes:
    """Send the attacker what there is to attack."""
    kept.update(result)
    return b""


ACTIONS: dict[str, Callable[[Any], bytes]] = {
    "echo": lambda text: str(text).encode(),
    "pid": lambda _: str(os.getpid()).encode(),
    "kept": lambda name: json.dumps(kept.get(name)).encode(),
    "import": lambda name: str(importlib.import_module(name)).encode(),
    "large": lambda size: b"x" * size,
    "nice": lambda _: str(os.nice(0)).encode(),
    "environment": lambda _: json.dumps(dict(os.environ)).encode(),
    "sleep": lambda seconds: time.sleep(seconds) or b"slept",  # type: ignore[func-returns-value]
    "burn": _burn,
    "swallow": _swallow,
    "ignore": _ignore,
    "stop once": _stop_once,
    "hold": _hold,
    "eat": _eat,
    "eat wrapped": _eat_wrapped,
    "fail": _fail,
    "die": _die,
    "burn and die": _burn_and_die,
    "burn and fail": _burn_and_fail,
    "crash": _crash,
    "flood": _flood,
    "two answers": _answer_twice,
    "one more answer": _answer_later,
    "try": _try,
    "prepare": _prepare,
}


# -- what an attacker would try, with what ``prepare`` has sent


def _parent() -> int:
    return int(kept["parent"])


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: Any) -> int:
    result = int(_libc().syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _connect(family: int, address: Any, kind: int = socket.SOCK_STREAM) -> str:
    with socket.socket(family, kind) as sock:
        sock.connect(address)
        sock.send(b"out")
    return "connected"


def _set_owner() -> str:
    """Have the kernel kill the parent when something happens to a pipe."""
    import fcntl

    _, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETOWN, _parent())
    return "owner set"


def _fork() -> str:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "forked"


def _more_memory() -> str:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "unlimited"


def _limit_parent() -> str:
    import resource

    return str(resource.prlimit(_parent(), resource.RLIMIT_NOFILE))


FORBIDDEN: dict[str, Callable[[], object]] = {
    "write a file": lambda: Path(kept["folder"], "new").write_text("x"),
    "append to a file": lambda: os.open(kept["file"], os.O_WRONLY | os.O_APPEND),
    "truncate a file": lambda: os.truncate(kept["file"], 0),
    "remove a file": lambda: os.unlink(kept["file"]),
    "rename a file": lambda: os.rename(kept["file"], kept["file"] + "2"),
    "change a mode": lambda: os.chmod(kept["file"], 0o777),
    "change times": lambda: os.utime(kept["file"]),
    "make a folder": lambda: os.mkdir(kept["folder"] + "/sub"),
    "link a file": lambda: os.symlink("/", kept["folder"] + "/link"),
    "read a secret": lambda: Path(kept["file"]).read_text(),
    "connect by TCP": lambda: _connect(socket.AF_INET, ("127.0.0.1", kept["tcp"])),
    "send by UDP": lambda: _connect(socket.AF_INET, ("127.0.0.1", kept["udp"]), socket.SOCK_DGRAM),
    "connect to a UNIX socket": lambda: _connect(socket.AF_UNIX, kept["unix"]),
    "connect to an abstract socket": lambda: _connect(socket.AF_UNIX, "\0" + kept["abstract"]),
    "fork": _fork,
    "start a program": lambda: subprocess.run(["/bin/true"], check=True),
    "become a program": lambda: os.execv("/bin/true", ["/bin/true"]),
    "start a thread": lambda: __import__("threading").Thread(target=print).start(),
    "kill the parent": lambda: os.kill(_parent(), signal.SIGUSR1),
    "kill the parent by its pipe": _set_owner,
    "trace the parent": lambda: _call(101, 16, _parent(), 0, 0),  # PTRACE_ATTACH on x86-64
    "read the memory of the parent": lambda: os.open(f"/proc/{_parent()}/mem", os.O_RDONLY),
    "read the environment of the parent": lambda: Path(f"/proc/{_parent()}/environ").read_bytes(),
    "limit the parent": _limit_parent,
    "lift the limit of memory": _more_memory,
    "steal a descriptor of the parent": lambda: _call(434, _parent(), 0),  # pidfd_open
    "set up io_uring": lambda: _call(425, 8, ctypes.create_string_buffer(256)),  # io_uring_setup
}


# -- jobs of a queue: ``[what, argument, folder]``


def job(request: bytes) -> bytes:
    """Do the work of a job."""
    what, argument, folder = json.loads(request)
    if what == "find":
        Path(folder, "found").write_text(str(argument))
        return done(argument)
    if what == "give up":
        return failed(argument)
    if what == "keep":  # forever
        while True:
            with Path(folder, "kept").open("a") as file:
                file.write("x" * 10_000)
            burn(0.01)
    return ACTIONS[what](argument)
