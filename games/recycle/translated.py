"""Pages of rules of the library's texts in other languages: ``library/NAME.LANGUAGE.md``.

The rules in words are made of a text, in English. A translation is of one such page, and says of which in its first
line, ``<!-- of 1a2b3c4d -->``: when text or sentences change, the English page is shown until it is brought up to date.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"


def mark(english: str) -> str:
    """Return the first line of a translation of that page."""
    return f"<!-- of {hashlib.sha256(english.encode()).hexdigest()[:8]} -->"


def page(name: str, english: str, language: str) -> str:
    """Return a page of rules in a language, ``english`` itself where there is no translation of just that page."""
    file = LIBRARY / f"{name}.{language}.md"
    if not file.is_file():
        return english
    first, _, translated = file.read_text(encoding="utf-8").partition("\n")
    return translated if first == mark(english) else english
