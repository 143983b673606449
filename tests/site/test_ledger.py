"""Moves of many matches share a commit, but each succeeds or fails alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError
from django.utils import timezone
from prometheus_client import REGISTRY

from cardsite.lobby.models import Table
from cardsite.server import ledger as ledger_module
from cardsite.server.ledger import Ledger, NewMove
from cardsite.table.models import Match, Move
from cardsite.table.moves import PlyTaken

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    table = Table.objects.create(game="hamsterdam")
    return Match.objects.create(
        table=table, number=1, game="hamsterdam", seed="0" * 64, seconds=60, sealed=True, started=timezone.now()
    )


def entry(match: Match, ply: int, text: str = "keep") -> NewMove:
    return NewMove(match.pk, ply, 0, text, "person", 0)


async def together(*work: Awaitable[None]) -> list[type]:
    """Return the type of each outcome: NoneType for a move that is stored."""
    return [type(outcome) for outcome in await asyncio.gather(*work, return_exceptions=True)]


async def stored(match: Match) -> list[tuple[int, str]]:
    return [(move.ply, move.text) async for move in Move.objects.filter(match=match)]


async def test_a_ply_that_is_taken_leaves_the_other_moves_of_its_batch_alone(match: Match) -> None:
    ledger = Ledger()
    await ledger.append(entry(match, 1, "first"))
    batch = ledger.append(entry(match, 2)), ledger.append(entry(match, 1, "late")), ledger.append(entry(match, 3))
    assert await together(*batch) == [type(None), PlyTaken, type(None)]
    assert await stored(match) == [(1, "first"), (2, "keep"), (3, "keep")]


async def test_an_end_that_cannot_be_written_leaves_the_other_moves_of_its_batch_alone(match: Match) -> None:
    def broken() -> None:
        raise RuntimeError("scores cannot be written")

    ledger = Ledger()
    batch = ledger.append(entry(match, 1)), ledger.append(entry(match, 2), broken), ledger.append(entry(match, 3))
    assert await together(*batch) == [type(None), RuntimeError, type(None)]
    assert await stored(match) == [(1, "keep"), (3, "keep")]


# -- the database is gone


def failed_batches() -> float:
    """Return how many batches this process could not commit at all, by its metrics."""
    return REGISTRY.get_sample_value("hamsterdam_ledger_flush_failures_total") or 0.0


class Database:
    """Substitute for the write of a batch. It fails from call number ``gone`` on, and counts the calls."""

    def __init__(self, gone: int, error: type[Exception]) -> None:
        self.tried = 0
        self._gone = gone
        self._error = error
        self._write = ledger_module._write

    def __call__(self, batch: list[tuple[NewMove, ledger_module.Also | None]]) -> None:
        self.tried += 1
        if self.tried >= self._gone:
            raise self._error("no answer")
        self._write(batch)


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
async def test_a_database_that_is_gone_is_tried_once_for_a_whole_batch(
    match: Match, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """Each try may wait until the database's timeout: a batch must not wait once for each move."""
    gone = Database(1, error)
    monkeypatch.setattr(ledger_module, "_write", gone)
    failed_before = failed_batches()
    ledger = Ledger()
    assert await together(*(ledger.append(entry(match, ply)) for ply in (1, 2, 3))) == [error] * 3
    assert gone.tried == 1
    assert failed_batches() - failed_before == 1  # the metric of the alert
    monkeypatch.undo()
    await ledger.append(entry(match, 1))
    assert await stored(match) == [(1, "keep")]


async def test_a_database_that_goes_while_moves_are_tried_one_by_one_is_not_tried_for_the_others(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger()
    await ledger.append(entry(match, 2, "first"))
    going = Database(3, OperationalError)  # after the batch, which fails for ply 2, and ply 1
    monkeypatch.setattr(ledger_module, "_write", going)
    batch = [ledger.append(entry(match, ply)) for ply in (1, 2, 3, 4)]
    assert await together(*batch) == [type(None), OperationalError, OperationalError, OperationalError]
    assert going.tried == 3
    assert await stored(match) == [(1, "keep"), (2, "first")]


async def test_a_move_that_fails_for_a_reason_of_its_own_leaves_the_ledger_going(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "_write", Database(1, IntegrityError))
    ledger = Ledger()
    assert await together(ledger.append(entry(match, 1)), ledger.append(entry(match, 2))) == [PlyTaken, PlyTaken]
    monkeypatch.undo()
    await ledger.append(entry(match, 1))
    assert await stored(match) == [(1, "keep")]


async def test_a_move_whose_request_is_cancelled_is_stored_and_so_are_later_ones(match: Match) -> None:
    ledger = Ledger()
    impatient = asyncio.create_task(ledger.append(entry(match, 1)))
    await asyncio.sleep(0)
    impatient.cancel()
    await ledger.append(entry(match, 2))
    assert await stored(match) == [(1, "keep"), (2, "keep")]
