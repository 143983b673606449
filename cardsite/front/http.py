"""The HTTP front end under Daphne: limits on a request before the application receives it.

Twisted reads a request to its end, however long it is and however slowly it comes, and parses forms on the event loop,
where every table of the process waits meanwhile. Here a request that is too long is passed on without its body, so that
``request_limits.py`` rejects it; one that takes too long is cut off; and nothing is parsed.
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

LINGER_SECONDS = 5.0  # for which a client that was refused may go on sending, so that it reads the answer
LINGER_BYTES = 16 * 1024 * 1024  # that it may send in that time; they are dropped
SPARE_FILES = 64  # that the process may open, kept for the database, bots and files when connections want them all
HTTPChannel: Any = http.HTTPChannel  # Twisted says little about its types
log = structlog.get_logger(__name__)


class Request(WebRequest):  # type: ignore[misc]
    """Daphne's request, its body in memory and never parsed here."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, parsePOSTFormSubmission=False)

    def gotLength(self, length: int | None) -> None:
        self.content = BytesIO()

    def handleContentChunk(self, data: bytes) -> None:
        # One byte more than is allowed, so that ``request_limits.py`` sees that it was too much.
        room = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1 - self.content.tell()
        self.content.write(data[:room])
        if len(data) >= room:
            self.channel.refuse_rest()

    def process(self) -> Any:
        # By the first anybody could tell Daphne under which path the site is; of subprotocols we have none. It fails on
        # bytes beyond ASCII in both.
        for name in (b"daphne-root-path", b"sec-websocket-protocol"):
            self.requestHeaders.removeHeader(name)
        return super().process()


class HttpConnection(HTTPChannel):  # type: ignore[misc]
    """Twisted's HTTP connection, with deadlines that no byte extends, and an end to what it reads.

    The first byte must come ``HEAD_SECONDS`` after the connection, the end of a head as long after its first byte, and
    the end of a body ``BODY_SECONDS`` after that: Twisted alone waits a minute for each byte. A WebSocket begins with
    such a head. Between two requests a connection may rest as long as Twisted allows.
    """

    requestFactory = Request
    length: int | None  # of the body that comes, as far as the request says
    _begun = False  # a request is coming in
    _refused = False  # what still comes of it is not wanted
    _lingering = 0  # bytes that have come after the refusal was sent

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
        # Not Twisted's own, which would grant each byte as much time again.
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
        """Answer the request that is coming in now, and read no more of it."""
        if not self._refused:
            self._refused = True
            self.persistent = 0
            self.allContentReceived()

    def allContentReceived(self) -> None:
        if twisted.is_answering(self):  # the end of a body that was refused
            return
        self._begun = False
        self.timeOut = self.factory.timeOut  # for the time after the answer, until another request begins
        super().allContentReceived()

    def timeoutConnection(self) -> None:
        if self._begun:
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        super().timeoutConnection()

    def loseConnection(self) -> None:
        """End the connection. After a refusal go on reading for a moment: a reset would discard the answer."""
        if not self._refused or self._lingering or twisted.is_aborting(self):
            super().loseConnection()
            return
        self._lingering = 1
        twisted.half_close(self, LINGER_SECONDS)


class HttpFactory(HTTPFactory):  # type: ignore[misc]
    """Makes the connections of a process."""

    def protocol(self) -> HttpConnection:
        return HttpConnection()

    def buildProtocol(self, address: IAddress | None) -> HttpConnection:
        connection: HttpConnection = super().buildProtocol(address)
        connection.requestFactory = Request
        return connection


# -- Daphne drops Twisted's log; what matters of it is logged here

TOO_MANY = "too many connections: refusing new ones"


def _observe(event: dict[str, Any]) -> None:
    if reason := twisted.cannot_accept(event):
        log.error(TOO_MANY, reason=reason)
    elif error := twisted.failure(event):
        log.error("connection failed", exc_info=error)


def log_from_twisted() -> None:
    """Log from now on which connections Twisted cannot accept, and which of its callbacks fail."""
    globalLogPublisher.addObserver(_observe)  # type: ignore[arg-type]
