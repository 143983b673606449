"""What runs in the sandbox's processes, on texts of which nothing is known yet. It imports no Django.

A question is JSON, and so is the answer: what a text has come to in here must not be able to do anything out there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from cardsite.workshop import lessons, readings, trying

DONE, REFUSED = "done", "refused"  # begins an answer: what the question has come to, or why it cannot be answered

QUESTIONS: dict[str, Callable[..., Any]] = {
    "check": readings.check,
    "format_text": readings.format_text,
    "explain": readings.explain,
    "look": readings.look,
    "try_out": trying.try_out,
    "describe_again": trying.describe_again,
    "goals": lessons.goals,
}


def answer(request: bytes) -> bytes:
    """Return the answer to a question, ``{"job": one of QUESTIONS, ...}``. Raises whatever goes wrong in there."""
    asked = json.loads(request)
    try:
        found = [DONE, QUESTIONS[asked.pop("job")](**asked)]
    except readings.Unreadable as refusal:
        found = [REFUSED, str(refusal)]
    return json.dumps(found).encode()
