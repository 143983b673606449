"""Moves of many matches are committed together, and yet each stands or falls alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from django.utils import timezone

from cardsite.lobby.models import Table
from cardsite.table.ledger import Entry, Ledger, PlyTaken
from cardsite.table.models import Match, Move

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match() -> Match:
    table = Table.objects.create(game="hamsterdam")
    return Match.objects.create(
        table=table, number=1, game="hamsterdam", seed="0" * 64, seconds=60, sealed=True, started=timezone.now()
    )


def entry(match: Match, ply: int, text: str = "keep") -> Entry:
    return Entry(match.pk, ply, 0, text, "person", 0)


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
