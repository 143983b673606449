"""The answers of a job's handler, in its child process. This module imports no Django.

A handler receives the ``request`` of its ``Job``. It returns ``done`` with a result, or ``failed`` with a message.
"""

from __future__ import annotations

import json
from typing import Any


def done(found: Any = None) -> bytes:
    """Return the answer of a job that succeeded; ``found`` is its result, plain data."""
    return json.dumps({"why": "", "found": found}).encode()


def failed(why: str) -> bytes:
    """Return the answer of a job that failed; ``why`` is for the person who asked for it."""
    return json.dumps({"why": why or "It failed.", "found": None}).encode()
