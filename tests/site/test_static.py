"""How styles, scripts and pictures reach a browser."""

from __future__ import annotations

import gzip
import urllib.request

from tests.running_site import ROOT, RunningSite


def test_styles_and_scripts_come_compressed(site: RunningSite) -> None:
    for path in ("css/tokens.css", "js/i18n.js"):
        request = urllib.request.Request(f"{site.url}/static/{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(answer.read()) == (ROOT / "static" / path).read_bytes()
