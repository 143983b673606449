"""Where collected files are kept: packed, named by what is in them, and compressed.

A browser may keep whatever has such a name for ever, under any server; the names are in a manifest, which ``static``
reads. The sources lie beside them under their own names, for who wants to read them: nothing refers to those.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.compress import Compressor

from cardsite.packing import scripts, styles

OURS = ("js/", "art/")  # scripts that are packed; those of others are named and compressed as they are


class PackedStaticFilesStorage(ManifestStaticFilesStorage):
    """The storage behind ``static`` and ``collectstatic``."""

    def stored_name(self, name: str) -> str:
        """Return the final name of a file: its own, where nothing was collected, as in tests."""
        found: str = self.hashed_files.get(self.hash_key(self.clean_name(name)), name)
        return found

    def post_process(
        self, paths: dict[str, tuple[Storage, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Pack, name and compress what was collected, and write the manifest. Yields each file and its final name."""
        if dry_run:
            return
        names: dict[str, str] = {}
        sheets: dict[str, str] = {}
        ours: dict[str, str] = {}
        for path, (storage, found) in paths.items():
            with storage.open(found) as file:
                content = file.read()
            if path.endswith(".css"):
                sheets[path] = content.decode()
            elif path.endswith(".js") and path.startswith(OURS):
                ours[path] = content.decode()
            else:
                names[path] = self._keep(path, content)
        for path in sheets:
            text = styles.packed(path, sheets.__getitem__, names.__getitem__)
            names[path] = self._keep(path, text.encode())
        modules = {}
        for path, text in ours.items():
            if scripts.is_module(text):
                modules[path] = scripts.read(path, text)
            else:
                names[path] = self._keep(path, text.encode())
        packs = scripts.Packs(modules, names)
        for root, name in packs.names.items():
            if not self.exists(name):
                self.save(name, ContentFile(packs.text(root).encode()))
        names |= packs.names
        self.hashed_files = names
        self.save_manifest()
        self._compress(set(names.values()))
        for path in paths:  # from before files had such names
            for ending in (".gz", ".br"):
                Path(self.path(path) + ending).unlink(missing_ok=True)
        for path, name in names.items():
            yield path, name, True

    def _keep(self, path: str, content: bytes) -> str:
        """Keep a file under a name that says what is in it, and return that."""
        stem, ending = posixpath.splitext(path)
        name = f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}{ending}"
        if not self.exists(name):
            self.save(name, ContentFile(content))
        return name

    def _compress(self, names: set[str]) -> None:
        """Put beside each file what it is in gzip and in Brotli, where that is shorter and not there yet."""
        compressor = Compressor(quiet=True)
        wanted = [
            path
            for path in map(self.path, names)
            if compressor.should_compress(path) and not Path(path + ".gz").exists()
        ]
        with ThreadPoolExecutor() as workers:
            for _ in workers.map(lambda path: list(compressor.compress(path)), wanted):
                pass
