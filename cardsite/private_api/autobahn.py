"""Undocumented parts of Autobahn's WebSocket protocol."""

from __future__ import annotations

from typing import Any

from autobahn.twisted.websocket import WebSocketServerProtocol

from cardsite.private_api import PrivateUse, Release

RELEASE = Release("autobahn", "26.10")
USES = (
    PrivateUse(
        WebSocketServerProtocol,
        ("_perMessageCompress",),
        "whether compression was negotiated; and its `_decompressor`, which would take 40 KB between messages",
    ),
    PrivateUse(
        WebSocketServerProtocol,
        ("autoPingTimeoutCall", "_cancelAutoPingTimeoutCall"),
        "a frame that we parse ourselves is a sign of life, too",
    ),
    PrivateUse(
        WebSocketServerProtocol,
        ("data", "current_frame", "inside_message"),
        "whether Autobahn is in the middle of a frame",
    ),
    PrivateUse(
        WebSocketServerProtocol,
        ("send_queue", "http_headers"),
        "removed after the handshake, to save memory",
    ),
    PrivateUse(
        WebSocketServerProtocol,
        ("websocket_extensions",),
        "the offers of the client: those that Autobahn would reject the handshake for are removed",
    ),
    PrivateUse(WebSocketServerProtocol, ("sendData",), "overridden: writes at once"),
    PrivateUse(
        WebSocketServerProtocol, ("consumeData", "processData"), "overridden: parses a limited number of frames"
    ),
    PrivateUse(
        WebSocketServerProtocol,
        ("CONFIG_ATTRS",),
        "options that are copied into each protocol instance unless its class has them",
    ),
)


def deflates(protocol: WebSocketServerProtocol) -> bool:
    """Return whether messages may be compressed on this connection. Known after the handshake."""
    return protocol._perMessageCompress is not None


def drop_decompressor(protocol: WebSocketServerProtocol) -> None:
    """Discard the decompressor of the last message, since each message uses a new one."""
    if protocol._perMessageCompress is not None:
        protocol._perMessageCompress._decompressor = None


def is_between_frames(protocol: WebSocketServerProtocol) -> bool:
    """Return whether the next received byte starts a message."""
    return not (protocol.data or protocol.current_frame or protocol.inside_message)


def note_answer_to_ping(protocol: WebSocketServerProtocol) -> None:
    """Count received data as the answer to an open ping."""
    if protocol.autoPingTimeoutCall:
        protocol._cancelAutoPingTimeoutCall()


def drop_handshake(protocol: WebSocketServerProtocol) -> None:
    """Discard data that only the handshake needs. The class must have a ``send_queue`` of its own."""
    del protocol.send_queue, protocol.http_headers


def with_options_of(factory: Any, protocol: type[WebSocketServerProtocol]) -> type[WebSocketServerProtocol]:
    """Return a protocol class that has the options of a factory.

    Autobahn then does not copy them into each instance, which would have thirty more attributes.
    """
    values = {name: getattr(factory, name) for name in protocol.CONFIG_ATTRS}
    own = {name: staticmethod(value) if callable(value) else value for name, value in values.items()}
    return type(protocol.__name__, (protocol,), own)
