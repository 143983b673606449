"""Undocumented parts of Daphne, which has no interface for custom servers."""

from __future__ import annotations

from asyncio import Future

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from cardsite.private_api import PrivateUse, Release

RELEASE = Release("daphne", "4.2")
USES = (
    PrivateUse(
        daphne.server,
        ("HTTPFactory", "WebSocketFactory"),
        "replaced by ours before a server starts, since it cannot be given others",
    ),
    PrivateUse(
        daphne.server.Server,
        ("create_application", "handle_reply"),
        "overridden: a WebSocket gets a smaller queue, and its application waits while the client does not read",
    ),
    PrivateUse(
        daphne.server.Server,
        ("connections", "application_checker", "kill_all_applications"),
        "a connection may have no `application_instance` yet, which `kill_all_applications` does not expect",
    ),
    PrivateUse(
        daphne.server.Server,
        ("listen_success", "listen_error", "stop"),
        "overridden or called: to print the address of the site, or why it cannot listen",
    ),
    PrivateUse(HTTPFactory, ("buildProtocol",), "overridden: our own connections and requests"),
    PrivateUse(WebRequest, ("process", "server"), "overridden: two headers are removed before Daphne reads them"),
    PrivateUse(
        WebSocketProtocol,
        ("onConnect", "onOpen", "onMessage", "serverSend", "application_queue", "clean_headers", "request"),
        "overridden, or removed after the handshake: see front/websocket.py",
    ),
    PrivateUse(WebSocketFactory, ("buildProtocol",), "creates our protocol, the factory's `protocol`"),
)


def use_factories(http: type[HTTPFactory], websocket: type[WebSocketFactory]) -> None:
    """Have the next server use these factories."""
    daphne.server.HTTPFactory = http
    daphne.server.WebSocketFactory = websocket


def set_application(server: daphne.server.Server, protocol: object, application: Future[None]) -> None:
    """Register the application of a connection, so that Daphne ends both together."""
    server.connections[protocol]["application_instance"] = application


def complete_connections(server: daphne.server.Server, done: Future[None]) -> None:
    """Set ``done`` as the application of connections without one: Daphne assumes at its end that all have one.

    A connection in the middle of a request, or after the response, has none.
    """
    for connection in server.connections.values():
        connection.setdefault("application_instance", done)
