"""What games of the workshop are called in the catalogue: ``w-CODE-N`` is version N of the text CODE."""

from __future__ import annotations

import re

from cardsite.lobby.models import CODE_ALPHABET

_NAME = re.compile(rf"w-([{CODE_ALPHABET}]{{8}})-([1-9][0-9]{{0,5}})")


_CODE = re.compile(rf"[{CODE_ALPHABET}]{{8}}")


def is_code(code: str) -> bool:
    """Whether this may be a text's address. What strangers send may hold signs that no database takes."""
    return _CODE.fullmatch(code) is not None


def parts_of(game: str) -> tuple[str, int] | None:
    """Return the code and the number that a game's name says, None for a game that is none of the workshop's."""
    found = _NAME.fullmatch(game)
    return (found[1], int(found[2])) if found else None
