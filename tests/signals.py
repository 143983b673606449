"""Signals that this run ignores, as ``nohup`` makes it do. Programs that tests start must not: tests interrupt them."""

from __future__ import annotations

import signal

# Python itself ignores these two, and `subprocess` gives programs their default back.
_PYTHONS = {signal.SIGPIPE, signal.SIGXFSZ}
# These stop a program in the background that writes to the terminal.
_STOPPING = {signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}


kept: set[int] = set()
"""The signals that this run ignores and its children do not."""


def keep_from_children() -> None:
    """Start programs with the default handling of signals that this run ignores, as ``nohup`` or a script's ``&`` asks.

    A program inherits that a signal is ignored, but not that it has a handler. So a handler that does nothing replaces
    the ignoring.
    """
    for number in signal.valid_signals() - _PYTHONS - _STOPPING:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
            kept.add(number)
