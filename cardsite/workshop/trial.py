"""The trial of a text: whether it compiles to a game that is fast enough to be played at tables.

Every saved text has a trial. It is a question to the sandbox (``sandbox.py``), so it runs confined and at low priority.
A text that has passed was compiled for every number of players that it allows, its rules were put into words, a few
random matches of it were played, and no step took longer than ``trial_worker.py`` allows. In other positions the
deadlines of the match workers apply. A trial also describes the game, so that the site's processes need not read its
text (``described.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from cardsite.limits import WORK
from cardsite.refusal import Refused
from cardsite.workshop.sandbox import Sandbox, SandboxRefused, check_size
from games.core.messages import NONE, Message, of_data

_trials = Sandbox(1, WORK["trial"].waiting, WORK["trial"].cpu)


@dataclass(frozen=True)
class Trial:
    """The result of a trial. For a text with errors there is only ``why``."""

    ok: bool
    why: Message = NONE  # the text failed, in a sentence or two for its author
    seats: tuple[int, int] = (0, 0)
    title: str = ""
    summary: str = ""
    kind: str = ""
    minutes: int = 0
    description: dict[str, Any] | None = None  # see ``described.py``
    heavy: bool = False  # it needed more CPU time or memory than a trial may


def size_of(source: str, table: str) -> int:
    """Return the size of a text and its table file in bytes. Raises Refused if they cannot be stored."""
    try:
        size = len(source.encode()) + len(table.encode())
    except UnicodeEncodeError:
        raise Refused(
            "bad_text", _("This text contains a character that cannot be written in UTF-8. Remove it.")
        ) from None
    if "\0" in source or "\0" in table:
        raise Refused("bad_text", _("This text contains a NUL character (U+0000). Remove it."))
    check_size(source, table)
    return size


def trial(source: str, table: str, who: str = "") -> Trial:
    """Run the trial of a text, for ``who``. Blocks for a second or more.

    Raises Refused if the text is too large, or too many are waiting.
    """
    size_of(source, table)
    try:
        found = _trials.ask("try_out", who, source=source, table=table)
    except SandboxRefused as refusal:
        if refusal.code == "busy":
            raise
        return Trial(False, refusal.why, heavy=refusal.code == "too_much")
    return Trial(**{**found, "why": of_data(found["why"]), "seats": tuple(found["seats"])})


def describe_again(source: str, table: str) -> tuple[dict[str, Any] | None, Message]:
    """Return a new description of a text that passed its trial before; or None and why it can no longer be compiled.

    Blocks for about a second. Raises Refused if the sandbox is busy or fails.
    """
    found = _trials.ask("describe_again", "descriptions", source=source, table=table)
    return found["description"], of_data(found["why"])
