"""The ASGI application: pages by Django, tables by WebSocket, and the house that opens with the first event."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any

from django.core.asgi import get_asgi_application
from django.core.signals import request_finished
from django.db import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
pages = get_asgi_application()  # sets Django up: what follows needs it

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.urls import path  # noqa: E402

from cardsite.table.consumer import bearer, table_socket  # noqa: E402
from cardsite.table.house import house  # noqa: E402

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]


def _close_connections(**_: Any) -> None:
    """A page had a thread of its own, which ends with it; its connection would stay until the garbage is collected."""
    connections.close_all()


request_finished.connect(_close_connections)

_routes = URLRouter([path("ws/table/<slug:code>/", table_socket)])  # type: ignore[arg-type]
_from_browsers = AllowedHostsOriginValidator(CookieMiddleware(_routes))


async def _websocket(scope: Event, receive: Receive, send: Send) -> None:
    # A browser sends its cookie by itself, so its Origin must be ours. A token is sent on purpose only.
    if not scope["path"].startswith("/ws/table/"):
        await receive()
        await send({"type": "websocket.close", "code": 4004})
        return
    await (_routes if bearer(scope) else _from_browsers)(scope, receive, send)


async def _lifespan(scope: Event, receive: Receive, send: Send) -> None:
    await receive()
    house.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await house.close()
    await send({"type": "lifespan.shutdown.complete"})


_router = ProtocolTypeRouter({"http": pages, "websocket": _websocket, "lifespan": _lifespan})


async def application(scope: Event, receive: Receive, send: Send) -> None:
    """Hand an event stream to where it belongs. Without lifespan events the first request opens the house."""
    if scope["type"] != "lifespan":
        house.open()
    await _router(scope, receive, send)
