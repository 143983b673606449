"""An event as an iCalendar file (RFC 5545), which calendar programs import."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

LINE = 75  # octets of a line at most, without its end


def event(
    *, uid: str, sequence: int, changed: datetime, start: datetime, length: timedelta, summary: str, url: str
) -> bytes:
    """Return a calendar with one event. ``changed``: when it was edited last; ``url`` must be a valid URI.

    A file with the same ``uid`` and a higher ``sequence`` replaces it.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Hamsterdam//Circles//EN",
        "BEGIN:VEVENT",
        f"UID:{_escaped(uid)}",
        f"SEQUENCE:{sequence}",
        f"DTSTAMP:{_utc(changed)}",
        f"DTSTART:{_utc(start)}",
        f"DTEND:{_utc(start + length)}",
        f"SUMMARY:{_escaped(summary)}",
        f"URL:{url}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return b"".join(map(_folded, lines))


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """Return a text as the value of a property."""
    for character in ("\\", ";", ","):
        text = text.replace(character, f"\\{character}")
    return "\\n".join(text.splitlines())


def _folded(line: str) -> bytes:
    """Return a line with its end, continued on further lines if it is too long. Never splits a character."""
    rest, parts, room = line.encode(), [], LINE
    while len(rest) > room:
        end = room
        while rest[end] & 0xC0 == 0x80:  # inside a character of several octets
            end -= 1
        parts.append(rest[:end])
        rest, room = rest[end:], LINE - 1  # a continued line begins with a space
    return b"\r\n ".join([*parts, rest]) + b"\r\n"
