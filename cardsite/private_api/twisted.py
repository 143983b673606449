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
        "to write at once, in a third of the time of a buffered write, and to know how much is buffered",
    ),
    PrivateUse(
        asyncioreactor.AsyncioSelectorReactor,
        ("_asyncioEventloop",),
        "the event loop, to clean up after the reactor has stopped",
    ),
)
OUT_OF_FILES = ("EMFILE", "Could not accept")  # how twisted.internet.tcp logs that no file descriptor was left


def is_answering(channel: http.HTTPChannel) -> bool:
    """Return whether a request of this connection is being answered."""
    return bool(channel._handlingRequest)


def is_aborting(channel: http.HTTPChannel) -> bool:
    """Return whether this connection is about to be aborted."""
    return channel._abortingCall is not None


def half_close(channel: Any, seconds: float) -> None:
    """Close a connection for sending, go on reading, and abort it after some seconds.

    Data that was received and not parsed yet is dropped. Later data goes to ``dataReceived`` as before.
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
    """Write to a connection whose buffer is empty. Return the rest that the kernel did not accept."""
    if transport.connected and not transport.disconnecting:
        written = transport.writeSomeData(data)
        if isinstance(written, int):  # else an error, which the transport handles when it occurs again
            return data[written:]
    return data


def event_loop(reactor: Any) -> AbstractEventLoop:
    """Return the event loop that a reactor runs on."""
    loop: AbstractEventLoop = reactor._asyncioEventloop
    return loop


def cannot_accept(event: dict[str, Any]) -> str:
    """Return the reason if a log event says that Twisted could not accept a connection; "" for any other event."""
    text = event.get("log_format") or ""
    if event.get("log_namespace") == "twisted.internet.tcp" and any(words in text for words in OUT_OF_FILES):
        return str(event.get("acceptError", "EMFILE"))
    return ""


def failure(event: dict[str, Any]) -> BaseException | None:
    """Return the exception if a log event reports an unhandled one; None for any other event."""
    if event.get("log_level") is LogLevel.critical and (reason := event.get("log_failure")):
        error: BaseException = reason.value
        return error
    return None
