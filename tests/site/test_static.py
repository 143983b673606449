"""How styles, scripts and pictures reach a browser: named, packed, compressed, and kept for ever."""

from __future__ import annotations

import gzip
import re
from random import Random
from urllib.parse import urljoin

import pytest
from django.http import JsonResponse
from django.test import Client, RequestFactory
from django.urls import resolve

from cardsite.packing import scripts, styles
from cardsite.packing.pages import CompressedPages
from tests.running_site import ROOT, RunningSite
from tests.site.conftest import Actor
from tests.site.visitor import Answer, Visitor

PAGES = (
    "/", "/games/", "/new/", "/rules/hamsterdam/", "/rules/thief/", "/people/me/", "/people/login/", "/lab/",
    "/privacy/", "/workshop/", "/workshop/new/", "/workshop/patterns/", "/offline/", "/no-such-page/", "/admin/login/",
)  # fmt: skip
REFERENCE = re.compile(r"""(?:href|src)="(/static/[^"#]+)""")
SCRIPT = re.compile(r"""<script [^>]*src="([^"]+\.js)""")
IMPORTED = re.compile(r"""^import .* from "([^"]+)";|^import "([^"]+)";""", re.M)
NAMED_IN_SCRIPT = re.compile(r"""\bimport(?:\.meta\.resolve)?\("([^"]+)"\)""")
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


def test_all_that_pages_refer_to_is_named_by_what_is_in_it_compressed_and_kept_for_ever(
    site: RunningSite, pages: dict[str, str]
) -> None:
    """Whatever it refers to in turn is so, too."""
    found = {path for page in pages.values() for path in REFERENCE.findall(page)}
    assert len(found) > 30
    seen: set[str] = set()
    while found - seen:
        path = (found - seen).pop()
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
            found |= {urljoin(path, name) for name in NAMED_IN_SCRIPT.findall(answer.text)}
        elif path.endswith(".css"):
            assert "@import" not in answer.text, path
            found |= {urljoin(path, name) for name in NAMED_IN_STYLE.findall(answer.text)}


def test_no_page_waits_for_a_file_that_its_html_does_not_name(site: RunningSite, pages: dict[str, str]) -> None:
    """A file that is found in another comes a journey later; what scripts fetch when it is wanted is not waited for."""
    for path, page in pages.items():
        named = set(REFERENCE.findall(page))
        for script in SCRIPT.findall(page):
            if script.startswith("/static/js/"):
                needed = {urljoin(script, a or b) for a, b in IMPORTED.findall(fetch(site, script).text)}
                assert needed <= named, (path, script)
        speaks = re.search(r"/js/(?:table/main|replay|front/home|workshop/main)\.", page)
        assert bool(speaks) <= any("/js/lang/nl." in one for one in named), path


def ours() -> dict[str, scripts.Module]:
    """Return the modules of the site."""
    texts = {str(file.relative_to(ROOT / "static")): file.read_text() for file in (ROOT / "static").rglob("*.js")}
    return {
        path: scripts.read(path, text)
        for path, text in texts.items()
        if not path.startswith("vendor/") and scripts.is_module(text)
    }


def any_modules(seed: int) -> dict[str, scripts.Module]:
    """Return twelve modules, each of which needs some later ones and fetches any."""
    draw, paths = Random(seed), [f"{number}.js" for number in range(12)]
    lines = {
        path: [f'import "./{other}";' for other in draw.sample(paths[at + 1 :], min(draw.randint(0, 2), 11 - at))]
        + [f'import("./{other}");' for other in draw.sample(paths, draw.choice([0, 0, 1, 2]))]
        for at, path in enumerate(paths)
    }
    return {path: scripts.read(path, "\n".join(each)) for path, each in lines.items()}


@pytest.mark.parametrize("seed", range(-1, 20))
def test_a_module_that_runs_finds_all_that_it_needs_in_whichever_order_packs_came(seed: int) -> None:
    modules = ours() if seed < 0 else any_modules(seed)
    elsewhere = {link.path: link.path for module in modules.values() for link in module.links}
    packs, draw = scripts.Packs(modules, elsewhere), Random(seed)

    def needed(path: str) -> list[str]:
        return [other for other in modules[path].needs("now") if other in modules]

    later = {path for module in modules.values() for path in module.needs("later")}
    for page in sorted(set(packs.roots) - later):
        there: set[str] = set()
        wanted = [page]
        while wanted:
            pack = wanted.pop(draw.randrange(len(wanted)))
            there |= set(packs.contents[pack])
            assert set(scripts.reached(pack, needed)) <= there, (page, pack)
            fetched = {other for path in packs.contents[pack] for other in modules[path].needs("later")}
            wanted += sorted((fetched & set(modules)) - there - set(wanted))


@pytest.mark.parametrize(
    "line",
    [
        "export let count = 0;",
        "export * from './other.js';",
        "export default function named() {}",
        "const here = import.meta.url;",
        "const late = import(`./${name}.js`);",
        "const address = import.meta.resolve(name);",
        "export { here };",
    ],
)
def test_what_a_pack_cannot_hold_is_refused_when_files_are_collected(line: str) -> None:
    with pytest.raises(scripts.CannotPack, match=r"js/one\.js"):
        scripts.read("js/one.js", f"// export const innocent = 1;\n{line}\n")


def test_circles_and_files_that_are_not_there_are_refused() -> None:
    circle = {"a.js": scripts.read("a.js", 'import "./b.js";'), "b.js": scripts.read("b.js", 'import "./a.js";')}
    circle["c.js"] = scripts.read("c.js", 'import "./a.js";')
    with pytest.raises(scripts.CannotPack, match="circle"):
        scripts.Packs(circle, {})
    with pytest.raises(scripts.CannotPack, match="not there"):
        scripts.Packs({"a.js": scripts.read("a.js", 'import("./gone.js");')}, {})


def test_what_a_string_says_is_nobodys_comment_or_import() -> None:
    text = 'const told = "// no */ import x"; const asked = `/* ${1 /* one */} */\n  export const x`; // away\n'
    module = scripts.read("js/one.js", f"export const one = 1;\n{text}/* away */ told;")
    code = "".join(module.parts)
    assert '"// no */ import x"' in code
    assert "`/* ${1  } */\n  export const x`" in code
    assert "away" not in code
    assert module.exports == (("one", "one"),)


def test_a_pack_has_another_name_when_anything_that_can_come_of_it_changes() -> None:
    def name(last: str) -> str:
        texts = {"page.js": 'import "./a.js";', "a.js": 'import("./b.js");', "b.js": 'import "./c.js";', "c.js": last}
        return scripts.Packs({path: scripts.read(path, text) for path, text in texts.items()}, {}).names["page.js"]

    assert name("export const c = 1;\n") == name("export const c = 1; // a comment\n")
    assert name("export const c = 1;") != name("export const c = 2;")


def test_a_style_sheet_brings_what_it_imports_and_its_files_are_found_from_where_it_lies() -> None:
    sheets = {
        "css/all.css": '@import "deep/one.css";\n@import url(two.css);\nb { color: blue }',
        "css/deep/one.css": 'a::before { content: "/* kept */"; background: url(../../art/a.svg#top) } /* away */',
        "css/two.css": "c { background: url('data:image/png;base64,AA') }",
    }
    packed = styles.packed("css/all.css", sheets.__getitem__, {"art/a.svg": "art/a.123.svg"}.__getitem__)
    assert packed.split("\n") == [
        'a::before { content: "/* kept */"; background: url("../art/a.123.svg#top") }',
        "c { background: url('data:image/png;base64,AA') }",
        "b { color: blue }",
        "",
    ]


def test_what_is_read_comes_compressed_and_what_says_a_lasting_secret_does_not(admin: Actor, host: Actor) -> None:
    browser = {"Accept-Encoding": "gzip, deflate, br"}
    for path in ("/", "/games/", "/rules/hamsterdam/", "/people/me/", "/tables.json", "/games/enchere/words/nl.json",
                 "/pictures/agram/sign.svg", "/site.webmanifest", "/service-worker.js", "/no-such-page/"):  # fmt: skip
        answer = host.client.get(path, headers=browser)
        whole = host.client.get(path).content
        assert answer.headers.get("Content-Encoding") == "gzip" or len(whole) < 300, path
        assert len(answer.content) < len(whole) * 0.7 or len(whole) < 300, path
    for path in ("/admin/", "/admin/second-factor/", "/admin/people/person/", "/admin/login/"):
        assert "Content-Encoding" not in admin.client.get(path, headers=browser).headers, path
    form = {"username": "anna", "password": "wrong"}
    assert "Content-Encoding" not in Client().post("/people/login/", form, headers=browser).headers
    script = RequestFactory().post("/workshop/check/", headers=browser)
    script.resolver_match = resolve("/workshop/check/")
    data = CompressedPages(lambda request: JsonResponse({})).process_response(script, JsonResponse({"a": "b" * 500}))
    assert data.headers["Content-Encoding"] == "gzip", "that a script has asked for"
