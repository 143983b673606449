"""Static files: named by content, bundled, compressed, cached for ever."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.core.files.storage import FileSystemStorage
from django.http import JsonResponse
from django.test import Client, RequestFactory
from django.urls import resolve

from cardsite.packing import bundles
from cardsite.packing.pages import CompressedPages
from cardsite.packing.storage import BundledStaticFilesStorage
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.visitor import Answer, Visitor
from tests.tiers import full

PAGES = (
    "/", "/games/", "/new/", "/rules/hamsterdam/", "/rules/thief/", "/people/me/", "/people/login/", "/lab/",
    "/privacy/", "/workshop/", "/workshop/new/", "/workshop/patterns/", "/workshop/words/", "/offline/",
    "/no-such-page/", "/admin/login/",
)  # fmt: skip
REFERENCE = re.compile(r"""(?:href=|src=|: )"(/static/[^"#]+)""")  # of a page, and of the list for its scripts
SCRIPT = re.compile(r"""<script [^>]*src="([^"]+\.js)""")
IMPORTED = re.compile(r"""\bimport\b[^"();]*"([^"]+)";""")
NAMED_IN_SCRIPT = re.compile(r"""\bimport\("([^"]+)"\)""")
NAMED_IN_STYLE = re.compile(r"""\burl\("(?!data:|#)([^"#]+)""")
YEAR = 365 * 24 * 3600


@pytest.fixture(scope="module")
def pages(site: RunningSite) -> dict[str, str]:
    """Pages of every kind, in another language: by their addresses."""
    anna = Visitor(site, "Anna")
    anna.cookies["django_language"] = "nl"
    code = anna.open_table("me", "house")
    anna.must(code, "start")
    return {path: anna.get(path).text for path in (*PAGES, f"/t/{code}/", "/replay/1/")}


def fetch(site: RunningSite, path: str) -> Answer:
    """Fetch a file as a browser does."""
    browser = Visitor(site)
    browser.headers["Accept-Encoding"] = "gzip"
    answer = browser.get(path)
    if answer.headers["Content-Encoding"] == "gzip":
        answer.body = gzip.decompress(answer.body)
    return answer


@full
def test_all_that_pages_refer_to_is_named_by_what_is_in_it_compressed_and_kept_for_ever(
    site: RunningSite, pages: dict[str, str]
) -> None:
    """Whatever it refers to in turn is so, too."""
    results = {path for page in pages.values() for path in REFERENCE.findall(page)}
    assert len(results) > 30
    seen: set[str] = set()
    while results - seen:
        path = (results - seen).pop()
        seen.add(path)
        if path.startswith("/static/admin/js/"):
            continue  # Django's own, which name each other in ways of their own
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", path), path
        answer = fetch(site, path)
        assert answer.status == 200, path
        kept = answer.headers["Cache-Control"]
        assert "immutable" in kept, path
        assert int(re.findall(r"max-age=(\d+)", kept)[0]) >= YEAR, path
        if path.endswith((".js", ".css", ".svg")) and len(answer.body) > 500:
            assert answer.headers["Content-Encoding"] == "gzip", path
        if path.endswith(".js") and "codemirror" not in path:
            results |= {urljoin(path, name) for name in NAMED_IN_SCRIPT.findall(answer.text)}
        elif path.endswith(".css"):
            assert "@import" not in answer.text, path
            results |= {urljoin(path, name) for name in NAMED_IN_STYLE.findall(answer.text)}


def test_no_page_waits_for_a_file_that_its_html_does_not_name(site: RunningSite, pages: dict[str, str]) -> None:
    """A file that is found in another comes a journey later; what scripts fetch when it is wanted is not waited for."""
    for path, page in pages.items():
        named = set(REFERENCE.findall(page))
        for script in SCRIPT.findall(page):
            if "/static/admin/" not in script:
                needed = {urljoin(script, name) for name in IMPORTED.findall(fetch(site, script).text)}
                assert needed <= named, (path, script)
        speaks = re.search(r"/js-(?:table-main|replay|front-home|workshop-main)\.", page)
        assert bool(speaks) <= any("/static/locale/nl." in one for one in named), path


def test_the_bundles_that_are_committed_are_made_of_these_sources() -> None:
    assert bundles.are_current(), "Scripts or style sheets have changed. Run: make bundle"


def collected(folder: Path) -> BundledStaticFilesStorage:
    """Collect a page's script, its bundle and a style sheet there, and return the storage."""
    storage, source = BundledStaticFilesStorage(location=folder), FileSystemStorage(bundles.STATIC)
    paths = ["js/verify.js", "bundles/js-verify.js", "css/site.css", "css/tokens.css"]
    paths += [path.relative_to(bundles.STATIC).as_posix() for path in (bundles.STATIC / "css" / "site").iterdir()]
    for path in paths:
        storage.save(path, source.open(path))
    for _, _, outcome in storage.post_process({path: (source, path) for path in paths}):
        assert not isinstance(outcome, Exception), outcome
    return storage


def test_older_bundles_than_their_sources_are_left_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has changed a script plays with it, even before it is bundled."""
    monkeypatch.setattr(bundles, "are_current", lambda: True)
    assert re.fullmatch(r"bundles/js-verify\.\w{12}\.js", collected(tmp_path / "current").stored_name("js/verify.js"))
    monkeypatch.setattr(bundles, "are_current", lambda: False)
    storage = collected(tmp_path / "older")
    assert storage.stored_name("js/verify.js") == "js/verify.js"
    sheet = storage.open(storage.stored_name("css/site.css")).read().decode()
    assert re.search(r'@import url\("tokens\.\w{12}\.css"\)', sheet), (
        "style sheets are named by their content all the same"
    )


def test_bundles_are_of_other_sources_when_any_of_them_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundles, "ROOT", tmp_path)
    monkeypatch.setattr(bundles, "sources", lambda: sorted((tmp_path / "js").iterdir()))
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").write_text("1")
    first = bundles.digest()
    (tmp_path / "js" / "a.js").write_text("2")
    second = bundles.digest()
    (tmp_path / "js" / "a.js").rename(tmp_path / "js" / "b.js")
    assert len({first, second, bundles.digest()}) == 3


def test_what_is_read_comes_compressed_and_what_says_a_lasting_secret_does_not(admin: Actor, host: Actor) -> None:
    browser = {"Accept-Encoding": "gzip, deflate, br"}
    for path in ("/", "/games/", "/rules/hamsterdam/", "/people/me/", "/tables.json", "/games/enchere/words/nl.json",
                 "/pictures/agram/sign.svg", "/site.webmanifest", "/service-worker.js", "/no-such-page/"):  # fmt: skip
        answer = host.client.get(path, headers=browser)
        whole = host.client.get(path).content
        assert answer.headers.get("Content-Encoding") == "gzip" or len(whole) < 300, path
        assert len(answer.content) < len(whole) * 0.7 or len(whole) < 300, path
    for path in (
        "/admin/",
        "/admin/now/",
        "/admin/rig/",
        "/admin/second-factor/",
        "/admin/people/person/",
        "/admin/login/",
    ):
        assert "Content-Encoding" not in admin.client.get(path, headers=browser).headers, path
    form = {"username": "anna", "password": "wrong"}
    assert "Content-Encoding" not in Client().post("/people/login/", form, headers=browser).headers
    script = RequestFactory().post("/workshop/check/", headers=browser)
    script.resolver_match = resolve("/workshop/check/")
    data = CompressedPages(lambda request: JsonResponse({})).process_response(script, JsonResponse({"a": "b" * 500}))
    assert data.headers["Content-Encoding"] == "gzip", "that a script has asked for"
