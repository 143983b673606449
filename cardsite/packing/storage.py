"""Where collected static files are kept: named by their content, compressed, and bundles instead of their sources.

A browser may keep a file with such a name for ever, under any server; the names are in a manifest, which ``static``
reads. The sources of bundles keep their own names. Pages refer to those only if they have changed since they were
bundled (``bundles.are_current``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from cardsite.packing import bundles

BUNDLES = "bundles/"
MODULES = ("js/", "art/")  # folders of modules, whose imports stay as they are written


class BundledStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """The storage behind ``static`` and ``collectstatic``."""

    support_js_module_import_aggregation = True  # bundles import CodeMirror by its final name

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._addresses: dict[str, str] = {}

    def url(self, name: str, force: bool = False) -> str:
        """Return the address of a file. It is composed once: a list of tables has hundreds of pictures."""
        if force or not self.hashed_files:  # nothing was collected: files may change
            return super().url(name, force)  # type: ignore[no-any-return]
        if name not in self._addresses:
            self._addresses[name] = super().url(name)
        return self._addresses[name]

    def stored_name(self, name: str) -> str:
        """Return the final name of a file: that of its bundle, if it has one, or its own if nothing was collected."""
        stored: str = self.hashed_files.get(BUNDLES + bundles.flat(name)) or self.hashed_files.get(name, name)
        return stored

    def post_process(self, paths: dict[str, tuple[Storage, str]], *args: Any, **options: Any) -> Iterator[Any]:
        """Name and compress what was collected, and write the manifest. Yields each file and its final name."""
        current = bundles.are_current()
        yield from super().post_process(
            {
                path: file
                for path, file in paths.items()
                if (current or not path.startswith(BUNDLES)) and not self._is_module(path)
            },
            *args,
            **options,
        )

    def compress_files(self, paths: Iterable[str]) -> Iterator[Any]:
        """Compress files that are named by their content, each once. Yields their names and those of the results."""
        final = set(self.hashed_files.values())
        yield from super().compress_files(
            path for path in paths if path in final and not Path(self.path(path) + ".gz").exists()
        )

    def _is_module(self, path: str) -> bool:
        """Return whether a file keeps its name if it has no bundle: a source of bundles, or a script beside them."""
        return path.endswith((".js", ".d.ts")) and path.startswith(MODULES)
