"""The trial of a text: whether a game can be made of it that keeps no table waiting.

Saving a text asks for it. A trial is a question to the sandbox (``sandbox.py``), so it runs behind everything else and
costs at most a process. Its promise: a text that has passed has been read, compiled for every number of players that it
allows and put into words, was played at random to the end of a few matches, and none of it took long (``trying.py``
says how long). In positions that were not met the deadlines of the match workers hold. A trial also describes the game,
so that the site's own processes need not read its text (``described.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from cardsite.limits import WORK
from cardsite.refusal import Refused
from cardsite.workshop.sandbox import LARGEST, Sandbox

_trials = Sandbox(1, WORK["trial"].waiting, WORK["trial"].cpu)


@dataclass(frozen=True)
class Trial:
    """What a trial has come to. Of a text that cannot be read nothing is known but ``why``."""

    ok: bool
    why: str = ""  # it is not played, in a sentence or two for its author
    seats: tuple[int, int] = (0, 0)
    title: str = ""
    summary: str = ""
    kind: str = ""
    minutes: int = 0
    description: dict[str, Any] | None = None  # see ``described.py``
    heavy: bool = False  # it took more than a trial may, which costs seconds


def size_of(source: str, table: str) -> int:
    """Return how many bytes a text and its table file have. Raises Refused for what cannot be kept."""
    try:
        size = len(source.encode()) + len(table.encode())
    except UnicodeEncodeError:
        raise Refused("bad_text", _("There is a sign in this text that cannot be written in UTF-8.")) from None
    if "\0" in source or "\0" in table:
        raise Refused("bad_text", _("There is a sign in this text that cannot be kept: the one with the number 0."))
    if size > LARGEST:
        told = {"size": size // 1024, "most": LARGEST // 1024}
        text = _("This text is too large: it has %(size)d kilobytes with its table file, and %(most)d are the most.")
        raise Refused("too_large", text % told)
    return size


def trial(source: str, table: str, who: str = "") -> Trial:
    """Try a text out, for ``who``, and return what that came to. Blocks for a second or more.

    Raises Refused when it is too large, or too many are waiting.
    """
    size_of(source, table)
    try:
        found = _trials.ask("try_out", who, source=source, table=table)
    except Refused as refusal:
        if refusal.code == "busy":
            raise
        return Trial(False, refusal.text, heavy=refusal.code == "too_much")
    return Trial(**{**found, "seats": tuple(found["seats"])})


def describe_again(source: str, table: str) -> tuple[dict[str, Any] | None, str]:
    """Return the description of a text that has passed its trial before, or None and why no game can be made of it now.

    Blocks for a second or so. Raises Refused when the sandbox has no time for it or breaks down.
    """
    found = _trials.ask("describe_again", "descriptions", source=source, table=table)
    return found["description"], str(found["why"])
