"""Signals that are not lost: the interpreter drops whatever is raised in a finalizer, and the program would go on."""

from __future__ import annotations

import _weakrefset
import signal
import threading
import weakref
from collections.abc import Callable
from functools import wraps
from types import FrameType

AGAIN = 0.02  # seconds: finalizers are short
CALLED_BACK = {weakref.__file__, _weakrefset.__file__}  # where the library lets go of what is no longer used

Handler = Callable[[int, FrameType | None], None]


def after_finalizers(handle: Handler) -> Handler:
    """Return a handler of signals that may raise: told in a finalizer, it is told again as soon as that is over.

    What is dropped says the note under https://docs.python.org/3/reference/datamodel.html#object.__del__. A library
    that makes many short-lived objects, as that of clusters does, is in a finalizer often enough to be met there.
    """

    @wraps(handle)
    def heard(number: int, frame: FrameType | None) -> None:
        if not _in_a_finalizer(frame):
            handle(number, frame)
            return
        again = threading.Timer(AGAIN, signal.pthread_kill, (threading.get_ident(), number))
        again.daemon = True
        again.start()

    return heard


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
