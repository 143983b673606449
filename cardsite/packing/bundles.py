"""Bundles: each script and style sheet that a page names, in one minified file with all that it imports.

A browser on a slow connection pays a round trip for each file that another one imports, so a page of forty modules
takes seconds. esbuild makes one file of them (``make bundle``, which needs Node.js). Its output is committed in
``static/bundles``, so running the site needs no Node.js. The sources are plain modules and style sheets. Browsers get
the sources if ``DEBUG`` is set, and also if they have changed since they were bundled.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"
FOLDER = STATIC / "bundles"
DIGEST = FOLDER / "sources.sha256"  # of the sources that the bundles were made of

# What pages name (`static` in templates), and what scripts fetch later (`templates/_assets.html`).
SCRIPTS = (
    "backroom", "circle", "early", "evening", "front/featured", "front/home", "game_filter", "lab", "me", "replay",
    "rules", "site", "table/early_socket", "table/main", "tournament", "tv", "verify", "workshop/feel_page",
    "workshop/main",
)  # fmt: skip
STYLES = (
    "backroom", "editor", "featured", "feel", "lab", "rule_pieces", "site", "workshop", "table/all", "table/boards",
    "table/cards", "table/colours", "table/guide", "table/controls", "table/felt_contents", "table/page", "table/proof",
    "table/replay", "tv",
)  # fmt: skip
ENTRIES = ("art/figures.js", *(f"js/{name}.js" for name in SCRIPTS), *(f"css/{name}.css" for name in STYLES))
EXTERNAL = "vendor/*"  # fetched as files of their own: CodeMirror

ESBUILD = ROOT / "tests" / "typescript" / "node_modules" / ".bin" / "esbuild"


def flat(path: str) -> str:
    """Return the name of the bundle of a file in ``static``: all bundles are in one folder."""
    return path.replace("/", "-")


def sources() -> Iterator[Path]:
    """Yield what bundles are made of, in a fixed order: our scripts and style sheets, and how they are bundled."""
    yield Path(__file__)
    for folder in ("art", "css", "js"):
        for file in sorted((STATIC / folder).rglob("*")):
            if file.suffix in (".js", ".css"):
                yield file


def digest() -> str:
    """Return the SHA-256 of the sources as they are now."""
    parts = (f"{file.relative_to(ROOT).as_posix()}\0".encode() + file.read_bytes() for file in sources())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def are_current() -> bool:
    """Return whether the committed bundles were made of the sources as they are now."""
    return DIGEST.exists() and DIGEST.read_text().strip() == digest()


def make() -> None:
    """Write the bundles again. Raises CalledProcessError if esbuild, which says why, cannot bundle them."""
    entries = [f"{flat(path).rpartition('.')[0]}={path}" for path in ENTRIES]
    options = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning"]
    options += [f"--outdir={FOLDER}", f"--external:./{EXTERNAL}"]
    shutil.rmtree(FOLDER, ignore_errors=True)
    subprocess.run([ESBUILD, *entries, *options], cwd=STATIC, check=True)  # noqa: S603 our own program and files
    DIGEST.write_text(digest() + "\n")


if __name__ == "__main__":
    if not ESBUILD.exists():
        sys.exit("esbuild is not installed. Run: make bundle")
    make()
