"""The ASGI application: pages by Django, tables by WebSocket, and the house that opens with the first event."""

from __future__ import annotations

import gc
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import django
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
django.setup(set_prefix=False)  # what follows needs it

from channels.db import database_sync_to_async  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.urls import path  # noqa: E402

from cardsite.table.consumer import bearer, table_socket  # noqa: E402
from cardsite.table.house import house  # noqa: E402

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

# Not the threads of ``in_thread``: a page may wait for what is done there.
_page_workers = ThreadPoolExecutor(8, thread_name_prefix="page")
_routes = URLRouter([path("ws/table/<slug:code>/", table_socket)])  # type: ignore[arg-type]
_from_browsers = AllowedHostsOriginValidator(CookieMiddleware(_routes))


async def _websocket(scope: Event, receive: Receive, send: Send) -> None:
    # A browser sends its cookie by itself, so its Origin must be ours. A token is sent on purpose only.
    if not scope["path"].startswith("/ws/table/"):
        await receive()
        await send({"type": "websocket.close", "code": 4004})
        return
    await (_routes if bearer(scope) else _from_browsers)(scope, receive, send)


class Pages(ASGIHandler):
    """Django's pages, each in one go in a worker thread that keeps its database connection.

    As it comes, the handler changes threads for every middleware, in a thread made for the request.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        respond = database_sync_to_async(self.get_response, thread_sensitive=False, executor=_page_workers)
        response: HttpResponseBase = await respond(request)
        return response


async def _lifespan(scope: Event, receive: Receive, send: Send) -> None:
    await receive()
    house.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await house.close()
    await send({"type": "lifespan.shutdown.complete"})


_router = ProtocolTypeRouter({"http": Pages(), "websocket": _websocket, "lifespan": _lifespan})


async def application(scope: Event, receive: Receive, send: Send) -> None:
    """Hand an event stream to where it belongs. Without lifespan events the first request opens the house."""
    if scope["type"] != "lifespan":
        house.open()
    await _router(scope, receive, send)


# What is loaded by now stays, and most of what is made later lives as long as a match or a socket. Looked through as
# often as Python does by itself it took an eighth of a busy server's time, and stopped everybody for 0.1 s at a time.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
