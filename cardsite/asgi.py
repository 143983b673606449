"""The ASGI application: pages by Django, tables by WebSocket, and the house that opens with the first event."""

from __future__ import annotations

import gc
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import django
import structlog
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")
django.setup(set_prefix=False)  # what follows needs it

from channels.db import database_sync_to_async  # noqa: E402

from cardsite.database import OUT_OF_ORDER  # noqa: E402
from cardsite.people.doors import BUSY, takes_password  # noqa: E402
from cardsite.private_api.django import FormRequest  # noqa: E402
from cardsite.request_limits import RequestLimits  # noqa: E402
from cardsite.server.protocol import FAILED  # noqa: E402
from cardsite.server.server import match_server  # noqa: E402
from cardsite.server.transport import table_socket  # noqa: E402

log = structlog.get_logger(__name__)
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

# Not the threads of ``in_thread``: a page may wait for what is done there.
_page_workers = ThreadPoolExecutor(8, thread_name_prefix="page")
# To hash a password takes a core for a third of a second, on purpose. One thread does nothing else, so whoever guesses
# keeps neither pages nor more than that core busy.
_password_workers = ThreadPoolExecutor(1, thread_name_prefix="password")
PASSWORDS_WAITING = 8  # requests with a password that wait for it or are with it; whoever comes then is sent away


async def _websocket(scope: Event, receive: Receive, send: Send) -> None:
    try:
        await table_socket(scope, receive, send)
    except OUT_OF_ORDER as error:
        log.error("the database cannot be used", path=scope["path"], error=str(error).strip())
        await send({"type": "websocket.close", "code": FAILED})


class Pages(ASGIHandler):
    """Django's pages, each in one go in a worker thread that keeps its database connection.

    As it comes, the handler changes threads for every middleware, and more often, in a thread made for the request.
    """

    request_class = FormRequest

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request whose body has been read: see ``RequestLimits``. It is answered even if the client has gone.

        The signals by which Django looks after connections at both ends of a request are not sent to a thread of their
        own first: ``_respond`` does what they are for.
        """
        set_script_prefix(get_script_prefix(scope))
        body = BytesIO((await receive())["body"])
        request, refusal = self.create_request(scope, body)
        response: Any = await self.run_get_response(request) if request else refusal
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:  # of a file, which may be slow
                await sync_to_async(response.close)()
            else:
                response.close()

    _passwords = 0  # requests with a password, under way now

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if not takes_password(request):
            return await self._respond(request, _page_workers)
        if self._passwords >= PASSWORDS_WAITING:
            setattr(request, BUSY, True)
            return await self._respond(request, _page_workers)
        self._passwords += 1
        try:
            return await self._respond(request, _password_workers)
        finally:
            self._passwords -= 1

    async def _respond(self, request: HttpRequest, workers: ThreadPoolExecutor) -> HttpResponseBase:
        respond = database_sync_to_async(self.get_response, thread_sensitive=False, executor=workers)
        response: HttpResponseBase = await respond(request)
        return response


async def _lifespan(scope: Event, receive: Receive, send: Send) -> None:
    await receive()
    match_server.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await match_server.close()
    await send({"type": "lifespan.shutdown.complete"})


_applications: dict[str, Any] = {"http": RequestLimits(Pages()), "websocket": _websocket, "lifespan": _lifespan}


async def application(scope: Event, receive: Receive, send: Send) -> None:
    """Hand an event stream to where it belongs. Without lifespan events the first request opens the house."""
    if scope["type"] != "lifespan":
        match_server.open()
    await _applications[scope["type"]](scope, receive, send)


# What is loaded by now stays, and most of what is made later lives as long as a match or a socket. Looked through as
# often as Python does by itself it took an eighth of a busy server's time, and stopped everybody for 0.1 s at a time.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
