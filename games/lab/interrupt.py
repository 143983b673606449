"""Reliable signals: Python discards exceptions raised in a finalizer, so a KeyboardInterrupt there would be lost."""

from __future__ import annotations

import _weakrefset
import signal
import threading
import weakref
from collections.abc import Callable
from functools import wraps
from types import FrameType

AGAIN = 0.02  # seconds; finalizers are short
CALLED_BACK = {weakref.__file__, _weakrefset.__file__}  # modules that run callbacks when objects are freed

Handler = Callable[[int, FrameType | None], None]


def after_finalizers(handle: Handler) -> Handler:
    """Return a signal handler that may raise. During a finalizer the signal is delivered again a little later.

    See the note under https://docs.python.org/3/reference/datamodel.html#object.__del__. Libraries with many
    short-lived objects, such as dask.distributed, run finalizers so often that this happens in practice.
    """

    @wraps(handle)
    def handler(number: int, frame: FrameType | None) -> None:
        if not _in_a_finalizer(frame):
            handle(number, frame)
            return
        again = threading.Timer(AGAIN, signal.pthread_kill, (threading.get_ident(), number))
        again.daemon = True
        again.start()

    return handler


def _in_a_finalizer(frame: FrameType | None) -> bool:
    while frame:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename in CALLED_BACK:
            return True
        frame = frame.f_back
    return False


@after_finalizers
def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt."""
    raise KeyboardInterrupt


def listen() -> None:
    """Let SIGTERM, like Ctrl-C, interrupt this program, so that files being written are cleaned up."""
    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else a script runs this in the background
        signal.signal(signal.SIGINT, interrupt)
