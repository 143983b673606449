"""Defences against pages of other sites, and the site behind a TLS proxy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.table.views import BUTTONS
from tests.running_site import RunningSite
from tests.site.conftest import ADMIN_PASSWORD, Actor
from tests.site.reasons import NO_CSRF, why_refused
from tests.site.visitor import TableSocket, Visitor
from tests.tiers import full

FORMS = (
    *(f"/t/{{code}}/{action.replace('_', '-')}/" for action in BUTTONS),
    "/t/{code}/change/",
    "/play/hamsterdam/",
    "/new/",
    "/people/me/name/",
    "/people/me/token/",
    "/people/register/",
    "/people/login/",
    "/people/logout/",
    "/admin/login/",
)


@pytest.mark.parametrize("path", FORMS)
def test_a_form_of_another_site_is_refused(table: Table, host: Actor, path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies = host.client.cookies
    before = Table.objects.values().get(), list(Person.objects.values())
    assert why_refused(client.post(path.format(code=table.code), {"name": "Mallory"})) == NO_CSRF
    assert before == (Table.objects.values().get(), list(Person.objects.values()))


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "http:evil",
    ],
)
def test_logging_in_never_redirects_to_another_site(admin: Actor, newcomer: Client, elsewhere: str) -> None:
    fields = {"username": "boss", "password": ADMIN_PASSWORD}
    for query, extra in ((f"?next={elsewhere}", {}), ("", {"next": elsewhere})):
        client = Client()
        answer = client.post(f"/people/login/{query}", {**fields, **extra})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/people/me/")
        answer = client.post(f"/people/logout/{query}", extra)
        assert answer.headers["Location"] == "/"


def test_logging_in_redirects_to_the_table(admin: Actor, newcomer: Client, table: Table) -> None:
    fields = {"username": "boss", "password": ADMIN_PASSWORD, "next": f"/t/{table.code}/"}
    assert newcomer.post("/people/login/", fields).headers["Location"] == f"/t/{table.code}/"


# -- the running site, as behind a TLS proxy: DEBUG off, no HAMSTERDAM_LOCAL


class ProxiedVisitor(Visitor):
    """A visitor whose requests come through the proxy."""

    def __init__(self, site: RunningSite, name: str = "", scheme: str = "https") -> None:
        super().__init__(site, name)
        self.headers = {"X-Forwarded-Proto": scheme, "Origin": site.url.replace("http:", f"{scheme}:")}


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The site with the settings of production."""
    site = RunningSite(tmp_path_factory.mktemp("proxied"), HAMSTERDAM_LOCAL="0", BEHIND_PROXY="1")
    with site.running():
        yield site


@full
def test_plain_http_is_sent_to_https(proxied: RunningSite) -> None:
    answer = ProxiedVisitor(proxied, scheme="http").get("/people/me/")
    assert answer.status == 301
    assert answer.headers["Location"] == f"https://127.0.0.1:{proxied.port}/people/me/"


@pytest.mark.parametrize("path", ["/", "/people/me/", "/rules/hamsterdam/", "/nosuchpage", "/admin/login/", "/new/"])
def test_every_page_has_its_headers(proxied: RunningSite, path: str) -> None:
    headers = ProxiedVisitor(proxied).get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy  # so scripts are the default's: ours alone, none inline
    assert (policy["frame-ancestors"], policy["object-src"], policy["base-uri"]) == ("'none'",) * 3
    assert policy["form-action"] == "'self'"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Strict-Transport-Security"] == "max-age=31536000"  # for this name only


def test_cookies_are_for_https_and_this_site_only(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied, "Pepper")
    answer = visitor.post("/people/me/name/", name="Pepper")
    [session] = [cookie for cookie in answer.headers.get_all("Set-Cookie") or [] if cookie.startswith("sessionid=")]
    for word in ("Secure", "HttpOnly", "SameSite=Lax"):
        assert word in session
    cookies = visitor.get("/people/me/").headers.get_all("Set-Cookie") or []
    [token] = [cookie for cookie in cookies if cookie.startswith("csrftoken=")] or ["Secure SameSite=Lax"]
    assert "Secure" in token
    assert "SameSite=Lax" in token


def test_pages_with_a_name_are_not_cached(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied, "Pepper")
    code = visitor.open_table("me", "house")
    for path in ("/", "/people/me/", f"/t/{code}/"):
        assert "no-store" in visitor.get(path).headers["Cache-Control"]


def test_an_error_shows_no_internals(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied)
    for path in ("/nosuchpage", "/t/nosuchtable/", "/replay/1/", "/rules/chess/"):
        answer = visitor.get(path)
        assert answer.status == 404
        for word in ("Traceback", "DEBUG", "urlpatterns", "cardsite", "Django"):
            assert word not in answer.text


def test_another_host_name_is_refused(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied)
    visitor.headers["Host"] = "evil.example"
    answer = visitor.get("/")
    assert answer.status == 400
    assert "Bad request" in answer.text


def test_people_play_behind_the_proxy(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied, "Pepper")
    code = visitor.open_table("me", "house")
    cookie = f"sessionid={visitor.cookies['sessionid']}"
    headers = {"Cookie": cookie, "X-Forwarded-Proto": "https"}
    with TableSocket(proxied, code, headers, origin=visitor.headers["Origin"]) as ws:
        assert ws.hello()["seat"] == 0


@pytest.mark.parametrize("path", ["/people/me/name/", "/new/", "/people/register/", "/play/hamsterdam/"])
def test_a_post_of_ten_megabytes_is_refused_and_the_site_stays_healthy(proxied: RunningSite, path: str) -> None:
    visitor = ProxiedVisitor(proxied)
    refused = visitor.post(path, name="x" * 10_000_000)
    assert (refused.status, "A request may have at most 256 KiB" in refused.text) == (413, True)
    assert proxied.healthy()


def test_a_broken_multipart_form_is_refused(proxied: RunningSite) -> None:
    visitor = ProxiedVisitor(proxied)
    visitor.headers["Content-Type"] = "multipart/form-data; boundary=x"
    assert visitor.post("/people/me/name/", name="\0\r\n--x").status in (302, 400)
    visitor.headers["Content-Type"] = "application/x-www-form-urlencoded; charset=no-such"
    assert visitor.post("/people/me/name/", name="x").status < 500


def test_health_answers_a_load_balancer_in_plain_http(proxied: RunningSite) -> None:
    assert ProxiedVisitor(proxied, scheme="http").get("/health").status == 200
