"""The HTTP front end under Daphne: limits on a request before the application receives it.

Twisted reads every request to its end, however long or slow it is, and parses forms on the event loop, so that all
tables of the process wait. Here a request that is too long is passed on without its body, and ``request_limits.py``
rejects it; a connection that is too slow is closed; and nothing is parsed.
"""

from __future__ import annotations

import resource
from io import BytesIO
from typing import Any

import structlog
from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from twisted.internet.interfaces import IAddress
from twisted.logger import globalLogPublisher
from twisted.protocols.basic import LineReceiver
from twisted.web import http

from cardsite.private_api import twisted

LINGER_SECONDS = 5.0  # for which a refused client may continue to send, so that it reads the response
LINGER_BYTES = 16 * 1024 * 1024  # that it may send in that time; they are discarded
SPARE_FILES = 64  # file descriptors reserved for the database, bots and files when there are very many connections
HTTPChannel: Any = http.HTTPChannel  # Twisted has few type annotations
log = structlog.get_logger(__name__)


class Request(WebRequest):  # type: ignore[misc]
    """Daphne's request, with its body in memory and not parsed."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, parsePOSTFormSubmission=False)

    def gotLength(self, length: int | None) -> None:
        self.content = BytesIO()

    def handleContentChunk(self, data: bytes) -> None:
        # One byte over the limit, so that ``request_limits.py`` sees that the body is too long.
        room = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1 - self.content.tell()
        self.content.write(data[:room])
        if len(data) >= room:
            self.channel.refuse_rest()

    def process(self) -> Any:
        # The first would let any client set the path of the site; the second names subprotocols, which we do not use.
        # Daphne fails on bytes outside ASCII in both.
        for name in (b"daphne-root-path", b"sec-websocket-protocol"):
            self.requestHeaders.removeHeader(name)
        return super().process()


class HttpConnection(HTTPChannel):  # type: ignore[misc]
    """Twisted's HTTP connection, with fixed deadlines and a limit on what it reads.

    The first byte must arrive within ``HEAD_SECONDS`` of the connection, the end of a head within the same time of its
    first byte, and the end of a body within ``BODY_SECONDS`` of that. (Twisted alone waits a minute for each byte.) A
    WebSocket starts with such a head. Between two requests Twisted's own timeout applies.
    """

    requestFactory = Request
    length: int | None  # of the body that is being received, if the request states it
    _begun = False  # a request is being received
    _refused = False  # the rest of it is discarded
    _lingering = 0  # bytes received since the refusal was sent

    def connectionMade(self) -> None:
        super().connectionMade()
        self.setTimeout(settings.HEAD_SECONDS)
        most, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and self.transport.fileno() >= most - SPARE_FILES:
            log.error(TOO_MANY, open_files_allowed=most)
            self.transport.abortConnection()

    def dataReceived(self, data: bytes) -> None:
        if self._lingering:
            self._lingering += len(data)
            if self._lingering > LINGER_BYTES:
                self.transport.abortConnection()
            return
        if not (self._begun or twisted.is_answering(self)):
            self._begun = True
            self.setTimeout(settings.HEAD_SECONDS)
        # Not Twisted's own timeout, which each byte would restart.
        LineReceiver.dataReceived(self, data)  # type: ignore[no-untyped-call]

    def allHeadersReceived(self) -> None:
        too_long = self.length is not None and self.length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if too_long:
            self.requests[-1].requestHeaders.removeHeader(b"expect")  # do not ask for it
        super().allHeadersReceived()
        self.setTimeout(settings.BODY_SECONDS)
        if too_long:
            self._refused = True
            self.persistent = 0
            self.length = 0

    def refuse_rest(self) -> None:
        """Answer the request that is being received, and discard its rest."""
        if not self._refused:
            self._refused = True
            self.persistent = 0
            self.allContentReceived()

    def allContentReceived(self) -> None:
        if twisted.is_answering(self):  # the end of a refused body
            return
        self._begun = False
        self.timeOut = self.factory.timeOut  # for the time until the next request
        super().allContentReceived()

    def timeoutConnection(self) -> None:
        if self._begun:
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        super().timeoutConnection()

    def loseConnection(self) -> None:
        """Close the connection. After a refusal, continue reading for a moment: a reset would discard the response."""
        if not self._refused or self._lingering or twisted.is_aborting(self):
            super().loseConnection()
            return
        self._lingering = 1
        twisted.half_close(self, LINGER_SECONDS)


class HttpFactory(HTTPFactory):  # type: ignore[misc]
    """Creates the HTTP connections of a process."""

    def protocol(self) -> HttpConnection:
        return HttpConnection()

    def buildProtocol(self, address: IAddress | None) -> HttpConnection:
        connection: HttpConnection = super().buildProtocol(address)
        connection.requestFactory = Request
        return connection


# -- Daphne discards Twisted's log; the important records are logged here

TOO_MANY = "too many connections: refusing new ones"


def _observe(event: dict[str, Any]) -> None:
    if reason := twisted.cannot_accept(event):
        log.error(TOO_MANY, reason=reason)
    elif error := twisted.failure(event):
        log.error("connection failed", exc_info=error)


def log_from_twisted() -> None:
    """Log connections that Twisted cannot accept, and failures of its callbacks."""
    globalLogPublisher.addObserver(_observe)  # type: ignore[arg-type]
