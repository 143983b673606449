"""Bots take a minimum time, so that people can follow and forced decisions are not revealed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from pytest_django.fixtures import Settings

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server import transport
from cardsite.server.server import MatchServer
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_start_match
from tests.site.conftest import Texts
from tests.site.listener import Listener

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
PACE = 0.25


@pytest.fixture
async def match_server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MatchServer]:
    """A match server whose bots take a quarter of a second, with everything that runs in it."""
    settings.BOT_PACE = PACE
    settings.BOT_WORKERS = 1
    opened = MatchServer()
    monkeypatch.setattr(transport, "match_server", opened)
    opened.open()
    yield opened
    await opened.close()


@pytest.mark.parametrize("takes", ["2", "2 3"])
@pytest.mark.parametrize("stands_in", [False, True])
async def test_no_bot_decides_sooner_than_its_pace_be_it_forced_or_standing_in(
    match_server: MatchServer, texts: Texts, takes: str, stands_in: bool
) -> None:
    """Moves of one stick's choice are forced; a bot that stands in for who is away is no faster either."""
    game = texts.put("sticks", "rules 1", "sticks 8", f"take {takes}")
    table = await Table.objects.acreate(code=CODE, game=game)
    away = await Person.objects.acreate(name="Away") if stands_in else None
    await Seat.objects.acreate(table=table, index=0, person=away, away=stands_in, bot="" if stands_in else "house")
    await Seat.objects.acreate(table=table, index=1, bot="house")
    match_id = await in_thread(do_start_match)(CODE, None)
    spectator = Listener(match_server, CODE)
    await spectator.hello()
    await match_server.scheduler.round()
    await spectator.until(lambda: bool(spectator.received) and spectator.table["status"] == "over")
    row = await Match.objects.aget(pk=match_id)
    moves = [move async for move in Move.objects.filter(match=match_id).order_by("ply")]
    assert {move.by for move in moves} == ({"bot", "away"} if stands_in else {"bot"})
    times = [int(row.started.timestamp() * 1000), *(move.at for move in moves)]
    assert all(after - before >= PACE * 1000 - 1 for before, after in pairwise(times))
