"""What the site uses of its libraries although they do not document it: one module for each library.

Each module names the release that it was checked against and lists what it uses, with the reason. Nothing else in
``cardsite`` reaches for a private attribute of a library. ``tests/site/test_private_api.py`` fails as soon as another
minor release is installed, and when a name in a list is gone. Of Channels nothing undocumented is used.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Release(NamedTuple):
    """The minor release of a package that a module was checked against."""

    package: str
    minor: str  # "5.2"


class Use(NamedTuple):
    """Names of a module or a class, or of its instances, and what for."""

    owner: Any
    names: tuple[str, ...]
    why: str
