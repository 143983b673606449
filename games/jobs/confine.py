"""Confinement: take away from a process what a handler does not need: network, writing files, other processes.

It uses two mechanisms of Linux that need no root: seccomp allows only the system calls listed here, and Landlock only
some files. Both last until the process ends. A system without them still has the resource limits, and ``protections()``
says so. Handlers are our own code, but they read texts written by visitors. This is the second line of defence, in
case a text exploits a fault of the interpreter.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import site
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

OPEN_FILES = 64  # a handler imports modules, and shared libraries may open others
LARGEST_FILE = 256 << 20  # bytes; maximum size of any file a confined process writes

# The system calls Python needs to compute, import, read the clock and use open pipes. All others fail with ENOSYS, as
# on a kernel without them; the C library then uses older ones (for clone3, for example).
ALLOWED = """
    read readv pread64 write writev close close_range lseek dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    stat fstat lstat newfstatat fstatfs statx access faccessat faccessat2 readlink readlinkat getcwd getdents64
    fadvise64
    mmap munmap mprotect mremap madvise brk
    rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack setitimer getitimer restart_syscall
    futex set_robust_list rseq set_tid_address membarrier sched_yield sched_getaffinity getcpu
    getpid gettid getppid getuid geteuid getgid getegid getpgid getrusage times sysinfo uname getrandom getrlimit
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time
    exit exit_group
"""
# Landlock decides in which folders these work.
WRITING = """
    mkdir mkdirat rename renameat renameat2 unlink unlinkat rmdir link linkat truncate ftruncate fallocate fsync
    fdatasync flock fchmod utimensat pwrite64 umask
"""
_O_WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0) & ~getattr(os, "O_DIRECTORY", 0)
_WORD = 0xFFFFFFFF
_F_GETFD, _F_SETFD, _F_GETFL, _F_DUPFD_CLOEXEC = 1, 2, 3, 1030
_TCGETS, _TIOCGWINSZ, _FIONCLEX, _FIOCLEX = 0x5401, 0x5413, 0x5450, 0x5451


@dataclass(frozen=True)
class Protections:
    """What this system enforces for a confined process."""

    seccomp: bool  # no sockets, no starting, tracing or signalling of processes, no files opened for writing
    landlock: int  # version of Landlock; from 1: only the program's own files, from 6: no signals to others; 0: none

    @property
    def sentence(self) -> str:
        """The same as a sentence for administrators."""
        if not self.seccomp and not self.landlock:
            return "Limits of CPU, memory, open files and the size of files; neither seccomp nor Landlock."
        calls = "seccomp" if self.seccomp else "no seccomp"
        files = f"Landlock version {self.landlock}" if self.landlock else "no Landlock"
        return f"Limits of CPU, memory, open files and the size of files; {calls}; {files}."


def protections() -> Protections:
    """Return what this system enforces."""
    if not sys.platform.startswith("linux"):
        return Protections(seccomp=False, landlock=0)
    import landlockpy
    import seccompy

    try:
        seccompy.syscalls.audit_arch()
        seccomp = seccompy.supported()
    except OSError:  # a processor other than x86-64 and ARM64
        seccomp = False
    return Protections(seccomp, landlockpy.abi_version())


def confine(writable: Iterable[str], packages: Iterable[str]) -> None:
    """Confine this process permanently, as far as the system supports it.

    It may read Python's own folders and ``packages``, and write below ``writable``. Raises OSError.
    """
    writable = list(writable)
    has = protections()
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    largest = LARGEST_FILE if writable else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if has.landlock:
        _restrict_files(writable, packages)
    if has.seccomp:
        _restrict_calls(writing=bool(writable) and has.landlock > 0)


def _restrict_files(writable: Iterable[str], packages: Iterable[str]) -> None:
    from landlockpy import AccessFS, Ruleset, Scope

    reading = AccessFS.READ_FILE | AccessFS.READ_DIR
    writing = AccessFS.WRITE_FILE | AccessFS.TRUNCATE | AccessFS.MAKE_REG | AccessFS.MAKE_DIR
    writing |= AccessFS.REMOVE_FILE | AccessFS.REMOVE_DIR | AccessFS.REFER
    own = {sys.prefix, sys.base_prefix, sys.exec_prefix, *site.getsitepackages(), os.path.dirname(os.__file__)}
    own |= {folder for folder in sys.path if any(Path(folder).glob("*.dist-info"))}  # installed somewhere else
    system = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom", "/proc/self")
    with Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL) as rules:
        for path in {*own, *system, *packages}:
            if os.path.exists(path) and path != "/":
                is_folder = os.path.isdir(path)
                rules.allow_path(path, reading if is_folder else AccessFS.READ_FILE)
        for path in writable:
            rules.allow_path(path, reading | writing)
        rules.restrict()


def _restrict_calls(*, writing: bool) -> None:
    from seccompy import Action, ArgCmp, CmpOp, Filter

    calls = Filter(default=Action.ERRNO | errno.ENOSYS)

    def allow(name: str, *where: tuple[int, int, int]) -> None:
        """Allow a call; only with such arguments: (index of the argument, mask, value)."""
        conditions = [ArgCmp(at, CmpOp.MASKED_EQ, value, mask) for at, mask, value in where]
        with suppress(ValueError):  # this processor does not have the call
            calls.allow(name, args=conditions)

    for name in ALLOWED.split():
        allow(name)
    for name in ("open", "openat"):
        flags = 1 if name == "open" else 2  # the index of that argument
        allow(name, *([] if writing else [(flags, _O_WRITING, os.O_RDONLY)]))
    for name in WRITING.split() if writing else ():
        allow(name)
    for command in (_F_GETFD, _F_SETFD, _F_GETFL, _F_DUPFD_CLOEXEC):
        allow("fcntl", (1, _WORD, command))
    for command in (_TCGETS, _TIOCGWINSZ, _FIONCLEX, _FIOCLEX):
        allow("ioctl", (1, _WORD, command))
    allow("prlimit64", (0, _WORD, 0), (2, 0xFFFFFFFFFFFFFFFF, 0))  # only to read its own limits
    allow("tgkill", (0, _WORD, os.getpid()))  # abort() and raise_signal()
    calls.load()
