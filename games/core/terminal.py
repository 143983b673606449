"""What commands share: types of command-line arguments, and strings that are safe to print on a terminal."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

LONGEST_REASON = 500  # characters
MOST_LINES = 200  # of an error message


def text_argument(text: str) -> str:
    """Return a command-line argument that is valid Unicode. Raises ArgumentTypeError for invalid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("must be a text in UTF-8") from None
    return text


def path_argument(text: str) -> Path:
    """Return a command-line argument as a path. Raises ArgumentTypeError if no file can have that name."""
    try:
        if text and b"\0" not in os.fsencode(text):
            return Path(text)
    except UnicodeEncodeError:
        pass
    raise argparse.ArgumentTypeError("must be the name of a file or folder")


def printable(line: str) -> str:
    """Return a line with control characters replaced one by one: it may come from an untrusted source."""
    return "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in line)


def lines(text: str) -> str:
    """Return a message of several lines, safe to print."""
    return "\n".join(printable(line)[:LONGEST_REASON] for line in text.splitlines()[:MOST_LINES])


def one_line(text: str) -> str:
    """Return a message as a single line, safe to print even if it quotes an untrusted file."""
    line = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in " ".join(text.split())
    )
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."
