"""Translations: gettext catalogues, and pages of rules in other languages.

``games/locale/LANGUAGE`` has the catalogues of a language: ``FOLDER.po`` for the games of a folder, ``core.po`` for
what all of them say. The site has its own in ``cardsite/locale``. A message is an English template and its translation,
with the same placeholders; ``{place:to}`` is filled with what the catalogue has for "to" and the word. What a catalogue
lacks stays English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).parents[1] / "locale"


def languages() -> list[str]:
    """Return the codes of the languages that have catalogues. English needs none."""
    return sorted(folder.name for folder in LOCALE.glob("*/"))


def read(language: str, name: str, folder: Path | None = None) -> Catalog:
    """Return the catalogue ``LANGUAGE/NAME.po`` of a folder, by default the games'; an empty one if there is none."""
    from babel.messages.catalog import Catalog  # here: it is slow to import
    from babel.messages.pofile import read_po

    file = (folder or LOCALE) / language / f"{name}.po"
    if not file.is_file():
        return Catalog()
    with file.open("rb") as source:
        return read_po(source)


@lru_cache(maxsize=256)
def catalogue(language: str, *names: str, folder: Path | None = None, context: str = "") -> Mapping[str, str]:
    """Return the translations in some catalogues by their English templates; the last catalogue that has one wins.

    They are those of a context, by default of none.
    """
    if language not in languages():
        return {}
    messages = [message for name in names for message in read(language, name, folder) if message.id and message.string]
    messages = [message for message in messages if (message.context or "") == context]
    return MappingProxyType({str(message.id): str(message.string) for message in messages})


def in_language(page: Path, language: str) -> Path:
    """Return the file that says in a language what ``page`` says in English: ``rules.nl.md``; else ``page`` itself."""
    translated = page.with_suffix(f".{language}{page.suffix}")
    return translated if translated.is_file() else page
