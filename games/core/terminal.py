"""What commands share: words that stand on a command line, and lines that any terminal can show."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

LONGEST_REASON = 500  # characters
MOST_LINES = 200  # of what is wrong with a text


def text_argument(text: str) -> str:
    """Return a word of a command line, which is a text. Raises ArgumentTypeError for bytes that are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("must be a text in UTF-8") from None
    return text


def path_argument(text: str) -> Path:
    """Return a word of a command line as a path. Raises ArgumentTypeError for what no file can be called."""
    try:
        if text and b"\0" not in os.fsencode(text):
            return Path(text)
    except UnicodeEncodeError:
        pass
    raise argparse.ArgumentTypeError("must be the name of a file or folder")


def printable(line: str) -> str:
    """Return a line as wide as it is, without what a terminal would obey: a stranger may have written it."""
    return "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in line)


def lines(text: str) -> str:
    """Return a reason of several lines that any terminal can show."""
    return "\n".join(printable(line)[:LONGEST_REASON] for line in text.splitlines()[:MOST_LINES])


def one_line(text: str) -> str:
    """Return a reason as one line that any terminal can show, whatever a stranger's file has brought into it."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in " ".join(text.split())
    )
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."
