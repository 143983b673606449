"""All URLs: HEAD is answered like GET, missing pages link to others, robots.txt, and the icon."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from datetime import date
from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from cardsite.front.not_found import ANYTHING, KINDS, kind_of
from cardsite.lobby.models import Table
from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.hostile_texts import small
from tests.site.stored_texts import keep
from tests.site.test_pages import played
from tests.site.visitor import Visitor
from tests.tiers import full

Route = tuple[str, URLPattern]  # its name and its pattern


def routes(resolver: URLResolver | None = None, above: str = "") -> Iterator[Route]:
    """Yield each address pattern of the site, with its name, except the administrators'."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{above}{pattern.name}", pattern
        elif pattern.namespace != "admin":
            yield from routes(pattern, f"{above}{pattern.namespace}:" if pattern.namespace else above)


ROUTES = list(routes())


def address(route: Route, **known: object) -> str:
    """Return an address of a pattern. Parts that are not ``known`` name something that does not exist."""
    name, pattern = route
    missing = {"match_id": 0, "person_id": 0, "number": 0, "ply": 0, "file": "no-such.svg", "day": date.min}
    code = {"code": known.get("text_code") if name.startswith("workshop:") else known.get("table_code")}
    results = {key: known.get(key, code.get(key)) or missing.get(key, "no-such") for key in pattern.pattern.converters}
    return reverse(name, kwargs=results)


@pytest.fixture
def known(table: Table, host: Actor, admin: Actor) -> dict[str, object]:
    """An existing object of each kind that addresses name."""
    return {
        "table_code": table.code,
        "match_id": played(table, host, plies=2).pk,
        "person_id": host.person.pk,
        "text_code": keep(host, small()).text.code,
        "number": 1,
        "ply": 1,
        "game": "hamsterdam",
        "name": "kuhn",
    }


@full
def test_head_is_answered_like_get_without_a_body_wherever_get_is(known: dict[str, object], admin: Actor) -> None:
    shown = 0
    for path in [*(address(route, **known) for route in ROUTES), "/admin/"]:
        got, head = admin.client.get(path), admin.client.head(path)
        assert head.status_code == got.status_code, path
        assert head.get("Content-Type") == got.get("Content-Type"), path
        assert head.content == b"", path
        shown += got.status_code == 200
    assert shown > 30, "the objects that addresses name do not exist"


def test_a_new_token_is_shown_once_and_not_used_up_by_a_head_request(host: Actor) -> None:
    host.client.post("/people/me/token/")
    host.client.head("/people/me/")
    assert 'id="token-text"' in host.client.get("/people/me/").content.decode()
    assert 'id="token-text"' not in host.client.get("/people/me/").content.decode()


@full
def test_head_gets_no_body_over_the_network(site: RunningSite) -> None:
    for path in ("/", "/robots.txt", "/no-such-page", "/static/css/site.css"):
        with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
            connection.sendall(f"HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
        got = Visitor(site).get(path)
        assert (int(head.split()[1]), body) == (got.status, b"")
        assert f"\r\ncontent-type: {got.headers['Content-Type']}".lower().encode() in head.lower()


def test_a_missing_page_names_its_kind_and_links_to_others(db: None, newcomer: Client) -> None:
    """The answer is HTML, JSON or plain text, depending on the request."""
    answers = set()
    for route in ROUTES:
        if not route[1].pattern.converters:
            continue
        path = address(route)
        answer = newcomer.get(path)
        if answer.status_code != 404:  # 405 where only POST is accepted; the editor's page reports by itself
            continue
        kind = kind_of(answer.wsgi_request)
        assert kind, f"{route[0]} has no kind of page: add it in front/not_found.py"
        result = KINDS[kind]
        if getattr(route[1].callback, "answers_json", False) or path.endswith(".json"):
            assert (answer.json()["ok"], bool(answer.json()["text"])) == (False, True)
        elif "." in path.rsplit("/", 1)[-1]:
            assert answer["Content-Type"] == "text/plain; charset=utf-8"
            assert answer.content.decode() == f"{result.words}\n"
        else:
            text = answer.content.decode()
            assert f"<h1>{result.heading}</h1>" in text
            for link in result.links:
                assert f'href="{reverse(link.view)}">{link.label}</a>' in text
                assert newcomer.get(reverse(link.view)).status_code == 200
            answers.add(kind)
        asked = newcomer.get(path, headers={"Accept": "application/json"})
        assert (asked.status_code, asked.json()["ok"]) == (404, False)
    assert answers == set(KINDS) - {"administration"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/nowhere/", ""),
        ("/t/", "table"),
        ("/t/' OR 1/", "table"),
        ("/replay/abc/", "match"),
        ("/people/nobody/", "person"),
        ("/rules/", "game"),
        ("/daily/", "daily"),
        ("/workshop/a/b/c/", "text"),
        ("/lab/reports/", "report"),
    ],
)
def test_an_address_with_a_typo_is_recognised_by_how_it_begins(
    db: None, newcomer: Client, path: str, kind: str
) -> None:
    answer = newcomer.get(path)
    assert answer.status_code == 404
    assert str(KINDS.get(kind, ANYTHING).heading) in answer.content.decode()


def test_only_administrators_are_shown_the_way_to_the_administration(db: None, newcomer: Client, admin: Actor) -> None:
    assert "/admin/" in admin.client.get("/admin/no/such/").content.decode()
    stranger = newcomer.get("/admin/no/such/", follow=True)
    assert "Go to the administration" not in stranger.content.decode()


def test_a_missing_file_is_reported_in_one_line(db: None, newcomer: Client) -> None:
    answer = newcomer.get("/static/js/no-such.js")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/plain; charset=utf-8")
    assert len(answer.content) < 200


def test_search_engines_see_what_is_the_same_for_everybody_and_nobodys_evenings(db: None, newcomer: Client) -> None:
    answer = newcomer.get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    robots = RobotFileParser()
    robots.parse(answer.content.decode().splitlines())
    private = {"match_id", "person_id", "code"}  # the code of a text is public, that of a table is not
    for route in ROUTES:
        keys = set(route[1].pattern.converters)
        if keys & private - ({"code"} if route[0].startswith("workshop:") else set()):
            assert not robots.can_fetch("Googlebot", address(route)), route[0]
    seen = ["/", "/games/", "/rules/hamsterdam/", "/privacy/", "/static/css/site.css", "/lab/", "/lab/reports/kuhn/"]
    for path in [*seen, "/workshop/", "/workshop/no-such/", "/workshop/patterns/", "/pictures/agram/sign.svg"]:
        assert robots.can_fetch("Googlebot", path), path
    for path in ("/people/me/", "/people/login/", "/admin/", "/lab/runs/", "/metrics", "/t/abc/?x=1"):
        assert not robots.can_fetch("Googlebot", path), path
    # A person who is sent the link to a table is shown a preview of it.
    for path in ("/t/no-such/", "/t/no-such/preview.png", "/replay/1/"):
        assert robots.can_fetch("Twitterbot", path), path


def test_the_icon_is_a_real_one_in_the_sizes_that_are_asked_for(newcomer: Client) -> None:
    answer = newcomer.get("/favicon.ico")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/x-icon")
    icon = answer.content
    assert icon[:4] == b"\0\0\1\0"
    (count,) = struct.unpack_from("<H", icon, 4)
    sizes = []
    for entry in range(count):
        length, at = struct.unpack_from("<II", icon, 6 + 16 * entry + 8)
        picture = icon[at : at + length]
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack_from(">II", picture, 16) == (icon[6 + 16 * entry], icon[7 + 16 * entry])
        sizes.append(icon[6 + 16 * entry])
    assert sizes == [16, 32, 48]
