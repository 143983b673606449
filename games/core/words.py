"""Translations: gettext catalogues, and pages of rules in other languages.

``locale/LANGUAGE`` has the catalogues of a language: ``site.po`` for the site's pages, ``scripts.po`` for the browser's
scripts, ``games/FOLDER.po`` for the games of a folder, ``games/core.po`` for what all of them say. A message is an
English template and its translation, with the same placeholders. What a catalogue lacks stays English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).parents[2] / "locale"


def languages() -> list[str]:
    """Return the codes of the languages that have catalogues. English needs none."""
    return sorted(folder.name for folder in LOCALE.glob("*/"))


def read(language: str, name: str) -> Catalog:
    """Return the catalogue ``locale/LANGUAGE/NAME.po``; an empty one if there is no such file."""
    from babel.messages.catalog import Catalog  # here: it is slow to import
    from babel.messages.pofile import read_po

    file = LOCALE / language / f"{name}.po"
    if not file.is_file():
        return Catalog()
    with file.open("rb") as source:
        return read_po(source)


@lru_cache(maxsize=256)
def catalogue(language: str, *names: str) -> Mapping[str, str]:
    """Return the translations in some catalogues by their English templates; the last catalogue that has one wins."""
    if language not in languages():
        return {}
    messages = [message for name in names for message in read(language, name) if message.id and message.string]
    messages = [message for message in messages if not message.context]  # others are read where they are used
    return MappingProxyType({str(message.id): str(message.string) for message in messages})


def in_language(page: Path, language: str) -> Path:
    """Return the file that says in a language what ``page`` says in English: ``rules.nl.md``; else ``page`` itself."""
    translated = page.with_suffix(f".{language}{page.suffix}")
    return translated if translated.is_file() else page
