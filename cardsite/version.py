"""The version of the site, which pyproject.toml names. CHANGELOG.md says what each version brings."""

from __future__ import annotations

import tomllib
from pathlib import Path

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

VERSION: str = tomllib.loads(_PROJECT.read_text())["project"]["version"]
