"""Which voice of a story speaks about what, in Python: the page decides the same in ``static/js/table/voices.js``."""

from __future__ import annotations

from games.core.story import Voice
from games.core.view import LogEntry


def speaks_of(voice: Voice, entry: LogEntry) -> bool:
    """Return whether a voice speaks about an entry of a log."""
    given = entry["text"]["args"]

    def known(name: str) -> int | str | None:
        arg = given.get(name)
        if not isinstance(arg, dict):
            return None
        return arg["seat"] if "seat" in arg else arg["card"][-1] if "card" in arg else None

    return (entry["kind"], entry.get("seat")) == (voice.kind, voice.seat) and all(
        known(name) == wanted for name, wanted in voice.about.items()
    )
