"""Prepared queries return the same as Django's own."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services import lifecycle, permissions, seat_requests, seating
from cardsite.people import services, sessions
from cardsite.people.models import Person
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared, PreparedUpdate
from cardsite.table import queries as table_rows
from cardsite.table.ending import Ending
from cardsite.table.models import Match, Move
from cardsite.table.moves import PlyTaken
from cardsite.table.services.matches import do_end_match, do_start_match
from tests.site.conftest import Actor

PREPARED = {
    (module.__name__, name): prepared
    for module in (lifecycle, permissions, seat_requests, seating, table_rows, services, sessions)
    for name, prepared in vars(module).items()
    if isinstance(prepared, Prepared)
}


def fields(row: Model | None) -> dict[str, Any]:
    """Return the fields of a row, and those of the related rows that were loaded with it."""
    assert row is not None
    own = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    related = {name: fields(other) for name, other in row._state.fields_cache.items() if isinstance(other, Model)}
    return own | related


@pytest.mark.parametrize("name", PREPARED, ids=lambda name: ".".join(name))
def test_each_returns_what_the_same_query_returns(
    name: tuple[str, str], table: Table, host: Actor, guest: Actor
) -> None:
    prepared = PREPARED[name]
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    for ply in (2, 1):
        Move.objects.create(match=match, ply=ply, seat=0, text="x", by="person", at=ply)
    SeatRequest.objects.create(table=table, person=guest.person, answer=SeatRequest.Answer.NEXT)
    Table.objects.filter(pk=table.pk).update(options={"a": [1, "ü"]}, touched=timezone.now())
    keys: list[Any] = [table.code, table.pk, match.pk, host.person.pk, host.client.session.session_key]
    count = 0
    for key in keys:
        usual: QuerySet[Any]
        if isinstance(key, str) == isinstance(prepared._example, str):
            usual = prepared._ask(key)
            assert [fields(row) for row in prepared.all(key)] == [fields(row) for row in usual]
            count += usual.count()
    assert count, "None of the keys has a row."
    assert prepared.all(prepared._example) == []
    assert prepared.first(prepared._example) is None


def test_rows_can_be_saved_and_related_rows_cost_no_query(table: Table) -> None:
    with CaptureQueriesContext(connection) as asked:
        [host, guest, *_] = seating.SEATS.all(table.pk)
        assert [seat.person.name for seat in (host, guest) if seat.person] == ["Hostess", "Guest"]
    assert len(asked) == 1
    host.wins = 2.5
    host.save()
    assert Seat.objects.get(pk=host.pk).wins == 2.5


def test_a_query_that_does_not_ask_for_its_key_is_refused(db: None) -> None:
    with pytest.raises(ValueError, match="no parameter"):
        Prepared(lambda _: Person.objects.filter(name="x"), NO_NUMBER).all(1)
    with pytest.raises(ValueError, match="no parameter"):
        Prepared(lambda _: Table.objects.filter(game="x"), NO_CODE).first("x")


def test_a_session_is_valid_until_it_expires(host: Actor, table: Table) -> None:
    page = f"/t/{table.code}/"
    key = host.client.session.session_key
    model = sessions.SessionStore.get_model_class()
    assert host.client.post(f"{page}start/").status_code == 200
    model.objects.filter(session_key=key).update(expire_date=timezone.now())
    late = Client()
    late.cookies["sessionid"] = str(key)
    assert late.post(f"{page}fill/").json()["code"] == "not_host"  # somebody new, by another key
    assert late.cookies["sessionid"].value != key


def test_an_update_writes_its_fields_to_its_rows_only_and_counts_rows(table: Table, host: Actor) -> None:
    match = do_start_match(table.code, host.person)
    other = Match.objects.create(table=table, number=99, game="x", seconds=1, sealed=False)
    ending = Ending({"text": "ü", "args": {}}, [1, 2, 3, 4], low_wins=True)
    do_end_match(match, table.pk, [1.0, 2.0, 3.0, 4.0], [0], ending)
    with pytest.raises(PlyTaken, match=f"match {match} has ended"):
        do_end_match(match, table.pk, [4.0, 2.0, 3.0, 4.0], [3])
    row = Match.objects.get(pk=match)
    assert (row.status, row.process, row.outcome, row.low_wins) == ("over", None, ending.outcome, True)
    assert row.finished
    assert [player.score for player in row.players.all()] == [1.0, 2.0, 3.0, 4.0]
    assert Match.objects.get(pk=other.pk).status == "running"
    do_end_match(other.pk, table.pk, [], [])
    assert Match.objects.filter(pk=other.pk, outcome__isnull=True, status="over").exists()
    with pytest.raises(ValueError, match="no parameter"):
        PreparedUpdate(lambda _: Table.objects.filter(game="x"), NO_CODE, "status").rewrite("x", "over")
