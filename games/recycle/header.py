"""The head of a text: comments of the form ``;; Key: value`` before its first bracket."""

from __future__ import annotations

import re

# What stands at the end of a line is stripped, not matched: of a line full of blanks that would try every one of them.
_LINE = re.compile(r"\s*;;+\s*([A-Z][a-z]+)\s*:(.*)")
_MORE = re.compile(r"\s*;;+\s{3,}(\S.*)")


def header(text: str) -> dict[str, str]:
    """Return what the head of a text says, by key. A line that is set in further than its key goes on with it.

    >>> header(";; Title: Agram\\n;; Players: 2-5\\n(game")
    {'Title': 'Agram', 'Players': '2-5'}
    """
    found: dict[str, str] = {}
    key = ""
    for line in text.lstrip("\ufeff").splitlines():
        if line.lstrip().startswith("("):
            break
        if match := _LINE.match(line):
            key = match[1]
            found.setdefault(key, match[2].strip())
        elif key and (more := _MORE.match(line)):
            found[key] += f" {more[1].rstrip()}"
        else:
            key = ""
    return found
