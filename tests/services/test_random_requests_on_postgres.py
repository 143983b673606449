"""Random requests on PostgreSQL: a NUL is never stored, and causes no server error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from tests.running_site import RunningSite
from tests.site.random_requests import FUZZ, FuzzedSite, Request, requests
from tests.tiers import full


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory, pg_url: str) -> Iterator[FuzzedSite]:
    environment = {"DATABASE_URL": pg_url, "DJANGO_SETTINGS_MODULE": "tests.short_timeout_settings"}
    site = RunningSite(tmp_path_factory.mktemp("fuzzed"), **environment)
    with FuzzedSite.opened(site) as here:
        yield here


@full
@FUZZ
@given(request=requests())
def test_no_request_causes_a_server_error(fuzzed: FuzzedSite, request: Request) -> None:
    fuzzed.ask(request)


@full
@pytest.mark.parametrize(
    "cookie", ['sessionid="\\000"', 'sessionid="\\0001234567"', "sessionid=12345678\\000", 'x="\\000"']
)
@pytest.mark.parametrize("path", ["/", "/people/me/", "/ws/table/{code}/", "/ws/table/{code}", "/admin/"])
def test_a_cookie_with_a_nul_in_it_identifies_nobody(fuzzed: FuzzedSite, cookie: str, path: str) -> None:
    headers = [(b"Host", b"127.0.0.1"), (b"Cookie", cookie.encode())]
    if path.startswith("/ws/"):
        headers += fuzzed.handshake()
    fuzzed.ask(Request(b"GET", path.encode(), headers, b""))


@full
@pytest.mark.parametrize(
    "place", ["/people/me/name/", "/new/", "/people/login/", "/t/{code}/sit/", "/t/{code}/set-seat/"]
)
def test_a_field_with_a_nul_in_it_does_no_harm(fuzzed: FuzzedSite, place: str) -> None:
    fields = b"&".join(
        name + b"=%00" for name in (b"name", b"seat", b"kind", b"game", b"username", b"password", b"next")
    )
    fuzzed.ask(Request(b"POST", place.encode(), fuzzed.form(), fields))
