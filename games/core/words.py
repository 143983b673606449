"""What games say in other languages: catalogues of whole sentences, and pages of rules.

A catalogue is a file ``words/LANGUAGE.json`` in a game's folder, one object: English template → that language's, with
the same gaps. What the core itself says is in its own. Whatever is not in a catalogue stays English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).parents[2] / "locale"
_CORE = Path(__file__).parent


@lru_cache(maxsize=256)
def catalogue(folder: Path, language: str) -> Mapping[str, str]:
    """Return what is said in ``folder`` and in the core by its English template; nothing for a language not there."""
    words: dict[str, str] = {}
    for place in dict.fromkeys((_CORE, folder)):
        file = place / "words" / f"{language}.json"
        if file.is_file():
            words |= json.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(words)


def languages() -> list[str]:
    """Return the codes of the languages that have catalogues. English needs none."""
    return sorted(folder.name for folder in LOCALE.glob("*/"))


def read(language: str, name: str) -> Catalog:
    """Return what is translated in ``locale/LANGUAGE/NAME.po``; an empty catalogue if there is no such file."""
    from babel.messages.catalog import Catalog  # here, so that games play without Babel
    from babel.messages.pofile import read_po

    file = LOCALE / language / f"{name}.po"
    if not file.is_file():
        return Catalog(charset="utf-8")
    with file.open("rb") as source:
        catalog = read_po(source)
    for message in list(catalog):
        if not all(message.string if isinstance(message.string, tuple) else [message.string]):
            catalog.delete(message.id, message.context)
    return catalog


def in_language(page: Path, language: str) -> Path:
    """Return the file that says in a language what ``page`` says in English: ``rules.nl.md``; else ``page`` itself."""
    translated = page.with_suffix(f".{language}{page.suffix}")
    return translated if translated.is_file() else page
