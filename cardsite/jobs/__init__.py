"""Long work in the background: one model of a job, and queues of jobs. The work runs in a child of ``games.jobs``.

``folder.py``
    ``JobFolder``: state, results and progress of a job; when it was last viewed; how to cancel it. All processes of the
    site see the same. A job whose process died is recognised by its free lock and can be resumed.
``queue.py``
    ``Queue``: runs jobs of one kind, a few at a time; the person who has used the least CPU time is next. Each runs in
    a confined child that may write to its folder only, and its cost is booked.

A handler receives the ``request`` of its ``Job``. It returns ``done`` with a result, or ``failed`` with a message. It
runs in the child, so this module imports no Django.

Reports of the laboratory, lead histories and measurements of texts are such jobs. Work that a person waits for (bots,
the sandbox, matches) uses ``games.jobs.pool`` directly.
"""

from __future__ import annotations

import json
from typing import Any


def done(result: Any = None) -> bytes:
    """Return the answer of a job that succeeded; ``result`` is plain data."""
    return json.dumps({"why": "", "result": result}).encode()


def failed(why: str) -> bytes:
    """Return the answer of a job that failed; ``why`` is for the person who asked for it."""
    return json.dumps({"why": why or "It failed.", "result": None}).encode()
