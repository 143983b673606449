"""The ASGI application: Django for pages, WebSockets for tables."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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
django.setup(set_prefix=False)  # required by the imports below

from channels.db import database_sync_to_async  # noqa: E402

from cardsite import page_queue  # noqa: E402
from cardsite.database import DATABASE_UNAVAILABLE  # noqa: E402
from cardsite.limits import address  # noqa: E402
from cardsite.people.rate_limits import takes_password  # noqa: E402
from cardsite.private_api.django import CheckedRequest  # noqa: E402
from cardsite.request_limits import PAGES_BUSY, PASSWORDS_BUSY, Rejected, RequestLimits  # noqa: E402
from cardsite.server.protocol import SERVER_ERROR  # noqa: E402
from cardsite.server.server import match_server  # noqa: E402
from cardsite.server.transport import table_socket  # noqa: E402
from games.jobs import Busy  # noqa: E402

log = structlog.get_logger(__name__)
Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# Pages do not share the threads of ``in_thread``: a page may wait for work in one of those, and if pages occupied them
# all, that work would never start. ``page_queue`` limits how many pages compute at once; the others wait for child
# processes.
_page_workers = ThreadPoolExecutor(page_queue.THREADS, thread_name_prefix="page")
# Hashing a password takes a third of a second of CPU time, by design. Requests with a password have a thread of their
# own, so that a visitor who guesses passwords occupies at most one core and none of the page threads.
_password_workers = ThreadPoolExecutor(1, thread_name_prefix="password")
MAX_PASSWORDS_PENDING = 8  # requests with a password that are queued or running; more are refused

# Seconds after which a running thread gives up the GIL to a waiting one. With Python's default of 5 ms a move would
# wait 5 ms at each of its steps while a page is computed.
sys.setswitchinterval(0.0002)


async def _websocket(scope: Scope, receive: Receive, send: Send) -> None:
    try:
        await table_socket(scope, receive, send)
    except DATABASE_UNAVAILABLE as error:
        log.error("database unavailable", path=scope["path"], error=str(error).strip())
        await send({"type": "websocket.close", "code": SERVER_ERROR})


class Pages(ASGIHandler):
    """Run Django's pages, each from start to end in one worker thread that keeps its database connection.

    Django's own handler changes threads at least once for every middleware, and makes a thread for each request.
    """

    request_class = CheckedRequest

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request whose body has been read (see ``RequestLimits``), even if the client has disconnected.

        Django's handler sends the signals ``request_started`` and ``request_finished``, whose receivers close stale
        database connections. This one does not: ``database_sync_to_async`` in ``_respond`` closes them, in the thread
        that uses them.
        """
        set_script_prefix(get_script_prefix(scope))
        body = BytesIO((await receive())["body"])
        request, refusal = self.create_request(scope, body)
        response: Any = await self.run_get_response(request) if request else refusal
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:  # a file, which may be slow
                await sync_to_async(response.close)()
            else:
                response.close()

    _passwords = 0  # requests with a password that are queued or running

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        client = address(request)
        if not takes_password(request):
            try:
                return await page_queue.queued(client, partial(self._respond, request, _page_workers, client))
            except Busy:
                raise Rejected(PAGES_BUSY) from None
        if self._passwords >= MAX_PASSWORDS_PENDING:
            raise Rejected(PASSWORDS_BUSY)
        self._passwords += 1
        try:
            return await self._respond(request, _password_workers, client)
        finally:
            self._passwords -= 1

    async def _respond(self, request: HttpRequest, workers: ThreadPoolExecutor, client: str) -> HttpResponseBase:
        def compute() -> HttpResponseBase:
            with page_queue.booked(client):
                response: HttpResponseBase = self.get_response(request)
                return response

        answer: HttpResponseBase = await database_sync_to_async(compute, thread_sensitive=False, executor=workers)()
        return answer


async def _lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    match_server.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await match_server.close()
    await send({"type": "lifespan.shutdown.complete"})


_applications: dict[str, Any] = {"http": RequestLimits(Pages()), "websocket": _websocket, "lifespan": _lifespan}


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Dispatch by scope type.

    The match server starts with the lifespan event ``startup``, or with the first connection if the ASGI server sends
    no lifespan events, as Daphne.
    """
    if scope["type"] != "lifespan":
        match_server.open()
    await _applications[scope["type"]](scope, receive, send)


# Objects loaded by now live as long as the process, and most later ones as long as a match or a socket. With
# Python's default thresholds garbage collection took an eighth of a busy server's time, in pauses of 0.1 s.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
