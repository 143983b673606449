"""The ASGI application: Django for pages, WebSockets for tables. The first event starts the match server."""

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
from cardsite.database import OUT_OF_ORDER  # noqa: E402
from cardsite.limits import address  # noqa: E402
from cardsite.people.rate_limits import takes_password  # noqa: E402
from cardsite.private_api.django import CheckedRequest  # noqa: E402
from cardsite.request_limits import PAGES_BUSY, PASSWORDS_BUSY, Rejected, RequestLimits  # noqa: E402
from cardsite.server.protocol import FAILED  # noqa: E402
from cardsite.server.server import match_server  # noqa: E402
from cardsite.server.transport import table_socket  # noqa: E402
from games.jobs import Busy  # noqa: E402

log = structlog.get_logger(__name__)
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

# Not the threads of ``in_thread``: a page may wait for work that is done there. ``page_queue`` says how many of them
# compute at once; the others wait for child processes.
_page_workers = ThreadPoolExecutor(page_queue.THREADS, thread_name_prefix="page")
# Hashing a password deliberately takes a third of a second of a core. It has a thread of its own, so guessing passwords
# uses at most one core, and no thread for pages.
_password_workers = ThreadPoolExecutor(1, thread_name_prefix="password")
MAX_PASSWORDS_PENDING = 8  # requests with a password that wait for that thread or run in it; more are refused

# Seconds after which a computing thread lets another one run. With Python's default of 5 ms a move would wait 5 ms at
# each of its steps while a page is computed.
sys.setswitchinterval(0.0002)


async def _websocket(scope: Event, receive: Receive, send: Send) -> None:
    try:
        await table_socket(scope, receive, send)
    except OUT_OF_ORDER as error:
        log.error("database unavailable", path=scope["path"], error=str(error).strip())
        await send({"type": "websocket.close", "code": FAILED})


class Pages(ASGIHandler):
    """Run Django's pages, each from start to end in one worker thread that keeps its database connection.

    Django's own handler changes threads at least once for every middleware, and makes a thread for each request.
    """

    request_class = CheckedRequest

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request whose body has been read (see ``RequestLimits``), even if the client has disconnected.

        Django sends ``request_started`` and ``request_finished`` in a thread of their own, to close stale database
        connections. ``_respond`` does that instead.
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

    _passwords = 0  # requests with a password that wait or run now

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        who = address(request)
        if not takes_password(request):
            try:
                return await page_queue.in_turn(who, partial(self._respond, request, _page_workers, who))
            except Busy:
                raise Rejected(PAGES_BUSY) from None
        if self._passwords >= MAX_PASSWORDS_PENDING:
            raise Rejected(PASSWORDS_BUSY)
        self._passwords += 1
        try:
            return await self._respond(request, _password_workers, who)
        finally:
            self._passwords -= 1

    async def _respond(self, request: HttpRequest, workers: ThreadPoolExecutor, who: str) -> HttpResponseBase:
        def compute() -> HttpResponseBase:
            with page_queue.booked(who):
                found: HttpResponseBase = self.get_response(request)
                return found

        response: HttpResponseBase = await database_sync_to_async(compute, thread_sensitive=False, executor=workers)()
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
    """Dispatch by scope type. Without lifespan events the first request starts the match server."""
    if scope["type"] != "lifespan":
        match_server.open()
    await _applications[scope["type"]](scope, receive, send)


# Objects loaded by now stay for ever, and most later ones live as long as a match or a socket. With Python's default
# thresholds garbage collection took an eighth of a busy server's time, in pauses of 0.1 s.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
