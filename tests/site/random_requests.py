"""Requests that no browser sends: any method, address, header, cookie, query and body, well formed or not."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote_from_bytes

from django.urls import URLResolver, get_resolver
from hypothesis import Phase, settings
from hypothesis import strategies as st

from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.visitor import Visitor
from tests.tiers import examples

# Requests that fail are not shrunk: each try of one that gets no answer takes PATIENCE seconds.
FUZZ = settings(examples(100), phases=(Phase.explicit, Phase.reuse, Phase.generate))
KEY = "0123456789abcdef0123456789abcdef"  # of a form: where cookie and header agree, pages are reached

WORDS = [
    b"",
    b"\0",
    b"Pep\0per",
    "\N{COLLISION SYMBOL}\N{RIGHT-TO-LEFT OVERRIDE}".encode(),
    b"\xff\xfe",
    b"\xed\xa0\x80",  # half a surrogate pair
    b"9" * 4400,
    b"99999999999999999999",
    b"-1",
    b"1e999",
    b"NaN",
    "\N{ARABIC-INDIC DIGIT THREE}".encode(),
    b"../../etc/passwd",
    b"/" * 40,
    b"%",
    b"%zz",
    b"[" * 1500,
    b'{"a":' * 300,
    b"a" * 2000,
    b"x\r\nSet-Cookie: x=1",
    b"{{ 7 }}",
    b"'; --",
    b"2026-99-99",
    b"1,2,\0",
    b"none",
    b"house",
    b"0",
    b"1",
    b"https://evil.example/",
]
CHARSETS = [
    b"utf-8", b"UTF8", b"utf-7", b"utf-16", b"latin-1", b"hex", b"rot13", b"zlib", b"idna", b"punycode", b"undefined",
    b"no-such", b"\xff", b'"', b'"utf-8', b"=?utf-7?q?x?=", b"a" * 500, b"unicode_escape", b"raw_unicode_escape",
]  # fmt: skip


def _pages(resolver: URLResolver, above: str = "/") -> Iterator[str]:
    """Yield an address of each page of the site but the administrator's."""
    for pattern in resolver.url_patterns:
        route = above + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.namespace != "admin":
                yield from _pages(pattern, route)
        else:
            yield re.sub("<int:[a-z_]+>", "1", route.replace("<slug:code>", "{code}").replace("<slug:game>", "thief"))


PLACES = [
    *_pages(get_resolver()), "/play/hamsterdam/", "/rules/no-such/", "/ws/table/{code}/", "/ws/table/{code}",
    "/ws/table/", "/ws/", "/static/css/site.css", "/static/%00", "/static/../x",
    "/admin/", "/admin/login/", "/admin/password_change/", "/admin/jsi18n/", "/admin/autocomplete/",
    "/admin/auth/user/", "/admin/auth/user/add/", "/admin/auth/user/1/change/", "/admin/auth/user/1/password/",
    "/admin/people/person/", "/admin/people/person/1/change/", "/admin/people/person/1/delete/", "/admin/lobby/table/",
    "/admin/lobby/table/1/change/", "/admin/table/match/", "/admin/table/match/1/change/",
    "/admin/table/match/1/history/", "/admin/table/message/", "/admin/r/1/1/",
]  # fmt: skip
LOGGING_OUT = ("/people/logout/", "/people/me/leave/")  # behind which an administrator is none any more
FIELDS = [
    "name", "game", "seat", "kind", "username", "password", "password1", "password2", "next", "page", "table", "q", "p",
    "o", "all", "e", "_facets", "_popup", "_to_field", "id__in", "username__exact", "name__contains", "blocked__exact",
    "created__gte", "created__year", "user__isempty", "visibility", "sealed", "seconds", "seat0", "seat1", "option_x",
    "person", "answer", "ready",
    "action", "_selected_action", "index", "select_across", "csrfmiddlewaretoken", "favourite", "options", "bot",
    "app_label", "model_name", "field_name", "term", "code", "date_hierarchy", "is_staff__exact", "o__x", "",
]  # fmt: skip

words = st.sampled_from(WORDS) | st.binary(max_size=20) | st.text(max_size=10).map(lambda t: t.encode(errors="replace"))
fields = st.lists(st.tuples(st.sampled_from(FIELDS), words), max_size=4)
kinds = st.sampled_from(
    [b"text/html", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=b", b"application/json", b";"]
)
content_types = st.one_of(
    kinds,
    kinds,
    st.tuples(kinds, st.sampled_from(CHARSETS)).map(lambda pair: pair[0] + b"; charset=" + pair[1]),
    st.tuples(kinds, st.sampled_from(CHARSETS)).map(lambda pair: pair[0] + b"; charset*=" + pair[1] + b"''%00"),
    words,
)
hosts = st.sampled_from(
    [b"evil.example", b"", b"127.0.0.1:99999999", b"[::1", b"a b", b"\xff", b"127.0.0.1, x", b"localhost:80:80", b"."]
)
origins = st.sampled_from([b"null", b"http://[::1", b"http://a:99999", b"//", b"\xff", b"http://127.0.0.1:", b"a, b"])
cookies = st.one_of(
    st.sampled_from([b'sessionid="\\000"', b"sessionid=\\000abcdefgh", b'sessionid="\\0001234567"', b"=;;=", b";"]),
    st.sampled_from([b'messages="\\000"', b"messages=W10:x:x", b'django_language="\\000"', b"csrftoken=\\000"]),
    words.map(lambda word: b"sessionid=" + word),
)
HEADERS = [
    b"Accept", b"Accept-Language", b"Accept-Encoding", b"Referer", b"X-Forwarded-For", b"X-Forwarded-Proto",
    b"X-Forwarded-Host", b"X-CSRFToken", b"Range", b"If-Modified-Since", b"If-None-Match", b"Daphne-Root-Path",
    b"Authorization", b"Sec-WebSocket-Extensions", b"Sec-WebSocket-Version", b"Expect",
    b"X-HTTP-Method-Override", b"Content-Length", b"Transfer-Encoding", b"Upgrade", b"Content-Encoding", b"X_Y",
    b"X-Requested-With", b"Content-Disposition", b"Content-Language", b"\xff", b"Date", b"Via", b"Forwarded",
]  # fmt: skip
values = words | st.sampled_from([b"Bearer x", b"Bearer \xff", b"en;q=x", b"bytes=9-1", b"*/*;q*=x'y'z"])
extra = st.tuples(st.sampled_from(HEADERS), values)


@dataclass
class Request:
    """A request as it is sent."""

    method: bytes
    target: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    version: bytes = b"1.1"
    as_admin: bool = False
    cut: int = 0  # bytes of its end that are never sent

    def bytes(self, code: str, session: str) -> bytes:
        """Return what is sent, at a table and with the cookie of an administrator if it has one."""
        cookies_sent = [f"csrftoken={KEY}".encode(), *([f"sessionid={session}".encode()] if self.as_admin else [])]
        cookies_sent += [value for name, value in self.headers if name == b"Cookie"]
        headers = [header for header in self.headers if header[0] != b"Cookie"]
        headers.append((b"Cookie", b"; ".join(cookies_sent)))
        if not any(name == b"Connection" for name, _ in headers):
            headers.append((b"Connection", b"close"))
        if not any(name in (b"Content-Length", b"Transfer-Encoding") for name, _ in headers):
            headers.append((b"Content-Length", str(len(self.body)).encode()))
        lines = [self.method + b" " + self.target.replace(b"{code}", code.encode()) + b" HTTP/" + self.version]
        lines += [name + b": " + value.translate(None, b"\r\n") for name, value in headers]
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


def usually(often: st.SearchStrategy[Any], other: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values of ``often``, and now and then of ``other``; a request with many faults is refused for one."""
    return st.integers(0, 11).flatmap(lambda dice: other if dice == 11 else often)


def _form(pairs: list[tuple[str, bytes]]) -> bytes:
    return b"&".join(name.encode() + b"=" + quote_from_bytes(value).encode() for name, value in pairs)


def _parts(pairs: list[tuple[str, bytes]], parameter: bytes) -> bytes:
    head = b'--b\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    return b"".join(head % (name.encode(), parameter, value) for name, value in pairs) + b"--b--\r\n"


good_hosts = st.just(b"127.0.0.1")
good_kinds = st.sampled_from([b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=b"])
methods = st.sampled_from([b"GET", b"POST", b"POST", b"POST", b"HEAD"])
other_methods = st.sampled_from([b"PUT", b"OPTIONS", b"DELETE", b"TRACE", b"g\xff", b"X", b"get"])
versions = st.sampled_from([b"1.0", b"2.0", b"0.9", b"\xff"])


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Draw a request: most reach a page, and each has something wrong in it."""
    place = draw(st.sampled_from(PLACES))
    target = place.encode()
    if draw(st.integers(0, 7)) == 0:
        target += quote_from_bytes(draw(words)).encode() + draw(st.sampled_from([b"", b"/"]))
    if pairs := draw(fields):
        # Most of them without a NUL, for which alone an address is refused.
        target += b"?" + draw(usually(st.just(_form(pairs).replace(b"%00", b"")), words)).translate(None, b" \r\n")
    headers = [(b"Host", draw(usually(good_hosts, hosts))), (b"X-CSRFToken", KEY.encode())]
    headers += draw(usually(st.just([]), st.lists(extra, max_size=3)))
    headers += draw(usually(st.just([]), st.lists(extra, max_size=3)))
    if draw(st.integers(0, 3)) == 0:
        headers.append((b"Cookie", draw(cookies)))
    method = draw(usually(methods, other_methods))
    if place.startswith("/ws/") or draw(st.integers(0, 12)) == 0:
        method = draw(usually(st.just(b"GET"), st.just(method)))
        headers += [(b"Upgrade", b"websocket"), (b"Connection", b"Upgrade, close"), (b"Sec-WebSocket-Version", b"13")]
        headers.append((b"Sec-WebSocket-Key", draw(usually(st.just(b"dGhlIHNhbXBsZSBub25jZQ=="), words))))
        headers.append((b"Origin", draw(usually(st.just(b"http://127.0.0.1"), origins))))
        if draw(st.booleans()):
            headers.append((b"Authorization", b"Bearer " + draw(words)))
    body = b""
    if method not in (b"GET", b"HEAD") or draw(st.integers(0, 9)) == 0:
        headers.append((b"Content-Type", draw(usually(good_kinds, content_types))))
        pairs = draw(fields)
        parameter = draw(
            st.sampled_from([b"", b'; filename="x"', b"; filename*=no-such''x", b"; name*=utf-7''%00", b";;"])
        )
        multipart = headers[-1][1].startswith(b"multipart")
        body = draw(usually(st.just(_parts(pairs, parameter) if multipart else _form(pairs)), words))
    return Request(
        method,
        target,
        headers,
        body,
        version=draw(usually(st.just(b"1.1"), versions)),
        as_admin=draw(st.booleans()) and place not in LOGGING_OUT,
        cut=draw(usually(st.just(0), st.integers(1, 40))),
    )


def answer(site: RunningSite, sent: bytes, cut: int = 0) -> bytes:
    """Send bytes, but for the last ``cut`` of them, and return the answer; b"" if the connection is dropped."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE) as connection:
        response = b""
        try:
            connection.sendall(sent[: len(sent) - cut])
            while not (cut or response.startswith(b"HTTP/1.1 101")) and (more := connection.recv(65536)):
                response += more
        except ConnectionError:
            pass
        return response


class FuzzedSite:
    """A running site that is sent random requests: a table there, an administrator, and the errors it has logged."""

    def __init__(self, site: RunningSite, code: str, session: str) -> None:
        self.site = site
        self.code = code
        self._session = session
        self._read = 0

    @classmethod
    @contextlib.contextmanager
    def opened(cls, site: RunningSite) -> Iterator[Self]:
        """Open and run a site."""
        try:
            password = re.search(r"Password:\s+(\S+)", site.open())
            assert password
            site.start()
            administrator = Visitor(site)
            assert administrator.post("/admin/login/", username="admin", password=password[1]).status == 302
            yield cls(site, Visitor(site, "Hostess").open_table("me", "open"), administrator.cookies["sessionid"])
        finally:
            site.close()

    def ask(self, request: Request) -> bytes:
        """Send a request and return the answer. Fails if that is an error of the site, or one was logged."""
        sent = request.bytes(self.code, self._session)
        response = answer(self.site, sent, request.cut)
        assert response[9:10] in (b"", b"1", b"2", b"3", b"4"), (sent, response[:1000])
        assert not (wrong := self.wrong()), (sent, wrong)
        return response

    def wrong(self) -> list[str]:
        """Return the errors that were logged since the last call."""
        lines = self.site.log[self._read :].splitlines()
        self._read = len(self.site.log)
        return [line for line in lines if "Traceback" in line or "[error" in line or "[critical" in line]

    def form(self) -> list[tuple[bytes, bytes]]:
        """Return the headers of a form that our own page sends."""
        kind = (b"Content-Type", b"application/x-www-form-urlencoded")
        return [(b"Host", b"127.0.0.1"), (b"X-CSRFToken", KEY.encode()), kind]

    def handshake(self) -> list[tuple[bytes, bytes]]:
        """Return the headers with which our own page opens a socket, but for the host."""
        return [
            (b"Upgrade", b"websocket"),
            (b"Connection", b"Upgrade, close"),
            (b"Sec-WebSocket-Version", b"13"),
            (b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ=="),
            (b"Origin", b"http://127.0.0.1"),
        ]
