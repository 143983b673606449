"""The worker of the sandbox: answers questions about untrusted texts. It imports no Django.

Questions and answers are JSON, so that nothing a text has computed here can run code in the site's processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from cardsite.workshop import lessons, text_analysis, trial_worker
from games.core.messages import Message

DONE, REFUSED = "done", "refused"  # the first part of an answer: a result follows, or why there is none

QUESTIONS: dict[str, Callable[..., Any]] = {
    "check": text_analysis.check,
    "format_text": text_analysis.format_text,
    "explain": text_analysis.explain,
    "picture": text_analysis.picture,
    "look": text_analysis.look,
    "numbers": text_analysis.numbers,
    "with_numbers": text_analysis.with_numbers,
    "try_out": trial_worker.try_out,
    "describe_again": trial_worker.describe_again,
    "goals": lessons.goals,
}


def answer(request: bytes) -> bytes:
    """Return the answer to a question, ``{"question": one of QUESTIONS, ...}``. Raises what its function raises."""
    asked = json.loads(request)
    try:
        found = [DONE, QUESTIONS[asked.pop("question")](**asked)]
    except text_analysis.Unreadable as refusal:
        found = [REFUSED, refusal.text]
    return json.dumps(_plain(found)).encode()


def _plain(found: Any) -> Any:
    """Return an answer with its messages as data, so that they can be shown in the language of the person who asks."""
    if isinstance(found, Message):
        return found.data()
    if isinstance(found, dict):
        return {key: _plain(value) for key, value in found.items()}
    return [_plain(value) for value in found] if isinstance(found, list | tuple) else found
