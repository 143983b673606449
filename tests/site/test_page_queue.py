"""Pages are computed few at a time, in queue by the CPU time of addresses; when too many wait, one more is refused."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from cardsite import page_queue, request_limits
from cardsite.asgi import Pages
from cardsite.page_queue import AT_ONCE, EACH, WAITING, aside
from cardsite.request_limits import RequestLimits
from games.jobs.pool import FairQueue
from tests.patience import wait_for

Page = Callable[[HttpRequest], HttpResponse]
HEAVY, LIGHT = "10.0.0.1", "10.0.0.2"


class SlowSite:
    """The site's pages, all of them one page that goes on until it is let go, and requests to it."""

    def __init__(self) -> None:
        self.begun: list[str] = []  # addresses, in the order in which their pages began
        self.go_on = threading.Event()
        self.pages = Pages()
        self.pages.get_response = self._page  # type: ignore[method-assign]

    def _page(self, request: HttpRequest) -> HttpResponse:
        self.begun.append(request.META["REMOTE_ADDR"])
        self.go_on.wait(60)
        return HttpResponse("well")

    def ask(self, address: str, **headers: str) -> asyncio.Task[tuple[int, str]]:
        """Ask for the page. Its task returns the status and the body."""
        return asyncio.create_task(self._ask(address, headers))

    async def _ask(self, address: str, headers: dict[str, str]) -> tuple[int, str]:
        sent: list[dict[str, Any]] = []
        scope = {
            "type": "http", "method": "GET", "path": "/", "query_string": b"", "client": (address, 1),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(event: dict[str, Any]) -> None:
            sent.append(event)

        await RequestLimits(self.pages)(scope, receive, send)
        return sent[0]["status"], b"".join(event.get("body", b"") for event in sent).decode()

    async def until_begun(self, count: int) -> None:
        """Return when so many pages have begun."""
        await asyncio.to_thread(wait_for, lambda: len(self.begun) >= count, "the pages")


@pytest.fixture
async def slow_site(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SlowSite]:
    queue: FairQueue[None] = FairQueue([None] * AT_ONCE, WAITING, lambda address: EACH)
    monkeypatch.setattr(page_queue, "_queue", queue)
    slow_site = SlowSite()
    yield slow_site
    slow_site.go_on.set()


async def test_few_pages_are_computed_at_once_and_a_flood_lets_others_go_first(slow_site: SlowSite) -> None:
    page_queue._queue.book(HEAVY, 5.0)
    flood = [slow_site.ask(HEAVY) for _ in range(20)]
    await slow_site.until_begun(AT_ONCE)
    other = slow_site.ask(LIGHT)
    await asyncio.sleep(0)
    assert slow_site.begun == [HEAVY] * AT_ONCE
    slow_site.go_on.set()
    assert {*await asyncio.gather(*flood, other)} == {(200, "well")}
    assert LIGHT in slow_site.begun[AT_ONCE : 2 * AT_ONCE]


def test_a_flood_from_new_addresses_does_not_starve_waiting_requests() -> None:
    queue: FairQueue[None] = FairQueue([None], handicap=page_queue.HANDICAP)
    queue.book(LIGHT, 1.0)
    with ThreadPoolExecutor(2) as threads:

        def ask(address: str) -> None:
            with queue.borrow(address):
                served.append(address)

        served: list[str] = []
        with queue.borrow("first"):
            one = threads.submit(ask, LIGHT)
            wait_for(lambda: queue.waiting == 1, "the one who stays")
            time.sleep(2 * page_queue.HANDICAP)  # the handicap is a time
            new = threads.submit(ask, "new")
            wait_for(lambda: queue.waiting == 2, "the newcomer")
        one.result()
        new.result()
    assert served == [LIGHT, "new"]


async def test_the_time_that_a_page_computes_counts_for_its_address(
    slow_site: SlowSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_site.go_on.set()
    monkeypatch.setattr(slow_site.pages, "get_response", lambda request: HttpResponse(str(sum(range(10**6)))))
    await slow_site.ask(HEAVY)
    assert page_queue._queue.used_lately()[HEAVY] > 0.001


async def test_a_busy_site_takes_its_time_to_refuse_and_serves_others_meanwhile(
    slow_site: SlowSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_queue, "_queue", FairQueue([None] * AT_ONCE, 0, lambda address: AT_ONCE))
    asked = [slow_site.ask(HEAVY) for _ in range(AT_ONCE)]
    await slow_site.until_begun(AT_ONCE)
    began = time.monotonic()
    refused = slow_site.ask(HEAVY)
    await asyncio.sleep(0)
    slow_site.go_on.set()
    assert {*await asyncio.gather(*asked)} == {(200, "well")}
    assert not refused.done()
    assert (await refused)[0] == 503
    assert time.monotonic() - began >= request_limits.PAUSE


async def test_between_two_pages_is_a_pause_that_does_not_delay_the_first_answer(
    slow_site: SlowSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []

    def computes(request: HttpRequest) -> HttpResponse:
        begun.append(time.monotonic())
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass
        return HttpResponse("well")

    monkeypatch.setattr(slow_site.pages, "get_response", computes)
    monkeypatch.setattr(page_queue, "_queue", FairQueue([None]))
    first, second = slow_site.ask(HEAVY), slow_site.ask(LIGHT)
    await first
    answered = time.monotonic()
    assert len(begun) == 1
    await second
    assert begun[1] - answered > 0.05 * page_queue.PAUSE / 2


async def test_a_page_that_waits_for_a_process_lets_others_be_computed(
    slow_site: SlowSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = slow_site.pages.get_response

    def waits(request: HttpRequest) -> HttpResponseBase:
        with aside():
            return compute(request)

    monkeypatch.setattr(slow_site.pages, "get_response", waits)
    asked = [slow_site.ask(HEAVY) for _ in range(3 * AT_ONCE)]
    await slow_site.until_begun(3 * AT_ONCE)
    slow_site.go_on.set()
    assert {*await asyncio.gather(*asked)} == {(200, "well")}


@pytest.mark.parametrize(("each", "waiting"), [(EACH, 3), (AT_ONCE + 3, WAITING)])
async def test_when_too_many_wait_one_more_is_refused_in_their_language(
    slow_site: SlowSite, monkeypatch: pytest.MonkeyPatch, each: int, waiting: int
) -> None:
    monkeypatch.setattr(page_queue, "_queue", FairQueue([None] * AT_ONCE, waiting, lambda address: each))
    monkeypatch.setattr(request_limits, "PAUSE", 0)
    asked = [slow_site.ask(HEAVY) for _ in range(AT_ONCE + 3)]
    await slow_site.until_begun(AT_ONCE)
    status, page = await slow_site.ask(HEAVY)
    assert (status, "Many people are opening pages right now." in page) == (503, True)
    for headers in ({"accept_language": "nl-BE, en;q=0.5"}, {"cookie": "django_language=nl", "accept_language": "fr"}):
        status, page = await slow_site.ask(HEAVY, **headers)
        assert (status, "Er worden nu veel pagina" in page) == (503, True)
        assert '<html lang="nl"' in page
    status, body = await slow_site.ask(HEAVY, accept="application/json", accept_language="de")
    assert (status, json.loads(body)["code"]) == (503, "busy")
    assert json.loads(body)["text"].startswith("Gerade öffnen viele Leute Seiten.")
    slow_site.go_on.set()
    assert {*await asyncio.gather(*asked)} == {(200, "well")}
    assert await slow_site.ask(HEAVY) == (200, "well")
