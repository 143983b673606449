"""A visitor of the site: pages, forms and buttons over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any
from urllib.parse import urlencode

SECRET = "a" * 32  # of the forms: a browser may choose it
PATIENCE = 120.0  # seconds for an answer; after that the visitor gives up
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A browser that keeps its session and its connection. ``address``, if any, is the one that a proxy would report.

    ``redirected_to`` is where the last redirect went.
    """

    def __init__(self, port: int, address: str, session: str = "") -> None:
        self.port = port
        self.address = address
        self.session = session
        self.redirected_to = ""
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status and the body of a page. Raises ConnectionError, TimeoutError."""
        return await self.ask("GET", path)

    async def post(self, path: str, **fields: object) -> tuple[int, bytes]:
        """Send a form; return the status and the body of the answer."""
        return await self.ask("POST", path, urlencode(fields).encode(), FORM)

    async def send_json(self, path: str, **asked: object) -> Any:
        """Send a JSON object and return the answer; {} if it is not JSON."""
        _status, body = await self.ask("POST", path, json.dumps(asked).encode(), JSON)
        with contextlib.suppress(ValueError):
            return json.loads(body)
        return {}

    async def ask(self, method: str, path: str, body: bytes = b"", content_type: str = "") -> tuple[int, bytes]:
        """Send any request. Returns the status and the body of the answer. Raises ConnectionError, TimeoutError."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, body, content_type)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            self.close()
            raise ConnectionError(repr(error)) from error
        except (OSError, asyncio.CancelledError):  # TimeoutError is an OSError
            self.close()
            raise

    async def _ask(self, method: str, path: str, body: bytes, content_type: str) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._connection
        cookies = [f"csrftoken={SECRET}", *([f"sessionid={self.session}"] if self.session else [])]
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Cookie: {'; '.join(cookies)}",
            "Accept-Encoding: gzip",
            f"X-CSRFToken: {SECRET}",
            f"Content-Length: {len(body)}",
        ]
        if self.address:
            head.append(f"X-Forwarded-For: {self.address}")
        if content_type:
            accepted = JSON if content_type == JSON else "text/html"
            head += [f"Content-Type: {content_type}", f"Accept: {accepted}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(answer.split(" ", 2)[1])
        headers = [(name.lower(), value) for name, _, value in (row.partition(": ") for row in answer.split("\r\n"))]
        for name, value in headers:
            if name == "set-cookie" and value.startswith("sessionid="):
                self.session = value.removeprefix("sessionid=").split(";")[0]
            elif name == "location":
                self.redirected_to = value
        fields = dict(headers)
        length = fields.get("content-length", "")
        text = await reader.readexactly(int(length)) if length else await reader.read()
        if not length or fields.get("connection", "") == "close":
            self.close()
        return status, text

    def close(self) -> None:
        """Close the connection. The next request opens another."""
        if self._connection:
            self._connection[1].close()
            self._connection = None


async def press(port: int, session: str, path: str) -> None:
    """Press a button as the visitor with a session. Raises ConnectionError unless the answer is 200, TimeoutError."""
    visitor = Visitor(port, "", session)
    try:
        status, body = await visitor.post(path)
    finally:
        visitor.close()
    if status != 200:
        raise ConnectionError(f"{path} was answered by {status}: {body[-200:]!r}")
