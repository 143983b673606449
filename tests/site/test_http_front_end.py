"""The HTTP front end, before any view: requests that are too large, too slow, too many or invalid.

Under the site's own server and under another one the same holds, but where a test says otherwise.
"""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from django.conf import settings
from hypothesis import given
from websockets.exceptions import InvalidStatus

from cardsite.logs import FIRST
from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.random_requests import CHARSETS, FUZZ, FuzzedSite, Request, requests
from tests.site.visitor import TableSocket, Visitor, begin, two_at_a_table
from tests.tiers import full

MOST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
MEGABYTE = 1024 * 1024


class UnderUvicorn(RunningSite):
    """The site under another ASGI server, as docs/deployment.md says."""

    def command(self) -> list[str]:
        """Return what starts the serving process."""
        options = ["--port", str(self.port), "--ws-max-size", "65536", "--no-access-log", "--log-level", "warning"]
        return [sys.executable, "-m", "uvicorn", "cardsite.asgi:application", *options]


# A request that does not end is given up soon.
SHORT_TIMEOUTS = {"DJANGO_SETTINGS_MODULE": "tests.short_timeout_settings"}


@pytest.fixture(scope="module", params=[RunningSite, pytest.param(UnderUvicorn, marks=full)])
def fuzzed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FuzzedSite]:
    with FuzzedSite.opened(request.param(tmp_path_factory.mktemp("fuzzed"), **SHORT_TIMEOUTS)) as here:
        yield here


@pytest.fixture(scope="module")
def short_timeouts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """Our own server alone."""
    site = RunningSite(tmp_path_factory.mktemp("short_timeouts"), **SHORT_TIMEOUTS)
    with site.running():
        yield site


def head(site: RunningSite, *headers: str, path: str = "/people/me/name/") -> bytes:
    """Return the head of a POST."""
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{site.port}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def connect(site: RunningSite) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)


def read_to_end(connection: socket.socket) -> bytes:
    """Return what the server says until it closes the connection."""
    response = b""
    try:
        while more := connection.recv(65536):
            response += more
    except ConnectionResetError:
        pass
    return response


# -- too big


@pytest.mark.parametrize(
    ("length", "kind"),
    [
        (MOST + 1, "application/x-www-form-urlencoded"),
        (150 * MEGABYTE, "multipart/form-data; boundary=b"),
        (10**17, "image/png"),
    ],
)
def test_a_body_that_is_too_long_is_refused_before_a_byte_of_it_is_sent(
    fuzzed: FuzzedSite, length: int, kind: str
) -> None:
    sent = head(fuzzed.site, f"Content-Length: {length}", f"Content-Type: {kind}", "Accept: application/json")
    with connect(fuzzed.site) as connection:
        connection.sendall(sent)
        response = read_to_end(connection)
    first, _, body = response.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 413")
    assert json.loads(body)["code"] == "too_long"
    assert not fuzzed.wrong()


def test_a_request_that_is_too_long_is_refused_and_not_continued(fuzzed: FuzzedSite) -> None:
    with connect(fuzzed.site) as connection:
        connection.sendall(head(fuzzed.site, f"Content-Length: {MEGABYTE}", "Expect: 100-continue"))
        assert read_to_end(connection).startswith(b"HTTP/1.1 413")


def test_a_body_in_pieces_is_refused_when_it_passes_the_limit(fuzzed: FuzzedSite) -> None:
    piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with connect(fuzzed.site) as connection:
        connection.sendall(head(fuzzed.site, "Transfer-Encoding: chunked") + piece * 5)  # and no end
        assert read_to_end(connection).startswith(b"HTTP/1.1 413")
    with connect(fuzzed.site) as connection:  # one piece that says it is long, and never comes whole
        connection.sendall(head(fuzzed.site, "Transfer-Encoding: chunked") + b"ffffff\r\n" + b"x" * (MOST + 1))
        assert read_to_end(connection).startswith(b"HTTP/1.1 413")
    assert not fuzzed.wrong()


def test_the_longest_body_that_may_be_sent_reaches_its_page(fuzzed: FuzzedSite) -> None:
    body = b"name=" + b"x" * (MOST - 5)
    whole = Request(b"POST", b"/people/me/name/", fuzzed.form(), body)
    assert fuzzed.ask(whole).startswith(b"HTTP/1.1 302")  # whose page says that the name is too long
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:70_000], body[70_000:], b""))
    chunked = Request(
        b"POST", b"/people/me/name/", [*fuzzed.form(), (b"Transfer-Encoding", b"chunked")], pieces + b"\r\n"
    )
    assert fuzzed.ask(chunked).startswith(b"HTTP/1.1 302")


def test_the_page_says_how_much_may_be_sent(site: RunningSite) -> None:
    visitor = Visitor(site)
    refused = visitor.post("/people/me/name/", name="x" * 10 * MEGABYTE)  # all of which it sends before it reads
    assert refused.status == 413
    assert "A request may have at most 256 KiB" in refused.text
    assert "connection" in {name.lower() for name in refused.headers}


def test_a_file_is_taken_by_no_page(fuzzed: FuzzedSite) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="name"; filename="x"\r\n\r\nPaprika\r\n--b--\r\n'
    headers = [*fuzzed.form()[:-1], (b"Content-Type", b"multipart/form-data; boundary=b")]
    before = fuzzed.ask(Request(b"GET", b"/people/me/", fuzzed.form(), b"", as_admin=True))
    assert fuzzed.ask(Request(b"POST", b"/people/me/name/", headers, part, as_admin=True)).startswith(b"HTTP/1.1 302")
    assert b"Paprika" not in before + fuzzed.ask(Request(b"GET", b"/people/me/", fuzzed.form(), b"", as_admin=True))


def test_big_bodies_are_not_kept_and_nobody_waits_for_them(fuzzed: FuzzedSite) -> None:
    """Players go on while many send 8 MB each as fast as they can; of it all hardly a byte is in memory."""
    site = fuzzed.site
    code, host, guest = two_at_a_table(site)
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        memory = psutil.Process(site.pid).memory_info
        before = memory().rss
        connections = [connect(site) for _ in range(24)]
        body = b"name=" + b"x" * 8 * MEGABYTE
        try:
            for connection in connections:
                connection.setblocking(False)
            left = {connection: head(site, f"Content-Length: {len(body)}") + body for connection in connections}
            moves = 0
            while left or moves < 6:
                for connection in list(left):
                    try:
                        left[connection] = left[connection][connection.send(left[connection][:MEGABYTE]) :]
                    except BlockingIOError:
                        pass
                    except ConnectionError:  # it has received enough
                        left[connection] = b""
                    if not left[connection]:
                        del left[connection]
                if moves < 6:
                    mover, other = (one, two) if one.seat in one.view["to_act"] else (two, one)
                    mover.decide()
                    other.until(lambda: other.version >= mover.version)  # noqa: B023
                    moves += 1
                assert memory().rss < before + 24 * MEGABYTE  # of 192
        finally:
            for connection in connections:
                connection.close()
    assert not fuzzed.wrong()


# -- too slow, too many


def drip(site: RunningSite, sent: bytes, rest: bytes) -> bytes:
    """Send the beginning of a request, then byte by byte what never ends. Return the answer."""
    with connect(site) as connection:
        connection.sendall(sent)
        connection.settimeout(0.1)
        for byte in rest * 1000:
            try:
                if response := connection.recv(65536):
                    return response
                return b""
            except TimeoutError:
                pass
            except ConnectionError:
                return b""
            try:
                connection.sendall(bytes([byte]))
            except ConnectionError:
                return read_to_end(connection)
    raise AssertionError("The server would have read for ever.")


ENDLESS = [
    (b"", b"GET /"),
    (b"GET / HTTP/1.1\r\n", b"X-Drip: x\r\n"),
    (b"POST /people/me/name/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90000\r\n\r\n", b"x"),
    (b"POST /people/me/name/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    (b"GET /ws/table/x/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", b"X: y\r\n"),
    (b"GET /health HTTP/1.0\r\nConnection: keep-alive\r\n", b"X: y\r\n"),
]


@full
def test_a_request_that_comes_byte_by_byte_has_an_end(short_timeouts: RunningSite) -> None:
    with ThreadPoolExecutor(len(ENDLESS)) as senders:
        answers = senders.map(lambda request: drip(short_timeouts, *request), ENDLESS)
    for request, answer in zip(ENDLESS, answers, strict=True):
        assert answer == b"" or answer.startswith((b"HTTP/1.1 408", b"HTTP/1.1 400")), request


@full
def test_a_second_request_on_the_same_connection_has_an_end_too(short_timeouts: RunningSite) -> None:
    with connect(short_timeouts) as connection:
        connection.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{short_timeouts.port}\r\n\r\n".encode())
        assert b" 200 " in connection.recv(65536)
        connection.sendall(b"GET /health HTTP/1.1\r\nX-Never: ")
        assert read_to_end(connection).startswith(b"HTTP/1.1 408")


def test_a_connection_may_rest_between_two_requests(short_timeouts: RunningSite) -> None:
    with connect(short_timeouts) as connection, connect(short_timeouts) as other:
        request = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{short_timeouts.port}\r\n\r\n".encode()
        connection.sendall(request)
        assert b" 200 " in connection.recv(65536)
        other.sendall(b"GET /")
        read_to_end(other)  # so long that a request would have been given up
        connection.sendall(request)
        assert b" 200 " in connection.recv(65536)


@full
def test_at_the_limit_of_open_files_it_says_so_and_play_goes_on(new_site: Callable[..., RunningSite]) -> None:
    site = new_site()
    site.open()
    site.start()
    code, host, guest = two_at_a_table(site)
    process = psutil.Process(site.pid)
    crowd: list[socket.socket] = []
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        soft, hard = process.rlimit(psutil.RLIMIT_NOFILE)
        most = process.num_fds() + 64 + 30
        resource.prlimit(site.pid, resource.RLIMIT_NOFILE, (most, hard))
        try:
            until = time.monotonic() + PATIENCE
            while "too many connections" not in site.log:
                with contextlib.suppress(ConnectionResetError):  # closed before this side knows of it
                    crowd.append(connect(site))
                assert time.monotonic() < until
            mover, other = (one, two) if one.seat in one.view["to_act"] else (two, one)
            mover.decide()  # which needs the database, and the database files
            other.until(lambda: other.version >= mover.version)
            with contextlib.suppress(ConnectionResetError):
                assert read_to_end(connect(site)) == b""  # closed at once
        finally:
            for connection in crowd:
                connection.close()
        while not site.healthy():  # when they have gone, new ones are taken again
            assert time.monotonic() < until
        assert site.log.count("too many connections") <= FIRST + 1
        assert soft > most


# -- no sense


@full
@FUZZ
@given(request=requests())
def test_no_request_whatever_is_answered_by_an_error_of_ours(fuzzed: FuzzedSite, request: Request) -> None:
    if isinstance(fuzzed.site, UnderUvicorn):
        # It never answers a handshake with a body or a control character in it, and never reports one to the site.
        request.headers = [(name, value) for name, value in request.headers if name != b"Upgrade"]
    fuzzed.ask(request)


@pytest.mark.parametrize(
    "kind", [b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=b", b"text/html"]
)
@pytest.mark.parametrize("parameter", [b"; charset=", b"; charset*=utf-8''", b"; charset*="])
def test_a_form_in_other_letters_is_refused(fuzzed: FuzzedSite, kind: bytes, parameter: bytes) -> None:
    for charset in CHARSETS:
        headers = [*fuzzed.form()[:-1], (b"Content-Type", kind + parameter + charset)]
        status = fuzzed.ask(Request(b"POST", b"/people/me/name/", headers, b"name=Pepper"))[9:12]
        if charset not in (b"utf-8", b'"', b'"utf-8'):
            assert status in (b"400", b"415", b"302"), charset
        if charset in (b"utf-7", b"hex", b"no-such") and parameter == b"; charset=":
            assert status == b"415", charset


@pytest.mark.parametrize("accept", [b"*/*;q*=x'y'z", b"text/html;a*=no-such''x", b";;,;=,*/*;q=much", b","])
def test_an_accept_header_that_cannot_be_parsed_is_no_error(fuzzed: FuzzedSite, accept: bytes) -> None:
    headers = [(b"Host", b"127.0.0.1"), (b"Accept", accept)]
    assert fuzzed.ask(Request(b"GET", b"/language/", headers, b""))[9:12] in (b"302", b"204")


@pytest.mark.parametrize("path", ["/", "/health", "/admin/", "/nosuchpage", "/t/{code}/sit/", "/static/css/no.css"])
def test_another_host_is_refused_in_one_line_of_the_log(fuzzed: FuzzedSite, path: str) -> None:
    for host in (b"evil.example", b"127.0.0.1.evil.example", b"[::1", b"a b", b"127.0.0.1:x", b".", b"*"):
        for method in (b"GET", b"POST"):
            answer = fuzzed.ask(Request(method, path.encode(), [(b"Host", host)], b""))
            assert answer[9:12] in (b"400", b"404"), (method, host)


def test_a_socket_to_nowhere_is_refused(fuzzed: FuzzedSite) -> None:
    headers = [(b"Host", b"127.0.0.1"), *fuzzed.handshake()]
    for path in ("/ws/table/{code}", "/ws/table/", "/ws/", "/ws", "/", "/ws/table/{code}/x/", "/t/{code}/"):
        assert fuzzed.ask(Request(b"GET", path.encode(), headers, b""))[9:12] == b"403", path


@pytest.mark.parametrize("fuzzed", [RunningSite], indirect=True)  # uvicorn refuses some, hangs on others
def test_a_subprotocol_that_is_asked_for_makes_no_difference(fuzzed: FuzzedSite) -> None:
    for subprotocol in (b"\xe3\xd5h\x12", b"chat, talk", b"%ff", b",,", b""):
        headers = [(b"Host", b"127.0.0.1"), *fuzzed.handshake(), (b"Sec-WebSocket-Protocol", subprotocol)]
        assert fuzzed.ask(Request(b"GET", b"/ws/table/", headers, b""))[9:12] == b"403", subprotocol


def test_a_frame_of_brackets_in_brackets_is_garbage(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "open")
    with Visitor(site).connect(code) as ws:
        for frame in (
            '{"id":' + "[" * 4000,
            '{"t":"chat","text":' + '{"a":' * 800,
            '{"x":' + "[" * 1500 + "]" * 1500 + "}",
        ):
            before = len(ws.messages)
            ws.send(frame)
            ws.settle()
            assert [m["code"] for m in ws.messages[before:] if m["t"] == "refused"] == ["garbage"]
    assert "Traceback" not in site.log


# -- whose page it is


FOREIGN_ORIGINS = [
    "http://127.0.0.1:{other}",
    "http://127.0.0.1",
    "https://127.0.0.1",
    "http://localhost:{port}",
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}, http://127.0.0.1:{port}",
    "http://127.0.0.1:{port}@evil.example",
    "http://evil.example:{port}",
    "http://x@127.0.0.1:{port}",
    "ws://127.0.0.1:{port}",
    "127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://127.0.0.1:0{port}",
    "http://[::1]:{port}",
    "http://127.0.0.1:",
    "file://",
    "null",
]


def test_a_page_of_another_port_or_host_cannot_open_a_socket(fuzzed: FuzzedSite) -> None:
    port = fuzzed.site.port
    TableSocket(fuzzed.site, fuzzed.code, origin=fuzzed.site.url).close()  # so what is refused is the origin
    for origin in FOREIGN_ORIGINS:
        with pytest.raises(InvalidStatus) as refused:
            TableSocket(fuzzed.site, fuzzed.code, origin=origin.format(port=port, other=port - 1))
        assert refused.value.response.status_code in (400, 403), origin
        assert not fuzzed.wrong(), origin


def test_a_socket_for_another_host_is_refused_even_to_its_own_page(fuzzed: FuzzedSite) -> None:
    port = fuzzed.site.port
    # The same machine by another port may be this site, as far as anybody can see who stands behind a proxy.
    for host, statuses in (
        (f"evil.example:{port}", (b"400", b"403")),
        (f"127.0.0.1:{port - 1}", (b"101",)),
        ("", (b"400", b"403")),
    ):
        headers = [(b"Host", host.encode()), *fuzzed.handshake()[:-1], (b"Origin", f"http://{host}".encode())]
        assert fuzzed.ask(Request(b"GET", b"/ws/table/{code}/", headers, b""))[9:12] in statuses, host


PROXIED = [  # the host that was asked for, the origin of the page, and whether a socket is opened
    ("cards.example", "https://cards.example", True),
    ("cards.example", "https://cards.example:443", True),
    ("cards.example:443", "https://cards.example", True),
    ("cards.example:8443", "https://cards.example:8443", True),
    ("CARDS.example", "https://cards.example", True),
    ("a.many.example", "https://a.many.example", True),
    ("127.0.0.1:8000", "https://trusted.example", True),
    ("127.0.0.1:8000", "https://a.wild.example", True),
    ("cards.example", "https://cards.example:8443", False),
    ("cards.example:8443", "https://cards.example", False),
    ("cards.example", "http://cards.example", False),  # the site speaks HTTPS only
    ("cards.example", "https://a.many.example", False),  # ours too, but not where it wants to go
    ("a.many.example", "https://b.many.example", False),
    ("127.0.0.1:8000", "https://trusted.example:444", False),
    ("127.0.0.1:8000", "http://trusted.example", False),
    ("127.0.0.1:8000", "https://wild.example.evil", False),
    ("evil.example", "https://evil.example", False),
]


@full
def test_behind_a_proxy_the_host_counts_that_the_visitor_asked_for(fronted: RunningSite) -> None:
    fuzzed = FuzzedSite(fronted, "nosuchtable", "")
    for host, origin, opened in PROXIED:
        headers = [(b"Host", host.encode()), (b"Origin", origin.encode()), (b"X-Forwarded-Proto", b"https")]
        request = Request(b"GET", b"/ws/table/{code}/", [*headers, *fuzzed.handshake()[:-1]], b"")
        assert fuzzed.ask(request)[9:12] == (b"101" if opened else b"403"), (host, origin)


@pytest.fixture(scope="module")
def fronted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The site with the settings of production, behind a proxy, with more than one name."""
    site = RunningSite(
        tmp_path_factory.mktemp("fronted"),
        HAMSTERDAM_LOCAL="0",
        BEHIND_PROXY="1",
        ALLOWED_HOSTS="127.0.0.1,cards.example,.many.example",
        CSRF_TRUSTED_ORIGINS="https://trusted.example,https://*.wild.example",
    )
    with site.running():
        yield site
