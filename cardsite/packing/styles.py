"""Style sheets with all that they import in them, and the final names of the files that they refer to."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

_ASIDE = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*(?!!).*?\*/""", re.S)  # strings stay, so do licences
_IMPORT = re.compile(r"""^[ \t]*@import\s+(?:url\(\s*)?["']?([^"'()\s]+)["']?\s*\)?\s*;""", re.M)
_FILE = re.compile(r"""\burl\(\s*(["']?)([^"'()]+)\1\s*\)""")
_INDENT = re.compile(r"\s*\n\s*")


def packed(path: str, text: Callable[[str], str], name: Callable[[str], str]) -> str:
    """Return a style sheet as it is served from beside its source.

    ``text`` has the source of a style sheet by its path, ``name`` the final one of any other file; both raise KeyError
    for what is not there.
    """
    return _INDENT.sub("\n", _with_imports(path, posixpath.dirname(path), text, name)).strip() + "\n"


def _with_imports(path: str, home: str, text: Callable[[str], str], name: Callable[[str], str]) -> str:
    folder = posixpath.dirname(path)

    def named(match: re.Match[str]) -> str:
        address, sign, part = match[2].partition("#")
        if not address or ":" in address or address.startswith("/"):
            return match[0]
        found = name(posixpath.normpath(posixpath.join(folder, address)))
        return f'url("{posixpath.relpath(found, home or ".")}{sign}{part}")'

    pieces = _IMPORT.split(_ASIDE.sub(lambda found: found[1] or "", text(path)))  # every second one is imported
    for at, piece in enumerate(pieces):
        if at % 2:
            pieces[at] = _with_imports(posixpath.normpath(posixpath.join(folder, piece)), home, text, name)
        else:
            pieces[at] = _FILE.sub(named, piece)
    return "".join(pieces)
