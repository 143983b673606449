"""The siege and its load: what clients see is the truth about the site, also where the site does not answer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.harness.client import ClientSocket
from bench.harness.load import STALLED, Load
from bench.harness.running import Site, running_site
from bench.siege import probes
from bench.siege.__main__ import judged
from bench.siege.probes import PROBES, Probes, ProbeTimes
from tests.patience import PATIENCE
from tests.tiers import full

ROOT = Path(__file__).resolve().parent.parent
STOPPED = 1.0  # seconds for which the site does nothing


@pytest.fixture(scope="module")
def attacked_site() -> Iterator[Site]:
    """A site as the siege starts it."""
    with running_site("daphne", "sqlite", apart=False) as site:
        yield site


def watched(site: Site, *, goes_on: bool) -> tuple[ProbeTimes, int]:
    """Return what probes saw of a site that was stopped for a while, and how much was not answered."""

    async def watch() -> tuple[ProbeTimes, int]:
        people = Probes(site)
        await people.sit("bundles")
        watching = asyncio.create_task(people.watch(2 * STOPPED))
        try:
            os.kill(site.pid, signal.SIGSTOP)
            await asyncio.sleep(STOPPED)
            if goes_on:
                os.kill(site.pid, signal.SIGCONT)
            tally = await watching
            return tally, await people.wait(tally)
        finally:
            os.kill(site.pid, signal.SIGCONT)
            people.leave()

    return asyncio.run(watch())


OPENED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nServer: hamsterdam\r\n\r\n"


@pytest.mark.parametrize(("payload", "code"), [(b"\x03\xf3too slow", "1011"), (b"", "no code")])
def test_a_close_frame_and_the_end_of_the_connection_are_one_loss(payload: bytes, code: str) -> None:
    losses = []

    class Client(ClientSocket):
        def lost(self, why: str) -> None:
            losses.append(why)

    async def read(answer: bytes) -> None:
        near, far = socket.socketpair()
        with far:
            _, client = await asyncio.get_running_loop().create_connection(lambda: Client(0, "CODE"), sock=near)
            client.data_received(answer)
        client.connection_lost(None)

    asyncio.run(read(OPENED + bytes([0x88, len(payload)]) + payload + bytes([0x81, 3]) + b"one"))
    assert losses == [f"The server closed a connection with {code}."]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_client_reads_answers_that_arrive_in_pieces(size: int) -> None:
    messages = []

    class Client(ClientSocket):
        def received(self, text: bytes) -> None:
            messages.append(text)

    async def read(answer: bytes) -> Client:
        near, far = socket.socketpair()
        with far:
            transport, client = await asyncio.get_running_loop().create_connection(lambda: Client(0, "CODE"), sock=near)
            for at in range(0, len(answer), size):
                client.data_received(answer[at : at + size])
            transport.abort()
        return client

    frames = b"".join(bytes([0x81, len(text)]) + text for text in (b"one", b"two"))
    client = asyncio.run(read(OPENED + frames))
    assert client.opened.done()
    assert messages == [b"one", b"two"]


@full
def test_a_standstill_delays_every_ping_that_was_sent_in_it(attacked_site: Site) -> None:
    tally, unanswered = watched(attacked_site, goes_on=True)
    assert unanswered == 0
    assert sum(one > STOPPED / 2 for one in tally.pings) > PROBES  # the next one is sent before this is answered
    assert max(tally.moves, default=0.0) < max(tally.pings) + STOPPED


@full
def test_missing_answers_count_as_slow(attacked_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "LATE", STOPPED)
    tally, unanswered = watched(attacked_site, goes_on=False)
    assert unanswered >= PROBES
    assert sum(one > STOPPED for one in tally.pings) >= PROBES
    assert not judged(ProbeTimes(pings=[0.001], moves=[0.001]), tally, unanswered)["holds"]


@full
def test_a_load_that_loses_a_player_while_matches_start_ends_at_once(attacked_site: Site) -> None:
    async def start() -> None:
        load = Load(attacked_site, "hamsterdam", 2, "seed")
        await load.take_seats(await load.prepare(1))
        load.tables[0].fail(ConnectionError("lost"))
        try:
            async with asyncio.timeout(STALLED / 2):
                await load.start_all()
        finally:
            load.leave()

    with pytest.raises(ConnectionError, match="lost"):
        asyncio.run(start())


@full
@pytest.mark.parametrize("thinking", [0.0, 0.02])
def test_a_load_sends_one_move_for_each_decision_that_players_make_at_the_same_time(
    attacked_site: Site, thinking: float
) -> None:
    async def play() -> Load:
        load = Load(attacked_site, "enchere", 3, "seed", thinking=thinking)
        await load.take_seats(await load.prepare(1))
        try:
            await load.start_all()
            await load.play(PATIENCE, moves=60)  # raises if the site refuses a move
        finally:
            load.leave()
        return load

    tally = asyncio.run(play()).tally
    assert tally.moves >= 60
    under_way = 3 * 3  # deliveries of the last moves, one of each seat
    assert abs(tally.deliveries - 3 * tally.moves) <= under_way


@full
def test_an_attack_is_measured_by_probes_that_play_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.siege", "--only", "silent", "--seconds", "2", "--quiet", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
    )
    assert done.stdout, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (not figures["holds"])
    [attack] = figures["attacks"]
    assert attack["attacker"]["did"]["connections"] >= 600
    assert attack["attacker"]["trouble"] == ""
    assert attack["probe_trouble"] == []
    assert attack["attacked"]["ping_ms"]["count"] >= PROBES
    for kind in ("ping_ms", "move_ms"):
        one = attack["attacked"][kind]
        assert 0 < one["median"] <= one["p99"] <= one["worst"]
    assert attack["server_cpu_s"] > 0
