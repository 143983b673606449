"""Reading the texts that games are made from, with any line endings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

LARGEST = 64 * 1024  # characters of a text, and of each file beside it: on the site, and on the command line
BYTES = 4  # of a character at most, in UTF-8


class NoText(ValueError):
    """A file that is not a valid text; the message says why."""


def read_text(path: Path, most: int = LARGEST) -> str:
    """Return the text in a file, of at most so many characters. Raises NoText, OSError."""
    with path.open("rb") as file:
        return text_of(file.read(BYTES * most + 1), path.name, most)


def text_of(content: bytes, name: str, most: int = LARGEST) -> str:
    """Return UTF-8 ``content``, with or without a byte order mark, as text with ``\\n`` line ends. Raises NoText."""
    too_large = NoText(f"{name} is too large: at most {most:,} characters are allowed.")
    if len(content) > BYTES * most:
        raise too_large
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoText(f"{name} is not a text in UTF-8: {error.reason} at byte {error.start:,}.") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > most:
        raise too_large
    return text


def read_beside(path: Path, suffixes: Sequence[str]) -> list[str]:
    """Return the texts of the files that differ from ``path`` only in their suffix; "" for a missing one.

    Raises NoText, OSError.
    """
    others = [path.with_suffix(suffix) for suffix in suffixes]
    return [read_text(other) if other.is_file() else "" for other in others]
