"""Undocumented parts of Twisted's HTTP connections and sockets."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from typing import Any

from twisted.internet import asyncioreactor, tcp
from twisted.logger import LogLevel
from twisted.web import http

from cardsite.private_api import PrivateUse, Release

RELEASE = Release("Twisted", "26.10")
USES = (
    PrivateUse(
        http.HTTPChannel,
        ("_handlingRequest",),
        "whether a request is being answered, so that received data belongs to the next one",
    ),
    PrivateUse(
        http.HTTPChannel,
        ("_dataBuffer", "_networkProducer", "_abortingCall", "forceAbortClient"),
        "after a refusal a connection is closed for sending first, and for receiving a moment later",
    ),
    PrivateUse(
        http.HTTPChannel,
        ("allHeadersReceived", "allContentReceived", "timeoutConnection", "length", "persistent", "requests"),
        "overridden or set: deadlines and a limit on reading; `length` is that of the body, None if unknown",
    ),
    PrivateUse(
        http.Request,
        ("gotLength", "handleContentChunk", "content"),
        "overridden: a body stays in memory, up to a limit",
    ),
    PrivateUse(
        tcp.Connection,
        ("dataBuffer", "offset", "_tempDataLen", "writeSomeData", "connected", "disconnecting"),
        "to write at once and to know the size of the buffer: takes a third of the time of a later write",
    ),
    PrivateUse(
        asyncioreactor.AsyncioSelectorReactor,
        ("_asyncioEventloop",),
        "the event loop, to clean up after the reactor has stopped",
    ),
)
OUT_OF_FILES = ("EMFILE", "Could not accept")  # in the log format of twisted.internet.tcp


def is_answering(channel: http.HTTPChannel) -> bool:
    """Whether a request of this connection is being answered."""
    return bool(channel._handlingRequest)


def is_aborting(channel: http.HTTPChannel) -> bool:
    """Whether this connection will be cut off soon."""
    return channel._abortingCall is not None


def half_close(channel: Any, seconds: float) -> None:
    """Send nothing more, go on reading, and cut the connection off after some seconds.

    What has come and was not parsed is dropped; what comes goes to ``dataReceived``.
    """
    channel._dataBuffer = []
    channel._networkProducer.unregisterProducer()
    channel.transport.loseWriteConnection()
    channel._abortingCall = channel.callLater(seconds, channel.forceAbortClient)
    channel._networkProducer.resumeProducing()


def bytes_waiting(transport: Any) -> int:
    """Return how many bytes wait to be written to a connection."""
    return len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # type: ignore[no-any-return]


def write_at_once(transport: Any, data: bytes) -> bytes:
    """Write to a connection where nothing waits. Return what the system did not take."""
    if transport.connected and not transport.disconnecting:
        written = transport.writeSomeData(data)
        if isinstance(written, int):  # else it is an error, which the transport will meet again and deal with
            return data[written:]
    return data


def event_loop(reactor: Any) -> AbstractEventLoop:
    """Return the event loop that a reactor runs on."""
    loop: AbstractEventLoop = reactor._asyncioEventloop
    return loop


def cannot_accept(event: dict[str, Any]) -> str:
    """Return why Twisted could not accept a connection, as an event of its log says; "" for any other event."""
    text = event.get("log_format") or ""
    if event.get("log_namespace") == "twisted.internet.tcp" and any(words in text for words in OUT_OF_FILES):
        return str(event.get("acceptError", "EMFILE"))
    return ""


def failure(event: dict[str, Any]) -> BaseException | None:
    """Return the exception that an event of Twisted's log says nobody has handled; None for any other event."""
    if event.get("log_level") is LogLevel.critical and (found := event.get("log_failure")):
        error: BaseException = found.value
        return error
    return None
