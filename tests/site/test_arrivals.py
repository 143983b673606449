"""New connections are let in one step at a time, so that many of them do not slow down open connections."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server import transport
from cardsite.server.connections import Arrivals
from cardsite.server.server import MatchServer
from tests.patience import PATIENCE

CODE = "abcdefghjk"


async def test_an_open_connection_waits_for_one_step_of_an_arrival_and_a_pause_follows_each() -> None:
    arrivals = Arrivals(1)
    events: list[str] = []

    async def arrive() -> None:
        async with arrivals.step("10.0.0.1"):
            events.append("begin")
            await asyncio.sleep(0)  # as for the database
            end = time.thread_time() + 0.002
            while time.thread_time() < end:
                pass
            events.append("end")

    async def answer_messages() -> None:
        while True:
            await asyncio.sleep(0)
            events.append("message")

    open_connection = asyncio.create_task(answer_messages())
    await asyncio.gather(*(arrive() for _ in range(20)))
    open_connection.cancel()
    assert [event for event in events if event != "message"] == ["begin", "end"] * 20
    assert "message" in events[events.index("begin") : events.index("end")]
    begins = [number for number, event in enumerate(events) if event == "begin"]
    pauses = [events[first:last].count("message") for first, last in pairwise(begins)]
    assert min(pauses) > 1  # one is within the step


async def test_an_address_that_brought_a_crowd_waits_behind_a_newcomer() -> None:
    arrivals = Arrivals(1)
    arrivals.queue.book("10.0.0.1", 5.0)
    arrived: list[str] = []

    async def arrive(address: str) -> None:
        async with arrivals.step(address):
            arrived.append(address)

    crowd = [asyncio.create_task(arrive("10.0.0.1")) for _ in range(20)]
    await asyncio.sleep(0)
    await asyncio.gather(*crowd, arrive("10.0.0.2"))
    assert arrived.index("10.0.0.2") == 1


async def test_an_arrival_that_fails_lets_the_next_one_in() -> None:
    arrivals = Arrivals(1)
    with pytest.raises(OSError, match="gone"):
        async with arrivals.step("10.0.0.1"):
            raise OSError("gone")
    async with asyncio.timeout(PATIENCE), arrivals.step("10.0.0.1"):
        pass


@pytest.mark.django_db(transaction=True)
async def test_a_connection_waits_for_its_turn_before_it_is_accepted_and_before_it_is_sent_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = MatchServer()
    monkeypatch.setattr(transport, "match_server", server)
    arrivals = server.arrivals = Arrivals(1)
    host = await Person.objects.acreate(name="Hostess")
    table = await Table.objects.acreate(code=CODE, game="hamsterdam", host=host)
    await Seat.objects.acreate(table=table, index=0, person=host)
    received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    scope = {
        "type": "websocket",
        "path": f"/ws/table/{CODE}/",
        "headers": [(b"host", b"testserver"), (b"origin", b"http://testserver")],
        "client": ("127.0.0.1", 5),
    }
    connection = asyncio.create_task(transport.table_socket(scope, received.get, sent.put))
    try:
        async with asyncio.timeout(PATIENCE):
            received.put_nowait({"type": "websocket.connect"})
            async with arrivals.step("10.0.0.1"):
                await _until_waiting(arrivals)
                assert sent.empty()
            assert (await sent.get())["type"] == "websocket.accept"
            async with arrivals.step("10.0.0.1"):
                received.put_nowait({"type": "websocket.receive", "text": '{"t": "hello", "protocol": 3}'})
                await _until_waiting(arrivals)
                assert sent.empty()
            assert '"t":"welcome"' in (await sent.get())["text"]
    finally:
        received.put_nowait({"type": "websocket.disconnect"})
        await connection


async def _until_waiting(arrivals: Arrivals) -> None:
    while not arrivals.queue.waiting:  # noqa: ASYNC110
        await asyncio.sleep(0)
