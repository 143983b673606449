"""What a job's handler answers, in its child process. It imports no Django.

A handler gets what ``Queue.start`` was given as ``request``. It returns ``done``, or ``failed`` with a sentence.
"""

from __future__ import annotations

import json
from typing import Any


def done(found: Any = None) -> bytes:
    """Return the answer of a job that has done its work; ``found`` is plain data."""
    return json.dumps({"why": "", "found": found}).encode()


def failed(why: str) -> bytes:
    """Return the answer of a job that cannot be done; ``why`` is for whoever asked."""
    return json.dumps({"why": why or "It failed.", "found": None}).encode()
