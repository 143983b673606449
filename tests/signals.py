"""Signals that the test run ignores, for example under ``nohup``. Programs that tests start must not ignore them.

Tests interrupt these programs with signals.
"""

from __future__ import annotations

import signal

# Python itself ignores these two, and `subprocess` resets them in the programs that it starts.
_RESET_BY_SUBPROCESS = {signal.SIGPIPE, signal.SIGXFSZ}
# Job control. With a handler, a background run that uses the terminal would get these signals again and again.
_JOB_CONTROL = {signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}


ignored: set[int] = set()
"""The signals that this run ignores and the programs it starts do not."""


def ignore_in_this_process_only() -> None:
    """Let the programs that tests start handle by default the signals that this run ignores.

    A program inherits that a signal is ignored, but no handler. So a handler that does nothing takes the place of
    ``SIG_IGN``.
    """
    for number in signal.valid_signals() - _RESET_BY_SUBPROCESS - _JOB_CONTROL:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
            ignored.add(number)
