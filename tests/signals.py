"""Signals that the suite was started to ignore, and what it starts is not to: tests interrupt it."""

from __future__ import annotations

import signal

# Python ignores these two itself, and `subprocess` gives children their default back.
_PYTHONS = {signal.SIGPIPE, signal.SIGXFSZ}
# A child in the background that writes to the terminal would be stopped for good.
_STOPPING = {signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}


kept: set[int] = set()
"""The signals that this run ignores and its children do not."""


def keep_from_children() -> None:
    """Keep ignoring what ``nohup``, or ``make test &`` in a script, made us ignore; start children with the default.

    A program that is started goes on ignoring what was ignored here, but gets the default of what was handled here.
    """
    for number in signal.valid_signals() - _PYTHONS - _STOPPING:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
            kept.add(number)
