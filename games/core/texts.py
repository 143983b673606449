"""Reading the texts that games are made from, with any line endings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

LARGEST = 1 << 20  # bytes of a file; more than any language of texts allows


class NoText(ValueError):
    """A file that is not a valid text; the message says why."""


def read_text(path: Path) -> str:
    """Return the text in a file. Raises NoText, OSError."""
    with path.open("rb") as file:
        return text_of(file.read(LARGEST + 1), path.name)


def text_of(content: bytes, name: str) -> str:
    """Return UTF-8 ``content``, with or without a byte order mark, as text with ``\\n`` line ends. Raises NoText."""
    if len(content) > LARGEST:
        raise NoText(f"{name} is too large: a text may have {LARGEST:,} bytes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoText(f"{name} is no text in UTF-8: {error.reason} at byte {error.start:,}.") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_beside(path: Path, suffixes: Sequence[str]) -> list[str]:
    """Return the texts of the files that differ from ``path`` only in their suffix; "" for a missing one.

    Raises NoText, OSError.
    """
    others = [path.with_suffix(suffix) for suffix in suffixes]
    return [read_text(other) if other.is_file() else "" for other in others]
