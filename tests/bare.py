"""Try `make play` and `make test` on a machine that is really bare: a minimal Debian, Python, make and no more.

    sudo python3 tests/bare.py                        everything, on what is committed: about 40 minutes
    sudo python3 tests/bare.py --working-tree         on the files as they lie here
    sudo python3 tests/bare.py guest:play root:play   some of it

It needs root, debootstrap, unshare and git. The machine is a folder, entered with chroot; what it is given of this one
is /dev, /proc and how to reach the package registries (settings of pip and apt, certificates, proxies). The tree gets
there as an unpacked archive, for root and for a plain user.

A plain user cannot install Chromium: until root's `make test` has done it, theirs is to end with advice.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("python3", "python3-venv", "make", "ca-certificates")
TOOLS = {"debootstrap": "debootstrap", "unshare": "util-linux", "git": "git"}  # and the packages they come in
HOMES = {"root": "/root", "guest": "/home/guest"}
STEPS = ("guest:play", "guest:test", "root:play", "root:test", "guest:test")
# /dev and /proc are mounted where no other process sees it, so nothing stays mounted, whatever happens here.
ENTER = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot --userspec="$1" "$0" sh -c "$2"'
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
# Where pip finds packages, but for folders of this machine, which the other has not got.
PIP_SETTING = re.compile(
    r"^(?:global|install|:env:)\.(cert|(?:extra-)?index-url|proxy|trusted-host|default-timeout)='((?!file:).*)'$",
    re.MULTILINE,
)
ADVICE = re.compile(r"sudo apt install [a-z0-9 ]*chromium")
OPENS_WITHIN = 600.0  # seconds, with everything that is installed before
TESTS_END_WITHIN = 3600.0
ENDS_WITHIN = 30.0

Check = Callable[["Machine", str], str]


class Failed(Exception):
    """A command did not do what it should have done; the text says which and why."""


class Machine:
    """A minimal Debian in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, suite: str, mirror: str) -> None:
        """Install Debian and a plain user, and configure how it reaches the registries."""
        debootstrap = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
        subprocess.run([*debootstrap, suite, str(self.folder), mirror], check=True)
        self.run("root", "useradd --create-home --shell /bin/sh guest")
        if acquire := _output("apt-config", "dump", "Acquire"):
            (self.folder / "etc/apt/apt.conf.d/99host").write_text(acquire)
        settings = dict(PIP_SETTING.findall(_output(sys.executable, "-m", "pip", "config", "list")))
        lines = [f"{name} = {value}" for name, value in settings.items()]
        (self.folder / "etc/pip.conf").write_text("\n".join(["[global]", *lines, ""]))
        own = "usr/local/share/ca-certificates"
        if Path("/", own).is_dir():
            shutil.copytree(Path("/", own), self.folder / own, dirs_exist_ok=True)
            self.run("root", "update-ca-certificates")

    def unpack(self, archive: Path) -> None:
        """Unpack the tree into the home of each user."""
        shutil.copy(archive, self.folder / "tree.tar")
        for user in HOMES:
            self.run(user, "rm -rf ~/tree && mkdir ~/tree && tar -xf /tree.tar -C ~/tree")

    def has(self, program: str) -> bool:
        """Say whether a program is installed."""
        return (self.folder / "usr/bin" / program).exists()

    def run(self, user: str, command: str) -> None:
        """Run a shell command that is to succeed. Raises Failed."""
        with self.running(user, command) as process:
            output, _ = process.communicate()
        if process.returncode:
            raise Failed(f"{command} ended with {process.returncode}:\n{output}")

    @contextmanager
    def running(self, user: str, command: str) -> Iterator[subprocess.Popen[str]]:
        """Run a shell command in a process group of its own, which ends with the block."""
        variables = [f"{name}={os.environ[name]}" for name in PROXIES if name in os.environ]
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        bare = ["env", "--ignore-environment", "--default-signal", path, f"HOME={HOMES[user]}", *variables]
        enter = ["unshare", "--mount", "sh", "-c", ENTER, str(self.folder), f"{user}:", command]
        with subprocess.Popen(
            [*bare, *enter],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                _kill(process)


def play(machine: Machine, user: str) -> str:
    """Start the site, fetch its front page, stop it with Ctrl-C, and return what it printed."""
    port = _free_port()
    started = time.monotonic()
    with machine.running(user, f"cd ~/tree && make play PORT={port}") as process, _at_most(OPENS_WITHIN, process):
        output = _read(process, until=f"http://127.0.0.1:{port}/")
        opened = time.monotonic() - started
        if f":{port}/" not in output:
            raise Failed(f"ended with {process.wait()} before the house was open")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
            if page.status != 200 or b"Hamsterdam" not in page.read():
                raise Failed(f"the front page answered {page.status} without our name")
        os.killpg(process.pid, signal.SIGINT)
        with _at_most(ENDS_WITHIN, process):
            output += _read(process)
            process.wait()
        _wait_until_gone(process.pid)
    if "Traceback" in output:
        raise Failed("a traceback")
    return f"open after {opened:.0f} s, front page fetched, closed"


def test(machine: Machine, user: str) -> str:
    """Run all tests, and return how they ended; without Chromium and without the right to install it: with advice."""
    advised = user != "root" and not machine.has("chromium")
    started = time.monotonic()
    with machine.running(user, "cd ~/tree && make test") as process, _at_most(TESTS_END_WITHIN, process):
        output = _read(process)
        process.wait()
    took = time.monotonic() - started
    if advised:
        if process.returncode <= 0 or not ADVICE.search(output) or "Traceback" in output:
            raise Failed(f"ended with {process.returncode}, and not with plain advice on how to get Chromium")
        return f"no Chromium: ended with {process.returncode} and advice after {took:.0f} s"
    if process.returncode:
        raise Failed(f"ended with {process.returncode} after {took:.0f} s")
    return f"{_last_line(output)} ({took:.0f} s with everything)"


COMMANDS: dict[str, Check] = {"play": play, "test": test}


def pack(archive: Path, working_tree: bool) -> None:
    """Pack what is committed, as a download of it is, or the files as they lie here, without those git ignores."""
    git = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT)]
    if not working_tree:
        subprocess.run([*git, "archive", "--output", str(archive), "HEAD"], check=True)
        return
    listed = subprocess.check_output([*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    present = b"\0".join(name for name in listed.split(b"\0") if name and (ROOT / os.fsdecode(name)).exists())
    tar = ["tar", "-cf", str(archive), "-C", str(ROOT), "--null", "--no-recursion", "--files-from=-"]
    subprocess.run(tar, input=present, check=True)


def main() -> int:
    """Run the trial and say how each step went; 0 if all went as it should."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "steps", nargs="*", default=STEPS, metavar="USER:COMMAND", help=f"by default: {' '.join(STEPS)}"
    )
    parser.add_argument("--working-tree", action="store_true", help="the files as they lie here, not what is committed")
    parser.add_argument("--folder", type=Path, help="where the machine is made, and stays; used again if it is there")
    parser.add_argument("--suite", default="bookworm", help="the release of Debian (bookworm: Python 3.11)")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian", help="where Debian comes from")
    asked = parser.parse_args()
    if unknown := [step for step in asked.steps if step not in STEPS]:
        parser.error(f"there is no step {unknown[0]}; there are {', '.join(dict.fromkeys(STEPS))}")
    if lacking := [package for tool, package in TOOLS.items() if not shutil.which(tool)]:
        parser.error(f"this needs more than is installed (Debian: sudo apt install {' '.join(lacking)})")
    if os.geteuid() != 0:
        parser.error("only root can enter another machine: run it with sudo")
    with tempfile.TemporaryDirectory(prefix="hamsterdam-bare-") as temporary:
        archive = Path(temporary, "tree.tar")
        pack(archive, asked.working_tree)
        machine = Machine((asked.folder or Path(temporary, "machine")).resolve())
        try:
            if not (machine.folder / "home/guest").exists():
                machine.install(asked.suite, asked.mirror)
            machine.unpack(archive)
        except (Failed, subprocess.CalledProcessError) as failure:
            sys.exit(f"The machine could not be made: {failure}")
        results = [_try(machine, step) for step in asked.steps]
    print("\n".join(["", *(text for _, text in results)]))
    return 0 if all(well for well, _ in results) else 1


def _try(machine: Machine, step: str) -> tuple[bool, str]:
    user, _, command = step.partition(":")
    print(f"\n== make {command}, as {user}", flush=True)
    try:
        return True, f"ok      {step}: {COMMANDS[command](machine, user)}"
    except (Failed, OSError) as failure:
        return False, f"FAILED  {step}: {failure}"


def _read(process: subprocess.Popen[str], until: str | None = None) -> str:
    """Return the output of a process, up to a line with ``until`` or to its end, and show it."""
    assert process.stdout
    output = ""
    while line := process.stdout.readline():
        output += line
        print(line, end="", flush=True)
        if until and until in line:
            break
    return output


@contextmanager
def _at_most(seconds: float, process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a process that is not through the block in time."""
    clock = threading.Timer(seconds, _kill, [process])
    clock.start()
    try:
        yield
    finally:
        clock.cancel()


def _kill(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _wait_until_gone(group: int) -> None:
    deadline = time.monotonic() + ENDS_WITHIN
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise Failed("it left processes behind")


def _last_line(text: str) -> str:
    return ([line for line in text.splitlines() if re.search(r"\d+ passed", line)] or ["no test ran"])[-1]


def _output(*command: str) -> str:
    """Return the output of a command, "" if there is no such command."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
