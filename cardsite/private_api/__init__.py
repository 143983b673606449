"""Undocumented parts of libraries that the site uses: one module for each library.

Each module names the release that it was checked against and lists the names it uses, with the reason. No other module
of ``cardsite`` uses a private attribute of a library. ``tests/site/test_private_api.py`` fails when another minor
release is installed, or when a listed name is gone. Nothing undocumented of Channels is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Release(NamedTuple):
    """The minor release of a package that a module was checked against."""

    package: str
    minor: str  # "5.2"


class PrivateUse(NamedTuple):
    """Names in a module, a class or its instances, and what they are used for."""

    owner: Any
    names: tuple[str, ...]
    why: str
